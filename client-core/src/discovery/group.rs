//! API groups and their versions (apimachinery `meta/v1/types.go`: `APIGroup`, `APIGroupList`).

use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct as _};

use super::document::{Document, GroupDocument, VersionDocument};
use crate::meta::GroupVersion;

/// An API group: its versions, and the one that the server prefers.
///
/// It reads and writes as the server's JSON has it, where each version also stands with its group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "GroupDocument")]
pub struct ApiGroup {
    /// The name; empty for the core group.
    pub name: String,
    /// The versions, in the server's order.
    pub versions: Vec<String>,
    /// The version that the server prefers; `None` where it does not say.
    pub preferred_version: Option<String>,
}

impl ApiGroup {
    /// The versions with the group, in the server's order.
    pub fn group_versions(&self) -> impl Iterator<Item = GroupVersion> {
        self.versions.iter().map(|version| GroupVersion::new(self.name.clone(), version.clone()))
    }
}

impl From<GroupDocument> for ApiGroup {
    fn from(document: GroupDocument) -> Self {
        Self {
            name: document.name,
            versions: document.versions.into_iter().filter_map(VersionDocument::into_version).collect(),
            preferred_version: document.preferred_version.into_version(),
        }
    }
}

impl Serialize for ApiGroup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Version<'a> {
            group_version: String,
            version: &'a str,
        }
        let version = |version| Version { group_version: GroupVersion::new(self.name.as_str(), version).to_string(), version };
        let versions: Vec<_> = self.versions.iter().map(|name| version(name.as_str())).collect();
        let mut document = serializer.serialize_struct("APIGroup", 3)?;
        document.serialize_field("name", &self.name)?;
        document.serialize_field("versions", &versions)?;
        if let Some(preferred) = &self.preferred_version {
            document.serialize_field("preferredVersion", &version(preferred.as_str()))?;
        }
        document.end()
    }
}

/// The groups of a server, the core group first where it has one.
///
/// It writes as a document that kubectl reads as well, with its kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Document")]
pub struct ApiGroupList {
    /// The groups, in the server's order.
    pub groups: Vec<ApiGroup>,
}

impl ApiGroupList {
    /// The kind of this list as a document.
    pub const KIND: &'static str = "APIGroupList";

    /// Every version of every group, in the server's order (apimachinery `ExtractGroupVersions`).
    pub fn group_versions(&self) -> impl Iterator<Item = GroupVersion> {
        self.groups.iter().flat_map(ApiGroup::group_versions)
    }

    /// The group of this name; the empty one is the core group's.
    #[must_use]
    pub fn group(&self, name: &str) -> Option<&ApiGroup> {
        self.groups.iter().find(|group| group.name == name)
    }
}

impl From<Document> for ApiGroupList {
    fn from(document: Document) -> Self {
        Self { groups: document.groups.into_iter().map(ApiGroup::from).collect() }
    }
}

impl Serialize for ApiGroupList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct(Self::KIND, 3)?;
        document.serialize_field("kind", Self::KIND)?;
        document.serialize_field("apiVersion", "v1")?;
        document.serialize_field("groups", &self.groups)?;
        document.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_list_of_groups_reads_and_writes_as_the_server_has_it() {
        let text = concat!(
            r#"{"kind":"APIGroupList","apiVersion":"v1","groups":["#,
            r#"{"name":"","versions":[{"groupVersion":"v1","version":"v1"}],"#,
            r#""preferredVersion":{"groupVersion":"v1","version":"v1"}},"#,
            r#"{"name":"batch","versions":[{"groupVersion":"batch/v2","version":"v2"},{"groupVersion":"batch/v1","version":"v1"}]}]}"#
        );
        let list: ApiGroupList = serde_json::from_str(text).unwrap();
        let versions: Vec<_> = list.group_versions().map(|version| version.to_string()).collect();
        assert_eq!(versions, ["v1", "batch/v2", "batch/v1"]);
        assert_eq!(list.group("").unwrap().preferred_version.as_deref(), Some("v1"));
        assert_eq!(list.group("batch").unwrap().preferred_version, None);
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
    }

    #[test]
    fn what_is_missing_or_null_is_nothing() {
        for text in ["{}", r#"{"groups":null}"#] {
            assert_eq!(serde_json::from_str::<ApiGroupList>(text).unwrap(), ApiGroupList::default());
        }
        let group: ApiGroup = serde_json::from_str(
            r#"{"name":"a.io","versions":[{"groupVersion":"a.io/v1beta1"},{"version":"v1"},{}],
                "preferredVersion":{"groupVersion":"","version":""}}"#,
        )
        .unwrap();
        assert_eq!((group.versions, group.preferred_version), (vec!["v1beta1".to_owned(), "v1".to_owned()], None));
    }
}
