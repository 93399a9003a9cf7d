//! What label and field selectors share: conditions that must all hold.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serializer};

/// Conditions joined by "and". None at all holds for everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Conjunction<R> {
    /// Holds for nothing, whatever is added to it.
    Nothing,
    /// Holds where each of these does. They stand in their order, which is why only this file makes them.
    Each(Sorted<R>),
}

/// A list in its order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sorted<R>(Vec<R>);

impl<R> Conjunction<R> {
    pub(super) const fn everything() -> Self {
        Self::Each(Sorted(Vec::new()))
    }

    pub(super) fn is_everything(&self) -> bool {
        self.requirements().is_some_and(<[R]>::is_empty)
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// The conditions, or `None` where nothing is selected.
    pub(super) fn requirements(&self) -> Option<&[R]> {
        match self {
            Self::Nothing => None,
            Self::Each(Sorted(requirements)) => Some(requirements),
        }
    }

    /// Whether there is something to hold for, and `condition` says yes to every requirement.
    pub(super) fn all(&self, condition: impl FnMut(&R) -> bool) -> bool {
        self.requirements().is_some_and(|requirements| requirements.iter().all(condition))
    }
}

impl<R: Ord> Conjunction<R> {
    pub(super) fn extend(&mut self, more: impl IntoIterator<Item = R>) {
        if let Self::Each(Sorted(requirements)) = self {
            requirements.extend(more);
            requirements.sort_unstable();
        }
    }

    pub(super) fn and(mut self, other: Self) -> Self {
        match other {
            Self::Nothing => Self::Nothing,
            Self::Each(Sorted(requirements)) => {
                self.extend(requirements);
                self
            }
        }
    }
}

impl<R: Ord> FromIterator<R> for Conjunction<R> {
    fn from_iter<I: IntoIterator<Item = R>>(requirements: I) -> Self {
        let mut conjunction = Self::everything();
        conjunction.extend(requirements);
        conjunction
    }
}

impl<R: fmt::Display> fmt::Display for Conjunction<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(requirements) = self.requirements() else {
            return formatter.write_str("<nothing>");
        };
        for (index, requirement) in requirements.iter().enumerate() {
            if index > 0 {
                formatter.write_str(",")?;
            }
            write!(formatter, "{requirement}")?;
        }
        Ok(())
    }
}

/// As text; nothing as `null`, which is what matches nothing where Kubernetes has selectors as objects.
pub(super) fn serialize<R: fmt::Display, S: Serializer>(selector: &Conjunction<R>, serializer: S) -> Result<S::Ok, S::Error> {
    if selector.is_nothing() { serializer.serialize_none() } else { serializer.serialize_some(&selector.to_string()) }
}

/// From text, or from `null`, which becomes `nothing`.
pub(super) fn deserialize<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
    nothing: fn() -> T,
    deserializer: D,
) -> Result<T, D::Error> {
    match Option::<String>::deserialize(deserializer)? {
        Some(text) => text.parse().map_err(serde::de::Error::custom),
        None => Ok(nothing()),
    }
}
