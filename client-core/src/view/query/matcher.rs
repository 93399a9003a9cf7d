//! What is looked for in a text.

use std::borrow::Cow;

use regex_lite::{Regex, RegexBuilder};

use super::Pattern;
use crate::meta::fold_case;

/// The most bytes of a compiled pattern: matching takes time in proportion to it.
const MOST_BYTES: usize = 1 << 16;

/// A pattern, made ready. Texts are looked for without their case.
#[derive(Clone, Debug)]
pub(super) enum Matcher {
    Text(String),
    Regex(Regex),
    Fuzzy(String),
}

impl Matcher {
    /// Makes a pattern ready.
    pub(super) fn new(pattern: &Pattern) -> Result<Self, String> {
        Ok(match pattern {
            Pattern::Text(text) => Self::Text(fold_case(text).into_owned()),
            Pattern::Fuzzy(letters) => Self::Fuzzy(fold_case(letters).into_owned()),
            Pattern::Regex(regex) => {
                let mut builder = RegexBuilder::new(regex);
                builder.case_insensitive(!has_capital(regex)).size_limit(MOST_BYTES).nest_limit(50);
                Self::Regex(builder.build().map_err(|error| error.to_string())?)
            }
        })
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        match self {
            Self::Text(word) => contains(text, word),
            Self::Regex(regex) => regex.is_match(text),
            Self::Fuzzy(letters) => {
                let text = if text.is_ascii() { Cow::Borrowed(text) } else { fold_case(text) };
                let mut left = text.chars();
                letters.chars().all(|letter| left.any(|other| other.to_ascii_lowercase() == letter))
            }
        }
    }
}

/// Whether an expression has a capital letter that stands for itself, not one as in `\W`.
fn has_capital(regex: &str) -> bool {
    let mut letters = regex.chars();
    while let Some(letter) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter.is_ascii_uppercase() {
            return true;
        }
    }
    false
}

/// Whether `text` has `word`, which is folded, whatever the case of `text`.
fn contains(text: &str, word: &str) -> bool {
    if !text.is_ascii() {
        return fold_case(text).contains(word);
    }
    let Some((first, rest)) = word.as_bytes().split_first() else { return true };
    let mut bytes = text.as_bytes();
    while let Some(at) = bytes.iter().position(|byte| byte.to_ascii_lowercase() == *first) {
        bytes = bytes.get(at + 1..).unwrap_or_default();
        match bytes.get(..rest.len()) {
            Some(part) if part.eq_ignore_ascii_case(rest) => return true,
            Some(_) => {}
            None => return false,
        }
    }
    false
}
