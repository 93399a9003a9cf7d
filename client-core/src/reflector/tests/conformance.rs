//! What client-go's reflector is tested for (`tools/cache/reflector_test.go`, `reflector_watchlist_test.go`).

use std::time::Duration;

use super::{
    bench::{Bench, is_streaming_list, is_watch, list, thing},
    *,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn page(version: Option<&str>, limit: Option<u32>, token: &str) -> Request {
    Request::List { resource_version: version.map(Into::into), exact: false, limit, continue_token: Some(token.into()) }
}

fn paged(page_size: u32) -> Bench {
    Bench::with(ReflectorOptions { page_size: Some(page_size), ..ReflectorOptions::following(Following::Watch) })
}

/// Brings the machine to a lasting end of its watch, after which it lists anew.
fn end_by_expiry(bench: &mut Bench) {
    bench.tell(Input::Opened);
    bench.error(410, "Expired");
}

#[test]
fn a_streamed_list_is_a_watch_from_no_version_with_bookmarks_and_no_list() {
    let mut bench = Bench::new(true);
    assert!(is_streaming_list(&bench.sent().0, None));
    bench.tell(Input::Opened);
    bench.apply(&[thing("a", "1"), thing("b", "2")]);
    bench.bookmark("2", true);
    // The same stream goes on as the watch.
    assert!(matches!(bench.step(), Step::Wait(_)));
    bench.apply(&[thing("c", "3")]);
    assert_eq!(bench.names(), ["a", "b", "c"]);
}

#[test]
fn a_list_of_any_version_in_pages_of_five_hundred_comes_before_its_watch() {
    let mut bench = Bench::new(false);
    assert_eq!(bench.sent().0, list(Some("0"), Some(500)));
    bench.page(&[thing("a", "1")], "7", None);
    assert!(is_watch(&bench.sent().0, Some("7")));
}

#[test]
fn watches_that_cannot_be_opened_are_tried_again_with_growing_delays_and_nothing_is_listed() {
    for failures in [0, 1, 2, 8] {
        let mut bench = Bench::new(false);
        bench.sent();
        bench.page(&[thing("a", "1")], "7", None);
        let (mut request, _) = bench.sent();
        let mut delays = Vec::new();
        for _ in 0..failures {
            bench.tell(Input::Failed(Failure::Connection("connection refused".into())));
            let waited;
            (request, waited) = bench.sent();
            delays.push(waited.as_millis());
        }
        assert!(is_watch(&request, Some("7")));
        assert_eq!(delays, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000][..failures]);
    }
}

#[test]
fn pages_are_as_large_as_asked_for_whatever_the_version() {
    let mut bench = paged(4);
    for (version, limit) in [("0", Some(4)), ("10", Some(4))] {
        assert_eq!(bench.sent().0, list(Some(version), limit));
        bench.page(&[thing("a", "1")], "10", Some("one"));
        assert_eq!(bench.sent().0, page(None, limit, "one"));
        bench.page(&[thing("b", "1")], "10", Some("two"));
        assert_eq!(bench.sent().0, page(None, limit, "two"));
        bench.page(&[thing("c", "1")], "10", None);
        assert_eq!(bench.names(), ["a", "b", "c"]);
        assert!(is_watch(&bench.sent().0, Some("10")));
        bench.tell(Input::Opened);
        bench.tell(Input::Outdated);
    }
}

#[test]
fn a_list_of_a_version_is_not_paged() {
    let mut bench = Bench::new(false);
    assert_eq!(bench.sent().0, list(Some("0"), Some(500)));
    bench.page(&[], "10", None);
    bench.sent();
    bench.tell(Input::Opened);
    bench.tell(Input::Outdated);
    assert_eq!(bench.sent().0, list(Some("10"), None));
}

#[test]
fn lists_stay_paged_where_the_first_came_in_pages_although_any_version_would_do() {
    let mut bench = Bench::new(false);
    bench.sent();
    bench.page(&[thing("a", "1")], "10", Some("more"));
    bench.sent();
    bench.page(&[thing("b", "1")], "10", None);
    bench.sent();
    bench.tell(Input::Opened);
    bench.tell(Input::Outdated);
    assert_eq!(bench.sent().0, list(Some("10"), Some(500)));
}

