//! Objects that could not be read.

use crate::{object::BadObject, store::Key};

/// What a server sent and could not be read, by key. They are few: a list is searched as quickly as a map. Each stays until a
/// version comes that can be read, until it is deleted, or until a whole list comes without it.
#[derive(Default)]
pub(super) struct Faults {
    known: Vec<(Key, BadObject)>,
    /// While a list arrives: those it has brought, which are known as well.
    listed: Option<Vec<(Key, BadObject)>>,
}

/// The key of an object that could not be read. Those of which not even the name can be read share one.
pub(super) fn key_of(bad: &BadObject) -> Key {
    Key::of_parts(bad.namespace.as_str(), bad.name.as_str(), bad.uid.as_str())
}

impl Faults {
    pub(super) fn begin(&mut self) {
        self.listed = Some(Vec::new());
    }

    pub(super) fn end(&mut self) {
        if let Some(listed) = self.listed.take() {
            self.known = listed;
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn insert(&mut self, key: Key, bad: BadObject) {
        self.forget(&key);
        if let Some(listed) = &mut self.listed {
            listed.push((key.clone(), bad.clone()));
        }
        self.known.push((key, bad));
    }

    /// The object can be read now, or is gone.
    pub(super) fn remove(&mut self, key: impl Fn() -> Key) {
        if !self.known.is_empty() {
            self.forget(&key());
        }
    }

    fn forget(&mut self, key: &Key) {
        self.known.retain(|(other, _)| other != key);
        if let Some(listed) = &mut self.listed {
            listed.retain(|(other, _)| other != key);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &BadObject> {
        self.known.iter().map(|(_, bad)| bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn key(name: &str) -> Key {
        Key::of_name("", name)
    }

    impl Faults {
        fn put(&mut self, names: &[&str]) {
            for name in names {
                self.insert(key(name), BadObject { name: (*name).into(), ..BadObject::default() });
            }
        }

        fn names(&self) -> Vec<&str> {
            self.iter().map(|bad| bad.name.as_str()).collect()
        }
    }

    #[test]
    fn a_whole_list_takes_away_what_it_does_not_have_and_one_that_begins_anew_only_what_it_has_then() {
        let mut faults = Faults::default();
        faults.end();
        faults.put(&["a", "b", "c"]);
        faults.begin();
        faults.put(&["a", "b", "d"]);
        assert_eq!(faults.names(), ["c", "a", "b", "d"]);
        faults.begin();
        faults.put(&["b", "d"]);
        faults.end();
        assert_eq!(faults.names(), ["b", "d"]);
        // No list is on its way now.
        faults.put(&["e"]);
        faults.end();
        assert_eq!(faults.names(), ["b", "d", "e"]);
        faults.clear();
        assert_eq!(faults.names(), [""; 0]);
    }

    #[test]
    fn what_can_be_read_or_is_gone_is_forgotten_while_a_list_arrives_and_after_it() {
        let mut faults = Faults::default();
        faults.put(&["a", "b"]);
        faults.remove(|| key("a"));
        assert_eq!(faults.names(), ["b"]);
        faults.begin();
        faults.put(&["b", "c"]);
        faults.remove(|| key("b"));
        assert_eq!(faults.names(), ["c"]);
        faults.end();
        assert_eq!(faults.names(), ["c"]);
    }

    #[test]
    fn of_one_object_the_last_fault_counts_and_no_key_is_made_where_there_is_none() {
        let mut faults = Faults::default();
        faults.remove(|| panic!("nothing is known"));
        faults.begin();
        faults.put(&["a", "a"]);
        assert_eq!(faults.names(), ["a"]);
        faults.end();
        assert_eq!(faults.names(), ["a"]);
    }
}
