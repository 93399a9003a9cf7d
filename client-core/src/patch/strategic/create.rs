//! Making strategic merge patches (`CreateTwoWayMergePatch`, `CreateThreeWayMergePatch`).

use super::{
    PatchSchema,
    apply::{Target, merge_fields},
    conflict::conflict,
    diff::{Options, Part, diff_fields},
};
use crate::{
    json::Value,
    patch::{
        PatchError, Precondition, ThreeWay,
        precondition::check_all,
        trail::{Trail, fields_of},
    },
};

/// What a three-way patch does with fields that others changed, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnConflict {
    /// It sets them nevertheless.
    Overwrite,
    /// There is no patch.
    Fail,
}

/// The patch that makes `modified` out of `original`. `null` stands for a document that does not exist.
///
/// # Errors
/// - [`PatchError::WrongType`] where a document is neither an object nor `null`.
/// - [`PatchError::Schema`] where the schema does not know a field that has changed inside.
/// - [`PatchError::MixedList`], [`PatchError::ListOfLists`], [`PatchError::NoMergeKey`] where a list cannot be merged.
/// - [`PatchError::Precondition`] where the patch changes a field that must stay.
pub fn create_two_way(
    original: &Value,
    modified: &Value,
    schema: &impl PatchSchema,
    preconditions: &[Precondition<'_>],
) -> Result<Value, PatchError> {
    let options = Options::new(Part::All, true);
    let patch = diff_fields(fields_of(original)?, fields_of(modified)?, schema, options, Trail::root())?;
    check_all(preconditions, &patch)?;
    Ok(Value::Object(patch))
}

/// The patch that brings `current` to what `modified` says: what `modified` adds and changes against `current`, and
/// what it no longer has of `original`. What neither of them ever named stays.
///
/// ```
/// use porthole_client_core::{
///     json::Value,
///     patch::{
///         ThreeWay,
///         strategic::{self, OnConflict, OpenApiSchema},
///     },
/// };
///
/// // Part of what the server answers at `/openapi/v3/api/v1`.
/// let document: Value = r#"{"components":{"schemas":{"PodSpec":{"properties":{"containers":{
///     "items":{"properties":{}},
///     "x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"name"}}}}}}"#.parse()?;
/// let schema = OpenApiSchema::named(&document, "PodSpec").ok_or("no such schema")?;
///
/// let original: Value = r#"{"containers":[{"name":"web","image":"a:1"}]}"#.parse()?;
/// let modified: Value = r#"{"containers":[{"name":"web","image":"a:2"}]}"#.parse()?;
/// let mut current: Value = r#"{"containers":[{"name":"web","image":"a:1","tty":true},{"name":"injected"}]}"#.parse()?;
///
/// let documents = ThreeWay { original: &original, modified: &modified, current: &current };
/// let patch = strategic::create_three_way(documents, &schema, OnConflict::Fail, &[])?;
/// strategic::apply(&mut current, &patch, &schema)?;
/// let result = r#"{"containers":[{"image":"a:2","name":"web","tty":true},{"name":"injected"}]}"#;
/// assert_eq!(current.to_string(), result);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`create_two_way`]; also [`PatchError::Conflict`] where others changed a field in another way than the patch does
/// and `on_conflict` is [`OnConflict::Fail`].
pub fn create_three_way(
    documents: ThreeWay<'_>,
    schema: &impl PatchSchema,
    on_conflict: OnConflict,
    preconditions: &[Precondition<'_>],
) -> Result<Value, PatchError> {
    let original = fields_of(documents.original)?;
    let modified = fields_of(documents.modified)?;
    let current = fields_of(documents.current)?;

    let changes = diff_fields(current, modified, schema, Options::new(Part::Changes, true), Trail::root())?;
    let deletions = diff_fields(original, modified, schema, Options::new(Part::Deletions, true), Trail::root())?;
    let patch = merge_fields(deletions, changes, schema, Target::Patch, Trail::root())?;
    check_all(preconditions, &patch)?;

    if on_conflict == OnConflict::Fail {
        let theirs = diff_fields(original, current, schema, Options::new(Part::All, false), Trail::root())?;
        if let Some(path) = conflict(&patch, &theirs, schema)? {
            return Err(PatchError::Conflict { path });
        }
    }
    Ok(Value::Object(patch))
}
