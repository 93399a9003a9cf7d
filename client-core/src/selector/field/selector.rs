//! The field selector.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{FieldOperator, FieldRequirement, text};
use crate::{
    meta::{Namespace, ObjectName},
    selector::{
        Lookup, ParseSelectorError, SelectorError,
        conjunction::{self, Conjunction},
    },
};

/// Conditions on fields that must all hold: apimachinery `pkg/fields` `Selector`.
///
/// Printed, it is what a request's `fieldSelector` takes. In JSON it is that text, or `null` where it matches nothing.
///
/// ```
/// use porthole_client_core::selector::FieldSelector;
///
/// let running: FieldSelector = "status.phase=Running,spec.nodeName!=".parse()?;
/// assert!(running.matches(&[("status.phase", "Running"), ("spec.nodeName", "node-1")]));
/// assert!(!running.matches(&[("status.phase", "Running")]));
///
/// let one = FieldSelector::equals("involvedObject.fieldPath", "a=b,c")?;
/// assert_eq!(one.to_string(), r"involvedObject.fieldPath=a\=b\,c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldSelector(Conjunction<FieldRequirement>);

impl FieldSelector {
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

    /// The object with this name: `metadata.name`, which every resource can be asked for. Who may see only named
    /// objects lists and watches them with this.
    #[must_use]
    pub fn name(name: &ObjectName) -> Self {
        Self::of("metadata.name", name.as_str())
    }

    /// The objects of this namespace: `metadata.namespace`, which every resource in namespaces can be asked for.
    #[must_use]
    pub fn namespace(namespace: &Namespace) -> Self {
        Self::of("metadata.namespace", namespace.as_str())
    }

    fn of(field: &'static str, value: &str) -> Self {
        FieldRequirement::from_checked(field.to_owned(), FieldOperator::Equals, value.to_owned()).into()
    }

    /// The objects whose field has this value (apimachinery `fields.OneTermEqualSelector`).
    ///
    /// # Errors
    /// As [`FieldRequirement::new`].
    pub fn equals(field: impl Into<String>, value: impl Into<String>) -> Result<Self, SelectorError> {
        FieldRequirement::new(field, FieldOperator::Equals, value).map(Self::from)
    }

    /// The objects whose field has another value (apimachinery `fields.OneTermNotEqualSelector`).
    ///
    /// # Errors
    /// As [`FieldRequirement::new`].
    pub fn not_equals(field: impl Into<String>, value: impl Into<String>) -> Result<Self, SelectorError> {
        FieldRequirement::new(field, FieldOperator::NotEquals, value).map(Self::from)
    }

    /// The objects whose fields all have these values; no field at all is everything
    /// (apimachinery `fields.SelectorFromSet`).
    ///
    /// # Errors
    /// As [`FieldRequirement::new`].
    pub fn all_equal(fields: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Result<Self, SelectorError> {
        fields.into_iter().map(|(field, value)| FieldRequirement::new(field, FieldOperator::Equals, value)).collect()
    }

    /// Whether there is no condition (apimachinery `Selector.Empty`).
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.0.is_everything()
    }

    /// Whether this is [`nothing`](Self::nothing).
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.0.is_nothing()
    }

    /// The conditions, by field, or `None` where the selector matches nothing.
    #[must_use]
    pub fn requirements(&self) -> Option<&[FieldRequirement]> {
        self.0.requirements()
    }

    /// What both this and `other` match (apimachinery `fields.AndSelectors`).
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0.and(other.0))
    }

    /// Whether an object with these fields is selected. A field that is not there counts as empty, as it does on a
    /// server. Allocates nothing.
    #[must_use]
    pub fn matches(&self, fields: &(impl Lookup + ?Sized)) -> bool {
        self.matches_with(|field| fields.value(field))
    }

    /// Whether the object whose fields `lookup` knows is selected. Allocates nothing.
    #[must_use]
    pub fn matches_with<'v>(&self, lookup: impl Fn(&str) -> Option<&'v str>) -> bool {
        self.0.all(|requirement| requirement.matches_with(&lookup))
    }

    /// The value that `field` must have, where a condition says so (apimachinery `Selector.RequiresExactMatch`).
    #[must_use]
    pub fn requires_exact_match(&self, field: &str) -> Option<&str> {
        let exact =
            |requirement: &&FieldRequirement| requirement.operator() == FieldOperator::Equals && requirement.field() == field;
        self.requirements()?.iter().find(exact).map(FieldRequirement::value)
    }

    /// The selector with each condition replaced by what `change` makes of it, or left out for `None`
    /// (apimachinery `Selector.Transform`; there an empty field with an empty value leaves it out).
    /// [`nothing`](Self::nothing) has no conditions and stays.
    ///
    /// # Errors
    /// The first error of `change`.
    pub fn transform<E>(&self, change: impl FnMut(&FieldRequirement) -> Result<Option<FieldRequirement>, E>) -> Result<Self, E> {
        match self.requirements() {
            None => Ok(Self::nothing()),
            Some(requirements) => requirements.iter().map(change).filter_map(Result::transpose).collect(),
        }
    }
}

/// [`everything`](FieldSelector::everything).
impl Default for FieldSelector {
    fn default() -> Self {
        Self::everything()
    }
}

impl From<FieldRequirement> for FieldSelector {
    fn from(requirement: FieldRequirement) -> Self {
        Self::from_iter([requirement])
    }
}

impl FromIterator<FieldRequirement> for FieldSelector {
    fn from_iter<I: IntoIterator<Item = FieldRequirement>>(requirements: I) -> Self {
        Self(requirements.into_iter().collect())
    }
}

/// Adds conditions; [`nothing`](FieldSelector::nothing) stays what it is.
impl Extend<FieldRequirement> for FieldSelector {
    fn extend<I: IntoIterator<Item = FieldRequirement>>(&mut self, requirements: I) {
        self.0.extend(requirements);
    }
}

/// The grammar of kubectl's `--field-selector`: `field=value` (or `==`) and `field!=value`, joined by commas, with a
/// backslash before each `\`, `,` and `=` of a value. Spaces count. The empty text selects everything (apimachinery
/// `fields.ParseSelector`). Unlike in Go a term without a field is an error; there `=` alone selects everything.
impl FromStr for FieldSelector {
    type Err = ParseSelectorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text::parse(text).map(Self::from_iter)
    }
}

/// Conditions in order, joined by commas; reads back as an equal selector. [`nothing`](FieldSelector::nothing) prints
/// as `<nothing>`, which is no selector.
impl fmt::Display for FieldSelector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for FieldSelector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        conjunction::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for FieldSelector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        conjunction::deserialize(Self::nothing, deserializer)
    }
}
