//! JSON as YAML.
//!
//! Guarantees: a reader of YAML, of version 1.1 or 1.2, gets the very values back: a text is quoted where it could be taken for
//! anything else, and numbers are written digit for digit. Fields are sorted, as `kubectl get -o yaml` sorts them
//! (`sigs.k8s.io/yaml`). Leaves out keys of more than 1024 letters, for which YAML has another notation.

use std::fmt::Write as _;

use super::{Map, Value};

/// Texts that some reader takes for a truth value or for nothing.
const WORDS: &[&str] = &["null", "true", "false", "yes", "no", "on", "off", "y", "n"];

/// The value as a YAML document of blocks, which ends with a line break.
///
/// ```
/// use porthole_client_core::json::{Value, to_yaml};
///
/// let value: Value = r#"{"b":["no",9007199254740993,1e3],"a":{"text":"two\nlines\n","none":{}}}"#.parse().unwrap();
/// assert_eq!(to_yaml(&value), "a:\n  none: {}\n  text: |\n    two\n    lines\nb:\n- \"no\"\n- 9007199254740993\n- 1e3\n");
/// ```
#[must_use]
pub fn to_yaml(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Object(fields) if !fields.is_empty() => write_fields(&mut text, fields, 0, false),
        Value::Array(items) if !items.is_empty() => write_items(&mut text, items, 0),
        scalar => {
            write_scalar(&mut text, scalar, 0);
            text.push('\n');
        }
    }
    text
}

/// The fields, each in a line of its own; the first may stand behind the dash of an item.
fn write_fields(text: &mut String, fields: &Map, indent: usize, behind_dash: bool) {
    for (at, (name, value)) in fields.iter().enumerate() {
        if at > 0 || !behind_dash {
            pad(text, indent);
        }
        write_key(text, name);
        text.push(':');
        write_value(text, value, indent, 0);
    }
}

/// The items, each behind a dash; a list stands as far to the left as the field it belongs to.
fn write_items(text: &mut String, items: &[Value], indent: usize) {
    for item in items {
        pad(text, indent);
        text.push('-');
        match item {
            Value::Object(fields) if !fields.is_empty() => {
                text.push(' ');
                write_fields(text, fields, indent + 2, true);
            }
            other => write_value(text, other, indent, 2),
        }
    }
}

/// What stands behind a colon or a dash, and the line break after it. A list in a list is `further` to the right.
fn write_value(text: &mut String, value: &Value, indent: usize, further: usize) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            text.push('\n');
            write_fields(text, fields, indent + 2, false);
        }
        Value::Array(items) if !items.is_empty() => {
            text.push('\n');
            write_items(text, items, indent + further);
        }
        scalar => {
            text.push(' ');
            write_scalar(text, scalar, indent + 2);
            text.push('\n');
        }
    }
}

fn write_key(text: &mut String, key: &str) {
    if is_plain(key) { text.push_str(key) } else { write_quoted(text, key) }
}

fn write_scalar(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::String(string) if is_plain(string) => text.push_str(string),
        Value::String(string) if indent > 0 && is_block(string) => write_block(text, string, indent),
        Value::String(string) => write_quoted(text, string),
        Value::Array(_) => text.push_str("[]"),
        Value::Object(_) => text.push_str("{}"),
        Value::Number(number) => text.push_str(number.as_str()),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Null => text.push_str("null"),
    }
}

/// Whether no reader takes the text for anything but itself. What begins with a digit or a sign may be a number, a date or a
/// time of day to one of them.
fn is_plain(text: &str) -> bool {
    let harmless = |letter: char| letter.is_ascii_alphanumeric() || " -_./:@+%^&()".contains(letter);
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/' || first == '_')
        && text.chars().all(harmless)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Whether the text can stand line by line as it is.
fn is_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n'])
        && !text.trim_end_matches('\n').is_empty()
        && text.chars().all(|letter| letter == '\n' || is_printable(letter))
}

fn write_block(text: &mut String, block: &str, indent: usize) {
    let body = block.trim_end_matches('\n');
    text.push_str(match block.len() - body.len() {
        0 => "|-",
        1 => "|",
        _ => "|+",
    });
    // With `+` each line break at the end counts; the last is written by who called this.
    let kept = block.strip_suffix('\n').unwrap_or(block);
    for line in kept.split('\n') {
        text.push('\n');
        if !line.is_empty() {
            pad(text, indent);
            text.push_str(line);
        }
    }
}

fn write_quoted(text: &mut String, string: &str) {
    text.push('"');
    for letter in string.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            letter if is_printable(letter) => text.push(letter),
            // All that is not printable lies below 2^16.
            letter => {
                let written = write!(text, "\\u{:04x}", u32::from(letter));
                debug_assert!(written.is_ok(), "a String takes all");
            }
        }
    }
    text.push('"');
}

