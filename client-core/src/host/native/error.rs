//! A transport that cannot be set up.

use thiserror::Error;

use super::exec::ExecError;
use crate::{
    config::{ExecClusterError, RestConfigError},
    transport::TransportError,
};

/// A transport that cannot be set up.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NativeTransportError {
    /// One of the others, of a configuration whose origin is known.
    #[error("{origin}: {source}")]
    Of {
        /// What the configuration was made of.
        origin: String,
        /// What is wrong.
        source: Box<NativeTransportError>,
    },
    /// A certificate or key that cannot be used.
    #[error("the {what} is no PEM that can be used: {message}")]
    Pem {
        /// Which.
        what: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// A file with a certificate, a key or a token that cannot be read.
    #[error("the {what} cannot be read from {path}: {message}")]
    File {
        /// What it holds.
        what: &'static str,
        /// The file.
        path: String,
        /// Why not.
        message: String,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {message}")]
    Tls {
        /// Why not.
        message: String,
    },
    /// The HTTP client cannot be made.
    #[error("the HTTP client cannot be set up")]
    Client(#[from] reqwest::Error),
    /// The configuration contradicts itself.
    #[error(transparent)]
    Config(#[from] RestConfigError),
    /// The credential plugin cannot be told about the cluster.
    #[error(transparent)]
    ExecCluster(#[from] ExecClusterError),
    /// The credential plugin cannot be used.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// A layer cannot be made.
    #[error(transparent)]
    Layer(#[from] TransportError),
}
