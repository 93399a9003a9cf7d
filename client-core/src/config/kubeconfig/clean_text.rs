//! Text of a file that goes to a terminal.

/// `text` without what could steer a terminal: control characters other than white space, and unassigned ones, become their
/// code, such as `U+001B` (client-go `tools/clientcmd/client_config.go`, `cleanANSIEscapeCodes`).
pub(super) fn visible(text: &str) -> String {
    let shown = |character: char| {
        if is_plain(character) { character.to_string() } else { format!("U+{:04X}", u32::from(character)) }
    };
    text.chars().map(shown).collect()
}

/// Go lets pass letters, marks, numbers, punctuation, symbols and separators, by tables. What is left are controls, formats,
/// private use and unassigned characters; the first three are named here, since they are what a terminal obeys.
fn is_plain(character: char) -> bool {
    match character {
        '\t'..='\r' => true,
        // Formats: soft hyphen, Arabic signs, joiners and directions, language tags.
        '\u{ad}'
        | '\u{600}'..='\u{605}'
        | '\u{61c}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'..='\u{891}'
        | '\u{8e2}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{110bd}'
        | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e007f}'
        // Private use.
        | '\u{e000}'..='\u{f8ff}'
        | '\u{f0000}'..='\u{10ffff}' => false,
        other => !other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_steers_a_terminal_becomes_its_code_and_all_else_stays() {
        for (text, expected) in [
            (
                "\u{1b}[1mbold tuna\u{1b}[0m, fish, \u{1b}[1mbold marlin\u{1b}[0m",
                "U+001B[1mbold tunaU+001B[0m, fish, U+001B[1mbold marlinU+001B[0m",
            ),
            ("\u{1b}[2Aup up, \u{1b}[2Cright right", "U+001B[2Aup up, U+001B[2Cright right"),
            ("clear: \u{1b}[2J", "clear: U+001B[2J"),
            ("right to left: \u{202e}\u{9b}2J\u{0}", "right to left: U+202EU+009B2JU+0000"),
            ("\u{e000}\u{10ffff}", "U+E000U+10FFFF"),
        ] {
            assert_eq!(visible(text), expected);
        }
        for text in [
            "tuna\nfish\r\nmarlin\t\r\ntuna\u{b}fish\u{c}marlin",
            "alpha: \u{3b1}, beta: \u{3b2}, gamma: \u{3b3}",
            "tu\u{301}na with a mark over the u, fi\u{302}sh, ma\u{30a}rlin",
            "t1na, f2sh, t12a, m567n",
            "\"here's a sentence; with! some...punctuation ;)\"",
            "the integral: \u{222b}\u{2081}\u{207f} f(x) dx \u{2248} \u{2211}\u{2090}\u{208c}\u{2081}\u{207f} a \u{2208} \u{2115}",
            "a paragraph separator\u{2029}and\u{2003}em\u{2003}spaces",
        ] {
            assert_eq!(visible(text), text);
        }
    }
}
