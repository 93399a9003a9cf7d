//! Reading a query.

use std::ops::Range;

use super::{Operator, Pattern, Query, QueryError, QueryProblem, Term, TermKind};

impl Query {
    /// The query in this text.
    ///
    /// # Errors
    ///
    /// Where something opens and does not close, or something is missing; the error says where and what to do. That a column is
    /// not there turns out where the query is bound to columns.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let mut reader = Reader { text, at: 0 };
        let mut terms = Vec::new();
        loop {
            reader.skip_blanks();
            if reader.rest().is_empty() {
                return Ok(Self { terms });
            }
            let start = reader.at;
            let mut negated = false;
            while reader.take("!") {
                negated = !negated;
            }
            let turned = reader.at > start;
            if turned && reader.ends_word() {
                return Err(reader.error(start, QueryProblem::EmptyNegation));
            }
            let selector = reader.selector(start)?;
            if selector.is_some() && turned {
                return Err(reader.error(start, QueryProblem::NegatedSelector));
            }
            let kind = match selector {
                Some(kind) => kind,
                None => reader.kind()?,
            };
            terms.push(Term { place: start..reader.at, negated, kind });
        }
    }
}

/// A text and how far it has been read.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Whether a blank or the end comes next.
    pub(super) fn ends_word(&self) -> bool {
        self.rest().chars().next().is_none_or(char::is_whitespace)
    }

    pub(super) fn take(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        self.at += if found { what.len() } else { 0 };
        found
    }

    pub(super) fn error(&self, from: usize, problem: QueryProblem) -> QueryError {
        QueryError::new(from..self.at, problem)
    }

    pub(super) fn error_at(place: Range<usize>, problem: QueryProblem) -> QueryError {
        QueryError::new(place, problem)
    }

    /// What stands up to the next blank.
    pub(super) fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    /// A term that is no selector.
    fn kind(&mut self) -> Result<TermKind, QueryError> {
        if self.rest().starts_with(['"', '/', '~']) {
            return self.pattern(true).map(TermKind::Anywhere);
        }
        let start = self.at;
        let word = self.word();
        let Some((column, operator)) = split_operator(word) else {
            return Ok(TermKind::Anywhere(Pattern::Text(word.to_owned())));
        };
        let sign = operator.map_or(":", Operator::as_str);
        self.at = start + column.len() + sign.len();
        let column = column.to_owned();
        let Some(operator) = operator else {
            return Ok(TermKind::Within { column, pattern: self.pattern(false)? });
        };
        let value = self.text_or_quoted()?;
        if value.is_empty() {
            return Err(self.error(start, QueryProblem::NoValue([&column, sign].concat())));
        }
        Ok(TermKind::Compare { column, operator, value })
    }

    /// What is looked for. Where `alone` does not hold it follows a name that may turn out to be no column's but part of a text such
    /// as `http://web`; then what opens a pattern and is none is text.
    fn pattern(&mut self, alone: bool) -> Result<Pattern, QueryError> {
        let start = self.at;
        if self.take("~") {
            return Ok(Pattern::Fuzzy(self.text_or_quoted()?));
        }
        if self.take("/") {
            let problem = match self.regex() {
                Some(regex) if self.ends_word() => return Ok(Pattern::Regex(regex)),
                Some(_) => QueryProblem::NoBlank("a pattern".to_owned()),
                None => QueryProblem::OpenPattern,
            };
            if alone {
                return Err(self.error(start, problem));
            }
            self.at = start;
            return Ok(Pattern::Text(self.word().to_owned()));
        }
        self.text_or_quoted().map(Pattern::Text)
    }

    /// The pattern up to its closing slash; a slash inside has a backslash before it.
    fn regex(&mut self) -> Option<String> {
        let (mut regex, mut letters) = (String::new(), self.rest().char_indices());
        while let Some((at, letter)) = letters.next() {
            match letter {
                '/' => {
                    self.at += at + 1;
                    return Some(regex);
                }
                '\\' => {
                    let (_, next) = letters.next()?;
                    if next != '/' {
                        regex.push('\\');
                    }
                    regex.push(next);
                }
                other => regex.push(other),
            }
        }
        self.at = self.text.len();
        None
    }

    /// A word, or what is in quotes.
    pub(super) fn text_or_quoted(&mut self) -> Result<String, QueryError> {
        let start = self.at;
        if !self.take("\"") {
            return Ok(self.word().to_owned());
        }
        let (mut text, mut letters) = (String::new(), self.rest().char_indices());
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at += at + 1;
                    if self.ends_word() {
                        return Ok(text);
                    }
                    return Err(self.error(start, QueryProblem::NoBlank("a quote".to_owned())));
                }
                '\\' => text.extend(letters.next().map(|(_, next)| next)),
                other => text.push(other),
            }
        }
        Err(Self::error_at(start..self.text.len(), QueryProblem::OpenQuote))
    }
}

/// A word up to its first operator, and that; `None` is the colon. An operator at the beginning is none.
fn split_operator(word: &str) -> Option<(&str, Option<Operator>)> {
    let at = word.char_indices().find(|(at, letter)| match letter {
        ':' | '=' | '<' | '>' => true,
        '!' => word.get(at + 1..).is_some_and(|rest| rest.starts_with('=')),
        _ => false,
    });
    let (column, rest) = word.split_at_checked(at.filter(|(at, _)| *at > 0)?.0)?;
    // What has a quote in it is no name.
    if column.contains(['"', '/', '~']) {
        return None;
    }
    use Operator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Unequal};
    let operators = [GreaterOrEqual, LessOrEqual, Unequal, Greater, Less, Equal];
    Some((column, operators.into_iter().find(|operator| rest.starts_with(operator.as_str()))))
}
