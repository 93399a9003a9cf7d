//! From a configuration to a transport.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use super::{
    NativeTransportError,
    connections::{Connections, Settings},
    exec::{ExecHost, Plugin},
    layers::{HeaderCredentials, Layers},
    pooled::Pooled,
    socket::NativeSockets,
    token_file::{read_token, token_file},
};
use crate::{
    config::{RestConfig, default_user_agent},
    flowcontrol::TokenBucket,
    platform::{Platform, WallTime},
    rest::RestClient,
    transport::{AuthProviders, SettingsKeeper, SocketTransport, Transport, TransportLayer},
};

/// Makes transports from configurations, for as long as it lives: those that agree in TLS and proxy share their
/// connections, and those that describe the same credential plugin share its credentials (client-go `rest/transport.go`,
/// `TransportFor`, and `transport/cache.go`). Clones are the same connector.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use porthole_client_core::{
///     config::kubeconfig::Overrides,
///     host::native::{NativeConnector, NativePlatform, load_config},
/// };
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let connector = NativeConnector::new(Arc::new(NativePlatform::new(tokio::runtime::Handle::current())));
/// let client = connector.client(&load_config(&Overrides::default())?.rest)?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct NativeConnector {
    platform: Arc<dyn Platform>,
    layers: Vec<Arc<dyn TransportLayer>>,
    providers: AuthProviders,
    keeper: Option<Arc<dyn SettingsKeeper>>,
    exec_host: Arc<ExecHost>,
    connections: Arc<Mutex<HashMap<Settings, Weak<Connections>>>>,
    plugins: Arc<Mutex<Vec<Arc<Plugin>>>>,
}

opaque_debug!(NativeConnector);

impl NativeConnector {
    /// A connector whose transports take their time from `platform`.
    #[must_use]
    pub fn new(platform: Arc<dyn Platform>) -> Self {
        Self {
            platform,
            layers: Vec::new(),
            providers: AuthProviders::default(),
            keeper: None,
            exec_host: Arc::default(),
            connections: Arc::default(),
            plugins: Arc::default(),
        }
    }

    /// The same, with `layer` around each transport, below the layers that add credentials: it sees what is sent (client-go
    /// `rest.Config.Wrap`).
    #[must_use]
    pub fn with_layer(mut self, layer: Arc<dyn TransportLayer>) -> Self {
        self.layers.push(layer);
        self
    }

    /// The same, knowing these auth providers; what they change is kept by `keeper`.
    #[must_use]
    pub fn with_auth_providers(mut self, providers: AuthProviders, keeper: Option<Arc<dyn SettingsKeeper>>) -> Self {
        self.providers = providers;
        self.keeper = keeper;
        self
    }

    /// The same, with another host for credential plugins.
    #[must_use]
    pub fn with_exec_host(mut self, host: ExecHost) -> Self {
        self.exec_host = Arc::new(host);
        self
    }

    /// A transport to the server of `config`, as whom it says. Timeouts and rates are left to the client.
    ///
    /// # Errors
    /// Where the configuration contradicts itself, a file cannot be read, a certificate cannot be used, or a plugin or provider
    /// is not known.
    pub fn transport(&self, config: &RestConfig) -> Result<Arc<dyn Transport>, NativeTransportError> {
        let transport = self.parts(config).and_then(|(pooled, layers)| Ok(layers.wrap(Arc::new(pooled))?));
        transport.map_err(|error| of(config, error))
    }

    /// What opens WebSockets to the server of `config`, as whom it says, with the same TLS, proxies, credentials and layers as the
    /// [`transport`](Self::transport) of it (client-go `transport/websocket`, `RoundTripperFor`). Their layers see a GET whose answer
    /// has the status 101.
    ///
    /// # Errors
    /// As [`transport`](Self::transport).
    pub fn sockets(&self, config: &RestConfig) -> Result<Arc<dyn SocketTransport>, NativeTransportError> {
        let sockets = self.parts(config).and_then(|(pooled, layers)| NativeSockets::new(pooled, layers, &self.platform));
        Ok(Arc::new(sockets.map_err(|error| of(config, error))?))
    }

    /// A client of the server of `config`, with its rate limit and its time limit (client-go `rest.RESTClientFor`).
    ///
    /// # Errors
    /// As [`transport`](Self::transport).
    pub fn client(&self, config: &RestConfig) -> Result<RestClient, NativeTransportError> {
        let mut client = RestClient::new(self.transport(config)?, Arc::clone(&self.platform));
        if let Some(limit) = config.rate_limit() {
            client = client.with_rate_limit(Arc::new(TokenBucket::new(limit.qps.into(), limit.burst)));
        }
        Ok(match config.timeout {
            Some(timeout) => client.with_timeout(timeout),
            None => client,
        })
    }

