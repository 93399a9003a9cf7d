//! The label selector.

use std::{collections::BTreeMap, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{LabelSelectorSpec, LabelSet, Operator, Requirement, parser};
use crate::selector::{
    Lookup, ParseSelectorError, SelectorError,
    conjunction::{self, Conjunction},
};

/// Conditions on labels that must all hold: apimachinery `pkg/labels` `Selector`.
///
/// Read from text with [`str::parse`], or made of [`Requirement`]s. Printed, it is what a request's `labelSelector`
/// takes. In JSON it is that text, or `null` where it matches nothing; a
/// [`LabelSelectorSpec`] is the other form, the object that specs hold.
///
/// ```
/// use porthole_client_core::selector::{LabelSelector, Requirement};
///
/// let selector: LabelSelector = "tier in (web, api), app=shop, !canary".parse()?;
/// assert!(selector.matches(&[("app", "shop"), ("tier", "api")]));
/// assert!(!selector.matches(&[("app", "shop"), ("tier", "api"), ("canary", "yes")]));
/// assert_eq!(selector.to_string(), "app=shop,!canary,tier in (api,web)");
///
/// let narrower = selector.and(Requirement::exists("zone")?.into());
/// assert_eq!(narrower.to_string(), "app=shop,!canary,tier in (api,web),zone");
///
/// let error = "app=shop,tier in web".parse::<LabelSelector>().unwrap_err();
/// assert_eq!(error.to_string(), "at byte 17 of the selector: found \"web\", expected \"(\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LabelSelector(Conjunction<Requirement>);

impl LabelSelector {
    /// The selector without conditions, which matches all objects.
    #[must_use]
    pub const fn everything() -> Self {
        Self(Conjunction::everything())
    }

    /// The selector that matches no object, whatever is added to it.
    #[must_use]
    pub const fn nothing() -> Self {
        Self(Conjunction::Nothing)
    }

    /// The selector a spec asks for: nothing where the spec has none, everything where it is empty
    /// (apimachinery `meta/v1` `LabelSelectorAsSelector`).
    ///
    /// # Errors
    /// As [`LabelSelectorSpec::as_selector`].
    pub fn from_spec(spec: Option<&LabelSelectorSpec>) -> Result<Self, SelectorError> {
        spec.map_or(Ok(Self::nothing()), LabelSelectorSpec::as_selector)
    }

    /// Whether there is no condition (apimachinery `Selector.Empty`).
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.0.is_everything()
    }

    /// Whether this is [`nothing`](Self::nothing). Conditions that contradict each other are not noticed
    /// (apimachinery `labels.MatchesNothing`).
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.0.is_nothing()
    }

    /// The conditions, by key, or `None` where the selector matches nothing.
    #[must_use]
    pub fn requirements(&self) -> Option<&[Requirement]> {
        self.0.requirements()
    }

    /// What both this and `other` match. For more conditions on a selector that is at hand there is also
    /// [`extend`](Extend::extend).
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0.and(other.0))
    }

    /// Whether an object with these labels is selected. Allocates nothing.
    #[must_use]
    pub fn matches(&self, labels: &(impl Lookup + ?Sized)) -> bool {
        self.matches_with(|key| labels.value(key))
    }

    /// Whether the object whose labels `lookup` knows is selected. Allocates nothing.
    #[must_use]
    pub fn matches_with<'v>(&self, lookup: impl Fn(&str) -> Option<&'v str>) -> bool {
        self.0.all(|requirement| requirement.matches_with(&lookup))
    }

    /// The value that `key` must have, where a condition allows only one. Unlike in Go, where the first condition on
    /// the key decides, any may.
    #[must_use]
    pub fn requires_exact_match(&self, key: &str) -> Option<&str> {
        let mut on_key = self.requirements()?.iter().filter(|requirement| requirement.key() == key);
        on_key.find_map(Requirement::exact_value)
    }
}

/// [`everything`](LabelSelector::everything).
impl Default for LabelSelector {
    fn default() -> Self {
        Self::everything()
    }
}

impl From<Requirement> for LabelSelector {
    fn from(requirement: Requirement) -> Self {
        Self::from_iter([requirement])
    }
}

impl FromIterator<Requirement> for LabelSelector {
    fn from_iter<I: IntoIterator<Item = Requirement>>(requirements: I) -> Self {
        Self(requirements.into_iter().collect())
    }
}

/// Adds conditions; [`nothing`](LabelSelector::nothing) stays what it is (apimachinery `Selector.Add`).
impl Extend<Requirement> for LabelSelector {
    fn extend<I: IntoIterator<Item = Requirement>>(&mut self, requirements: I) {
        self.0.extend(requirements);
    }
}

/// All these labels, each with its value; no label at all is everything (apimachinery `SelectorFromValidatedSet`).
impl From<LabelSet> for LabelSelector {
    fn from(labels: LabelSet) -> Self {
        let equals = |(key, value)| Requirement::from_checked(key, Operator::Equals, vec![value]);
        labels.into_map().into_iter().map(equals).collect()
    }
}

/// As for a [`LabelSet`]; fails on a key or a value that no label has (apimachinery `ValidatedSelectorFromSet`).
impl TryFrom<BTreeMap<String, String>> for LabelSelector {
    type Error = SelectorError;

    fn try_from(labels: BTreeMap<String, String>) -> Result<Self, Self::Error> {
        LabelSet::try_from(labels).map(Self::from)
    }
}

/// The grammar of kubectl's `-l`; the empty text selects everything (apimachinery `labels.Parse`).
impl FromStr for LabelSelector {
    type Err = ParseSelectorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parser::parse(text).map(Self::from_iter)
    }
}

/// Conditions in order, joined by commas; reads back as an equal selector. [`nothing`](LabelSelector::nothing) prints
/// as `<nothing>`, which is no selector.
impl fmt::Display for LabelSelector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for LabelSelector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        conjunction::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for LabelSelector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        conjunction::deserialize(Self::nothing, deserializer)
    }
}
