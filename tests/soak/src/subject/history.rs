//! Whether what is told of objects can have happened.

use std::collections::HashMap;

use porthole_client_core::{informer::Change, object::Object, store::Key};

/// What was told of each object so far. Versions never go back, not even those of one object and the next of its name.
#[derive(Debug)]
pub(super) struct History {
    known: HashMap<Key, Known>,
    /// Whether an object can leave the selection and come back.
    selective: bool,
}

#[derive(Debug)]
struct Known {
    uid: String,
    version: u64,
    present: bool,
}

fn version(object: &impl Object) -> u64 {
    object.resource_version().parse().unwrap_or_default()
}

impl History {
    pub(super) fn new(selective: bool) -> Self {
        Self { known: HashMap::new(), selective }
    }

    /// Takes a change in.
    ///
    /// # Errors
    /// Where it does not follow what was told before.
    pub(super) fn take<T: Object>(&mut self, change: &Change<T>) -> Result<(), String> {
        let (key, object) = (change.key(), &**change.object());
        let known = self.known.get(key);
        let wrong = |what: &str| {
            Err(format!("{change:?} of {} at {}: {what}; known: {known:?}", object.uid(), object.resource_version()))
        };
        let verdict = match (change, known) {
            (Change::Added { .. }, Some(known)) if known.present => wrong("it is there already"),
            (Change::Added { .. }, Some(known)) if known.uid == object.uid() && !self.selective => wrong("it was deleted"),
            (Change::Added { .. }, Some(known)) if known.version >= version(object) => wrong("it is older than the one before"),
            (Change::Updated { .. } | Change::Deleted { .. }, None) => wrong("it is not there"),
            (Change::Updated { .. } | Change::Deleted { .. }, Some(known)) if !known.present => wrong("it is not there any more"),
            (Change::Updated { before, .. }, Some(known)) if known.uid != before.uid() || known.version != version(&**before) => {
                wrong("before is not what was told before")
            }
            (Change::Updated { .. }, Some(known)) if known.version > version(object) => wrong("it goes back in time"),
            (Change::Updated { .. }, Some(known)) if known.version == version(object) && known.uid != object.uid() => {
                wrong("another object has the same version")
            }
            (Change::Deleted { .. }, Some(known)) if known.uid != object.uid() => wrong("another object is there"),
            (Change::Deleted { .. }, Some(known)) if known.version > version(object) => wrong("its end is older than it was"),
            _ => Ok(()),
        };
        let present = !matches!(change, Change::Deleted { .. });
        self.known.insert(key.clone(), Known { uid: object.uid().to_owned(), version: version(object), present });
        verdict
    }

    /// The uid and the version that an object must have now; `None` for one that is not there.
    pub(super) fn now(&self, key: &str) -> Option<(&str, u64)> {
        self.known.get(key).filter(|known| known.present).map(|known| (&*known.uid, known.version))
    }

    /// How many objects there must be.
    pub(super) fn len(&self) -> usize {
        self.known.values().filter(|known| known.present).count()
    }

    /// Whether this is what was told.
    pub(super) fn is<T: Object>(&self, key: &str, object: Option<&T>) -> bool {
        self.now(key) == object.map(|object| (object.uid(), version(object)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use porthole_client_core::object::Unstructured;

    use super::*;

    fn object(uid: &str, version: u64) -> Arc<Unstructured> {
        let text = format!(r#"{{"kind":"A","metadata":{{"name":"a","uid":"{uid}","resourceVersion":"{version}"}}}}"#);
        Arc::new(text.parse().unwrap())
    }

    fn added(uid: &str, version: u64) -> Change<Unstructured> {
        Change::Added { key: Key::new("a"), object: object(uid, version), is_in_initial_list: false }
    }

    fn updated(before: (&str, u64), after: (&str, u64)) -> Change<Unstructured> {
        Change::Updated { key: Key::new("a"), before: object(before.0, before.1), after: object(after.0, after.1) }
    }

    fn deleted(uid: &str, version: u64) -> Change<Unstructured> {
        Change::Deleted { key: Key::new("a"), last: object(uid, version), is_final_state_unknown: false }
    }

    /// Whether the last of these changes is taken; all before it are.
    fn follows(selective: bool, changes: &[Change<Unstructured>]) -> bool {
        let mut history = History::new(selective);
        let (last, before) = changes.split_last().unwrap();
        for change in before {
            history.take(change).unwrap();
        }
        history.take(last).is_ok()
    }

    #[test]
    fn an_object_comes_changes_goes_and_another_takes_its_name() {
        let life = [added("x", 1), updated(("x", 1), ("x", 2)), updated(("x", 2), ("x", 2)), deleted("x", 3), added("y", 4)];
        for end in 1..=life.len() {
            assert!(follows(false, &life[..end]), "{end}");
        }
        assert!(follows(false, &[added("x", 1), updated(("x", 1), ("y", 3)), deleted("y", 3)]));
    }

    #[test]
    fn what_cannot_have_happened_is_told() {
        let wrong = [
            vec![updated(("x", 1), ("x", 2))],
            vec![deleted("x", 1)],
            vec![added("x", 1), added("x", 2)],
            vec![added("x", 2), updated(("x", 2), ("x", 1))],
            vec![added("x", 1), updated(("x", 2), ("x", 3))],
            vec![added("x", 1), updated(("y", 1), ("y", 3))],
            vec![added("x", 1), updated(("x", 1), ("y", 1))],
            vec![added("x", 2), deleted("x", 1)],
            vec![added("x", 1), deleted("y", 2)],
            vec![added("x", 1), deleted("x", 2), deleted("x", 3)],
            vec![added("x", 1), deleted("x", 2), updated(("x", 1), ("x", 3))],
            vec![added("x", 1), deleted("x", 3), added("y", 2)],
            vec![added("x", 1), deleted("x", 2), added("x", 3)],
        ];
        for (number, changes) in wrong.iter().enumerate() {
            assert!(!follows(false, changes), "{number}");
        }
    }

    #[test]
    fn an_object_leaves_a_selection_and_comes_back_but_never_older() {
        assert!(follows(true, &[added("x", 1), deleted("x", 2), added("x", 3)]));
        assert!(!follows(true, &[added("x", 1), deleted("x", 2), added("x", 2)]));
    }
}
