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
///     let pod = Entry::of(text.parse::<Unstructured>()?);
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
            indexer.read(|indexer| {
                if let Ok(entries) = indexer.by_index(&NAMESPACE_INDEX, namespace) {
                    return entries.map(|(_, object)| Arc::clone(object)).collect();
                }
                // Without that index it only takes longer.
                let objects = indexer.iter_unsorted().map(|(_, object)| object);
                objects.filter(|object| object.namespace() == namespace).cloned().collect()
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

#[cfg(test)]
mod tests {
    use std::{borrow::Cow, cell::Cell, collections::BTreeMap};

    use super::*;
    use crate::{
        meta::{GroupVersionKind, ObjectMeta},
        object::{PartialObjectMetadata, Unstructured},
        store::{Entry, Indexers, namespace_index},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn metadata(key: &str, labels: &[(&str, &str)]) -> ObjectMeta {
        let (namespace, name) = key.split_once('/').unwrap_or(("", key));
        let labels = labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        ObjectMeta { namespace: namespace.into(), name: name.into(), labels, ..ObjectMeta::default() }
    }

    /// A form of object, made of metadata.
    trait Form: Object + PartialEq + std::fmt::Debug {
        fn of(metadata: ObjectMeta) -> Self;
    }

    impl Form for PartialObjectMetadata {
        fn of(metadata: ObjectMeta) -> Self {
            Self::new(metadata)
        }
    }

    impl Form for Unstructured {
        fn of(metadata: ObjectMeta) -> Self {
            let mut object: Self = r#"{"apiVersion":"group/version","kind":"TheKind"}"#.parse().unwrap();
            object.set_metadata(metadata);
            object
        }
    }

    fn lister<T: Form>(indexers: Indexers<T>, keys: &[&str]) -> Lister<T> {
        let indexer = SharedIndexer::new(indexers);
        let entries = keys.iter().map(|key| Entry::of(T::of(metadata(key, &[]))));
        indexer.write(|indexer| entries.for_each(|entry| drop(indexer.insert(entry))));
        Lister::new(indexer, "TheKinds.group")
    }

    fn names<T: Object>(objects: &[Arc<T>]) -> Vec<String> {
        let mut names: Vec<_> = objects.iter().map(|object| Key::of(&**object).to_string()).collect();
        names.sort();
        names
    }

    fn gets_in_a_namespace<T: Form>() {
        let lister: Lister<T> = lister(Indexers::default(), &["ns-foo/name-foo", "ns-foo/name-foo1", "ns-bar/name-bar"]);
        let foo = lister.namespace("ns-foo");
        assert_eq!(*foo.get("name-foo1").unwrap(), T::of(metadata("ns-foo/name-foo1", &[])));
        for missing in ["name-foo-non-existing", "name-bar", ""] {
            let error = foo.get(missing).unwrap_err();
            assert!(error.is_not_found(), "{error}");
            assert_eq!(error.to_string(), format!("TheKinds.group {missing:?} not found"));
        }
    }

    fn lists_a_namespace<T: Form>() {
        for indexers in [Indexers::default(), namespace_index().into()] {
            let lister: Lister<T> = lister(indexers, &["ns-foo/name-foo", "ns-foo/name-foo1", "ns-bar/name-bar", "name"]);
            let list = |namespace: &str| names(&lister.namespace(namespace).list(&LabelSelector::default()));
            assert_eq!(list("ns-foo"), ["ns-foo/name-foo", "ns-foo/name-foo1"]);
            assert_eq!(list("ns-none"), [""; 0]);
            assert_eq!(list("").len(), 4);
        }
    }

    fn gets_in_the_cluster<T: Form>() {
        let lister: Lister<T> = lister(Indexers::default(), &["ns-foo/name-foo", "name-foo1", "ns-bar/name-bar"]);
        assert_eq!(*lister.get("name-foo1").unwrap(), T::of(metadata("name-foo1", &[])));
        assert!(lister.get("name-foo").unwrap_err().is_not_found());
        assert_eq!(lister.namespace("").get("name-foo1").unwrap().name(), "name-foo1");
    }

    fn lists_the_cluster<T: Form>() {
        let keys = ["ns-bar/name-bar", "ns-foo/name-bar", "ns-foo/name-foo"];
        let lister: Lister<T> = lister(namespace_index().into(), &keys);
        assert_eq!(names(&lister.list(&LabelSelector::default())), keys);
    }

    #[test]
    fn an_object_of_any_kind_is_found_in_its_namespace() {
        gets_in_a_namespace::<Unstructured>();
    }

    #[test]
    fn metadata_is_found_in_its_namespace() {
        gets_in_a_namespace::<PartialObjectMetadata>();
    }

    #[test]
    fn objects_of_any_kind_are_listed_by_namespace_with_and_without_an_index() {
        lists_a_namespace::<Unstructured>();
    }

    #[test]
    fn metadata_is_listed_by_namespace_with_and_without_an_index() {
        lists_a_namespace::<PartialObjectMetadata>();
    }

    #[test]
    fn an_object_of_any_kind_without_a_namespace_is_found_by_its_name_alone() {
        gets_in_the_cluster::<Unstructured>();
    }

    #[test]
    fn metadata_without_a_namespace_is_found_by_its_name_alone() {
        gets_in_the_cluster::<PartialObjectMetadata>();
    }

    #[test]
    fn objects_of_any_kind_are_listed_over_all_namespaces() {
        lists_the_cluster::<Unstructured>();
    }

    #[test]
    fn metadata_is_listed_over_all_namespaces() {
        lists_the_cluster::<PartialObjectMetadata>();
    }

    thread_local! {
        static LOOKED: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts how often its labels are looked at.
    struct Labelled(ObjectMeta);

    impl Object for Labelled {
        fn group_version_kind(&self) -> GroupVersionKind {
            GroupVersionKind::new("", "v1", "Labelled")
        }

        fn metadata(&self) -> Cow<'_, ObjectMeta> {
            Cow::Borrowed(&self.0)
        }

        fn set_metadata(&mut self, metadata: ObjectMeta) {
            self.0 = metadata;
        }

        fn name(&self) -> &str {
            self.0.name.as_str()
        }

        fn namespace(&self) -> &str {
            self.0.namespace.as_str()
        }

        fn uid(&self) -> &str {
            self.0.uid.as_str()
        }

        fn resource_version(&self) -> &str {
            self.0.resource_version.as_str()
        }

        fn labels(&self) -> Cow<'_, BTreeMap<String, String>> {
            LOOKED.set(LOOKED.get() + 1);
            Cow::Borrowed(&self.0.labels)
        }
    }

    #[test]
    fn a_selector_lists_what_it_matches_and_one_of_all_or_nothing_looks_at_no_label() {
        let indexer = SharedIndexer::new(namespace_index().into());
        for number in 0..1000 {
            let labels: &[_] = if number < 100 { &[("match", "true")] } else { &[] };
            let namespace = if number % 2 == 0 { "even" } else { "odd" };
            let entry = Entry::of(Labelled(metadata(&format!("{namespace}/{number}"), labels)));
            indexer.write(|indexer| indexer.insert(entry));
        }
        let lister = Lister::new(indexer, "things");
        let even = lister.namespace("even");
        let counts = |selector: &LabelSelector| {
            LOOKED.set(0);
            (lister.list(selector).len(), even.list(selector).len(), LOOKED.get())
        };
        assert_eq!(counts(&"match=true".parse().unwrap()), (100, 50, 1500));
        assert_eq!(counts(&"!match".parse().unwrap()), (900, 450, 1500));
        assert_eq!(counts(&"match=nomatch".parse().unwrap()), (0, 0, 1500));
        assert_eq!(counts(&LabelSelector::default()), (1000, 500, 0));
        assert_eq!(counts(&LabelSelector::from_spec(None).unwrap()), (0, 0, 0));
    }

    #[cfg(feature = "typed")]
    #[test]
    fn typed_objects_are_listed_and_found_as_others_are() {
        use k8s_openapi::api::core::v1::Pod;

        let pod = |name: &str, app: &str| -> Pod {
            let labels = serde_json::json!({ "app": app });
            serde_json::from_value(serde_json::json!({ "metadata": { "namespace": "shop", "name": name, "labels": labels } }))
                .unwrap()
        };
        let indexer = SharedIndexer::new(namespace_index().into());
        for pod in [pod("web-0", "web"), pod("db-0", "db")] {
            indexer.write(|indexer| indexer.insert(Entry::of(pod)));
        }
        let shop = Lister::new(indexer, "pods").namespace("shop");
        assert_eq!(names(&shop.list(&"app=web".parse().unwrap())), ["shop/web-0"]);
        assert_eq!(*shop.get("db-0").unwrap(), pod("db-0", "db"));
        assert_eq!(shop.get("db-1").unwrap_err().to_string(), "pods \"db-1\" not found");
    }
}
