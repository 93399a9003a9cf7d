//! The end of a JSON value, wherever the chunks end that it comes in.

use std::borrow::Cow;

use memchr::memchr2;

/// The names of fields on the way to something in a value: at each step one of several.
pub(super) type Way = &'static [&'static [&'static str]];

/// What stands at the end of the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// A field that is left out.
    LeaveOut,
    /// A list at whose start to stop, once.
    List,
}

/// What was found in a chunk.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The value ends before this place.
    End(usize),
    /// The list that is looked for begins before this place; what it is called is this name of those in the way.
    List(usize, usize),
    /// The value goes on in the next chunk; what is there of it is in `text`.
    Nothing,
}

/// Goes through a value, looking at strings, brackets, colons and commas alone: whether it is JSON is for whoever reads it. It
/// never fails, and never holds more than the value.
pub(super) struct Scanner {
    /// What is kept of the value so far, up to `from`.
    pub(super) text: Vec<u8>,
    /// Where in the chunk that begins which is kept, and not in `text` yet.
    from: usize,
    way: Way,
    goal: Goal,
    /// How many brackets are open.
    depth: usize,
    /// How many steps of the way lead here.
    steps: usize,
    /// Whether the value that comes is that of the next step, and by which of its names.
    on_way: Option<usize>,
    in_string: bool,
    /// Whether the chunk ended after a backslash.
    escaped: bool,
    /// Where the last string is, with its quotes. Places are those in what is kept.
    string: (usize, usize),
    /// Where the last comma is between the fields of the object that the way leads to.
    pub(super) comma: Option<usize>,
    leaves_out: bool,
}

impl Scanner {
    pub(super) const fn new(way: Way, goal: Goal) -> Self {
        Self {
            text: Vec::new(),
            from: 0,
            way,
            goal,
            depth: 0,
            steps: 0,
            on_way: None,
            in_string: false,
            escaped: false,
            string: (0, 0),
            comma: None,
            leaves_out: false,
        }
    }

