//! Credential plugins: what a kubeconfig says about them.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use thiserror::Error;

use super::nulls::{null_items, null_values};
use super::paths::clean;
use crate::meta::null_is_default;

/// A command that prints credentials (client-go `tools/clientcmd/api/types.go`, `ExecConfig`).
///
/// `Debug` shows neither arguments nor environment nor the cluster's own settings: all three may hold secrets.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExecConfig {
    /// The command to run.
    #[serde(deserialize_with = "null_is_default")]
    pub command: String,
    /// Its arguments.
    #[serde(deserialize_with = "null_items", serialize_with = "null_for_none")]
    pub args: Vec<String>,
    /// Variables added to those of this process.
    #[serde(deserialize_with = "null_items", serialize_with = "null_for_none")]
    pub env: Vec<ExecEnvVar>,
    /// The version of `client.authentication.k8s.io` that is spoken; the answer must be of the same.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub api_version: String,
    /// What to do where the command is not installed.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub install_hint: String,
    /// Whether the command is told about the cluster.
    #[serde(deserialize_with = "null_is_default")]
    pub provide_cluster_info: bool,
    /// How the command stands to standard input.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "InteractiveMode::is_unset")]
    pub interactive_mode: InteractiveMode,
    /// The cluster's settings for this plugin: its extension `client.authentication.k8s.io/exec`. Never written.
    #[serde(skip)]
    pub config: Option<Value>,
    /// Whether standard input is taken by something else. Never written.
    #[serde(skip)]
    pub stdin_unavailable: bool,
    /// By what it is taken. Never written.
    #[serde(skip)]
    pub stdin_unavailable_message: String,
    /// Which commands may run. Never written.
    #[serde(skip)]
    pub plugin_policy: PluginPolicy,
}

impl fmt::Debug for ExecConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hidden = |count: usize| format_args_of(count);
        formatter
            .debug_struct("ExecConfig")
            .field("command", &self.command)
            .field("args", &hidden(self.args.len()))
            .field("env", &hidden(self.env.len()))
            .field("api_version", &self.api_version)
            .field("provide_cluster_info", &self.provide_cluster_info)
            .field("interactive_mode", &self.interactive_mode)
            .field("config", &hidden(usize::from(self.config.is_some())))
            .field("stdin_unavailable", &self.stdin_unavailable)
            .field("plugin_policy", &self.plugin_policy)
            .finish_non_exhaustive()
    }
}

/// How many values there are, without them.
fn format_args_of(count: usize) -> Hidden {
    Hidden(count)
}

struct Hidden(usize);

impl fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { formatter.write_str("none") } else { write!(formatter, "[{} redacted]", self.0) }
    }
}

/// One variable of a plugin's environment (client-go `ExecEnvVar`). `Debug` does not show its value.
#[derive(Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct ExecEnvVar {
    /// Its name.
    #[serde(deserialize_with = "null_is_default")]
    pub name: String,
    /// Its value.
    #[serde(deserialize_with = "null_is_default")]
    pub value: String,
}

impl fmt::Debug for ExecEnvVar {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ExecEnvVar").field("name", &self.name).finish_non_exhaustive()
    }
}

/// How a plugin stands to standard input (client-go `ExecInteractiveMode`). A mode that is none is kept, so that a file can be
/// shown and checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum InteractiveMode {
    /// Nothing was said; an error from `client.authentication.k8s.io/v1` on.
    #[default]
    Unset,
    /// It never reads it.
    Never,
    /// It reads it where there is one.
    IfAvailable,
    /// It cannot do without.
    Always,
    /// Something else, which is an error.
    Other(String),
}

impl InteractiveMode {
    /// Whether nothing was said.
    #[must_use]
    pub fn is_unset(&self) -> bool {
        *self == Self::Unset
    }

    /// As files have it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Unset => "",
            Self::Never => "Never",
            Self::IfAvailable => "IfAvailable",
            Self::Always => "Always",
            Self::Other(text) => text,
        }
    }
}

impl From<&str> for InteractiveMode {
    fn from(text: &str) -> Self {
        match text {
            "" => Self::Unset,
            "Never" => Self::Never,
            "IfAvailable" => Self::IfAvailable,
            "Always" => Self::Always,
            other => Self::Other(other.to_owned()),
        }
    }
}

impl Serialize for InteractiveMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for InteractiveMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::from(text.as_str()))
    }
}

