//! Certificates, and who is believed.

use std::sync::Arc;

use rustls::{
    ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime, pem::PemObject as _},
    sign::{CertifiedKey, SingleCertAndKey},
};

use super::NativeTransportError;

/// Who may vouch for the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Authority {
    /// Whom the system believes.
    #[default]
    System,
    /// These certificates, in PEM, and no others.
    Only(Vec<u8>),
    /// Nobody need: any server is believed.
    Anybody,
}

/// Our certificate with its key.
#[derive(Clone)]
pub(super) struct Identity {
    pem: (Vec<u8>, Vec<u8>),
    key: Arc<CertifiedKey>,
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        self.pem == other.pem
    }
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Identity([redacted])")
    }
}

impl Identity {
    /// The certificate, with those that vouch for it, and the key, both PEM.
    ///
    /// # Errors
    /// Where either cannot be read, or they do not belong together.
    pub(super) fn from_pem(certificate: &[u8], key: &[u8]) -> Result<Self, NativeTransportError> {
        let chain = CertificateDer::pem_slice_iter(certificate)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| pem("client certificate", &error))?;
        if chain.is_empty() {
            return Err(pem("client certificate", &"it holds no certificate"));
        }
        let private = PrivateKeyDer::from_pem_slice(key).map_err(|error| pem("client key", &error))?;
        let certified = CertifiedKey::from_der(chain, private, &provider()).map_err(|error| pem("client key", &error))?;
        Ok(Self { pem: (certificate.to_vec(), key.to_vec()), key: Arc::new(certified) })
    }
}

/// The settings of TLS. With a `name` the server's certificate must be for that name, whatever host was asked.
///
/// # Errors
/// Where a certificate cannot be used, or the system's cannot be had.
pub(super) fn tls_config(
    authority: &Authority,
    identity: Option<&Identity>,
    name: Option<&ServerName<'static>>,
) -> Result<ClientConfig, NativeTransportError> {
    let provider = provider();
    let mut verifier: Arc<dyn ServerCertVerifier> = match authority {
        Authority::Anybody => Arc::new(Anybody(Arc::clone(&provider))),
        Authority::System => {
            Arc::new(rustls_platform_verifier::Verifier::new(Arc::clone(&provider)).map_err(|error| tls(&error))?)
        }
        Authority::Only(certificates) => roots(certificates, &provider)?,
    };
    if let Some(name) = name {
        verifier = Arc::new(Named { inner: verifier, name: name.clone() });
    }
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| tls(&error))?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    Ok(match identity {
        None => builder.with_no_client_auth(),
        Some(identity) => builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(Arc::clone(&identity.key)))),
    })
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// A verifier of these certificates. Of several some may be of a kind that is not known here; one must be. No text at all
/// believes nobody: it stands for a file that is still to be filled (client-go `transport/transport.go`,
/// `rootCertPool`).
fn roots(certificates: &[u8], provider: &Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, NativeTransportError> {
    let mut roots = RootCertStore::empty();
    if certificates.is_empty() {
        return Ok(Arc::new(Nobody(Arc::clone(provider))));
    }
    let parsed = CertificateDer::pem_slice_iter(certificates)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| pem("certificate authority", &error))?;
    if roots.add_parsable_certificates(parsed).0 == 0 {
        return Err(pem("certificate authority", &"it holds no certificate that can vouch for a server"));
    }
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider)).build();
    Ok(verifier.map_err(|error| tls(&error))?)
}

fn pem(what: &'static str, error: &dyn std::fmt::Display) -> NativeTransportError {
    NativeTransportError::Pem { what, message: error.to_string() }
}

fn tls(error: &dyn std::fmt::Display) -> NativeTransportError {
    NativeTransportError::Tls { message: error.to_string() }
}

/// The signatures of a handshake, checked by `$provider` of a verifier that decides the rest itself.
macro_rules! check_signatures {
    () => {
        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.0.signature_verification_algorithms.supported_schemes()
        }
    };
}

/// Believes any server that holds the key of the certificate it shows.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _chain: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _stapled: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    check_signatures!();
}

/// Believes no server.
#[derive(Debug)]
struct Nobody(Arc<CryptoProvider>);

impl ServerCertVerifier for Nobody {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _chain: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _stapled: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Err(Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer))
    }

    check_signatures!();
}

/// Asks another verifier about one name, whatever host the connection is to.
#[derive(Debug)]
struct Named {
    inner: Arc<dyn ServerCertVerifier>,
    name: ServerName<'static>,
}

impl ServerCertVerifier for Named {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        stapled: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.inner.verify_server_cert(certificate, chain, &self.name, stapled, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}
