//! The indexer against what is computed anew after each of many changes by chance.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    testing::{BY_USERS, Thing, by_user, by_users, thing, users_of},
    *,
};
use crate::platform::Chance;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

type Found = BTreeMap<String, BTreeSet<String>>;

/// What there should be: keys, and users.
#[derive(Default)]
struct Model {
    users: BTreeMap<String, String>,
    version: u64,
    indexes: Vec<IndexName>,
}

impl Model {
    fn index(&self, name: &IndexName) -> (Found, BTreeSet<String>) {
        let (mut found, mut failures) = (Found::new(), BTreeSet::new());
        for (key, users) in &self.users {
            let values: Vec<&str> = match name {
                name if *name == BY_USERS => vec![users],
                name if *name == NAMESPACE_INDEX => vec![key.split_once('/').map_or("", |(namespace, _)| namespace)],
                _ if users.is_empty() => vec![],
                _ if users.split(',').skip(1).any(str::is_empty) => {
                    failures.insert(key.clone());
                    continue;
                }
                _ => users.split(',').collect(),
            };
            for value in values {
                found.entry(value.to_owned()).or_default().insert(key.clone());
            }
        }
        (found, failures)
    }
}

fn index(indexer: &Indexer<Thing>, name: &IndexName) -> (Found, BTreeSet<String>) {
    let keys = |value: &IndexValue| indexer.index_keys(name, value.as_str()).unwrap().iter().map(ToString::to_string).collect();
    let found = indexer.index_values(name).unwrap().map(|value| (value.to_string(), keys(value))).collect();
    (found, indexer.index_failures(name).unwrap().map(|(key, _)| key.to_string()).collect())
}

struct Simulation {
    chance: Chance,
    model: Model,
    indexer: Indexer<Thing>,
}

impl Simulation {
    fn entry(&mut self) -> Entry<Thing> {
        self.model.version += 1;
        let key = [self.chance.of(&["", "shop/", "bank/"]), self.chance.of(&["a", "b", "c", "d", "e"])].concat();
        let users = self.chance.of(&["", "u", "v", "u,v", "v,u", "u,u", "u,v,w", "w,x", "u,", ",,"]);
        thing(&key, &self.model.version.to_string(), users)
    }

    fn insert(&mut self) -> Entry<Thing> {
        let entry = self.entry();
        self.model.users.insert(entry.key.to_string(), users_of(&entry.object).to_owned());
        entry
    }

    fn remove(&mut self) -> Entry<Thing> {
        let entry = self.entry();
        self.model.users.remove(entry.key.as_str());
        entry
    }

    fn step(&mut self) {
        match self.chance.below(100) {
            0..50 => {
                let expected = self.model.users.clone();
                let entry = self.insert();
                let before = self.indexer.insert(entry.clone());
                assert_eq!(before.as_deref().map(users_of), expected.get(entry.key.as_str()).map(String::as_str));
            }
            50..75 => {
                let expected = self.model.users.clone();
                let entry = self.remove();
                let before = self.indexer.remove_with_object(&entry);
                assert_eq!(before.as_deref().map(users_of), expected.get(entry.key.as_str()).map(String::as_str));
            }
            75..90 => {
                let count = self.chance.below(6) + 1;
                let change = |this: &mut Self| {
                    if this.chance.percent(60) { Transaction::Insert(this.insert()) } else { Transaction::Remove(this.remove()) }
                };
                let changes: Vec<_> = (0..count).map(|_| change(self)).collect();
                self.indexer.transact(changes);
            }
            90..96 => {
                self.model.users.clear();
                let count = self.chance.below(12);
                let entries: Vec<_> = (0..count).map(|_| self.insert()).collect();
                self.model.version += 1;
                drop(self.indexer.replace(entries, &self.model.version.to_string().into()));
            }
            96..98 => {
                self.model.version += 1;
                self.indexer.bookmark(&self.model.version.to_string().into());
            }
            _ => {
                let (name, function) = self.chance.of(&[by_user, by_users, namespace_index])();
                let added = self.indexer.add_indexers((name.clone(), function).into());
                assert_eq!(added.is_err(), self.model.indexes.contains(&name));
                if added.is_ok() {
                    self.model.indexes.push(name);
                }
            }
        }
    }

    fn compare(&self) {
        let users = |(key, thing): (&Key, &std::sync::Arc<Thing>)| (key.to_string(), users_of(thing).to_owned());
        assert_eq!(self.indexer.iter_unsorted().map(users).collect::<BTreeMap<_, _>>(), self.model.users);
        assert!(self.indexer.iter_unsorted().all(|(key, thing)| *key == Key::of(&**thing)));
        for name in &self.model.indexes {
            assert_eq!(index(&self.indexer, name), self.model.index(name), "{name}");
        }
        if self.model.version > 0 {
            assert_eq!(self.indexer.resource_version(), self.model.version.to_string().into());
        }
    }
}

#[test]
fn after_any_change_every_index_is_what_a_new_one_would_be() {
    let mut indexes = 0;
    for seed in 0..60 {
        let mut simulation = Simulation { chance: Chance(seed), model: Model::default(), indexer: Indexer::default() };
        for _ in 0..150 {
            simulation.step();
            simulation.compare();
        }
        indexes += simulation.model.indexes.len();
    }
    assert!(indexes > 120, "{indexes} indexes were added");
}
