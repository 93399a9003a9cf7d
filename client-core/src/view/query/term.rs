//! A query in its terms.

use std::{
    fmt::{self, Write as _},
    ops::Range,
    str::FromStr,
};

use super::QueryError;

/// A query: terms that all must hold. It prints as a text that parses to the same terms.
///
/// ```
/// use porthole_client_core::view::Query;
///
/// let query = Query::parse("crash !ns:kube-system restarts>3 -l app=web")?;
/// assert_eq!(query.terms().len(), 4);
/// assert_eq!(query.label_selector().as_deref(), Some("app=web"));
/// assert_eq!(Query::parse("\"open").unwrap_err().to_string(), "the quote has no end: add \"");
/// # Ok::<(), porthole_client_core::view::QueryError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    pub(super) terms: Vec<Term>,
}

/// A term of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Which bytes of the query it is.
    pub place: Range<usize>,
    /// Whether it must not hold.
    pub negated: bool,
    /// What it says.
    pub kind: TermKind,
}

/// What a term says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// Something is in the name, the namespace or a shown cell.
    Anywhere(Pattern),
    /// Something is in a column; where there is no such column, the whole is a text that is anywhere.
    Within {
        /// What the column is called.
        column: String,
        /// What is in it.
        pattern: Pattern,
    },
    /// A column's value compares so.
    Compare {
        /// What the column is called.
        column: String,
        /// How it compares.
        operator: Operator,
        /// With what.
        value: String,
    },
    /// A label selector for the server.
    Labels(String),
    /// A field selector for the server.
    Fields(String),
}

/// What is looked for in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// This text, whatever its case.
    Text(String),
    /// A regular expression.
    Regex(String),
    /// These letters in this order.
    Fuzzy(String),
}

/// How a value compares with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Query {
    /// The terms, in order, with their places in the text.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The label selector for the server, where there is one; of several all must hold.
    #[must_use]
    pub fn label_selector(&self) -> Option<String> {
        self.selector(|kind| if let TermKind::Labels(text) = kind { Some(text) } else { None })
    }

    /// The field selector for the server, where there is one; of several all must hold.
    #[must_use]
    pub fn field_selector(&self) -> Option<String> {
        self.selector(|kind| if let TermKind::Fields(text) = kind { Some(text) } else { None })
    }

    fn selector(&self, of: fn(&TermKind) -> Option<&String>) -> Option<String> {
        let texts: Vec<_> = self.terms.iter().filter_map(|term| of(&term.kind)).map(String::as_str).collect();
        (!texts.is_empty()).then(|| texts.join(","))
    }
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        Self::parse(text)
    }
}

impl Operator {
    /// How it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, term) in self.terms.iter().enumerate() {
            if at > 0 {
                formatter.write_str(" ")?;
            }
            fmt::Display::fmt(term, formatter)?;
        }
        Ok(())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negated {
            formatter.write_str("!")?;
        }
        match &self.kind {
            TermKind::Anywhere(pattern) => fmt::Display::fmt(pattern, formatter),
            TermKind::Within { column, pattern } => {
                formatter.write_str(column)?;
                formatter.write_str(":")?;
                fmt::Display::fmt(pattern, formatter)
            }
            TermKind::Compare { column, operator, value } => {
                formatter.write_str(column)?;
                formatter.write_str(operator.as_str())?;
                write_text(formatter, value)
            }
            TermKind::Labels(text) => {
                formatter.write_str("-l ")?;
                write_quoted(formatter, text)
            }
            TermKind::Fields(text) => {
                formatter.write_str("-f ")?;
                write_quoted(formatter, text)
            }
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write_text(formatter, text),
            Self::Fuzzy(letters) => {
                formatter.write_str("~")?;
                write_text(formatter, letters)
            }
            Self::Regex(regex) => {
                formatter.write_str("/")?;
                let mut letters = regex.chars();
                while let Some(letter) = letters.next() {
                    match letter {
                        '/' => formatter.write_str("\\/")?,
                        '\\' => {
                            formatter.write_str("\\")?;
                            letters.next().map_or(Ok(()), |next| formatter.write_char(next))?;
                        }
                        other => formatter.write_char(other)?,
                    }
                }
                formatter.write_str("/")
            }
        }
    }
}

/// A text, in quotes where it could be taken for something else.
fn write_text(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(plain) {
        formatter.write_str(text)
    } else {
        write_quoted(formatter, text)
    }
}

fn write_quoted(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    formatter.write_str("\"")?;
    for letter in text.chars() {
        if matches!(letter, '"' | '\\') {
            formatter.write_str("\\")?;
        }
        formatter.write_char(letter)?;
    }
    formatter.write_str("\"")
}
