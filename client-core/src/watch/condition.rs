//! What is waited for.

use std::convert::Infallible;

use crate::{
    json::FieldError,
    object::{ConditionStatus, Object as _, Unstructured},
};

/// What a condition says: a `bool`, or a [`Result`] of one where it can fail.
pub trait Outcome {
    /// How it fails.
    type Error;

    /// Whether it is met.
    ///
    /// # Errors
    /// Where the condition failed.
    fn into_result(self) -> Result<bool, Self::Error>;
}

impl Outcome for bool {
    type Error = Infallible;

    fn into_result(self) -> Result<bool, Infallible> {
        Ok(self)
    }
}

impl<E> Outcome for Result<bool, E> {
    type Error = E;

    fn into_result(self) -> Self {
        self
    }
}

/// Two conditions, the second of which counts from the event on that meets the first: the same one can meet both (client-go
/// `tools/watch/until.go`, which takes several).
///
/// ```
/// use porthole_client_core::{watch::then, wire::WatchEvent};
///
/// let added = |event: &WatchEvent<u8>| matches!(event, WatchEvent::Added(_));
/// let seven = |event: &WatchEvent<u8>| event.object() == Some(&7);
/// let mut both = then(added, seven);
/// assert_eq!(both(&WatchEvent::Modified(7)), Ok(false));
/// assert_eq!(both(&WatchEvent::Added(1)), Ok(false));
/// assert_eq!(both(&WatchEvent::Modified(7)), Ok(true));
/// assert_eq!(then(added, seven)(&WatchEvent::Added(7)), Ok(true));
/// ```
pub fn then<T: ?Sized, E, A: Outcome<Error = E>, B: Outcome<Error = E>>(
    mut first: impl FnMut(&T) -> A,
    mut second: impl FnMut(&T) -> B,
) -> impl FnMut(&T) -> Result<bool, E> {
    let mut met = false;
    move |event| {
        met = met || first(event).into_result()?;
        if met { second(event).into_result() } else { Ok(false) }
    }
}

/// Holds once a condition in the status is as it is to be, and is of the object as it is now, as far as the condition or the
/// status tells what it is of (`kubectl wait --for=condition=…`; `kubectl/pkg/cmd/wait/condition.go`). Whether its kind is written
/// in capital letters does not matter. For [`wait_for`](super::wait_for).
pub fn has_condition(
    kind: impl Into<String>,
    status: ConditionStatus,
) -> impl FnMut(Option<&Unstructured>) -> Result<bool, FieldError> {
    let kind = kind.into();
    move |object| {
        let Some(object) = object else { return Ok(false) };
        let conditions = object.conditions()?;
        let Some(condition) = conditions.iter().find(|condition| condition.kind.eq_ignore_ascii_case(&kind)) else {
            return Ok(false);
        };
        let seen = match condition.observed_generation {
            Some(seen) => Some(seen),
            None => object.nested::<i64>(&["status", "observedGeneration"])?,
        };
        let is_old = seen.zip(object.metadata().generation).is_some_and(|(seen, now)| seen < now);
        Ok(condition.status == status && !is_old)
    }
}
