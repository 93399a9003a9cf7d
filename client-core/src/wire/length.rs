//! Frames with their length before them.

use thiserror::Error;

/// The longest frame that is read: apimachinery's limit for an object of a stream.
pub(crate) const LONGEST_FRAME: usize = 16 * 1024 * 1024;

/// The bytes of a length.
const HEADER: usize = 4;

/// A frame that cannot be read.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameError {
    /// It is longer than may be; the frames after it are read.
    #[error("a frame of the stream has {length} bytes, and {limit} are the most that are read")]
    TooLong {
        /// Its length.
        length: usize,
        /// The longest that is read.
        limit: usize,
    },
    /// The stream ended within it.
    #[error("the stream ended in the middle of a frame")]
    Cut,
}

/// Cuts a byte stream into frames, each after its length as four bytes, the highest first: how watches send protobuf
/// (apimachinery `util/framer`, `NewLengthDelimitedFrameReader`). What is in the frames is not looked at.
///
/// ```
/// use porthole_client_core::wire::LengthFramer;
///
/// let mut frames = Vec::new();
/// let mut framer = LengthFramer::default();
/// for chunk in [&b"\0\0\0\x02ab\0\0"[..], b"\0\x01c"] {
///     framer.push(chunk, |frame| frames.push(frame.unwrap().to_vec()));
/// }
/// framer.finish()?;
/// assert_eq!(frames, [&b"ab"[..], b"c"]);
/// # Ok::<(), porthole_client_core::wire::FrameError>(())
/// ```
#[derive(Debug)]
pub struct LengthFramer {
    /// The start of a frame whose end has not come, with its length.
    open: Vec<u8>,
    limit: usize,
    /// How much is still to come of a frame that is passed over.
    skipped: usize,
}

/// Frames of up to 16 MiB.
impl Default for LengthFramer {
    fn default() -> Self {
        Self::with_limit(LONGEST_FRAME)
    }
}

impl LengthFramer {
    /// A framer that passes over frames of more than `limit` bytes, without holding them.
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        Self { open: Vec::new(), limit, skipped: 0 }
    }

    /// Calls `frame` with each frame that `chunk` completes, empty ones as well, and with an error for each that is too long.
    pub fn push(&mut self, chunk: &[u8], mut frame: impl FnMut(Result<&[u8], FrameError>)) {
        let mut rest = chunk;
        loop {
            let skipped = self.skipped.min(rest.len());
            rest = rest.get(skipped..).unwrap_or_default();
            self.skipped -= skipped;
            if rest.is_empty() {
                return;
            }
            if self.open.is_empty()
                && let Some((body, after)) = whole_frame(rest, self.limit)
            {
                // Nearly every frame: it lies in one chunk and is not copied.
                frame(Ok(body));
                rest = after;
                continue;
            }
            rest = self.take(rest, HEADER);
            let Some(length) = length_of(&self.open) else { return };
            if length > self.limit {
                frame(Err(FrameError::TooLong { length, limit: self.limit }));
                self.skipped = length;
                self.open.clear();
                continue;
            }
            let end = HEADER.saturating_add(length);
            rest = self.take(rest, end);
            if self.open.len() < end {
                return;
            }
            frame(Ok(self.open.get(HEADER..).unwrap_or_default()));
            self.open.clear();
        }
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// [`FrameError::Cut`] where it ends within a frame.
    pub fn finish(self) -> Result<(), FrameError> {
        if self.open.is_empty() && self.skipped == 0 { Ok(()) } else { Err(FrameError::Cut) }
    }

    /// Moves from `rest` what the open frame lacks to `length` bytes.
    fn take<'a>(&mut self, rest: &'a [u8], length: usize) -> &'a [u8] {
        let missing = length.saturating_sub(self.open.len()).min(rest.len());
        let (taken, rest) = rest.split_at(missing);
        self.open.extend_from_slice(taken);
        rest
    }
}

fn length_of(bytes: &[u8]) -> Option<usize> {
    bytes.first_chunk().map(|header| u32::from_be_bytes(*header) as usize)
}