    /// Begins a value at this place, keeping the room of the last.
    pub(super) fn begin(&mut self, at: usize) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        *self = Self { text, from: at, ..Self::new(self.way, self.goal) };
    }

    /// Begins the next chunk.
    pub(super) const fn next_chunk(&mut self) {
        self.from = 0;
    }

    /// Keeps what there is before `end`.
    pub(super) fn keep(&mut self, chunk: &[u8], end: usize) {
        self.text.extend_from_slice(chunk.get(self.from..end).unwrap_or_default());
        self.from = end;
    }

    /// The value that ends here. It is a part of the chunk where it lies in that whole.
    pub(super) fn whole<'a>(&'a mut self, chunk: &'a [u8], end: usize) -> &'a [u8] {
        if self.text.is_empty() {
            return chunk.get(self.from..end).unwrap_or_default();
        }
        self.keep(chunk, end);
        &self.text
    }

    /// Goes on after the list that was found, which ends before `at`. The next one is no goal.
    pub(super) const fn leave_list(&mut self, at: usize) {
        self.depth = self.depth.saturating_sub(1);
        self.from = at;
        self.comma = Some(self.text.len());
        self.way = &[];
    }

    /// Looks at the chunk from `at` on.
    pub(super) fn scan(&mut self, chunk: &[u8], mut at: usize) -> Found {
        if self.in_string {
            match self.end_string(chunk, at) {
                Some(end) => at = end,
                None => return self.nothing(chunk),
            }
            if self.depth == 0 {
                return Found::End(at);
            }
        }
        while let Some(&byte) = chunk.get(at) {
            match byte {
                b'"' => {
                    self.string.0 = self.place(at);
                    match self.end_string(chunk, at + 1) {
                        Some(end) => at = end,
                        None => return self.nothing(chunk),
                    }
                    if self.depth == 0 {
                        return Found::End(at);
                    }
                    continue;
                }
                b'{' | b'[' => {
                    self.depth = self.depth.saturating_add(1);
                    if let Some(name) = self.on_way.take() {
                        if byte == b'{' && self.goal == Goal::LeaveOut {
                            self.steps += 1;
                            self.comma = None;
                        } else if byte == b'[' && self.goal == Goal::List {
                            return Found::List(at + 1, name);
                        }
                    }
                }
                b'}' | b']' => {
                    if self.leaves_out && self.depth == self.steps + 1 {
                        (self.leaves_out, self.from) = (false, at);
                    }
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == self.steps {
                        if self.depth == 0 {
                            return Found::End(at + 1);
                        }
                        self.steps -= 1;
                    }
                }
                b':' if self.depth == self.steps + 1 && !self.leaves_out => self.colon(chunk, at),
                b',' if self.depth == self.steps + 1 => self.comma(at),
                _ => {}
            }
            at += 1;
        }
        self.nothing(chunk)
    }

    /// The place in what is kept.
    const fn place(&self, at: usize) -> usize {
        // While something is left out this is of no use, and of no harm.
        self.text.len().wrapping_add(at).wrapping_sub(self.from)
    }

    /// Keeps what there is.
    fn nothing(&mut self, chunk: &[u8]) -> Found {
        if !self.leaves_out {
            self.keep(chunk, chunk.len());
        }
        Found::Nothing
    }

    /// The end of the string that goes on at `at`, where it is in this chunk.
    fn end_string(&mut self, chunk: &[u8], mut at: usize) -> Option<usize> {
        if self.escaped && at < chunk.len() {
            self.escaped = false;
            at += 1;
        }
        self.in_string = true;
        while let Some(rest) = chunk.get(at..) {
            let found = memchr2(b'"', b'\\', rest)?;
            at += found + 1;
            if rest.get(found) == Some(&b'"') {
                self.in_string = false;
                self.string.1 = self.place(at);
                return Some(at);
            }
            // What is escaped is passed over. A string that goes on after it begins with another place.
            at += 1;
        }
        self.escaped = true;
        None
    }

    /// After the name of a field that may be on the way.
    fn colon(&mut self, chunk: &[u8], at: usize) {
        let Some(names) = self.way.get(self.steps) else { return };
        let (start, end) = self.string;
        if start < self.text.len() && end > self.text.len() {
            self.keep(chunk, at);
        }
        let kept = self.text.len();
        let string = match start.checked_sub(kept) {
            Some(start) => chunk.get(self.from.saturating_add(start)..self.from.saturating_add(end.saturating_sub(kept))),
            None => self.text.get(start..end),
        };
        let string = string.unwrap_or_default();
        self.on_way = names.iter().position(|name| is_text(string, name));
        if self.on_way.is_some() && self.goal == Goal::LeaveOut && self.steps + 1 == self.way.len() {
            // Left out with the comma before it, or, as the first field, with the one after it.
            let cut = self.comma.unwrap_or(start);
            match cut.checked_sub(kept) {
                Some(more) => self.keep(chunk, self.from.saturating_add(more)),
                None => self.text.truncate(cut),
            }
            (self.on_way, self.leaves_out) = (None, true);
        }
    }

    /// After a field of the object that the way leads to.
    fn comma(&mut self, at: usize) {
        if std::mem::take(&mut self.leaves_out) {
            self.from = at + usize::from(self.comma.is_none());
            if self.comma.is_none() {
                return;
            }
        }
        self.comma = Some(self.place(at));
    }
}

/// Whether a string of JSON, with its quotes, is this text.
fn is_text(string: &[u8], text: &str) -> bool {
    match string.get(1..string.len().saturating_sub(1)) {
        Some(inner) if inner.len() <= text.len() => inner == text.as_bytes(),
        Some(inner) if inner.contains(&b'\\') => {
            serde_json::from_slice::<Cow<'_, str>>(string).is_ok_and(|string| string == text)
        }
        _ => false,
    }
}

/// `text` without the field at the end of the way, where it is an object that has it; all else is the same byte for byte.
pub(super) fn leave_out(text: &[u8], way: Way) -> Cow<'_, [u8]> {
    let mut scanner = Scanner::new(way, Goal::LeaveOut);
    let start = text.len() - text.trim_ascii_start().len();
    match scanner.scan(text, start) {
        Found::End(_) if !scanner.text.is_empty() => {
            scanner.keep(text, text.len());
            Cow::Owned(scanner.text)
        }
        _ => Cow::Borrowed(text),
    }
}
