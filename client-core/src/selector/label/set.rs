//! Sets of labels.

use std::{collections::BTreeMap, fmt, str::FromStr};

use super::syntax::{check_key, check_value, validate_label_key, validate_label_value};
use crate::selector::{Lookup, ParseSelectorError, SelectorError};

/// Labels whose keys and values are valid: apimachinery `pkg/labels` `Set`, checked.
///
/// ```
/// use porthole_client_core::selector::{LabelSelector, LabelSet};
///
/// let labels: LabelSet = "tier=web, app=shop".parse()?;
/// assert_eq!(labels.to_string(), "app=shop,tier=web");
/// assert!(LabelSelector::from(labels.clone()).matches(&labels));
/// # Ok::<(), porthole_client_core::selector::ParseSelectorError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LabelSet(BTreeMap<String, String>);

impl LabelSet {
    /// The labels as a map, as an object's metadata has them.
    #[must_use]
    pub fn as_map(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    /// The labels as a map of the caller's own.
    #[must_use]
    pub fn into_map(self) -> BTreeMap<String, String> {
        self.0
    }

    /// Sets a label, and hands out the value it had (apimachinery `meta/v1` `SetMetaDataLabel`).
    ///
    /// # Errors
    /// Where the key or the value is not valid; the set then stays as it was.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<String>) -> Result<Option<String>, SelectorError> {
        let (key, value) = (key.into(), value.into());
        validate_label_key(&key)?;
        validate_label_value(&key, &value)?;
        Ok(self.0.insert(key, value))
    }

    /// Whether both have a label, but with different values (apimachinery `labels.Conflicts`).
    #[must_use]
    pub fn conflicts_with(&self, other: &Self) -> bool {
        self.0.iter().any(|(key, value)| other.0.get(key).is_some_and(|others| others != value))
    }

    /// The labels of both; where they conflict, with the values of `other` (apimachinery `labels.Merge`).
    #[must_use]
    pub fn merged_with(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}

impl Lookup for LabelSet {
    fn value(&self, key: &str) -> Option<&str> {
        self.0.value(key)
    }
}

/// Fails on a key or a value that no label has.
impl TryFrom<BTreeMap<String, String>> for LabelSet {
    type Error = SelectorError;

    fn try_from(labels: BTreeMap<String, String>) -> Result<Self, Self::Error> {
        for (key, value) in &labels {
            validate_label_key(key)?;
            validate_label_value(key, value)?;
        }
        Ok(Self(labels))
    }
}

/// `a=b,c=d`, with or without space around the parts (apimachinery `labels.ConvertSelectorToLabelsMap`). Unlike in Go,
/// a key with two values is an error, not its last value.
impl FromStr for LabelSet {
    type Err = ParseSelectorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut labels = Self::default();
        if text.is_empty() {
            return Ok(labels);
        }
        let mut start = 0;
        for term in text.split(',') {
            labels.insert_term(term, start)?;
            start += term.len() + 1;
        }
        Ok(labels)
    }
}

impl LabelSet {
    /// Takes up `key=value`, which starts at `start`.
    fn insert_term(&mut self, term: &str, start: usize) -> Result<(), ParseSelectorError> {
        let error = |(position, found), expected| ParseSelectorError::quoting(position, found, expected);
        let Some((key, value)) = term.split_once('=') else {
            return Err(error(trimmed(term, start), "a label's key, \"=\" and a value"));
        };
        let (value_at, value) = trimmed(value, start + key.len() + 1);
        let (key_at, key) = trimmed(key, start);
        check_key(key).map_err(|expected| error((key_at, key), expected))?;
        check_value(value).map_err(|expected| error((value_at, value), expected))?;
        let before = self.0.insert(key.to_owned(), value.to_owned());
        if before.is_some_and(|before| before != value) {
            return Err(error((key_at, key), "each key with one value"));
        }
        Ok(())
    }
}

/// `text`, which starts at `start`, without the space around it, and where that starts.
fn trimmed(text: &str, start: usize) -> (usize, &str) {
    let behind = text.trim_start();
    (start + text.len() - behind.len(), behind.trim_end())
}

