//! What the documents of `/api` and `/apis` hold, whatever their format.

use super::{
    aggregated,
    document::Document,
    format::DiscoveryFormat,
    group::{ApiGroup, ApiGroupList},
    resource::ApiResourceList,
    source::{Answer, unreadable},
};
use crate::{meta::GroupVersion, rest::ApiError};

/// The groups of a document, and their resources where it has them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    pub(super) groups: Vec<ApiGroup>,
    /// `None` where the document has the groups alone.
    pub(super) resources: Option<Vec<ApiResourceList>>,
    /// The versions whose server could not be reached when the document was made.
    pub(super) stale: Vec<GroupVersion>,
}

impl Listing {
    /// What a server has that has no core group.
    pub(super) fn nothing() -> Self {
        Self { resources: Some(Vec::new()), ..Self::default() }
    }

    /// Both documents as one. The resources are those of both or of none (client-go `GroupsAndMaybeResources`).
    pub(super) fn with(mut self, other: Self) -> Self {
        self.groups.extend(other.groups);
        self.stale.extend(other.stale);
        self.resources = self.resources.zip(other.resources).map(|(mut own, others)| {
            own.extend(others);
            own
        });
        self
    }
}

/// Reads the answer of `/api` or `/apis`.
///
/// Its content type says what it is, or else its own kind: a proxy between here and the server may drop what it does
/// not know of a content type.
pub(super) fn read(path: &str, answer: &Answer) -> Result<Listing, ApiError> {
    let document: Document = serde_json::from_slice(&answer.body).map_err(|error| unreadable(path, &error))?;
    let format = answer.content_type.as_deref().map(DiscoveryFormat::from_content_type);
    let is_aggregated = matches!(format, Some(Ok(DiscoveryFormat::AggregatedV2 | DiscoveryFormat::AggregatedV2Beta1)));
    match document.kind.as_str() {
        kind if is_aggregated || kind == "APIGroupDiscoveryList" => Ok(aggregated::split(document.groups)),
        "APIVersions" => Ok(core_group(document.versions)),
        ApiGroupList::KIND => Ok(Listing { groups: ApiGroupList::from(document).groups, ..Listing::default() }),
        other => Err(ApiError::Unreadable {
            path: path.to_owned(),
            message: format!("its kind is {other:?}, not a list of API groups"),
        }),
    }
}

/// The core group, where the server does not aggregate: its versions alone.
fn core_group(versions: Vec<String>) -> Listing {
    let Some(preferred_version) = versions.first().cloned() else { return Listing::default() };
    let group = ApiGroup { name: String::new(), versions, preferred_version: Some(preferred_version) };
    Listing { groups: vec![group], ..Listing::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn answer(content_type: Option<&str>, body: &str) -> Answer {
        Answer { body: body.as_bytes().to_vec().into(), content_type: content_type.map(str::to_owned) }
    }

    fn read_text(content_type: Option<&str>, body: &str) -> Result<Listing, ApiError> {
        read("/apis", &answer(content_type, body))
    }

    #[test]
    fn the_content_type_says_what_a_document_without_a_kind_is() {
        let body = r#"{"items":[{"metadata":{"name":"a.io"},"versions":[{"version":"v1"}]}]}"#;
        for version in ["v2", "v2beta1"] {
            let content_type = format!("application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList");
            assert_eq!(read_text(Some(&content_type), body).unwrap().resources.unwrap().len(), 1);
        }
        for content_type in [None, Some("application/json"), Some("text/html"), Some("")] {
            assert!(read_text(content_type, body).is_err(), "{content_type:?}");
        }
    }

    #[test]
    fn the_kind_says_what_a_document_is_where_its_content_type_was_lost() {
        let aggregated = r#"{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":null}"#;
        for content_type in [None, Some("application/json"), Some("no content type")] {
            assert_eq!(read_text(content_type, aggregated).unwrap(), Listing::nothing());
        }
        let core = read_text(None, r#"{"kind":"APIVersions","versions":["v1","v2"]}"#).unwrap();
        assert_eq!((core.groups[0].versions.len(), core.groups[0].preferred_version.as_deref()), (2, Some("v1")));
        assert_eq!(core.resources, None);
        assert_eq!(read_text(None, r#"{"kind":"APIVersions","versions":null}"#).unwrap(), Listing::default());
        let groups = read_text(None, r#"{"kind":"APIGroupList","groups":[{"name":"a.io","versions":[{"version":"v1"}]}]}"#);
        assert_eq!(groups.unwrap().groups[0].name, "a.io");
    }

    #[test]
    fn what_is_no_list_of_groups_says_what_it_is() {
        for (body, words) in [
            ("<html>log in</html>", "expected value"),
            ("", "EOF"),
            (r#"{"kind":"Status"}"#, "its kind is \"Status\""),
            ("{}", "its kind is \"\""),
            (r#"{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"a"#, "EOF"),
        ] {
            let error = read_text(None, body).unwrap_err().to_string();
            assert!(error.contains("/apis") && error.contains(words), "{error}");
        }
    }

    #[test]
    fn resources_are_those_of_both_documents_or_of_none() {
        let with_resources = || Listing { resources: Some(vec![]), ..Listing::default() };
        assert_eq!(with_resources().with(with_resources()).resources, Some(vec![]));
        assert_eq!(with_resources().with(Listing::default()).resources, None);
        assert_eq!(Listing::default().with(with_resources()).resources, None);
    }
}
