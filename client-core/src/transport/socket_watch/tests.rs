use std::sync::{Arc, Mutex};

use futures::{StreamExt as _, channel::mpsc, stream};
use http::{HeaderName, header};
use serde_json::json;

use super::*;
use crate::{
    clients::TableClient,
    meta::{GroupVersionResource, Status},
    object::{Object as _, Unstructured},
    platform::{FakePlatform, ready},
    rest::{ApiError, ListOptions, RestClient, WatchError, WatchStream},
    transport::{Body, ScriptedAnswer, ScriptedOpening, ScriptedSockets, ScriptedTransport, read_to_end},
    wire::WatchEvent,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const PODS: &str = "/api/v1/namespaces/shop/pods";

struct World {
    server: ScriptedTransport,
    sockets: ScriptedSockets,
}

impl World {
    fn new() -> Self {
        Self { server: ScriptedTransport::default(), sockets: ScriptedSockets::default() }
    }

    fn plain(&self) -> RestClient {
        RestClient::new(Arc::new(self.server.clone()), Arc::new(FakePlatform::default()))
    }

    fn client(&self) -> RestClient {
        self.plain().with_socket_watches(Arc::new(self.sockets.clone()))
    }

    fn watch(&self) -> Result<WatchStream<Unstructured>, ApiError> {
        ready(pods(&self.client()).watch())
    }
}

fn pods(client: &RestClient) -> crate::rest::Request {
    client.get().resource(&GroupVersionResource::new("", "v1", "pods")).namespace(&"shop".into())
}

fn event(kind: &str, name: &str) -> String {
    json!({ "type": kind, "object": { "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name } } }).to_string()
}

fn text(text: &str) -> SocketMessage {
    SocketMessage::Text(text.to_owned())
}

fn names(watch: WatchStream<Unstructured>) -> Vec<String> {
    let name = |event: Result<WatchEvent<Unstructured>, WatchError>| event.unwrap().object().unwrap().name().to_owned();
    ready(watch.map(name).collect())
}

fn refusal(code: u16, reason: &str) -> ScriptedAnswer {
    let status = json!({ "kind": "Status", "status": "Failure", "reason": reason, "code": code, "message": "no" });
    ScriptedAnswer::json(&status).with_status(StatusCode::from_u16(code).unwrap())
}

#[test]
fn a_watch_over_a_socket_has_the_events_of_one_over_a_request() {
    let world = World::new();
    let events = [event("ADDED", "a"), event("MODIFIED", "ü🦀"), event("DELETED", "a")];
    world.server.once(PODS, ScriptedAnswer::text(events.join("\n")));
    world.sockets.once(PODS, ScriptedOpening::messages(events.map(|event| text(&event))));
    let over_request = names(ready(pods(&world.plain()).watch()).unwrap());
    assert_eq!(names(world.watch().unwrap()), over_request);
    assert_eq!(over_request, ["a", "ü🦀", "a"]);
    assert_eq!((world.server.count(PODS), world.sockets.requests().len()), (1, 1));
}

#[test]
fn each_message_is_one_line_however_it_is_written() {
    let world = World::new();
    let pretty = event("ADDED", "pretty").replace(',', ",\n  ");
    let ended = event("ADDED", "ended") + "\n";
    let binary = SocketMessage::Binary(event("ADDED", "binary").into());
    world.sockets.once(PODS, ScriptedOpening::messages([text(&pretty), text(&ended), text(""), binary]));
    let body = ready(pods(&world.client()).parameter("watch", "true").stream()).unwrap();
    let read = String::from_utf8(ready(read_to_end(body)).unwrap()).unwrap();
    let lines: Vec<&str> = read.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 3, "{read}");
    assert!(lines.iter().zip(["pretty", "ended", "binary"]).all(|(line, name)| line.contains(name)), "{read}");
}

#[test]
fn a_socket_is_asked_for_what_a_request_is_but_for_the_form() {
    let world = World::new();
    world.sockets.once(PODS, ScriptedOpening::messages([]));
    let options = ListOptions { label_selector: Some("app=web".parse().unwrap()), ..ListOptions::default() };
    let extra = HeaderName::from_static("x-extra");
    let request = pods(&world.client()).options(&options).accept("application/yaml").header(extra.clone(), "1");
    ready(request.watch::<Unstructured>()).unwrap();
    let asked = &world.sockets.requests()[0];
    assert_eq!(asked.path, format!("{PODS}?pretty=false&labelSelector=app%3Dweb&watch=true"));
    assert_eq!((asked.headers.len(), &asked.headers[extra]), (1, &HeaderValue::from_static("1")));
    assert!(asked.protocols.is_empty());
}

#[test]
fn what_is_no_watch_goes_as_a_request() {
    let world = World::new();
    let client = world.client();
    for value in ["false", "0"] {
        ready(pods(&client).parameter("watch", value).send()).unwrap_err();
    }
    ready(pods(&client).send()).unwrap_err();
    ready(client.post().absolute_path(PODS).parameter("watch", "true").send()).unwrap_err();
    assert_eq!((world.server.count(PODS), world.sockets.requests().len()), (4, 0));
    for value in ["true", "1", ""] {
        ready(pods(&client).parameter("watch", value).send()).unwrap_err();
    }
    assert_eq!((world.server.count(PODS), world.sockets.requests().len()), (4, 3));
}

#[test]
fn one_request_alone_can_go_over_a_socket() {
    let world = World::new();
    world.sockets.once(PODS, ScriptedOpening::messages([text(&event("ADDED", "a"))]));
    let request = pods(&world.plain()).over_socket(Arc::new(world.sockets.clone()));
    assert_eq!(names(ready(request.watch()).unwrap()), ["a"]);
    assert!(world.server.requests().is_empty());
}

#[test]
fn a_table_is_watched_over_a_socket_by_its_objects() {
    let world = World::new();
    world.sockets.once("/api/v1/pods", ScriptedOpening::messages([text(&event("ADDED", "a"))]));
    let table = TableClient::cluster(world.client(), &GroupVersionResource::new("", "v1", "pods")).unwrap();
    let body = ready(table.open_watch(&ListOptions::default())).unwrap();
    assert_eq!(ready(read_to_end(body)).unwrap(), (event("ADDED", "a") + "\n").into_bytes());
}

#[test]
fn a_refusal_that_the_host_tells_of_is_the_refusal_of_a_request() {
    let world = World::new();
    for (code, reason) in [(401, "Unauthorized"), (403, "Forbidden"), (410, "Expired"), (500, "InternalError")] {
        world.sockets.once(PODS, ScriptedOpening::plain(refusal(code, reason)));
        let error = world.watch().unwrap_err();
        let ApiError::Refused(status) = &error else { panic!("{error:?}") };
        assert_eq!((status.code, status.reason.as_str(), status.message.as_str()), (code, reason, "no"));
    }
    assert!(world.server.requests().is_empty());
}

#[test]
fn a_refusal_that_a_browser_hides_is_found_by_asking_once_without_a_socket() {
    let codes = [
        (400, "BadRequest"),
        (401, "Unauthorized"),
        (403, "Forbidden"),
        (404, "NotFound"),
        (410, "Expired"),
        (429, "TooManyRequests"),
        (500, "InternalError"),
        (503, "ServiceUnavailable"),
    ];
    for (code, reason) in codes {
        let world = World::new();
        world.sockets.once(PODS, ScriptedOpening::unexplained());
        world.server.once(PODS, refusal(code, reason));
        let options = ListOptions { timeout: Some(std::time::Duration::from_mins(5)), ..ListOptions::default() };
        let request = pods(&world.client()).parameter("watch", "true").options(&options);
        let error = ready(request.stream()).err().unwrap();
        let ApiError::Refused(status) = &error else { panic!("{error:?}") };
        assert_eq!((status.code, status.reason.as_str()), (code, reason));
        let [asked] = &world.server.requests()[..] else { panic!("it was asked more than once") };
        assert_eq!(asked.path, format!("{PODS}?pretty=false&watch=true&timeoutSeconds=1"));
        assert_eq!(asked.headers[header::ACCEPT], "application/json");
    }
}

#[test]
fn a_refusal_that_asks_for_another_try_is_tried_again_over_a_socket() {
    let world = World::new();
    world.sockets.once(PODS, ScriptedOpening::unexplained());
    world.server.once(PODS, refusal(429, "TooManyRequests").with_header(header::RETRY_AFTER, "0"));
    world.sockets.once(PODS, ScriptedOpening::messages([text(&event("ADDED", "a"))]));
    assert_eq!(names(world.watch().unwrap()), ["a"]);
}

/// Answers with a body that never ends, and knows whether somebody still holds it.
struct Endless(Arc<()>);

impl Transport for Endless {
    fn send(&self, _request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let held = Arc::clone(&self.0);
        let body: Body = Box::pin(stream::poll_fn(move |_context| {
            std::hint::black_box(&held);
            std::task::Poll::Pending
        }));
        Box::pin(async { Ok(Response { status: StatusCode::OK, headers: HeaderMap::new(), body }) })
    }
}

#[test]
fn where_the_server_answers_but_not_to_a_socket_the_error_says_so_and_the_answer_is_given_up() {
    let sockets = ScriptedSockets::default();
    sockets.once(PODS, ScriptedOpening::unexplained());
    let held = Arc::new(());
    let client = RestClient::new(Arc::new(Endless(Arc::clone(&held))), Arc::new(FakePlatform::default()));
    let error = ready(pods(&client).over_socket(Arc::new(sockets)).watch::<Unstructured>()).unwrap_err();
    assert!(matches!(&error, ApiError::Transport(TransportError::NoSocket { .. })), "{error:?}");
    assert!(error.to_string().contains("does not pass WebSockets"), "{error}");
    drop(client);
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn a_server_that_is_not_there_is_an_error_of_the_connection() {
    let world = World::new();
    let unreachable = || TransportError::Unreachable { address: "https://host".into(), message: "refused".into() };
    world.sockets.once(PODS, ScriptedOpening::unexplained());
    world.server.once(PODS, ScriptedAnswer::error(unreachable()));
    world.sockets.once(PODS, ScriptedOpening::error(unreachable()));
    for _ in 0..2 {
        let error = world.watch().unwrap_err();
        assert!(matches!(&error, ApiError::Transport(TransportError::Unreachable { .. })), "{error:?}");
    }
    assert_eq!(world.server.count(PODS), 1, "an error that says what it is needs no second request");
}

#[test]
fn an_answer_to_who_asked_for_a_socket_is_the_watch_where_it_is_one() {
    let world = World::new();
    world.sockets.once(PODS, ScriptedOpening::plain(ScriptedAnswer::text(event("ADDED", "a") + "\n")));
    assert_eq!(names(world.watch().unwrap()), ["a"]);
}

#[test]
fn a_socket_that_breaks_is_a_watch_that_breaks_and_says_why() {
    let world = World::new();
    let first = || ScriptedOpening::messages([text(&event("ADDED", "a"))]);
    world.sockets.once(PODS, first().then_closed(1006, ""));
    world.sockets.once(PODS, first().then_closed(1011, "no etcd"));
    for expected in ["code 1006", "code 1011: no etcd"] {
        let events: Vec<_> = ready(world.watch().unwrap().collect());
        let [Ok(_), Err(WatchError::Transport(error))] = &events[..] else { panic!("{events:?}") };
        assert!(error.is_connection_lost() && error.to_string().ends_with(expected), "{error}");
    }
}

#[test]
fn a_socket_that_is_closed_in_good_order_is_a_watch_that_ends() {
    let world = World::new();
    for code in [1000, 1001, 1005] {
        world.sockets.once(PODS, ScriptedOpening::messages([text(&event("ADDED", "a"))]).then_closed(code, "done"));
        assert_eq!(names(world.watch().unwrap()), ["a"], "{code}");
    }
}

#[test]
fn an_error_event_comes_through_a_socket_as_it_is() {
    let world = World::new();
    let gone = json!({ "type": "ERROR", "object": { "kind": "Status", "code": 410, "reason": "Expired", "message": "old" } });
    world.sockets.once(PODS, ScriptedOpening::messages([text(&gone.to_string())]));
    let event = ready(world.watch().unwrap().next()).unwrap().unwrap();
    assert!(matches!(&event, WatchEvent::Error(status) if Status::is_expired(status)), "{event:?}");
}

#[test]
fn events_come_as_they_are_sent_and_dropping_the_watch_closes_its_socket() {
    let world = World::new();
    let (sender, messages) = mpsc::unbounded();
    world.sockets.once(PODS, ScriptedOpening::stream(messages));
    let watch = Arc::new(Mutex::new(world.watch().unwrap()));
    for name in ["a", "b"] {
        sender.unbounded_send(Ok(text(&event("ADDED", name)))).unwrap();
        let event = ready(watch.lock().unwrap().next()).unwrap().unwrap();
        assert_eq!(event.object().unwrap().name(), name);
    }
    assert_eq!(world.sockets.open_now(), 1);
    drop(watch);
    assert_eq!(world.sockets.open_now(), 0);
    assert!(sender.is_closed());
}
