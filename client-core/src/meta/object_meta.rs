//! What every object says of itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Namespace, ObjectName, ResourceVersion, Timestamp, Uid, null_is_default};
use crate::json::Value;

/// `metav1.ObjectMeta`. What is empty is left out when it is written, and `null` is read as empty.
///
/// ```
/// use porthole_client_core::meta::ObjectMeta;
///
/// let mut metadata: ObjectMeta = serde_json::from_str(r#"{"name":"a","namespace":"shop","labels":null}"#)?;
/// metadata.labels.insert("app".into(), "web".into());
/// assert_eq!(serde_json::to_string(&metadata)?, r#"{"name":"a","namespace":"shop","labels":{"app":"web"}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectMeta {
    /// The name, unique in its namespace and resource.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "ObjectName::is_empty")]
    pub name: ObjectName,
    /// The beginning of a name that the server makes, where there is no name.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub generate_name: String,
    /// The namespace; empty for an object of the whole cluster.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Namespace::is_empty")]
    pub namespace: Namespace,
    /// The server's id of this very object.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Uid::is_empty")]
    pub uid: Uid,
    /// The version of the object, opaque.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "ResourceVersion::is_empty")]
    pub resource_version: ResourceVersion,
    /// How often what is wanted changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// When the server made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_timestamp: Option<Timestamp>,
    /// Since when it is being deleted, or when it will be gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_timestamp: Option<Timestamp>,
    /// How many seconds its end may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_grace_period_seconds: Option<i64>,
    /// What it is selected by.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// What others wrote down about it.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// What it belongs to.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub owner_references: Vec<OwnerReference>,
    /// Who has to agree before it is gone.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub finalizers: Vec<String>,
    /// Who owns which field, as the server wrote it.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub managed_fields: Vec<Value>,
}

impl ObjectMeta {
    /// Puts back what a write to the status alone does not change: what the object wants, and who owns and selects it
    /// (apimachinery `ResetObjectMetaForStatus`). For servers in tests; a real one has done so.
    pub fn reset_for_status(&mut self, existing: &Self) {
        self.generation = existing.generation;
        self.deletion_timestamp = existing.deletion_timestamp;
        self.labels.clone_from(&existing.labels);
        self.annotations.clone_from(&existing.annotations);
        self.finalizers.clone_from(&existing.finalizers);
        self.owner_references.clone_from(&existing.owner_references);
    }

    /// The names of its fields, as they are written.
    pub(crate) const FIELDS: [&str; 14] = [
        "name",
        "generateName",
        "namespace",
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "labels",
        "annotations",
        "ownerReferences",
        "finalizers",
        "managedFields",
    ];
}

/// `metav1.OwnerReference`: what an object belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerReference {
    /// The group and version of the owner, as its `apiVersion`.
    pub api_version: String,
    /// The kind of the owner.
    pub kind: String,
    /// The name of the owner, in the same namespace or of the whole cluster.
    pub name: ObjectName,
    /// The id of the owner.
    pub uid: Uid,
    /// Whether the owner is the one that manages the object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<bool>,
    /// Whether a deletion in the foreground waits for the object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_owner_deletion: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_is_empty_is_left_out_and_null_is_empty() {
        assert_eq!(serde_json::to_string(&ObjectMeta::default()).unwrap(), "{}");
        let nulls = r#"{"name":null,"generateName":null,"namespace":null,"uid":null,"resourceVersion":null,"generation":null,
            "creationTimestamp":null,"deletionTimestamp":null,"deletionGracePeriodSeconds":null,"labels":null,
            "annotations":null,"ownerReferences":null,"finalizers":null,"managedFields":null,"selfLink":""}"#;
        assert_eq!(serde_json::from_str::<ObjectMeta>(nulls).unwrap(), ObjectMeta::default());
    }

    #[test]
    fn all_that_is_set_is_read_back() {
        let text = r#"{"name":"a","generateName":"a-","namespace":"b","uid":"c","resourceVersion":"18014398509481985","generation":7,"creationTimestamp":"2026-11-30T01:50:31Z","deletionTimestamp":"2026-11-30T01:50:32Z","deletionGracePeriodSeconds":30,"labels":{"l":"1"},"annotations":{"x":""},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"u","controller":true,"blockOwnerDeletion":false}],"finalizers":["f"],"managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}]}"#;
        let meta: ObjectMeta = serde_json::from_str(text).unwrap();
        let written: Value = serde_json::to_string(&meta).unwrap().parse().unwrap();
        assert_eq!(written, text.parse().unwrap());
        let mut names: Vec<_> = written.as_object().unwrap().keys().map(String::as_str).collect();
        let mut known = ObjectMeta::FIELDS.to_vec();
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(names, known);
    }
    #[test]
    fn a_write_to_the_status_leaves_who_owns_and_selects_the_object() {
        let text = r#"{"name":"a","generateName":"a-","namespace":"b","uid":"c","resourceVersion":"7","generation":7,"creationTimestamp":"2026-11-30T01:50:31Z","deletionTimestamp":"2026-11-30T01:50:32Z","deletionGracePeriodSeconds":30,"labels":{"l":"1"},"annotations":{"x":""},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"u"}],"finalizers":["f"],"managedFields":[{"manager":"m"}]}"#;
        let existing: ObjectMeta = serde_json::from_str(text).unwrap();
        let mut meta = ObjectMeta::default();
        meta.reset_for_status(&existing);
        let wanted = ObjectMeta {
            name: ObjectName::default(),
            generate_name: String::new(),
            namespace: Namespace::default(),
            uid: Uid::default(),
            resource_version: ResourceVersion::default(),
            creation_timestamp: None,
            deletion_grace_period_seconds: None,
            managed_fields: Vec::new(),
            ..existing.clone()
        };
        assert_eq!(meta, wanted);
        let mut written = ObjectMeta { labels: [("new".to_owned(), String::new())].into(), ..existing.clone() };
        written.reset_for_status(&existing);
        assert_eq!(written, existing);
    }
}
