//! What a request is for.

use http::Method;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::{PathError, RequestError, ResourcePath, encode_segment};
use crate::meta::{GroupResource, GroupVersionResource, Namespace, ObjectName};

/// What no path holds unencoded. A browser reads a backslash as a slash and drops tabs: either would name another path.
const PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The parts of a request's path, each set once at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    absolute: Option<String>,
    resource: Option<GroupVersionResource>,
    namespace: Option<Namespace>,
    name: Option<ObjectName>,
    subresource: Vec<String>,
}

impl Target {
    /// Takes a path as it is, in place of one that was set before. It begins with one slash then, so that it names no other
    /// server, and does not climb.
    pub(super) fn set_absolute(&mut self, path: &str) -> Result<(), RequestError> {
        // Decoded before it is split: a proxy before the server may do the same, and an encoded slash is one to it.
        let decoded = percent_decode_str(path).decode_utf8_lossy();
        if let Some(segment) = decoded.split(['/', '\\']).find(|segment| matches!(*segment, "." | "..")) {
            return Err(RequestError::Segment { part: "path", source: PathError(segment.to_owned()) });
        }
        let below = path.trim_start_matches('/');
        self.absolute = Some(format!("/{}", utf8_percent_encode(below, PATH)));
        Ok(())
    }

    pub(super) fn set_resource(&mut self, resource: &GroupVersionResource) -> Result<(), RequestError> {
        let version = &resource.group_version;
        once("resource", self.resource.as_ref().map(ToString::to_string), &resource.to_string())?;
        if !version.group.is_empty() {
            segment("group", &version.group)?;
        }
        segment("version", &version.version)?;
        segment("resource", &resource.resource)?;
        self.resource = Some(resource.clone());
        Ok(())
    }

    pub(super) fn set_namespace(&mut self, namespace: &Namespace) -> Result<(), RequestError> {
        once("namespace", self.namespace.as_ref().map(ToString::to_string), namespace.as_str())?;
        // An empty one is found when the request is sent, when it is known whether one is needed.
        if !namespace.is_empty() {
            segment("namespace", namespace.as_str())?;
        }
        self.namespace = Some(namespace.clone());
        Ok(())
    }

    pub(super) fn set_name(&mut self, name: &ObjectName) -> Result<(), RequestError> {
        once("name", self.name.as_ref().map(ToString::to_string), name.as_str())?;
        segment("name", name.as_str())?;
        self.name = Some(name.clone());
        Ok(())
    }

    pub(super) fn set_subresource<'a>(&mut self, segments: impl IntoIterator<Item = &'a str>) -> Result<(), RequestError> {
        let wanted: Vec<String> = segments.into_iter().map(str::to_owned).collect();
        let was = (!self.subresource.is_empty()).then(|| self.subresource.join("/"));
        once("subresource", was, &wanted.join("/"))?;
        wanted.iter().try_for_each(|text| segment("subresource", text))?;
        self.subresource = wanted;
        Ok(())
    }

    /// The path, encoded.
    pub(super) fn path(&self, method: &Method) -> Result<String, RequestError> {
        let Some(resource) = self.resource.as_ref().filter(|_| self.absolute.is_none()) else {
            return self.without_resource();
        };
        let empty = self.namespace.as_ref().is_some_and(Namespace::is_empty);
        if empty && (self.name.is_some() || *method == Method::POST) {
            return Err(RequestError::EmptyNamespace);
        }
        let namespace = self.namespace.as_ref().filter(|namespace| !namespace.is_empty());
        let mut path = ResourcePath::collection(resource, namespace)?;
        if let Some(name) = &self.name {
            path = path.object(name)?;
        }
        path = path.subresource(self.subresource.iter().map(String::as_str))?;
        Ok(path.as_str().to_owned())
    }

    /// The resource, for the words of a refusal.
    pub(super) fn group_resource(&self) -> Option<GroupResource> {
        self.resource.as_ref().map(GroupVersionResource::group_resource)
    }

    /// The name, for the words of a refusal; empty for a collection.
    pub(super) fn object_name(&self) -> &str {
        self.name.as_ref().map_or("", ObjectName::as_str)
    }

    /// The absolute path. A part that it would drop is a fault, because the request would reach something else than was meant.
    fn without_resource(&self) -> Result<String, RequestError> {
        let named = [
            ("resource", self.resource.as_ref().map(ToString::to_string)),
            ("name", self.name.as_ref().map(ToString::to_string)),
            ("subresource", (!self.subresource.is_empty()).then(|| self.subresource.join("/"))),
            ("namespace", self.namespace.as_ref().map(ToString::to_string)),
        ];
        match (named.into_iter().find_map(|(part, text)| text.map(|text| (part, text))), &self.absolute) {
            (None, path) => Ok(path.clone().unwrap_or_else(|| "/".to_owned())),
            (Some((part, text)), None) => Err(RequestError::NoResource { part, text }),
            (Some((part, text)), Some(path)) => Err(RequestError::PathIsWhole { path: path.clone(), part, text }),
        }
    }
}

fn once(part: &'static str, was: Option<String>, wanted: &str) -> Result<(), RequestError> {
    was.map_or(Ok(()), |was| Err(RequestError::AlreadySet { part, was, wanted: wanted.to_owned() }))
}

fn segment(part: &'static str, text: &str) -> Result<(), RequestError> {
    encode_segment(text).map(drop).map_err(|source| RequestError::Segment { part, source })
}
