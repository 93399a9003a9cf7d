//! Texts in memory, for tests of what a browser's local storage does.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use super::TextStore;

/// Texts as a browser keeps them, with a quota of characters. Clones are the same texts.
#[derive(Clone, Default)]
pub(crate) struct Texts {
    all: Arc<Mutex<BTreeMap<String, String>>>,
    quota: Arc<AtomicUsize>,
    refuses: Arc<AtomicBool>,
    refusals: Arc<AtomicUsize>,
}

impl Texts {
    /// Texts of at most `quota` characters, names and all.
    pub(crate) fn of(quota: usize) -> Self {
        Self { quota: Arc::new(AtomicUsize::new(quota)), ..Self::default() }
    }

    /// From now on there is less room, whatever is there.
    pub(crate) fn limit_to(&self, quota: usize) {
        self.quota.store(quota, Ordering::Relaxed);
    }

    /// From now on nothing may be read or written, or all may again.
    pub(crate) fn refuse(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::Relaxed);
    }

    /// How often something did not fit.
    pub(crate) fn refusals(&self) -> usize {
        self.refusals.load(Ordering::Relaxed)
    }

    /// Changes every text whose name begins with `prefix`.
    pub(crate) fn change(&self, prefix: &str, change: impl Fn(&str) -> String) {
        for (_, text) in self.all.lock().unwrap().iter_mut().filter(|(name, _)| name.starts_with(prefix)) {
            *text = change(text);
        }
    }

    fn asked<T>(&self, done: impl FnOnce(&mut BTreeMap<String, String>) -> T) -> Result<T, String> {
        if self.refuses.load(Ordering::Relaxed) {
            return Err("the person forbids it".to_owned());
        }
        Ok(done(&mut self.all.lock().unwrap()))
    }
}

impl TextStore for Texts {
    fn get(&self, name: &str) -> Result<Option<String>, String> {
        self.asked(|all| all.get(name).cloned())
    }

    fn set(&self, name: &str, text: &str) -> Result<(), String> {
        let size = |name: &str, text: &str| name.chars().count() + text.chars().count();
        self.asked(|all| {
            let others = all.iter().filter(|(other, _)| *other != name).map(|(other, text)| size(other, text)).sum::<usize>();
            if others + size(name, text) > self.quota.load(Ordering::Relaxed) {
                self.refusals.fetch_add(1, Ordering::Relaxed);
                return Err("QuotaExceededError".to_owned());
            }
            all.insert(name.to_owned(), text.to_owned());
            Ok(())
        })?
    }

    fn remove(&self, name: &str) -> Result<(), String> {
        self.asked(|all| drop(all.remove(name)))
    }

    fn names(&self) -> Result<Vec<String>, String> {
        self.asked(|all| all.keys().cloned().collect())
    }
}