/// Whether a reader takes the letter as it stands. A mark of the byte order, and what some readers take for a line break, are
/// among the others.
fn is_printable(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

fn pad(text: &mut String, indent: usize) {
    text.extend(std::iter::repeat_n(' ', indent));
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn yaml(json: &str) -> String {
        to_yaml(&json.parse().unwrap())
    }

    #[test]
    fn what_some_reader_takes_for_something_else_is_quoted() {
        for text in [
            "",
            "no",
            "Yes",
            "NULL",
            "~",
            "on",
            "y",
            "1",
            "0755",
            "0o17",
            "1e3",
            "1_000",
            "12:30:45",
            "2020-03-25T13:37:11Z",
            "1.10",
            ".5",
            "-",
            "- a",
            "a: b",
            "a:",
            " a",
            "a ",
            "#a",
            "a #b",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a",
            "{a",
            "[a",
            "a, b",
            "?",
            "|",
            ">",
            "<<",
            "=",
            "\t",
            "a\tb",
            "\u{7f}",
            "\u{feff}",
            "\u{2028}",
            "\"",
            "\\",
            "'",
        ] {
            let quoted = to_yaml(&Value::String(text.into()));
            assert!(quoted.starts_with('"') && quoted.ends_with("\"\n"), "{text:?} became {quoted:?}");
        }
    }

    #[test]
    fn what_people_read_often_stands_plain() {
        for text in
            ["web-0", "nginx:1.27", "/etc/app.conf", "Recreate", "app.kubernetes.io/name", "a sentence (of words)", "nope", "_x"]
        {
            assert_eq!(to_yaml(&Value::String(text.into())), format!("{text}\n"));
        }
    }

    #[test]
    fn lists_stand_below_their_field_and_objects_behind_their_dash() {
        let text = yaml(r#"{"a":[{"x":1,"w":[{"z":null}]},[1,[2]],{}],"b":{"c":[]}}"#);
        assert_eq!(text, "a:\n- w:\n  - z: null\n  x: 1\n-\n  - 1\n  -\n    - 2\n- {}\nb:\n  c: []\n");
    }

    #[test]
    fn lines_stand_as_lines_and_keep_their_ends() {
        assert_eq!(yaml(r#"{"a":"x\ny"}"#), "a: |-\n  x\n  y\n");
        assert_eq!(yaml(r#"{"a":"x\ny\n"}"#), "a: |\n  x\n  y\n");
        assert_eq!(yaml(r#"{"a":"x\n\n y\n\n","b":1}"#), "a: |+\n  x\n\n   y\n\nb: 1\n");
        assert_eq!(yaml(r#"{"a":" x\ny"}"#), "a: \" x\\ny\"\n");
        assert_eq!(yaml(r#"{"a":"x\r\ny"}"#), "a: \"x\\r\\ny\"\n");
        assert_eq!(yaml(r#"["x\ny\n"]"#), "- |\n  x\n  y\n");
    }

    // What makes values up runs natively only.
    #[cfg(all(feature = "kubeconfig", not(target_family = "wasm")))]
    mod read_back {
        use proptest::prelude::*;

        use super::*;

        fn any_value() -> impl Strategy<Value = serde_json::Value> {
            let letters = prop::sample::select(vec![
                "a", "0", "1", "no", " ", "\n", "\t", ":", "-", "#", "\"", "\\", "'", "é", "🦀", "\u{7f}", "\u{2028}", "{", "[",
                "|", "~", "e3", ".", "%",
            ]);
            let text = prop::collection::vec(letters, 0..6).prop_map(|parts| parts.concat());
            let leaf = prop_oneof![
                Just(serde_json::Value::Null),
                any::<bool>().prop_map(Into::into),
                any::<i64>().prop_map(Into::into),
                text.clone().prop_map(Into::into)
            ];
            leaf.prop_recursive(4, 40, 5, move |inner| {
                prop_oneof![
                    prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                    prop::collection::vec((text.clone(), inner), 0..4)
                        .prop_map(|fields| serde_json::Value::Object(fields.into_iter().collect()))
                ]
            })
        }

        proptest! {
            #[test]
            fn a_reader_of_yaml_gets_the_very_values_back(value in any_value()) {
                let text = to_yaml(&Value::from_serialize(&value).unwrap());
                let read: serde_json::Value = serde_saphyr::from_str(&text)
                    .map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
                prop_assert_eq!(read, value, "{}", text);
            }
        }
    }
}
