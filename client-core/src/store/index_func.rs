//! What objects are indexed by.

use std::{
    borrow::{Borrow, Cow},
    error::Error,
    fmt, iter,
    sync::Arc,
};

use super::IndexFailure;
use crate::{
    object::Object,
    platform::{MaybeSend, MaybeSync},
};

/// The name of an index.
///
/// ```
/// use porthole_client_core::store::IndexName;
///
/// const BY_NODE: IndexName = IndexName::new("node");
/// assert_eq!(BY_NODE, IndexName::from("node".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexName(Cow<'static, str>);

/// The name of [`namespace_index`] (client-go `tools/cache/index.go`, `NamespaceIndex`).
pub static NAMESPACE_INDEX: IndexName = IndexName::new("namespace");

impl IndexName {
    /// A name that is known when a program is written.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// The text of it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for IndexName {
    fn from(name: String) -> Self {
        Self(Cow::Owned(name))
    }
}

impl fmt::Display for IndexName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A value that objects are found by in an index. A map of values is asked by `&str`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexValue(Arc<str>);

impl IndexValue {
    /// The text of it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for IndexValue {
    fn from(value: &str) -> Self {
        Self(value.into())
    }
}

/// As its text, which it hashes and compares like.
impl Borrow<str> for IndexValue {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IndexValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The values of one object, as an [`IndexFunc`] finds them. Most objects have one: it takes no memory.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct IndexValues<'a> {
    first: Option<Cow<'a, str>>,
    more: Vec<Cow<'a, str>>,
}

impl<'a> IndexValues<'a> {
    /// Adds a value. One that was added before changes nothing.
    pub fn push(&mut self, value: impl Into<Cow<'a, str>>) {
        if self.first.is_none() {
            self.first = Some(value.into());
        } else {
            self.more.push(value.into());
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.first.iter().chain(&self.more).map(AsRef::as_ref)
    }

    /// The value, where there is one and no other.
    pub(super) fn single(&self) -> Option<&str> {
        if self.more.is_empty() { self.first.as_deref() } else { None }
    }
}

impl<'a, V: Into<Cow<'a, str>>> Extend<V> for IndexValues<'a> {
    fn extend<I: IntoIterator<Item = V>>(&mut self, values: I) {
        for value in values {
            self.push(value);
        }
    }
}

/// Finds the values that an object has in an index: none, one or several (client-go `tools/cache/index.go`, `IndexFunc`).
///
/// It must say the same of an object each time: what it said before is not kept, but asked again when the object changes or goes.
///
/// ```
/// use porthole_client_core::{
///     object::{Object as _, PartialObjectMetadata},
///     store::{Entry, IndexFunc, IndexName, Indexer, Indexers},
/// };
///
/// const BY_OWNER: IndexName = IndexName::new("owner");
/// let owners = IndexFunc::new(|object: &PartialObjectMetadata, values| {
///     values.extend(object.metadata.owner_references.iter().map(|owner| owner.uid.as_str()));
/// });
/// let mut indexer = Indexer::new(Indexers::from([(BY_OWNER, owners)]));
/// let text = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","ownerReferences":[
///     {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u-1"}]}}"#;
/// indexer.insert(Entry::of(serde_json::from_str::<PartialObjectMetadata>(text)?));
/// let mut owned = indexer.by_index(&BY_OWNER, "u-1")?;
/// assert_eq!(owned.next().map(|(key, _)| key.as_str()), Some("a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct IndexFunc<T>(Arc<dyn Function<T>>);

trait Function<T>: MaybeSend + MaybeSync {
    fn call<'a>(&self, object: &'a T, values: &mut IndexValues<'a>) -> Result<(), IndexFailure>;
}

impl<T, F> Function<T> for F
where
    F: for<'a> Fn(&'a T, &mut IndexValues<'a>) -> Result<(), IndexFailure> + MaybeSend + MaybeSync,
{
    fn call<'a>(&self, object: &'a T, values: &mut IndexValues<'a>) -> Result<(), IndexFailure> {
        self(object, values)
    }
}

impl<T> IndexFunc<T> {
    /// A function that puts the values of an object into a list.
    #[must_use]
    pub fn new(function: impl for<'a> Fn(&'a T, &mut IndexValues<'a>) + MaybeSend + MaybeSync + 'static) -> Self {
        Self::erased(move |object, values| {
            function(object, values);
            Ok(())
        })
    }

