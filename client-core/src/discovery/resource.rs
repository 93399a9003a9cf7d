//! The resources of a group version (apimachinery `meta/v1/types.go`: `APIResource`, `APIResourceList`).

use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct as _};

use super::document::{Document, ResourceDocument};
use crate::meta::{GroupVersion, GroupVersionKind, ParseGroupVersionError};

/// A resource, or a subresource such as `pods/log`, as the server describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", from = "ResourceDocument")]
pub struct ApiResource {
    /// The plural name in the URL. That of a subresource follows its resource's: `deployments/scale`.
    pub name: String,
    /// The singular name, which kubectl takes as well.
    pub singular_name: String,
    /// Whether its objects belong to namespaces.
    pub namespaced: bool,
    /// The group of the kind. It counts only where `version` is there: see [`ApiResource::group_version_kind`].
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The version of the kind; empty where it is the list's.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The kind of its objects.
    pub kind: String,
    /// What can be done with it, such as `list`.
    pub verbs: Vec<String>,
    /// Its short names, such as `po`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub short_names: Vec<String>,
    /// The categories it is in, such as `all`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// A hash of the version it is stored in; empty where the server keeps it to itself. Aggregated discovery does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub storage_version_hash: String,
}

impl ApiResource {
    /// Whether `verb` is served.
    #[must_use]
    pub fn has(&self, verb: &str) -> bool {
        self.verbs.iter().any(|other| other == verb)
    }

    /// Whether it is a part of another resource, such as `pods/log`.
    #[must_use]
    pub fn is_subresource(&self) -> bool {
        self.name.contains('/')
    }

    /// The kind of its objects, for a resource of the group version `list`. It is of the same group version, where
    /// the server does not name another: the kind of `deployments/scale` is `Scale` of `autoscaling/v1`.
    #[must_use]
    pub fn group_version_kind(&self, list: &GroupVersion) -> GroupVersionKind {
        if self.version.is_empty() {
            list.with_kind(self.kind.clone())
        } else {
            GroupVersionKind::new(self.group.clone(), self.version.clone(), self.kind.clone())
        }
    }
}

/// The resources of one group version.
///
/// It writes as a document that kubectl reads as well, with its kind.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Document")]
pub struct ApiResourceList {
    /// The group version.
    pub group_version: GroupVersion,
    /// The resources and their subresources, in the server's order.
    pub resources: Vec<ApiResource>,
}

impl ApiResourceList {
    /// The kind of this list as a document.
    pub const KIND: &'static str = "APIResourceList";

    /// The list of these resources.
    #[must_use]
    pub fn new(group_version: GroupVersion, resources: Vec<ApiResource>) -> Self {
        Self { group_version, resources }
    }

    /// The resource, or subresource, of this plural name.
    #[must_use]
    pub fn resource(&self, name: &str) -> Option<&ApiResource> {
        self.resources.iter().find(|resource| resource.name == name)
    }
}

impl From<ResourceDocument> for ApiResource {
    fn from(document: ResourceDocument) -> Self {
        Self {
            name: document.name,
            singular_name: document.singular_name,
            namespaced: document.namespaced,
            group: document.group,
            version: document.version,
            kind: document.kind,
            verbs: document.verbs,
            short_names: document.short_names,
            categories: document.categories,
            storage_version_hash: document.storage_version_hash,
        }
    }
}

impl TryFrom<Document> for ApiResourceList {
    type Error = ParseGroupVersionError;

    fn try_from(document: Document) -> Result<Self, Self::Error> {
        let resources = document.resources.into_iter().map(ApiResource::from).collect();
        Ok(Self { group_version: document.group_version.parse()?, resources })
    }
}

impl Serialize for ApiResourceList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct(Self::KIND, 4)?;
        document.serialize_field("kind", Self::KIND)?;
        document.serialize_field("apiVersion", "v1")?;
        document.serialize_field("groupVersion", &self.group_version.to_string())?;
        document.serialize_field("resources", &self.resources)?;
        document.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_list_of_resources_reads_and_writes_as_the_server_has_it() {
        let text = concat!(
            r#"{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1","resources":["#,
            r#"{"name":"deployments","singularName":"deployment","namespaced":true,"kind":"Deployment","#,
            r#""verbs":["get","list"],"shortNames":["deploy"],"categories":["all"],"storageVersionHash":"8aSe+NMegvE="},"#,
            r#"{"name":"deployments/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1","#,
            r#""kind":"Scale","verbs":["get"]}]}"#
        );
        let list: ApiResourceList = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
        let [deployments, scale] = [0, 1].map(|index| &list.resources[index]);
        assert!(deployments.has("list") && !deployments.has("watch") && !deployments.is_subresource());
        assert_eq!(deployments.group_version_kind(&list.group_version).to_string(), "Deployment.apps, version v1");
        assert!(scale.is_subresource());
        assert_eq!(scale.group_version_kind(&list.group_version).to_string(), "Scale.autoscaling, version v1");
    }

    #[test]
    fn a_kind_of_the_core_group_in_another_groups_list_stays_of_the_core_group() {
        let binding = ApiResource { version: "v1".into(), kind: "Binding".into(), ..ApiResource::default() };
        assert_eq!(binding.group_version_kind(&"apps/v1".parse().unwrap()).to_string(), "Binding, version v1");
    }

    #[test]
    fn what_is_null_is_empty_and_a_list_without_a_group_version_is_none() {
        let list: ApiResourceList = serde_json::from_str(
            r#"{"groupVersion":"v1","resources":[{"name":"pods","verbs":null,"shortNames":null,"categories":null}]}"#,
        )
        .unwrap();
        assert_eq!(list.resource("pods"), Some(&ApiResource { name: "pods".into(), ..ApiResource::default() }));
        assert_eq!(serde_json::from_str::<ApiResourceList>(r#"{"groupVersion":"v1","resources":null}"#).unwrap().resources, []);
        for text in ["{}", r#"{"groupVersion":"","resources":[]}"#, r#"{"groupVersion":"a/b/c"}"#] {
            assert!(serde_json::from_str::<ApiResourceList>(text).is_err(), "{text} was read");
        }
    }
}
