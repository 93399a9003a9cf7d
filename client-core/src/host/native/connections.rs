//! Connections with the same settings, shared by all who have these settings, and made anew when the files behind them change.

use std::{
    net::{IpAddr, SocketAddr, ToSocketAddrs as _},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http::HeaderValue;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use rustls::pki_types::ServerName;

use super::{
    NativeTransportError,
    http::client_builder,
    tls::{Authority, Identity, tls_config},
};
use crate::{
    config::{PemData, Proxy, ServerUrl, TlsConfig},
    platform::{Instant, Platform},
};

/// How long what was read from certificate files is taken to be what is in them. client-go looks at a client's certificate as
/// often, and at authorities every five minutes; here both are looked at together.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// What makes connections different: two configurations that agree in it share their connections (client-go
/// `transport/cache.go`, `tlsCacheKey`). Neither tokens nor passwords nor users are in it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Settings {
    tls: TlsConfig,
    compressed: bool,
    proxy: Proxy,
    /// The plugin whose certificates are shown, told by where it is in memory.
    plugin: Option<usize>,
    /// Where a connection goes under another name, by host and port.
    renamed: Option<(String, u16)>,
}

impl Settings {
    /// The settings for a server. `proxied` says whether the environment may send requests through a proxy.
    pub(super) fn new(
        tls: &TlsConfig,
        proxy: &Proxy,
        compressed: bool,
        plugin: Option<usize>,
        url: &ServerUrl,
        proxied: bool,
    ) -> Self {
        let mut tls = tls.clone();
        // Data goes before files; what is not used makes no difference.
        if !tls.ca_data.is_empty() {
            tls.ca_file = None;
        }
        if !tls.cert_data.is_empty() {
            tls.cert_file = None;
        }
        if !tls.key_data.is_empty() {
            tls.key_file = None;
        }
        let proxy = match proxy {
            // As Go does: nobody means this machine when a proxy is set.
            Proxy::Environment if url.is_loopback() || !proxied => Proxy::Direct,
            other => other.clone(),
        };
        // A name can be asked for only where we resolve it ourselves; through a proxy it is only checked.
        let can_rename = url.is_tls() && proxy == Proxy::Direct;
        let renamed = tls
            .server_name
            .as_ref()
            .filter(|name| can_rename && name.parse::<IpAddr>().is_err())
            .map(|_name| (url.host().to_owned(), url.port()));
        Self { tls, compressed, proxy, plugin, renamed }
    }

    /// The URL that requests begin with, and the `Host` they name where it is another than the URL's.
    pub(super) fn target(&self, url: &ServerUrl) -> Result<(String, Option<HeaderValue>), NativeTransportError> {
        match (&self.renamed, &self.tls.server_name) {
            (Some((_, port)), Some(name)) => {
                let host = HeaderValue::from_str(url.host_and_port())
                    .map_err(|error| NativeTransportError::Tls { message: format!("the host's name: {error}") })?;
                Ok((format!("https://{name}:{port}{}", url.prefix()), Some(host)))
            }
            _ => Ok((url.base(), None)),
        }
    }

    /// What the files and data hold now.
    fn read(&self) -> Result<(Authority, Option<Identity>), NativeTransportError> {
        let authority = if self.tls.insecure {
            Authority::Anybody
        } else if self.tls.has_ca() {
            Authority::Only(data_or_file("certificate authority", &self.tls.ca_data, self.tls.ca_file.as_deref())?)
        } else {
            Authority::System
        };
        if !self.tls.has_certificate() {
            return Ok((authority, None));
        }
        let certificate = data_or_file("client certificate", &self.tls.cert_data, self.tls.cert_file.as_deref())?;
        let key = data_or_file("client key", &self.tls.key_data, self.tls.key_file.as_deref())?;
        Ok((authority, Some(Identity::from_pem(&certificate, &key)?)))
    }

    /// Whether there is a file that may change.
    fn has_files(&self) -> bool {
        [&self.tls.ca_file, &self.tls.cert_file, &self.tls.key_file].iter().any(|file| file.is_some())
    }

