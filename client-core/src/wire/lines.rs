//! Lines from chunks.

use serde_json::{Deserializer, value::RawValue};

/// Cuts a byte stream into lines, wherever the chunks of the stream end: how watches send JSON (apimachinery `util/framer`,
/// `NewJSONFramedReader`, which takes any values one after the other; a server sends one a line).
///
/// ```
/// use porthole_client_core::wire::LineFramer;
///
/// let (mut framer, mut lines) = (LineFramer::default(), Vec::new());
/// for chunk in [&b"{\"type\":\"AD"[..], b"DED\"}\n{\"ty"] {
///     framer.push(chunk, |line| lines.push(String::from_utf8_lossy(line).into_owned()));
/// }
/// assert_eq!(lines, [r#"{"type":"ADDED"}"#]);
/// ```
#[derive(Debug, Default)]
pub struct LineFramer {
    /// The start of a line whose end has not come.
    open: Vec<u8>,
    /// The longest line that is handed out, in bytes.
    limit: Option<usize>,
    /// Whether the open line is longer, and is passed over.
    skipping: bool,
}

impl LineFramer {
    /// A framer that passes over lines of more than `limit` bytes, however much of them comes.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self { limit: Some(limit), ..Self::default() }
    }

    /// Calls `line` with each line that `chunk` completes, without its newline. Empty lines are passed over. Gives back
    /// how many lines turned out to be longer than the limit.
    pub fn push(&mut self, chunk: &[u8], mut line: impl FnMut(&[u8])) -> usize {
        let (mut start, mut too_long) = (0, 0);
        for end in memchr::memchr_iter(b'\n', chunk) {
            let piece = chunk.get(start..end).unwrap_or_default();
            start = end + 1;
            too_long += usize::from(self.exceeds(piece.len()));
            if std::mem::take(&mut self.skipping) {
                self.open.clear();
            } else if self.open.is_empty() {
                emit(piece, &mut line);
            } else {
                self.open.extend_from_slice(piece);
                emit(&self.open, &mut line);
                self.open.clear();
            }
        }
        let rest = chunk.get(start..).unwrap_or_default();
        too_long += usize::from(self.exceeds(rest.len()));
        if self.skipping {
            self.open = Vec::new();
        } else {
            self.open.extend_from_slice(rest);
        }
        too_long
    }

    /// Whether the open line is over the limit with `more` bytes, and was not before.
    fn exceeds(&mut self, more: usize) -> bool {
        let was = self.skipping;
        self.skipping |= self.limit.is_some_and(|limit| self.open.len() + more > limit);
        self.skipping && !was
    }

    /// Ends the stream: a line that is whole JSON without its newline is handed out, a cut one is dropped
    /// (whoever follows the stream goes on from the last version it has).
    pub fn finish(self, mut line: impl FnMut(&[u8])) {
        let rest = self.open;
        if !self.skipping && serde_json::from_slice::<&RawValue>(&rest).is_ok() {
            emit(&rest, &mut line);
        }
    }
}

/// The JSON values in a line that holds several, as client-go reads them. What is no value ends them, and is told as the last.
pub(crate) fn values(line: &[u8]) -> Vec<&[u8]> {
    let mut values = Vec::new();
    let mut stream = Deserializer::from_slice(line).into_iter::<&RawValue>();
    let mut end = 0;
    while let Some(Ok(value)) = stream.next() {
        values.push(value.get().as_bytes());
        end = stream.byte_offset();
    }
    let rest = line.get(end..).unwrap_or_default().trim_ascii();
    if !rest.is_empty() {
        values.push(rest);
    }
    values
}

fn emit(piece: &[u8], line: &mut impl FnMut(&[u8])) {
    let trimmed = piece.trim_ascii();
    if !trimmed.is_empty() {
        line(trimmed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn lines_of(chunks: &[&[u8]]) -> Vec<String> {
        let mut framer = LineFramer::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            framer.push(chunk, |line| lines.push(String::from_utf8(line.to_vec()).unwrap()));
        }
        framer.finish(|line| lines.push(String::from_utf8(line.to_vec()).unwrap()));
        lines
    }

    #[test]
    fn a_line_is_whole_wherever_the_chunks_end() {
        let text = "{\"a\":\"名前🦀\"}\n{\"b\":2}\n".as_bytes();
        for cut in 0..=text.len() {
            let (left, right) = text.split_at(cut);
            assert_eq!(lines_of(&[left, right]), ["{\"a\":\"名前🦀\"}", "{\"b\":2}"], "cut at {cut}");
        }
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(lines_of(&bytes).len(), 2);
    }

    #[test]
    fn a_large_object_in_small_chunks_is_one_line() {
        let text = format!("{{\"x\":\"{}\"}}\n", "y".repeat(1_500_000));
        let chunks: Vec<&[u8]> = text.as_bytes().chunks(7).collect();
        assert_eq!(lines_of(&chunks), [text.trim_end()]);
    }

    #[test]
    fn several_values_in_a_line_are_told_apart() {
        let texts = |line: &'static str| values(line.as_bytes()).into_iter().map(|value| std::str::from_utf8(value).unwrap());
        for (line, expected) in [
            (r#"{"test":true}1 ["a"]"#, &[r#"{"test":true}"#, "1", r#"["a"]"#][..]),
            (r#"{"a":"}{"} {"b":2}"#, &[r#"{"a":"}{"}"#, r#"{"b":2}"#]),
            ("{}", &["{}"]),
            ("", &[]),
            (r#"{}{"cut"#, &["{}", r#"{"cut"#]),
            ("<html>", &["<html>"]),
        ] {
            assert!(texts(line).eq(expected.iter().copied()), "{line}");
        }
    }

    #[test]
    fn values_of_every_kind_are_lines() {
        for size in [1, 3, 20, 100] {
            let chunks: Vec<&[u8]> = b"{\"test\":true}\n1\n[\"a\"]".chunks(size).collect();
            assert_eq!(lines_of(&chunks), [r#"{"test":true}"#, "1", r#"["a"]"#], "chunks of {size}");
        }
    }

    #[test]
    fn a_line_over_the_limit_is_passed_over_and_the_next_one_comes() {
        let text = format!("{{}}\n\"{}\"\n[1]\n\"{}\"\n", "x".repeat(30), "y".repeat(6));
        for size in [1, 3, 7, 1000] {
            let (mut framer, mut lines, mut too_long) = (LineFramer::with_limit(8), Vec::new(), 0);
            for chunk in text.as_bytes().chunks(size) {
                too_long += framer.push(chunk, |line| lines.push(String::from_utf8(line.to_vec()).unwrap()));
            }
            assert_eq!((lines, too_long), (vec!["{}".to_owned(), "[1]".into(), "\"yyyyyy\"".into()], 1), "{size}");
        }
    }

    #[test]
    fn a_cut_tail_is_dropped_and_a_whole_one_is_kept() {
        assert_eq!(lines_of(&[b"{\"a\":1}\n{\"type\":\"ADD"]), ["{\"a\":1}"]);
        assert_eq!(lines_of(&[b"{\"a\":1}\n\r\n{\"b\":2}"]), ["{\"a\":1}", "{\"b\":2}"]);
    }
}
