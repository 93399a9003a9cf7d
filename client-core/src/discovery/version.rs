//! The version of a server (apimachinery `version/types.go`: `Info`).

use serde::{Deserialize, Serialize};

/// What a server says it is. A field that it leaves out is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServerVersion {
    /// The major version, such as `1`.
    pub major: String,
    /// The minor version, such as `36`; some providers put a `+` behind it.
    pub minor: String,
    /// The major version whose behaviour the server shows.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub emulation_major: String,
    /// The minor version whose behaviour the server shows.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub emulation_minor: String,
    /// The major version that the server can still be put back to.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub min_compatibility_major: String,
    /// The minor version that the server can still be put back to.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub min_compatibility_minor: String,
    /// The whole version, such as `v1.36.3`.
    pub git_version: String,
    /// The commit it was built from.
    pub git_commit: String,
    /// Whether it was built from that commit alone: `clean` or `dirty`.
    pub git_tree_state: String,
    /// When it was built.
    pub build_date: String,
    /// The version of Go it was built with.
    pub go_version: String,
    /// The compiler it was built with.
    pub compiler: String,
    /// The system it was built for, such as `linux/amd64`.
    pub platform: String,
}
