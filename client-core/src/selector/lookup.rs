//! Where a selector looks values up.

use std::{
    borrow::Borrow,
    collections::{BTreeMap, HashMap},
    hash::{BuildHasher, Hash},
};

/// The labels, or the fields, of one object, independent of how they are stored: apimachinery's `labels.Labels` and
/// `fields.Fields`.
///
/// Maps, slices of pairs and options of these are lookups (`None` has no value). What is none of them is matched with a
/// function: [`LabelSelector::matches_with`](super::LabelSelector::matches_with).
///
/// ```
/// use porthole_client_core::selector::LabelSelector;
///
/// let selector: LabelSelector = "app=web,!canary".parse()?;
/// assert!(selector.matches(&[("app", "web"), ("tier", "front")]));
/// assert!(!selector.matches(&[("app", "web"), ("canary", "")]));
/// # Ok::<(), porthole_client_core::selector::ParseSelectorError>(())
/// ```
pub trait Lookup {
    /// The value of `key`, or `None` where there is none. An empty value is a value.
    fn value(&self, key: &str) -> Option<&str>;
}

impl<T: Lookup + ?Sized> Lookup for &T {
    fn value(&self, key: &str) -> Option<&str> {
        (**self).value(key)
    }
}

impl<T: Lookup> Lookup for Option<T> {
    fn value(&self, key: &str) -> Option<&str> {
        self.as_ref()?.value(key)
    }
}

impl<K: Borrow<str> + Ord, V: AsRef<str>> Lookup for BTreeMap<K, V> {
    fn value(&self, key: &str) -> Option<&str> {
        self.get(key).map(AsRef::as_ref)
    }
}

impl<K: Borrow<str> + Eq + Hash, V: AsRef<str>, S: BuildHasher> Lookup for HashMap<K, V, S> {
    fn value(&self, key: &str) -> Option<&str> {
        self.get(key).map(AsRef::as_ref)
    }
}

/// The first pair with the key counts.
impl<K: AsRef<str>, V: AsRef<str>> Lookup for [(K, V)] {
    fn value(&self, key: &str) -> Option<&str> {
        self.iter().find(|(own, _)| own.as_ref() == key).map(|(_, value)| value.as_ref())
    }
}

/// The first pair with the key counts.
impl<K: AsRef<str>, V: AsRef<str>, const N: usize> Lookup for [(K, V); N] {
    fn value(&self, key: &str) -> Option<&str> {
        self.as_slice().value(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn lookups() -> [Box<dyn Lookup>; 4] {
        [
            Box::new([("x", "y"), ("empty", "")]),
            Box::new(BTreeMap::from([("x".to_owned(), "y".to_owned()), ("empty".to_owned(), String::new())])),
            Box::new(HashMap::from([("x", "y"), ("empty", "")])),
            Box::new(Some(BTreeMap::from([("x", "y"), ("empty", "")]))),
        ]
    }

    #[test]
    fn a_value_is_found_by_its_key_in_every_kind_of_store() {
        for lookup in lookups() {
            assert_eq!(lookup.value("x"), Some("y"));
            assert_eq!(Lookup::value(&lookup.as_ref(), "x"), Some("y"));
        }
    }

    #[test]
    fn an_empty_value_is_a_value_and_a_missing_one_is_none() {
        for lookup in lookups() {
            assert_eq!(lookup.value("empty"), Some(""));
            assert_eq!(lookup.value("y"), None);
            assert_eq!(lookup.value(""), None);
        }
        assert_eq!(None::<BTreeMap<String, String>>.value("x"), None);
    }

    #[test]
    fn of_pairs_with_one_key_the_first_counts() {
        assert_eq!([("x", "1"), ("x", "2")].value("x"), Some("1"));
        assert_eq!([("x", "1"), ("x", "2")][..].value("x"), Some("1"));
    }
}
