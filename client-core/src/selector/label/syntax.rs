//! What a label's key and value may look like: apimachinery's `pkg/api/validate/content`, without its regular expressions.

use crate::selector::SelectorError;

const LONGEST_NAME: usize = 63;
const LONGEST_PREFIX: usize = 253;

const SLASHES: &str = "at most one \"/\", between a DNS name and a name";
const PREFIX: &str =
    "before the \"/\" a DNS name of at most 253 characters: lower-case letters, digits, \"-\" and \".\", such as \"example.com\"";
const NAME: &str = "a name of 1 to 63 letters, digits, \"-\", \"_\" or \".\", with a letter or digit at both ends";
const VALUE: &str = "nothing, or 1 to 63 letters, digits, \"-\", \"_\" or \".\", with a letter or digit at both ends";

/// Whether `key` can be the key of a label (or of an annotation): a name, with or without a DNS name and `/` before it
/// (apimachinery `content.IsLabelKey`).
///
/// # Errors
/// Where it cannot, with the part that is wrong.
pub fn validate_label_key(key: &str) -> Result<(), SelectorError> {
    check_key(key).map_err(|expected| SelectorError::Key { key: key.to_owned(), expected })
}

/// Whether `value` can be the value of a label; `key` is only for the error (apimachinery `content.IsLabelValue`).
///
/// # Errors
/// Where it cannot.
pub fn validate_label_value(key: &str, value: &str) -> Result<(), SelectorError> {
    check_value(value).map_err(|expected| SelectorError::Value { key: key.to_owned(), value: value.to_owned(), expected })
}

/// `Err` holds what was expected.
pub(super) fn check_key(key: &str) -> Result<(), &'static str> {
    let name = match key.split_once('/') {
        None => key,
        Some((_, name)) if name.contains('/') => return Err(SLASHES),
        Some((prefix, _)) if !is_dns_name(prefix) => return Err(PREFIX),
        Some((_, name)) => name,
    };
    if is_name(name) { Ok(()) } else { Err(NAME) }
}

/// `Err` holds what was expected.
pub(super) fn check_value(value: &str) -> Result<(), &'static str> {
    if value.is_empty() || is_name(value) { Ok(()) } else { Err(VALUE) }
}

fn is_name(text: &str) -> bool {
    text.len() <= LONGEST_NAME
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.ends_with(|last: char| last.is_ascii_alphanumeric())
}

/// apimachinery `util/validation`, `IsDNS1123Subdomain`.
pub(crate) fn is_dns_name(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= LONGEST_PREFIX && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_key_is_a_name_with_or_without_a_dns_name_before_it() {
        let (longest_name, longest_prefix) = ("a".repeat(63), "a".repeat(253));
        let longest = format!("{longest_prefix}/{longest_name}");
        for key in [
            "a",
            "1234",
            "now-with-dashes",
            "Uppercase_Is_OK_123",
            "now-with.dashes-and.dots/simple",
            "1.2.3.4/5678",
            "example.com/Uppercase_Is_OK_123",
            "app.kubernetes.io/name",
            &longest_name,
            &longest,
        ] {
            assert_eq!(validate_label_key(key), Ok(()), "{key:?}");
        }
    }

    #[test]
    fn other_texts_are_no_keys_and_the_error_names_the_part() {
        let (long_name, long_prefix) = ("a".repeat(64), format!("{}/abc", "a".repeat(254)));
        for (key, expected) in [
            ("", NAME),
            ("nospecialchars%^=@", NAME),
            ("-first", NAME),
            ("last-", NAME),
            ("_a", NAME),
            ("a.", NAME),
            ("ā", NAME),
            ("a\0", NAME),
            (&long_name, NAME),
            ("example.com/", NAME),
            ("/simple", PREFIX),
            ("Example.com/abc", PREFIX),
            ("example_com/abc", PREFIX),
            ("a..b/c", PREFIX),
            (".a/c", PREFIX),
            ("a-.b/c", PREFIX),
            (&long_prefix, PREFIX),
            ("only/one/slash", SLASHES),
            ("//", SLASHES),
        ] {
            let error = SelectorError::Key { key: key.to_owned(), expected };
            assert_eq!(validate_label_key(key), Err(error), "{key:?}");
        }
    }

    #[test]
    fn a_value_is_empty_or_a_name() {
        let (longest, too_long) = ("a".repeat(63), "a".repeat(64));
        for value in ["", "simple", "1-starts-with-num", "1234", "A_b.c", &longest] {
            assert_eq!(validate_label_value("k", value), Ok(()), "{value:?}");
        }
        for value in
            ["a b", "=", "d/e", "Tama-nui-te-rā.is.Māori.sun", "\\a", "-first", "last-", ".first", "last.", "a\n", &too_long]
        {
            let error = SelectorError::Value { key: "k".to_owned(), value: value.to_owned(), expected: VALUE };
            assert_eq!(validate_label_value("k", value), Err(error), "{value:?}");
        }
    }
}
