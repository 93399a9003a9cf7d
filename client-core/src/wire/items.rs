//! The items of a list, as its bytes arrive.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::{
    DecodeError,
    scanner::{Found, Goal, Scanner, Way, leave_out},
};

const OF_ITEM: Way = &[&["metadata"], &["managedFields"]];
const OF_ROW_OR_EVENT: Way = &[&["object"], &["metadata"], &["managedFields"]];
/// How much of what is no list is kept, for the message.
const LONGEST_START: usize = 400;
const NOTHING: Way = &[];
const ITEMS_OR_ROWS: Way = &[&["items", "rows"]];

/// The text of a JSON object without `metadata.managedFields`, which take a third of a list and which hardly anybody reads.
/// Everything else is the same byte for byte; a text that is no object is given back as it is.
///
/// ```
/// use porthole_client_core::wire::without_managed_fields;
///
/// let pod = br#"{"metadata":{"name":"a","managedFields":[{"manager":"kubectl"}]},"spec":{}}"#;
/// assert_eq!(*without_managed_fields(pod), *br#"{"metadata":{"name":"a"},"spec":{}}"#);
/// ```
#[must_use]
pub fn without_managed_fields(text: &[u8]) -> Cow<'_, [u8]> {
    leave_out(text, OF_ITEM)
}

/// The line of a watch without the `managedFields` of its object.
pub(super) fn event_without_managed_fields(line: &[u8]) -> Cow<'_, [u8]> {
    leave_out(line, OF_ROW_OR_EVENT)
}

/// An item of a list, or a row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    /// Its text.
    pub text: &'a [u8],
    /// The list around it as far as it has come, without its elements: JSON, where the list is.
    pub envelope: &'a [u8],
    /// Whether it comes from `rows` rather than from `items`.
    pub is_row: bool,
}

/// Takes the body of a list apart as it arrives, wherever its chunks end: the elements of its `items` (or, of a table, its
/// `rows`) one by one, each as soon as it is whole, and the envelope around them. So the first rows are there before the last
/// byte is, and a list of any length takes the room of one item. client-go reads lists whole; its rule that one item that is
/// kept does not keep the list (`ListWithAlloc`) holds here by itself.
///
/// An element is handed out where it lies in the chunk, and copied where it spans two. Whether it is JSON is for whoever reads
/// it to see, so that a bad one stops nothing.
///
/// ```
/// use porthole_client_core::wire::ItemReader;
///
/// let (mut reader, mut items) = (ItemReader::default(), Vec::new());
/// for chunk in [&br#"{"kind":"PodList","items":[{"a"#[..], br#"":1},{"b":2}],"metadata":{}}"#] {
///     reader.push(chunk, &mut |item| items.push(String::from_utf8_lossy(item.text).into_owned()));
/// }
/// assert_eq!(items, [r#"{"a":1}"#, r#"{"b":2}"#]);
/// assert_eq!(reader.finish()?, br#"{"kind":"PodList","items":[],"metadata":{}}"#);
/// # Ok::<(), porthole_client_core::wire::DecodeError>(())
/// ```
pub struct ItemReader {
    state: State,
    envelope: Scanner,
    element: Scanner,
    leaves_out: bool,
    is_row: bool,
    count: usize,
    /// How many bytes came in the chunks before.
    offset: u64,
    fault: Option<(&'static str, u64)>,
}

opaque_debug!(ItemReader);

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing came.
    Start,
    /// In the list, outside of its elements.
    Envelope,
    /// Between two elements.
    Between(Expected),
    /// In an element with an end of its own.
    Element,
    /// In a number or a word.
    Bare,
    /// All came.
    End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    ElementOrEnd,
    Element,
    CommaOrEnd,
}

impl Default for ItemReader {
    fn default() -> Self {
        Self {
            state: State::Start,
            envelope: Scanner::new(ITEMS_OR_ROWS, Goal::List),
            element: Scanner::new(NOTHING, Goal::LeaveOut),
            leaves_out: false,
            is_row: false,
            count: 0,
            offset: 0,
            fault: None,
        }
    }
}

impl ItemReader {
    /// A reader that leaves `metadata.managedFields` out of the items (`object.metadata.managedFields` of rows), as
    /// [`without_managed_fields`] does, on its way through them.
    #[must_use]
    pub fn without_managed_fields() -> Self {
        Self { leaves_out: true, ..Self::default() }
    }

    /// Takes a chunk in, and calls `each` with every element that it completes. After a fault, which [`finish`](Self::finish)
    /// tells, nothing more is read.
    pub fn push(&mut self, chunk: &[u8], each: &mut dyn FnMut(Element<'_>)) {
        self.envelope.next_chunk();
        self.element.next_chunk();
        let mut at = 0;
        while at < chunk.len() && self.fault.is_none() {
            at = self.advance(chunk, at, each);
        }
        let start = &mut self.envelope.text;
        if self.state == State::Start && self.fault.is_some() && start.len() < LONGEST_START {
            start.extend(chunk.iter().skip(at).take(LONGEST_START));
        }
        self.offset = self.offset.saturating_add(chunk.len() as u64);
    }

    /// The list as far as it has come, without its elements, closed so that it is JSON.
    #[must_use]
    pub fn envelope(&self) -> Cow<'_, [u8]> {
        match self.state {
            State::Start => Cow::Borrowed(b"{}"),
            State::Envelope => match self.envelope.comma.and_then(|end| self.envelope.text.get(..end)) {
                Some(whole) => Cow::Owned([whole, b"}"].concat()),
                None => Cow::Borrowed(b"{}"),
            },
            State::Between(_) | State::Element | State::Bare | State::End => Cow::Borrowed(&self.envelope.text),
        }
    }

