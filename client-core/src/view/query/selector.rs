//! Selectors for the server, as kubectl has them.

use super::{QueryError, QueryProblem, TermKind, parse::Reader};

impl Reader<'_> {
    /// A selector, where a flag for one comes next. It goes to the server as it is.
    pub(super) fn selector(&mut self, start: usize) -> Result<Option<TermKind>, QueryError> {
        let (flag, kind): (_, fn(String) -> TermKind) = if self.take("--selector=") {
            ("--selector=", TermKind::Labels)
        } else if self.take("--field-selector=") {
            ("--field-selector=", TermKind::Fields)
        } else if self.take("-l") {
            ("-l", TermKind::Labels)
        } else if self.take("-f") {
            ("-f", TermKind::Fields)
        } else {
            return Ok(None);
        };
        self.skip_blanks();
        let text = match self.rest().chars().next() {
            Some('"') => self.text_or_quoted()?,
            Some('\'') => self.single_quoted()?,
            _ => self.requirements()?,
        };
        if text.is_empty() {
            return Err(self.error(start, QueryProblem::NoSelector(flag.to_owned())));
        }
        Ok(Some(kind(text)))
    }

    /// What stands between single quotes, as it is copied from a shell.
    fn single_quoted(&mut self) -> Result<String, QueryError> {
        let start = self.at;
        self.take("'");
        let Some(text) = self.rest().split_once('\'').map(|(text, _)| text.to_owned()) else {
            return Err(Self::error_at(start..self.text.len(), QueryProblem::OpenSingleQuote));
        };
        self.at += text.len() + 1;
        Ok(text)
    }

    /// Words for as long as a parenthesis is open, or the last or the next one calls for another: `env in (a, b), app=web`.
    fn requirements(&mut self) -> Result<String, QueryError> {
        let start = self.at;
        let mut depth = 0_i32;
        loop {
            let word = self.word();
            depth += word.chars().map(|letter| i32::from(letter == '(') - i32::from(letter == ')')).sum::<i32>();
            let end = self.at;
            self.skip_blanks();
            if self.rest().is_empty() {
                if depth > 0 {
                    return Err(Self::error_at(start..end, QueryProblem::OpenParenthesis));
                }
                self.at = end;
                break;
            }
            let next = self.rest().split_whitespace().next().unwrap_or("");
            let calls = matches!(word, "in" | "notin") || word.ends_with(',');
            let called =
                next == "in" || next == "notin" || next.starts_with("in(") || next.starts_with("notin(") || next.starts_with(',');
            if depth <= 0 && !calls && !called {
                self.at = end;
                break;
            }
        }
        Ok(self.text.get(start..self.at).unwrap_or("").to_owned())
    }
}
