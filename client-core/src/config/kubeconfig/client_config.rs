//! From files and overrides to the configuration of a client.

use super::{
    AuthInfo, Cluster, ConfigFiles, ConfigurationInvalid, Context, Kubeconfig, KubeconfigError, Merge as _, Overrides,
    clean_text::visible,
    validation::{Problem, validate_cluster, validate_user},
};
use crate::{
    config::{Auth, BasicAuth, Impersonation, Proxy, ProxyUrl, RestConfig, Secret, TlsConfig},
    meta::Namespace,
};

/// The extension of a cluster that holds what credential plugins are told about it.
pub(super) const EXEC_EXTENSION: &str = "client.authentication.k8s.io/exec";
/// The namespace of what names none.
pub(super) const DEFAULT_NAMESPACE: &str = "default";

/// A loaded configuration with what goes over it (client-go `tools/clientcmd/client_config.go`,
/// `DirectClientConfig`). Leaves out client-go's prompts for a name and a password: a library does not talk to
/// people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientConfig {
    config: Kubeconfig,
    context: String,
    overrides: Overrides,
}

/// A namespace, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenNamespace {
    /// The namespace of what names none.
    pub namespace: Namespace,
    /// Whether it was an override.
    pub overridden: bool,
}

impl ChosenNamespace {
    pub(super) fn new(namespace: &str, overridden: bool) -> Self {
        Self { namespace: Namespace::from(namespace), overridden }
    }
}

impl ClientConfig {
    /// The current context of `config`, or that of the overrides.
    ///
    /// ```
    /// use porthole_client_core::config::kubeconfig::{ClientConfig, Kubeconfig, MemoryFiles, Overrides};
    ///
    /// let config = Kubeconfig::parse(
    ///     "{clusters: [{name: c, cluster: {server: 'https://host'}}], users: [{name: u, user: {token: t}}],
    ///       contexts: [{name: x, context: {cluster: c, user: u}}]}",
    /// )?;
    /// let files = MemoryFiles::default();
    /// let rest = ClientConfig::new(config, Overrides::default().with_context("x")).rest_config(&files)?;
    /// assert_eq!(rest.host, "https://host");
    /// # Ok::<(), porthole_client_core::config::kubeconfig::KubeconfigError>(())
    /// ```
    #[must_use]
    pub fn new(config: Kubeconfig, overrides: Overrides) -> Self {
        Self { config, context: String::new(), overrides }
    }

    /// Another context in place of the current one. Unlike an override's, it need not exist where the overrides say
    /// enough without it.
    #[must_use]
    pub fn with_context(mut self, name: impl Into<String>) -> Self {
        self.context = name.into();
        self
    }

    /// The configuration as it was loaded (client-go `RawConfig`).
    #[must_use]
    pub fn raw(&self) -> &Kubeconfig {
        &self.config
    }

    /// The name of the context, and whether it must exist.
    fn context_name(&self) -> (&str, bool) {
        match (self.overrides.current_context.as_str(), self.context.as_str()) {
            ("", "") => (&self.config.current_context, false),
            ("", name) => (name, false),
            (name, _) => (name, true),
        }
    }

    fn context(&self) -> Result<Context, KubeconfigError> {
        let (name, required) = self.context_name();
        let mut context = found(self.config.contexts.get(name), required, "context", name)?.unwrap_or_default();
        context.merge_from(&self.overrides.context);
        Ok(context)
    }

    /// The name of the user, and whether it must exist. A context that is missing names none.
    fn user_name(&self) -> (String, bool) {
        match self.overrides.context.user.as_str() {
            "" => (self.context().map(|context| context.user).unwrap_or_default(), false),
            name => (name.to_owned(), true),
        }
    }

    fn cluster_name(&self) -> (String, bool) {
        match self.overrides.context.cluster.as_str() {
            "" => (self.context().map(|context| context.cluster).unwrap_or_default(), false),
            name => (name.to_owned(), true),
        }
    }

