//! A patch as it is sent (apimachinery `types/patch.go`).

use bytes::Bytes;
use serde::Serialize;

use super::{JsonPatch, yaml_text::as_yaml};
use crate::json::{ParseJsonError, Value};

/// The kinds of patches a server takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatchType {
    /// Operations on paths (RFC 6902).
    Json,
    /// Fields to set and to remove (RFC 7386).
    Merge,
    /// The same, with lists merged as the schema says. Built-in types alone have it.
    Strategic,
    /// Server-side apply: the fields a manager wants to own.
    Apply,
}

impl PatchType {
    /// The content type of a request with such a patch.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json-patch+json",
            Self::Merge => "application/merge-patch+json",
            Self::Strategic => "application/strategic-merge-patch+json",
            Self::Apply => "application/apply-patch+yaml",
        }
    }
}

/// A patch to send.
///
/// ```
/// use porthole_client_core::{json::Value, patch::Patch};
///
/// let patch = Patch::Merge(r#"{"spec":{"replicas":2}}"#.parse::<Value>()?);
/// assert_eq!(patch.content_type(), "application/merge-patch+json");
/// assert_eq!(&*patch.body()?, br#"{"spec":{"replicas":2}}"#);
/// # Ok::<(), porthole_client_core::json::ParseJsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Patch {
    /// Operations on paths.
    Json(JsonPatch),
    /// A merge patch.
    Merge(Value),
    /// A strategic merge patch.
    Strategic(Value),
    /// The object to apply, as YAML or JSON, sent as it is.
    Apply(Bytes),
}

impl Patch {
    /// The apply of an object; it needs `apiVersion`, `kind` and its name, and must not have managed fields. It is JSON in which
    /// strings are written as the server's reader of YAML takes them.
    ///
    /// # Errors
    /// Where the object cannot be written as JSON.
    pub fn apply(object: &(impl Serialize + ?Sized)) -> Result<Self, ParseJsonError> {
        Ok(Self::apply_json(&serde_json::to_string(object)?))
    }

    /// As [`apply`](Self::apply), of an object that is JSON already.
    pub(crate) fn apply_json(json: &str) -> Self {
        Self::Apply(as_yaml(json).into())
    }

    /// What kind of patch this is.
    #[must_use]
    pub const fn patch_type(&self) -> PatchType {
        match self {
            Self::Json(_) => PatchType::Json,
            Self::Merge(_) => PatchType::Merge,
            Self::Strategic(_) => PatchType::Strategic,
            Self::Apply(_) => PatchType::Apply,
        }
    }

    /// The content type of the request.
    #[must_use]
    pub const fn content_type(&self) -> &'static str {
        self.patch_type().content_type()
    }

    /// The body of the request.
    ///
    /// # Errors
    /// Where the patch cannot be written as JSON.
    pub fn body(&self) -> Result<Bytes, ParseJsonError> {
        Ok(match self {
            Self::Json(patch) => serde_json::to_vec(patch)?.into(),
            Self::Merge(patch) | Self::Strategic(patch) => serde_json::to_vec(patch)?.into(),
            Self::Apply(object) => object.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn each_patch_has_its_content_type_and_its_body_keeps_the_digits() {
        let value: Value = r#"{"a":9007199254740993}"#.parse().unwrap();
        let json: JsonPatch = serde_json::from_str(r#"[{"op":"add","path":"/a","value":1e3}]"#).unwrap();
        for (patch, content_type, body) in [
            (Patch::Json(json), "application/json-patch+json", r#"[{"op":"add","path":"/a","value":1e3}]"#),
            (Patch::Merge(value.clone()), "application/merge-patch+json", r#"{"a":9007199254740993}"#),
            (Patch::Strategic(value.clone()), "application/strategic-merge-patch+json", r#"{"a":9007199254740993}"#),
            (Patch::apply(&value).unwrap(), "application/apply-patch+yaml", r#"{"a":9007199254740993}"#),
            (Patch::Apply("a: 1.0\n".into()), "application/apply-patch+yaml", "a: 1.0\n"),
        ] {
            assert_eq!(patch.content_type(), content_type);
            assert_eq!(patch.body().unwrap(), body.as_bytes(), "{content_type}");
        }
    }
}
