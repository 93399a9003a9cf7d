//! What goes wrong when a test wants it to.

use std::time::Duration;

use futures::StreamExt as _;
use http::{Method, header};
use serde_json::{Value, json};

use super::{MAPS, Test};
use crate::{
    fake::{Disturbance, Fault, FaultKind},
    meta::Status,
    platform::ready,
    transport::{Request, Transport as _, TransportError, read_to_end},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn a_fault_hits_the_requests_it_is_for_and_no_others() {
    let test = Test::new();
    test.map("a");
    let busy = FaultKind::Refuse(Box::new(Status::too_many_requests("slow down", 7)));
    test.server.faults().add(Fault::new(busy).on_method(Method::GET).on_path("/configmaps").after(1).times(2));
    let codes: Vec<_> = (0..5).map(|_| test.get(MAPS).0).collect();
    assert_eq!(codes, [200, 429, 429, 200, 200]);
    test.server.faults().add(Fault::new(FaultKind::Refuse(Box::new(Status::service_unavailable("no")))).on_query("watch="));
    assert_eq!((test.get(MAPS).0, test.get(&format!("{MAPS}?watch=1")).0), (200, 503));
    test.server.faults().clear();
    assert_eq!(test.get(&format!("{MAPS}/a?watch=")).0, 200);
    // Each of them was recorded as it was sent.
    assert_eq!(test.server.requests().len(), 9);
    test.server.faults().add(Fault::new(FaultKind::Refuse(Box::new(Status::too_many_requests("slow down", 7)))));
    let (_, headers, _) = test.send(Method::GET, MAPS, &[], "").unwrap();
    assert_eq!(headers[header::RETRY_AFTER], "7");
}

#[test]
fn connections_break_before_after_and_in_an_answer() {
    let test = Test::new();
    let post = || test.send(Method::POST, MAPS, &[], r#"{"metadata":{"name":"a"}}"#);
    test.server.faults().add(Fault::new(FaultKind::ResetBeforeAnswer).once());
    assert!(matches!(post(), Err(TransportError::Lost { .. })));
    assert_eq!(test.get(&format!("{MAPS}/a")).0, 404);
    test.server.faults().add(Fault::new(FaultKind::ResetAfterDone).once());
    assert!(matches!(post(), Err(TransportError::Lost { .. })));
    assert_eq!(test.get(&format!("{MAPS}/a")).0, 200);
    test.server.faults().add(Fault::new(FaultKind::Unreachable).once());
    assert!(matches!(post(), Err(TransportError::Unreachable { .. })));
    let (_, _, whole) = test.send(Method::GET, MAPS, &[], "").unwrap();
    let whole = ready(read_to_end(whole)).unwrap();
    for length in [0, 1, 10, whole.len()] {
        test.server.faults().add(Fault::new(FaultKind::EndAfter(length)).once());
        let (_, _, body) = test.send(Method::GET, MAPS, &[], "").unwrap();
        assert_eq!(ready(read_to_end(body)).unwrap(), whole[..length]);
        test.server.faults().add(Fault::new(FaultKind::CutAfter(length)).once());
        let (_, _, body) = test.send(Method::GET, MAPS, &[], "").unwrap();
        assert!(matches!(ready(read_to_end(body)), Err(TransportError::Broken { .. })), "{length}");
    }
}

#[test]
fn answers_come_late_or_never() {
    let test = Test::new();
    test.server.faults().add(Fault::new(FaultKind::Delay(Duration::from_secs(5))).once());
    test.server.faults().add(Fault::new(FaultKind::Hang).after(1).once());
    let late = test.server.send(Request::read(MAPS));
    let mut hanging = Box::pin(async {
        test.server.send(Request::read(MAPS)).await.ok();
    });
    let advance = async { test.platform.advance(Duration::from_secs(5)) };
    assert!(ready(futures::future::join(late, advance)).0.is_ok());
    assert!(!crate::platform::is_ready(&mut hanging));
}

#[test]
fn bookmarks_are_lost_and_doubled() {
    let test = Test::new();
    let path = format!("{MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
    test.server.faults().add(Fault::new(FaultKind::LoseBookmark).once());
    assert!(test.watch(&path).events().is_empty());
    test.server.faults().add(Fault::new(FaultKind::DuplicateBookmark).once());
    assert_eq!(test.watch(&path).events(), ["BOOKMARK", "BOOKMARK"]);
    // Those of every minute too, and no other events.
    for (fault, bookmarks) in [(FaultKind::LoseBookmark, 0), (FaultKind::DuplicateBookmark, 2)] {
        test.server.faults().add(Fault::new(fault).on_query("watch=").once());
        let mut watch = test.watch(&format!("{MAPS}?watch=1&allowWatchBookmarks=true"));
        watch.events();
        let name = format!("m{bookmarks}");
        test.map(&name);
        test.platform.advance(Duration::from_mins(1));
        let mut wanted = vec![format!("ADDED {name}")];
        wanted.extend(vec!["BOOKMARK".to_owned(); bookmarks]);
        assert_eq!(watch.events(), wanted);
    }
}

/// A fault that strikes after so many bytes.
type Make = fn(usize) -> FaultKind;

#[test]
fn a_watch_breaks_ends_or_falls_silent_at_any_byte() {
    let made = |fault: Option<FaultKind>| {
        let test = Test::new();
        test.map("a");
        if let Some(kind) = fault {
            test.server.faults().add(Fault::new(kind).on_query("watch="));
        }
        let mut watch = test.watch(&format!("{MAPS}?watch=1"));
        test.map("b");
        let waker = futures::task::noop_waker();
        let mut context = std::task::Context::from_waker(&waker);
        let (mut read, mut end) = (Vec::new(), "silent");
        while let std::task::Poll::Ready(next) = watch.body.poll_next_unpin(&mut context) {
            match next {
                Some(Ok(bytes)) => read.extend_from_slice(&bytes),
                Some(Err(error)) => {
                    assert!(matches!(error, TransportError::Broken { .. }), "{error}");
                    end = "broken";
                }
                None if end == "broken" => break,
                None => {
                    end = "ended";
                    break;
                }
            }
        }
        (read, end)
    };
    let (whole, end) = made(None);
    assert_eq!((String::from_utf8_lossy(&whole).lines().count(), end), (2, "silent"));
    let all: [(Make, &str); 3] =
        [(FaultKind::CutAfter, "broken"), (FaultKind::EndAfter, "ended"), (FaultKind::StallAfter, "silent")];
    for (fault, end) in all {
        for length in 0..=whole.len() {
            assert_eq!(made(Some(fault(length))), (whole[..length].to_vec(), end), "{length}");
        }
    }
}

#[test]
fn refusals_come_with_their_code_reason_and_delay_and_do_nothing() {
    let test = Test::new();
    for (status, code, reason, delay) in [
        (Status::too_many_requests("slow down", 7), 429, "TooManyRequests", Some("7")),
        (Status::internal_error("etcd is gone"), 500, "InternalError", None),
        (Status::service_unavailable("not yet"), 503, "ServiceUnavailable", None),
        (Status::expired("too old resource version"), 410, "Expired", None),
        (Status::timeout("it took too long", 3), 504, "Timeout", Some("3")),
    ] {
        test.server.faults().add(Fault::new(FaultKind::Refuse(Box::new(status))).once());
        let (status, headers, body) = test.send(Method::POST, MAPS, &[], r#"{"metadata":{"name":"a"}}"#).unwrap();
        let body: Value = serde_json::from_slice(&ready(read_to_end(body)).unwrap()).unwrap();
        assert_eq!(
            (status, &body["reason"], &body["code"], &body["kind"]),
            (code, &json!(reason), &json!(code), &json!("Status"))
        );
        assert_eq!(headers.get(header::RETRY_AFTER).map(|value| value.to_str().unwrap()), delay);
        assert_eq!(test.get(&format!("{MAPS}/a")).0, 404);
    }
    // A watch is refused as a whole, before there is an event.
    test.server.faults().add(Fault::new(FaultKind::Refuse(Box::new(Status::expired("too old")))).on_query("watch="));
    assert_eq!(test.get(&format!("{MAPS}?watch=1&resourceVersion=1")).0, 410);
}

#[test]
fn pieces_of_an_answer_are_the_same_for_one_seed_and_hold_the_same_bytes() {
    let pieces = |seed| {
        let test = Test::new();
        test.map("a");
        test.server.set_chunks(seed);
        let (_, _, body) = test.send(Method::GET, MAPS, &[], "").unwrap();
        ready(body.map(|piece| piece.unwrap().to_vec()).collect::<Vec<_>>())
    };
    let whole = pieces(None);
    assert_eq!(whole.len(), 1);
    assert_eq!(pieces(Some(1)), pieces(Some(1)));
    assert_ne!(pieces(Some(1)), pieces(Some(2)));
    assert!(pieces(Some(1)).len() > 3 && pieces(Some(1)).concat() == whole[0]);
}

#[test]
fn watches_end_when_the_server_is_stopped() {
    let test = Test::new();
    let mut watch = test.watch(&format!("{MAPS}?watch=1"));
    assert!(watch.events().is_empty());
    test.server.end_watches();
    assert_eq!(watch.events(), ["end"]);
    assert!(test.watch(&format!("{MAPS}?watch=1")).events().is_empty());
}

#[test]
fn what_happens_to_open_watches_comes_after_what_they_have_to_say() {
    let open = || {
        let test = Test::new();
        let watch = test.watch(&format!("{MAPS}?watch=1"));
        assert_eq!(test.server.open_watches(), 1);
        test.map("a");
        (test, watch)
    };
    let waker = futures::task::noop_waker();
    let mut context = std::task::Context::from_waker(&waker);

    let (test, mut watch) = open();
    test.server.disturb_watches(Disturbance::Error(Box::new(Status::internal_error("etcd is gone"))));
    test.map("b");
    assert_eq!(watch.events(), ["ADDED a", "ADDED b", "ERROR InternalError", "end"]);

    let (test, mut watch) = open();
    test.server.disturb_watches(Disturbance::Line("{".to_owned()));
    let mut lines = Vec::new();
    while let std::task::Poll::Ready(Some(Ok(line))) = watch.body.poll_next_unpin(&mut context) {
        lines.push(line);
    }
    assert_eq!((lines.len(), &lines[1][..]), (2, &b"{\n"[..]));

    let (test, mut watch) = open();
    test.server.disturb_watches(Disturbance::Stall);
    assert!(watch.body.poll_next_unpin(&mut context).is_ready());
    test.map("b");
    test.server.end_watches();
    assert!(watch.body.poll_next_unpin(&mut context).is_pending());

    let (test, mut watch) = open();
    test.server.disturb_watches(Disturbance::Break);
    assert!(watch.body.poll_next_unpin(&mut context).is_ready());
    let broken = ready(watch.body.next());
    assert!(matches!(broken, Some(Err(TransportError::Broken { .. }))), "{broken:?}");
    assert!(ready(watch.body.next()).is_none());
    drop(watch);
    assert_eq!(test.server.open_watches(), 0);
}
