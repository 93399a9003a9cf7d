//! What a Status means: apimachinery's `api/errors/errors.go`, predicate by predicate.
//!
//! The reason decides. Where the server gives none, or one that apimachinery does not know, the code does.

use super::{Cause, Status, StatusReason};

/// The cause of a Status that was made of an answer which was none.
pub(crate) const UNEXPECTED_RESPONSE: &str = "UnexpectedServerResponse";

impl Status {
    /// 404: there is no such object, or no such resource.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.is(&StatusReason::NOT_FOUND, 404)
    }

    /// 409: an object of that name is there.
    #[must_use]
    pub fn is_already_exists(&self) -> bool {
        self.reason == StatusReason::ALREADY_EXISTS
    }

    /// 409: the object changed meanwhile, or somebody else owns a field.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.is(&StatusReason::CONFLICT, 409)
    }

    /// 422: the object breaks a rule; the causes name the fields.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        self.is(&StatusReason::INVALID, 422)
    }

    /// 410: it was here and is no more.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.is(&StatusReason::GONE, 410)
    }

    /// 410: the resource version or the continue token is too old (`IsResourceExpired`).
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.reason == StatusReason::EXPIRED
    }

    /// 406: the server cannot answer in a form that was asked for.
    #[must_use]
    pub fn is_not_acceptable(&self) -> bool {
        self.is(&StatusReason::NOT_ACCEPTABLE, 406)
    }

    /// 415: the server does not read a body of this form.
    #[must_use]
    pub fn is_unsupported_media_type(&self) -> bool {
        self.is(&StatusReason::UNSUPPORTED_MEDIA_TYPE, 415)
    }

    /// 405: the resource does not have this verb.
    #[must_use]
    pub fn is_method_not_supported(&self) -> bool {
        self.is(&StatusReason::METHOD_NOT_ALLOWED, 405)
    }

    /// 503: the server cannot answer for now.
    #[must_use]
    pub fn is_service_unavailable(&self) -> bool {
        self.is(&StatusReason::SERVICE_UNAVAILABLE, 503)
    }

    /// 400: the request makes no sense.
    #[must_use]
    pub fn is_bad_request(&self) -> bool {
        self.is(&StatusReason::BAD_REQUEST, 400)
    }

    /// 401: who asks is not known.
    #[must_use]
    pub fn is_unauthorized(&self) -> bool {
        self.is(&StatusReason::UNAUTHORIZED, 401)
    }

    /// 403: who asks may not.
    #[must_use]
    pub fn is_forbidden(&self) -> bool {
        self.is(&StatusReason::FORBIDDEN, 403)
    }

    /// 504: the time for the request ran out.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        self.is(&StatusReason::TIMEOUT, 504)
    }

    /// 500: the server could not finish in time; trying again makes sense.
    #[must_use]
    pub fn is_server_timeout(&self) -> bool {
        self.reason == StatusReason::SERVER_TIMEOUT
    }

    /// 500: the server failed.
    #[must_use]
    pub fn is_internal_error(&self) -> bool {
        self.is(&StatusReason::INTERNAL_ERROR, 500)
    }

    /// Stored objects cannot be decoded.
    #[must_use]
    pub fn is_store_read_error(&self) -> bool {
        self.reason == StatusReason::STORE_READ_ERROR
    }

    /// The server wants fewer requests, whatever word it has for that.
    #[must_use]
    pub fn is_too_many_requests(&self) -> bool {
        self.reason == StatusReason::TOO_MANY_REQUESTS || self.code == 429
    }

    /// The body is too large, whatever word the server has for that.
    #[must_use]
    pub fn is_request_entity_too_large(&self) -> bool {
        self.reason == StatusReason::REQUEST_ENTITY_TOO_LARGE || self.code == 413
    }

    /// The answer was no Status, but something else: a page of a proxy, say (`IsUnexpectedServerError`).
    #[must_use]
    pub fn is_unexpected_response(&self) -> bool {
        self.cause(UNEXPECTED_RESPONSE).is_some()
    }

    /// What cannot be gone on from, whichever of the two words the server has for it.
    #[must_use]
    pub fn is_expired_or_gone(&self) -> bool {
        self.is_expired() || self.is_gone()
    }

    /// The cause whose machine's word is `reason` (`StatusCause`).
    #[must_use]
    pub fn cause(&self, reason: &str) -> Option<&Cause> {
        self.details.causes.iter().find(|cause| cause.reason == reason)
    }

    /// After how many seconds the server suggests to try again; `Some(0)` where it suggests a try without saying when
    /// (`SuggestsClientDelay`).
    #[must_use]
    pub fn suggested_delay_seconds(&self) -> Option<u32> {
        let seconds = self.details.retry_after_seconds;
        (seconds > 0 || self.reason == StatusReason::SERVER_TIMEOUT).then_some(seconds)
    }

    /// The reason is `reason`; or it says nothing and the code is `code`.
    fn is(&self, reason: &StatusReason, code: u16) -> bool {
        self.reason == *reason || (self.code == code && !self.reason.is_known())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    type Predicate = fn(&Status) -> bool;

    /// Every predicate with its reason, its code, and whether the code alone decides: never, where the reason says
    /// nothing, or always.
    const PREDICATES: [(Predicate, StatusReason, u16, u8); 19] = [
        (Status::is_not_found, StatusReason::NOT_FOUND, 404, 1),
        (Status::is_already_exists, StatusReason::ALREADY_EXISTS, 409, 0),
        (Status::is_conflict, StatusReason::CONFLICT, 409, 1),
        (Status::is_invalid, StatusReason::INVALID, 422, 1),
        (Status::is_gone, StatusReason::GONE, 410, 1),
        (Status::is_expired, StatusReason::EXPIRED, 410, 0),
        (Status::is_not_acceptable, StatusReason::NOT_ACCEPTABLE, 406, 1),
        (Status::is_unsupported_media_type, StatusReason::UNSUPPORTED_MEDIA_TYPE, 415, 1),
        (Status::is_method_not_supported, StatusReason::METHOD_NOT_ALLOWED, 405, 1),
        (Status::is_service_unavailable, StatusReason::SERVICE_UNAVAILABLE, 503, 1),
        (Status::is_bad_request, StatusReason::BAD_REQUEST, 400, 1),
        (Status::is_unauthorized, StatusReason::UNAUTHORIZED, 401, 1),
        (Status::is_forbidden, StatusReason::FORBIDDEN, 403, 1),
        (Status::is_timeout, StatusReason::TIMEOUT, 504, 1),
        (Status::is_server_timeout, StatusReason::SERVER_TIMEOUT, 500, 0),
        (Status::is_internal_error, StatusReason::INTERNAL_ERROR, 500, 1),
        (Status::is_store_read_error, StatusReason::STORE_READ_ERROR, 500, 0),
        (Status::is_too_many_requests, StatusReason::TOO_MANY_REQUESTS, 429, 2),
        (Status::is_request_entity_too_large, StatusReason::REQUEST_ENTITY_TOO_LARGE, 413, 2),
    ];

    fn status(reason: StatusReason, code: u16) -> Status {
        Status { reason, code, ..Status::default() }
    }

    #[test]
    fn a_known_reason_decides_whatever_the_code() {
        for (predicate, reason, ..) in PREDICATES {
            assert!(reason.is_known() && predicate(&status(reason.clone(), 418)), "{reason}");
        }
    }

    #[test]
    fn a_reason_that_says_nothing_leaves_it_to_the_code() {
        for (predicate, reason, code, by_code) in PREDICATES {
            for word in ["", "SomethingNew"] {
                assert_eq!(predicate(&status(word.into(), code)), by_code > 0, "{reason} by {code} and {word:?}");
                assert!(!predicate(&status(word.into(), code + 100)), "{reason} by another code");
            }
        }
    }

    #[test]
    fn the_reason_comes_before_the_code() {
        for (predicate, known, other, other_counts, code) in [
            (Status::is_request_entity_too_large as Predicate, StatusReason::REQUEST_ENTITY_TOO_LARGE, "Forbidden", false, 413),
            (Status::is_too_many_requests, StatusReason::TOO_MANY_REQUESTS, "Forbidden", false, 429),
            (Status::is_forbidden, StatusReason::FORBIDDEN, "NotFound", true, 403),
            (Status::is_not_found, StatusReason::NOT_FOUND, "Forbidden", true, 404),
        ] {
            assert!(predicate(&status(known, 0)) && predicate(&status(StatusReason::UNKNOWN, code)), "{code}");
            assert_eq!(predicate(&status(other.into(), code)), !other_counts, "{code} and {other}");
        }
    }

    #[test]
    fn another_known_reason_does_not_match_by_the_code() {
        for (predicate, reason, code, by_code) in PREDICATES {
            for (_, other, ..) in PREDICATES.iter().filter(|(_, other, ..)| *other != reason) {
                assert_eq!(predicate(&status(other.clone(), code)), by_code == 2, "{reason} for {other} with {code}");
            }
        }
    }

    #[test]
    fn a_cause_is_found_by_its_word() {
        let cause = Cause { reason: "NamespaceTerminating".into(), message: "m".into(), field: "f".into() };
        let mut status = Status::default();
        assert_eq!(status.cause("NamespaceTerminating"), None);
        status.details.causes = vec![Cause::default(), cause.clone()];
        assert_eq!(status.cause("NamespaceTerminating"), Some(&cause));
        assert!(!status.is_unexpected_response());
    }

    #[test]
    fn a_delay_is_suggested_by_its_seconds_or_by_a_server_timeout() {
        let with = |reason: StatusReason, seconds| {
            let mut status = status(reason, 500);
            status.details.retry_after_seconds = seconds;
            status.suggested_delay_seconds()
        };
        assert_eq!(with(StatusReason::UNKNOWN, 0), None);
        assert_eq!(with(StatusReason::SERVER_TIMEOUT, 0), Some(0));
        assert_eq!(with(StatusReason::SERVER_TIMEOUT, 7), Some(7));
        assert_eq!(with(StatusReason::TOO_MANY_REQUESTS, 1), Some(1));
    }

    #[test]
    fn an_expired_version_is_known_by_code_and_by_either_reason() {
        for (reason, code) in [("", 410), ("Expired", 0), ("Gone", 0), ("Expired", 410)] {
            assert!(status(reason.into(), code).is_expired_or_gone(), "{reason} {code}");
        }
        assert!(!status("NotFound".into(), 404).is_expired_or_gone());
    }
}
