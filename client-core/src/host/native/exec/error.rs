//! Why a credential plugin gave no credentials.

use thiserror::Error;

use crate::config::PluginPolicyError;

/// A credential plugin that gave no credentials.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExecError {
    /// A version that is not spoken here.
    #[error(
        "the credential plugin {command} speaks \"{version}\", and only client.authentication.k8s.io/v1 and v1beta1 are \
         understood: change its apiVersion, or update the plugin"
    )]
    Version {
        /// The command.
        command: String,
        /// The version.
        version: String,
    },
    /// A policy that could be misread.
    #[error("the policy for credential plugins cannot be used: {0}")]
    Policy(#[from] PluginPolicyError),
    /// The policy does not let it run.
    #[error("the credential plugin {command} is not allowed to run: {reason}")]
    Denied {
        /// The command.
        command: String,
        /// What the policy says.
        reason: String,
    },
    /// It needs a person, and there is none.
    #[error("the credential plugin {command} cannot ask a person: {reason}")]
    Interactive {
        /// The command.
        command: String,
        /// Why not.
        reason: String,
    },
    /// There is no such command. The hint is what its kubeconfig says about that; it is left out where it was told often lately.
    #[error("the credential plugin {command} is not installed{}", hint_text(.hint.as_deref()))]
    NotFound {
        /// The command.
        command: String,
        /// How to get it.
        hint: Option<String>,
    },
    /// It cannot be started.
    #[error("the credential plugin {command} cannot be run: {message}")]
    Start {
        /// The command.
        command: String,
        /// Why not.
        message: String,
    },
    /// It ended, but not well.
    #[error("the credential plugin {command} failed with exit code {code}{}", stderr_text(.stderr))]
    Failed {
        /// The command.
        command: String,
        /// Its exit code; -1 where a signal ended it.
        code: i32,
        /// The end of what it said.
        stderr: String,
    },
    /// What it printed is no credential.
    #[error("the credential plugin {command} printed no credentials that can be used: {message}")]
    Output {
        /// The command.
        command: String,
        /// What is wrong with them. It holds nothing of what was printed.
        message: String,
    },
}

fn hint_text(hint: Option<&str>) -> String {
    let learn = "to learn more about credential plugins, see \
                 https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins";
    match hint {
        None => String::new(),
        Some("") => format!(": {learn}"),
        Some(hint) => format!(": {learn}\n\n{hint}"),
    }
}

fn stderr_text(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!(": {stderr}") }
}
