//! Providers of credentials that a program brings along, such as `oidc`.

use std::{collections::BTreeMap, fmt, sync::Arc};

use super::{TransportError, TransportLayer};
use crate::{
    config::AuthProviderConfig,
    platform::{MaybeSend, MaybeSync},
};

/// Settings of a provider, as its user has them in a kubeconfig.
pub type ProviderSettings = BTreeMap<String, String>;

/// Keeps changed settings of a provider, such as a refreshed token, for the next start of the program (client-go
/// `rest/plugin.go`, `AuthProviderConfigPersister`).
pub trait SettingsKeeper: MaybeSend + MaybeSync + 'static {
    /// Keeps them.
    ///
    /// # Errors
    /// Where they cannot be written.
    fn keep(&self, settings: &ProviderSettings) -> Result<(), TransportError>;
}

/// Keeps nothing: for programs that start from a configuration of their own (client-go `noopPersister`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeepNothing;

impl SettingsKeeper for KeepNothing {
    fn keep(&self, _settings: &ProviderSettings) -> Result<(), TransportError> {
        Ok(())
    }
}

/// A way to authenticate that is neither token nor plugin (client-go `rest/plugin.go`, `Factory` and `AuthProvider`).
pub trait AuthProvider: MaybeSend + MaybeSync + 'static {
    /// A layer with the credentials of `settings` for the server at `host`. It hands what it changes to `keeper`.
    ///
    /// # Errors
    /// Where the settings are not enough.
    fn layer(
        &self,
        host: &str,
        settings: ProviderSettings,
        keeper: Arc<dyn SettingsKeeper>,
    ) -> Result<Arc<dyn TransportLayer>, TransportError>;
}

/// The providers a program knows, by the names that kubeconfig files call them. client-go has one list for a whole program;
/// here each connector has its own.
#[derive(Clone, Default)]
pub struct AuthProviders(BTreeMap<String, Arc<dyn AuthProvider>>);

impl AuthProviders {
    /// The same and one more (client-go `RegisterAuthProviderPlugin`).
    ///
    /// # Errors
    /// Where there is one of that name.
    pub fn with(mut self, name: &str, provider: Arc<dyn AuthProvider>) -> Result<Self, TransportError> {
        if self.0.insert(name.to_owned(), provider).is_some() {
            return Err(TransportError::Invalid { message: format!("the auth provider \"{name}\" was registered twice") });
        }
        Ok(self)
    }

    /// The layer of the provider that `config` names. Without a keeper nothing is kept (client-go `GetAuthProvider`).
    ///
    /// # Errors
    /// Where there is none of that name, or its settings are not enough.
    pub fn layer(
        &self,
        host: &str,
        config: &AuthProviderConfig,
        keeper: Option<Arc<dyn SettingsKeeper>>,
    ) -> Result<Arc<dyn TransportLayer>, TransportError> {
        let provider = self.0.get(&config.name).ok_or_else(|| TransportError::Credentials {
            message: format!("no auth provider named \"{}\" is registered: use an exec plugin in its place", config.name),
        })?;
        provider.layer(host, config.config.clone(), keeper.unwrap_or_else(|| Arc::new(KeepNothing)))
    }
}

impl fmt::Debug for AuthProviders {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        platform::{BoxFuture, ready},
        transport::{
            Request, Response, Transport,
            layered::{answering, last},
            wrap_all,
        },
    };
    use http::HeaderValue;
    use std::sync::Mutex;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Marks each request, and counts them in its settings.
    struct Counting;

    impl AuthProvider for Counting {
        fn layer(
            &self,
            host: &str,
            settings: ProviderSettings,
            keeper: Arc<dyn SettingsKeeper>,
        ) -> Result<Arc<dyn TransportLayer>, TransportError> {
            if settings.contains_key("broken") {
                return Err(TransportError::Credentials { message: "the settings are broken".into() });
            }
            assert_eq!(host, "https://host");
            let settings = Arc::new(Mutex::new(settings));
            Ok(Arc::new(move |inner| {
                Arc::new(Marking { inner, settings: Arc::clone(&settings), keeper: Arc::clone(&keeper) }) as Arc<dyn Transport>
            }))
        }
    }

    struct Marking {
        inner: Arc<dyn Transport>,
        settings: Arc<Mutex<ProviderSettings>>,
        keeper: Arc<dyn SettingsKeeper>,
    }

    impl Transport for Marking {
        fn send(&self, mut request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
            let mut settings = self.settings.lock().unwrap();
            let sent: u32 = settings.get("sent").map_or(0, |sent| sent.parse().unwrap());
            settings.insert("sent".into(), (sent + 1).to_string());
            if let Err(error) = self.keeper.keep(&settings) {
                return Box::pin(async { Err(error) });
            }
            request.headers.insert("provider", HeaderValue::from_static("counting"));
            self.inner.send(request)
        }
    }

    fn providers() -> AuthProviders {
        AuthProviders::default().with("counting", Arc::new(Counting)).unwrap()
    }

    fn config(name: &str, settings: &[(&str, &str)]) -> AuthProviderConfig {
        let config = settings.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        AuthProviderConfig { name: name.into(), config }
    }

    fn send_through(layer: Arc<dyn TransportLayer>) -> Option<String> {
        let scripted = answering(&[200]);
        let transport = wrap_all(Arc::new(scripted.clone()), &[layer]);
        ready(transport.send(Request::read("/"))).unwrap();
        last(&scripted, "provider")
    }

    fn error(config: &AuthProviderConfig) -> String {
        providers().layer("https://host", config, None).err().unwrap().to_string()
    }

    #[test]
    fn the_provider_that_is_named_wraps_the_transport() {
        let layer = providers().layer("https://host", &config("counting", &[]), None).unwrap();
        assert_eq!(send_through(layer).as_deref(), Some("counting"));
        assert!(error(&config("unknown", &[])).contains("no auth provider named \"unknown\" is registered"));
        assert!(error(&config("counting", &[("broken", "")])).contains("the settings are broken"));
        let twice = providers().with("counting", Arc::new(Counting)).unwrap_err().to_string();
        assert!(twice.contains("registered twice"), "{twice}");
        assert_eq!(format!("{:?}", providers()), "{\"counting\"}");
    }

    #[test]
    fn what_a_provider_changes_is_kept() {
        struct Notes(Mutex<Vec<ProviderSettings>>);
        impl SettingsKeeper for Notes {
            fn keep(&self, settings: &ProviderSettings) -> Result<(), TransportError> {
                self.0.lock().unwrap().push(settings.clone());
                Ok(())
            }
        }
        for (start, expected) in [("", "1"), ("123", "124")] {
            let notes = Arc::new(Notes(Mutex::default()));
            let settings: &[_] = if start.is_empty() { &[("a", "b")] } else { &[("a", "b"), ("sent", start)] };
            let keeper: Arc<dyn SettingsKeeper> = notes.clone();
            let layer = providers().layer("https://host", &config("counting", settings), Some(keeper)).unwrap();
            assert!(notes.0.lock().unwrap().is_empty(), "it was kept before it changed");
            send_through(layer);
            assert_eq!(*notes.0.lock().unwrap(), [config("", &[("a", "b"), ("sent", expected)]).config]);
        }
    }

    #[test]
    fn without_a_keeper_nothing_is_kept_and_nothing_fails() {
        let layer = providers().layer("https://host", &config("counting", &[]), None).unwrap();
        assert!(send_through(layer).is_some());
        assert!(KeepNothing.keep(&ProviderSettings::new()).is_ok());
    }
}
