//! What goes into the machine and what comes out.

use std::time::Duration;

use crate::{
    meta::{ResourceVersion, Status},
    object::{BadObject, Object},
    platform::Instant,
    rest::ApiError,
    store::Fresh,
    transport::TransportError,
    wire::WatchEvent,
};

/// Something the machine wants sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A list.
    List {
        /// Not older than this, or of just this version; `None` for the newest.
        resource_version: Option<ResourceVersion>,
        /// Whether the list is to be of just that version (`resourceVersionMatch=Exact`).
        exact: bool,
        /// The most items of a page.
        limit: Option<u32>,
        /// The token of the page before.
        continue_token: Option<String>,
    },
    /// A watch.
    Watch {
        /// Where to go on from; `None` for a consistent start.
        resource_version: Option<ResourceVersion>,
        /// Whether the list comes first, in the same stream.
        send_initial_events: bool,
        /// When the server shall end the stream.
        timeout: Duration,
    },
    /// Which cluster answers.
    Identity,
}

/// What the driver does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this, dropping whatever was open.
    Send(Request),
    /// Nothing before this time, unless something arrives.
    Wait(Instant),
}

/// What the driver tells the machine.
#[derive(Clone, Debug)]
pub enum Input<T> {
    /// The head of the answer is there, and it is a success.
    Opened,
    /// Bytes arrived.
    Heard,
    /// Items of a list, as they come.
    Items(Vec<T>),
    /// The page of the list that was open is whole.
    PageEnd(PageEnd),
    /// An event of the watch.
    Event(WatchEvent<T>),
    /// A line of the watch could not be read; the stream goes on.
    Unreadable(String),
    /// The rows no longer fit what is known of them (new columns, say): list again.
    Outdated,
    /// The answer ended as it should.
    Ended,
    /// The exchange failed.
    Failed(Failure),
    /// Which cluster answers.
    Identity(Identity),
    /// The host slept, or came back online: what looks open may be dead.
    Woken,
    /// A person asks for another try.
    Retry,
    /// Nobody looks for a while: what is open is to be given up.
    Suspend,
    /// Somebody looks again.
    Resume,
}

/// What ends a page of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageEnd {
    /// The version of the list.
    pub resource_version: ResourceVersion,
    /// The token of the next page.
    pub continue_token: Option<String>,
}

/// How an exchange failed.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The server said no.
    Refused(Box<Status>),
    /// No answer, or one that broke off.
    Connection(String),
    /// An answer that is not what was asked for.
    Unreadable(String),
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        match error.into_last() {
            ApiError::Refused(status) => Self::Refused(status),
            ApiError::Transport(TransportError::Invalid { message }) => Self::Unreadable(message),
            error @ (ApiError::Transport(_) | ApiError::TimedOut { .. }) => Self::Connection(error.to_string()),
            error => Self::Unreadable(error.to_string()),
        }
    }
}

/// Which cluster answers, against the one the cache belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The same.
    Same,
    /// Another: nothing that is cached is true any more.
    Other,
    /// It may not be known: nothing may be taken for granted.
    Unknown,
}

/// What the machine hands on: what client-go's reflector does to its store (`tools/cache/reflector.go`, `ReflectorStore`),
/// with a whole list in pieces.
#[derive(Clone, Debug, PartialEq)]
pub enum Output<T> {
    /// A whole list begins; what it does not bring is to go at its end.
    Begin,
    /// An object of the list.
    Listed(T),
    /// An object is new. It may be known already: a watch that starts anew tells what there is as if it were new.
    Added(T),
    /// An object changed.
    Modified(T),
    /// An object is gone.
    Deleted(T),
    /// Everything up to this version has been handed out.
    Bookmark(ResourceVersion),
    /// The whole list has come; it is of this version.
    Synced(ResourceVersion),
    /// Everything is to go at once: it belongs to another cluster.
    Clear,
}

/// Something with a version.
pub trait Versioned {
    /// The version; empty where it is unknown.
    fn resource_version(&self) -> &str;
}

/// What a server sent of an object: the object, or what is known of one that cannot be read. It goes from hand to hand by its
/// address.
pub type Received<T> = Result<Fresh<T>, Box<BadObject>>;

impl<T: Object> Versioned for Received<T> {
    fn resource_version(&self) -> &str {
        match self {
            Ok(object) => object.resource_version(),
            Err(bad) => bad.resource_version.as_str(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_failure_is_what_happened_in_the_end_whatever_the_tries_before_came_to() {
        let expired = ApiError::Refused(Box::new(Status::expired("too old")));
        let lost = || ApiError::Transport(TransportError::Broken { message: "reset".to_owned() });
        let after = |last, previous| ApiError::AfterRetries { last: Box::new(last), previous: Box::new(previous) };
        let failure = Failure::from(after(expired.clone(), lost()));
        assert!(matches!(&failure, Failure::Refused(status) if status.is_expired()), "{failure:?}");
        assert!(matches!(Failure::from(after(lost(), expired)), Failure::Connection(_)));
    }
}