    /// Ends the body, and gives back the whole envelope, which is JSON.
    ///
    /// # Errors
    /// Where the body was cut, or no JSON object. The message says what is wrong, and where. That what is JSON is no list is for
    /// whoever reads the envelope to see.
    pub fn finish(self) -> Result<Vec<u8>, DecodeError> {
        let Self { state, envelope: Scanner { text, .. }, count, offset, fault, .. } = self;
        let error = |message: String| DecodeError::new("the list", message, &text);
        match (fault, state) {
            (Some((what, at)), _) => Err(error(format!("{what} at byte {at}, after {count} items"))),
            (None, State::Start) => Err(error("it is empty".to_owned())),
            (None, State::End) => match serde_json::from_slice::<&RawValue>(&text) {
                Ok(_) => Ok(text),
                Err(wrong) => Err(error(format!("{wrong}, not counting its {count} items"))),
            },
            (None, _) => Err(error(format!("it is cut after {offset} bytes and {count} items"))),
        }
    }

    /// Reads on at `at`, and gives back up to where it read.
    fn advance(&mut self, chunk: &[u8], at: usize, each: &mut dyn FnMut(Element<'_>)) -> usize {
        match self.state {
            State::Start => match first_visible(chunk, at) {
                (at, Some(b'{')) => {
                    self.envelope.begin(at);
                    self.state = State::Envelope;
                    at
                }
                (at, None) => at,
                (at, Some(_)) => self.fail("it is no JSON object", at),
            },
            State::Envelope => match self.envelope.scan(chunk, at) {
                Found::Nothing => chunk.len(),
                Found::End(end) => {
                    self.envelope.keep(chunk, end);
                    self.state = State::End;
                    end
                }
                Found::List(start, name) => {
                    self.envelope.keep(chunk, start);
                    self.envelope.text.extend_from_slice(b"]}");
                    self.is_row = name == 1;
                    if self.leaves_out {
                        self.element = Scanner::new(if self.is_row { OF_ROW_OR_EVENT } else { OF_ITEM }, Goal::LeaveOut);
                    }
                    self.state = State::Between(Expected::ElementOrEnd);
                    start
                }
            },
            State::Between(expected) => self.between(chunk, at, expected),
            State::Element => match self.element.scan(chunk, at) {
                Found::End(end) => self.hand_out(chunk, end, each),
                Found::Nothing | Found::List(..) => chunk.len(),
            },
            State::Bare => {
                let rest = chunk.get(at..).unwrap_or_default();
                let length = rest.iter().position(|byte| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r'));
                let Some(length) = length else {
                    self.element.keep(chunk, chunk.len());
                    return chunk.len();
                };
                self.hand_out(chunk, at + length, each)
            }
            State::End => match first_visible(chunk, at) {
                (at, None) => at,
                (at, Some(_)) => self.fail("something follows its end", at),
            },
        }
    }

    fn between(&mut self, chunk: &[u8], at: usize, expected: Expected) -> usize {
        let (at, byte) = first_visible(chunk, at);
        let Some(byte) = byte else { return at };
        match (byte, expected) {
            (b']', Expected::ElementOrEnd | Expected::CommaOrEnd) => {
                self.envelope.text.pop();
                self.envelope.leave_list(at + 1);
                self.state = State::Envelope;
                at + 1
            }
            (b',', Expected::CommaOrEnd) => {
                self.state = State::Between(Expected::Element);
                at + 1
            }
            (_, Expected::CommaOrEnd) => self.fail("there is no comma", at),
            (b',' | b':' | b']' | b'}', _) => self.fail("there is no item", at),
            _ => {
                self.element.begin(at);
                self.state = if matches!(byte, b'{' | b'[' | b'"') { State::Element } else { State::Bare };
                at
            }
        }
    }

    fn hand_out(&mut self, chunk: &[u8], end: usize, each: &mut dyn FnMut(Element<'_>)) -> usize {
        self.count += 1;
        self.state = State::Between(Expected::CommaOrEnd);
        each(Element { text: self.element.whole(chunk, end), envelope: &self.envelope.text, is_row: self.is_row });
        end
    }

    fn fail(&mut self, what: &'static str, at: usize) -> usize {
        self.fault = Some((what, self.offset.saturating_add(at as u64)));
        at
    }
}

/// The next byte that is no space, and where it is.
fn first_visible(chunk: &[u8], mut at: usize) -> (usize, Option<u8>) {
    while let Some(&byte) = chunk.get(at) {
        if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            return (at, Some(byte));
        }
        at += 1;
    }
    (at, None)
}

#[cfg(test)]
mod tests;
