//! The label selector as an object, as the specs of workloads, budgets and policies hold it.

use std::collections::{BTreeMap, btree_map::Entry};

use serde::{Deserialize, Serialize};

use super::{LabelSelector, LabelSelectorOperator, LabelSelectorRequirement, LabelSet, Operator, Requirement};
use crate::{meta::null_is_default, selector::SelectorError};

/// `metav1.LabelSelector`: labels that must have their value, and further conditions, all of which must hold.
///
/// Reads whatever a server sends: what makes no selector is told by [`as_selector`](Self::as_selector). Where a spec's
/// field may be absent, an absent one selects nothing and an empty one everything:
/// [`LabelSelector::from_spec`].
///
/// ```
/// use porthole_client_core::selector::LabelSelectorSpec;
///
/// let json = r#"{"matchLabels":{"app":"shop"},"matchExpressions":[{"key":"canary","operator":"DoesNotExist"}]}"#;
/// let spec: LabelSelectorSpec = serde_json::from_str(json)?;
/// assert_eq!(spec.as_selector()?.to_string(), "app=shop,!canary");
/// assert_eq!(serde_json::to_string(&spec)?, json);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LabelSelectorSpec {
    /// Labels and the value each must have.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    /// Further conditions.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

impl LabelSelectorSpec {
    /// The selector this object stands for; an empty one is everything (apimachinery `LabelSelectorAsSelector`).
    ///
    /// # Errors
    /// Where a key, a value, an operator or a number of values is not valid.
    pub fn as_selector(&self) -> Result<LabelSelector, SelectorError> {
        let labels = self.match_labels.iter().map(|(key, value)| Requirement::equals(key, value));
        let expressions = self.match_expressions.iter().map(|expression| {
            let operator = expression.operator.as_operator(&expression.key)?;
            Requirement::new(&expression.key, operator, &expression.values)
        });
        labels.chain(expressions).collect()
    }

    /// The selector as labels with one value each, the form of `v1` Services and replication controllers
    /// (apimachinery `LabelSelectorAsMap`). Unlike in Go the labels are checked, and two values for one key are an
    /// error, not the last one.
    ///
    /// # Errors
    /// Where the object is no selector, or has a condition other than that a label has one value.
    pub fn as_label_set(&self) -> Result<LabelSet, SelectorError> {
        let mut labels = LabelSet::try_from(self.match_labels.clone())?;
        for LabelSelectorRequirement { key, operator, values } in &self.match_expressions {
            let not_a_set = || SelectorError::NotALabelSet { key: key.clone() };
            let (Operator::In, [value]) = (operator.as_operator(key)?, values.as_slice()) else {
                return Err(not_a_set());
            };
            let before = labels.insert(key, value)?;
            if before.is_some_and(|before| before != *value) {
                return Err(not_a_set());
            }
        }
        Ok(labels)
    }

    /// The selector for a person: `<none>` where it is absent or empty, `<error>` where it is not valid
    /// (apimachinery `FormatLabelSelector`). Who wants to know what is wrong asks [`as_selector`](Self::as_selector).
    #[must_use]
    pub fn describe(spec: Option<&Self>) -> String {
        match LabelSelector::from_spec(spec) {
            Err(_) => "<error>".to_owned(),
            Ok(selector) if selector.is_everything() || selector.is_nothing() => "<none>".to_owned(),
            Ok(selector) => selector.to_string(),
        }
    }

    /// Adds a label that must have this value, or changes its value; without a key nothing is added
    /// (apimachinery `AddLabelToSelector`).
    pub fn add_label(&mut self, key: impl Into<String>, value: impl Into<String>) {
        let key = key.into();
        if !key.is_empty() {
            self.match_labels.insert(key, value.into());
        }
    }

    /// The same with a label added as by [`add_label`](Self::add_label) (apimachinery `CloneSelectorAndAddLabel`).
    #[must_use]
    pub fn with_label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.add_label(key, value);
        self
    }
}

/// All these labels. They are not checked (apimachinery `Convert_Map_string_To_string_To_v1_LabelSelector`).
impl From<BTreeMap<String, String>> for LabelSelectorSpec {
    fn from(match_labels: BTreeMap<String, String>) -> Self {
        Self { match_labels, match_expressions: Vec::new() }
    }
}

/// All these labels (apimachinery `SetAsLabelSelector`).
impl From<LabelSet> for LabelSelectorSpec {
    fn from(labels: LabelSet) -> Self {
        labels.into_map().into()
    }
}

/// The object for a selector, which matches the same; with `str::parse` before it this is apimachinery's
/// `ParseToLabelSelector`. Fails for `<`, `>` and the selector that matches nothing, which no object can say. Unlike in
/// Go `!=` becomes `NotIn`, and a second condition that a key equals something is kept, as an expression.
impl TryFrom<&LabelSelector> for LabelSelectorSpec {
    type Error = SelectorError;

