//! Paths to values, as `kubectl get -o custom-columns` takes them (client-go `util/jsonpath`, kubectl `cmd/get/customcolumn.go`).
//!
//! Guarantees: a path is read once and used for many objects; what is missing is no fault; where maps are walked whole, it is by
//! name; comparisons take numbers by their value, however they are written. Leaves out what belongs to templates alone: `range`
//! and `end`, and text around or between the braces.

mod compare;
mod error;
mod find;
mod json_path;
mod parse;
mod print;
mod step;
#[cfg(test)]
mod tests;

pub use error::{FindError, JsonPathError};
pub use json_path::JsonPath;
pub(crate) use print::print as print_values;