#[test]
fn a_version_that_expired_is_asked_for_once_and_then_the_newest() {
    let mut bench = Bench::new(false);
    bench.sent();
    bench.page(&[thing("a", "1")], "10", None);
    bench.sent();
    bench.tell(Input::Opened);
    bench.tell(Input::Outdated);
    assert_eq!(bench.sent().0, list(Some("10"), None));
    bench.refuse(410, "Expired", "too old");
    let (request, waited) = bench.sent();
    assert_eq!((request, waited), (list(None, Some(500)), Duration::ZERO));
    bench.page(&[thing("b", "1")], "11", None);
    assert_eq!(bench.names(), ["b"]);
    // It is known again which versions the server has.
    bench.sent();
    bench.tell(Input::Opened);
    bench.pass(Duration::from_secs(9));
    bench.tell(Input::Outdated);
    assert_eq!(bench.sent().0, list(Some("11"), None));
}

#[test]
fn a_version_that_is_too_large_is_asked_for_once_and_then_the_newest_however_the_server_says_it() {
    let cause = |reason: &str, message: &str| {
        let mut status = status(504, "Timeout", "");
        status.details.causes.push(crate::meta::Cause { reason: reason.into(), message: message.into(), ..Default::default() });
        status
    };
    let mut bench = Bench::new(false);
    assert_eq!(bench.sent().0, list(Some("0"), Some(500)));
    bench.page(&[], "20", None);
    let statuses = [
        cause("ResourceVersionTooLarge", "Too large resource version"),
        cause("", "Too large resource version"),
        status(504, "Timeout", "Too large resource version: 30, current: 20"),
    ];
    for (status, next) in statuses.into_iter().zip(["30", "40", "50"]) {
        let before = bench.told.last().unwrap().clone();
        bench.sent();
        bench.tell(Input::Opened);
        bench.pass(Duration::from_secs(9));
        bench.tell(Input::Outdated);
        assert_eq!(bench.sent().0, list(Some(&before), None));
        bench.tell(Input::Failed(Failure::Refused(Box::new(status))));
        let (request, waited) = bench.sent();
        assert_eq!((request, waited), (list(None, Some(500)), Duration::ZERO));
        bench.page(&[], next, None);
    }
}

#[test]
fn too_many_requests_as_an_event_waits_each_time_and_lists_never() {
    let mut bench = Bench::listed();
    for delay in [800, 1600] {
        bench.error(429, "TooManyRequests");
        let (request, waited) = bench.sent();
        assert!(is_watch(&request, Some("100")), "{request:?}");
        assert_eq!(waited, Duration::from_millis(delay));
        bench.tell(Input::Opened);
    }
}

#[test]
fn a_server_that_says_when_to_come_back_is_not_asked_before() {
    let mut bench = Bench::listed();
    let mut status = status(429, "TooManyRequests", "");
    status.details.retry_after_seconds = 7;
    bench.tell(Input::Event(WatchEvent::Error(Box::new(status.clone()))));
    assert_eq!(bench.sent().1, Duration::from_secs(7));
    status.details.retry_after_seconds = 86_400;
    bench.tell(Input::Failed(Failure::Refused(Box::new(status))));
    assert_eq!(bench.sent().1, Duration::from_secs(60));
}

#[test]
fn internal_errors_are_tried_again_at_once_for_as_long_as_asked_for() {
    for (window, tries) in [(0, 0), (30, 31)] {
        let mut bench = Bench::with(ReflectorOptions {
            internal_error_retry: Duration::from_secs(window),
            ..ReflectorOptions::following(Following::Watch)
        });
        bench.sent();
        bench.page(&[thing("a", "1")], "7", None);
        bench.sent();
        bench.tell(Input::Opened);
        let at_once = (0..100).take_while(|_| {
            bench.error(500, "InternalError");
            let (request, waited) = bench.sent();
            assert!(is_watch(&request, Some("7")));
            bench.tell(Input::Opened);
            bench.pass(Duration::from_secs(1));
            waited.is_zero()
        });
        assert_eq!(at_once.count(), tries);
    }
}

#[test]
fn a_store_hears_of_each_version_in_order() {
    let mut bench = Bench::new(false);
    bench.sent();
    bench.page(&[thing("a", "5")], "10", None);
    bench.sent();
    bench.tell(Input::Opened);
    bench.tell(Input::Event(WatchEvent::Added(thing("b", "20"))));
    bench.tell(Input::Event(WatchEvent::Modified(thing("b", "30"))));
    bench.bookmark("40", false);
    assert_eq!(bench.told, ["10", "20", "30", "40"]);
}

