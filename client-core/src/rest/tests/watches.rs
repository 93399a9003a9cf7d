//! Watches, from their opening to their end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use bytes::Bytes;
use futures::{FutureExt as _, Stream, StreamExt as _, channel::mpsc};
use http::{StatusCode, header};
use serde::{Deserialize, Serialize};

use super::{Bench, again, code, late, lost, refused, unreachable_server};
use crate::{
    meta::{Status, StatusReason},
    platform::ready,
    rest::{ApiError, WatchError, WatchStream},
    transport::{ScriptedAnswer, TransportError},
    wire::{Bookmark, WatchEvent, encode_watch_event},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Pod {
    name: String,
}

fn pod(name: &str) -> Pod {
    Pod { name: name.to_owned() }
}

fn line(event: &WatchEvent<Pod>) -> Bytes {
    encode_watch_event(event).unwrap().into()
}

fn events() -> [WatchEvent<Pod>; 5] {
    [
        WatchEvent::Added(pod("first")),
        WatchEvent::Modified(pod("second")),
        WatchEvent::Deleted(pod("last")),
        WatchEvent::Bookmark(Bookmark { resource_version: "7".into(), ends_initial_events: false }),
        WatchEvent::Error(Box::new(Status::expired("too old"))),
    ]
}

/// A watch whose server answers like this, with at most `most` retries, and how often it was asked.
fn watch(most: u32, answers: &[ScriptedAnswer]) -> Result<WatchStream<Pod>, ApiError> {
    let bench = Bench::default();
    bench.script("/p", answers);
    let outcome = ready(bench.get().most_retries(most).watch());
    assert_eq!(bench.server.count("/p"), answers.len());
    assert!(bench.server.requests().iter().all(|request| request.path.ends_with("?pretty=false&watch=true")));
    outcome
}

/// All of a watch that ends, the errors as their words.
fn all(watch: impl Stream<Item = Result<WatchEvent<Pod>, WatchError>>) -> Vec<Result<WatchEvent<Pod>, String>> {
    ready(watch.map(|event| event.map_err(|error| error.to_string())).collect())
}

fn chunks(chunks: impl IntoIterator<Item = Bytes>) -> WatchStream<Pod> {
    WatchStream::new(Box::pin(futures::stream::iter(chunks.into_iter().map(Ok).collect::<Vec<_>>())))
}

/// A watch of a test's own: what is sent comes, and the end of sending is its end.
fn channel() -> (mpsc::UnboundedSender<Result<Bytes, TransportError>>, WatchStream<Pod>) {
    let (sender, receiver) = mpsc::unbounded();
    (sender, WatchStream::new(Box::pin(receiver)))
}

#[test]
fn the_events_of_a_watch_come_in_order_with_and_without_retries() {
    let body = code(200).with_chunks(events().map(|event| Ok(line(&event))));
    for retries in [0, 3] {
        let answers = [vec![again(429, "1"); retries], vec![body.clone()]].concat();
        let watch = watch(retries.try_into().unwrap(), &answers).unwrap();
        assert_eq!(all(watch), events().map(Ok));
    }
}

#[test]
fn a_watch_that_is_refused_says_why() {
    let fault = Bench::default().get().name(&"..".into());
    assert!(matches!(ready(fault.watch::<Pod>()).map(drop), Err(ApiError::Request(_))));
    let error = |answer: ScriptedAnswer| watch(0, &[answer]).map(drop).unwrap_err();
    assert!(matches!(error(ScriptedAnswer::error(unreachable_server())), ApiError::Transport(_)));
    let forbidden = error(refused(&Status::failure(403, StatusReason::FORBIDDEN, "secrets is forbidden")));
    assert!(forbidden.is_forbidden() && forbidden.to_string() == "secrets is forbidden");
    assert!(error(code(403)).is_forbidden() && error(code(401)).is_unauthorized());
    assert!(error(refused(&Status { message: String::new(), ..Status::unauthorized("") })).is_unauthorized());
    let overloaded = watch(2, &[again(500, "1"), again(500, "1"), again(500, "1")]).map(drop).unwrap_err();
    assert!(overloaded.is_internal_error());
}

#[test]
fn a_watch_whose_connection_is_always_lost_is_empty_and_no_error() {
    let end = || ScriptedAnswer::error(lost("EOF"));
    let broken = || ScriptedAnswer::error(TransportError::Broken { message: "broken connection".into() });
    let timed_out = || ScriptedAnswer::error(late());
    let answers = [
        vec![end()],
        vec![broken()],
        vec![timed_out()],
        vec![end(), end(), end()],
        // Whatever the tries before came to.
        vec![end(), broken(), timed_out()],
        vec![again(503, "1"), ScriptedAnswer::error(lost("connection reset by peer"))],
    ];
    for answers in answers {
        let most = u32::try_from(answers.len()).unwrap() - 1;
        assert!(all(watch(most, &answers).unwrap()).is_empty());
    }
}

#[test]
fn a_watch_without_events_is_at_its_end_and_stays_there() {
    let mut empty = WatchStream::<Pod>::empty();
    for _ in 0..3 {
        assert!(ready(empty.next()).is_none());
    }
    assert!(all(chunks([])).is_empty());
}

#[test]
fn a_watch_is_read_as_the_media_type_of_its_answer_says() {
    for (media_type, is_read) in [
        ("application/json", true),
        ("application/json;stream=watch", true),
        ("foobar", false),
        ("application/vnd.kubernetes.protobuf;stream=watch", false),
        ("application/,others", false),
    ] {
        let bench = Bench::default();
        let body = code(200).with_body(line(&events()[0])).with_header(header::CONTENT_TYPE, media_type);
        bench.server.once("/p", body);
        // What was asked for does not matter.
        let request = bench.get().accept("application/vnd.kubernetes.protobuf,application/json");
        match ready(request.watch()) {
            Ok(watch) => assert!(is_read && all(watch) == [Ok(events()[0].clone())], "{media_type}"),
            Err(error) => {
                let words = format!("its Content-Type is {media_type:?}, not JSON");
                assert!(!is_read && error.to_string().ends_with(&words), "{error}");
            }
        }
    }
}

#[test]
fn only_an_answer_with_200_is_a_watch() {
    for status in [201, 202, 204] {
        let error = watch(0, &[code(status)]).map(drop).unwrap_err().to_string();
        assert!(error.ends_with(&format!("it has status {status}, which no watch has")), "{error}");
    }
}

#[test]
fn a_request_that_says_it_is_a_watch_says_it_once() {
    let bench = Bench::default();
    bench.server.always("/p", code(200));
    ready(bench.get().parameter("watch", "1").watch::<Pod>()).unwrap();
    assert_eq!(bench.server.requests()[0].path, "/p?pretty=false&watch=1");
}

#[test]
fn each_event_is_there_as_soon_as_it_came() {
    let (sender, mut watch) = channel();
    for event in events() {
        assert!(watch.next().now_or_never().is_none());
        sender.unbounded_send(Ok(line(&event))).unwrap();
        assert_eq!(ready(watch.next()).unwrap().unwrap(), event);
    }
    drop(sender);
    assert!(ready(watch.next()).is_none());
}

#[test]
fn an_event_that_cannot_be_read_is_an_error_and_the_next_one_comes() {
    let bad = [
        (r#"{"type":"ADDED","object":{"name":7}}"#, "an object of the watch could not be read"),
        (r#"{"type":"MOVED","object":{}}"#, "there is no event type \"MOVED\""),
        ("<html>", "a line of the watch could not be read"),
    ];
    let lines = bad.iter().flat_map(|(line, _)| [Bytes::from(*line), "\n".into()]);
    let read = all(chunks(lines.chain([line(&events()[0])])));
    assert_eq!(read.len(), bad.len() + 1);
    for ((_, words), error) in bad.iter().zip(&read) {
        assert!(error.as_ref().unwrap_err().contains(words), "{error:?}");
    }
    assert_eq!(read.last(), Some(&Ok(events()[0].clone())));
}

#[test]
fn an_event_that_is_too_large_is_an_error_and_the_next_one_comes() {
    let large = format!(r#"{{"type":"ADDED","object":{{"name":"{}"}}}}"#, "x".repeat(17 * 1024 * 1024));
    let lines = [Bytes::from(large), "\n".into(), line(&events()[0])];
    let expected = [Err("an event of the watch is longer than 16777216 bytes".to_owned()), Ok(events()[0].clone())];
    assert_eq!(all(chunks(lines)), expected);
}

#[test]
fn events_without_a_newline_between_them_are_told_apart() {
    let joined: Vec<u8> = events().iter().flat_map(|event| line(event).trim_ascii_end().to_vec()).collect();
    for size in [1, 7, usize::MAX] {
        let pieces: Vec<_> = joined.chunks(size).map(Bytes::copy_from_slice).collect();
        assert_eq!(all(chunks([pieces, vec!["\n".into()]].concat())), events().map(Ok), "chunks of {size}");
    }
}

#[test]
fn a_connection_that_breaks_within_an_event_is_told_and_is_the_end() {
    for error in [TransportError::Broken { message: "reset".into() }, late()] {
        let (sender, watch) = channel();
        let (half, rest) = (line(&events()[0]).slice(..9), line(&events()[1]));
        for chunk in [Ok(half), Err(error.clone()), Ok(rest)] {
            sender.unbounded_send(chunk).unwrap();
        }
        let read: Vec<_> = ready(watch.collect());
        let [Err(WatchError::Transport(told))] = read.as_slice() else { panic!("{read:?}") };
        assert_eq!(told.is_timeout(), error.is_timeout());
    }
}

#[test]
fn a_watch_that_ends_within_an_event_ends() {
    let whole = line(&events()[0]);
    for cut in 0..whole.len() - 1 {
        assert!(all(chunks([whole.slice(..cut)])).is_empty(), "cut after {cut}");
    }
    assert_eq!(all(chunks([whole.slice(..whole.len() - 1)])), [Ok(events()[0].clone())]);
}

/// Says when it is dropped.
struct Held(Arc<AtomicBool>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_watch_that_is_dropped_lets_its_connection_go_whatever_is_left_in_it() {
    for pending in [None, Some(Err(late())), Some(Ok(line(&events()[0])))] {
        let dropped = Arc::new(AtomicBool::default());
        let held = Held(Arc::clone(&dropped));
        let first = futures::stream::iter([Ok(line(&events()[0])), Ok(line(&events()[1]))].into_iter().chain(pending));
        let body = first.chain(futures::stream::pending()).inspect(move |_| {
            let _held = &held;
        });
        let mut watch = WatchStream::<Pod>::new(Box::pin(body));
        ready(watch.next()).unwrap().unwrap();
        assert!(!dropped.load(Ordering::Relaxed));
        drop(watch);
        assert!(dropped.load(Ordering::Relaxed));
    }
}

fn kept(event: Result<WatchEvent<Pod>, WatchError>) -> Option<String> {
    event.unwrap().object().filter(|pod| !pod.name.starts_with('b')).map(|pod| pod.name.clone())
}

fn send(sender: &mpsc::UnboundedSender<Result<Bytes, TransportError>>, names: &[&str]) {
    for name in names {
        sender.unbounded_send(Ok(line(&WatchEvent::Added(pod(name))))).unwrap();
    }
}

#[test]
fn a_filter_lets_through_what_it_keeps() {
    let (sender, watch) = channel();
    send(&sender, &["foo", "bar", "baz", "qux", "zoo"]);
    drop(sender);
    let filtered = watch.filter_map(async |event| kept(event));
    assert_eq!(ready(filtered.collect::<Vec<_>>()), ["foo", "qux", "zoo"]);
}

#[test]
fn a_filter_that_is_dropped_ends_its_watch() {
    let (sender, watch) = channel();
    let mut filtered = Box::pin(watch.filter_map(async |event| kept(event)));
    send(&sender, &["foo"]);
    assert_eq!(ready(filtered.next()).unwrap(), "foo");
    drop(filtered);
    assert!(sender.is_closed());
}

#[test]
fn what_passes_can_be_written_down() {
    let (sender, watch) = channel();
    let mut seen = Vec::new();
    send(&sender, &["foo", "bar", "baz", "qux", "zoo"]);
    drop(sender);
    let passed = all(watch.inspect(|event| seen.push(event.as_ref().unwrap().clone())));
    assert_eq!(passed, seen.into_iter().map(Ok).collect::<Vec<_>>());
    assert_eq!(passed.len(), 5);
}

#[test]
fn a_watch_of_a_test_says_what_it_is_told_and_who_sends_hears_of_its_end() {
    let (sender, mut watch) = channel();
    for event in events() {
        sender.unbounded_send(Ok(line(&event))).unwrap();
    }
    for event in events() {
        assert_eq!(ready(watch.next()).unwrap().unwrap(), event);
    }
    assert!(!sender.is_closed());
    drop(watch);
    assert!(sender.is_closed() && sender.unbounded_send(Ok(Bytes::new())).is_err());
}

#[test]
fn a_page_in_place_of_a_watch_is_a_refusal() {
    let bench = Bench::default();
    bench.server.once("/p", code(404).with_body("<html>nothing here</html>"));
    let error = ready(bench.get().watch::<Pod>()).map(drop).unwrap_err();
    assert!(error.is_not_found() && error.status().unwrap().code == StatusCode::NOT_FOUND.as_u16());
}
