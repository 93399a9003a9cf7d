//! The URL of a resource.

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use thiserror::Error;

use crate::meta::{GroupVersionResource, Namespace, ObjectName};

/// What a path segment may hold unencoded: RFC 3986's unreserved characters and the colon, which names such
/// as `system:node` have.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// What a query value may not hold unencoded.
const QUERY: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'&').add(b'+').add(b'<').add(b'>').add(b'=').add(b'?');

/// A name that cannot be a part of a path.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{0}\" cannot be a part of a path: it is empty, \".\", \"..\", or holds \"/\" or \"%\"")]
pub struct PathError(String);

/// `text` as one segment of a path.
///
/// # Errors
/// Where the text is empty, `.`, `..`, or holds `/` or `%` (apimachinery `IsValidPathSegmentName`).
pub fn encode_segment(text: &str) -> Result<String, PathError> {
    if text.is_empty() || text == "." || text == ".." || text.contains(['/', '%']) {
        return Err(PathError(text.to_owned()));
    }
    Ok(utf8_percent_encode(text, SEGMENT).to_string())
}

/// Where a resource's collection, or one of its objects, is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResourcePath(String);

impl ResourcePath {
    /// The collection of `resource`: of one namespace, or, with `None`, of all (and of a cluster's own).
    ///
    /// # Errors
    /// Where a part cannot be a segment.
    pub fn collection(resource: &GroupVersionResource, namespace: Option<&Namespace>) -> Result<Self, PathError> {
        let version = &resource.group_version;
        let mut path =
            if version.group.is_empty() { String::from("/api") } else { format!("/apis/{}", encode_segment(&version.group)?) };
        path.push('/');
        path.push_str(&encode_segment(&version.version)?);
        if let Some(namespace) = namespace {
            path.push_str("/namespaces/");
            path.push_str(&encode_segment(namespace.as_str())?);
        }
        path.push('/');
        path.push_str(&encode_segment(&resource.resource)?);
        Ok(Self(path))
    }

    /// One object of this collection.
    ///
    /// # Errors
    /// Where the name cannot be a segment.
    pub fn object(&self, name: &ObjectName) -> Result<Self, PathError> {
        Ok(Self(format!("{}/{}", self.0, encode_segment(name.as_str())?)))
    }

    /// The path, encoded.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A query that is written as it is built; `pretty=false` is in it from the start.
pub(crate) struct Query(String);

impl Query {
    pub(crate) fn new() -> Self {
        Self(String::from("pretty=false"))
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.0.push('&');
        self.0.push_str(name);
        self.0.push('=');
        self.0.extend(utf8_percent_encode(value, QUERY));
        self
    }

    pub(crate) fn with_some(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(crate) fn on(&self, path: &str) -> String {
        format!("{path}?{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(group: &str, version: &str, resource: &str) -> GroupVersionResource {
        GroupVersionResource {
            group_version: crate::meta::GroupVersion { group: group.into(), version: version.into() },
            resource: resource.into(),
        }
    }

    #[test]
    fn collections_and_objects_are_where_the_server_has_them() {
        let pods = resource("", "v1", "pods");
        let shop = Namespace::from("shop");
        assert_eq!(ResourcePath::collection(&pods, None).unwrap().as_str(), "/api/v1/pods");
        assert_eq!(ResourcePath::collection(&pods, Some(&shop)).unwrap().as_str(), "/api/v1/namespaces/shop/pods");
        let roles = ResourcePath::collection(&resource("rbac.authorization.k8s.io", "v1", "clusterroles"), None).unwrap();
        assert_eq!(
            roles.object(&"system:node".into()).unwrap().as_str(),
            "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node"
        );
    }

    #[test]
    fn a_segment_never_climbs_and_is_encoded_once() {
        for text in ["", ".", "..", "a/b", "a%2fb", "/"] {
            assert!(encode_segment(text).is_err(), "{text:?} was taken");
        }
        assert_eq!(encode_segment("a b?#ü").unwrap(), "a%20b%3F%23%C3%BC");
    }

    #[test]
    fn a_query_value_is_encoded_once_and_every_query_forbids_indenting() {
        let query = Query::new().with("labelSelector", "a in (x,y),!b,c!=d/e");
        assert_eq!(query.on("/p"), "/p?pretty=false&labelSelector=a%20in%20(x,y),!b,c!%3Dd/e");
    }
}
