//! Keys.

use std::sync::Arc;

use crate::object::Object;

/// What tells one object of a collection from another: `namespace/name`, or `name` where its objects belong to no namespace
/// (client-go `tools/cache/store.go`, `MetaNamespaceKeyFunc`). A row without a name has its uid for one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<str>);

impl Key {
    /// A key of this text.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The key of an object.
    #[must_use]
    pub fn of(object: &impl Object) -> Self {
        let (namespace, name) = (object.namespace(), object.name());
        let name = if name.is_empty() { object.uid() } else { name };
        if namespace.is_empty() { Self::new(name) } else { Self::new([namespace, "/", name].concat()) }
    }

    /// The text of it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
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
    pub fn of(object: T) -> Self {
        Self { key: Key::of(&object), object: Arc::new(object) }
    }
}

impl<T> Clone for Entry<T> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), object: Arc::clone(&self.object) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Unstructured;
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
}
