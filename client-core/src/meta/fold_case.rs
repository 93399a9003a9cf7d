//! Letters without their case.

use std::borrow::Cow;

/// A letter without its case: ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic, as `char::to_lowercase` has them where that is one
/// letter (`İ` is `i`). Others stay as they are: the table that has them weighs 12 kB of the page.
///
/// client-go has nothing like it.
#[must_use]
pub fn fold_char(letter: char) -> char {
    let code = u32::from(letter);
    let folded = match code {
        0x41..=0x5a | 0xc0..=0xd6 | 0xd8..=0xde | 0x391..=0x3a1 | 0x3a3..=0x3ab | 0x410..=0x42f => code + 32,
        0x130 => 0x69,
        // Capitals and small letters in turn: capitals even, or odd.
        0x100..=0x137 | 0x14a..=0x177 | 0x370..=0x373 | 0x376 | 0x3d8..=0x3ef | 0x460..=0x481 | 0x48a..=0x4bf | 0x4d0..=0x52f => {
            code | 1
        }
        0x139..=0x148 | 0x179..=0x17e | 0x3f7 | 0x4c1..=0x4ce => code + (code & 1),
        0x178 => 0xff,
        0x37f => 0x3f3,
        0x386 => 0x3ac,
        0x388..=0x38a => code + 37,
        0x38c => 0x3cc,
        0x38e..=0x38f => code + 63,
        0x3cf => 0x3d7,
        0x3f4 => 0x3b8,
        0x3f9 => 0x3f2,
        0x3fa => 0x3fb,
        0x3fd..=0x3ff => code - 130,
        0x400..=0x40f => code + 80,
        0x4c0 => 0x4cf,
        _ => return letter,
    };
    char::from_u32(folded).unwrap_or(letter)
}

/// A text without the case of its letters; itself, where none has any.
///
/// ```
/// use porthole_client_core::meta::fold_case;
///
/// assert_eq!(fold_case("CrashLoop ÄŽΩЯ"), "crashloop äžωя");
/// ```
#[must_use]
pub fn fold_case(text: &str) -> Cow<'_, str> {
    if text.chars().all(|letter| fold_char(letter) == letter) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(fold_char).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn letters_are_folded_as_the_standard_library_does() {
        for letter in ('\0'..='\u{17f}').chain('\u{370}'..='\u{52f}') {
            let mut standard = letter.to_lowercase();
            match (standard.next(), standard.next()) {
                (Some(one), None) => assert_eq!(fold_char(letter), one, "{letter} {:x}", u32::from(letter)),
                _ => assert_eq!((letter, fold_char(letter)), ('İ', 'i')),
            }
        }
    }

    #[test]
    fn what_has_no_case_is_not_copied() {
        assert!(matches!(fold_case("web-0 名前"), Cow::Borrowed("web-0 名前")));
        assert_eq!(fold_case("Web-0 名前"), "web-0 名前");
    }
}
