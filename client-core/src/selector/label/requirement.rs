//! One condition on one label.

use std::fmt;

use super::{Operator, syntax::validate_label_key};
use crate::selector::{Lookup, SelectorError};

/// One condition of a [`LabelSelector`](super::LabelSelector): a key, an operator, values. Always valid; the values are
/// in order, each once. Follows apimachinery `pkg/labels` `Requirement`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Requirement {
    key: String,
    operator: Operator,
    values: Vec<String>,
}

impl Requirement {
    /// A condition (apimachinery `labels.NewRequirement`). An empty value is a value.
    ///
    /// # Errors
    /// The first fault found: where the key is no key; where `in` or `notin` have no value, `=`, `==`, `!=`, `>` or `<`
    /// not exactly one, or the others any; where a value cannot be a label's, or, after `>` and `<`, is no 64-bit integer.
    pub fn new(
        key: impl Into<String>,
        operator: Operator,
        values: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, SelectorError> {
        let key = key.into();
        let values: Vec<String> = values.into_iter().map(Into::into).collect();
        validate_label_key(&key)?;
        if let Err(expected) = operator.check_count(values.len()) {
            return Err(SelectorError::ValueCount { key, operator, count: values.len(), expected });
        }
        for value in &values {
            if let Err(expected) = operator.check_value(value) {
                return Err(SelectorError::Value { key, value: value.clone(), expected });
            }
        }
        Ok(Self::from_checked(key, operator, values))
    }

    /// A condition of parts that were checked before.
    pub(super) fn from_checked(key: String, operator: Operator, mut values: Vec<String>) -> Self {
        values.sort_unstable();
        values.dedup();
        Self { key, operator, values }
    }

    /// `key = value`.
    ///
    /// # Errors
    /// Where the key or the value is not valid.
    pub fn equals(key: impl Into<String>, value: impl Into<String>) -> Result<Self, SelectorError> {
        Self::new(key, Operator::Equals, [value])
    }

    /// `key != value`.
    ///
    /// # Errors
    /// Where the key or the value is not valid.
    pub fn not_equals(key: impl Into<String>, value: impl Into<String>) -> Result<Self, SelectorError> {
        Self::new(key, Operator::NotEquals, [value])
    }

    /// `key in (values)`.
    ///
    /// # Errors
    /// Where the key or a value is not valid, or there is no value.
    pub fn is_in(key: impl Into<String>, values: impl IntoIterator<Item = impl Into<String>>) -> Result<Self, SelectorError> {
        Self::new(key, Operator::In, values)
    }

    /// `key notin (values)`.
    ///
    /// # Errors
    /// Where the key or a value is not valid, or there is no value.
    pub fn not_in(key: impl Into<String>, values: impl IntoIterator<Item = impl Into<String>>) -> Result<Self, SelectorError> {
        Self::new(key, Operator::NotIn, values)
    }

    /// `key`: the label is there.
    ///
    /// # Errors
    /// Where the key is not valid.
    pub fn exists(key: impl Into<String>) -> Result<Self, SelectorError> {
        Self::new(key, Operator::Exists, std::iter::empty::<String>())
    }

    /// `!key`: the label is not there.
    ///
    /// # Errors
    /// Where the key is not valid.
    pub fn does_not_exist(key: impl Into<String>) -> Result<Self, SelectorError> {
        Self::new(key, Operator::DoesNotExist, std::iter::empty::<String>())
    }

    /// The label's key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// How label and values must relate.
    #[must_use]
    pub fn operator(&self) -> Operator {
        self.operator
    }

    /// The values in order, each once.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Whether these labels meet the condition.
    #[must_use]
    pub fn matches(&self, labels: &(impl Lookup + ?Sized)) -> bool {
        self.matches_with(|key| labels.value(key))
    }

    /// Whether the labels that `lookup` knows meet the condition; it is asked for one key at most.
    #[must_use]
    pub fn matches_with<'v>(&self, lookup: impl FnOnce(&str) -> Option<&'v str>) -> bool {
        let label = lookup(&self.key);
        match self.operator {
            Operator::Equals | Operator::DoubleEquals | Operator::In => label.is_some_and(|label| self.has_value(label)),
            Operator::NotEquals | Operator::NotIn => !label.is_some_and(|label| self.has_value(label)),
            Operator::GreaterThan => self.integers(label).is_some_and(|(label, bound)| label > bound),
            Operator::LessThan => self.integers(label).is_some_and(|(label, bound)| label < bound),
            Operator::Exists => label.is_some(),
            Operator::DoesNotExist => label.is_none(),
        }
    }

