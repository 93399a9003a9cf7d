//! Reading a path (client-go `util/jsonpath/parser.go`).

use super::{
    super::Value,
    JsonPathError,
    step::{Filter, Operator, Slice, Step},
};

/// How deep filters and unions may stand in each other: they are read and walked by recursion.
const DEEPEST: usize = 16;

/// The steps of `text`.
pub(super) fn parse(text: &str) -> Result<Box<[Step]>, JsonPathError> {
    let mut parser = Parser { text, at: 0, depth: 0, in_filter: false };
    parser.skip_spaces();
    if parser.rest().is_empty() {
        return Err(JsonPathError::Empty);
    }
    let in_braces = parser.takes("{");
    parser.skip_spaces();
    parser.refuse_keywords()?;
    let steps = parser.steps(true)?;
    let is_closed = in_braces && parser.takes("}");
    parser.skip_spaces();
    match parser.peek() {
        None if in_braces != is_closed => Err(parser.wrong("a } is missing")),
        None => Ok(steps.into()),
        // What follows is text, a text in quotes, or more braces.
        Some(_) if is_closed => Err(JsonPathError::Template { at: parser.place() }),
        Some('{' | '"' | '\'') => Err(JsonPathError::Template { at: parser.place() }),
        Some(_) => Err(parser.wrong("this has no meaning here")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Whether names end where operators and the filter itself do.
    in_filter: bool,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn takes(&mut self, word: &str) -> bool {
        let has = self.rest().starts_with(word);
        if has {
            self.at += word.len();
        }
        has
    }

    fn skip(&mut self, is_passed: impl Fn(char) -> bool) {
        self.at = self.text.len() - self.rest().trim_start_matches(is_passed).len();
    }

    fn skip_spaces(&mut self) {
        self.skip(|character| matches!(character, ' ' | '\t'));
    }

    fn place(&self) -> usize {
        self.text.get(..self.at).unwrap_or_default().chars().count() + 1
    }

    fn wrong(&self, what: &'static str) -> JsonPathError {
        JsonPathError::Syntax { at: self.place(), what }
    }

    fn refuse_keywords(&self) -> Result<(), JsonPathError> {
        let rest = self.rest();
        let is_range = rest.strip_prefix("range").is_some_and(|rest| rest.starts_with([' ', '\t']));
        if is_range || rest == "end}" { Err(JsonPathError::Template { at: self.place() }) } else { Ok(()) }
    }

    /// The steps up to something that no step begins with. At the beginning of a path a name needs no dot.
    fn steps(&mut self, may_be_bare: bool) -> Result<Vec<Step>, JsonPathError> {
        let mut steps = Vec::new();
        let mut may_be_bare = may_be_bare;
        loop {
            self.skip_spaces();
            let Some(next) = self.peek() else { return Ok(steps) };
            match next {
                '.' => self.dots(&mut steps)?,
                '[' => steps.push(self.bracket()?),
                '@' | '$' => self.at += 1,
                '"' | '\'' if self.in_filter => steps.push(Step::Constant(Value::String(self.quoted()?))),
                '+' | '-' | '0'..='9' if self.in_filter => steps.push(Step::Constant(self.number()?)),
                _ if may_be_bare && starts_name(next) => steps.extend(self.name()?),
                _ if self.in_filter && starts_name(next) => steps.push(Step::Constant(self.boolean()?)),
                _ => return Ok(steps),
            }
            may_be_bare = false;
        }
    }

    /// What stands behind one dot or two.
    fn dots(&mut self, steps: &mut Vec<Step>) -> Result<(), JsonPathError> {
        if self.takes("..") {
            if matches!(steps.last(), Some(Step::Recursive)) {
                return Err(self.wrong("there are too many dots"));
            }
            steps.push(Step::Recursive);
            if self.peek().is_some_and(|next| starts_name(next) && next != '*') {
                steps.extend(self.name()?);
            }
            return Ok(());
        }
        self.at += 1;
        match self.name()? {
            Some(name) => steps.push(name),
            // The dot before a bracket, and the whole object, which is `.`.
            None if self.peek() == Some('[') || (steps.is_empty() && matches!(self.peek(), None | Some('}'))) => {}
            None => return Err(self.wrong("a name is missing behind the dot")),
        }
        Ok(())
    }

    /// The field whose name comes; `None` where none does.
    fn name(&mut self) -> Result<Option<Step>, JsonPathError> {
        let begin = self.at;
        while let Some(next) = self.peek() {
            if ends_name(next, self.in_filter) {
                break;
            }
            self.at += next.len_utf8();
            if next == '\\' {
                self.at += self.peek().ok_or_else(|| self.wrong("a character is missing behind the backslash"))?.len_utf8();
            }
        }
        let name = self.text.get(begin..self.at).unwrap_or_default();
        Ok(match name {
            "" => None,
            "*" => Some(Step::Wildcard),
            name => Some(Step::Field(name.replace('\\', "").into())),
        })
    }

    /// What stands in brackets: a name in quotes, an index, a slice, a wildcard, a filter, or several between commas.
    fn bracket(&mut self) -> Result<Step, JsonPathError> {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("this is nested too deep"));
        }
        let step = if self.takes("?(") { self.filter()? } else { self.selection()? };
        self.depth -= 1;
        Ok(step)
    }

    fn selection(&mut self) -> Result<Step, JsonPathError> {
        let mut parts: Vec<Step> = Vec::new();
        loop {
            self.skip_spaces();
            let part = match self.peek() {
                Some('"' | '\'') => self.key()?,
                _ if self.takes("*") => Step::Slice(Slice { start: None, end: None, is_index: false, step: None }),
                _ => Step::Slice(self.slice()?),
            };
            parts.push(part);
            self.skip_spaces();
            if self.takes("]") {
                break;
            }
            if !self.takes(",") {
                return Err(self.wrong("this is no index, and no name in quotes; a ] or a comma may be missing"));
            }
        }
        if parts.len() > 1 {
            return Ok(Step::Union(parts.into_iter().map(|part| Box::from([part])).collect()));
        }
        parts.pop().ok_or_else(|| self.wrong("there is nothing in the brackets"))
    }

    /// A name in quotes. One with dots can also be a path, as it is in client-go.
    fn key(&mut self) -> Result<Step, JsonPathError> {
        let quote = self.peek().unwrap_or_default();
        self.at += 1;
        let rest = self.rest();
        let length = rest.find(quote).ok_or_else(|| self.wrong("the quote is not closed"))?;
        let text = rest.get(..length).unwrap_or_default();
        self.at += length + 1;
        let name = text.replace('\\', "");
        if name == "*" {
            return Ok(Step::Wildcard);
        }
        if text.contains(['.', '[']) {
            let mut inner = Parser { text, at: 0, depth: self.depth, in_filter: false };
            let steps = inner.steps(true);
            if inner.rest().is_empty()
                && let Ok(steps) = steps
                && !matches!(steps.as_slice(), [Step::Field(_)])
            {
                return Ok(Step::Dotted(name.into(), steps.into()));
            }
        }
        Ok(Step::Field(name.into()))
    }

    fn slice(&mut self) -> Result<Slice, JsonPathError> {
        let start = self.index()?;
        if !self.takes(":") {
            return Ok(Slice { start, end: Some(start.unwrap_or(0).saturating_add(1)), is_index: true, step: None });
        }
        let end = self.index()?;
        let step = if self.takes(":") { self.index()? } else { None };
        Ok(Slice { start, end, is_index: false, step })
    }

    /// A whole number; `None` where none stands here.
    fn index(&mut self) -> Result<Option<i64>, JsonPathError> {
        let begin = self.at;
        self.takes("-");
        self.skip(|character| character.is_ascii_digit());
        let text = self.text.get(begin..self.at).unwrap_or_default();
        if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(|_error| self.wrong("this index is not a number")) }
    }

    fn filter(&mut self) -> Result<Step, JsonPathError> {
        let around = std::mem::replace(&mut self.in_filter, true);
        let left = self.steps(false)?;
        let comparison = match self.operator()? {
            Some(operator) => {
                let right = self.steps(false)?;
                if right.is_empty() && self.takes(")]") {
                    return Err(self.wrong("there is nothing to compare with"));
                }
                Some((operator, right.into()))
            }
            None => None,
        };
        self.in_filter = around;
        if !self.takes(")") {
            return Err(self.wrong("this filter cannot be read; a ) may be missing"));
        }
        if !self.takes("]") {
            return Err(self.wrong("a ] is missing behind the filter"));
        }
        Ok(Step::Filter(Box::new(Filter { left: left.into(), comparison })))
    }

    fn operator(&mut self) -> Result<Option<Operator>, JsonPathError> {
        let begin = self.at;
        self.skip(|character| matches!(character, '!' | '<' | '>' | '='));
        Ok(Some(match self.text.get(begin..self.at).unwrap_or_default() {
            "" => return Ok(None),
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            _ => return Err(self.wrong("there is no such operator: take ==, !=, <, <=, > or >=")),
        }))
    }

    /// A text in quotes, with Go's most usual escapes.
    fn quoted(&mut self) -> Result<String, JsonPathError> {
        let mut text = String::new();
        let mut characters = self.rest().char_indices();
        let quote = characters.next().map(|(_, quote)| quote);
        while let Some((index, character)) = characters.next() {
            if Some(character) == quote {
                self.at += index + 1;
                return Ok(text);
            }
            if character != '\\' {
                text.push(character);
                continue;
            }
            text.push(match characters.next() {
                Some((_, 'n')) => '\n',
                Some((_, 't')) => '\t',
                Some((_, 'r')) => '\r',
                Some((_, escaped @ ('\\' | '"' | '\''))) => escaped,
                _ => return Err(self.wrong("this text has an escape that is not known")),
            });
        }
        Err(self.wrong("the quote is not closed"))
    }

    fn number(&mut self) -> Result<Value, JsonPathError> {
        self.takes("+");
        let begin = self.at;
        self.takes("-");
        self.skip(|character| character.is_ascii_digit() || character == '.');
        let text = self.text.get(begin..self.at).unwrap_or_default();
        text.parse().map(Value::Number).map_err(|_error| self.wrong("this number cannot be read"))
    }

    fn boolean(&mut self) -> Result<Value, JsonPathError> {
        match self.name()? {
            Some(Step::Field(name)) if &*name == "true" => Ok(Value::Bool(true)),
            Some(Step::Field(name)) if &*name == "false" => Ok(Value::Bool(false)),
            _ => Err(self.wrong("this word is not known: a text stands in quotes")),
        }
    }
}

/// Whether a name can begin so, without a dot before it. A backslash is the first half of an escape.
fn starts_name(character: char) -> bool {
    matches!(character, '_' | '*' | '\\') || character.is_ascii_alphanumeric() || !character.is_ascii()
}

fn ends_name(character: char, in_filter: bool) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
        || in_filter && matches!(character, '!' | '<' | '>' | '=' | ')')
}
