//! How a request can fail.

use thiserror::Error;

use super::PathError;
use crate::{
    meta::{Cause, Status, StatusReason},
    transport::TransportError,
};

/// What became of a request that did not succeed.
///
/// The questions of apimachinery's `api/errors`, such as `is_not_found`, are methods. A refusal holds the server's own
/// [`Status`].
///
/// ```
/// use porthole_client_core::{meta::Status, rest::ApiError};
///
/// let error = ApiError::Refused(Box::new(Status::not_found(&"pods".into(), "web-0")));
/// assert!(error.is_not_found() && !error.is_conflict());
/// assert_eq!(error.to_string(), "pods \"web-0\" not found");
/// ```
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ApiError {
    /// The server, or something before it, said no.
    #[error("{0}")]
    Refused(Box<Status>),
    /// The connection failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The answer is not what was asked for.
    #[error("the answer to {path} could not be read: {message}")]
    Unreadable {
        /// What was asked.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// The request cannot be sent as it was built.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The answer did not come in time.
    #[error("no answer to {path} within {seconds} seconds")]
    TimedOut {
        /// What was asked.
        path: String,
        /// How long it was waited for, rounded up.
        seconds: u64,
    },
    /// The client's own rate limit lets nothing through, however long it is waited for.
    #[error("the rate limit of the client never lets a request to {path} through: set a rate above zero")]
    Throttled {
        /// What was to be asked.
        path: String,
    },
    /// What happened in the end, after tries that failed in another way (`WithRetry.WrapPreviousError`). A refusal in the end
    /// says enough by itself: it is [`Refused`](Self::Refused), whatever came before.
    #[error("{last} (the try before: {previous})")]
    AfterRetries {
        /// The end.
        #[source]
        last: Box<Self>,
        /// What the try before the last came to.
        previous: Box<Self>,
    },
}

impl From<PathError> for ApiError {
    fn from(source: PathError) -> Self {
        RequestError::from(source).into()
    }
}

impl From<PathError> for RequestError {
    fn from(source: PathError) -> Self {
        Self::Segment { part: "path", source }
    }
}

/// What is wrong with a request that was not sent.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestError {
    /// A part is set that was set before.
    #[error("the {part} is \"{was}\" already and cannot become \"{wanted}\"")]
    AlreadySet {
        /// Which part of the request.
        part: &'static str,
        /// What it is.
        was: String,
        /// What it was to become.
        wanted: String,
    },
    /// A name cannot be put into a URL.
    #[error("the {part} cannot be used: {source}")]
    Segment {
        /// Which part of the request.
        part: &'static str,
        /// Why not.
        source: PathError,
    },
    /// A namespace is set, but empty: the request would reach another object than is meant.
    #[error("the namespace is empty: name one, or leave it out for a resource of the whole cluster")]
    EmptyNamespace,
    /// An object that is to be put in place of another has no name to find that by.
    #[error("the object has no name: only what is created may leave the name to the server")]
    NoName,
    /// An absolute path is set, and a part of a resource's path that it would drop.
    #[error("the path is {path} and leaves no room for the {part} \"{text}\": set one of them")]
    PathIsWhole {
        /// The path.
        path: String,
        /// Which part of the request.
        part: &'static str,
        /// Its text.
        text: String,
    },
    /// There is a name or a subresource, but no resource that has it.
    #[error("the {part} \"{text}\" is of no resource: name the resource as well")]
    NoResource {
        /// Which part of the request.
        part: &'static str,
        /// Its text.
        text: String,
    },
    /// The body cannot be written.
    #[error("the body cannot be written: {message}")]
    Body {
        /// Why not.
        message: String,
    },
    /// A header's value cannot be sent.
    #[error("the header {name} cannot be sent: its value has characters that headers do not have")]
    Header {
        /// Which header.
        name: String,
    },
}

