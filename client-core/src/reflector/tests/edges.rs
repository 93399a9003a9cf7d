//! Just before and just after each limit.

use std::time::Duration;

use super::{
    bench::{Bench, is_streaming_list, is_watch, list, thing},
    *,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const MOMENT: Duration = Duration::from_millis(1);

fn just_before(seconds: u64) -> Duration {
    Duration::from_millis(seconds * 1000 - 1)
}

fn is_list(request: &Request) -> bool {
    matches!(request, Request::List { .. })
}

/// The watch reports an error; gives back whether a list follows. The watch is open after it in any case.
fn error_leads_to_a_list(bench: &mut Bench) -> bool {
    bench.error(500, "InternalError");
    let listed = is_list(&bench.sent().0);
    if listed {
        bench.page(&[thing("a", "90")], "100", None);
        assert!(is_watch(&bench.sent().0, Some("100")));
    }
    bench.tell(Input::Opened);
    listed
}

#[test]
fn the_third_error_in_a_row_leads_to_a_list_and_only_progress_begins_the_count_anew() {
    let mut bench = Bench::listed();
    for listed in [false, false, true, false, false, true] {
        assert_eq!(error_leads_to_a_list(&mut bench), listed);
    }
    // What a stream brings in its first ten seconds is none.
    for listed in [false, false, true] {
        bench.pass(just_before(10));
        bench.apply(&[thing("a", "102")]);
        assert_eq!(error_leads_to_a_list(&mut bench), listed);
    }
    // An error is none, however old its stream is.
    for listed in [false, false, true] {
        bench.pass(Duration::from_secs(100));
        assert_eq!(error_leads_to_a_list(&mut bench), listed);
    }
    for _ in 0..6 {
        bench.pass(Duration::from_secs(10));
        bench.apply(&[thing("a", "102")]);
        assert!(!error_leads_to_a_list(&mut bench));
    }
}

#[test]
fn a_streamed_list_that_ends_at_once_with_nothing_is_none_and_one_that_was_cut_is_streamed_again() {
    for (events, life, streamed_again) in [
        (0, Duration::ZERO, false),
        (0, just_before(1), false),
        (0, Duration::from_secs(1), true),
        (0, Duration::from_secs(5), true),
        (1, Duration::ZERO, true),
    ] {
        let mut bench = Bench::new(true);
        bench.sent();
        bench.tell(Input::Opened);
        bench.apply(&[thing("a", "1"), thing("b", "2")][..events]);
        bench.pass(life);
        bench.tell(Input::Ended);
        let (request, waited) = bench.confirmed();
        assert_eq!(is_streaming_list(&request, None), streamed_again, "{events} {life:?}");
        assert_eq!((is_list(&request), waited), (!streamed_again, Duration::ZERO), "{events} {life:?}");
    }
}

#[test]
fn a_page_that_expired_leads_to_the_whole_of_the_same_list_and_a_list_that_expired_to_the_newest() {
    for first_list in [FirstList::Exact("5".into()), FirstList::Any] {
        let (version, exact) = if first_list == FirstList::Any { ("0", false) } else { ("5", true) };
        let options = ReflectorOptions { first_list, page_size: Some(1), ..ReflectorOptions::following(Following::Watch) };
        let whole = |limit| Request::List { resource_version: Some(version.into()), exact, limit, continue_token: None };

        let mut bench = Bench::with(options.clone());
        assert_eq!(bench.sent().0, whole(Some(1)));
        bench.page(&[thing("a", "1")], "5", Some("next"));
        bench.sent();
        bench.refuse(410, "Expired", "the token is too old");
        assert_eq!(bench.sent(), (whole(None), Duration::ZERO));

        let mut bench = Bench::with(options);
        bench.sent();
        bench.refuse(410, "Expired", "the version is too old");
        assert_eq!(bench.sent(), (list(None, Some(1)), Duration::ZERO));
    }
}

#[test]
fn waking_up_opens_anew_what_was_silent_for_more_than_fifteen_seconds_and_does_not_ask_again_what_was_denied() {
    for (silence, reopened) in [(Duration::from_secs(15), false), (Duration::from_secs(15) + MOMENT, true)] {
        let mut bench = Bench::live();
        bench.pass(silence);
        bench.tell(Input::Woken);
        assert_eq!(matches!(bench.step(), Step::Send(Request::Identity)), reopened, "{silence:?}");
    }
    let mut bench = Bench::new(false);
    for _ in 0..6 {
        bench.sent();
        bench.refuse(403, "Forbidden", "pods is forbidden");
    }
    bench.tell(Input::Woken);
    assert_eq!(bench.sent().1, Duration::from_secs(60));
}

#[test]
fn a_server_that_sent_nothing_of_a_streamed_list_may_yet_be_able_to() {
    for (events, streamed_again) in [(0, true), (1, false)] {
        let mut bench = Bench::new(true);
        bench.sent();
        bench.tell(Input::Opened);
        bench.apply(&[thing("a", "1"), thing("b", "2")][..events]);
        let (request, waited) = bench.sent();
        assert_eq!((is_list(&request), waited), (true, Duration::from_secs(10)));
        bench.page(&[thing("a", "1")], "4", None);
        bench.sent();
        bench.tell(Input::Opened);
        bench.error(410, "Gone");
        assert_eq!(is_streaming_list(&bench.sent().0, None), streamed_again, "{events}");
    }
}

#[test]
fn what_is_silent_for_too_long_is_told_with_how_long_it_was() {
    let reason = |bench: &mut Bench| {
        bench.asked();
        bench.machine.health().reason.clone()
    };
    let silent = |seconds: u64| format!("nothing was heard from the server for {seconds} seconds");
    let mut bench = Bench::new(false);
    bench.sent();
    assert_eq!(reason(&mut bench), silent(60));
    let mut bench = Bench::listed();
    bench.bookmark("110", false);
    assert_eq!(reason(&mut bench), silent(120));
    // The question who answers gets no answer.
    assert_eq!(reason(&mut bench), silent(30));
}

#[test]
fn what_is_done_without_delay_is_done_so_once_in_five_seconds() {
    for (apart, delayed) in [(just_before(5), true), (Duration::from_secs(5), false)] {
        let mut bench = Bench::live();
        bench.tell(Input::Outdated);
        assert_eq!(bench.sent().1, Duration::ZERO);
        bench.tell(Input::Opened);
        bench.pass(apart);
        bench.tell(Input::Outdated);
        assert_eq!(!bench.sent().1.is_zero(), delayed, "{apart:?}");
    }
}

#[test]
fn a_list_that_breaks_is_asked_for_as_it_was_unless_what_came_of_it_may_be_newer_than_that() {
    let exactly = Request::List { resource_version: Some("5".into()), exact: true, limit: None, continue_token: None };
    for (first_list, items, again) in [
        (FirstList::Any, 0, list(Some("0"), Some(500))),
        (FirstList::Any, 1, list(None, Some(500))),
        (FirstList::MostRecent, 1, list(None, Some(500))),
        (FirstList::Exact("5".into()), 0, exactly.clone()),
        (FirstList::Exact("5".into()), 1, exactly),
    ] {
        let mut bench = Bench::with(ReflectorOptions { first_list, ..ReflectorOptions::following(Following::Watch) });
        bench.sent();
        bench.tell(Input::Opened);
        bench.tell(Input::Items([thing("a", "1")][..items].to_vec()));
        bench.tell(Input::Failed(Failure::Connection("reset".into())));
        assert_eq!(bench.confirmed().0, again, "{items}");
    }
}
