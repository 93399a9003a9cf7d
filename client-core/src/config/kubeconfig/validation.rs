//! Whether a configuration can be used.

use thiserror::Error;

use super::{AuthInfo, Cluster, ConfigFiles, ConfigurationInvalid, Context, Kubeconfig};
use crate::config::{InteractiveMode, PluginPolicyError, ProxyUrl, ServerUrl};

/// One thing that keeps a configuration from being used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// There is no configuration at all.
    #[error("no configuration has been provided: set KUBECONFIG, or name a kubeconfig file or a server")]
    EmptyConfig,
    /// No context was named, and none is current.
    #[error("no context is chosen: name one, or set one with kubectl config use-context")]
    NoContext,
    /// The context that was named is not there.
    #[error("the context \"{0}\" was not found: kubectl config get-contexts lists those there are")]
    ContextNotFound(String),
    /// Nothing is known about the cluster.
    #[error("the cluster has no server defined")]
    EmptyCluster,
    /// The cluster has settings, but no address.
    #[error("no server is given for the cluster \"{0}\"")]
    NoServer(String),
    /// An address that is none.
    #[error("the server of the cluster \"{cluster}\" is invalid: {message}")]
    Server {
        /// The cluster.
        cluster: String,
        /// What is wrong.
        message: String,
    },
    /// Any server shall be believed, and only one with a certain certificate.
    #[error("the cluster \"{0}\" has both a certificate-authority and insecure-skip-tls-verify: take one out")]
    AuthorityAndInsecure(String),
    /// A context without a name.
    #[error("a context has an empty name, which is not allowed")]
    EmptyContextName,
    /// A context leaves out its user or cluster.
    #[error("the context \"{context}\" names no {what}")]
    NotSpecified {
        /// `user` or `cluster`.
        what: &'static str,
        /// The context.
        context: String,
    },
    /// A context names a user or cluster that is not there.
    #[error("the {what} \"{name}\" of the context \"{context}\" was not found")]
    NotFound {
        /// `user` or `cluster`.
        what: &'static str,
        /// Its name.
        name: String,
        /// The context.
        context: String,
    },
    /// A namespace that can be none.
    #[error(
        "the namespace \"{namespace}\" of the context \"{context}\" is no DNS label: at most 63 of a to z, 0 to 9 and -, with \
         neither end a -"
    )]
    Namespace {
        /// The namespace.
        namespace: String,
        /// The context.
        context: String,
    },
    /// A proxy that cannot be used.
    #[error("the proxy-url of the cluster \"{cluster}\" is invalid: {message}")]
    ProxyUrl {
        /// The cluster.
        cluster: String,
        /// What is wrong.
        message: String,
    },
    /// A file and data for the same.
    #[error("both {file} and {file}-data are given for \"{name}\": the data would be used; take one out")]
    FileAndData {
        /// The field with the file.
        file: &'static str,
        /// The entry.
        name: String,
    },
    /// A file that cannot be read.
    #[error("the {field} of \"{name}\" cannot be read: {message}")]
    Unreadable {
        /// The field with the file.
        field: &'static str,
        /// The entry.
        name: String,
        /// Why not.
        message: String,
    },
    /// A certificate without its key.
    #[error("\"{0}\" has a client certificate and no key: give client-key or client-key-data")]
    NoKey(String),
    /// Too many ways to say who we are.
    #[error("\"{name}\" has more than one way to authenticate ({methods}), and only one is allowed")]
    Methods {
        /// The user.
        name: String,
        /// The ways.
        methods: String,
    },
    /// A credential plugin that is not described well enough.
    #[error("the credential plugin of \"{name}\" needs {what}")]
    Exec {
        /// The user.
        name: String,
        /// What it needs.
        what: &'static str,
    },
    /// An interactive mode that is none.
    #[error("the interactiveMode \"{mode}\" of \"{name}\" is none of Never, IfAvailable and Always")]
    InteractiveMode {
        /// The user.
        name: String,
        /// The mode.
        mode: String,
    },
    /// A plugin and a legacy provider.
    #[error("\"{0}\" has both an auth-provider and an exec plugin: take one out")]
    ExecAndProvider(String),
    /// A policy for plugins that could be misread.
    #[error("the policy for credential plugins cannot be used: {0}")]
    PluginPolicy(#[from] PluginPolicyError),
    /// Parts of another user, but not its name.
    #[error("\"{0}\" acts as a uid, as groups or with extra attributes, and not as a user: give as")]
    ImpersonationWithoutUser(String),
}