    fn try_from(selector: &LabelSelector) -> Result<Self, Self::Error> {
        let mut spec = Self::default();
        for requirement in selector.requirements().ok_or(SelectorError::Nothing)? {
            let key = requirement.key().to_owned();
            let operator = match (requirement.operator(), requirement.values()) {
                (Operator::Equals | Operator::DoubleEquals, [value]) => {
                    if let Entry::Vacant(vacant) = spec.match_labels.entry(key.clone()) {
                        vacant.insert(value.clone());
                        continue;
                    }
                    LabelSelectorOperator::In
                }
                (Operator::Equals | Operator::DoubleEquals | Operator::In, _) => LabelSelectorOperator::In,
                (Operator::NotEquals | Operator::NotIn, _) => LabelSelectorOperator::NotIn,
                (Operator::Exists, _) => LabelSelectorOperator::Exists,
                (Operator::DoesNotExist, _) => LabelSelectorOperator::DoesNotExist,
                (operator @ (Operator::GreaterThan | Operator::LessThan), _) => {
                    return Err(SelectorError::NotInSpec { key, operator });
                }
            };
            let values = requirement.values().to_vec();
            spec.match_expressions.push(LabelSelectorRequirement { key, operator, values });
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use LabelSelectorOperator::{DoesNotExist, Exists, In, NotIn};

    fn spec<const N: usize>(labels: [(&str, &str); N]) -> LabelSelectorSpec {
        BTreeMap::from(labels.map(|(key, value)| (key.to_owned(), value.to_owned()))).into()
    }

    fn with(mut spec: LabelSelectorSpec, key: &str, operator: LabelSelectorOperator, values: &[&str]) -> LabelSelectorSpec {
        let values = values.iter().map(ToString::to_string).collect();
        spec.match_expressions.push(LabelSelectorRequirement { key: key.to_owned(), operator, values });
        spec
    }

    #[test]
    fn an_object_becomes_the_selector_it_stands_for() {
        assert_eq!(LabelSelector::from_spec(None), Ok(LabelSelector::nothing()));
        assert_eq!(LabelSelector::from_spec(Some(&spec([]))), Ok(LabelSelector::everything()));
        let wrong = with(spec([]), "baz", Exists, &["qux", "norf"]);
        assert!(matches!(LabelSelector::from_spec(Some(&wrong)), Err(SelectorError::ValueCount { .. })));
        for (spec, expected) in [
            (spec([("foo", "bar")]), "foo=bar"),
            (with(spec([]), "baz", In, &["qux", "norf"]), "baz in (norf,qux)"),
            (with(spec([("foo", "bar")]), "baz", In, &["qux", "norf"]), "baz in (norf,qux),foo=bar"),
            (with(with(spec([]), "a", Exists, &[]), "b", DoesNotExist, &[]), "a,!b"),
            (with(spec([("a", "b")]), "a", NotIn, &["c"]), "a=b,a notin (c)"),
        ] {
            assert_eq!(LabelSelector::from_spec(Some(&spec)), Ok(expected.parse().unwrap()), "{spec:?}");
        }
    }

    #[test]
    fn an_object_that_is_no_selector_says_why() {
        for (spec, message) in [
            (
                with(spec([]), "baz", Exists, &["qux", "norf"]),
                "operator exists on the label \"baz\" was given 2 values: expected none",
            ),
            (with(spec([]), "baz", In, &[]), "operator in on the label \"baz\" was given 0 values: expected at least one"),
            (
                with(spec([]), "baz", LabelSelectorOperator::Other("Gt".to_owned()), &["1"]),
                "operator \"Gt\" on the label \"baz\" is unknown: expected In, NotIn, Exists or DoesNotExist",
            ),
        ] {
            assert_eq!(spec.as_selector().unwrap_err().to_string(), message);
        }
        assert!(matches!(spec([("a", "-b")]).as_selector(), Err(SelectorError::Value { .. })));
        assert!(matches!(spec([("-a", "b")]).as_selector(), Err(SelectorError::Key { .. })));
    }

    #[test]
    fn an_object_becomes_a_set_where_each_key_has_one_value() {
        let base = spec([("foo", "bar")]);
        for (spec, expected) in [
            (base.clone(), "foo=bar"),
            (with(base.clone(), "baz", In, &["norf"]), "baz=norf,foo=bar"),
            (with(spec([]), "baz", In, &["norf"]), "baz=norf"),
            (with(base.clone(), "foo", In, &["bar"]), "foo=bar"),
        ] {
            assert_eq!(spec.as_label_set(), Ok(expected.parse().unwrap()), "{spec:?}");
        }
        for spec in [
            with(base.clone(), "baz", In, &["norf", "qux"]),
            with(spec([]), "baz", In, &[]),
            with(spec([]), "baz", NotIn, &["norf", "qux"]),
            with(base.clone(), "baz", Exists, &[]),
            with(spec([]), "baz", DoesNotExist, &[]),
        ] {
            assert_eq!(spec.as_label_set(), Err(SelectorError::NotALabelSet { key: "baz".to_owned() }), "{spec:?}");
        }
        let conflict = with(base, "foo", In, &["norf"]);
        assert_eq!(conflict.as_label_set(), Err(SelectorError::NotALabelSet { key: "foo".to_owned() }));
        let unknown = with(spec([]), "baz", LabelSelectorOperator::default(), &["norf"]);
        assert!(matches!(unknown.as_label_set(), Err(SelectorError::UnknownOperator { .. })));
    }

    #[test]
    fn labels_survive_the_way_through_an_object() {
        for labels in [LabelSet::default(), "one=foo".parse().unwrap(), "one=foo,two=bar".parse().unwrap()] {
            let spec = LabelSelectorSpec::from(labels.clone());
            assert_eq!(spec, LabelSelectorSpec::from(labels.as_map().clone()));
            assert_eq!(spec.as_label_set(), Ok(labels));
        }
    }

    #[test]
    fn a_clone_with_a_label_leaves_the_original_and_the_expressions() {
        let original = with(spec([("foo1", "bar1")]), "foo", In, &["foo"]);
        let longer = original.clone().with_label("foo4", "89");
        assert_eq!(longer, with(spec([("foo1", "bar1"), ("foo4", "89")]), "foo", In, &["foo"]));
        assert_eq!(original, with(spec([("foo1", "bar1")]), "foo", In, &["foo"]));
        assert_eq!(original.clone().with_label("", "89"), original);
        let only = with(spec([]), "foo", In, &["foo"]).with_label("foo4", "12");
        assert_eq!(only, with(spec([("foo4", "12")]), "foo", In, &["foo"]));
    }

    #[test]
    fn a_label_is_added_in_place_unless_it_has_no_key() {
        let mut selector = spec([]);
        selector.add_label("", "89");
        assert_eq!(selector, spec([]));
        selector.add_label("foo4", "12");
        assert_eq!(selector, spec([("foo4", "12")]));
        selector.add_label("foo4", "13");
        selector.add_label("foo1", "bar1");
        assert_eq!(selector, spec([("foo1", "bar1"), ("foo4", "13")]));
    }

    #[test]
    fn a_selector_becomes_an_object_that_matches_the_same() {
        for (text, expected) in [
            ("", spec([])),
            ("a=1,b==2", spec([("a", "1"), ("b", "2")])),
            ("a=1,a=2", with(spec([("a", "1")]), "a", In, &["2"])),
            (
                "a in (x,y),b notin (z),c!=z",
                with(with(with(spec([]), "a", In, &["x", "y"]), "b", NotIn, &["z"]), "c", NotIn, &["z"]),
            ),
            ("a,!b", with(with(spec([]), "a", Exists, &[]), "b", DoesNotExist, &[])),
        ] {
            let selector: LabelSelector = text.parse().unwrap();
            assert_eq!(LabelSelectorSpec::try_from(&selector), Ok(expected), "{text:?}");
        }
        for text in ["a>1", "a<1"] {
            let selector: LabelSelector = text.parse().unwrap();
            assert!(matches!(LabelSelectorSpec::try_from(&selector), Err(SelectorError::NotInSpec { .. })), "{text:?}");
        }
        assert_eq!(LabelSelectorSpec::try_from(&LabelSelector::nothing()), Err(SelectorError::Nothing));
    }

    #[test]
    fn a_person_reads_none_for_no_condition_and_error_for_a_wrong_one() {
        assert_eq!(LabelSelectorSpec::describe(None), "<none>");
        assert_eq!(LabelSelectorSpec::describe(Some(&spec([]))), "<none>");
        assert_eq!(LabelSelectorSpec::describe(Some(&with(spec([("b", "1")]), "a", Exists, &[]))), "a,b=1");
        assert_eq!(LabelSelectorSpec::describe(Some(&with(spec([]), "a", In, &[]))), "<error>");
    }

    #[test]
    fn json_goes_in_and_out_whatever_it_says() {
        for json in [
            "{}",
            r#"{"matchLabels":{"app":"shop"},"matchExpressions":[{"key":"tier","operator":"In","values":["web"]}]}"#,
            r#"{"matchExpressions":[{"key":"-","operator":"Near","values":["here"]},{"key":"b","operator":"Exists"}]}"#,
        ] {
            let spec: LabelSelectorSpec = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&spec).unwrap(), json);
        }
        let empty = r#"{"matchLabels":null,"matchExpressions":null}"#;
        assert_eq!(serde_json::from_str::<LabelSelectorSpec>(empty).unwrap(), spec([]));
        let bare: LabelSelectorSpec = serde_json::from_str(r#"{"matchExpressions":[{"values":null}]}"#).unwrap();
        assert_eq!(bare, with(spec([]), "", LabelSelectorOperator::default(), &[]));
    }
}