    fn client(&self, authority: &Authority, identity: Option<&Identity>) -> Result<reqwest::Client, NativeTransportError> {
        let checked_only = self.tls.server_name.as_ref().filter(|_name| self.renamed.is_none());
        let name = match checked_only {
            Some(name) => Some(
                ServerName::try_from(name.clone())
                    .map_err(|error| NativeTransportError::Tls { message: format!("the server's name \"{name}\": {error}") })?,
            ),
            None => None,
        };
        let mut builder = client_builder(tls_config(authority, identity, name.as_ref())?).gzip(self.compressed);
        builder = match &self.proxy {
            Proxy::Direct => builder.no_proxy(),
            Proxy::Environment => builder,
            Proxy::Url(url) => {
                // kubectl leaves names to a SOCKS proxy; reqwest calls that socks5h.
                let url = match url.as_str().split_once("://") {
                    Some((scheme, rest)) if scheme.eq_ignore_ascii_case("socks5") => format!("socks5h://{rest}"),
                    _ => url.as_str().to_owned(),
                };
                builder.proxy(reqwest::Proxy::all(url)?)
            }
        };
        if let Some((host, port)) = &self.renamed {
            builder = builder.dns_resolver(Arc::new(Renamed { host: host.clone(), port: *port }));
        }
        Ok(builder.build()?)
    }
}

fn data_or_file(what: &'static str, data: &PemData, file: Option<&str>) -> Result<Vec<u8>, NativeTransportError> {
    match file {
        Some(path) if data.is_empty() => std::fs::read(path).map_err(|error| NativeTransportError::File {
            what,
            path: path.to_owned(),
            message: error.to_string(),
        }),
        _ => Ok(data.as_bytes().to_vec()),
    }
}

/// Finds one host, whatever name is asked for.
struct Renamed {
    host: String,
    port: u16,
}

impl Resolve for Renamed {
    fn resolve(&self, _name: Name) -> Resolving {
        let (host, port) = (self.host.clone(), self.port);
        Box::pin(async move {
            let found = tokio::task::spawn_blocking(move || (host, port).to_socket_addrs()).await??;
            Ok(Box::new(found.collect::<Vec<SocketAddr>>().into_iter()) as Addrs)
        })
    }
}

/// Connections with the same settings. When the certificates behind them change, new requests get new connections; those under
/// way end on the old ones.
pub(super) struct Connections {
    settings: Settings,
    platform: Arc<dyn Platform>,
    state: Mutex<State>,
}

struct State {
    authority: Authority,
    /// What the files hold.
    identity: Option<Identity>,
    /// What the connections show: that of the files, or a plugin's.
    shown: Option<Identity>,
    client: reqwest::Client,
    looked: Instant,
}

impl Connections {
    /// # Errors
    /// Where a file or a certificate cannot be used.
    pub(super) fn new(settings: Settings, platform: Arc<dyn Platform>) -> Result<Self, NativeTransportError> {
        let (authority, identity) = settings.read()?;
        let client = settings.client(&authority, identity.as_ref())?;
        let looked = platform.now();
        let state = State { authority, shown: identity.clone(), identity, client, looked };
        Ok(Self { settings, platform, state: Mutex::new(state) })
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// An HTTP client with the certificates as they are now, and that of a plugin where it has one.
    ///
    /// # Errors
    /// Where there is no client for a plugin's certificate.
    pub(super) fn client(&self, plugin: Option<&Identity>) -> Result<reqwest::Client, NativeTransportError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.platform.now();
        let look = self.settings.has_files() && now.since(state.looked) >= LOOK_AGAIN_AFTER;
        if !look && plugin.or(state.identity.as_ref()) == state.shown.as_ref() {
            return Ok(state.client.clone());
        }
        let (mut authority, mut identity) = (state.authority.clone(), state.identity.clone());
        if look {
            state.looked = now;
            // Files that are just being replaced may be missing or not belong together: what was there before stands, and
            // the server says so if it does not hold any more.
            if let Ok((new_authority, new_identity)) = self.settings.read() {
                // A file that was emptied is being written.
                if new_authority != Authority::Only(Vec::new()) {
                    authority = new_authority;
                }
                identity = new_identity;
            }
        }
        let shown = plugin.or(identity.as_ref());
        if authority != state.authority || shown != state.shown.as_ref() {
            match self.settings.client(&authority, shown) {
                Ok(client) => {
                    state.client = client;
                    state.shown = shown.cloned();
                    state.authority = authority;
                    state.identity = identity;
                }
                // The new certificates of files cannot be used (yet); a plugin's must be.
                Err(_not_yet) if plugin.is_none() || plugin == state.shown.as_ref() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(state.client.clone())
    }
}
