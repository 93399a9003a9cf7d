//! The query language of a table's filter.
//!
//! Terms stand between blanks, and all must hold:
//!
//! | term | holds of a row |
//! |---|---|
//! | `word`, `"two words"` | whose name, namespace or any shown cell has it, whatever the case of its letters |
//! | `/regex/` | where the regular expression matches in one of these; the case counts where the expression has a capital letter |
//! | `~letters` | that has the letters in this order, with others between them |
//! | `column:word`, `column:/regex/`, `column:~letters` | as above, in this column |
//! | `column=value`, `!=`, `<`, `<=`, `>`, `>=` | whose value in this column compares so |
//! | `!term` | of which the term does not hold |
//! | `-l selector`, `-f selector` | that the server selects by its labels, by its fields |
//!
//! A column is named without case, blanks, `-` and `_`, by any beginning that no other column has; `ns` is the namespace. Columns that are not shown count
//! as well. A value is read as the cell is: `cpu>500m`, `age<5m`, `version>=1.30`, `ready=1/2`, `ready<100%`, `ip=10.0.0.1`. What has no
//! value fulfils only `!=`. What is quoted is text, and so is `x:y` where no column is called `x`.
//!
//! Guarantees: no text makes parsing or binding panic, and a pattern takes time in proportion to what it is matched against. Leaves out
//! `or` and parentheses. client-go has nothing like it.

mod bind;
mod compare;
mod error;
mod filter;
mod matcher;
mod parse;
mod selector;
mod term;

#[cfg(test)]
mod tests;

pub use error::{QueryError, QueryProblem};
pub use filter::Filter;
pub use term::{Operator, Pattern, Query, Term, TermKind};
