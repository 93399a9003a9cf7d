//! From a query to a filter: which columns its names mean.

use super::{
    Filter, Pattern, Query, QueryError, QueryProblem, Term, TermKind,
    compare::Literal,
    filter::{Check, Test},
    matcher::Matcher,
};
use crate::view::{CellReader, ColumnRole, ViewColumn};

impl Query {
    /// The filter over a table with these columns. Words that name no column are looked for in a row's name, its namespace and the
    /// cells of the columns that are `shown`. Selectors are the server's.
    ///
    /// # Errors
    ///
    /// Where a comparison names no column or several, or a pattern is no regular expression.
    pub fn bind(&self, columns: &[ViewColumn], shown: impl Fn(&ViewColumn) -> bool) -> Result<Filter, QueryError> {
        let mut filter = Filter {
            shown: columns.iter().filter(|column| shown(column)).filter_map(|column| column.cell).collect(),
            ..Filter::default()
        };
        for term in &self.terms {
            if let Some(test) = test(term, columns)? {
                filter.is_timed |= matches!(&test, Test::Compare(reader, ..) if reader.is_timed());
                filter.checks.push(Check { negated: term.negated, test });
            }
        }
        Ok(filter)
    }
}

fn test(term: &Term, columns: &[ViewColumn]) -> Result<Option<Test>, QueryError> {
    let error = |problem| QueryError::new(term.place.clone(), problem);
    let matcher = |pattern: &Pattern| Matcher::new(pattern).map_err(|reason| error(QueryProblem::BadPattern(reason)));
    Ok(match &term.kind {
        TermKind::Labels(_) | TermKind::Fields(_) => None,
        TermKind::Anywhere(pattern) => Some(Test::Anywhere(matcher(pattern)?)),
        TermKind::Within { column, pattern } => {
            if let Some(reader) = find(column, columns).map_err(error)? {
                return Ok(Some(Test::Within(reader, matcher(pattern)?)));
            }
            let text = match pattern {
                Pattern::Text(text) => [column, ":", text].concat(),
                other => [column, ":", &other.to_string()].concat(),
            };
            Some(Test::Anywhere(matcher(&Pattern::Text(text))?))
        }
        TermKind::Compare { column, operator, value } => {
            let Some(reader) = find(column, columns).map_err(error)? else {
                return Err(error(QueryProblem::UnknownColumn { name: column.clone(), columns: listed(columns.iter()) }));
            };
            Some(Test::Compare(reader, *operator, Literal::new(value)))
        }
    })
}

/// The column of this name, or the only one whose name begins so.
fn find(name: &str, columns: &[ViewColumn]) -> Result<Option<CellReader>, QueryProblem> {
    let name = bare(name);
    if name.is_empty() {
        return Ok(None);
    }
    if let Some(column) = columns.iter().find(|column| bare(&column.name) == name) {
        return Ok(Some(CellReader::new(column, columns)));
    }
    let candidates: Vec<_> = columns.iter().filter(|column| bare(&column.name).starts_with(&name)).collect();
    match (candidates.as_slice(), name.as_str()) {
        // A row has these whether there is a column for them or not.
        (_, "ns" | "namespace") => Ok(Some(CellReader::of_role(ColumnRole::Namespace))),
        (_, "name") => Ok(Some(CellReader::of_role(ColumnRole::Name))),
        ([], _) => Ok(None),
        ([column], _) => Ok(Some(CellReader::new(column, columns))),
        (several, _) => Err(QueryProblem::AmbiguousColumn { name: name.clone(), columns: listed(several.iter().copied()) }),
    }
}

/// A name without case, blanks, `-` and `_`.
fn bare(name: &str) -> String {
    let kept = name.chars().filter(|letter| !letter.is_whitespace() && !matches!(letter, '-' | '_'));
    kept.map(crate::meta::fold_char).collect()
}

fn listed<'a>(columns: impl Iterator<Item = &'a ViewColumn>) -> String {
    let names: Vec<_> = columns.map(|column| column.name.as_str()).collect();
    names.join(", ")
}
