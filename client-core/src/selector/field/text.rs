//! The text of a field selector: terms, operators, escapes, as apimachinery's `pkg/fields/selector.go` has them.

use std::borrow::Cow;

use super::{FieldOperator, FieldRequirement};
use crate::selector::ParseSelectorError;

const FIELD: &str = "a field, such as metadata.name, without \",\", \"=\" and \"\\\" and without \"!\" at its end";
const TERM: &str = "a field, \"=\", \"==\" or \"!=\", and a value";
const ESCAPED: &str = "\"\\\\\", \"\\,\" or \"\\=\"";

/// What cannot stand in a value as it is.
const SPECIAL: [char; 3] = ['\\', ',', '='];

/// `value` as it stands in a field selector: a backslash before each backslash, comma and equals sign
/// (apimachinery `fields.EscapeValue`).
#[must_use]
pub fn escape_field_value(value: &str) -> Cow<'_, str> {
    if !value.contains(SPECIAL) {
        return Cow::Borrowed(value);
    }
    let mut escaped = String::with_capacity(value.len() + 2);
    for character in value.chars() {
        if SPECIAL.contains(&character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    Cow::Owned(escaped)
}

/// What [`escape_field_value`] was given (apimachinery `fields.UnescapeValue`).
///
/// # Errors
/// Where a backslash stands before something else than a backslash, a comma or an equals sign, or one of these two
/// without a backslash before it.
pub fn unescape_field_value(value: &str) -> Result<Cow<'_, str>, ParseSelectorError> {
    unescape(value, 0)
}

/// `value`, which starts at `start`, without its escapes.
fn unescape(value: &str, start: usize) -> Result<Cow<'_, str>, ParseSelectorError> {
    if !value.contains(SPECIAL) {
        return Ok(Cow::Borrowed(value));
    }
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.char_indices();
    while let Some((offset, character)) = characters.next() {
        let error = |found: &str| ParseSelectorError::quoting(start + offset, found, ESCAPED);
        match character {
            '\\' => match characters.next() {
                Some((_, escaped)) if SPECIAL.contains(&escaped) => plain.push(escaped),
                Some((_, other)) => return Err(error(&format!("\\{other}"))),
                None => return Err(error("\\")),
            },
            ',' | '=' => return Err(error(&character.to_string())),
            _ => plain.push(character),
        }
    }
    Ok(Cow::Owned(plain))
}

/// The requirements of a selector, in the order of the text. Empty terms are passed over.
pub(super) fn parse(text: &str) -> Result<Vec<FieldRequirement>, ParseSelectorError> {
    let mut requirements = Vec::new();
    for (start, term) in terms(text) {
        if term.is_empty() {
            continue;
        }
        let Some((field, sign, value)) = split_term(term) else {
            return Err(ParseSelectorError::quoting(start, term, TERM));
        };
        check_field(field).map_err(|expected| ParseSelectorError::quoting(start, field, expected))?;
        let operator = if sign == "!=" { FieldOperator::NotEquals } else { FieldOperator::Equals };
        let value = unescape(value, start + field.len() + sign.len())?;
        requirements.push(FieldRequirement::from_checked(field.to_owned(), operator, value.into_owned()));
    }
    Ok(requirements)
}

/// `Err` holds what was expected.
pub(super) fn check_field(field: &str) -> Result<(), &'static str> {
    if field.is_empty() || field.contains(SPECIAL) || field.ends_with('!') { Err(FIELD) } else { Ok(()) }
}

/// The pieces between commas that no backslash stands before, and where they start. Escapes stay in them.
fn terms(text: &str) -> Vec<(usize, &str)> {
    let mut escaped = false;
    let at_comma = |character: char| {
        let splits = character == ',' && !escaped;
        escaped = character == '\\' && !escaped;
        splits
    };
    let mut start = 0;
    let positioned = text.split(at_comma).map(|term| {
        let position = start;
        start += term.len() + 1;
        (position, term)
    });
    positioned.collect()
}

