//! What a person has here: the cluster in local storage, preferences.

pub(crate) mod preferences;
pub(crate) mod store;
