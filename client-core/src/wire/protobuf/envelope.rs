//! What every object in protobuf is put in.

use super::{
    ProtobufError,
    reader::{Reader, bytes_of, text_of},
    writer::bytes_field,
};

/// How an object in protobuf begins.
pub const MAGIC: &[u8; 4] = b"k8s\0";

/// `runtime.Unknown`: an object in protobuf, with what says of which kind it is.
///
/// ```
/// use porthole_client_core::wire::protobuf::Envelope;
///
/// let written = Envelope { api_version: "v1", kind: "Pod", raw: b"\x0a\x00" }.write();
/// assert_eq!(Envelope::read(&written)?, Envelope { api_version: "v1", kind: "Pod", raw: b"\x0a\x00" });
/// # Ok::<(), porthole_client_core::wire::protobuf::ProtobufError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The group and version, such as `apps/v1`.
    pub api_version: &'a str,
    /// The kind, such as `PodList`.
    pub kind: &'a str,
    /// The message of the object itself.
    pub raw: &'a [u8],
}

impl<'a> Envelope<'a> {
    /// The envelope that `body` is (`serializer.Decode`).
    ///
    /// # Errors
    /// Where `body` is no such envelope, where it has no object, or where its object is encoded.
    pub fn read(body: &'a [u8]) -> Result<Self, ProtobufError> {
        let message = body.strip_prefix(MAGIC).ok_or(ProtobufError::Magic)?;
        let (mut envelope, mut raw) = (Self::default(), None);
        let mut reader = Reader::new(message);
        while let Some((number, wire)) = reader.next()? {
            match number {
                1 => {
                    let mut reader = Reader::new(bytes_of(wire)?);
                    while let Some((number, wire)) = reader.next()? {
                        match number {
                            1 => envelope.api_version = text_of(wire)?,
                            2 => envelope.kind = text_of(wire)?,
                            _ => {}
                        }
                    }
                }
                2 => raw = Some(bytes_of(wire)?),
                3 => match text_of(wire)? {
                    "" => {}
                    encoding => return Err(ProtobufError::Encoding { encoding: encoding.to_owned() }),
                },
                // 4 is the content type, which says what the answer's header says.
                _ => {}
            }
        }
        // Go writes it however empty it is; a body that was cut before it shall not be an empty object.
        Ok(Self { raw: raw.ok_or(ProtobufError::Truncated)?, ..envelope })
    }

    /// The body that holds it (`serializer.Encode`).
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut kind = Vec::with_capacity(self.api_version.len() + self.kind.len() + 4);
        bytes_field(1, self.api_version.as_bytes(), &mut kind);
        bytes_field(2, self.kind.as_bytes(), &mut kind);
        let mut body = Vec::with_capacity(self.raw.len() + kind.len() + 24);
        body.extend_from_slice(MAGIC);
        bytes_field(1, &kind, &mut body);
        bytes_field(2, self.raw, &mut body);
        // As Go writes them: empty, but there.
        bytes_field(3, b"", &mut body);
        bytes_field(4, b"", &mut body);
        body
    }
}
