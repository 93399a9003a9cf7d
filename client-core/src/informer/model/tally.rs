//! How often what happened.

use std::{cell::RefCell, collections::BTreeMap};

use crate::reflector::{Transition, take_transitions};

thread_local! {
    static NOTED: RefCell<BTreeMap<(&'static str, &'static str), u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// Notes that something of a class happened.
pub(super) fn note(class: &'static str, name: &'static str) {
    NOTED.with_borrow_mut(|noted| *noted.entry((class, name)).or_default() += 1);
}

/// What happened in this thread, by class.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) noted: BTreeMap<(&'static str, &'static str), u64>,
    pub(super) transitions: BTreeMap<Transition, u64>,
}

impl Tally {
    pub(super) fn take() -> Self {
        Self { noted: NOTED.take(), transitions: take_transitions() }
    }

    /// All counts by name.
    pub(super) fn lines(&self) -> Vec<(String, u64)> {
        let noted = self.noted.iter().map(|((class, name), count)| (format!("{class}: {name}"), *count));
        let transitions =
            self.transitions.iter().map(|((from, cause, to), count)| (format!("transition: {from} -- {cause} -> {to}"), *count));
        noted.chain(transitions).collect()
    }
}