/// Field, operator and value, which is still escaped. A field has no escapes: the first operator counts.
fn split_term(term: &str) -> Option<(&str, &'static str, &str)> {
    let at = term.find('=')?;
    let (before, after) = term.split_at(at);
    if let Some(field) = before.strip_suffix('!') {
        return Some((field, "!=", after.strip_prefix('=')?));
    }
    let sign = if after.starts_with("==") { "==" } else { "=" };
    Some((before, sign, after.strip_prefix(sign)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn terms_end_at_commas_that_are_not_escaped() {
        for (text, expected) in [
            ("a", &["a"][..]),
            ("a=avalue", &["a=avalue"]),
            ("a=avalue,b==bvalue,c!=cvalue", &["a=avalue", "b==bvalue", "c!=cvalue"]),
            ("", &[""]),
            ("a=a,", &["a=a", ""]),
            (",a=a", &["", "a=a"]),
            (r"k=\,,k2=v2", &[r"k=\,", "k2=v2"]),
            (r"k=\\,k2=v2", &[r"k=\\", "k2=v2"]),
            (r"k=\\\,,k2=v2", &[r"k=\\\,", "k2=v2"]),
            (r"k=\a\b\", &[r"k=\a\b\"]),
            (r"k=\", &[r"k=\"]),
            ("함=수,목=록", &["함=수", "목=록"]),
        ] {
            let found = terms(text);
            assert_eq!(found.iter().map(|(_, term)| *term).collect::<Vec<_>>(), expected, "{text:?}");
            assert!(found.iter().all(|(start, term)| text[*start..].starts_with(term)), "{text:?}: {found:?}");
        }
    }

    #[test]
    fn a_term_is_split_at_its_first_operator() {
        for (term, expected) in [
            ("a=value", Some(("a", "=", "value"))),
            ("b==value", Some(("b", "==", "value"))),
            ("c!=value", Some(("c", "!=", "value"))),
            ("c!==value", Some(("c", "!=", "=value"))),
            ("c!!=value", Some(("c!", "!=", "value"))),
            ("!c=value", Some(("!c", "=", "value"))),
            ("d=a!=b", Some(("d", "=", "a!=b"))),
            ("===", Some(("", "==", "="))),
            ("", None),
            ("a", None),
            ("a!", None),
            (r"k=\,", Some(("k", "=", r"\,"))),
            (r"k=\=", Some(("k", "=", r"\="))),
            (r"k=\\\a\b\=\,\", Some(("k", "=", r"\\\a\b\=\,\"))),
            ("함=수", Some(("함", "=", "수"))),
        ] {
            assert_eq!(split_term(term), expected, "{term:?}");
        }
    }

    #[test]
    fn an_escaped_value_comes_back_and_other_escapes_are_refused_at_their_place() {
        for (plain, escaped) in
            [("", ""), ("a", "a"), ("=", r"\="), (",", r"\,"), (r"\", r"\\"), (r"\=\,\", r"\\\=\\\,\\"), ("수,", r"수\,")]
        {
            assert_eq!(escape_field_value(plain), escaped);
            assert_eq!(unescape_field_value(escaped).as_deref(), Ok(plain));
        }
        for (text, position, found) in [
            (r"\", 0, r#""\""#),
            (r"\\\", 2, r#""\""#),
            (r"\a", 0, r#""\a""#),
            (r"수\수", 3, r#""\수""#),
            ("a=b", 1, r#""=""#),
            ("a,b", 1, r#"",""#),
        ] {
            let error = unescape_field_value(text).unwrap_err();
            assert_eq!((error.position(), error.found(), error.expected()), (position, found, ESCAPED), "{text:?}");
        }
    }

    #[test]
    fn a_wrong_term_is_refused_at_its_place() {
        for (text, position, found, expected) in [
            ("x=a||y=b", 6, r#""=""#, ESCAPED),
            ("x==a==b", 4, r#""=""#, ESCAPED),
            ("x=a,b", 4, r#""b""#, TERM),
            ("x in (a)", 0, r#""x in (a)""#, TERM),
            ("x in (a,b,c)", 0, r#""x in (a""#, TERM),
            ("x", 0, r#""x""#, TERM),
            (r"a=b,x=\y", 6, r#""\y""#, ESCAPED),
            ("=", 0, r#""""#, FIELD),
            ("a=b,!=c", 4, r#""""#, FIELD),
            (r"a\,b=c", 0, r#""a\,b""#, FIELD),
            ("a!!=b", 0, r#""a!""#, FIELD),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.position(), error.found(), error.expected()), (position, found, expected), "{text:?}");
        }
    }
}