#[test]
fn what_the_server_cannot_read_any_more_is_gone_after_a_list_and_nothing_else_is() {
    let mut bench = Bench::new(false);
    bench.sent();
    bench.page(&[thing("a", "1"), thing("b", "2"), thing("c", "3")], "3", None);
    bench.sent();
    bench.tell(Input::Opened);
    bench.apply(&[thing("foo", "4")]);
    bench.error(500, "StorageReadError");
    assert_eq!(bench.sent().0, list(Some("4"), None));
    bench.page(&[thing("a", "1"), thing("b", "2"), thing("c", "3")], "5", None);
    assert_eq!(bench.names(), ["a", "b", "c"]);
    assert!(is_watch(&bench.sent().0, Some("5")));
}

#[test]
fn a_first_list_is_of_the_version_that_was_asked_for() {
    let first = |first_list| {
        let options = ReflectorOptions { first_list, ..ReflectorOptions::following(Following::Watch) };
        Bench::with(options).sent().0
    };
    assert_eq!(first(FirstList::Any), list(Some("0"), Some(500)));
    assert_eq!(first(FirstList::MostRecent), list(None, Some(500)));
    let exact = Request::List { resource_version: Some("42".into()), exact: true, limit: None, continue_token: None };
    assert_eq!(first(FirstList::Exact("42".into())), exact);
}

#[test]
fn an_exact_first_list_that_the_server_has_forgotten_is_one_of_the_newest() {
    let options = ReflectorOptions { first_list: FirstList::Exact("42".into()), ..ReflectorOptions::following(Following::Watch) };
    let mut bench = Bench::with(options);
    bench.sent();
    bench.refuse(410, "Expired", "too old");
    assert_eq!(bench.sent().0, list(None, Some(500)));
}

#[test]
fn without_a_version_what_there_is_comes_again_and_a_watch_that_ends_lists_anew() {
    let mut bench = Bench::new(false);
    bench.sent();
    bench.page(&[thing("a", "")], "", None);
    assert!(is_watch(&bench.sent().0, None));
    bench.tell(Input::Opened);
    // In no order: none of these is a version to go on from.
    bench.tell(Input::Event(WatchEvent::Added(thing("b", "9"))));
    bench.tell(Input::Event(WatchEvent::Added(thing("a", "3"))));
    bench.pass(Duration::from_secs(400));
    bench.tell(Input::Ended);
    assert_eq!(bench.sent().0, list(Some("0"), Some(500)));
}

#[test]
fn without_a_version_the_first_event_that_is_no_addition_gives_one() {
    let mut bench = Bench::new(false);
    bench.sent();
    bench.page(&[], "", None);
    bench.sent();
    bench.tell(Input::Opened);
    bench.tell(Input::Event(WatchEvent::Added(thing("b", "9"))));
    bench.tell(Input::Event(WatchEvent::Modified(thing("b", "12"))));
    bench.pass(Duration::from_secs(400));
    bench.tell(Input::Ended);
    assert!(is_watch(&bench.sent().0, Some("12")));
}

#[test]
fn a_stream_that_breaks_before_its_list_is_whole_begins_with_a_clean_list() {
    let mut bench = Bench::new(true);
    bench.sent();
    bench.tell(Input::Opened);
    bench.apply(&[thing("old", "1")]);
    bench.pass(Duration::from_secs(2));
    bench.tell(Input::Ended);
    assert!(is_streaming_list(&bench.sent().0, None));
    bench.tell(Input::Opened);
    bench.apply(&[thing("a", "2")]);
    bench.bookmark("3", true);
    assert_eq!(bench.names(), ["a"]);
}

#[test]
fn a_stream_that_ends_after_its_list_goes_on_as_a_plain_watch() {
    let mut bench = Bench::live();
    bench.pass(Duration::from_secs(400));
    bench.tell(Input::Ended);
    assert!(is_watch(&bench.sent().0, Some("100")));
}

