//! The way to a field while documents are walked, without an allocation until an error needs it.

use super::PatchError;
use crate::json::{FieldPath, Map, Value};

/// The names on the way, newest first.
#[derive(Clone, Copy)]
pub(super) struct Trail<'a>(Option<(&'a Trail<'a>, &'a str)>);

impl<'a> Trail<'a> {
    /// The whole document.
    pub(super) const fn root() -> Self {
        Self(None)
    }

    /// The field `name` of what is here.
    pub(super) const fn then(&'a self, name: &'a str) -> Self {
        Self(Some((self, name)))
    }

    /// The way as a path.
    pub(super) fn path(&self) -> FieldPath {
        let mut names = Vec::new();
        let mut at = self;
        while let Some((parent, name)) = at.0 {
            names.push(name);
            at = parent;
        }
        names.into_iter().rev().collect()
    }

    /// The error of a value here that is not `expected`.
    pub(super) fn wrong_type(&self, expected: &'static str, found: &Value) -> PatchError {
        PatchError::WrongType { path: self.path(), expected, found: found.type_name() }
    }
}

/// The fields of a whole document. `null` stands for a document that does not exist.
pub(super) fn fields_of(document: &Value) -> Result<&Map, PatchError> {
    static NONE: Map = Map::new();
    match document {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(&NONE),
        other => Err(Trail::root().wrong_type("an object", other)),
    }
}
