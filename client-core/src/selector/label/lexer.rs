//! The words and signs of a label selector.

use crate::selector::ParseSelectorError;

/// A piece of a selector. The operators `in` and `notin` are words: only their place tells them from keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    /// One of [`SIGNS`].
    Sign(&'static str),
    End,
}

/// A token and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot<'a> {
    pub(super) token: Token<'a>,
    pub(super) position: usize,
}

impl Spot<'_> {
    /// The error that this token is not what was expected.
    pub(super) fn instead_of(self, expected: &'static str) -> ParseSelectorError {
        match self.token {
            Token::Word(text) | Token::Sign(text) => ParseSelectorError::quoting(self.position, text, expected),
            Token::End => ParseSelectorError::new(self.position, "the end", expected),
        }
    }
}

/// The signs; of two that both fit, the longer stands first.
const SIGNS: [&str; 9] = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"];

const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The tokens of a text, one after another; after the last comes [`Token::End`] for ever.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
    length: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, length: text.len() }
    }

    /// The token that [`next`](Self::next) will take.
    pub(super) fn peek(&self) -> Spot<'a> {
        let mut ahead = *self;
        ahead.next()
    }

    pub(super) fn next(&mut self) -> Spot<'a> {
        let rest = self.rest.trim_start_matches(SPACE);
        let position = self.length - rest.len();
        let (token, rest) = scan(rest);
        self.rest = rest;
        Spot { token, position }
    }
}

/// The token at the start of `text`, and what follows it.
fn scan(text: &str) -> (Token<'_>, &str) {
    if text.is_empty() {
        return (Token::End, text);
    }
    if let Some((sign, rest)) = SIGNS.iter().find_map(|sign| Some((*sign, text.strip_prefix(sign)?))) {
        return (Token::Sign(sign), rest);
    }
    let ends = |next: char| SPACE.contains(&next) || SIGNS.iter().any(|sign| sign.starts_with(next));
    let end = text.find(ends).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (Token::Word(word), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use Token::{End, Sign, Word};

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut tokens = Tokens::new(text);
        std::iter::from_fn(|| Some(tokens.next().token)).take_while(|token| *token != End).collect()
    }

    #[test]
    fn each_sign_and_each_word_is_one_token() {
        assert_eq!(tokens(""), []);
        for sign in [",", "=", "==", ">", "<", "!", "!=", "(", ")"] {
            assert_eq!(tokens(sign), [Sign(sign)]);
        }
        for word in ["in", "notin", "~", "||", "ā", "a.b/c-d_e", "\0"] {
            assert_eq!(tokens(word), [Word(word)]);
        }
    }

    #[test]
    fn a_text_falls_into_the_longest_signs_and_words() {
        for (text, expected) in [
            ("key in ( value )", &[Word("key"), Word("in"), Sign("("), Word("value"), Sign(")")][..]),
            ("key notin(v1,\tv2)", &[Word("key"), Word("notin"), Sign("("), Word("v1"), Sign(","), Word("v2"), Sign(")")]),
            ("!key", &[Sign("!"), Word("key")]),
            ("x in (),y", &[Word("x"), Word("in"), Sign("("), Sign(")"), Sign(","), Word("y")]),
            ("== != (), = notin", &[Sign("=="), Sign("!="), Sign("("), Sign(")"), Sign(","), Sign("="), Word("notin")]),
            ("key>2", &[Word("key"), Sign(">"), Word("2")]),
            ("key<1", &[Word("key"), Sign("<"), Word("1")]),
            ("===!==!", &[Sign("=="), Sign("="), Sign("!="), Sign("="), Sign("!")]),
            ("= =", &[Sign("="), Sign("=")]),
            (" \t\r\n", &[]),
        ] {
            assert_eq!(tokens(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_looked_at_ahead_is_what_comes_next() {
        for text in ["key in ( value1, value2 )", "!key", "()", "", "== != (), = notin", "key>2 ", "ā = ē"] {
            let mut tokens = Tokens::new(text);
            loop {
                let ahead = tokens.peek();
                assert_eq!((tokens.peek(), tokens.next()), (ahead, ahead), "{text:?}");
                if let Word(part) | Sign(part) = ahead.token {
                    assert!(text[ahead.position..].starts_with(part), "{text:?}: {ahead:?}");
                } else {
                    assert_eq!((ahead.position, tokens.next()), (text.len(), ahead), "{text:?}");
                    break;
                }
            }
        }
    }
}
