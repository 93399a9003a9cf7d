//! The machine against scripted servers, on a clock that only the test moves.

mod bench;
mod conformance;
mod edges;

use std::time::Duration;

use bench::{Bench, is_streaming_list, is_watch, list, status, thing};

use super::*;
use crate::{
    meta::{ResourceVersion, Status},
    platform::Instant,
    wire::{Bookmark, WatchEvent},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn an_expired_version_in_the_stream_lists_once_and_ends_equal_without_an_error() {
    let mut bench = Bench::listed();
    bench.error(410, "Expired");
    assert_eq!(bench.machine.health().state, HealthState::Live);
    let (request, waited) = bench.sent();
    assert_eq!((request, waited), (list(None, Some(500)), Duration::ZERO));
    bench.page(&[thing("b", "95"), thing("c", "899")], "900", None);
    assert_eq!(bench.names(), ["b", "c"]);
    assert!(is_watch(&bench.sent().0, Some("900")));
    assert_eq!(bench.synced, 2);
}

#[test]
fn an_expired_version_as_the_answer_to_the_watch_lists_once() {
    let mut bench = Bench::listed();
    bench.pass(Duration::from_secs(400));
    bench.tell(Input::Ended);
    assert!(is_watch(&bench.sent().0, Some("100")));
    bench.refuse(410, "Expired", "too old resource version");
    assert_eq!(bench.sent().0, list(None, Some(500)));
    bench.page(&[thing("c", "1")], "900", None);
    assert!(is_watch(&bench.sent().0, Some("900")));
    assert_eq!(bench.names(), ["c"]);
}

#[test]
fn an_expired_version_streams_the_list_anew_where_the_server_can() {
    let mut bench = Bench::live();
    bench.error(410, "Expired");
    assert!(is_streaming_list(&bench.sent().0, None));
    bench.tell(Input::Opened);
    bench.apply(&[thing("b", "95"), thing("c", "400")]);
    assert_eq!(bench.names(), ["a", "b", "c"], "nothing goes before the list is whole");
    bench.bookmark("900", true);
    assert_eq!(bench.names(), ["b", "c"]);
}

#[test]
fn an_error_event_touches_neither_rows_nor_version() {
    let mut bench = Bench::listed();
    bench.apply(&[thing("a", "101")]);
    bench.error(500, "InternalError");
    assert_eq!(bench.machine.health().state, HealthState::Reconnecting);
    let (request, waited) = bench.sent();
    assert!(is_watch(&request, Some("101")), "{request:?}");
    assert_eq!(waited, Duration::from_millis(800));
    assert_eq!(bench.names(), ["a", "b"]);
}

#[test]
fn a_stream_that_opens_and_fails_at_once_is_retried_with_growing_delays() {
    let mut bench = Bench::listed();
    let mut delays = Vec::new();
    for _ in 0..10 {
        bench.error(500, "InternalError");
        let (request, waited) = bench.sent();
        delays.push(waited);
        if !matches!(request, Request::Watch { .. }) {
            bench.page(&[thing("a", "90")], "100", None);
            assert!(is_watch(&bench.sent().0, Some("100")));
        }
        bench.tell(Input::Opened);
    }
    assert!(delays.is_sorted() && delays[0] >= Duration::from_millis(800) && delays[9] >= Duration::from_secs(30), "{delays:?}");
}

#[test]
fn two_minutes_without_a_fault_make_the_next_delay_the_first_again() {
    let mut bench = Bench::listed();
    for expected in [800, 1600] {
        bench.error(500, "InternalError");
        let (_, waited) = bench.sent();
        assert_eq!(waited, Duration::from_millis(expected));
        bench.tell(Input::Opened);
    }
    bench.pass(Duration::from_secs(119));
    bench.apply(&[thing("a", "102")]);
    bench.error(500, "InternalError");
    assert_eq!(bench.sent().1, Duration::from_millis(3200));
    bench.tell(Input::Opened);
    bench.pass(Duration::from_secs(120));
    bench.apply(&[thing("a", "103")]);
    bench.error(500, "InternalError");
    assert_eq!(bench.sent().1, Duration::from_millis(800));
}

#[test]
fn a_stream_that_is_silent_for_hours_is_dead_and_resumed() {
    let mut bench = Bench::live();
    bench.bookmark("110", false);
    bench.pass(Duration::from_secs(7200));
    let (request, _) = bench.confirmed();
    assert!(is_watch(&request, Some("110")), "{request:?}");
    assert_eq!(bench.machine.health().state, HealthState::Reconnecting);
    assert!(bench.machine.health().reason.contains("7200 seconds"));
    bench.tell(Input::Opened);
    assert_eq!(bench.machine.health().state, HealthState::Live);
}

#[test]
fn silence_is_borne_for_two_bookmark_periods_or_else_for_the_watch() {
    let mut bench = Bench::live();
    let Step::Wait(until) = bench.step() else { panic!() };
    assert_eq!(until.since(bench.now), Duration::from_secs(330), "no bookmarks: the watch and some slack");
    bench.bookmark("110", false);
    let Step::Wait(until) = bench.step() else { panic!() };
    assert_eq!(until.since(bench.now), Duration::from_secs(120), "bookmarks arrive: two of their periods");
}

#[test]
fn waking_up_reopens_a_stream_that_has_been_silent() {
    let mut bench = Bench::live();
    bench.pass(Duration::from_secs(2));
    bench.tell(Input::Woken);
    assert!(bench.machine.is_exchanging(), "a stream just heard is left alone");
    bench.pass(Duration::from_secs(60));
    bench.tell(Input::Woken);
    assert!(is_watch(&bench.confirmed().0, Some("100")));
}

#[test]
fn waking_up_ends_a_wait() {
    let mut bench = Bench::live();
    for _ in 0..6 {
        bench.tell(Input::Failed(Failure::Connection("refused".into())));
        assert_eq!(bench.asked().0, Request::Identity);
    }
    bench.tell(Input::Failed(Failure::Connection("refused".into())));
    bench.tell(Input::Woken);
    assert_eq!(bench.sent().1, Duration::ZERO);
}

#[test]
fn versions_are_opaque_and_the_last_one_seen_counts() {
    for versions in [["18014398509481985", "18014398509481984"], ["ab-7", "9"], ["55", "32"]] {
        let mut bench = Bench::listed();
        bench.apply(&[thing("a", versions[0]), thing("b", versions[1])]);
        bench.pass(Duration::from_secs(400));
        bench.tell(Input::Ended);
        assert!(is_watch(&bench.sent().0, Some(versions[1])));
    }
}

#[test]
fn a_bookmark_moves_the_version_and_nothing_else() {
    let mut bench = Bench::listed();
    bench.bookmark("777", false);
    assert_eq!(bench.names(), ["a", "b"]);
    bench.pass(Duration::from_secs(400));
    bench.tell(Input::Ended);
    assert!(is_watch(&bench.sent().0, Some("777")));
}

#[test]
fn nothing_is_synced_before_the_bookmark_that_ends_the_initial_events() {
    let mut bench = Bench::new(true);
    bench.sent();
    bench.tell(Input::Opened);
    bench.apply(&[thing("a", "1")]);
    bench.bookmark("5", false);
    assert_eq!((bench.synced, bench.machine.health().state), (0, HealthState::Loading));
    bench.bookmark("6", true);
    assert_eq!((bench.synced, bench.machine.health().state), (1, HealthState::Live));
}

#[test]
fn initial_events_without_an_end_fall_back_to_list_and_watch_for_good() {
    let mut bench = Bench::new(true);
    bench.sent();
    bench.tell(Input::Opened);
    bench.apply(&[thing("a", "1"), thing("b", "2"), thing("c", "3")]);
    let (request, waited) = bench.sent();
    assert_eq!((request, waited), (list(None, Some(500)), Duration::from_secs(10)));
    assert_eq!(bench.synced, 0);
    bench.page(&[thing("a", "1")], "4", None);
    assert_eq!(bench.names(), ["a"]);
    assert!(is_watch(&bench.sent().0, Some("4")));
    bench.tell(Input::Opened);
    bench.error(410, "Gone");
    assert!(matches!(bench.sent().0, Request::List { .. }));
}

#[test]
fn a_server_that_cannot_stream_a_list_is_remembered() {
    for (code, message) in [
        (
            422,
            "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
        ),
        (400, "unknown parameter sendInitialEvents"),
    ] {
        let mut bench = Bench::new(true);
        bench.sent();
        bench.refuse(code, "Invalid", message);
        assert_eq!(bench.sent().0, list(Some("0"), Some(500)));
        bench.page(&[], "4", None);
        bench.sent();
        bench.tell(Input::Opened);
        bench.error(410, "Gone");
        assert!(matches!(bench.sent().0, Request::List { .. }), "{message}");
    }
}

#[test]
fn an_etcd_too_old_for_streaming_falls_back_to_a_list() {
    let mut bench = Bench::new(true);
    bench.sent();
    bench.tell(Input::Opened);
    bench.tell(Input::Event(WatchEvent::Error(Box::new(status(500, "", "etcdserver: RequestWatchProgress is not supported")))));
    assert!(matches!(bench.sent().0, Request::List { .. }));
}

#[test]
fn any_refusal_of_the_streamed_list_is_tried_as_a_list() {
    let mut bench = Bench::new(true);
    bench.sent();
    bench.refuse(403, "Forbidden", "may list but not watch");
    assert_eq!(bench.sent().0, list(Some("0"), Some(500)));
    bench.page(&[thing("a", "1")], "4", None);
    assert_eq!(bench.names(), ["a"]);
}

#[test]
fn a_refused_list_is_asked_again_soon_for_a_while_and_then_once_a_minute_unless_a_person_does() {
    let mut bench = Bench::new(false);
    bench.sent();
    bench.refuse(403, "Forbidden", "pods is forbidden");
    assert_eq!(bench.machine.health().state, HealthState::Refused);
    assert_eq!((bench.machine.health().code, bench.machine.health().reason.as_str()), (403, "pods is forbidden"));
    let since = bench.machine.health().since;
    // A server that has just begun refuses all until it has read its roles.
    for milliseconds in [800, 1600, 3200, 6400, 12_800, 60_000, 60_000] {
        assert_eq!(bench.sent().1, Duration::from_millis(milliseconds));
        bench.refuse(403, "Forbidden", "pods is forbidden");
        assert_eq!(bench.machine.health().state, HealthState::Refused);
        assert_eq!(bench.machine.health().since, since, "it has been refused all the while");
    }
    bench.tell(Input::Retry);
    assert_eq!(bench.sent().1, Duration::ZERO);
    // Now it is something else that keeps it away.
    bench.tell(Input::Failed(Failure::Connection("reset".into())));
    assert_eq!((bench.machine.health().state, bench.machine.health().code), (HealthState::Reconnecting, 0));
}

#[test]
fn too_many_requests_waits_and_never_lists() {
    let mut bench = Bench::listed();
    bench.error(429, "TooManyRequests");
    for expected in [800, 1600, 3200] {
        let (request, waited) = bench.sent();
        assert!(is_watch(&request, Some("100")), "{request:?}");
        assert_eq!(waited, Duration::from_millis(expected));
        bench.refuse(429, "TooManyRequests", "");
    }
}

#[test]
fn a_lost_connection_asks_who_answers_before_it_resumes() {
    for lost in [Failure::Connection("reset".into()), Failure::Refused(Box::new(status(502, "", "Bad Gateway")))] {
        let mut bench = Bench::live();
        bench.tell(Input::Failed(lost));
        assert_eq!(bench.machine.health().state, HealthState::Reconnecting);
        assert!(is_watch(&bench.confirmed().0, Some("100")));
    }
}

#[test]
fn another_cluster_behind_the_address_drops_everything() {
    let mut bench = Bench::live();
    bench.tell(Input::Failed(Failure::Connection("reset".into())));
    assert_eq!(bench.asked().0, Request::Identity);
    bench.tell(Input::Identity(Identity::Other));
    assert_eq!((bench.cleared, bench.names().len()), (1, 0));
    assert!(is_streaming_list(&bench.sent().0, None));
}

#[test]
fn where_the_identity_may_not_be_read_every_reconnect_lists_again() {
    let mut bench = Bench::live();
    bench.tell(Input::Failed(Failure::Connection("reset".into())));
    bench.asked();
    bench.tell(Input::Identity(Identity::Unknown));
    assert!(is_streaming_list(&bench.sent().0, None));
    assert_eq!(bench.names(), ["a", "b"], "what is shown stays until the list is whole");
}

#[test]
fn an_identity_that_cannot_be_asked_is_asked_again() {
    let mut bench = Bench::live();
    bench.tell(Input::Failed(Failure::Connection("reset".into())));
    assert_eq!(bench.asked().0, Request::Identity);
    bench.tell(Input::Failed(Failure::Connection("refused".into())));
    assert!(is_watch(&bench.confirmed().0, Some("100")));
}

#[test]
fn a_stream_that_ends_in_its_time_is_reopened_at_once_and_stays_live() {
    let mut bench = Bench::live();
    bench.pass(Duration::from_secs(300));
    bench.tell(Input::Ended);
    let (request, waited) = bench.sent();
    assert!(is_watch(&request, Some("100")) && waited.is_zero(), "{request:?}");
    assert_eq!(bench.machine.health().state, HealthState::Live);
}

#[test]
fn a_stream_that_ends_before_its_time_asks_who_answers() {
    let mut bench = Bench::live();
    bench.pass(Duration::from_secs(40));
    bench.tell(Input::Ended);
    assert!(is_watch(&bench.confirmed().0, Some("100")));
}

#[test]
fn a_list_cut_in_the_middle_keeps_what_is_shown_and_is_fetched_again() {
    let mut bench = Bench::listed();
    bench.error(410, "Gone");
    bench.sent();
    bench.tell(Input::Opened);
    bench.tell(Input::Failed(Failure::Connection("the connection broke".into())));
    assert_eq!(bench.names(), ["a", "b"]);
    assert!(matches!(bench.confirmed().0, Request::List { .. }));
}

#[test]
fn the_pages_of_a_list_carry_its_token_and_end_in_one_list() {
    let mut bench = Bench::new(false);
    bench.sent();
    bench.page(&[thing("a", "1")], "4", Some("next"));
    assert_eq!(bench.synced, 0);
    assert_eq!(
        bench.sent().0,
        Request::List { resource_version: None, exact: false, limit: Some(500), continue_token: Some("next".into()) }
    );
    bench.page(&[thing("b", "2")], "4", None);
    assert_eq!((bench.synced, bench.names()), (1, vec!["a", "b"]));
    // Pages although any version would do: no watch cache, so later lists come in pages too.
    assert!(is_watch(&bench.sent().0, Some("4")));
    bench.tell(Input::Opened);
    bench.tell(Input::Ended);
    assert_eq!(bench.confirmed().0, list(Some("4"), Some(500)));
}

#[test]
fn pages_that_expire_become_one_whole_list() {
    let mut bench = Bench::new(false);
    bench.sent();
    bench.page(&[thing("a", "1")], "4", Some("next"));
    bench.sent();
    bench.refuse(410, "Expired", "the provided continue parameter is too old");
    assert_eq!(bench.sent().0, list(Some("0"), None));
}

#[test]
fn a_version_the_server_does_not_know_yet_is_dropped_at_once() {
    let mut bench = Bench::listed();
    bench.tell(Input::Ended);
    assert_eq!(bench.confirmed().0, list(Some("100"), None));
    bench.refuse(504, "Timeout", "Too large resource version: 100, current: 5");
    assert_eq!(bench.sent(), (list(None, Some(500)), Duration::ZERO));
}

#[test]
fn rows_that_no_longer_fit_are_listed_again() {
    let mut bench = Bench::live();
    bench.tell(Input::Outdated);
    assert!(is_streaming_list(&bench.sent().0, Some("100")));
}

#[test]
fn a_line_that_cannot_be_read_is_skipped_and_named() {
    let mut bench = Bench::live();
    bench.tell(Input::Unreadable("a line of the watch could not be read".into()));
    bench.apply(&[thing("c", "101")]);
    assert_eq!(bench.names(), ["a", "b", "c"]);
    assert_eq!(bench.machine.health().state, HealthState::Live);
    assert!(bench.machine.health().reason.contains("could not be read"));
    // What the line said is lost: the next stream begins with a list.
    bench.pass(Duration::from_secs(300));
    bench.tell(Input::Ended);
    assert!(is_streaming_list(&bench.sent().0, Some("101")));
}

#[test]
fn what_cannot_be_watched_is_listed_now_and_then_without_an_error() {
    let mut bench = Bench::following(Following::List);
    for round in ["1", "2"] {
        assert!(matches!(bench.sent().0, Request::List { .. }));
        bench.page(&[thing("a", round)], round, None);
        assert_eq!((bench.machine.health().state, bench.machine.health().code), (HealthState::Polling, 0));
        assert!(!bench.machine.is_exchanging());
    }
    assert_eq!(bench.sent().1, Duration::from_secs(30));
}

#[test]
fn a_watch_that_is_forbidden_leaves_the_list() {
    for code in [403, 405] {
        let mut bench = Bench::listed();
        bench.pass(Duration::from_secs(400));
        bench.tell(Input::Ended);
        bench.sent();
        bench.refuse(code, "", "no watch");
        if code == 403 {
            // A server that has just begun forbids all; whether that is so a list tells, and then further tries.
            assert!(matches!(bench.sent().0, Request::List { .. }));
            bench.page(&[thing("a", "90")], "100", None);
            for expected in [1, 2, 4, 8] {
                let (request, waited) = bench.sent();
                assert!(is_watch(&request, Some("100")) && waited == Duration::from_secs(expected), "{request:?} {waited:?}");
                bench.refuse(code, "", "no watch");
            }
        }
        for expected in [0, 30, 30] {
            let (request, waited) = bench.sent();
            assert!(matches!(request, Request::List { .. }) && waited == Duration::from_secs(expected), "{request:?}");
            bench.page(&[thing("a", "90")], "100", None);
            assert_eq!(bench.machine.health().state, HealthState::Polling);
        }
        bench.tell(Input::Retry);
        assert!(matches!(bench.sent().0, Request::List { .. }));
        bench.page(&[thing("a", "90")], "100", None);
        assert!(is_watch(&bench.sent().0, Some("100")), "a person who asks again may have the right by now");
    }
}

#[test]
fn a_watch_that_a_server_forbids_before_it_has_read_its_roles_is_there_a_moment_later() {
    for refusals in 1..=4 {
        let mut bench = Bench::listed();
        bench.pass(Duration::from_secs(400));
        bench.tell(Input::Ended);
        bench.sent();
        bench.refuse(403, "Forbidden", "not yet");
        bench.sent();
        bench.page(&[thing("a", "90")], "100", None);
        for _ in 1..refusals {
            bench.sent();
            bench.refuse(403, "Forbidden", "not yet");
        }
        assert!(is_watch(&bench.sent().0, Some("100")));
        bench.tell(Input::Opened);
        assert_eq!(bench.machine.health().state, HealthState::Live);
        // The next outage has as many tries.
        bench.pass(Duration::from_secs(400));
        bench.tell(Input::Ended);
        bench.sent();
        bench.refuse(403, "Forbidden", "not yet");
        bench.sent();
        bench.page(&[thing("a", "90")], "101", None);
        assert_eq!(bench.sent().1, Duration::from_secs(1));
    }
}

#[test]
fn pages_that_no_watch_follows_are_of_the_newest_version() {
    // A list in pages from a version on is of just that version, and a watch brings the rest.
    for (following, version) in [(Following::Watch, Some("7")), (Following::List, None)] {
        let mut bench = Bench::with(ReflectorOptions { page_size: Some(1), ..ReflectorOptions::following(following) });
        assert_eq!(bench.sent().0, list(Some("0"), Some(1)));
        bench.page(&[thing("a", "6")], "7", None);
        if following == Following::Watch {
            assert!(is_watch(&bench.sent().0, Some("7")));
            bench.tell(Input::Unreadable("a line".to_owned()));
            bench.tell(Input::Ended);
        }
        assert_eq!(bench.sent().0, list(version, Some(1)));
    }
}

#[test]
fn an_old_list_is_not_asked_for_once_a_newer_one_has_begun() {
    let first_list = FirstList::Exact("5".into());
    let options = ReflectorOptions { first_list, ..ReflectorOptions::following(Following::WatchList) };
    let mut bench = Bench::with(options.clone());
    bench.sent();
    bench.tell(Input::Opened);
    bench.apply(&[thing("a", "9")]);
    // Its end never comes.
    assert_eq!(bench.sent().0, list(None, Some(500)));

    let mut refused = Bench::with(options);
    refused.sent();
    refused.refuse(422, "Invalid", "sendInitialEvents is forbidden for watch");
    assert!(matches!(refused.sent().0, Request::List { exact: true, .. }));
}
