//! What an answer is taken for.

use std::sync::{Arc, Mutex};

use http::{HeaderName, Method, StatusCode, header};
use serde::{Deserialize, Serialize};

use super::{Bench, again, code, pods, refused, unreachable_server};
use crate::{
    meta::{Status, StatusReason},
    platform::ready,
    rest::{Answer, ApiError},
    transport::{ScriptedAnswer, TransportError},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Service {
    port: u16,
}

const SUCCESS: &str = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#;

/// The answer to a request of this method.
fn answer(method: &Method, scripted: ScriptedAnswer) -> Result<Answer, ApiError> {
    let bench = Bench::default();
    bench.server.once_to(method.clone(), "/api/v1/namespaces/foo/pods/bar", scripted);
    let request = bench.client().request(method.clone()).resource(&pods()).namespace(&"foo".into()).name(&"bar".into());
    ready(request.send_unchecked())
}

fn refusal(method: &Method, scripted: ScriptedAnswer) -> Status {
    match answer(method, scripted).unwrap().checked() {
        Err(ApiError::Refused(status)) => *status,
        other => panic!("{other:?}"),
    }
}

fn text(status: u16, media_type: &str, body: &str) -> ScriptedAnswer {
    let answer = code(status).with_body(body.to_owned());
    if media_type.is_empty() { answer } else { answer.with_header(header::CONTENT_TYPE, media_type) }
}

#[test]
fn a_request_goes_to_the_server_as_it_is_and_its_answer_comes_back() {
    let (bench, service) = (Bench::default(), Service { port: 12345 });
    bench.server.once_to(Method::POST, "/api/v1/foo/bar/baz", ScriptedAnswer::json(&service));
    let request = bench.client().post().absolute_path("/api/v1/foo/bar/baz").timeout(std::time::Duration::from_secs(1));
    let answer = ready(request.body("request body", "text/plain").send()).unwrap();
    assert_eq!(answer.read::<Service>().unwrap(), service);
    let [sent] = bench.server.requests().try_into().unwrap();
    assert_eq!((sent.method, sent.path.as_str()), (Method::POST, "/api/v1/foo/bar/baz?pretty=false&timeout=1000ms"));
    assert_eq!(sent.body, "request body");
}

#[test]
fn an_object_that_is_sent_is_written_as_json_and_the_one_that_comes_is_read() {
    let (bench, service) = (Bench::default(), Service { port: 12345 });
    bench.server.once_to(Method::POST, "/api/v1/foo/bar/baz", ScriptedAnswer::json(&service));
    let foo = crate::meta::GroupVersionResource::new("", "v1", "foo");
    let request = bench.client().post().subresource(["baz"]).name(&"bar".into()).resource(&foo);
    assert_eq!(ready(request.json(&Service { port: 1 }).send()).unwrap().read::<Service>().unwrap(), service);
    assert_eq!(bench.server.requests()[0].body, r#"{"port":1}"#);
}

#[test]
fn what_went_wrong_before_the_answer_is_the_error() {
    let bench = Bench::default();
    bench.server.once("/p", ScriptedAnswer::error(unreachable_server()));
    let error = ready(bench.get().send()).unwrap_err();
    assert_eq!(error.to_string(), unreachable_server().to_string());
    assert!(ready(bench.get().subresource(["%"]).send()).is_err());
    assert_eq!(bench.server.count("/p"), 1);
}

#[test]
fn an_error_of_the_answer_is_the_error_of_reading_it() {
    let error = answer(&Method::GET, code(404)).unwrap().checked().unwrap_err();
    assert!(error.is_not_found());
    let broken = ScriptedAnswer::text("").with_chunks([Ok("{".into()), Err(TransportError::Broken { message: "reset".into() })]);
    let error = answer(&Method::GET, broken).unwrap_err();
    assert!(matches!(&error, ApiError::Transport(TransportError::Broken { .. })), "{error:?}");
}

#[test]
fn an_answer_without_a_body_cannot_be_read_and_says_so() {
    for status in [200, 204] {
        let error = answer(&Method::GET, code(status)).unwrap().checked().unwrap().read::<Service>().unwrap_err();
        let words = format!(
            "the answer to /api/v1/namespaces/foo/pods/bar?pretty=false could not be read: it has status {status} and no body"
        );
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn an_answer_without_a_body_is_a_success_all_the_same() {
    for status in [200, 202, 204] {
        let answer = answer(&Method::DELETE, code(status)).unwrap().checked().unwrap();
        assert!(answer.bytes().is_empty() && !answer.was_created());
    }
}

#[test]
fn only_a_code_of_success_is_no_refusal() {
    for status in 100..=599 {
        let answer = answer(&Method::GET, code(status)).unwrap();
        assert_eq!(answer.status().as_u16(), status);
        let is_success = (200..300).contains(&status) || status == 101;
        match answer.checked() {
            Ok(_) => assert!(is_success, "{status} was taken"),
            Err(error) => assert_eq!((is_success, error.status().unwrap().code), (false, status)),
        }
    }
    assert_eq!(answer(&Method::GET, text(200, "", "aaaaa")).unwrap().checked().unwrap().bytes(), "aaaaa");
}

#[test]
fn a_switch_of_protocols_is_an_answer_but_no_stream() {
    let bench = Bench::default();
    bench.server.always("/p", code(101));
    assert_eq!(ready(bench.get().send()).unwrap().status(), StatusCode::SWITCHING_PROTOCOLS);
    let error = ready(bench.get().stream()).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "the answer to /p?pretty=false could not be read: it switches protocols");
}

#[test]
fn the_text_of_a_refusal_is_not_its_message() {
    for media_type in ["application/json", "text/any", ""] {
        let status = refusal(&Method::GET, text(401, media_type, "aaaaa"));
        assert!(status.is_unauthorized() && status.is_unexpected_response());
        assert_eq!(status.message, "the server has asked for the client to provide credentials (get pods bar)");
        assert_eq!(status.details.causes[0].message, "aaaaa");
    }
}

#[test]
fn an_answer_is_read_as_what_its_media_type_says() {
    for (media_type, reads) in [
        ("application/json", true),
        ("application/json; charset=utf-8", true),
        ("Application/JSON;as=Table;v=v1;g=meta.k8s.io", true),
        ("", true),
        ("text/plain", false),
        ("application/,others", false),
        ("application/vnd.kubernetes.protobuf", false),
        ("application/json-patch+json", false),
    ] {
        let read = answer(&Method::GET, text(200, media_type, r#"{"port":1}"#)).unwrap().read::<Service>();
        assert_eq!(read.is_ok(), reads, "{media_type}");
        if let Err(error) = read {
            assert!(error.to_string().ends_with(&format!("its Content-Type is {media_type:?}, not JSON")), "{error}");
        }
    }
}

#[test]
fn a_media_type_that_nobody_knows_leaves_a_refusal_to_its_code() {
    for media_type in ["application/unrecognized", "application/vnd.kubernetes.protobuf", "application/,others", "", "/"] {
        for (status, is) in
            [(401, Status::is_unauthorized as fn(&Status) -> bool), (404, Status::is_not_found), (500, Status::is_internal_error)]
        {
            let refused = refusal(&Method::GET, text(status, media_type, "aaaaa"));
            assert!(is(&refused) && refused.code == status && refused.message != "aaaaa", "{media_type}: {refused:?}");
        }
    }
    let binary = refusal(&Method::GET, code(403).with_body(&b"k8s\0\n"[..]));
    assert_eq!(binary.message, "unknown (get pods bar)");
}

#[test]
fn a_refusal_without_a_status_means_what_its_code_and_method_do() {
    for (method, status, is) in [
        (Method::POST, 409, Status::is_already_exists as fn(&Status) -> bool),
        (Method::PUT, 409, Status::is_conflict),
        (Method::GET, 404, Status::is_not_found),
        (Method::GET, 400, Status::is_bad_request),
    ] {
        for body in ["", "{}", SUCCESS, r#"{"status":"Failure","code":404}"#, r#"{"kind":"Pod","status":"Failure"}"#] {
            let refused = refusal(&method, text(status, "", body));
            assert!(is(&refused) && refused.is_unexpected_response() && refused.code == status, "{body}: {refused:?}");
            assert!(refused.message.ends_with(&format!(" ({} pods bar)", method.as_str().to_lowercase())), "{}", refused.message);
            assert_eq!((refused.details.name.as_str(), refused.details.kind.as_str()), ("bar", "pods"));
        }
    }
}

#[test]
fn a_status_of_a_failure_stands_in_place_of_what_the_code_means() {
    for body in [
        r#"{"kind":"Status","apiVersion":"v1","status":"Failure","code":404}"#,
        r#"{"kind":"Status","status":"Failure","code":404}"#,
    ] {
        let status = refusal(&Method::GET, text(400, "", body));
        assert_eq!(status, Status { status: "Failure".into(), code: 404, ..Status::default() });
        assert!(status.is_not_found() && !status.is_unexpected_response());
    }
}

#[test]
fn a_status_in_place_of_the_object_is_the_error() {
    let failure = r#"{"kind":"Status","status":"Failure","reason":"Conflict","message":"it changed","code":409}"#;
    let error = answer(&Method::GET, ScriptedAnswer::text(failure)).unwrap().read::<Service>().unwrap_err();
    assert!(error.is_conflict() && error.to_string() == "it changed", "{error}");
    let error = answer(&Method::GET, ScriptedAnswer::text(SUCCESS)).unwrap().read::<Service>().unwrap_err();
    assert!(matches!(error, ApiError::Unreadable { .. }));
}

#[test]
fn an_object_that_is_another_is_told_and_is_no_refusal() {
    let error = answer(&Method::GET, ScriptedAnswer::text(r#"{"kind":"Pod"}"#)).unwrap().read::<Service>().unwrap_err();
    assert!(matches!(&error, ApiError::Unreadable { message, .. } if message.contains("missing field `port`")), "{error:?}");
    assert!(error.status().is_none() && *error.reason() == StatusReason::UNKNOWN);
}

#[test]
fn a_success_can_be_a_status() {
    let answer = answer(&Method::DELETE, ScriptedAnswer::text(SUCCESS)).unwrap().checked().unwrap();
    assert_eq!(answer.read::<Status>().unwrap(), Status { status: "Success".into(), ..Status::default() });
    assert_eq!(answer.bytes(), SUCCESS);
}

#[test]
fn a_refusal_has_the_status_that_the_server_sent() {
    let status = Status {
        details: crate::meta::StatusDetails { name: "p".into(), ..Default::default() },
        ..Status::failure(404, StatusReason::NOT_FOUND, " \"\" not found")
    };
    assert_eq!(refusal(&Method::GET, refused(&status)), status);
}

#[test]
fn the_body_of_a_refusal_is_kept_where_it_is_asked_for() {
    let body = r#"{"kind":"Status","status":"Failure","reason":"NotFound","code":404,"extra":1}"#;
    let answer = answer(&Method::GET, text(404, "application/json", body)).unwrap();
    assert_eq!((answer.status(), answer.bytes().as_ref()), (StatusCode::NOT_FOUND, body.as_bytes()));
    assert!(answer.clone().checked().unwrap_err().is_not_found());
    assert_eq!(answer.read::<serde_json::Value>().unwrap()["extra"], 1);
}

#[test]
fn a_bad_request_is_refused_whatever_its_body_says() {
    let status = refusal(&Method::GET, text(400, "application/json", SUCCESS));
    assert!(status.is_bad_request() && status.code == 400);
}

#[test]
fn an_answer_says_whether_something_was_made() {
    for (status, was_created) in [(200, false), (201, true), (202, false)] {
        let answer = answer(&Method::PUT, text(status, "application/json", r#"{"port":1}"#)).unwrap().checked().unwrap();
        assert_eq!((answer.was_created(), answer.read::<Service>().unwrap().port), (was_created, 1), "{status}");
    }
}

#[test]
fn an_answer_has_its_headers_and_its_tag() {
    let answer =
        answer(&Method::GET, code(304).with_etag("\"1\"").with_header(HeaderName::from_static("audit-id"), "a")).unwrap();
    assert_eq!((answer.etag(), &answer.headers()["audit-id"]), (Some("\"1\""), &"a".parse().unwrap()));
}

#[test]
fn a_delay_that_the_server_asks_for_is_in_the_refusal() {
    let answer = |scripted| {
        let bench = Bench::default();
        bench.server.once("/p", scripted);
        ready(bench.get().most_retries(0).send()).unwrap_err()
    };
    for status in [429, 503] {
        assert_eq!(answer(again(status, "7")).suggested_delay_seconds(), Some(7));
        assert_eq!(answer(code(status)).suggested_delay_seconds(), None);
    }
}

#[test]
fn warnings_go_to_whoever_the_client_was_given_and_by_default_to_nobody() {
    let bench = Bench::default();
    let warned = |status| code(status).with_header(header::WARNING, r#"299 - "old", 300 - "not ours", 299 a "new""#);
    for status in [200, 201, 404] {
        bench.server.once("/p", warned(status));
    }
    bench.server.always("/p", warned(200));
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let handler = |name: &'static str| {
        let told = Arc::clone(&told);
        move |text: &str| told.lock().unwrap().push(format!("{name}: {text}"))
    };
    let take = || std::mem::take(&mut *told.lock().unwrap());

    ready(bench.get().send()).unwrap();
    assert!(take().is_empty());

    let client = bench.client().with_warnings(handler("one"));
    let get = |client: &crate::rest::RestClient| client.get().absolute_path("/p");
    ready(get(&client).send()).unwrap();
    ready(get(&client).send()).unwrap_err();
    assert_eq!(take(), ["one: old", "one: new", "one: old", "one: new"]);
    ready(get(&client).stream()).map(drop).unwrap();
    ready(get(&client).watch::<()>()).map(drop).unwrap();
    assert_eq!(take().len(), 4);
}

#[test]
fn a_request_can_have_its_own_ear_for_warnings_or_none() {
    let bench = Bench::default();
    bench.server.always("/p", code(200).with_header(header::WARNING, r#"299 - "old""#));
    let told: Arc<Mutex<Vec<&str>>> = Arc::default();
    let ear = |name: &'static str| {
        let told = Arc::clone(&told);
        move |_: &str| told.lock().unwrap().push(name)
    };
    let client = bench.client().with_warnings(ear("client"));
    for client in [client.clone().with_warnings(ear("request")), client.clone().without_warnings(), client] {
        ready(client.get().absolute_path("/p").send()).unwrap();
    }
    assert_eq!(*told.lock().unwrap(), ["request", "client"]);
}

#[test]
fn neither_a_body_nor_who_asks_is_shown_in_a_debug_print() {
    let bench = Bench::default();
    bench.server.always_to(Method::POST, "/api/v1/pods", ScriptedAnswer::text(r#"{"data":"s3cr3t"}"#));
    let request = bench.client().post().resource(&pods()).json("s3cr3t").header(header::AUTHORIZATION, "Bearer s3cr3t");
    let answer = ready(request.send()).unwrap();
    assert_eq!(answer.bytes(), &r#"{"data":"s3cr3t"}"#);
    let shown = format!("{answer:?} {:?}", bench.server.requests());
    assert!(!shown.contains("s3cr3t"), "{shown}");
    for wanted in ["Answer(POST /api/v1/pods", "17 bytes", "Request(POST", "\"authorization\": Sensitive", "8 bytes"] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
}
