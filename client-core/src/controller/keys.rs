//! From changes to keys.

use crate::{
    informer::Change,
    mapper::Scope,
    meta::{GroupKind, GroupVersion},
    object::{Object, controller_of},
    store::Key,
};

/// The key of what changed itself.
#[must_use]
pub fn own_key<T>(change: &Change<T>) -> Option<Key> {
    Some(change.key().clone())
}

/// What manages objects, to find its keys by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Its group and kind; in which version it is referred to does not matter.
    pub kind: GroupKind,
    /// Whether it is of a namespace, which is then that of what it manages.
    pub scope: Scope,
}

/// The keys of the owners that manage what changed: of the one before and of the one after, where these are two (Kubernetes
/// `pkg/controller/replicaset/replica_set.go`, `updatePod`).
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     controller::{Owner, owner_keys},
///     informer::Change,
///     mapper::Scope,
///     object::Unstructured,
///     store::Key,
/// };
///
/// let pod: Unstructured = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"shop","name":"web-1","ownerReferences":[
///     {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"1","controller":true}]}}"#.parse()?;
/// let sets = Owner { kind: "ReplicaSet.apps".into(), scope: Scope::Namespaced };
/// let change = Change::Added { key: Key::of(&pod), object: Arc::new(pod), is_in_initial_list: false };
/// assert_eq!(owner_keys(&change, &sets), [Key::of_name("shop", "web")]);
/// # Ok::<(), porthole_client_core::object::ParseObjectError>(())
/// ```
#[must_use]
pub fn owner_keys<T: Object>(change: &Change<T>, owner: &Owner) -> Vec<Key> {
    let key = |object: &T| {
        let reference = controller_of(object)?;
        let group_version: GroupVersion = reference.api_version.parse().ok()?;
        let is_it = group_version.group == owner.kind.group && reference.kind == owner.kind.kind;
        let namespace = if owner.scope == Scope::Namespaced { object.namespace() } else { "" };
        is_it.then(|| Key::of_name(namespace, reference.name.as_str()))
    };
    let mut keys: Vec<_> = key(change.object()).into_iter().collect();
    if let Change::Updated { before, .. } = change {
        keys.extend(key(before).filter(|before| !keys.contains(before)));
    }
    keys
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        meta::{ObjectMeta, OwnerReference},
        object::PartialObjectMetadata,
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn owned(api_version: &str, kind: &str, name: &str, controller: bool) -> Arc<PartialObjectMetadata> {
        let reference = OwnerReference {
            api_version: api_version.into(),
            kind: kind.into(),
            name: name.into(),
            controller: Some(controller),
            ..OwnerReference::default()
        };
        let metadata = ObjectMeta {
            namespace: "shop".into(),
            name: "pod".into(),
            owner_references: vec![reference],
            ..ObjectMeta::default()
        };
        Arc::new(PartialObjectMetadata::new(metadata))
    }

    fn keys(before: &Arc<PartialObjectMetadata>, after: &Arc<PartialObjectMetadata>, scope: Scope) -> Vec<String> {
        let change = Change::Updated { key: own(after), before: before.clone(), after: after.clone() };
        let sets = Owner { kind: "ReplicaSet.apps".into(), scope };
        assert_eq!(own_key(&change), Some(own(after)));
        owner_keys(&change, &sets).iter().map(ToString::to_string).collect()
    }

    fn own(object: &Arc<PartialObjectMetadata>) -> Key {
        Key::of(&**object)
    }

    #[test]
    fn the_owner_that_manages_is_found_in_any_version_of_its_kind_and_each_once() {
        let web = owned("apps/v1", "ReplicaSet", "web", true);
        for (other, found) in [
            (owned("apps/v1", "ReplicaSet", "web", true), vec!["shop/web"]),
            (owned("apps/v2", "ReplicaSet", "db", true), vec!["shop/db", "shop/web"]),
            (owned("apps/v1", "ReplicaSet", "db", false), vec!["shop/web"]),
            (owned("apps/v1", "DaemonSet", "db", true), vec!["shop/web"]),
            (owned("v1", "ReplicaSet", "db", true), vec!["shop/web"]),
            (owned("a/b/c", "ReplicaSet", "db", true), vec!["shop/web"]),
        ] {
            assert_eq!(keys(&web, &other, Scope::Namespaced), found);
        }
        assert_eq!(keys(&web, &web, Scope::Cluster), ["web"]);
    }
}