/// The frame that `bytes` begin with, where it is whole and not too long, and what follows it.
fn whole_frame(bytes: &[u8], limit: usize) -> Option<(&[u8], &[u8])> {
    let length = length_of(bytes).filter(|length| *length <= limit)?;
    bytes.get(HEADER..)?.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const STREAM: &[u8] = &[0, 0, 0, 4, 1, 2, 3, 4, 0, 0, 0, 3, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 1, 8];

    type Frames = Vec<Result<Vec<u8>, FrameError>>;

    fn framed(bodies: &[Vec<u8>]) -> Vec<u8> {
        let frame = |body: &Vec<u8>| [&u32::try_from(body.len()).unwrap().to_be_bytes(), body.as_slice()].concat();
        bodies.iter().flat_map(frame).collect()
    }

    /// The frames of `stream` in chunks of `size`, and whether it ended between two.
    fn frames(mut framer: LengthFramer, stream: &[u8], size: usize) -> (Frames, Result<(), FrameError>) {
        let mut read = Vec::new();
        for chunk in stream.chunks(size) {
            framer.push(chunk, |frame| read.push(frame.map(<[u8]>::to_vec)));
        }
        (read, framer.finish())
    }

    fn small() -> Frames {
        [&[1, 2, 3, 4][..], &[5, 6, 7], &[], &[8]].map(|frame| Ok(frame.to_vec())).into()
    }

    #[test]
    fn a_frame_is_whole_wherever_the_chunks_end() {
        for size in 1..=STREAM.len() {
            assert_eq!(frames(LengthFramer::default(), STREAM, size), (small(), Ok(())), "chunks of {size}");
        }
    }

    #[test]
    fn frames_in_one_large_chunk_come_one_by_one() {
        let many = STREAM.repeat(1000);
        let (all, end) = frames(LengthFramer::default(), &many, many.len());
        assert_eq!((all.len(), end), (4000, Ok(())));
        assert!(all.chunks(4).all(|four| four == small()));
    }

    #[test]
    fn a_stream_that_ends_within_a_frame_is_cut() {
        for length in 0..STREAM.len() {
            let (whole, end) = frames(LengthFramer::default(), &STREAM[..length], 3);
            let is_between = [0, 8, 15, 19].contains(&length);
            assert_eq!(end.is_ok(), is_between, "after {length} bytes");
            assert!(small().starts_with(&whole));
        }
        assert_eq!(frames(LengthFramer::with_limit(2), &STREAM[..6], 6).1, Err(FrameError::Cut));
    }

    #[test]
    fn an_empty_stream_has_no_frames() {
        assert_eq!(frames(LengthFramer::default(), &[], 1), (vec![], Ok(())));
    }

    #[test]
    fn a_frame_over_the_limit_is_an_error_and_the_next_one_comes() {
        let bodies = [1025, 5 * 1024, 17 * 1024 * 1024, 1025, LONGEST_FRAME].map(|length| vec![7; length]);
        let expected: Vec<_> = bodies
            .iter()
            .map(|body| match body.len() {
                length if length > LONGEST_FRAME => Err(FrameError::TooLong { length, limit: LONGEST_FRAME }),
                _ => Ok(body.clone()),
            })
            .collect();
        for size in [1000, 64 * 1024, usize::MAX] {
            let (read, end) = frames(LengthFramer::default(), &framed(&bodies), size);
            assert!(read == expected && end.is_ok(), "chunks of {size}");
        }
        for size in 1..9 {
            let error = Err(FrameError::TooLong { length: 4, limit: 3 });
            let read = frames(LengthFramer::with_limit(3), STREAM, size).0;
            assert_eq!(read, [vec![error], small()[1..].to_vec()].concat(), "chunks of {size}");
        }
    }

    #[test]
    fn a_frame_that_is_passed_over_is_not_held() {
        let mut framer = LengthFramer::with_limit(10);
        framer.push(&u32::MAX.to_be_bytes(), |frame| assert!(frame.is_err()));
        (0..1000).for_each(|_| framer.push(&[0; 1000], |frame| panic!("{frame:?}")));
        assert!(framer.open.capacity() <= 8);
    }
}
