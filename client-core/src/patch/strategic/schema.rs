//! What a strategic merge patch must know about the fields of an object (apimachinery `util/strategicpatch/meta.go`).

use std::str::FromStr;

use thiserror::Error;

/// The schema of an object, as far as patches need it.
///
/// An implementation is a cheap handle: it is handed out by value for each field that is looked into.
pub trait PatchSchema: Sized {
    /// The field `name`, whose value is an object; the schema is that of the value (`LookupPatchMetadataForStruct`).
    ///
    /// # Errors
    /// Where there is no such field, or what the schema says of it cannot be understood.
    fn object_field(&self, name: &str) -> Result<FieldSchema<Self>, SchemaError>;

    /// The field `name`, whose value is a list; the schema is that of its items (`LookupPatchMetadataForSlice`).
    ///
    /// # Errors
    /// Where there is no such field, or what the schema says of it cannot be understood.
    fn list_field(&self, name: &str) -> Result<FieldSchema<Self>, SchemaError>;
}

/// How a field is merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSchema<S> {
    /// The schema of the field's value, or of its items.
    pub schema: S,
    /// What is done with it.
    pub strategy: PatchStrategy,
    /// The field by which the items of a merging list of objects are told apart.
    pub merge_key: Option<String>,
}

/// What is done with a field that both the object and the patch have: `patchStrategy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatchStrategy {
    /// How the two are put together.
    pub kind: MergeKind,
    /// Whether a patch lists all fields that are to stay (`retainKeys`).
    pub retain_keys: bool,
}

/// How a value and its patch are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MergeKind {
    /// As their type wants it: objects are merged, lists replaced.
    #[default]
    ByType,
    /// They are merged, lists item by item.
    Merge,
    /// The patch takes the place of the value.
    Replace,
}

/// A schema that does not tell what a patch must know.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaError {
    /// There is no such field.
    #[error("unable to find api field \"{0}\"")]
    UnknownField(String),
    /// The strategies of a field are none that exist together.
    #[error("unexpected patch strategy \"{0}\": expected \"merge\" or \"replace\", alone or with \"retainKeys\"")]
    UnknownStrategy(String),
    /// An extension of an `OpenAPI` document has a type it cannot have.
    #[error("\"{extension}\" is {found}, expected {expected}")]
    BadExtension {
        /// The extension.
        extension: &'static str,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A reference of an `OpenAPI` document leads nowhere, or in a circle.
    #[error("unable to resolve \"{0}\" in the OpenAPI document")]
    Unresolved(String),
}

/// Reads `x-kubernetes-patch-strategy`. A single name that is not known is as good as none, as in apimachinery.
impl FromStr for PatchStrategy {
    type Err = SchemaError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let kind = |name| match name {
            "merge" => MergeKind::Merge,
            "replace" => MergeKind::Replace,
            _ => MergeKind::ByType,
        };
        let mut names = text.split(',');
        match (names.next().unwrap_or_default(), names.next(), names.next()) {
            ("retainKeys", None, _) => Ok(Self { kind: MergeKind::ByType, retain_keys: true }),
            (name, None, _) => Ok(Self { kind: kind(name), retain_keys: false }),
            ("retainKeys", Some(name), None) | (name, Some("retainKeys"), None) => {
                Ok(Self { kind: kind(name), retain_keys: true })
            }
            _ => Err(SchemaError::UnknownStrategy(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_strategy_may_stand_with_retain_keys_in_any_order() {
        for (text, kind, retain_keys) in [
            ("", MergeKind::ByType, false),
            ("merge", MergeKind::Merge, false),
            ("replace", MergeKind::Replace, false),
            ("retainKeys", MergeKind::ByType, true),
            ("merge,retainKeys", MergeKind::Merge, true),
            ("retainKeys,merge", MergeKind::Merge, true),
            ("retainKeys,replace", MergeKind::Replace, true),
            ("something", MergeKind::ByType, false),
        ] {
            assert_eq!(text.parse(), Ok(PatchStrategy { kind, retain_keys }), "{text:?}");
        }
    }

    #[test]
    fn strategies_that_contradict_are_refused() {
        for text in ["merge,replace", "merge,merge", "retainKeys,merge,replace", "merge,retainKeys,retainKeys"] {
            assert_eq!(text.parse::<PatchStrategy>(), Err(SchemaError::UnknownStrategy(text.to_owned())));
        }
    }
}
