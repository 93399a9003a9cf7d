//! Statuses as the server words them: apimachinery's `api/errors/errors.go`, constructor by constructor.
//!
//! A client makes one where an answer has none; a server for tests answers with them.

use super::{Cause, GroupKind, GroupResource, Status, StatusDetails, StatusReason, status_meaning::UNEXPECTED_RESPONSE};

impl Status {
    /// A failure of this code, reason and message.
    #[must_use]
    pub fn failure(code: u16, reason: StatusReason, message: impl Into<String>) -> Self {
        Self { status: "Failure".to_owned(), code, reason, message: message.into(), ..Self::default() }
    }

    /// 404: there is no object `name` of `resource`.
    #[must_use]
    pub fn not_found(resource: &GroupResource, name: &str) -> Self {
        Self::failure(404, StatusReason::NOT_FOUND, format!("{resource} {name:?} not found")).about(resource, name)
    }

    /// 409: there is an object `name` of `resource`.
    #[must_use]
    pub fn already_exists(resource: &GroupResource, name: &str) -> Self {
        Self::failure(409, StatusReason::ALREADY_EXISTS, format!("{resource} {name:?} already exists")).about(resource, name)
    }

    /// 409: no free name was found for an object that has its name generated.
    #[must_use]
    pub fn generate_name_conflict(resource: &GroupResource, name: &str, retry_after_seconds: u32) -> Self {
        let message =
            format!("{resource} {name:?} already exists, the server was not able to generate a unique name for the object");
        Self::failure(409, StatusReason::ALREADY_EXISTS, message).about(resource, name).retried_after(retry_after_seconds)
    }

    /// 401: who asks is not known.
    #[must_use]
    pub fn unauthorized(why: &str) -> Self {
        Self::failure(401, StatusReason::UNAUTHORIZED, if why.is_empty() { "not authorized" } else { why })
    }

    /// 403: who asks may not. `name` may be empty.
    #[must_use]
    pub fn forbidden(resource: &GroupResource, name: &str, why: &str) -> Self {
        let what = match (resource.resource.is_empty() && resource.group.is_empty(), name) {
            (true, _) => "forbidden".to_owned(),
            (false, "") => format!("{resource} is forbidden"),
            (false, name) => format!("{resource} {name:?} is forbidden"),
        };
        Self::failure(403, StatusReason::FORBIDDEN, format!("{what}: {why}")).about(resource, name)
    }

    /// 409: the object changed meanwhile.
    #[must_use]
    pub fn conflict(resource: &GroupResource, name: &str, why: &str) -> Self {
        let message = format!("Operation cannot be fulfilled on {resource} {name:?}: {why}");
        Self::failure(409, StatusReason::CONFLICT, message).about(resource, name)
    }

    /// 409: other managers own fields that an apply would change.
    #[must_use]
    pub fn apply_conflict(causes: Vec<Cause>, message: impl Into<String>) -> Self {
        let mut status = Self::failure(409, StatusReason::CONFLICT, message);
        status.details.causes = causes;
        status
    }

    /// 410: it was here and is no more.
    #[must_use]
    pub fn gone(message: impl Into<String>) -> Self {
        Self::failure(410, StatusReason::GONE, message)
    }

    /// 410: the resource version or the continue token is too old.
    #[must_use]
    pub fn expired(message: impl Into<String>) -> Self {
        Self::failure(410, StatusReason::EXPIRED, message)
    }

    /// 422: the object breaks rules; `causes` name the fields.
    #[must_use]
    pub fn invalid(kind: &GroupKind, name: &str, causes: Vec<Cause>) -> Self {
        let mut words: Vec<String> = Vec::with_capacity(causes.len());
        for word in causes.iter().map(|cause| format!("{}: {}", cause.field, cause.message)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let words = match words.as_slice() {
            [] => String::new(),
            [one] => format!(": {one}"),
            several => format!(": [{}]", several.join(", ")),
        };
        let mut status = Self::failure(422, StatusReason::INVALID, format!("{kind} {name:?} is invalid{words}"));
        status.details = StatusDetails {
            name: name.to_owned(),
            group: kind.group.clone(),
            kind: kind.kind.clone(),
            causes,
            ..StatusDetails::default()
        };
        status
    }

    /// 400: the request makes no sense.
    #[must_use]
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::failure(400, StatusReason::BAD_REQUEST, message)
    }

    /// 429: the server wants fewer requests.
    #[must_use]
    pub fn too_many_requests(message: impl Into<String>, retry_after_seconds: u32) -> Self {
        Self::failure(429, StatusReason::TOO_MANY_REQUESTS, message).retried_after(retry_after_seconds)
    }

