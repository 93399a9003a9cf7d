//! The fields of a message, one after the other: the wire format of protobuf.

use super::ProtobufError;

/// What a field holds, by its encoding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wire<'a> {
    Varint(u64),
    Fixed64(u64),
    Bytes(&'a [u8]),
    Fixed32(u32),
}

/// Reads the fields of a message in the order in which they were written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) const fn new(message: &'a [u8]) -> Self {
        Self(message)
    }

    /// The next field with its number; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(u32, Wire<'a>)>, ProtobufError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).ok().filter(|number| (1..1 << 29).contains(number));
        let number = number.ok_or(ProtobufError::Tag { tag })?;
        let wire = match tag & 7 {
            0 => Wire::Varint(self.varint()?),
            1 => Wire::Fixed64(u64::from_le_bytes(self.array()?)),
            2 => {
                let length = self.varint()?;
                Wire::Bytes(self.take(usize::try_from(length).map_err(|_too_long| ProtobufError::Truncated)?)?)
            }
            5 => Wire::Fixed32(u32::from_le_bytes(self.array()?)),
            // Groups, which Kubernetes never had, and what never was.
            _ => return Err(ProtobufError::Tag { tag }),
        };
        Ok(Some((number, wire)))
    }

    /// A number in groups of seven bits, the lowest first.
    pub(super) fn varint(&mut self) -> Result<u64, ProtobufError> {
        let mut value = 0;
        for (index, byte) in self.0.iter().copied().enumerate().take(10) {
            let bits = u64::from(byte & 0x7f);
            if index == 9 && bits > 1 {
                return Err(ProtobufError::Varint);
            }
            value |= bits << (7 * index);
            if byte < 0x80 {
                self.0 = self.0.get(index + 1..).unwrap_or_default();
                return Ok(value);
            }
        }
        Err(if self.0.len() < 10 { ProtobufError::Truncated } else { ProtobufError::Varint })
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], ProtobufError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(ProtobufError::Truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ProtobufError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(ProtobufError::Truncated)?;
        self.0 = rest;
        Ok(*taken)
    }
}

/// The fields of a message with growing numbers, those of one number in the order in which they were written.
///
/// Servers write them so, and then they are read as they lie there; protobuf itself does not ask for it.
#[derive(Debug)]
pub(super) struct Ordered<'a> {
    ahead: Option<(u32, Wire<'a>)>,
    after: After<'a>,
}

#[derive(Debug)]
enum After<'a> {
    Written(Reader<'a>),
    Sorted(std::vec::IntoIter<(u32, Wire<'a>)>),
}

impl<'a> Ordered<'a> {
    /// The fields of `message`, which is checked to be whole at this level.
    pub(super) fn new(message: &'a [u8]) -> Result<Self, ProtobufError> {
        let (mut reader, mut last, mut in_order) = (Reader::new(message), 0, true);
        while let Some((number, _)) = reader.next()? {
            in_order &= number >= last;
            last = number;
        }
        let mut reader = Reader::new(message);
        let after = if in_order {
            After::Written(reader)
        } else {
            let mut fields = Vec::new();
            while let Some(field) = reader.next()? {
                fields.push(field);
            }
            fields.sort_by_key(|(number, _)| *number);
            After::Sorted(fields.into_iter())
        };
        let mut ordered = Self { ahead: None, after };
        ordered.next()?;
        Ok(ordered)
    }

    pub(super) fn next(&mut self) -> Result<Option<(u32, Wire<'a>)>, ProtobufError> {
        let ahead = match &mut self.after {
            After::Written(reader) => reader.next()?,
            After::Sorted(fields) => fields.next(),
        };
        Ok(std::mem::replace(&mut self.ahead, ahead))
    }

    /// The next field, where it has this number.
    pub(super) fn next_of(&mut self, wanted: u32) -> Result<Option<Wire<'a>>, ProtobufError> {
        if self.ahead.is_none_or(|(number, _)| number != wanted) {
            return Ok(None);
        }
        Ok(self.next()?.map(|(_, wire)| wire))
    }
}

/// The bytes of a field that has some.
pub(super) fn bytes_of(wire: Wire<'_>) -> Result<&[u8], ProtobufError> {
    match wire {
        Wire::Bytes(bytes) => Ok(bytes),
        other => Err(ProtobufError::Value(format!("a field with bytes was expected, and it has {other:?}"))),
    }
}

/// The text of a field that has one.
pub(super) fn text_of(wire: Wire<'_>) -> Result<&str, ProtobufError> {
    str::from_utf8(bytes_of(wire)?).map_err(|error| ProtobufError::Value(format!("a text is no UTF-8: {error}")))
}

/// The whole number of a field that has one; a sign lies in the highest of 64 bits.
pub(super) fn integer_of(wire: Wire<'_>) -> Result<i64, ProtobufError> {
    match wire {
        Wire::Varint(number) => Ok(number.cast_signed()),
        other => Err(ProtobufError::Value(format!("a number was expected, and it is {other:?}"))),
    }
}