    /// How many groups of connections are in use: one for all transports that agree in TLS and proxy (client-go's metric
    /// `TransportCacheEntries`).
    #[must_use]
    pub fn open_connections(&self) -> usize {
        let all = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        all.values().filter(|connections| connections.strong_count() > 0).count()
    }

    /// When the first credentials of plugins expire; `None` where none do (client-go
    /// `plugin/pkg/client/auth/exec/metrics.go`, `certificateExpirationTracker`, which reads it from certificates).
    #[must_use]
    pub fn credentials_expire(&self) -> Option<WallTime> {
        let plugins = self.plugins.lock().unwrap_or_else(PoisonError::into_inner);
        plugins.iter().filter_map(|plugin| plugin.last()?.expires).min()
    }

    /// Where requests go, and what stands above that.
    fn parts(&self, config: &RestConfig) -> Result<(Pooled, Layers), NativeTransportError> {
        config.validate()?;
        let url = config.server_url().map_err(crate::config::RestConfigError::from)?;
        let auth = &config.auth;
        let has_token = auth.token.is_some() || auth.token_file.is_some();
        // Who says otherwise who we are does not mean the plugin.
        let plugin = match &auth.exec {
            Some(_exec) if !has_token && auth.basic.is_none() && !config.tls.has_certificate() => Some(self.plugin(config)?),
            _ => None,
        };
        let identity = plugin.as_ref().map(|plugin| Arc::as_ptr(plugin).addr());
        let proxied = proxy_variables_are_set();
        let settings = Settings::new(&config.tls, &config.proxy, !config.disable_compression, identity, &url, proxied);
        let (base, host) = settings.target(&url)?;
        let connections = self.connections(settings)?;
        let pooled = Pooled { connections, plugin, base, host, address: url.to_string(), upgraded: None };
        Ok((pooled, self.layers(config)?))
    }

    fn layers(&self, config: &RestConfig) -> Result<Layers, NativeTransportError> {
        let auth = &config.auth;
        let mut wrappers = self.layers.clone();
        if let Some(provider) = &auth.provider {
            wrappers.push(self.providers.layer(&config.host, provider, self.keeper.clone())?);
        }
        let credentials = if let Some(path) = &auth.token_file {
            let source = token_file(path, &self.platform);
            Some(HeaderCredentials::Source(Arc::new(match &auth.token {
                Some(token) => source.with_initial(token.clone()),
                None => source.with_initial(read_token(path)?),
            })))
        } else if let Some(token) = &auth.token {
            Some(HeaderCredentials::Token(token.clone()))
        } else {
            auth.basic.clone().map(HeaderCredentials::Basic)
        };
        let agent = config.user_agent.clone().filter(|agent| !agent.is_empty());
        let agent = agent.unwrap_or_else(|| default_user_agent(&std::env::args().next().unwrap_or_default()));
        let impersonate = Some(config.impersonate.clone()).filter(|user| !user.is_empty());
        Ok(Layers { wrappers, credentials, agent, impersonate })
    }

    fn plugin(&self, config: &RestConfig) -> Result<Arc<Plugin>, NativeTransportError> {
        let exec = config.auth.exec.clone().unwrap_or_default();
        let read = |path: &str| std::fs::read(path).map_err(|error| error.to_string());
        let cluster = if exec.provide_cluster_info { Some(config.exec_cluster(read)?) } else { None };
        let mut plugins = self.plugins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = plugins.iter().find(|plugin| plugin.is(&exec, cluster.as_ref())) {
            return Ok(Arc::clone(known));
        }
        let plugin = Arc::new(Plugin::new(exec, cluster, Arc::clone(&self.exec_host), Arc::clone(&self.platform))?);
        plugins.push(Arc::clone(&plugin));
        Ok(plugin)
    }

    /// Connections with these settings: those of a transport that is still in use, or new ones.
    fn connections(&self, settings: Settings) -> Result<Arc<Connections>, NativeTransportError> {
        let mut all = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(&settings).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let made = Arc::new(Connections::new(settings, Arc::clone(&self.platform))?);
        all.retain(|_, connections| connections.strong_count() > 0);
        all.insert(made.settings().clone(), Arc::downgrade(&made));
        Ok(made)
    }
}

/// The error with where its configuration came from.
fn of(config: &RestConfig, error: NativeTransportError) -> NativeTransportError {
    match config.origin.as_str() {
        "" => error,
        origin => NativeTransportError::Of { origin: origin.to_owned(), source: Box::new(error) },
    }
}

/// Whether the environment names a proxy.
fn proxy_variables_are_set() -> bool {
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