    /// 503: the server cannot answer for now.
    #[must_use]
    pub fn service_unavailable(message: impl Into<String>) -> Self {
        Self::failure(503, StatusReason::SERVICE_UNAVAILABLE, message)
    }

    /// 405: the resource does not have the verb `action`.
    #[must_use]
    pub fn method_not_supported(resource: &GroupResource, action: &str) -> Self {
        let message = format!("{action} is not supported on resources of kind \"{resource}\"");
        Self::failure(405, StatusReason::METHOD_NOT_ALLOWED, message).about(resource, "")
    }

    /// 500: the server could not finish `operation` in time.
    #[must_use]
    pub fn server_timeout(resource: &GroupResource, operation: &str, retry_after_seconds: u32) -> Self {
        let message =
            format!("The {operation} operation against {resource} could not be completed at this time, please try again.");
        Self::failure(500, StatusReason::SERVER_TIMEOUT, message).about(resource, operation).retried_after(retry_after_seconds)
    }

    /// 500: the server failed.
    #[must_use]
    pub fn internal_error(why: &str) -> Self {
        let mut status = Self::failure(500, StatusReason::INTERNAL_ERROR, format!("Internal error occurred: {why}"));
        status.details.causes = vec![Cause { message: why.to_owned(), ..Cause::default() }];
        status
    }

    /// 504: the time for the request ran out.
    #[must_use]
    pub fn timeout(message: &str, retry_after_seconds: u32) -> Self {
        Self::failure(504, StatusReason::TIMEOUT, format!("Timeout: {message}")).retried_after(retry_after_seconds)
    }

    /// 413: the body is too large.
    #[must_use]
    pub fn request_entity_too_large(message: &str) -> Self {
        Self::failure(413, StatusReason::REQUEST_ENTITY_TOO_LARGE, format!("Request entity too large: {message}"))
    }

    /// What an answer of `code` without a Status means, in the words of client-go (`NewGenericServerResponse`).
    /// `server_message` is what the body said, and is named as the cause where `unexpected`.
    #[must_use]
    pub fn of_response(code: u16, request: &FailedRequest<'_>, server_message: &str, unexpected: bool) -> Self {
        let (reason, words) = match code {
            400 => (StatusReason::BAD_REQUEST, "the server rejected our request for an unknown reason"),
            401 => (StatusReason::UNAUTHORIZED, "the server has asked for the client to provide credentials"),
            403 => (StatusReason::FORBIDDEN, server_message),
            404 => (StatusReason::NOT_FOUND, "the server could not find the requested resource"),
            405 => (StatusReason::METHOD_NOT_ALLOWED, "the server does not allow this method on the requested resource"),
            406 if matches!(server_message, "" | "unknown") => {
                (StatusReason::NOT_ACCEPTABLE, "the server was unable to respond with a content type that the client supports")
            }
            406 => (StatusReason::NOT_ACCEPTABLE, server_message),
            409 if request.method == "POST" => (StatusReason::ALREADY_EXISTS, "the server reported a conflict"),
            409 => (StatusReason::CONFLICT, "the server reported a conflict"),
            415 => (StatusReason::UNSUPPORTED_MEDIA_TYPE, server_message),
            422 => (StatusReason::INVALID, "the server rejected our request due to an error in our request"),
            429 => {
                (StatusReason::TOO_MANY_REQUESTS, "the server has received too many requests and has asked us to try again later")
            }
            503 => (StatusReason::SERVICE_UNAVAILABLE, "the server is currently unable to handle the request"),
            504 => (
                StatusReason::TIMEOUT,
                "the server was unable to return a response in the time allotted, but may still be processing the request",
            ),
            500.. => (StatusReason::INTERNAL_ERROR, ""),
            _ => (StatusReason::UNKNOWN, ""),
        };
        let mut message = match (code, words) {
            (500.., "") => format!("an error on the server ({server_message:?}) has prevented the request from succeeding"),
            (code, "") if code != 403 && code != 415 => {
                format!("the server responded with the status code {code} but did not return more information")
            }
            (_, words) => words.to_owned(),
        };
        if let Some(resource) = request.resource {
            let name = if request.name.is_empty() { String::new() } else { format!(" {}", request.name) };
            message = format!("{message} ({} {resource}{name})", request.method.to_ascii_lowercase());
        }
        let mut status = Self::failure(code, reason, message);
        if let Some(resource) = request.resource {
            status = status.about(resource, request.name);
        }
        if unexpected {
            status.details.causes =
                vec![Cause { reason: UNEXPECTED_RESPONSE.to_owned(), message: server_message.to_owned(), ..Cause::default() }];
        }
        status.retried_after(request.retry_after_seconds)
    }

