//! `metav1.Status`: how the server says no.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The server's word on a request that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status {
    /// The HTTP status code.
    pub code: u16,
    /// A machine's word, such as `Expired`; empty where there is none.
    pub reason: String,
    /// A person's words.
    pub message: String,
    /// What the message is about.
    pub details: Details,
}

/// More of what went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Details {
    /// Single causes.
    pub causes: Vec<Cause>,
}

/// One cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cause {
    /// A machine's word, such as `ResourceVersionTooLarge`.
    pub reason: String,
    /// A person's words.
    pub message: String,
    /// The field it is about.
    pub field: String,
}

/// What the server said, for a person.
impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.message.as_str(), self.reason.as_str(), self.code) {
            ("", "", 0) => formatter.write_str("the server failed without saying how"),
            ("", "", code) => write!(formatter, "the server answered {code}"),
            ("", reason, _) => write!(formatter, "the server answered {reason}"),
            (message, _, _) => formatter.write_str(message),
        }
    }
}

impl Status {
    /// The resource version is too old to go on from: 410, or reason `Expired` or `Gone`
    /// (apimachinery `errors.IsResourceExpired` and `IsGone`).
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.code == 410 || matches!(self.reason.as_str(), "Expired" | "Gone")
    }

    /// The server does not know the resource version yet: the forms of `isTooLargeResourceVersionError`
    /// in client-go's `reflector.go`.
    #[must_use]
    pub fn is_resource_version_too_large(&self) -> bool {
        let says = |text: &str| text.contains("Too large resource version");
        self.details.causes.iter().any(|cause| cause.reason == "ResourceVersionTooLarge")
            || ((self.reason == "Timeout" || self.code == 504)
                && (says(&self.message) || self.details.causes.iter().any(|cause| says(&cause.message))))
    }

    /// The server asks for fewer requests.
    #[must_use]
    pub fn is_too_many_requests(&self) -> bool {
        self.code == 429 || self.reason == "TooManyRequests"
    }

    /// The server will not answer this user, or does not know this resource: asking again soon is of no use.
    #[must_use]
    pub fn is_denial(&self) -> bool {
        matches!(self.code, 401 | 403 | 404 | 405)
    }

    /// Something between here and the server, or the server itself, is not there for now.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        matches!(self.code, 502..=504) && !self.is_resource_version_too_large()
    }

    /// The server cannot stream the first list: it refuses the parameter (422 or 400 naming it), or its etcd
    /// is too old (an error that names `RequestWatchProgress`).
    #[must_use]
    pub fn refuses_watch_list(&self) -> bool {
        (matches!(self.code, 400 | 422) && self.message.contains("sendInitialEvents"))
            || self.message.contains("RequestWatchProgress")
            || self.message.contains("sendInitialEvents is forbidden")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(json: &str) -> Status {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_resource_version_too_large_is_known_in_all_three_forms() {
        for json in [
            r#"{"code":504,"reason":"Timeout","message":"x","details":{"causes":[{"reason":"ResourceVersionTooLarge"}]}}"#,
            r#"{"code":504,"reason":"Timeout","message":"x","details":{"causes":[{"message":"Too large resource version"}]}}"#,
            r#"{"code":504,"reason":"Timeout","message":"Too large resource version: 5, current: 3"}"#,
        ] {
            assert!(status(json).is_resource_version_too_large(), "{json}");
            assert!(!status(json).is_unavailable(), "{json}");
        }
        assert!(!status(r#"{"code":504,"reason":"Timeout"}"#).is_resource_version_too_large());
    }

    #[test]
    fn an_expired_version_is_known_by_code_and_by_either_reason() {
        for json in [r#"{"code":410}"#, r#"{"reason":"Expired"}"#, r#"{"reason":"Gone"}"#] {
            assert!(status(json).is_expired(), "{json}");
        }
    }
}
