//! The machine's word of a Status.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

/// Why a request failed, in one word of the server (`metav1.StatusReason`). Other words than the constants here are
/// kept as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StatusReason(Cow<'static, str>);

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        impl StatusReason {
            $($(#[$doc])* pub const $name: Self = Self(Cow::Borrowed($text));)*

            /// Whether this is one of the words that apimachinery knows; another word says less than the code does
            /// (`knownReasons` in `api/errors/errors.go`).
            #[must_use]
            pub fn is_known(&self) -> bool {
                matches!(self.as_str(), $($text)|*)
            }
        }
    };
}

reasons! {
    /// 401: who asks is not known.
    UNAUTHORIZED = "Unauthorized";
    /// 403: who asks may not.
    FORBIDDEN = "Forbidden";
    /// 404: there is no such object, or no such resource.
    NOT_FOUND = "NotFound";
    /// 409: an object of that name is there.
    ALREADY_EXISTS = "AlreadyExists";
    /// 409: the object changed meanwhile, or somebody else owns a field.
    CONFLICT = "Conflict";
    /// 410: it was here and is no more.
    GONE = "Gone";
    /// 422: the object breaks a rule.
    INVALID = "Invalid";
    /// 500: the server could not finish in time; trying again makes sense.
    SERVER_TIMEOUT = "ServerTimeout";
    /// 500: stored objects cannot be decoded.
    STORE_READ_ERROR = "StorageReadError";
    /// 504: the time for the request ran out.
    TIMEOUT = "Timeout";
    /// 429: the server wants fewer requests.
    TOO_MANY_REQUESTS = "TooManyRequests";
    /// 400: the request makes no sense.
    BAD_REQUEST = "BadRequest";
    /// 405: the resource does not have this verb.
    METHOD_NOT_ALLOWED = "MethodNotAllowed";
    /// 406: the server cannot answer in a form that was asked for.
    NOT_ACCEPTABLE = "NotAcceptable";
    /// 413: the body is too large.
    REQUEST_ENTITY_TOO_LARGE = "RequestEntityTooLarge";
    /// 415: the body is in a form the server does not read.
    UNSUPPORTED_MEDIA_TYPE = "UnsupportedMediaType";
    /// 500: the server failed.
    INTERNAL_ERROR = "InternalError";
    /// 410: the resource version or the continue token is too old.
    EXPIRED = "Expired";
    /// 503: the server cannot answer for now.
    SERVICE_UNAVAILABLE = "ServiceUnavailable";
}

impl StatusReason {
    /// No word at all.
    pub const UNKNOWN: Self = Self(Cow::Borrowed(""));

    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for StatusReason {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl From<&'static str> for StatusReason {
    fn from(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl fmt::Display for StatusReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
