//! Why bytes are no protobuf of Kubernetes.

use thiserror::Error;

/// What is wrong with a message, or with an object that shall become one.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtobufError {
    /// It does not begin as an object does.
    #[error("it does not begin with the bytes \"k8s\\0\", which mark an object in protobuf")]
    Magic,
    /// It ends within a field, or a length says more than there is.
    #[error("it ends in the middle of a field")]
    Truncated,
    /// A number has more than 64 bits.
    #[error("a number in it is longer than 64 bits")]
    Varint,
    /// A field has the number zero, or one that is too large, or an encoding that there is none of.
    #[error("it has a field with the impossible tag {tag}")]
    Tag {
        /// The number and the encoding, as they were read.
        tag: u64,
    },
    /// It is encoded or compressed.
    #[error("its content encoding is {encoding:?}, which is not read")]
    Encoding {
        /// How.
        encoding: String,
    },
    /// Messages are in messages, too deep.
    #[error("it is nested deeper than {limit} levels")]
    Depth {
        /// The deepest that is read.
        limit: usize,
    },
    /// There is no such kind in the schema.
    #[error("the schema of protobuf has no {kind} of {api_version:?}: ask for JSON")]
    UnknownKind {
        /// The group and version.
        api_version: String,
        /// The kind.
        kind: String,
    },
    /// A field does not have the form that the schema says, or the type that reads it does not take it.
    #[error("{0}")]
    Value(String),
    /// A field of an object that shall be written has no number.
    #[error("the field {field:?} is not in the schema of protobuf: write it as JSON")]
    UnknownField {
        /// Its name in JSON.
        field: String,
    },
    /// A line of a schema cannot be read.
    #[error("line {line} of the schema cannot be read at {word:?}")]
    Schema {
        /// Its number, from 1.
        line: usize,
        /// The word that is wrong.
        word: String,
    },
}

impl serde::de::Error for ProtobufError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Value(message.to_string())
    }
}
