//! One informer under test: what it is told of, what it has, and what it asked for.

mod counts;
mod form;
mod history;
mod report;
mod watched;

pub(crate) use form::Form;
pub(crate) use report::{Entry, Report};
pub(crate) use watched::{Subject, objects, table};