    fn user(&self) -> Result<AuthInfo, KubeconfigError> {
        let (name, required) = self.user_name();
        let mut user = found(self.config.users.get(&name), required, "user", &name)?.unwrap_or_default();
        let over = &self.overrides.user;
        user.merge_from(over);
        // A key, or a certificate, is overridden as file and data together: both would be an error.
        if !over.client_key.is_empty() || !over.client_key_data.is_empty() {
            user.client_key.clone_from(&over.client_key);
            user.client_key_data.clone_from(&over.client_key_data);
        }
        if !over.client_certificate.is_empty() || !over.client_certificate_data.is_empty() {
            user.client_certificate.clone_from(&over.client_certificate);
            user.client_certificate_data.clone_from(&over.client_certificate_data);
        }
        Ok(user)
    }

    fn cluster(&self) -> Result<Cluster, KubeconfigError> {
        let (name, required) = self.cluster_name();
        let mut cluster = self.overrides.cluster_defaults.clone();
        if let Some(entry) = found(self.config.clusters.get(&name), required, "cluster", &name)? {
            cluster.merge_from(&entry);
        }
        let over = &self.overrides.cluster;
        cluster.merge_from(over);
        let has_ca = !over.certificate_authority.is_empty() || !over.certificate_authority_data.is_empty();
        if over.insecure_skip_tls_verify || has_ca {
            cluster.insecure_skip_tls_verify = over.insecure_skip_tls_verify;
            cluster.certificate_authority.clone_from(&over.certificate_authority);
            cluster.certificate_authority_data.clone_from(&over.certificate_authority_data);
        }
        // The name of one server's certificate says nothing about another server.
        if !over.tls_server_name.is_empty() || !over.server.is_empty() {
            cluster.tls_server_name.clone_from(&over.tls_server_name);
        }
        Ok(cluster)
    }

    /// What a message says of where the configuration comes from; nothing where no file is known.
    fn origin(&self, cluster: &Cluster, user: &AuthInfo) -> String {
        let mut files = vec![cluster.location_of_origin.as_str(), user.location_of_origin.as_str()];
        files.retain(|file| !file.is_empty());
        files.dedup();
        if files.is_empty() {
            String::new()
        } else {
            format!("the context \"{}\" of {}", self.context_name().0, files.join(" and "))
        }
    }

    /// Checks the parts that are used, with the overrides in them, and gathers all that is wrong.
    ///
    /// # Errors
    /// All that keeps them from being used.
    pub fn confirm_usable(&self, files: &dyn ConfigFiles) -> Result<(), ConfigurationInvalid> {
        let name = if self.context.is_empty() { &self.config.current_context } else { &self.context };
        let mut found = ConfigurationInvalid::of_context(self.context_name().0);
        if !name.is_empty() && !self.config.contexts.contains_key(name) {
            found = Problem::ContextNotFound(name.clone()).into();
        }
        // What does not exist is checked as if it were empty; who asks for it is told by its name before this.
        let (user, cluster) = (self.user().unwrap_or_default(), self.cluster().unwrap_or_default());
        found.add(&user.location_of_origin, validate_user(&self.user_name().0, &user, files));
        found.add(&cluster.location_of_origin, validate_cluster(&self.cluster_name().0, &cluster, files));
        if found.problems() == [Problem::EmptyCluster] {
            found = Problem::EmptyConfig.into();
        }
        found.check()
    }

    /// The whole configuration with the overrides laid into the entries they go over (client-go `MergedRawConfig`).
    ///
    /// # Errors
    /// Where the configuration cannot be used.
    pub fn merged(&self, files: &dyn ConfigFiles) -> Result<Kubeconfig, KubeconfigError> {
        self.confirm_usable(files)?;
        let mut merged = self.config.clone();
        merged.users.insert(self.user_name().0, self.user()?);
        merged.clusters.insert(self.cluster_name().0, self.cluster()?);
        let name = self.context_name().0.to_owned();
        merged.contexts.insert(name.clone(), self.context()?);
        merged.current_context = name;
        Ok(merged)
    }