#[test]
fn any_fault_of_a_streamed_list_is_followed_by_a_list_in_the_same_round() {
    for (code, reason) in [(500, ""), (422, "Invalid"), (400, "BadRequest")] {
        let mut bench = Bench::new(true);
        bench.sent();
        bench.refuse(code, reason, "no");
        let (request, waited) = bench.sent();
        assert_eq!((request, waited), (list(Some("0"), Some(500)), Duration::ZERO), "{code}");
        bench.page(&[thing("a", "1"), thing("b", "1")], "1", None);
        assert!(is_watch(&bench.sent().0, Some("1")));
        assert_eq!(bench.names(), ["a", "b"]);
    }
}

#[test]
fn what_changes_or_goes_before_the_list_is_whole_counts() {
    let mut bench = Bench::new(true);
    bench.sent();
    bench.tell(Input::Opened);
    bench.apply(&[thing("a", "1"), thing("b", "2"), thing("c", "2")]);
    bench.tell(Input::Event(WatchEvent::Modified(thing("a", "3"))));
    bench.tell(Input::Event(WatchEvent::Deleted(thing("c", "4"))));
    bench.bookmark("4", true);
    assert_eq!(bench.names(), ["a", "b"]);
    assert_eq!(bench.cache["a"].as_str(), "3");
}

#[test]
fn too_many_requests_before_the_list_is_whole_opens_the_same_stream_again() {
    let mut bench = Bench::new(true);
    for _ in 0..2 {
        assert!(is_streaming_list(&bench.sent().0, None));
        bench.refuse(429, "TooManyRequests", "later");
    }
    assert!(is_streaming_list(&bench.sent().0, None));
    bench.tell(Input::Opened);
    bench.error(429, "TooManyRequests");
    assert!(is_streaming_list(&bench.sent().0, None));
}

#[test]
fn a_version_that_expires_after_a_streamed_list_keeps_what_is_known_until_the_next_list() {
    let mut bench = Bench::live();
    end_by_expiry(&mut bench);
    assert_eq!(bench.names(), ["a", "b"]);
    assert!(is_streaming_list(&bench.sent().0, None));
}

#[test]
fn whoever_suspends_gives_up_what_is_open_and_resumes_from_the_last_version() {
    let mut bench = Bench::live();
    bench.apply(&[thing("c", "120")]);
    bench.tell(Input::Suspend);
    assert!(!bench.machine.is_exchanging());
    assert_eq!(bench.machine.health().state, HealthState::Suspended);
    bench.pass(Duration::from_secs(3600));
    assert!(matches!(bench.step(), Step::Wait(_)), "nothing is asked for meanwhile");
    // What comes late, or is asked for by those who do not know, changes nothing.
    bench.tell(Input::Event(WatchEvent::Added(thing("late", "121"))));
    bench.tell(Input::Retry);
    bench.tell(Input::Woken);
    assert!(!bench.machine.is_exchanging());
    bench.tell(Input::Resume);
    assert_eq!(bench.machine.health().state, HealthState::Reconnecting);
    let (request, waited) = bench.confirmed();
    assert!(is_watch(&request, Some("120")), "{request:?}");
    assert_eq!(waited, Duration::ZERO);
    bench.tell(Input::Opened);
    assert_eq!(bench.machine.health().state, HealthState::Live);
    assert_eq!((bench.names(), bench.synced), (vec!["a", "b", "c"], 1));
}

#[test]
fn whoever_resumes_too_late_lists_once() {
    let mut bench = Bench::live();
    bench.tell(Input::Suspend);
    bench.tell(Input::Resume);
    assert!(is_watch(&bench.confirmed().0, Some("100")));
    bench.refuse(410, "Expired", "too old");
    assert!(is_streaming_list(&bench.sent().0, None));
    bench.tell(Input::Opened);
    bench.apply(&[thing("c", "500")]);
    bench.bookmark("500", true);
    assert_eq!(bench.names(), ["c"]);
}

#[test]
fn a_list_that_was_suspended_begins_anew() {
    for pages in [0, 1] {
        let mut bench = Bench::new(false);
        bench.sent();
        if pages > 0 {
            bench.page(&[thing("old", "1")], "7", Some("more"));
        }
        bench.tell(Input::Suspend);
        bench.tell(Input::Resume);
        assert_eq!(bench.machine.health().state, HealthState::Loading);
        // What of it was handed out must not be taken back in time.
        assert_eq!(bench.confirmed().0, list(Some("0").filter(|_| pages == 0), Some(500)));
        bench.page(&[thing("a", "1")], "9", None);
        assert_eq!(bench.names(), ["a"]);
    }
}
