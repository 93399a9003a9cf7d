//! Field selectors.

mod requirement;
mod selector;
mod text;

#[cfg(test)]
mod tests;

pub use requirement::{FieldOperator, FieldRequirement};
pub use selector::FieldSelector;
pub use text::{escape_field_value, unescape_field_value};
