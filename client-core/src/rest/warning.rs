//! The server's Warning headers.

use http::HeaderMap;

/// The texts of the `Warning: 299 - "…"` headers, each once, as apimachinery's `util/net` `ParseWarningHeaders` reads
/// them. Warnings with other codes are passed over; so is what follows one that is malformed, in the same header. Words in the
/// encoding of mail (RFC 2047) stay as they are: no API server writes them.
#[must_use]
pub fn parse_warnings(headers: &HeaderMap) -> Vec<String> {
    let mut texts = Vec::new();
    for value in headers.get_all("warning") {
        let Ok(mut rest) = std::str::from_utf8(value.as_bytes()).map(str::trim) else { continue };
        // A browser joins several headers of one name with a comma.
        while let Some((code, text, tail)) = one_warning(rest) {
            if code == "299" && !text.is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
            rest = after_date(tail.trim_start()).trim_start_matches([',', ' ']);
        }
    }
    texts
}

/// What follows the date that a warning may end with.
fn after_date(text: &str) -> &str {
    text.strip_prefix('"').and_then(|date| date.split_once('"')).map_or(text, |(_date, rest)| rest)
}

/// The code, the text, and what follows.
fn one_warning(text: &str) -> Option<(&str, String, &str)> {
    let (code, after_code) = text.split_once(' ')?;
    let (_agent, quoted) = after_code.split_once(' ')?;
    let quoted = quoted.strip_prefix('"')?;
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            '"' => return Some((code, value, quoted.get(index + 1..).unwrap_or(""))),
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read(values: &[&str]) -> Vec<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("warning", http::HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        parse_warnings(&headers)
    }

    #[test]
    fn warnings_are_read_apart_and_joined() {
        assert_eq!(read(&[r#"299 - "old""#, r#"299 kube "sag \"neü\"""#]), ["old", "sag \"neü\""]);
        assert_eq!(read(&[r#"299 - "one, two", 299 - "three""#]), ["one, two", "three"]);
        assert_eq!(read(&[r#"300 - "other", 299 - "ours""#, r#"299 - "ours""#]), ["ours"]);
        assert_eq!(read(&[r#"299 - "dated" "Sat, 25 Aug 2012 23:34:45 GMT", 299 - "next""#, r#"299 - """#]), ["dated", "next"]);
        let several = [
            r#"299 - "warning 1.1",299 - "warning 1.2""#,
            r#"299 - "warning 2", 299 - "warning unquoted"#,
            r#" 299 - "warning 3.1" ,  299 - "warning 3.2" "#,
        ];
        assert_eq!(read(&several), ["warning 1.1", "warning 1.2", "warning 2", "warning 3.1", "warning 3.2"]);
        assert_eq!(read(&[r#"  299 - "text\"\\\a\b\c"  "Tue, 15 Nov 1994 08:12:31 GMT" , remainder "#]), [r#"text"\abc"#]);
        assert_eq!(read(&[r#" 299 - "Iñtërnâtiônàlizætiøn,💝" "#]), ["Iñtërnâtiônàlizætiøn,💝"]);
        assert_eq!(read(&["199 - \"x\"", "299 - unquoted", "299 - \"open"]), Vec::<String>::new());
    }
}