/// Which credential plugins may run (client-go `PluginPolicy`, KEP 3104's `kuberc`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PluginPolicy {
    /// All of them.
    #[default]
    AllowAll,
    /// None.
    DenyAll,
    /// Those of a list: a name is looked up in `PATH`, as the plugin's own command is, and the two files must be one.
    Allowlist(Vec<String>),
}

/// A policy that says nothing, or something that could be misread. It is a security setting: it is refused whole.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PluginPolicyError {
    /// A list without entries.
    #[error("the list of allowed credential plugins is empty: name a plugin, or use the policy DenyAll")]
    EmptyList,
    /// An entry without a command.
    #[error("entry {0} of the list of allowed credential plugins names no command")]
    EmptyEntry(usize),
    /// A path that can be written shorter, and so might not be what it seems.
    #[error("the allowed credential plugin \"{path}\" must be written \"{clean}\"")]
    NotNormalized {
        /// As it is.
        path: String,
        /// As it should be.
        clean: String,
    },
}

impl PluginPolicy {
    /// Checks the policy (client-go `plugin/pkg/client/auth/exec`, `ValidatePluginPolicy`).
    ///
    /// # Errors
    /// Where a list is empty, has an empty entry, or one that is not the shortest way to write its path.
    pub fn validate(&self) -> Result<(), PluginPolicyError> {
        let Self::Allowlist(list) = self else { return Ok(()) };
        if list.is_empty() {
            return Err(PluginPolicyError::EmptyList);
        }
        for (index, path) in list.iter().enumerate() {
            if path.is_empty() {
                return Err(PluginPolicyError::EmptyEntry(index + 1));
            }
            let clean = clean(path);
            if clean != *path {
                return Err(PluginPolicyError::NotNormalized { path: path.clone(), clean });
            }
        }
        Ok(())
    }
}

/// A legacy authentication provider and its settings (client-go `AuthProviderConfig`). `Debug` hides the settings.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuthProviderConfig {
    /// Its name, such as `oidc`.
    #[serde(deserialize_with = "null_is_default")]
    pub name: String,
    /// Its settings, tokens among them.
    #[serde(deserialize_with = "null_values", serialize_with = "null_for_no_entries")]
    pub config: BTreeMap<String, String>,
}

impl fmt::Debug for AuthProviderConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AuthProviderConfig")
            .field("name", &self.name)
            .field("config", &Hidden(self.config.len()))
            .finish()
    }
}

/// A list as Go writes one that it always writes: null where it is empty.
fn null_for_none<S: Serializer, T: Serialize>(list: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    if list.is_empty() { serializer.serialize_none() } else { list.serialize(serializer) }
}

fn null_for_no_entries<S: Serializer>(map: &BTreeMap<String, String>, serializer: S) -> Result<S::Ok, S::Error> {
    if map.is_empty() { serializer.serialize_none() } else { map.serialize(serializer) }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn arguments_environment_and_settings_of_a_plugin_are_not_shown() {
        let exec = ExecConfig {
            command: "aws".into(),
            args: vec!["--password=s3cr3t".into()],
            env: vec![ExecEnvVar { name: "TOKEN".into(), value: "s3cr3t".into() }],
            config: Some(serde_json::json!({ "key": "s3cr3t" })),
            ..ExecConfig::default()
        };
        let provider =
            AuthProviderConfig { name: "oidc".into(), config: [("id-token".into(), "s3cr3t".into())].into_iter().collect() };
        let shown = format!("{exec:?} {:?} {provider:?}", exec.env);
        assert!(!shown.contains("s3cr3t"), "{shown}");
        assert!(shown.contains("aws") && shown.contains("oidc") && shown.contains("[1 redacted]"), "{shown}");
    }

    #[test]
    fn a_policy_is_refused_where_it_could_be_misread() {
        let list = |entries: &[&str]| PluginPolicy::Allowlist(entries.iter().map(|&entry| entry.to_owned()).collect());
        assert_eq!(list(&[]).validate(), Err(PluginPolicyError::EmptyList));
        assert_eq!(list(&["aws", ""]).validate(), Err(PluginPolicyError::EmptyEntry(2)));
        assert_eq!(
            list(&["/opt//bin/../aws"]).validate(),
            Err(PluginPolicyError::NotNormalized { path: "/opt//bin/../aws".into(), clean: "/opt/aws".into() })
        );
        assert!(list(&["aws", "/opt/gke"]).validate().is_ok());
        assert!(PluginPolicy::AllowAll.validate().is_ok() && PluginPolicy::DenyAll.validate().is_ok());
    }
}
