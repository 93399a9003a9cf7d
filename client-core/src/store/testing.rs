//! Objects of tests.

use std::collections::BTreeSet;

use super::{Entry, IndexFunc, IndexName};
use crate::{
    meta::ObjectMeta,
    object::{Object, PartialObjectMetadata},
};

pub(super) type Thing = PartialObjectMetadata;

/// An object of this key and version, with these users.
pub(super) fn thing(key: &str, version: &str, users: &str) -> Entry<Thing> {
    let (namespace, name) = key.split_once('/').unwrap_or(("", key));
    let metadata = ObjectMeta {
        namespace: namespace.into(),
        name: name.into(),
        resource_version: version.into(),
        annotations: [("users".to_owned(), users.to_owned())].into(),
        ..ObjectMeta::default()
    };
    Entry::of(PartialObjectMetadata::new(metadata))
}

pub(super) fn users_of(thing: &Thing) -> &str {
    &thing.metadata.annotations["users"]
}

pub(super) const BY_USER: IndexName = IndexName::new("user");

/// Each of the users, of which none may be empty; of none, nothing.
pub(super) fn by_user() -> (IndexName, IndexFunc<Thing>) {
    let users = IndexFunc::fallible(|thing: &Thing, values| {
        let users = users_of(thing);
        if !users.is_empty() {
            values.extend(users.split(','));
        }
        if users.split(',').skip(1).any(str::is_empty) {
            Err(format!("{} has a user without a name", thing.name()))
        } else {
            Ok(())
        }
    });
    (BY_USER, users)
}

/// The users as one value.
pub(super) const BY_USERS: IndexName = IndexName::new("users");

pub(super) fn by_users() -> (IndexName, IndexFunc<Thing>) {
    (BY_USERS, IndexFunc::new(|thing: &Thing, values| values.push(users_of(thing))))
}

pub(super) fn entries(of: &[(&str, &str)]) -> Vec<Entry<Thing>> {
    of.iter().map(|(key, users)| thing(key, "1", users)).collect()
}

/// Keys and users.
pub(super) fn pairs(of: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    of.iter().map(|(key, users)| ((*key).to_owned(), (*users).to_owned())).collect()
}
