//! From a configuration to a transport.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use http::{HeaderValue, StatusCode, header};

use super::{
    NativeTransportError,
    connections::{Connections, Settings},
    exec::{Credentials, ExecHost, Plugin},
    http::exchange,
    token_file::{read_token, token_file},
};
use crate::{
    config::{RestConfig, default_user_agent},
    flowcontrol::TokenBucket,
    platform::{BoxFuture, Platform, WallTime},
    rest::RestClient,
    transport::{
        AuthProviders, Request, Response, SettingsKeeper, Transport, TransportError, TransportLayer, address_of, bearer,
        with_basic_auth, with_bearer_token, with_impersonation, with_token_source, with_user_agent, wrap_all,
    },
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
        self.transport_of(config).map_err(|error| match config.origin.as_str() {
            "" => error,
            origin => NativeTransportError::Of { origin: origin.to_owned(), source: Box::new(error) },
        })
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

    fn transport_of(&self, config: &RestConfig) -> Result<Arc<dyn Transport>, NativeTransportError> {
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
        let address = url.to_string();

        let mut transport: Arc<dyn Transport> = Arc::new(Pooled { connections, plugin, base, host, address });
        transport = wrap_all(transport, &self.layers);
        if let Some(provider) = &auth.provider {
            transport = self.providers.layer(&config.host, provider, self.keeper.clone())?.wrap(transport);
        }
        if let Some(path) = &auth.token_file {
            let mut source = token_file(path, &self.platform);
            source = match &auth.token {
                Some(token) => source.with_initial(token.clone()),
                None => source.with_initial(read_token(path)?),
            };
            transport = with_token_source(transport, Arc::new(source));
        } else if let Some(token) = &auth.token {
            transport = with_bearer_token(transport, token)?;
        } else if let Some(basic) = &auth.basic {
            transport = with_basic_auth(transport, basic)?;
        }
        let agent = config.user_agent.clone().filter(|agent| !agent.is_empty());
        let agent = agent.unwrap_or_else(|| default_user_agent(&std::env::args().next().unwrap_or_default()));
        transport = with_user_agent(transport, &agent)?;
        if !config.impersonate.is_empty() {
            transport = with_impersonation(transport, &config.impersonate)?;
        }
        Ok(transport)
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

/// Whether the environment names a proxy.
fn proxy_variables_are_set() -> bool {
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// A transport over shared connections, with the credentials of a plugin where there is one.
#[derive(Clone)]
struct Pooled {
    connections: Arc<Connections>,
    plugin: Option<Arc<Plugin>>,
    /// What stands before each path.
    base: String,
    /// What the `Host` header holds, where it is another than the URL says.
    host: Option<HeaderValue>,
    /// The address for messages.
    address: String,
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
            let response = exchange(client, url, address, request).await?;
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
