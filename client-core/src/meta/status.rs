//! `metav1.Status`: how the server says no.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ListMeta, StatusReason, null_is_default};

/// The server's word on a request that failed, or, after a deletion, on one that did not (apimachinery `meta/v1/types.go`,
/// `Status`). What it means is asked with methods, those of apimachinery's `api/errors`; others make one, for servers in tests.
///
/// ```
/// use porthole_client_core::meta::Status;
///
/// let status: Status = serde_json::from_str(
///     r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"AlreadyExists","code":409,
///         "message":"pods \"a\" already exists","details":{"name":"a","kind":"pods"}}"#,
/// )?;
/// assert!(status.is_already_exists() && !status.is_conflict());
/// assert_eq!(status, Status { message: status.message.clone(), ..Status::already_exists(&"pods".into(), "a") });
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status {
    /// A continue token that goes on where an expired one stopped, in the answer to a list.
    #[serde(deserialize_with = "null_is_default")]
    pub metadata: ListMeta,
    /// `Success` or `Failure`.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// A person's words.
    #[serde(deserialize_with = "null_is_default")]
    pub message: String,
    /// A machine's word, such as `Expired`; empty where there is none.
    #[serde(deserialize_with = "null_is_default")]
    pub reason: StatusReason,
    /// What the message is about.
    #[serde(deserialize_with = "null_is_default")]
    pub details: StatusDetails,
    /// The HTTP status code.
    #[serde(deserialize_with = "null_is_default")]
    pub code: u16,
}

/// More of what went wrong (`metav1.StatusDetails`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatusDetails {
    /// The object it is about; of a deletion, the one that was deleted.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The group of the resource.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The resource, or the kind where the message is about the object itself.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// The uid of the object.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub uid: String,
    /// Single causes.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
    /// After how many seconds another try makes sense; 0 where the server does not say.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_zero")]
    pub retry_after_seconds: u32,
}

/// One cause, such as a field that breaks a rule (`metav1.StatusCause`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cause {
    /// A machine's word, such as `ResourceVersionTooLarge`.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// A person's words.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The field it is about.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub field: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What the server said, for a person.
impl std::error::Error for Status {}

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
    /// The server does not know the resource version yet: the forms of `isTooLargeResourceVersionError`
    /// in client-go's `reflector.go`.
    #[must_use]
    pub fn is_resource_version_too_large(&self) -> bool {
        let says = |text: &str| text.contains("Too large resource version");
        self.details.causes.iter().any(|cause| cause.reason == "ResourceVersionTooLarge")
            || ((self.reason == StatusReason::TIMEOUT || self.code == 504)
                && (says(&self.message) || self.details.causes.iter().any(|cause| says(&cause.message))))
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
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn status(json: &str) -> Status {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn null_in_any_field_is_as_if_it_were_left_out() {
        let null = r#"{"metadata":{"resourceVersion":null,"continue":null,"remainingItemCount":null},"status":null,"message":null,"reason":null,"code":null,"details":{"name":null,"group":null,"kind":null,"uid":null,"causes":[{"reason":null,"message":null,"field":null}],"retryAfterSeconds":null}}"#;
        let causes = vec![Cause::default()];
        let empty = Status { details: StatusDetails { causes, ..StatusDetails::default() }, ..Status::default() };
        assert_eq!(status(null), empty);
        assert_eq!(status(r#"{"metadata":null,"details":null}"#), Status::default());
        assert_eq!(status(r#"{"details":{"causes":null}}"#), Status::default());
    }

    #[test]
    fn a_status_is_read_as_it_was_written_and_a_code_of_success_changes_nothing() {
        let failure = Status { status: "Failure".into(), code: 200, ..Status::default() };
        let written = serde_json::to_string(&failure).unwrap();
        assert_eq!(status(&written), failure);
        let named = written.replacen('{', r#"{"kind":"Status","apiVersion":"v1","#, 1);
        assert_eq!(status(&named), failure);
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
}