/// `a=b,c=d`, by key (apimachinery `Set.String`).
impl fmt::Display for LabelSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (key, value)) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(formatter, "{comma}{key}={value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn set<const N: usize>(labels: [(&str, &str); N]) -> LabelSet {
        LabelSet::try_from(BTreeMap::from(labels.map(|(key, value)| (key.to_owned(), value.to_owned())))).unwrap()
    }

    #[test]
    fn a_set_prints_its_labels_by_key() {
        assert_eq!(set([]).to_string(), "");
        assert_eq!(set([("x", "y")]).to_string(), "x=y");
        assert_eq!(set([("foo", "bar"), ("baz", "qup"), ("empty", "")]).to_string(), "baz=qup,empty=,foo=bar");
    }

    #[test]
    fn a_set_knows_its_labels() {
        let labels = set([("x", "y"), ("empty", "")]);
        assert_eq!((labels.value("x"), labels.value("empty"), labels.value("foo")), (Some("y"), Some(""), None));
        assert_eq!(labels.as_map().len(), 2);
    }

    #[test]
    fn setting_a_label_replaces_its_value_and_leaves_the_others() {
        let mut labels = LabelSet::default();
        assert_eq!(labels.insert("foo", "bar"), Ok(None));
        assert_eq!(labels.insert("foo", "baz"), Ok(Some("bar".to_owned())));
        assert_eq!(labels.insert("version", "1.0.0"), Ok(None));
        assert!(matches!(labels.insert("foo", "-bad"), Err(SelectorError::Value { .. })));
        assert!(matches!(labels.insert("-bad", "bar"), Err(SelectorError::Key { .. })));
        assert_eq!(labels, set([("foo", "baz"), ("version", "1.0.0")]));
    }

    #[test]
    fn sets_conflict_where_a_key_has_two_values() {
        for (one, other, conflict) in [
            (set([]), set([]), false),
            (set([("env", "test")]), set([("infra", "true")]), false),
            (set([("env", "test")]), set([("infra", "true"), ("env", "test")]), false),
            (set([("env", "test")]), set([("env", "dev")]), true),
            (set([("env", "test"), ("infra", "false")]), set([("infra", "true"), ("color", "blue")]), true),
        ] {
            assert_eq!((one.conflicts_with(&other), other.conflicts_with(&one)), (conflict, conflict), "{one} and {other}");
        }
    }

    #[test]
    fn a_merged_set_has_the_labels_of_both_and_in_a_conflict_the_others_value() {
        let infra = set([("infra", "true")]);
        assert_eq!(set([]).merged_with(set([])), set([]));
        assert_eq!(infra.clone().merged_with(set([])), infra);
        let both = infra.clone().merged_with(set([("env", "test"), ("color", "blue")]));
        assert_eq!(both, set([("color", "blue"), ("env", "test"), ("infra", "true")]));
        assert_eq!(infra.merged_with(set([("infra", "false")])), set([("infra", "false")]));
    }

    #[test]
    fn a_set_is_read_from_keys_and_values_and_refused_at_the_place_of_a_fault() {
        for (text, expected) in [
            ("", set([])),
            ("x=a", set([("x", "a")])),
            ("x=", set([("x", "")])),
            ("x=a,y=b,z=c", set([("x", "a"), ("y", "b"), ("z", "c")])),
            (" x = a , y = b , z = c ", set([("x", "a"), ("y", "b"), ("z", "c")])),
            ("color=green, env=test, service=front", set([("color", "green"), ("env", "test"), ("service", "front")])),
            ("x=a,x=a", set([("x", "a")])),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text:?}");
        }
        for (text, position, found) in [
            (",", 0, ""),
            ("x=a,", 4, ""),
            ("x", 0, "x"),
            ("x=a, y ,z", 5, "y"),
            ("x=$y", 2, "$y"),
            ("x= a b", 3, "a b"),
            ("x!=y", 0, "x!"),
            ("x==y", 2, "=y"),
            ("x=a||y=b", 2, "a||y=b"),
            ("x in (y)", 0, "x in (y)"),
            ("x notin (y)", 0, "x notin (y)"),
            ("x y", 0, "x y"),
            ("=a", 0, ""),
            ("x=a, x=b", 5, "x"),
        ] {
            let error = text.parse::<LabelSet>().unwrap_err();
            assert_eq!((error.position(), error.found()), (position, format!("{found:?}").as_str()), "{text:?}");
        }
    }
}
