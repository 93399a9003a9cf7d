//! `null` inside lists and maps, which Go reads as an empty value.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::meta::null_is_default;

/// Reads a list, `null` or an item that is `null` as empty.
pub(super) fn null_items<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    let items: Vec<Option<T>> = null_is_default(deserializer)?;
    Ok(items.into_iter().map(Option::unwrap_or_default).collect())
}

/// Reads a map, `null` or a value that is `null` as empty.
pub(super) fn null_values<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    let values: BTreeMap<String, Option<T>> = null_is_default(deserializer)?;
    Ok(values.into_iter().map(|(name, value)| (name, value.unwrap_or_default())).collect())
}

/// Reads a map of lists as [`null_values`] and [`null_items`] do.
#[cfg(feature = "kubeconfig")]
pub(super) fn null_lists<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Vec<String>>, D::Error> {
    #[derive(Default, Deserialize)]
    struct Texts(#[serde(deserialize_with = "null_items")] Vec<String>);
    Ok(null_values::<D, Texts>(deserializer)?.into_iter().map(|(name, texts)| (name, texts.0)).collect())
}
