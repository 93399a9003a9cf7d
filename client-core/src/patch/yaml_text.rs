//! JSON that is YAML as well.

/// `json`, which is known to be JSON, written so that a server reads the same from it as YAML, which is how it reads an apply
/// (apiserver `endpoints/handlers/patch.go`, `applyPatcher`). Its reader knows neither `\/` nor a character in two escapes, refuses
/// what it takes for control characters, and reads the line break of C1 as a space.
pub(super) fn as_yaml(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut rest = json.chars();
    while let Some(character) = rest.next() {
        // Only strings have any of these.
        match character {
            '\\' => match rest.next() {
                Some('/') => text.push('/'),
                Some('u') => push_escaped(&mut text, escaped(&mut rest)),
                Some(other) => text.extend(['\\', other]),
                None => {}
            },
            other => push(&mut text, other),
        }
    }
    text
}

/// The character whose escape goes on in `rest`; half a pair of escapes is none, as Go has it.
fn escaped(rest: &mut std::str::Chars<'_>) -> char {
    let high = unit(rest.as_str());
    *rest = after_digits(rest.as_str()).chars();
    let low = rest.as_str().strip_prefix("\\u").filter(|_| (0xd800..0xdc00).contains(&high));
    let pair = low.and_then(|low| char::decode_utf16([high, unit(low)]).next()?.ok());
    if let (Some(pair), Some(low)) = (pair, low) {
        *rest = after_digits(low).chars();
        return pair;
    }
    char::from_u32(high.into()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn unit(digits: &str) -> u16 {
    digits.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

fn after_digits(text: &str) -> &str {
    text.get(4..).unwrap_or_default()
}

/// A character that was escaped.
fn push_escaped(text: &mut String, character: char) {
    match character {
        '"' | '\\' => text.extend(['\\', character]),
        '\0'..' ' => push_code(text, character),
        other => push(text, other),
    }
}

/// A character that was not: it is of a string, or between values.
fn push(text: &mut String, character: char) {
    match character {
        // Between values; a tab there is not for every reader of YAML.
        '\t' | '\n' | '\r' => text.push(' '),
        '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => push_code(text, character),
        other => text.push(other),
    }
}

fn push_code(text: &mut String, character: char) {
    text.extend([format!("\\u{:04x}", u32::from(character))]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Value;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Every character that a server's reader of YAML (goyaml v2 `readerc.go`, `yaml_parser_update_buffer`) takes as it stands.
    fn is_plain(character: char) -> bool {
        matches!(character, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
            && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}')
    }

    #[test]
    fn every_character_is_one_that_yaml_takes_and_means_what_it_meant() {
        let characters = (0..=0x1_0fff).filter_map(char::from_u32).chain(['\u{1f980}', '\u{10_ffff}']);
        for character in characters {
            let value = Value::from(format!("a{character}b"));
            let raw = value.to_string();
            let units =
                character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect::<Vec<_>>().concat();
            for json in [raw, format!("\"a{units}b\"")] {
                let text = as_yaml(&json);
                assert!(text.chars().all(is_plain), "{json} became {text}");
                assert_eq!(text.parse::<Value>().unwrap(), value, "{json} became {text}");
                let escapes = text.split("\\u").skip(1).filter_map(|rest| char::from_u32(unit(rest).into()));
                assert_eq!(escapes.count(), text.matches("\\u").count(), "half a pair in {text}");
            }
        }
    }

    #[test]
    fn only_strings_change_and_only_where_they_must() {
        for same in ["{}", "null", r#"{"a":[1.0,1e3,-0,true],"b":"\"\\\n\t\r\b\fü🦀"}"#, r#"{"\\u0041":"\\/"}"#] {
            assert_eq!(as_yaml(same), same);
        }
        for (json, yaml) in [
            (r#"{"a\/b":"\/\/"}"#, r#"{"a/b":"//"}"#),
            (r#""\ud83e\udd80\u00e9""#, "\"🦀é\""),
            (r#""\u0022\u005c\u005cu""#, r#""\"\\\\u""#),
            ("\"a\u{85}b\"", r#""a\u0085b""#),
            ("{\n\t\"a\": [\r\n1]\n}", "{  \"a\": [  1] }"),
        ] {
            assert_eq!(as_yaml(json), yaml);
        }
        for half in [r#""\ud83e""#, r#""\udd80""#, r#""\ud83e\u0041""#, r#""\ud83ex""#, r#""\ud83e\n""#] {
            assert!(as_yaml(half).starts_with("\"\u{fffd}"), "{half}");
        }
        assert_eq!(as_yaml(r#""\ud83e\ud83e\udd80""#), "\"\u{fffd}🦀\"");
    }
}
