//! Why something was waited for in vain.

use std::{error::Error, fmt};

use crate::{
    informer::NotSynced,
    meta::ResourceVersion,
    rest::{ApiError, WatchError},
    wire::WatchEvent,
};

/// A watch was to begin at no version, or at any.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a watch that goes on cannot begin at resource version \"{0}\": list first, and begin at the version of the list")]
pub struct NoStartVersion(pub(super) ResourceVersion);

/// Why something was waited for in vain: `E` is how a condition fails, `C` is what is said by whoever gives up.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum WaitError<E, C> {
    /// The condition failed.
    Condition(E),
    /// It was given up before the condition was met (apimachinery `util/wait/error.go`, `ErrorInterrupted`).
    Interrupted(C),
    /// The cache was never whole.
    NotSynced(NotSynced<C>),
    /// The watch ended first (client-go `tools/watch/until.go`, `ErrWatchClosed`).
    Closed,
    /// The watch brought what cannot be read, or broke.
    Watch(WatchError),
    /// The server refused, or could not be reached.
    Request(ApiError),
    /// The server's list has no version to watch from.
    NoStartVersion(NoStartVersion),
}

impl<E, C> WaitError<E, C> {
    /// Whether it was given up (`wait.Interrupted`).
    #[must_use]
    pub const fn is_interrupted(&self) -> bool {
        matches!(self, Self::Interrupted(_) | Self::NotSynced(NotSynced { cause: Some(_), .. }))
    }
}

impl<E: fmt::Display, C: fmt::Display> fmt::Display for WaitError<E, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Condition(error) => error.fmt(formatter),
            Self::Interrupted(cause) => write!(formatter, "gave up waiting for the condition: {cause}"),
            Self::NotSynced(error) => error.fmt(formatter),
            Self::Closed => formatter.write_str("the watch ended before the condition was met"),
            Self::Watch(error) => error.fmt(formatter),
            Self::Request(error) => error.fmt(formatter),
            Self::NoStartVersion(error) => error.fmt(formatter),
        }
    }
}

impl<E: Error + 'static, C: Error + 'static> Error for WaitError<E, C> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // Their words are here already; only what is behind them is a source.
            Self::Condition(error) => error.source(),
            Self::NotSynced(error) => error.source(),
            Self::Watch(error) => error.source(),
            Self::Request(error) => error.source(),
            Self::NoStartVersion(error) => error.source(),
            Self::Interrupted(cause) => Some(cause),
            Self::Closed => None,
        }
    }
}

/// Why [`until`](super::until) ended in vain, and after which event. Its `Debug` does not show the object, which may be a secret.
pub struct Unmet<K, E, C> {
    /// The last event that came; `None` where none did. Where the watch had to end it says why.
    pub last: Option<WatchEvent<K>>,
    /// Why.
    pub error: WaitError<E, C>,
}

impl<K, E: fmt::Debug, C: fmt::Debug> fmt::Debug for Unmet<K, E, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.last.as_ref().map(|event| match event {
            WatchEvent::Added(_) => "Added",
            WatchEvent::Modified(_) => "Modified",
            WatchEvent::Deleted(_) => "Deleted",
            WatchEvent::Bookmark(_) => "Bookmark",
            WatchEvent::Error(_) => "Error",
        });
        formatter.debug_struct("Unmet").field("last", &last).field("error", &self.error).finish()
    }
}

impl<K, E: fmt::Display, C: fmt::Display> fmt::Display for Unmet<K, E, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.last {
            Some(WatchEvent::Error(status)) => write!(formatter, "{}: {status}", self.error),
            _ => self.error.fmt(formatter),
        }
    }
}

impl<K, E: Error + 'static, C: Error + 'static> Error for Unmet<K, E, C> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}