impl Kubeconfig {
    /// Checks all of the configuration, and gathers all that is wrong (client-go `tools/clientcmd/validation.go`,
    /// `Validate`).
    ///
    /// # Errors
    /// All that keeps any part of it from being used.
    pub fn validate(&self, files: &dyn ConfigFiles) -> Result<(), ConfigurationInvalid> {
        if self.is_empty() {
            return Err(Problem::EmptyConfig.into());
        }
        let mut found = ConfigurationInvalid::default();
        if !self.current_context.is_empty() && !self.contexts.contains_key(&self.current_context) {
            found.add("", vec![Problem::ContextNotFound(self.current_context.clone())]);
        }
        for (name, context) in &self.contexts {
            found.add(&context.location_of_origin, validate_context(name, context, self));
        }
        for (name, user) in &self.users {
            found.add(&user.location_of_origin, validate_user(name, user, files));
        }
        for (name, cluster) in &self.clusters {
            found.add(&cluster.location_of_origin, validate_cluster(name, cluster, files));
        }
        found.check()
    }

    /// Checks what a context needs, and gathers all that is wrong with that; other parts may be wrong as they like.
    /// `None` is the current context (client-go `ConfirmUsable`).
    ///
    /// # Errors
    /// All that keeps the context from being used.
    pub fn confirm_usable(&self, files: &dyn ConfigFiles, context: Option<&str>) -> Result<(), ConfigurationInvalid> {
        if self.is_empty() {
            return Err(Problem::EmptyConfig.into());
        }
        let name = context.filter(|name| !name.is_empty()).unwrap_or(&self.current_context);
        if name.is_empty() {
            return Err(Problem::NoContext.into());
        }
        let Some(context) = self.contexts.get(name) else {
            return Err(Problem::ContextNotFound(name.to_owned()).into());
        };
        let mut found = ConfigurationInvalid::of_context(name);
        found.add(&context.location_of_origin, validate_context(name, context, self));
        let user = self.users.get(&context.user).cloned().unwrap_or_default();
        found.add(&user.location_of_origin, validate_user(&context.user, &user, files));
        let cluster = self.clusters.get(&context.cluster).cloned().unwrap_or_default();
        found.add(&cluster.location_of_origin, validate_cluster(&context.cluster, &cluster, files));
        found.check()
    }
}

fn unreadable(files: &dyn ConfigFiles, field: &'static str, name: &str, path: &str) -> Option<Problem> {
    let error = (!path.is_empty()).then(|| files.read(path).err())??;
    Some(Problem::Unreadable { field, name: name.to_owned(), message: error.to_string() })
}

pub(super) fn validate_cluster(name: &str, cluster: &Cluster, files: &dyn ConfigFiles) -> Vec<Problem> {
    if *cluster == Cluster::default() {
        return vec![Problem::EmptyCluster];
    }
    let mut problems = Vec::new();
    if cluster.server.is_empty() {
        problems.push(Problem::NoServer(name.to_owned()));
    } else if cluster.server.contains("://")
        && let Err(error) = ServerUrl::parse(&cluster.server, true)
    {
        // What has no scheme is left to whoever connects, as kubectl leaves it.
        problems.push(Problem::Server { cluster: name.to_owned(), message: error.to_string() });
    }
    if !cluster.proxy_url.is_empty()
        && let Err(error) = ProxyUrl::parse(&cluster.proxy_url)
    {
        problems.push(Problem::ProxyUrl { cluster: name.to_owned(), message: error.to_string() });
    }
    if !cluster.certificate_authority.is_empty() && !cluster.certificate_authority_data.is_empty() {
        problems.push(Problem::FileAndData { file: "certificate-authority", name: name.to_owned() });
    }
    let has_authority = !cluster.certificate_authority.is_empty() || !cluster.certificate_authority_data.is_empty();
    if has_authority && cluster.insecure_skip_tls_verify {
        problems.push(Problem::AuthorityAndInsecure(name.to_owned()));
    }
    problems.extend(unreadable(files, "certificate-authority", name, &cluster.certificate_authority));
    problems
}

