//! What can go wrong with kubeconfig files.

use thiserror::Error;

use super::{ConfigurationInvalid, FileError, MissingFiles};
use crate::config::{ProxyUrlError, RestConfigError};

/// A kubeconfig that cannot be read, used or written.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum KubeconfigError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is no kubeconfig.
    #[error("{} cannot be read{}: {message}", origin_or_text(.origin), place(.field, *.line, *.column))]
    Content {
        /// The file; empty where the text came from none.
        origin: String,
        /// The path of the field, such as `clusters[0].cluster.server`; empty where it is not known.
        field: String,
        /// The line, from 1; 0 where it is not known.
        line: u64,
        /// The column, from 1.
        column: u64,
        /// What is wrong. It holds nothing of the file, which may be secret.
        message: String,
    },
    /// A configuration that no file can hold.
    #[error("the kubeconfig cannot be written as YAML: {message}")]
    Unwritable {
        /// Why not.
        message: String,
    },
    /// Several files cannot be read.
    #[error("{}", joined(.0))]
    Several(Vec<KubeconfigError>),
    /// The configuration cannot be used.
    #[error(transparent)]
    Invalid(#[from] ConfigurationInvalid),
    /// There is no configuration, because none of the files is there.
    #[error("{source}; {missing}")]
    NoFileThere {
        /// What follows from it.
        source: ConfigurationInvalid,
        /// The files.
        missing: MissingFiles,
    },
    /// An override names something that is not there.
    #[error("the {what} \"{name}\" does not exist: kubectl config view lists those that do")]
    Missing {
        /// What it should be.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The proxy cannot be used.
    #[error(transparent)]
    Proxy(#[from] ProxyUrlError),
    /// What was made of it contradicts itself.
    #[error(transparent)]
    RestConfig(#[from] RestConfigError),
    /// A text that should be a duration.
    #[error("\"{0}\" is no timeout: give seconds, or a number with a unit such as 1s, 2m or 3h")]
    Timeout(String),
    /// An entry holds both a file and data, so that no single copy can be made of it.
    #[error("{what} of \"{name}\" is given both as a file and as data: take one of them out")]
    FileAndData {
        /// The field.
        what: &'static str,
        /// The entry.
        name: String,
    },
    /// There is no current context to reduce the configuration to.
    #[error("there is no current context to keep: set one with kubectl config use-context")]
    NoCurrentContext,
    /// There is no file that a change belongs in.
    #[error("there is no kubeconfig file to write {what} to: name one in KUBECONFIG")]
    NoFile {
        /// What should be written.
        what: &'static str,
    },
    /// This process runs in no pod.
    #[error("this is no pod of a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set")]
    NotInCluster,
    /// What was asked has no answer inside of a cluster.
    #[error("the configuration of a pod has no contexts")]
    NoContextsInCluster,
}

impl KubeconfigError {
    /// Whether a context was asked for that there is not (client-go `clientcmd.IsContextNotFound`).
    #[must_use]
    pub fn is_context_not_found(&self) -> bool {
        matches!(self, Self::Invalid(invalid) if invalid.is_context_not_found())
    }

    /// Whether there is no configuration at all (client-go `clientcmd.IsEmptyConfig`).
    #[must_use]
    pub fn is_empty_config(&self) -> bool {
        match self {
            Self::Invalid(invalid) => invalid.is_empty_config(),
            Self::NoFileThere { source, .. } => source.is_empty_config(),
            _ => false,
        }
    }

    /// Whether it is the configuration that is wrong, not the way to it (client-go
    /// `clientcmd.IsConfigurationInvalid`).
    #[must_use]
    pub fn is_configuration_invalid(&self) -> bool {
        matches!(self, Self::Invalid(_) | Self::NoFileThere { .. })
    }
}

fn origin_or_text(origin: &str) -> String {
    if origin.is_empty() { "the kubeconfig".to_owned() } else { format!("the kubeconfig {origin}") }
}

fn place(field: &str, line: u64, column: u64) -> String {
    let at = if line > 0 { format!(" at line {line}, column {column}") } else { String::new() };
    let path = if field.is_empty() { String::new() } else { format!(" ({field})") };
    at + &path
}

pub(super) fn joined<E: ToString>(errors: &[E]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
