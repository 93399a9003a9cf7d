//! The lowest transport of a configuration: requests over shared connections.

use std::sync::Arc;

use http::{HeaderValue, StatusCode, header};

use super::{
    connections::Connections,
    exec::{Credentials, Plugin},
    http::{UpgradeSlot, exchange, upgrade},
};
use crate::{
    platform::BoxFuture,
    transport::{Request, Response, Transport, TransportError, address_of, bearer},
};

/// A transport over shared connections, with the credentials of a plugin where there is one.
#[derive(Clone)]
pub(super) struct Pooled {
    pub(super) connections: Arc<Connections>,
    pub(super) plugin: Option<Arc<Plugin>>,
    /// What stands before each path.
    pub(super) base: String,
    /// What the `Host` header holds, where it is another than the URL says.
    pub(super) host: Option<HeaderValue>,
    /// The address for messages.
    pub(super) address: String,
    /// Where the connection of a request goes that asks for another protocol, and gets it.
    pub(super) upgraded: Option<UpgradeSlot>,
}

impl Transport for Pooled {
    fn send(&self, mut request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let this = self.clone();
        Box::pin(async move {
            let credentials = this.credentials(&mut request).await?;
            if let Some(host) = &this.host {
                request.headers.entry(header::HOST).or_insert_with(|| host.clone());
            }
            let shown = credentials.as_ref().and_then(|(_, credentials)| credentials.identity.as_ref());
            let client =
                this.connections.client(shown).map_err(|error| TransportError::Credentials { message: error.to_string() })?;
            let url = address_of(&this.base, &request.path);
            let address = address_of(&this.address, &request.path);
            let response = match &this.upgraded {
                None => exchange(client, url, address, request).await?,
                Some(slot) => upgrade(client, url, address, request, slot).await?,
            };
            if response.status == StatusCode::UNAUTHORIZED
                && let Some((plugin, credentials)) = &credentials
            {
                plugin.reject(credentials);
            }
            Ok(response)
        })
    }
}

impl Pooled {
    /// The plugin's credentials, the token of them in the request; none for a request that has its own.
    async fn credentials(&self, request: &mut Request) -> Result<Option<(Arc<Plugin>, Arc<Credentials>)>, TransportError> {
        let Some(plugin) = self.plugin.clone().filter(|_plugin| !request.headers.contains_key(header::AUTHORIZATION)) else {
            return Ok(None);
        };
        let failed = |message: String| TransportError::Credentials { message };
        let credentials = Arc::clone(&plugin).credentials().await.map_err(|error| failed(error.to_string()))?;
        if !credentials.token.is_empty() {
            request.headers.insert(header::AUTHORIZATION, bearer(&credentials.token)?);
        }
        Ok(Some((plugin, credentials)))
    }
}
