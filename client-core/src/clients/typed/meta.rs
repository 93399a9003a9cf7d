//! Metadata between `k8s-openapi`'s form and ours.

use k8s_openapi::{apimachinery::pkg::apis::meta::v1 as openapi, jiff};

use crate::{
    json::Value,
    meta::{ObjectMeta, OwnerReference, Timestamp},
};

/// Ours of theirs.
pub(super) fn from_openapi(theirs: &openapi::ObjectMeta) -> ObjectMeta {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    ObjectMeta {
        name: text(&theirs.name).into(),
        generate_name: text(&theirs.generate_name),
        namespace: text(&theirs.namespace).into(),
        uid: text(&theirs.uid).into(),
        resource_version: text(&theirs.resource_version).into(),
        generation: theirs.generation,
        creation_timestamp: theirs.creation_timestamp.as_ref().map(timestamp),
        deletion_timestamp: theirs.deletion_timestamp.as_ref().map(timestamp),
        deletion_grace_period_seconds: theirs.deletion_grace_period_seconds,
        labels: theirs.labels.clone().unwrap_or_default(),
        annotations: theirs.annotations.clone().unwrap_or_default(),
        owner_references: theirs.owner_references.iter().flatten().map(owner_from).collect(),
        finalizers: theirs.finalizers.clone().unwrap_or_default(),
        // An entry that was read can be written; one that a program made and cannot be is left out.
        managed_fields: theirs.managed_fields.iter().flatten().filter_map(|entry| Value::from_serialize(entry).ok()).collect(),
    }
}

/// Theirs of ours; the self link, which servers no longer set, is theirs alone.
pub(super) fn to_openapi(ours: ObjectMeta, self_link: Option<String>) -> openapi::ObjectMeta {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    openapi::ObjectMeta {
        name: text(ours.name.as_str()),
        generate_name: text(&ours.generate_name),
        namespace: text(ours.namespace.as_str()),
        uid: text(ours.uid.as_str()),
        resource_version: text(ours.resource_version.as_str()),
        generation: ours.generation,
        creation_timestamp: ours.creation_timestamp.and_then(time),
        deletion_timestamp: ours.deletion_timestamp.and_then(time),
        deletion_grace_period_seconds: ours.deletion_grace_period_seconds,
        labels: (!ours.labels.is_empty()).then_some(ours.labels),
        annotations: (!ours.annotations.is_empty()).then_some(ours.annotations),
        owner_references: some(ours.owner_references.into_iter().map(owner_to).collect()),
        finalizers: some(ours.finalizers),
        managed_fields: some(ours.managed_fields.iter().filter_map(|entry| entry.deserialize_into().ok()).collect()),
        self_link,
    }
}

fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

/// Ours of theirs.
pub(super) fn timestamp(time: &openapi::Time) -> Timestamp {
    Timestamp::from_unix(time.0.as_second(), 0)
}

fn time(timestamp: Timestamp) -> Option<openapi::Time> {
    jiff::Timestamp::from_second(timestamp.unix_seconds()).ok().map(openapi::Time)
}

/// Ours of theirs.
pub(super) fn owner_from(theirs: &openapi::OwnerReference) -> OwnerReference {
    OwnerReference {
        api_version: theirs.api_version.clone(),
        kind: theirs.kind.clone(),
        name: theirs.name.as_str().into(),
        uid: theirs.uid.as_str().into(),
        controller: theirs.controller,
        block_owner_deletion: theirs.block_owner_deletion,
    }
}

fn owner_to(ours: OwnerReference) -> openapi::OwnerReference {
    openapi::OwnerReference {
        api_version: ours.api_version,
        kind: ours.kind,
        name: ours.name.to_string(),
        uid: ours.uid.to_string(),
        controller: ours.controller,
        block_owner_deletion: ours.block_owner_deletion,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn metadata_goes_there_and_back_unchanged() {
        let text = r#"{"name":"a","generateName":"a-","namespace":"b","uid":"c","resourceVersion":"7","generation":7,"creationTimestamp":"2026-11-30T01:50:31Z","deletionTimestamp":"2026-11-30T01:50:32Z","deletionGracePeriodSeconds":30,"labels":{"l":"1"},"annotations":{"x":""},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"u","controller":true,"blockOwnerDeletion":false}],"finalizers":["f"],"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","time":"2026-11-30T01:50:31Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}]}"#;
        let ours: ObjectMeta = serde_json::from_str(text).unwrap();
        let theirs: openapi::ObjectMeta = serde_json::from_str(text).unwrap();
        assert_eq!(from_openapi(&theirs), ours);
        assert_eq!(to_openapi(ours, None), theirs);
        assert_eq!(to_openapi(ObjectMeta::default(), None), openapi::ObjectMeta::default());
    }
}
