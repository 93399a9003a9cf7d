//! Label and field selectors: which objects are meant.
//!
//! | type | what it is | follows |
//! |---|---|---|
//! | [`LabelSelector`] | conditions on labels, as kubectl's `-l` takes them | apimachinery `pkg/labels` |
//! | [`LabelSelectorSpec`] | `matchLabels` and `matchExpressions`, as specs hold them | apimachinery `meta/v1` `LabelSelector` |
//! | [`LabelSet`] | labels that are known to be valid | apimachinery `pkg/labels` `Set` |
//! | [`FieldSelector`] | conditions on fields, as kubectl's `--field-selector` takes them | apimachinery `pkg/fields` |
//!
//! Guarantees:
//!
//! - A selector that exists is valid: keys, values and fields are checked when it is made, so its text is always one
//!   that the server can read, and reads back as the same selector.
//! - Conditions and values stand in one order, whatever the order they were given in. Selectors with the same
//!   conditions are equal, hash alike and print alike, so a selector can be the key of a cache.
//! - Matching allocates nothing and takes any [`Lookup`] or function from key to value.
//! - An error says where in the text it is, what stands there and what was expected.
//! - The selector that matches nothing never turns into one that matches all: it prints as `<nothing>`, which neither
//!   this crate nor a server reads as a selector, and is `null` in JSON. (In Go it prints as the empty text, which
//!   asks the server for everything.)
//!
//! Leaves out field selectors as an object (`FieldSelectorRequirement`), which only authorization reviews have, and the
//! finding of contradictions: `a,!a` matches nothing but does not know that it does.

mod conjunction;
mod error;
mod field;
mod label;
mod lookup;

#[cfg(test)]
mod tests;

pub use error::{ParseSelectorError, SelectorError};
pub use field::{FieldOperator, FieldRequirement, FieldSelector, escape_field_value, unescape_field_value};
pub(crate) use label::is_dns_name;
pub use label::{
    LabelSelector, LabelSelectorOperator, LabelSelectorRequirement, LabelSelectorSpec, LabelSet, Operator, Requirement,
    validate_label_key, validate_label_value,
};
pub use lookup::Lookup;
