//! What a list says of itself.

use serde::{Deserialize, Serialize};

use super::{ResourceVersion, null_is_default};

/// `metav1.ListMeta`: the version of a list, and whether there is more of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ListMeta {
    /// The version of the whole list, from which a watch can go on; empty where the server gives none.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "ResourceVersion::is_empty")]
    pub resource_version: ResourceVersion,
    /// The token of the next page; empty at the end.
    #[serde(rename = "continue", deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub continue_token: String,
    /// About how many items are left, where the server says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining_item_count: Option<i64>,
}