pub(super) fn validate_user(name: &str, user: &AuthInfo, files: &dyn ConfigFiles) -> Vec<Problem> {
    let owned = || name.to_owned();
    let mut problems = Vec::new();
    let (has_file, has_data) = (!user.client_certificate.is_empty(), !user.client_certificate_data.is_empty());
    if has_file || has_data {
        let (key_file, key_data) = (!user.client_key.is_empty(), !user.client_key_data.is_empty());
        if has_file && has_data {
            problems.push(Problem::FileAndData { file: "client-certificate", name: owned() });
        }
        if key_file && key_data {
            problems.push(Problem::FileAndData { file: "client-key", name: owned() });
        }
        if !key_file && !key_data {
            problems.push(Problem::NoKey(owned()));
        }
        problems.extend(unreadable(files, "client-certificate", name, &user.client_certificate));
        problems.extend(unreadable(files, "client-key", name, &user.client_key));
    }
    validate_exec(name, user, &mut problems);
    let has_basic = !user.username.is_empty() || !user.password.is_empty();
    if !user.token.is_empty() && has_basic {
        problems.push(Problem::Methods { name: owned(), methods: "token, basicAuth".to_owned() });
    }
    let acts_partly =
        !user.impersonate_uid.is_empty() || !user.impersonate_groups.is_empty() || !user.impersonate_user_extra.is_empty();
    if acts_partly && user.impersonate.is_empty() {
        problems.push(Problem::ImpersonationWithoutUser(owned()));
    }
    problems
}

fn validate_exec(name: &str, user: &AuthInfo, problems: &mut Vec<Problem>) {
    let Some(exec) = &user.exec else { return };
    if user.auth_provider.is_some() {
        problems.push(Problem::ExecAndProvider(name.to_owned()));
    }
    for (missing, what) in [
        (exec.command.is_empty(), "a command"),
        (exec.api_version.is_empty(), "an apiVersion, such as client.authentication.k8s.io/v1"),
        (exec.env.iter().any(|variable| variable.name.is_empty()), "a name for each variable of its env"),
        (exec.interactive_mode.is_unset(), "an interactiveMode: Never, IfAvailable or Always"),
    ] {
        if missing {
            problems.push(Problem::Exec { name: name.to_owned(), what });
        }
    }
    if let InteractiveMode::Other(mode) = &exec.interactive_mode {
        problems.push(Problem::InteractiveMode { name: name.to_owned(), mode: mode.clone() });
    }
    problems.extend(exec.plugin_policy.validate().err().map(Problem::from));
}

pub(super) fn validate_context(name: &str, context: &Context, config: &Kubeconfig) -> Vec<Problem> {
    let mut problems = Vec::new();
    if name.is_empty() {
        problems.push(Problem::EmptyContextName);
    }
    for (what, entry, exists) in [
        ("user", &context.user, config.users.contains_key(&context.user)),
        ("cluster", &context.cluster, config.clusters.contains_key(&context.cluster)),
    ] {
        if entry.is_empty() {
            problems.push(Problem::NotSpecified { what, context: name.to_owned() });
        } else if !exists {
            problems.push(Problem::NotFound { what, name: entry.clone(), context: name.to_owned() });
        }
    }
    if !context.namespace.is_empty() && !is_dns_label(&context.namespace) {
        problems.push(Problem::Namespace { namespace: context.namespace.clone(), context: name.to_owned() });
    }
    problems
}

/// apimachinery `util/validation`, `IsDNS1123Label`.
fn is_dns_label(text: &str) -> bool {
    text.len() <= 63
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}
