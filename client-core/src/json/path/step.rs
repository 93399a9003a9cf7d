//! What a path is made of.

use super::super::Value;

/// One step: it leads from each value to some others (client-go `util/jsonpath/node.go`).
#[derive(Clone)]
pub(super) enum Step {
    /// The field of this name.
    Field(Box<str>),
    /// The field of this name with points, as a name or, where there is none, as a path (`['a.b']`).
    Dotted(Box<str>, Box<[Step]>),
    /// Items of a list.
    Slice(Slice),
    /// All fields, or all items.
    Wildcard,
    /// The value and all below it.
    Recursive,
    /// The items that pass.
    Filter(Box<Filter>),
    /// What each of these paths leads to.
    Union(Box<[Box<[Step]>]>),
    /// This, wherever it stands; only in filters.
    Constant(Value),
}

/// Which items of a list.
#[derive(Clone, Copy)]
pub(super) struct Slice {
    pub(super) start: Option<i64>,
    pub(super) end: Option<i64>,
    /// Whether the end was not given: it is one item.
    pub(super) is_index: bool,
    pub(super) step: Option<i64>,
}

/// What items are chosen by: their existence, or a comparison.
#[derive(Clone)]
pub(super) struct Filter {
    pub(super) left: Box<[Step]>,
    pub(super) comparison: Option<(Operator, Box<[Step]>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}