    /// The namespace of what names none (client-go `Namespace`).
    ///
    /// # Errors
    /// Where the configuration cannot be used, unless a namespace is among the overrides.
    pub fn namespace(&self, files: &dyn ConfigFiles) -> Result<ChosenNamespace, KubeconfigError> {
        let over = &self.overrides.context.namespace;
        if !over.is_empty() {
            return Ok(ChosenNamespace::new(over, true));
        }
        self.confirm_usable(files)?;
        let context = self.context()?;
        let namespace = if context.namespace.is_empty() { DEFAULT_NAMESPACE } else { &context.namespace };
        Ok(ChosenNamespace::new(namespace, false))
    }

    /// The configuration of a client (client-go `ClientConfig`). Credentials are left out where the connection would not be
    /// protected.
    ///
    /// # Errors
    /// Where an override names what does not exist, or the configuration cannot be used.
    pub fn rest_config(&self, files: &dyn ConfigFiles) -> Result<RestConfig, KubeconfigError> {
        // Who asked for something that does not exist hears that first.
        let user = self.user()?;
        self.context()?;
        let cluster = self.cluster()?;
        self.confirm_usable(files)?;

        let mut rest = RestConfig {
            host: without_query(&cluster.server),
            proxy: match cluster.proxy_url.as_str() {
                "" => Proxy::Environment,
                url => Proxy::Url(ProxyUrl::parse(url)?),
            },
            disable_compression: cluster.disable_compression,
            timeout: self.overrides.timeout,
            origin: self.origin(&cluster, &user),
            ..RestConfig::default()
        };
        if !user.impersonate.is_empty() {
            rest.impersonate = Impersonation {
                user: user.impersonate.clone(),
                uid: user.impersonate_uid.clone(),
                groups: user.impersonate_groups.clone(),
                extra: user.impersonate_user_extra.clone(),
            };
        }
        if rest.is_tls() {
            rest.auth = auth(&user, &cluster, files)?;
            rest.tls = tls(user, cluster);
        }
        Ok(rest)
    }
}

/// An entry; none where there is none and it may be missing.
fn found<T: Clone>(entry: Option<&T>, required: bool, what: &'static str, name: &str) -> Result<Option<T>, KubeconfigError> {
    match entry {
        None if required => Err(KubeconfigError::Missing { what, name: name.to_owned() }),
        entry => Ok(entry.cloned()),
    }
}

fn auth(user: &AuthInfo, cluster: &Cluster, files: &dyn ConfigFiles) -> Result<Auth, KubeconfigError> {
    let token = if user.token.is_empty() && !user.token_file.is_empty() {
        Secret::new(String::from_utf8_lossy(&files.read(&user.token_file)?).trim())
    } else {
        user.token.clone()
    };
    let has_basic = !user.username.is_empty() || !user.password.is_empty();
    let mut exec = user.exec.clone();
    if let Some(exec) = &mut exec {
        exec.install_hint = visible(&exec.install_hint);
        exec.config = cluster.extensions.get(EXEC_EXTENSION).cloned();
    }
    Ok(Auth {
        basic: has_basic.then(|| BasicAuth { username: user.username.clone(), password: user.password.clone() }),
        token: Some(token).filter(|token| !token.is_empty()),
        token_file: some(user.token_file.clone()),
        exec,
        provider: user.auth_provider.clone(),
    })
}

fn tls(user: AuthInfo, cluster: Cluster) -> TlsConfig {
    let mut tls = TlsConfig {
        insecure: cluster.insecure_skip_tls_verify,
        server_name: some(cluster.tls_server_name),
        ca_data: cluster.certificate_authority_data,
        ca_file: some(cluster.certificate_authority),
        ..TlsConfig::default()
    };
    // A key without a certificate is none.
    if !user.client_certificate.is_empty() || !user.client_certificate_data.is_empty() {
        tls.cert_data = user.client_certificate_data;
        tls.cert_file = some(user.client_certificate);
        tls.key_data = user.client_key_data;
        tls.key_file = some(user.client_key);
    }
    tls
}

fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// A URL with a path without what follows it.
fn without_query(server: &str) -> String {
    let has_path = server.split_once("://").and_then(|(_, rest)| rest.split_once('/')).is_some_and(|(_, path)| !path.is_empty());
    match server.find(['?', '#']) {
        Some(end) if has_path => server.get(..end).unwrap_or(server).to_owned(),
        _ => server.to_owned(),
    }
}
