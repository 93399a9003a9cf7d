//! What an error means, wherever it is.

use thiserror::Error;

use crate::{
    meta::{Cause, FailedRequest, Status, StatusReason},
    rest::{ApiError, RequestError},
    transport::TransportError,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// An error of somebody else, around another.
#[derive(Debug, Error)]
#[error("wrapping: {0}")]
struct Wrapped(#[source] Box<dyn std::error::Error + Send + Sync>);

fn refused(reason: StatusReason, code: u16) -> ApiError {
    ApiError::Refused(Box::new(Status { reason, code, ..Status::default() }))
}

/// The error itself, after retries, in an error of somebody else, and in two.
fn everywhere(error: &ApiError, holds: impl Fn(&ApiError) -> bool) -> bool {
    let retried = error.clone().after(Some(ApiError::Throttled { path: "/".into() }));
    assert!(matches!(retried, ApiError::AfterRetries { .. }));
    let (twice, once) = (Wrapped(Box::new(Wrapped(Box::new(retried.clone())))), Wrapped(Box::new(error.clone())));
    let found = [Some(error), Some(&retried), ApiError::find(&twice), ApiError::find(&once)];
    let found = found.map(|error| error.is_some_and(&holds));
    assert!(found.iter().all(|other| *other == found[0]), "{error}: {found:?}");
    found[0]
}

/// Errors that have no Status.
fn without_status() -> [ApiError; 4] {
    [
        ApiError::TimedOut { path: "/".into(), seconds: 1 },
        ApiError::Unreadable { path: "/".into(), message: "m".into() },
        TransportError::Invalid { message: "m".into() }.into(),
        RequestError::EmptyNamespace.into(),
    ]
}

#[test]
fn an_error_without_a_status_has_no_reason() {
    for error in without_status() {
        assert!(everywhere(&error, |error| error.status().is_none() && *error.reason() == StatusReason::UNKNOWN));
        assert!(!everywhere(&error, ApiError::is_internal_error));
    }
    assert!(ApiError::find(&Wrapped("hello".into())).is_none());
}

#[test]
fn a_reason_is_found_wherever_the_error_is() {
    for reason in [StatusReason::UNAUTHORIZED, StatusReason::ALREADY_EXISTS] {
        assert!(everywhere(&refused(reason.clone(), 0), |error| *error.reason() == reason));
    }
}

#[test]
fn too_many_requests_are_found_by_reason_and_by_code_wherever_the_error_is() {
    for error in [refused(StatusReason::TOO_MANY_REQUESTS, 0), refused(StatusReason::UNKNOWN, 429)] {
        assert!(everywhere(&error, ApiError::is_too_many_requests));
    }
    for error in [refused(StatusReason::UNKNOWN, 0), refused(StatusReason::UNKNOWN, 404)] {
        assert!(!everywhere(&error, ApiError::is_too_many_requests));
    }
}

#[test]
fn a_body_that_is_too_large_is_found_by_reason_and_by_code_wherever_the_error_is() {
    for error in [refused(StatusReason::REQUEST_ENTITY_TOO_LARGE, 0), refused(StatusReason::UNKNOWN, 413)] {
        assert!(everywhere(&error, ApiError::is_request_entity_too_large));
    }
    for error in [refused(StatusReason::UNKNOWN, 0), refused(StatusReason::UNKNOWN, 404)] {
        assert!(!everywhere(&error, ApiError::is_request_entity_too_large));
    }
}

#[test]
fn a_cause_is_found_wherever_the_error_is() {
    let cause = Cause { reason: "SomeCause".into(), ..Cause::default() };
    let mut status = Status::default();
    status.details.causes = vec![cause.clone()];
    let error = ApiError::Refused(Box::new(status));
    assert!(everywhere(&error, |error| error.cause("SomeCause") == Some(&cause)));
    assert!(everywhere(&error, |error| error.cause("Other").is_none()));
    for error in without_status() {
        assert!(everywhere(&error, |error| error.cause("SomeCause").is_none()));
    }
}

#[test]
fn an_answer_that_was_no_status_is_known_wherever_the_error_is() {
    let failed = FailedRequest { method: "GET", resource: None, name: "", retry_after_seconds: 0 };
    for (unexpected, known) in [(true, true), (false, false)] {
        let error = ApiError::Refused(Box::new(Status::of_response(502, &failed, "nginx", unexpected)));
        assert_eq!(everywhere(&error, ApiError::is_unexpected_response), known);
    }
    assert!(without_status().iter().all(|error| !everywhere(error, ApiError::is_unexpected_response)));
}

#[test]
fn an_object_that_is_another_is_known_wherever_the_error_is() {
    let is_unreadable = |error: &ApiError| matches!(error.last(), ApiError::Unreadable { .. });
    let unreadable = without_status().into_iter().filter(|error| everywhere(error, is_unreadable));
    assert_eq!(unreadable.count(), 1);
    assert!(!everywhere(&refused(StatusReason::UNKNOWN, 500), is_unreadable));
}

#[test]
fn a_delay_is_suggested_wherever_the_error_is() {
    let error = refused(StatusReason::SERVER_TIMEOUT, 0);
    assert!(everywhere(&error, |error| error.suggested_delay_seconds() == Some(0)));
    for error in without_status() {
        assert!(everywhere(&error, |error| error.suggested_delay_seconds().is_none()));
    }
}

#[test]
fn the_error_before_is_named_where_it_was_another_and_the_last_one_is_the_error() {
    let end = || ApiError::from(TransportError::Lost { address: "http://foo.bar".into(), message: "EOF".into() });
    let other = || ApiError::from(TransportError::Broken { message: "unknown error".into() });
    assert_eq!(end().after(None).to_string(), end().to_string());
    assert!(matches!(end().after(Some(end())), ApiError::Transport(_)));
    for last in [end(), ApiError::TimedOut { path: "/".into(), seconds: 3 }, ApiError::Throttled { path: "/".into() }] {
        let both = last.clone().after(Some(other()));
        assert_eq!(both.to_string(), format!("{last} (the try before: {})", other()));
        assert_eq!((both.last().to_string(), both.clone().into_last().to_string()), (last.to_string(), last.to_string()));
        let source = std::error::Error::source(&both).unwrap();
        assert_eq!(source.to_string(), last.to_string());
    }
}

#[test]
fn an_error_knows_what_its_status_means_also_after_retries() {
    let gone = ApiError::Refused(Box::new(Status::gone("too old")));
    assert!(gone.is_gone() && gone.is_expired_or_gone() && !gone.is_not_found());
    let earlier = ApiError::Refused(Box::new(Status::service_unavailable("starting")));
    let both = gone.clone().after(Some(earlier));
    assert!(both.is_gone() && !both.is_service_unavailable());
    assert_eq!(both.to_string(), "too old (the try before: starting)");
    assert!(!ApiError::TimedOut { path: "/".into(), seconds: 1 }.is_timeout());
    assert_eq!(gone.clone().after(Some(gone)).to_string(), "too old");
}
