//! What a refusal says.

use std::borrow::Cow;

use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::meta::{FailedRequest, GroupResource, Status};
#[cfg(feature = "protobuf")]
use crate::wire::protobuf;

/// How much of a body that is no Status is read into its message: client-go's `maxUnstructuredResponseTextBytes`.
const LONGEST_WORDS: usize = 2048;

/// The Status in the body of an answer that is no success.
///
/// A body that is a Status with `status: Failure` is taken as it is; its code is the answer's where it names none. Any
/// other body (a proxy's page, say) becomes one: the words of client-go for the code, and the text of the body as
/// the cause, without markup and cut short (`transformUnstructuredResponseError` in client-go's `rest/request.go`).
#[must_use]
pub fn decode_status(code: StatusCode, headers: &HeaderMap, body: &[u8], request: &RefusedRequest<'_>) -> Status {
    if let Some(mut status) = failure_in(body) {
        if status.code == 0 {
            status.code = code.as_u16();
        }
        return status;
    }
    let words = if is_text(headers, body) { words(body) } else { String::new() };
    let words = if words.is_empty() { "unknown" } else { &words };
    let failed = FailedRequest {
        method: request.method,
        resource: request.resource.as_ref(),
        name: request.name,
        retry_after_seconds: retry_after_seconds(headers).unwrap_or(0),
    };
    Status::of_response(code.as_u16(), &failed, words, true)
}

/// What was refused.
#[derive(Clone, Debug, Default)]
pub struct RefusedRequest<'a> {
    /// The HTTP method.
    pub method: &'a str,
    /// The resource; `None` where the request was for none.
    pub resource: Option<GroupResource>,
    /// The name of the object; empty for a collection.
    pub name: &'a str,
}

/// The Status in `body`, where it is one and not of a success.
pub(super) fn failure_in(body: &[u8]) -> Option<Status> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(borrow, default)]
        kind: Cow<'a, str>,
        #[serde(borrow, default)]
        status: Option<&'a RawValue>,
    }
    #[cfg(feature = "protobuf")]
    if body.starts_with(protobuf::MAGIC) {
        let schema = protobuf::Schema::metadata();
        let is_status = protobuf::Envelope::read(body).is_ok_and(|envelope| envelope.kind == "Status");
        let status = is_status.then(|| protobuf::decode_object::<Status>(&schema, body).ok()).flatten();
        return status.filter(|status| status.status != "Success");
    }
    let Kind { kind, status } = serde_json::from_slice(body).ok()?;
    let is_failure = kind == "Status" && status.is_none_or(|status| status.get() != "\"Success\"");
    is_failure.then(|| serde_json::from_slice(body).ok()).flatten()
}

/// The whole seconds of a `Retry-After` header. A date, which the API server never sends, is none.
pub(super) fn retry_after_seconds(headers: &HeaderMap) -> Option<u32> {
    headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()
}

/// Whether a person can read the body: by its Content-Type, or by itself where that says something else.
fn is_text(headers: &HeaderMap, body: &[u8]) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.starts_with("text/") || (std::str::from_utf8(body).is_ok() && body.iter().all(|byte| *byte >= b'\t'))
}

/// The words of a page, in one line.
fn words(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body.get(..LONGEST_WORDS).unwrap_or(body));
    let mut inside = false;
    let bare: String = text
        .chars()
        .map(|character| match character {
            '<' => {
                inside = true;
                ' '
            }
            '>' if inside => {
                inside = false;
                ' '
            }
            _ if inside => ' ',
            other => other,
        })
        .collect();
    let mut line = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = line.char_indices().nth(300) {
        line.truncate(cut);
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn decode(method: &str, code: u16, kind: &'static str, body: &[u8]) -> Status {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, http::HeaderValue::from_static(kind));
        let request = RefusedRequest { method, resource: Some("pods".into()), name: "p" };
        decode_status(StatusCode::from_u16(code).unwrap(), &headers, body, &request)
    }

    #[test]
    fn a_status_is_taken_as_it_is() {
        let body = br#"{"kind":"Status","status":"Failure","message":"pods is forbidden","reason":"Forbidden","code":403}"#;
        let status = decode("GET", 403, "application/json", body);
        assert_eq!((status.code, status.message.as_str()), (403, "pods is forbidden"));
        assert!(status.is_forbidden() && !status.is_unexpected_response());
        let without_code = decode("GET", 404, "application/json", br#"{"kind":"Status","status":"Failure","message":"m"}"#);
        assert_eq!(without_code.code, 404);
    }

    #[test]
    fn what_is_no_failure_is_worded_by_its_code() {
        for body in
            [&b"{}"[..], br#"{"kind":"Status","status":"Success"}"#, br#"{"kind":"Pod"}"#, br#"{"status":"Failure"}"#, b""]
        {
            assert!(decode("POST", 409, "application/json", body).is_already_exists());
            assert!(decode("PUT", 409, "application/json", body).is_conflict());
            assert!(decode("GET", 404, "application/json", body).is_not_found());
            assert!(decode("GET", 400, "application/json", body).is_bad_request());
        }
    }

    #[test]
    fn a_page_instead_of_a_status_becomes_its_words() {
        let status = decode("GET", 502, "text/html", b"<html><h1>502 Bad\nGateway</h1><p>nginx</p></html>");
        assert_eq!(
            status.message,
            "an error on the server (\"502 Bad Gateway nginx\") has prevented the request from succeeding (get pods p)"
        );
        assert_eq!(status.details.causes[0].message, "502 Bad Gateway nginx");
        assert_eq!(decode("GET", 403, "text/plain", b"Forbidden").message, "Forbidden (get pods p)");
        let empty = decode("GET", 401, "text/plain", b"");
        assert_eq!(empty.message, "the server has asked for the client to provide credentials (get pods p)");
    }

    #[test]
    fn bytes_that_are_no_text_and_long_texts_stay_out_of_the_message() {
        let binary = decode("GET", 500, "application/octet-stream", &[0xff, 0xfe, 0x00]);
        assert!(binary.message.contains("\"unknown\""), "{}", binary.message);
        let long = decode("GET", 500, "text/plain", "ü".repeat(5000).as_bytes());
        assert!(long.message.chars().count() < 450 && long.message.contains('…'), "{}", long.message);
    }
}
