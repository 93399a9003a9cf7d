//! Objects and watches in protobuf (apimachinery `pkg/runtime/serializer/protobuf`), of the feature `protobuf`.
//!
//! The types that a program reads stay the same: what JSON has for a field, its name and its form, is in a [`Schema`], and with
//! it the bytes are read straight into any type that reads JSON by serde, without JSON in between. So `k8s-openapi`'s types, of
//! whichever version the program chose, are read both ways and are equal; there is no second set of types.
//!
//! Guarantees: a length that lies, a cut body, a nesting without end or a text that is no UTF-8 is an error and never a panic;
//! nothing is allocated for a length that the bytes do not have; fields that are not known are passed over; one bad object of a
//! list or a watch stops nothing. Leaves out: tables and custom resources, which no server writes in protobuf (the metadata of
//! custom resources it does); the encodings of `contentEncoding`, which no server uses.
//!
//! What is known from a [`Schema`] alone: a field of a newer Kubernetes than the schema's is passed over, as client-go passes
//! over fields that its types do not have. [`Schema::kubernetes`] has all of 1.33 to 1.37.

mod decode;
mod encode;
mod envelope;
mod error;
mod event;
mod list;
mod reader;
mod schema;
mod special;
#[cfg(test)]
mod tests;
mod writer;

pub use decode::decode_object;
pub(crate) use encode::encode_json;
pub use encode::encode_object;
pub use envelope::{Envelope, MAGIC};
pub use error::ProtobufError;
pub use event::decode_protobuf_event;
pub use list::{ProtobufList, decode_object_list};
pub use schema::Schema;

/// The media type of objects in protobuf.
pub const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";
