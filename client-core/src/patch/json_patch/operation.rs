//! The operations of a JSON patch, and how they are written.

use serde::{Deserialize, Serialize};

use super::JsonPointer;
use crate::{
    json::{FieldPath, Map, Value},
    patch::PatchError,
};

/// What a JSON patch does, in order.
///
/// ```
/// use porthole_client_core::{json::Value, patch::JsonPatch};
///
/// let mut document: Value = r#"{"spec":{"replicas":1},"status":{}}"#.parse()?;
/// let patch: JsonPatch = serde_json::from_str(
///     r#"[{"op":"test","path":"/spec/replicas","value":1},
///         {"op":"replace","path":"/spec/replicas","value":3},
///         {"op":"remove","path":"/status"}]"#,
/// )?;
/// patch.apply(&mut document)?;
/// assert_eq!(document.to_string(), r#"{"spec":{"replicas":3}}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct JsonPatch(pub Vec<Operation>);

/// One step of a JSON patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Operation {
    /// Sets a member of an object, or puts an item into a list; the index `-` is behind the last item.
    Add {
        /// Where.
        path: JsonPointer,
        /// What.
        value: Value,
    },
    /// Takes a member or an item out.
    Remove {
        /// Where.
        path: JsonPointer,
    },
    /// Puts another value in the place of one.
    Replace {
        /// Where.
        path: JsonPointer,
        /// What.
        value: Value,
    },
    /// Takes a value out and adds it elsewhere.
    Move {
        /// Where it is.
        from: JsonPointer,
        /// Where it goes.
        path: JsonPointer,
    },
    /// Adds a value elsewhere, too.
    Copy {
        /// Where it is.
        from: JsonPointer,
        /// Where it goes.
        path: JsonPointer,
    },
    /// Fails the patch where another value is there.
    Test {
        /// Where.
        path: JsonPointer,
        /// What should be there.
        value: Value,
    },
}

impl Operation {
    /// Its name in JSON, such as `add`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Add { .. } => "add",
            Self::Remove { .. } => "remove",
            Self::Replace { .. } => "replace",
            Self::Move { .. } => "move",
            Self::Copy { .. } => "copy",
            Self::Test { .. } => "test",
        }
    }

    /// Where it does something.
    #[must_use]
    pub const fn path(&self) -> &JsonPointer {
        match self {
            Self::Add { path, .. }
            | Self::Remove { path }
            | Self::Replace { path, .. }
            | Self::Move { path, .. }
            | Self::Copy { path, .. }
            | Self::Test { path, .. } => path,
        }
    }
}

/// Reads a patch. Members that no operation has are passed over, and a missing `value` is `null`, as on the server.
impl TryFrom<Value> for JsonPatch {
    type Error = PatchError;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let Value::Array(operations) = value else {
            let (path, found) = (FieldPath::default(), value.type_name());
            return Err(PatchError::WrongType { path, expected: "a list of operations", found });
        };
        let read =
            |(index, operation)| read_operation(operation).map_err(|message| PatchError::MalformedOperation { index, message });
        operations.into_iter().enumerate().map(read).collect::<Result<_, _>>().map(Self)
    }
}

fn read_operation(operation: Value) -> Result<Operation, String> {
    let Value::Object(mut members) = operation else {
        return Err(format!("it is {}, expected an object", operation.type_name()));
    };
    let value = members.remove("value").unwrap_or_default();
    let path = || pointer(&members, "path");
    let from = || pointer(&members, "from");
    Ok(match text(&members, "op")? {
        "add" => Operation::Add { path: path()?, value },
        "remove" => Operation::Remove { path: path()? },
        "replace" => Operation::Replace { path: path()?, value },
        "move" => Operation::Move { from: from()?, path: path()? },
        "copy" => Operation::Copy { from: from()?, path: path()? },
        "test" => Operation::Test { path: path()?, value },
        other => return Err(format!("\"{other}\" is no operation: expected add, remove, replace, move, copy or test")),
    })
}

fn text<'m>(members: &'m Map, name: &str) -> Result<&'m str, String> {
    members.get(name).and_then(Value::as_str).ok_or_else(|| format!("its member \"{name}\" is missing or no string"))
}

fn pointer(members: &Map, name: &str) -> Result<JsonPointer, String> {
    text(members, name)?.parse().map_err(|error: super::ParsePointerError| error.to_string())
}
