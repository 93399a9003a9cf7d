//! Reading a cache as a server is read.

use std::sync::Arc;

use crate::{
    meta::{GroupResource, Namespace, Status},
    object::Object,
    rest::ApiError,
    selector::LabelSelector,
    store::{Key, NAMESPACE_INDEX, SharedIndexer},
};

/// Lists and finds what is in a cache, in the words in which a client asks the server (client-go `tools/cache/listers.go`,
/// `dynamic/dynamiclister`, `metadata/metadatalister` and the generated listers). One for all forms of objects.
///
/// Objects are shared with the cache, and come in no order.
///
/// ```
/// use porthole_client_core::{
///     informer::Lister,
///     object::{Object as _, Unstructured},
///     store::{Entry, SharedIndexer, namespace_index},
/// };
///
/// let pods = SharedIndexer::<Unstructured>::new(namespace_index().into());
/// for (name, app) in [("web-0", "web"), ("db-0", "db")] {
///     let text = format!(
///         r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"namespace":"shop","name":"{name}","labels":{{"app":"{app}"}}}}}}"#
///     );
///     let pod = Entry::of(text.parse()?);
///     pods.write(|pods| pods.insert(pod));
/// }
///
/// let shop = Lister::new(pods, "pods").namespace("shop");
/// assert_eq!(shop.get("web-0")?.name(), "web-0");
/// assert!(shop.get("web-1").unwrap_err().is_not_found());
/// assert_eq!(shop.list(&"app=db".parse()?).len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Lister<T> {
    indexer: SharedIndexer<T>,
    resource: GroupResource,
}

/// A [`Lister`] of one namespace.
pub struct NamespaceLister<T> {
    lister: Lister<T>,
    namespace: Namespace,
}

opaque_debug!(Lister<T>, NamespaceLister<T>);

impl<T> Clone for Lister<T> {
    fn clone(&self) -> Self {
        Self { indexer: self.indexer.clone(), resource: self.resource.clone() }
    }
}

impl<T> Clone for NamespaceLister<T> {
    fn clone(&self) -> Self {
        Self { lister: self.lister.clone(), namespace: self.namespace.clone() }
    }
}

impl<T: Object> Lister<T> {
    /// Reads this cache, which is of that resource.
    #[must_use]
    pub fn new(indexer: SharedIndexer<T>, resource: impl Into<GroupResource>) -> Self {
        Self { indexer, resource: resource.into() }
    }

    /// The objects of all namespaces that have these labels. A selector of all looks at no label (client-go `ListAll`).
    #[must_use]
    pub fn list(&self, selector: &LabelSelector) -> Vec<Arc<T>> {
        select(selector, || self.indexer.list())
    }

    /// The object of this name, where objects belong to no namespace.
    ///
    /// # Errors
    ///
    /// Where it is not in the cache: the error a server would give, [`is_not_found`](ApiError::is_not_found).
    pub fn get(&self, name: &str) -> Result<Arc<T>, ApiError> {
        self.indexer.find(name).ok_or_else(|| self.not_found(name))
    }

    /// A lister of one namespace. That of the empty one is as this one.
    #[must_use]
    pub fn namespace(&self, namespace: impl Into<Namespace>) -> NamespaceLister<T> {
        NamespaceLister { lister: self.clone(), namespace: namespace.into() }
    }

    #[cold]
    fn not_found(&self, name: &str) -> ApiError {
        ApiError::Refused(Box::new(Status::not_found(&self.resource, name)))
    }
}

impl<T: Object> NamespaceLister<T> {
    /// The objects of the namespace that have these labels (client-go `ListAllByNamespace`). Where the cache has the
    /// [`namespace_index`](crate::store::namespace_index) no other objects are looked at.
    #[must_use]
    pub fn list(&self, selector: &LabelSelector) -> Vec<Arc<T>> {
        let (indexer, namespace) = (&self.lister.indexer, self.namespace.as_str());
        if namespace.is_empty() {
            return self.lister.list(selector);
        }
        let of_namespace = || {
            indexer.read(|indexer| match indexer.by_index(&NAMESPACE_INDEX, namespace) {
                Ok(entries) => entries.map(|(_, object)| Arc::clone(object)).collect(),
                // There is no such index, which only takes longer.
                Err(_) => {
                    let objects = indexer.iter_unsorted().map(|(_, object)| object);
                    objects.filter(|object| object.namespace() == namespace).cloned().collect()
                }
            })
        };
        select(selector, of_namespace)
    }

    /// The object of this name in the namespace.
    ///
    /// # Errors
    ///
    /// Where it is not in the cache: the error a server would give, [`is_not_found`](ApiError::is_not_found).
    pub fn get(&self, name: &str) -> Result<Arc<T>, ApiError> {
        let key = Key::of_name(self.namespace.as_str(), name);
        self.lister.indexer.find(key.as_str()).ok_or_else(|| self.lister.not_found(name))
    }
}

/// Labels are looked at when the cache is free again: reading those of many objects can take long.
fn select<T: Object>(selector: &LabelSelector, all: impl FnOnce() -> Vec<Arc<T>>) -> Vec<Arc<T>> {
    if selector.is_nothing() {
        return Vec::new();
    }
    let mut objects = all();
    if !selector.is_everything() {
        objects.retain(|object| selector.matches(object.labels().as_ref()));
    }
    objects
}
