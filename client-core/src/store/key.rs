//! Keys.

use std::{borrow::Borrow, fmt, ops::Deref, sync::Arc};

use thiserror::Error;

use crate::object::Object;

/// What tells one object of a collection from another: `namespace/name`, or `name` where its objects belong to no namespace
/// (client-go `tools/cache/store.go`, `MetaNamespaceKeyFunc`, and `object-names.go`, `ObjectName`). A row without a name has
/// its uid for one.
///
/// A map of keys is asked by `&str`.
///
/// ```
/// use porthole_client_core::store::Key;
///
/// let key = Key::of_name("shop", "web-0");
/// assert_eq!(key.to_string(), "shop/web-0");
/// assert_eq!(key.split()?, ("shop", "web-0"));
/// assert_eq!(Key::new("node-1").split()?, ("", "node-1"));
/// # Ok::<(), porthole_client_core::store::InvalidKey>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<str>);

/// A key that is not of a namespace and a name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("key \"{0}\" has more than one slash: expected namespace/name, or a name alone")]
pub struct InvalidKey(Key);

impl Key {
    /// A key of this text.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The key of an object.
    #[must_use]
    pub fn of(object: &impl Object) -> Self {
        Self::of_parts(object.namespace(), object.name(), object.uid())
    }

    /// The key of what has this namespace, name and id, each of which may be empty.
    pub(crate) fn of_parts(namespace: &str, name: &str, uid: &str) -> Self {
        Self::of_name(namespace, if name.is_empty() { uid } else { name })
    }

    /// The key of the object of this name. The namespace of what belongs to none is empty.
    #[must_use]
    pub fn of_name(namespace: &str, name: &str) -> Self {
        if namespace.is_empty() { Self::new(name) } else { Self::new([namespace, "/", name].concat()) }
    }

    /// The namespace, which is empty where there is none, and the name (client-go `SplitMetaNamespaceKey`).
    ///
    /// # Errors
    ///
    /// Where there is more than one slash.
    pub fn split(&self) -> Result<(&str, &str), InvalidKey> {
        let (namespace, name) = self.0.split_once('/').unwrap_or(("", &self.0));
        if name.contains('/') { Err(InvalidKey(self.clone())) } else { Ok((namespace, name)) }
    }

    /// The text of it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// As its text, which it hashes and compares like.
impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// An object that goes from hand to hand by its address, and that nobody shares yet: it may still be changed.
#[derive(Debug, PartialEq, Eq)]
pub struct Fresh<T>(Arc<T>);

impl<T> From<T> for Fresh<T> {
    fn from(object: T) -> Self {
        Self(Arc::new(object))
    }
}

impl<T> Deref for Fresh<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Fresh<T> {
    /// Changes the object.
    pub fn change(&mut self, change: impl FnOnce(&mut T)) {
        // Nobody else has it, so this always does.
        if let Some(object) = Arc::get_mut(&mut self.0) {
            change(object);
        }
    }

    /// Shares the object.
    #[must_use]
    pub fn share(self) -> Arc<T> {
        self.0
    }
}

/// An object and its key, which is made once for each.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry<T> {
    /// The key.
    pub key: Key,
    /// The object, shared by all who read it.
    pub object: Arc<T>,
}

impl<T: Object> Entry<T> {
    /// Takes an object in.
    #[must_use]
    pub fn of(object: impl Into<Fresh<T>>) -> Self {
        let object = object.into();
        Self { key: Key::of(&*object), object: object.share() }
    }
}

impl<T> Clone for Entry<T> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), object: Arc::clone(&self.object) }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::{BTreeMap, HashMap},
        ops::Bound,
    };

    use super::*;
    use crate::{object::Unstructured, platform::Chance};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_key_is_the_namespace_and_the_name_or_the_uid_of_what_has_no_name() {
        let key = |metadata: &str| {
            let object: Unstructured = format!(r#"{{"apiVersion":"v1","kind":"Pod","metadata":{metadata}}}"#).parse().unwrap();
            Key::of(&object).as_str().to_owned()
        };
        assert_eq!(key(r#"{"namespace":"shop","name":"web-0","uid":"u"}"#), "shop/web-0");
        assert_eq!(key(r#"{"name":"node-1"}"#), "node-1");
        assert_eq!(key(r#"{"uid":"u-1"}"#), "u-1");
        assert_eq!(key(r#"{"namespace":"shop","uid":"u-1"}"#), "shop/u-1");
    }

    #[test]
    fn a_key_comes_apart_into_what_it_was_made_of_unless_it_has_two_slashes() {
        let mut chance = Chance(1);
        let (mut whole, mut refused) = (0, 0);
        for _ in 0..1000 {
            let text: String = (0..10).map(|_| chance.of(&["a", "b", "c", "d", "e", "f", "g", "/"])).collect();
            let key = Key::new(text.as_str());
            let parts: Vec<_> = text.split('/').collect();
            let expected = match parts[..] {
                [name] => Ok(("", name)),
                [namespace, name] => Ok((namespace, name)),
                _ => Err(InvalidKey(key.clone())),
            };
            assert_eq!(key.split(), expected, "{text}");
            let Ok((namespace, name)) = expected else {
                refused += 1;
                continue;
            };
            // A namespace that is empty is none: it leaves no slash.
            let again = Key::of_name(namespace, name).to_string();
            assert_eq!(again, text.strip_prefix('/').unwrap_or(&text));
            whole += 1;
        }
        assert!(whole > 100 && refused > 100, "{whole} {refused}");
        let words = Key::new("a/b/c").split().unwrap_err().to_string();
        assert_eq!(words, "key \"a/b/c\" has more than one slash: expected namespace/name, or a name alone");
    }

    #[test]
    fn a_map_of_keys_is_asked_by_text() {
        let map = HashMap::from([(Key::of_name("shop", "web-0"), 1)]);
        assert_eq!((map.get("shop/web-0"), map.get("shop/web-1")), (Some(&1), None));
        let map = BTreeMap::from([(Key::new("a"), 1), (Key::new("b"), 2)]);
        assert_eq!(
            map.range::<str, _>((Bound::Included("aa"), Bound::Unbounded)).map(|(_, number)| *number).collect::<Vec<_>>(),
            [2]
        );
    }
}
