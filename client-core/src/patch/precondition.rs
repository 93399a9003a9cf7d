//! What a patch must leave alone (apimachinery `util/mergepatch/util.go`).

use super::{PatchError, trail::Trail};
use crate::json::{Map, Value};

/// A field that a patch must not change. A patch that names it fails the precondition, whatever it says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precondition<'a> {
    /// A field of the object itself, such as `kind` (`RequireKeyUnchanged`).
    KeyUnchanged(&'a str),
    /// A field of its metadata, such as `name` (`RequireMetadataKeyUnchanged`).
    MetadataKeyUnchanged(&'a str),
}

impl Precondition<'_> {
    /// Checks a patch that is to be merged.
    ///
    /// # Errors
    /// [`PatchError::Precondition`] where the patch names the field.
    pub fn check(self, patch: &Value) -> Result<(), PatchError> {
        patch.as_object().map_or(Ok(()), |fields| self.check_fields(fields))
    }

    fn check_fields(self, patch: &Map) -> Result<(), PatchError> {
        let root = Trail::root();
        let metadata = root.then("metadata");
        let (at, fields, key) = match self {
            Self::KeyUnchanged(key) => (root, Some(patch), key),
            Self::MetadataKeyUnchanged(key) => (metadata, patch.get("metadata").and_then(Value::as_object), key),
        };
        if fields.is_some_and(|fields| fields.contains_key(key)) {
            return Err(PatchError::Precondition { path: at.then(key).path() });
        }
        Ok(())
    }
}

/// Checks all of them.
pub(super) fn check_all(preconditions: &[Precondition<'_>], patch: &Map) -> Result<(), PatchError> {
    preconditions.iter().try_for_each(|precondition| precondition.check_fields(patch))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_patch_that_names_a_field_that_must_stay_fails() {
        let name = Precondition::MetadataKeyUnchanged("name");
        let kind = Precondition::KeyUnchanged("kind");
        for (patch, failed) in [
            (r#"{"kind":"Pod"}"#, Some("the patch changes .kind, which must stay as it is")),
            (r#"{"kind":null}"#, Some("the patch changes .kind, which must stay as it is")),
            (r#"{"metadata":{"name":"x"}}"#, Some("the patch changes .metadata.name, which must stay as it is")),
            (r#"{"metadata":{"kind":"x","labels":{"name":"x"}},"name":"x","spec":{"kind":"x"}}"#, None),
            (r#"{"metadata":null}"#, None),
            (r#"{"metadata":"name"}"#, None),
            ("{}", None),
            ("[]", None),
            (r#""kind""#, None),
        ] {
            let patch: Value = patch.parse().unwrap();
            let checked = kind.check(&patch).and_then(|()| name.check(&patch));
            assert_eq!(checked.clone().err().map(|error| error.to_string()).as_deref(), failed, "{patch}");
            assert_eq!(checked.is_err_and(|error| error.is_precondition()), failed.is_some());
        }
    }
}
