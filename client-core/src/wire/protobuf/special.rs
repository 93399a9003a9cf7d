//! Messages whose JSON is no object: times, quantities, and what may be one thing or another.

use super::{
    MAGIC, ProtobufError,
    reader::{Reader, Wire, bytes_of, integer_of, text_of},
};
use crate::meta::{MicroTime, Timestamp};

/// The last field of this number in a message.
pub(super) fn field_of(message: &[u8], wanted: u32) -> Result<Option<Wire<'_>>, ProtobufError> {
    let (mut reader, mut found) = (Reader::new(message), None);
    while let Some((number, wire)) = reader.next()? {
        if number == wanted {
            found = Some(wire);
        }
    }
    Ok(found)
}

/// The bytes in the last field of this number; empty where there is none.
pub(super) fn bytes_in(message: &[u8], wanted: u32) -> Result<&[u8], ProtobufError> {
    field_of(message, wanted)?.map_or(Ok(&[]), bytes_of)
}

/// The text in the last field of this number; empty where there is none.
pub(super) fn text_in(message: &[u8], wanted: u32) -> Result<&str, ProtobufError> {
    field_of(message, wanted)?.map_or(Ok(""), text_of)
}

fn integer_in(message: &[u8], wanted: u32) -> Result<i64, ProtobufError> {
    field_of(message, wanted)?.map_or(Ok(0), integer_of)
}

/// A time as JSON has it; `None` where it is not set (apimachinery `meta/v1/time_proto.go`).
pub(super) fn time_text(message: &[u8]) -> Result<Option<String>, ProtobufError> {
    let time = Timestamp::from_protobuf(moment(message)?);
    Ok((!time.is_zero()).then(|| time.to_string()))
}

/// A time to the microsecond as JSON has it; `None` where it is not set (apimachinery `meta/v1/micro_time_proto.go`).
pub(super) fn micro_time_text(message: &[u8]) -> Result<Option<String>, ProtobufError> {
    let time = MicroTime::from_protobuf(moment(message)?);
    Ok((!time.is_zero()).then(|| time.to_string()))
}

fn moment(message: &[u8]) -> Result<Option<(i64, i32)>, ProtobufError> {
    if message.is_empty() {
        return Ok(None);
    }
    let nanos = i32::try_from(integer_in(message, 2)?).ok().filter(|nanos| (0..1_000_000_000).contains(nanos));
    let nanos = nanos.ok_or_else(|| ProtobufError::Value("a time has more than a second of nanoseconds".to_owned()))?;
    Ok(Some((integer_in(message, 1)?, nanos)))
}

/// A number or a text (apimachinery `util/intstr`).
pub(super) enum IntegerOrText<'a> {
    Integer(i64),
    Text(&'a str),
}

impl<'a> IntegerOrText<'a> {
    pub(super) fn read(message: &'a [u8]) -> Result<Self, ProtobufError> {
        match integer_in(message, 1)? {
            0 => Ok(Self::Integer(integer_in(message, 2)?)),
            1 => Ok(Self::Text(text_in(message, 3)?)),
            other => Err(ProtobufError::Value(format!("there is no form {other} of what is a number or a text"))),
        }
    }
}

/// Whether an object in protobuf lies where JSON is expected (`runtime.RawExtension`).
pub(super) fn is_object(raw: &[u8]) -> bool {
    raw.starts_with(MAGIC)
}
