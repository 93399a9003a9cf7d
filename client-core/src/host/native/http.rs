//! Requests by reqwest, with rustls.

use std::sync::Arc;

use futures::TryStreamExt as _;
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use thiserror::Error;

use crate::{
    platform::BoxFuture,
    transport::{Request, Response, Transport, TransportError, address_of},
};

/// Who the server must be, and who we are; all of it PEM.
#[derive(Clone, Default)]
pub struct Tls {
    /// The certificates that may vouch for the server.
    pub authority: Vec<u8>,
    /// Our certificate, where we have one.
    pub certificate: Vec<u8>,
    /// Its private key.
    pub key: Vec<u8>,
}

/// A transport that cannot be set up.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NativeTransportError {
    /// A certificate or key that cannot be read.
    #[error("the {what} is no PEM that can be used: {message}")]
    Pem {
        /// Which.
        what: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// The HTTP client cannot be made.
    #[error("the HTTP client cannot be set up")]
    Client(#[from] reqwest::Error),
}

/// A transport to the API server at one address.
#[derive(Clone, Debug)]
pub struct NativeTransport {
    base: String,
    client: reqwest::Client,
}

impl NativeTransport {
    /// A transport to `base`, such as `https://127.0.0.1:6443`.
    ///
    /// # Errors
    /// Where a certificate or key cannot be used.
    pub fn new(base: impl Into<String>, tls: &Tls) -> Result<Self, NativeTransportError> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(configure(tls)?)
            // Of the proxies of an environment none is meant for a cluster that was named by its address.
            .no_proxy()
            .user_agent(concat!("porthole/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { base: base.into(), client })
    }
}

fn configure(tls: &Tls) -> Result<ClientConfig, NativeTransportError> {
    let pem = |what: &'static str| move |message: String| NativeTransportError::Pem { what, message };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&tls.authority) {
        let certificate = certificate.map_err(|error| pem("certificate authority")(error.to_string()))?;
        roots.add(certificate).map_err(|error| pem("certificate authority")(error.to_string()))?;
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| pem("choice of TLS versions")(error.to_string()))?
        .with_root_certificates(roots);
    if tls.certificate.is_empty() {
        return Ok(builder.with_no_client_auth());
    }
    let chain = CertificateDer::pem_slice_iter(&tls.certificate)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| pem("client certificate")(error.to_string()))?;
    let key = PrivateKeyDer::from_pem_slice(&tls.key).map_err(|error| pem("client key")(error.to_string()))?;
    builder.with_client_auth_cert(chain, key).map_err(|error| pem("client certificate")(error.to_string()))
}

impl Transport for NativeTransport {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let client = self.client.clone();
        let address = address_of(&self.base, &request.path);
        Box::pin(async move {
            let answer = client
                .request(request.method, &address)
                .headers(request.headers)
                .body(request.body)
                .send()
                .await
                .map_err(|error| TransportError::Unreachable { address, message: with_sources(&error) })?;
            let (status, headers) = (answer.status(), answer.headers().clone());
            let body = answer.bytes_stream().map_err(|error| TransportError::Broken { message: with_sources(&error) });
            Ok(Response { status, headers, body: Box::pin(body) })
        })
    }
}

/// An error with what caused it: reqwest's own text leaves the cause out.
fn with_sources(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