macro_rules! predicates {
    ($($name:ident: $doc:literal;)*) => {$(
        #[doc = $doc]
        #[doc = concat!("([`Status::", stringify!($name), "`])")]
        #[must_use]
        pub fn $name(&self) -> bool {
            self.status().is_some_and(Status::$name)
        }
    )*};
}

impl ApiError {
    /// What happened in the end: the error itself, but for [`AfterRetries`](Self::AfterRetries).
    #[must_use]
    pub fn last(&self) -> &Self {
        match self {
            Self::AfterRetries { last, .. } => last.last(),
            own => own,
        }
    }

    /// As [`last`](Self::last), without what came before.
    #[must_use]
    pub fn into_last(self) -> Self {
        match self {
            Self::AfterRetries { last, .. } => last.into_last(),
            own => own,
        }
    }

    /// The server's Status, where it was the server that failed the request.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        match self.last() {
            Self::Refused(status) => Some(status),
            _ => None,
        }
    }

    /// The server's word for why; [`StatusReason::UNKNOWN`] where there is none (`ReasonForError`).
    #[must_use]
    pub fn reason(&self) -> &StatusReason {
        self.status().map_or(&StatusReason::UNKNOWN, |status| &status.reason)
    }

    /// The cause that the server names with this word ([`Status::cause`]).
    #[must_use]
    pub fn cause(&self, reason: &str) -> Option<&Cause> {
        self.status()?.cause(reason)
    }

    /// After how many seconds the server suggests another try ([`Status::suggested_delay_seconds`]).
    #[must_use]
    pub fn suggested_delay_seconds(&self) -> Option<u32> {
        self.status()?.suggested_delay_seconds()
    }

    /// The `ApiError` in `error`: itself, or what it says is its source. For callers whose own errors wrap those of requests
    /// (`errors.As` of Go, which apimachinery's predicates use).
    ///
    /// ```
    /// use porthole_client_core::{meta::Status, rest::ApiError};
    ///
    /// #[derive(Debug, thiserror::Error)]
    /// #[error("the shop cannot open")]
    /// struct Closed(#[source] ApiError);
    ///
    /// let error = Closed(ApiError::Refused(Box::new(Status::gone("too old"))));
    /// assert!(ApiError::find(&error).is_some_and(ApiError::is_gone));
    /// ```
    #[must_use]
    pub fn find<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a Self> {
        let mut links = std::iter::successors(Some(error), |error| error.source());
        links.find_map(|error| error.downcast_ref())
    }

    predicates! {
        is_not_found: "There is no such object, or no such resource.";
        is_already_exists: "An object of that name is there.";
        is_conflict: "The object changed meanwhile, or somebody else owns a field.";
        is_invalid: "The object breaks a rule; the causes name the fields.";
        is_gone: "It was here and is no more.";
        is_expired: "The resource version or the continue token is too old.";
        is_expired_or_gone: "What cannot be gone on from.";
        is_not_acceptable: "The server cannot answer in a form that was asked for.";
        is_unsupported_media_type: "The server does not read a body of this form.";
        is_method_not_supported: "The resource does not have this verb.";
        is_service_unavailable: "The server cannot answer for now.";
        is_bad_request: "The request makes no sense.";
        is_unauthorized: "Who asks is not known.";
        is_forbidden: "Who asks may not.";
        is_timeout: "The time for the request ran out at the server.";
        is_server_timeout: "The server could not finish in time; trying again makes sense.";
        is_internal_error: "The server failed.";
        is_store_read_error: "Stored objects cannot be decoded.";
        is_too_many_requests: "The server wants fewer requests.";
        is_request_entity_too_large: "The body is too large.";
        is_unexpected_response: "The answer was no Status, but a page of something in between.";
    }

    /// The same, with what the try before came to, where that was something else.
    pub(super) fn after(self, previous: Option<Self>) -> Self {
        match previous {
            Some(previous) if previous.to_string() != self.to_string() => {
                Self::AfterRetries { last: Box::new(self), previous: Box::new(previous) }
            }
            _ => self,
        }
    }
}
