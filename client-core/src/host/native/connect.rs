//! The shortest way to a client.

use std::sync::Arc;

use thiserror::Error;

use super::{NativeConnector, NativePlatform, NativeTransportError, load_config};
use crate::{
    config::kubeconfig::{KubeconfigError, MissingFiles, Overrides},
    meta::Namespace,
    rest::RestClient,
};

/// A client, and where to look first.
#[derive(Clone, Debug)]
pub struct Connected {
    /// The client.
    pub client: RestClient,
    /// The namespace of what names none.
    pub namespace: Namespace,
    /// What a program should tell whoever started it.
    pub warning: Option<MissingFiles>,
}

/// Why there is no client.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// There is no configuration that can be used.
    #[error(transparent)]
    Kubeconfig(#[from] KubeconfigError),
    /// What it says cannot be done.
    #[error(transparent)]
    Transport(#[from] NativeTransportError),
}

/// A client of what kubectl would talk to from this process, with `overrides`: [`load_config`] and a [`NativeConnector`] in one
/// (client-go `clientcmd.NewNonInteractiveDeferredLoadingClientConfig` and `rest.RESTClientFor`). Nothing is sent yet.
///
/// ```no_run
/// use porthole_client_core::{config::kubeconfig::Overrides, host::native::connect};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let connected = connect(&Overrides::default().with_context("staging"))?;
/// println!("{}", connected.namespace);
/// # Ok(()) }
/// ```
///
/// # Errors
/// Where there is no configuration that can be used, or a certificate, a plugin or a proxy of it cannot.
///
/// # Panics
/// Outside of a tokio runtime.
pub fn connect(overrides: &Overrides) -> Result<Connected, ConnectError> {
    let resolved = load_config(overrides)?;
    let platform = Arc::new(NativePlatform::new(tokio::runtime::Handle::current()));
    let client = NativeConnector::new(platform).client(&resolved.rest)?;
    Ok(Connected { client, namespace: resolved.namespace.namespace, warning: resolved.warning })
}
