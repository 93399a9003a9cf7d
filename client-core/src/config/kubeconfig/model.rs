//! What a kubeconfig file holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::named::{clusters, contexts, extensions, users};
use crate::{
    config::{
        AuthProviderConfig, ExecConfig, PemData, Secret,
        nulls::{null_items, null_lists},
    },
    meta::null_is_default,
};

/// Additions of others, by name. Kept as they are, so that writing a file does not lose them.
pub type Extensions = BTreeMap<String, Value>;

/// A kubeconfig file, or several merged (client-go `tools/clientcmd/api/types.go`, `Config`). An empty text means that
/// nothing is set, as in the file.
///
/// Unknown fields are passed over when a file is read, and so lost when it is written: kubectl does the same.
///
/// ```
/// use porthole_client_core::config::kubeconfig::Kubeconfig;
///
/// let config = Kubeconfig::parse("{clusters: [{name: c, cluster: {server: 'https://host'}}], current-context: x}")?;
/// assert_eq!((config.clusters["c"].server.as_str(), config.current_context.as_str()), ("https://host", "x"));
/// # Ok::<(), porthole_client_core::config::kubeconfig::KubeconfigError>(())
/// ```
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Kubeconfig {
    /// Settings of command lines, which nothing of Kubernetes reads any more.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Preferences::is_empty")]
    pub preferences: Preferences,
    /// Servers, by the names that contexts call them.
    #[serde(with = "clusters")]
    pub clusters: BTreeMap<String, Cluster>,
    /// Ways to say who we are, by the names that contexts call them (client-go's `AuthInfos`).
    #[serde(with = "users")]
    pub users: BTreeMap<String, AuthInfo>,
    /// Pairs of a server and a user, by name.
    #[serde(with = "contexts")]
    pub contexts: BTreeMap<String, Context>,
    /// The context that is used where none is named.
    #[serde(deserialize_with = "null_is_default")]
    pub current_context: String,
    /// Additions of others.
    #[serde(with = "extensions", skip_serializing_if = "Extensions::is_empty")]
    pub extensions: Extensions,
}

impl Kubeconfig {
    /// Whether nothing at all is set (client-go `IsConfigEmpty`).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Settings of command lines.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Whether output is coloured.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_false")]
    pub colors: bool,
    /// Additions of others.
    #[serde(with = "extensions", skip_serializing_if = "Extensions::is_empty")]
    pub extensions: Extensions,
}

impl Preferences {
    /// Whether nothing is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A server, and how to reach it (client-go `api.Cluster`). `Debug` shows neither the credentials that an address may hold nor
/// what extensions hold.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Cluster {
    /// The file this came from. Never written.
    #[serde(skip)]
    pub location_of_origin: String,
    /// The address of the server, such as `https://10.0.0.1:6443`.
    #[serde(deserialize_with = "null_is_default")]
    pub server: String,
    /// The name its certificate must have, where that is not the host's.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub tls_server_name: String,
    /// Whether any server is believed.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_false")]
    pub insecure_skip_tls_verify: bool,
    /// A file with the certificates that may vouch for the server.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub certificate_authority: String,
    /// The same as data; goes before the file.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "PemData::is_empty")]
    pub certificate_authority_data: PemData,
    /// The proxy to go through: `http`, `https` or `socks5`. Without one the variables of the process decide.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub proxy_url: String,
    /// Whether answers come uncompressed.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_false")]
    pub disable_compression: bool,
    /// Additions of others; `client.authentication.k8s.io/exec` holds what a credential plugin is told.
    #[serde(with = "extensions", skip_serializing_if = "Extensions::is_empty")]
    pub extensions: Extensions,
}

/// Who we are (client-go `api.AuthInfo`, a `user` in the file).
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct AuthInfo {
    /// The file this came from. Never written.
    #[serde(skip)]
    pub location_of_origin: String,
    /// A file with our certificate.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub client_certificate: String,
    /// The same as data; goes before the file.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "PemData::is_empty")]
    pub client_certificate_data: PemData,
    /// A file with its private key.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub client_key: String,
    /// The same as data; goes before the file.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "PemData::is_empty")]
    pub client_key_data: PemData,
    /// A bearer token.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Secret::is_empty")]
    pub token: Secret,
    /// A file with a bearer token. It is read again and again; what was read last goes before `token`.
    #[serde(rename = "tokenFile", deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub token_file: String,
    /// The user to act as.
    #[serde(rename = "as", deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub impersonate: String,
    /// Its uid.
    #[serde(rename = "as-uid", deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub impersonate_uid: String,
    /// Its groups.
    #[serde(rename = "as-groups", deserialize_with = "null_items", skip_serializing_if = "Vec::is_empty")]
    pub impersonate_groups: Vec<String>,
    /// What else the server shall believe about it.
    #[serde(rename = "as-user-extra", deserialize_with = "null_lists", skip_serializing_if = "BTreeMap::is_empty")]
    pub impersonate_user_extra: BTreeMap<String, Vec<String>>,
    /// The name for basic authentication.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub username: String,
    /// The password for it.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Secret::is_empty")]
    pub password: Secret,
    /// A legacy provider of credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_provider: Option<AuthProviderConfig>,
    /// A command that prints credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exec: Option<ExecConfig>,
    /// Additions of others.
    #[serde(with = "extensions", skip_serializing_if = "Extensions::is_empty")]
    pub extensions: Extensions,
}

/// A server, a user, and a namespace (client-go `api.Context`).
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Context {
    /// The file this came from. Never written.
    #[serde(skip)]
    pub location_of_origin: String,
    /// The name of the server's entry.
    #[serde(deserialize_with = "null_is_default")]
    pub cluster: String,
    /// The name of the user's entry (client-go's `AuthInfo`).
    #[serde(deserialize_with = "null_is_default")]
    pub user: String,
    /// The namespace of what names none.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Additions of others.
    #[serde(with = "extensions", skip_serializing_if = "Extensions::is_empty")]
    pub extensions: Extensions,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_false(value: &bool) -> bool {
    !value
}
