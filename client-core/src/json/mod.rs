//! JSON whose numbers keep their digits.
//!
//! Guarantees: what is read and written back unedited has every number as the server wrote it, `9007199254740993`,
//! `1.0` and `1e3` among them; a field that cannot be reached says where and what is there; [`JsonPath`] finds what kubectl's
//! custom columns find. Leaves out the order of an
//! object's fields: they are sorted when an edited object is written, as client-go does. In Go, apimachinery's `util/json` keeps
//! whole numbers of 64 bits and makes floats of all others.

mod field;
mod lookup;
mod number;
mod path;
mod text;
mod value;
mod yaml;

pub use field::{FieldError, FieldPath};
pub use lookup::find_field;
pub(crate) use lookup::find_field_in;
pub use number::{Number, ParseNumberError};
pub(crate) use path::print_values;
pub use path::{FindError, JsonPath, JsonPathError};
pub(crate) use text::text_or_null;
pub use value::{Map, ParseJsonError, Value};
pub use yaml::to_yaml;
