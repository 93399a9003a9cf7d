//! Label selectors, as text and as the object in specs, and sets of labels.

mod expression;
mod lexer;
mod operator;
mod parser;
mod requirement;
mod selector;
mod set;
mod spec;
mod syntax;

#[cfg(test)]
mod tests;

pub use expression::{LabelSelectorOperator, LabelSelectorRequirement};
pub use operator::Operator;
pub use requirement::Requirement;
pub use selector::LabelSelector;
pub use set::LabelSet;
pub use spec::LabelSelectorSpec;
pub(crate) use syntax::is_dns_name;
pub use syntax::{validate_label_key, validate_label_value};