    /// A function that may fail. An object of which it does is in the cache, but nowhere in this index; it is among the
    /// index's failures ([`Indexer::index_failures`](super::Indexer::index_failures)).
    #[must_use]
    pub fn fallible<E: Into<Box<dyn Error + Send + Sync>>>(
        function: impl for<'a> Fn(&'a T, &mut IndexValues<'a>) -> Result<(), E> + MaybeSend + MaybeSync + 'static,
    ) -> Self {
        Self::erased(move |object, values| function(object, values).map_err(|error| IndexFailure::new(error.into())))
    }

    fn erased(
        function: impl for<'a> Fn(&'a T, &mut IndexValues<'a>) -> Result<(), IndexFailure> + MaybeSend + MaybeSync + 'static,
    ) -> Self {
        Self(Arc::new(function))
    }

    pub(super) fn values<'a>(&self, object: &'a T) -> Result<IndexValues<'a>, IndexFailure> {
        let mut values = IndexValues::default();
        self.0.call(object, &mut values)?;
        Ok(values)
    }
}

impl<T> Clone for IndexFunc<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// Names of indexes and their functions (client-go `tools/cache/index.go`, `Indexers`). Of two with one name the later counts.
pub struct Indexers<T>(Vec<(IndexName, IndexFunc<T>)>);

opaque_debug!(IndexFunc<T>, Indexers<T>);

impl<T> Indexers<T> {
    /// Adds one; gives back the function that had this name.
    pub fn insert(&mut self, name: IndexName, function: IndexFunc<T>) -> Option<IndexFunc<T>> {
        if let Some((_, place)) = self.0.iter_mut().find(|(other, _)| *other == name) {
            return Some(std::mem::replace(place, function));
        }
        self.0.push((name, function));
        None
    }

    /// The names, in the order in which they came.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &IndexName> {
        self.0.iter().map(|(name, _)| name)
    }
}

impl<T> Default for Indexers<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> FromIterator<(IndexName, IndexFunc<T>)> for Indexers<T> {
    fn from_iter<I: IntoIterator<Item = (IndexName, IndexFunc<T>)>>(functions: I) -> Self {
        let mut indexers = Self::default();
        for (name, function) in functions {
            indexers.insert(name, function);
        }
        indexers
    }
}

impl<T, const N: usize> From<[(IndexName, IndexFunc<T>); N]> for Indexers<T> {
    fn from(functions: [(IndexName, IndexFunc<T>); N]) -> Self {
        functions.into_iter().collect()
    }
}

impl<T> From<(IndexName, IndexFunc<T>)> for Indexers<T> {
    fn from(function: (IndexName, IndexFunc<T>)) -> Self {
        iter::once(function).collect()
    }
}

impl<T> IntoIterator for Indexers<T> {
    type Item = (IndexName, IndexFunc<T>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// The index by namespace, which listers use where it is there (client-go `tools/cache/index.go`, `MetaNamespaceIndexFunc`).
#[must_use]
pub fn namespace_index<T: Object>() -> (IndexName, IndexFunc<T>) {
    (NAMESPACE_INDEX.clone(), IndexFunc::new(|object: &T, values| values.push(object.namespace())))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn of_two_functions_with_one_name_the_later_counts() {
        let function = |value: &'static str| IndexFunc::<()>::new(move |(), values| values.push(value));
        let (a, b) = (IndexName::new("a"), IndexName::from("b".to_owned()));
        let mut indexers = Indexers::from([(a.clone(), function("1")), (b.clone(), function("2")), (a.clone(), function("3"))]);
        let replaced = indexers.insert(b.clone(), function("4")).unwrap();
        assert_eq!(replaced.values(&()).unwrap().single(), Some("2"));
        assert!(indexers.names().eq([&a, &b]));
        assert_eq!([a.as_str(), b.as_str()], ["a", "b"]);
        let values: Vec<_> = indexers.into_iter().map(|(_, function)| function.values(&()).unwrap()).collect();
        assert_eq!(values.iter().map(IndexValues::single).collect::<Vec<_>>(), [Some("3"), Some("4")]);
    }

    #[test]
    fn values_are_none_one_or_several() {
        let mut values = IndexValues::default();
        assert_eq!((values.iter().count(), values.single()), (0, None));
        values.push("a");
        assert_eq!(values.single(), Some("a"));
        values.extend(["b".to_owned(), "a".to_owned()]);
        assert_eq!((values.iter().collect::<Vec<_>>(), values.single()), (vec!["a", "b", "a"], None));
    }
}
