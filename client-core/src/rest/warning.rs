//! The server's Warning headers.

use http::HeaderMap;

/// The texts of the `Warning: 299 - "…"` headers, as apimachinery's `util/net` `ParseWarningHeaders` reads
/// them. A header that is none is passed over.
#[must_use]
pub fn parse_warnings(headers: &HeaderMap) -> Vec<String> {
    let mut texts = Vec::new();
    for value in headers.get_all("warning") {
        let Ok(mut rest) = value.to_str().map(str::trim) else { continue };
        // A browser joins several headers of one name with a comma.
        while let Some((text, tail)) = one_warning(rest) {
            if !texts.contains(&text) {
                texts.push(text);
            }
            rest = tail.trim_start_matches([',', ' ']);
        }
    }
    texts
}

fn one_warning(text: &str) -> Option<(String, &str)> {
    let after_code = text.strip_prefix("299 ")?;
    let (_agent, quoted) = after_code.split_once(' ')?;
    let quoted = quoted.strip_prefix('"')?;
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            '"' => return Some((value, quoted.get(index + 1..).unwrap_or(""))),
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> Vec<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("warning", value.parse().unwrap());
        }
        parse_warnings(&headers)
    }

    #[test]
    fn warnings_are_read_apart_and_joined() {
        assert_eq!(read(&[r#"299 - "old""#, r#"299 kube "say \"new\"""#]), ["old", "say \"new\""]);
        assert_eq!(read(&[r#"299 - "one, two", 299 - "three""#]), ["one, two", "three"]);
        assert_eq!(read(&["199 - \"x\"", "299 - unquoted", "299 - \"open"]), Vec::<String>::new());
    }
}
