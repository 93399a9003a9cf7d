//! A body for a log.

/// What a log shows of a body: its first `most` bytes, and how much was left out (`truncateBody` in client-go's
/// `rest/request.go`, which shows none of it below verbosity 8, 1024 bytes at 8, 10240 at 9 and all of it above). A body that
/// is no text is told by its length.
///
/// ```
/// use porthole_client_core::rest::body_excerpt;
///
/// assert_eq!(body_excerpt(br#"{"kind":"Pod"}"#, 8), r#"{"kind": [6 bytes left out]"#);
/// assert_eq!(body_excerpt(b"k8s\0", 1024), "[4 bytes that are no text]");
/// ```
#[must_use]
pub fn body_excerpt(body: &[u8], most: usize) -> String {
    let text = std::str::from_utf8(body).ok().filter(|text| text.bytes().all(|byte| byte >= b'\t'));
    let Some(text) = text else { return format!("[{} bytes that are no text]", body.len()) };
    let end = text.floor_char_boundary(most);
    let (shown, rest) = text.split_at(end);
    if rest.is_empty() { shown.to_owned() } else { format!("{shown} [{} bytes left out]", rest.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_body_is_cut_to_what_is_asked_for_and_says_how_much_is_left_out() {
        let a = |length| "a".repeat(length);
        for (body, most, excerpt) in [
            ("none of it".to_owned(), 0, " [10 bytes left out]".to_owned()),
            ("a small one".into(), 11, "a small one".into()),
            ("a small one".into(), usize::MAX, "a small one".into()),
            (String::new(), 0, String::new()),
            (a(2000), 1024, format!("{} [976 bytes left out]", a(1024))),
            (a(20_000), 10_240, format!("{} [9760 bytes left out]", a(10_240))),
            (a(20_000), usize::MAX, a(20_000)),
            ("aü".into(), 2, "a [2 bytes left out]".into()),
        ] {
            assert_eq!(body_excerpt(body.as_bytes(), most), excerpt);
        }
    }

    #[test]
    fn a_body_that_is_no_text_is_told_by_its_length() {
        for body in [&b"\xff\xfe"[..], b"\x01a"] {
            assert_eq!(body_excerpt(body, 100), "[2 bytes that are no text]");
        }
    }
}
