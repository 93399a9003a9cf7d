use super::*;
use crate::{
    informer::Selection,
    meta::{Status, StatusDetails},
    reflector::Failure,
    transport::TransportError,
    watch::RetryWatcher,
    wire::Bookmark,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SECOND: Duration = Duration::from_secs(1);

fn error(status: Status) -> Event {
    WatchEvent::Error(Box::new(status))
}

fn refused(status: Status) -> ApiError {
    ApiError::Refused(Box::new(status))
}

fn lost() -> ApiError {
    TransportError::Lost { address: "server".into(), message: "connection reset".into() }.into()
}

fn watch(script: &Script, version: &str) -> RetryWatcher<Thing> {
    RetryWatcher::new(Arc::new(script.platform.clone()), script.clone(), version).unwrap()
}

/// What comes in a minute from this version on, whether it ends, and how many watches were begun by the time the last came.
fn run(script: &Script, version: &str, time: Duration) -> (Vec<String>, bool, Vec<Duration>) {
    let (items, ended) = within(&script.platform, time, &mut watch(script, version));
    (items.into_iter().map(told).collect(), ended, script.asked().into_iter().map(|(at, _)| at).collect())
}

fn versions(versions: &[u32]) -> Vec<Event> {
    versions.iter().copied().map(added).collect()
}

#[test]
fn a_watch_cannot_begin_at_no_version_or_at_any() {
    for version in ["", "0"] {
        let script = Script::default();
        let refusal = RetryWatcher::new(Arc::new(script.platform.clone()), script.clone(), version).unwrap_err();
        let words = format!("a watch that goes on cannot begin at resource version \"{version}\"");
        assert!(refusal.to_string().starts_with(&words), "{refusal}");
        assert!(script.asked().is_empty());
    }
}

/// An error event between the versions six and seven.
fn interrupted(status: Status) -> Script {
    Script::new([added(6), error(status), added(7)])
}

#[test]
fn it_goes_on_from_the_last_version_whatever_ends_a_watch_unless_nothing_can_follow() {
    let gone = || error(Status::gone("too old"));
    let forbidden = Status::forbidden(&"".into(), "", "unknown");
    let closing = |count, all: &[u32]| Script::new(versions(all)).closing_after(count);
    let unknown = Status { code: 666, ..Status::default() };
    let no_status = Status { message: "an ERROR event without a status: {}".into(), ..Status::default() };
    // A script, the version to begin at, how many watches are begun, what comes, and whether that is all.
    type Case = (&'static str, Script, &'static str, usize, Vec<Event>, bool);
    let cases: [Case; 19] = [
        ("an opening that fails", Script::new([added(2)]).refusing([lost()]), "1", 2, versions(&[2]), false),
        ("one without events", closing(0, &[2]), "1", 3, vec![], false),
        ("a watch that stays", Script::new([added(2)]), "1", 1, versions(&[2]), false),
        ("items before the first version", Script::new(versions(&[1, 2])), "1", 1, versions(&[2]), false),
        ("nothing after it", Script::new([added(2)]), "3", 1, vec![], false),
        (
            "a version that is too old",
            Script::new([added(5), added(6), gone(), added(7), added(8)]),
            "5",
            1,
            vec![added(6), gone()],
            true,
        ),
        ("one who may not", Script::default().refusing([refused(forbidden.clone())]), "5", 1, vec![error(forbidden)], true),
        (
            "one who is not known",
            Script::default().refusing([refused(Status::unauthorized(""))]),
            "5",
            1,
            vec![error(Status::unauthorized(""))],
            true,
        ),
        ("a timeout", interrupted(Status::timeout("", 0)), "5", 2, versions(&[6, 7]), false),
        ("a server that failed", interrupted(Status::internal_error("")), "5", 2, versions(&[6, 7]), false),
        ("an unknown code", interrupted(unknown), "5", 2, versions(&[6, 7]), false),
        ("no status", interrupted(no_status), "5", 2, versions(&[6, 7]), false),
        ("one event a watch", closing(1, &[6]), "5", 3, versions(&[6]), false),
        ("two watches", closing(1, &[5, 6]), "4", 3, versions(&[5, 6]), false),
        ("versions that lie apart", closing(1, &[5, 7]), "4", 3, versions(&[5, 7]), false),
        ("a start long before", closing(1, &[5, 7]), "2", 3, versions(&[5, 7]), false),
        ("four watches", closing(1, &[5, 6, 7, 11]), "2", 5, versions(&[5, 6, 7, 11]), false),
        ("items before the start", closing(1, &[1, 2, 5, 6, 7, 11]), "2", 5, versions(&[5, 6, 7, 11]), false),
        ("two events a watch", closing(2, &[1, 2, 5, 6, 7, 11]), "1", 3, versions(&[2, 5, 6, 7, 11]), false),
    ];
    for (name, script, version, watches, expected, ends) in cases {
        let expected: Vec<_> = expected.iter().map(word).collect();
        // Each watch begins a second after the one before.
        let time = SECOND * u32::try_from(watches - 1).unwrap();
        assert_eq!(
            run(&script, version, time),
            (expected.clone(), ends, (0..watches).map(|second| SECOND * u32::try_from(second).unwrap()).collect()),
            "{name}"
        );
        // Nothing comes twice, however long it goes on.
        assert_eq!(run(&script, version, 60 * SECOND).0, expected, "{name}");
    }
}

#[test]
fn what_is_dropped_with_events_that_nobody_read_leaves_nothing_open() {
    let bench = Bench::new();
    let mut watch = RetryWatcher::of_client(&bench.client(), bench.server.resource_version()).unwrap();
    assert!(within(&bench.platform, Duration::ZERO, &mut watch).0.is_empty());
    bench.put("a", "1");
    assert_eq!(bench.server.open_watches(), 1);
    drop(watch);
    bench.assert_quiet();
    // While it waits for the next try, too, and while it opens a watch.
    for kind in [crate::fake::FaultKind::Unreachable, crate::fake::FaultKind::Hang] {
        bench.server.faults().add(crate::fake::Fault::new(kind));
        let mut watch = RetryWatcher::of_client(&bench.client(), bench.server.resource_version()).unwrap();
        assert!(within(&bench.platform, SECOND / 2, &mut watch).0.is_empty());
        drop(watch);
        bench.server.faults().clear();
        bench.assert_quiet();
    }
}

#[test]
fn a_watch_is_asked_for_with_bookmarks_from_the_last_version_and_without_an_end() {
    let script = Script::new([added(6)]).closing_after(1);
    let selection = Selection {
        label_selector: Some("app=web".into()),
        field_selector: Some("metadata.name=a".into()),
        ..Selection::default()
    };
    let mut watch = watch(&script, "5").select(selection);
    within(&script.platform, SECOND, &mut watch);
    assert_eq!(watch.resource_version().as_str(), "6");
    let asked: Vec<_> = script.asked().into_iter().map(|(_, options)| options).collect();
    let expected = |version: &str| ListOptions {
        label_selector: Some("app=web".into()),
        field_selector: Some("metadata.name=a".into()),
        resource_version: Some(version.into()),
        allow_watch_bookmarks: true,
        ..ListOptions::default()
    };
    assert_eq!(asked, [expected("5"), expected("6")]);
}

#[test]
fn bookmarks_move_the_version_and_nobody_hears_of_them() {
    let bookmark =
        |version: &str| WatchEvent::Bookmark(Bookmark { resource_version: version.into(), ends_initial_events: false });
    let script = Script::new([bookmark("8"), added(9), bookmark("12")]).closing_after(1);
    let mut watch = watch(&script, "5");
    let (items, ended) = within(&script.platform, 10 * SECOND, &mut watch);
    assert_eq!((items.into_iter().map(told).collect::<Vec<_>>(), ended), (vec![word(&added(9))], false));
    let from: Vec<_> = script.asked().into_iter().take(4).map(|(_, options)| options.resource_version.unwrap()).collect();
    assert_eq!(from, ["5", "8", "9", "12"].map(ResourceVersion::from));
}

#[test]
fn what_has_no_version_is_the_end() {
    let none = Bookmark::default();
    for (event, words) in [
        (WatchEvent::Added(thing("a", "")), "the object \"a\" of the watch has no resource version"),
        (WatchEvent::Modified(thing("a", "")), "the object \"a\" of the watch has no resource version"),
        (WatchEvent::Deleted(thing("a", "")), "the object \"a\" of the watch has no resource version"),
        (WatchEvent::Bookmark(none), "a bookmark of the watch has no resource version"),
    ] {
        let script = Script::new([added(6), event, added(7)]);
        let (items, ended, asked) = run(&script, "5", 60 * SECOND);
        assert_eq!((items.len(), ended, asked.len()), (2, true, 1), "{items:?}");
        assert!(items[1].starts_with("ERROR 500") && items[1].ends_with(words), "{items:?}");
    }
}

#[test]
fn a_version_that_is_too_old_when_the_watch_is_opened_is_the_end_too() {
    for status in [Status::gone("too old"), Status::expired("too old")] {
        let (items, ended, asked) = run(&Script::default().refusing([refused(status)]), "5", 60 * SECOND);
        assert_eq!((items, ended, asked.len()), (vec!["ERROR 410 too old".to_owned()], true, 1));
    }
}

#[test]
fn the_next_try_is_a_second_after_the_last_began_and_not_before_the_server_wants_it() {
    let after = |seconds| Status {
        details: StatusDetails { retry_after_seconds: seconds, ..StatusDetails::default() },
        ..Status::internal_error("busy")
    };
    for (seconds, second_try) in [(0, 1), (1, 1), (7, 7)] {
        let script = interrupted(after(seconds));
        assert_eq!(run(&script, "5", 60 * SECOND).2, [Duration::ZERO, SECOND * second_try]);
        let script = Script::default().refusing([refused(after(seconds))]);
        assert_eq!(run(&script, "5", 60 * SECOND).2, [Duration::ZERO, SECOND * second_try]);
    }
}

#[test]
fn a_watch_that_lasted_a_second_is_followed_by_the_next_at_once() {
    let bench = Bench::new();
    let mut watch = RetryWatcher::of_client(&bench.client(), bench.server.resource_version()).unwrap();
    within(&bench.platform, 5 * SECOND, &mut watch);
    let before = bench.platform.now();
    bench.server.forget_requests();
    bench.server.end_watches();
    within(&bench.platform, Duration::ZERO, &mut watch);
    assert_eq!((bench.server.requests().len(), bench.platform.now()), (1, before));
    bench.server.end_watches();
    within(&bench.platform, Duration::ZERO, &mut watch);
    assert_eq!(bench.server.requests().len(), 1);
    within(&bench.platform, SECOND, &mut watch);
    assert_eq!(bench.server.requests().len(), 2);
}

#[test]
fn each_failure_is_told_to_who_asked_for_that() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = Arc::clone(&heard);
    let script = interrupted(Status::internal_error("oh")).refusing([lost()]);
    let mut watch = watch(&script, "5").on_failure(move |failure: &Failure| {
        log.lock().unwrap().push(match failure {
            Failure::Refused(status) => format!("refused: {status}"),
            Failure::Connection(words) | Failure::Unreadable(words) => words.clone(),
        });
    });
    within(&script.platform, 10 * SECOND, &mut watch);
    let heard = heard.lock().unwrap();
    assert!(heard[0].contains("connection reset") && heard[1] == "refused: Internal error occurred: oh", "{heard:?}");
    assert_eq!(heard.len(), 2);
}
