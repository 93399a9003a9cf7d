//! An answer that may be a part of the whole.

use super::error::{DiscoveryError, GroupFailures};

/// What was found, and which versions could not be asked.
///
/// client-go returns both what it found and an error, and a caller who looks at the error alone throws the rest away,
/// while one who does not look shows a part as the whole. Here the caller says which it shall be: [`complete`] is an error
/// where anything failed, [`partial`] hands out both.
///
/// ```
/// use porthole_client_core::discovery::{Discovered, DiscoveryError, GroupFailures};
///
/// let dead = ("metrics.k8s.io/v1beta1".parse()?, DiscoveryError::Stale);
/// let answer = Discovered::new(vec!["pods", "nodes"], GroupFailures::from_iter([dead]));
/// let (found, failed) = answer.clone().partial();
/// assert_eq!((found.len(), failed.len()), (2, 1));
/// assert!(answer.complete().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`complete`]: Self::complete
/// [`partial`]: Self::partial
#[derive(Clone, Debug)]
#[must_use = "say whether a part will do: `partial`, or `complete`"]
pub struct Discovered<T> {
    found: T,
    failed: GroupFailures,
}

impl<T> Discovered<T> {
    /// `found`, without what is in `failed`.
    pub fn new(found: T, failed: GroupFailures) -> Self {
        Self { found, failed }
    }

    /// The whole.
    ///
    /// # Errors
    /// [`DiscoveryError::Groups`] where it is only a part.
    pub fn complete(self) -> Result<T, DiscoveryError> {
        if self.failed.is_empty() { Ok(self.found) } else { Err(DiscoveryError::Groups(self.failed)) }
    }

    /// What was found, and what failed.
    pub fn partial(self) -> (T, GroupFailures) {
        (self.found, self.failed)
    }

    /// What failed.
    #[must_use]
    pub fn failed(&self) -> &GroupFailures {
        &self.failed
    }

    /// The same with something else made of what was found.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Discovered<U> {
        Discovered { found: change(self.found), failed: self.failed }
    }
}
