//! What caches are read by.

use porthole_client_core::{
    object::{Object, controller_of},
    store::{IndexFunc, IndexName, IndexValues},
};

/// Objects by the uid of what manages them; those that nothing does by [`orphans_of`] their namespace
/// (`AddPodControllerIndexer`).
pub(crate) const BY_OWNER: IndexName = IndexName::new("owner");

/// The index [`BY_OWNER`].
pub(crate) fn by_owner<T: Object>() -> (IndexName, IndexFunc<T>) {
    let function = |object: &T, values: &mut IndexValues<'_>| match controller_of(object) {
        Some(owner) => values.push(owner.uid.to_string()),
        None => values.push(orphans_of(object.namespace())),
    };
    (BY_OWNER, IndexFunc::new(function))
}

/// Under what the orphans of a namespace are found. No uid is like that.
pub(crate) fn orphans_of(namespace: &str) -> String {
    ["orphans/", namespace].concat()
}