    fn about(mut self, resource: &GroupResource, name: &str) -> Self {
        self.details.group.clone_from(&resource.group);
        self.details.kind.clone_from(&resource.resource);
        name.clone_into(&mut self.details.name);
        self
    }

    const fn retried_after(mut self, seconds: u32) -> Self {
        self.details.retry_after_seconds = seconds;
        self
    }
}

/// What was asked, for the words of a Status.
#[derive(Clone, Copy, Debug)]
pub struct FailedRequest<'a> {
    /// The HTTP method.
    pub method: &'a str,
    /// The resource; `None` where the request was for none.
    pub resource: Option<&'a GroupResource>,
    /// The name of the object; empty for a collection.
    pub name: &'a str,
    /// What the answer had as `Retry-After`; 0 for none.
    pub retry_after_seconds: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn pods() -> GroupResource {
        GroupResource::from("pods")
    }

    #[test]
    fn each_constructor_makes_what_its_predicate_knows() {
        let pods = pods();
        let made = [
            (Status::not_found(&pods, "p"), 404, Status::is_not_found as fn(&Status) -> bool),
            (Status::already_exists(&pods, "p"), 409, Status::is_already_exists),
            (Status::generate_name_conflict(&pods, "p-", 1), 409, Status::is_already_exists),
            (Status::conflict(&pods, "p", "it changed"), 409, Status::is_conflict),
            (Status::apply_conflict(Vec::new(), "m"), 409, Status::is_conflict),
            (Status::gone("m"), 410, Status::is_gone),
            (Status::expired("m"), 410, Status::is_expired),
            (Status::invalid(&"Pod".into(), "p", Vec::new()), 422, Status::is_invalid),
            (Status::bad_request("m"), 400, Status::is_bad_request),
            (Status::forbidden(&pods, "p", "no"), 403, Status::is_forbidden),
            (Status::unauthorized(""), 401, Status::is_unauthorized),
            (Status::server_timeout(&pods, "create", 0), 500, Status::is_server_timeout),
            (Status::method_not_supported(&pods, "delete"), 405, Status::is_method_not_supported),
            (Status::too_many_requests("m", 1), 429, Status::is_too_many_requests),
            (Status::timeout("m", 1), 504, Status::is_timeout),
            (Status::internal_error("m"), 500, Status::is_internal_error),
            (Status::service_unavailable("m"), 503, Status::is_service_unavailable),
            (Status::request_entity_too_large("m"), 413, Status::is_request_entity_too_large),
        ];
        for (status, code, predicate) in &made {
            let code = *code;
            let others = made.iter().filter(|(other, ..)| other.reason != status.reason);
            assert!(others.into_iter().all(|(_, _, other)| !other(status)), "{status:?} means two things");
            assert!(predicate(status) && status.code == code && status.status == "Failure", "{status:?}");
            assert!(!predicate(&Status::failure(418, "Other".into(), "")), "{status:?}");
        }
    }

    #[test]
    fn messages_name_the_object_as_the_server_does() {
        let deployments = GroupResource::from("deployments.apps");
        assert_eq!(Status::not_found(&deployments, "web").message, "deployments.apps \"web\" not found");
        assert_eq!(Status::forbidden(&pods(), "", "no").message, "pods is forbidden: no");
        assert_eq!(Status::forbidden(&GroupResource::from(""), "", "no").message, "forbidden: no");
        assert_eq!(
            Status::conflict(&pods(), "p", "it changed").message,
            "Operation cannot be fulfilled on pods \"p\": it changed"
        );
        assert_eq!(
            Status::method_not_supported(&pods(), "delete").message,
            "delete is not supported on resources of kind \"pods\""
        );
    }

    #[test]
    fn an_invalid_object_names_its_fields() {
        let cause =
            |field: &str| Cause { reason: "FieldValueRequired".into(), message: "Required value".into(), field: field.into() };
        let kind = GroupKind::from("Pod");
        let one = Status::invalid(&kind, "p", vec![cause("spec.containers")]);
        assert_eq!(one.message, "Pod \"p\" is invalid: spec.containers: Required value");
        assert_eq!((one.details.kind.as_str(), one.details.causes.len()), ("Pod", 1));
        let two = Status::invalid(&kind, "p", vec![cause("a"), cause("b"), cause("a")]);
        assert_eq!(two.message, "Pod \"p\" is invalid: [a: Required value, b: Required value]");
        assert_eq!(two.details.causes.len(), 3);
        assert_eq!(Status::invalid(&kind, "p", Vec::new()).message, "Pod \"p\" is invalid");
    }

    #[test]
    fn an_invalid_object_has_a_cause_for_each_kind_of_fault() {
        for (reason, message) in [
            ("FieldValueDuplicate", "Duplicate value: \"bar\""),
            ("FieldValueInvalid", "Invalid value: \"bar\": detail"),
            ("FieldValueNotFound", "Not found: \"bar\""),
            ("FieldValueNotSupported", "Unsupported value: \"bar\""),
            ("FieldValueRequired", "Required value"),
        ] {
            let cause = Cause { reason: reason.into(), message: message.into(), field: "field[0].name".into() };
            let status = Status::invalid(&GroupKind::from("Kind"), "name", vec![cause.clone()]);
            assert_eq!((status.code, &status.reason), (422, &StatusReason::INVALID));
            assert_eq!(status.message, format!("Kind \"name\" is invalid: field[0].name: {message}"));
            let details =
                StatusDetails { name: "name".into(), kind: "Kind".into(), causes: vec![cause], ..StatusDetails::default() };
            assert_eq!(status.details, details);
        }
    }

    #[test]
    fn a_status_suggests_the_delay_it_was_made_with() {
        let pods = pods();
        let of = |code, seconds| {
            let request = FailedRequest { method: "GET", resource: Some(&pods), name: "p", retry_after_seconds: seconds };
            Status::of_response(code, &request, "doing something", true)
        };
        for (status, seconds) in [
            (Status::generate_name_conflict(&pods, "p-", 1), Some(1)),
            (Status::server_timeout(&pods, "doing something", 10), Some(10)),
            (Status::server_timeout(&pods, "doing something", 0), Some(0)),
            (Status::timeout("test reason", 10), Some(10)),
            (Status::too_many_requests("doing something", 10), Some(10)),
            (Status::too_many_requests("doing something", 1), Some(1)),
            (of(429, 10), Some(10)),
            (of(500, 10), Some(10)),
            (of(429, 0), None),
        ] {
            assert_eq!(status.suggested_delay_seconds(), seconds, "{status:?}");
        }
    }

    #[test]
    fn an_answer_without_a_status_gets_the_reason_of_its_code() {
        let pods = pods();
        let of = |code, method| {
            let request = FailedRequest { method, resource: Some(&pods), name: "p", retry_after_seconds: 3 };
            Status::of_response(code, &request, "words", true)
        };
        for (code, method, reason) in [
            (400, "GET", StatusReason::BAD_REQUEST),
            (401, "GET", StatusReason::UNAUTHORIZED),
            (403, "GET", StatusReason::FORBIDDEN),
            (404, "GET", StatusReason::NOT_FOUND),
            (405, "GET", StatusReason::METHOD_NOT_ALLOWED),
            (406, "GET", StatusReason::NOT_ACCEPTABLE),
            (409, "POST", StatusReason::ALREADY_EXISTS),
            (409, "PUT", StatusReason::CONFLICT),
            (410, "GET", StatusReason::UNKNOWN),
            (413, "POST", StatusReason::UNKNOWN),
            (415, "PATCH", StatusReason::UNSUPPORTED_MEDIA_TYPE),
            (418, "GET", StatusReason::UNKNOWN),
            (422, "PUT", StatusReason::INVALID),
            (429, "GET", StatusReason::TOO_MANY_REQUESTS),
            (500, "GET", StatusReason::INTERNAL_ERROR),
            (502, "GET", StatusReason::INTERNAL_ERROR),
            (503, "GET", StatusReason::SERVICE_UNAVAILABLE),
            (504, "GET", StatusReason::TIMEOUT),
        ] {
            let status = of(code, method);
            assert_eq!((status.code, &status.reason, status.details.retry_after_seconds), (code, &reason, 3));
            assert!(status.is_unexpected_response(), "{code}");
            let ending = format!(" ({} pods p)", method.to_lowercase());
            assert!(status.message.ends_with(&ending) && status.message.len() > ending.len(), "{}", status.message);
        }
        assert!(of(410, "GET").is_gone() && of(413, "POST").is_request_entity_too_large());
        assert_eq!(
            of(500, "GET").message,
            "an error on the server (\"words\") has prevented the request from succeeding (get pods p)"
        );
    }
}