    /// The value a label must have, where only one will do.
    pub(super) fn exact_value(&self) -> Option<&str> {
        match (self.operator, self.values.as_slice()) {
            (Operator::Equals | Operator::DoubleEquals | Operator::In, [value]) => Some(value),
            _ => None,
        }
    }

    fn has_value(&self, label: &str) -> bool {
        self.values.binary_search_by(|value| value.as_str().cmp(label)).is_ok()
    }

    fn integers(&self, label: Option<&str>) -> Option<(i64, i64)> {
        Some((label?.parse().ok()?, self.values.first()?.parse().ok()?))
    }
}

/// As a selector writes it: `a=b`, `a in (b,c)`, `!a`.
impl fmt::Display for Requirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, operator, values } = self;
        match operator {
            Operator::Exists => formatter.write_str(key),
            Operator::DoesNotExist => write!(formatter, "!{key}"),
            Operator::In | Operator::NotIn => write!(formatter, "{key} {operator} ({})", values.join(",")),
            _ => write!(formatter, "{key}{operator}{}", values.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const ALL: [Operator; 9] = [
        Operator::Equals,
        Operator::DoubleEquals,
        Operator::NotEquals,
        Operator::In,
        Operator::NotIn,
        Operator::GreaterThan,
        Operator::LessThan,
        Operator::Exists,
        Operator::DoesNotExist,
    ];

    fn requirement(key: &str, operator: Operator, values: &[&str]) -> Requirement {
        Requirement::new(key, operator, values.iter().copied()).unwrap()
    }

    #[test]
    fn a_requirement_is_made_only_of_parts_that_fit() {
        for operator in ALL {
            let make = |count: &usize| Requirement::new("x", operator, ["1", "2", "3"].into_iter().take(*count));
            let counts: Vec<usize> = (0..4).filter(|count| make(count).is_ok()).collect();
            let expected: &[usize] = match operator {
                Operator::In | Operator::NotIn => &[1, 2, 3],
                Operator::Exists | Operator::DoesNotExist => &[0],
                _ => &[1],
            };
            assert_eq!(counts, expected, "{operator:?}");
            let wrong = Requirement::new("x17", operator, ["a b"].into_iter().take(expected[0]));
            assert_eq!(
                matches!(&wrong, Err(SelectorError::Value { value, .. }) if value == "a b"),
                expected[0] == 1,
                "{wrong:?}"
            );
        }
        let twice = Requirement::new("x", Operator::Equals, ["foo", "foo"]).unwrap_err();
        assert_eq!(twice.to_string(), "operator = on the label \"x\" was given 2 values: expected exactly one");
        let long = "a".repeat(254);
        assert!(matches!(Requirement::exists(&long), Err(SelectorError::Key { key, .. }) if key == long));
        assert!(matches!(Requirement::equals("x16", &long), Err(SelectorError::Value { value, .. }) if value == long));
        assert!(matches!(Requirement::is_in("x", ["good", "-bad"]), Err(SelectorError::Value { value, .. }) if value == "-bad"));
        assert!(matches!(Requirement::new("x", Operator::LessThan, ["bar"]), Err(SelectorError::Value { .. })));
    }

    #[test]
    fn a_bound_is_a_64_bit_integer() {
        for operator in [Operator::GreaterThan, Operator::LessThan] {
            for good in ["0", "007", "9223372036854775807"] {
                assert!(Requirement::new("x", operator, [good]).is_ok(), "{good:?}");
            }
            for bad in ["", "bar", "1.5", "1e3", "-1", "9223372036854775808"] {
                assert!(matches!(Requirement::new("x", operator, [bad]), Err(SelectorError::Value { .. })), "{bad:?}");
            }
        }
    }

    #[test]
    fn values_are_in_order_and_each_once_while_what_was_given_stays() {
        for (given, expected) in [
            (&["bar", "foo"][..], &["bar", "foo"][..]),
            (&["foo", "bar"], &["bar", "foo"]),
            (&["foo", "bar", "foo", "bar"], &["bar", "foo"]),
            (&["b", ""], &["", "b"]),
        ] {
            let given = given.to_vec();
            assert_eq!(Requirement::is_in("x", given.iter().copied()).unwrap().values(), expected, "{given:?}");
        }
    }

    #[test]
    fn requirements_are_equal_where_key_operator_and_set_of_values_are() {
        let base = requirement("key", Operator::In, &["foo", "bar"]);
        assert_eq!(base, requirement("key", Operator::In, &["bar", "foo"]));
        assert_ne!(base, requirement("key2", Operator::In, &["foo", "bar"]));
        assert_ne!(base, requirement("key", Operator::NotIn, &["foo", "bar"]));
        assert_ne!(base, requirement("key", Operator::In, &["foobar"]));
        assert_ne!(requirement("key", Operator::Equals, &["a"]), requirement("key", Operator::DoubleEquals, &["a"]));
    }

    #[test]
    fn a_requirement_holds_as_its_operator_says() {
        for (operator, values, holding, failing) in [
            (Operator::Equals, &["a"][..], &[Some("a")][..], &[None, Some(""), Some("b")][..]),
            (Operator::DoubleEquals, &["a"], &[Some("a")], &[None, Some(""), Some("b")]),
            (Operator::NotEquals, &["a"], &[None, Some(""), Some("b")], &[Some("a")]),
            (Operator::In, &["a", "b"], &[Some("a"), Some("b")], &[None, Some(""), Some("c"), Some("ab")]),
            (Operator::In, &[""], &[Some("")], &[None, Some("a")]),
            (Operator::NotIn, &["a", "b"], &[None, Some(""), Some("c")], &[Some("a"), Some("b")]),
            (Operator::NotIn, &[""], &[None, Some("a")], &[Some("")]),
            (Operator::Exists, &[], &[Some(""), Some("a")], &[None]),
            (Operator::DoesNotExist, &[], &[None], &[Some(""), Some("a")]),
            (Operator::GreaterThan, &["1"], &[Some("2"), Some("10")], &[None, Some(""), Some("1"), Some("0"), Some("v2")]),
            (Operator::LessThan, &["1"], &[Some("0"), Some("-5")], &[None, Some(""), Some("1"), Some("2"), Some("v0")]),
            (Operator::LessThan, &["1"], &[], &[Some("-9223372036854775809")]),
        ] {
            let requirement = requirement("x", operator, values);
            for label in holding {
                assert!(requirement.matches_with(|_| *label), "{requirement} fails for {label:?}");
            }
            for label in failing {
                assert!(!requirement.matches_with(|_| *label), "{requirement} holds for {label:?}");
            }
        }
        assert!(Requirement::equals("x", "1").unwrap().matches(&[("x", "1"), ("y", "2")]));
        assert!(!Requirement::equals("x", "2").unwrap().matches(&[("x", "1"), ("y", "2")]));
    }

    #[test]
    fn a_requirement_prints_as_a_selector_writes_it() {
        for (operator, values, expected) in [
            (Operator::In, &["def", "abc"][..], "x in (abc,def)"),
            (Operator::NotIn, &["jkl"], "x notin (jkl)"),
            (Operator::NotIn, &[""], "x notin ()"),
            (Operator::In, &["a", ""], "x in (,a)"),
            (Operator::Equals, &["abc"], "x=abc"),
            (Operator::Equals, &[""], "x="),
            (Operator::DoubleEquals, &["jkl"], "x==jkl"),
            (Operator::NotEquals, &["a"], "x!=a"),
            (Operator::GreaterThan, &["2"], "x>2"),
            (Operator::LessThan, &["8"], "x<8"),
            (Operator::Exists, &[], "x"),
            (Operator::DoesNotExist, &[], "!x"),
        ] {
            assert_eq!(requirement("x", operator, values).to_string(), expected);
        }
    }
}
