//! The URL of a resource.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use thiserror::Error;

use crate::meta::{GroupVersionResource, Namespace, ObjectName};

/// What a path segment may hold unencoded: RFC 3986's unreserved characters and the colon, which names such
/// as `system:node` have.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// A name that cannot be a part of a path.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{0}\" cannot be a part of a path: it is empty, \".\", \"..\", or holds \"/\" or \"%\"")]
pub struct PathError(pub(super) String);

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

/// Where a resource's collection, or one of its objects, is (client-go `rest/request.go`, `URL`).
///
/// ```
/// use porthole_client_core::{meta::GroupVersionResource, rest::ResourcePath};
///
/// let pods = GroupVersionResource::new("", "v1", "pods");
/// let log = ResourcePath::collection(&pods, Some(&"shop".into()))?.object(&"web-0".into())?.subresource(["log"])?;
/// assert_eq!(log.as_str(), "/api/v1/namespaces/shop/pods/web-0/log");
/// assert!(ResourcePath::collection(&pods, Some(&"a/b".into())).is_err());
/// # Ok::<(), porthole_client_core::rest::PathError>(())
/// ```
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

    /// A subresource of this object, such as `log`, or of several segments, such as `proxy` and a path.
    ///
    /// # Errors
    /// Where a segment cannot be one.
    pub fn subresource<'a>(&self, segments: impl IntoIterator<Item = &'a str>) -> Result<Self, PathError> {
        let mut path = self.0.clone();
        for segment in segments {
            path.push('/');
            path.push_str(&encode_segment(segment)?);
        }
        Ok(Self(path))
    }

    /// The path, encoded.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

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
}
