//! Watches that go on, over the API server in memory.

use super::*;
use crate::{
    fake::{Disturbance, Fault, FaultKind},
    meta::Status,
    watch::RetryWatcher,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SECOND: Duration = Duration::from_secs(1);

struct Watched {
    bench: Bench,
    watch: RetryWatcher<Unstructured>,
}

impl Watched {
    fn begin() -> Self {
        let bench = Bench::new();
        bench.put("before", "1");
        let watch = RetryWatcher::of_client(&bench.client(), bench.server.resource_version()).unwrap();
        let mut watched = Self { bench, watch };
        assert_eq!(watched.next(Duration::ZERO), (vec![], false));
        watched
    }

    fn next(&mut self, time: Duration) -> (Vec<String>, bool) {
        let (items, ended) = within(&self.bench.platform, time, &mut self.watch);
        (items.into_iter().map(told).collect(), ended)
    }
}

#[test]
fn an_event_of_an_unknown_type_is_the_end() {
    let mut watched = Watched::begin();
    watched.bench.server.disturb_watches(Disturbance::Line(r#"{"type":"MOVED","object":{"metadata":{"name":"a"}}}"#.into()));
    let (items, ended) = watched.next(60 * SECOND);
    assert!(items.len() == 1 && items[0].starts_with("ERROR 500") && items[0].contains("MOVED") && ended, "{items:?}");
    drop(watched.watch);
    watched.bench.assert_quiet();
}

#[test]
fn an_object_that_cannot_be_read_is_told_and_hinders_no_other() {
    let mut watched = Watched::begin();
    watched.bench.server.disturb_watches(Disturbance::Line(r#"{"type":"ADDED","object":{"metadata":{"name":7}}}"#.into()));
    let (items, ended) = watched.next(Duration::ZERO);
    assert!(items.len() == 1 && items[0].starts_with("! an object of the watch could not be read") && !ended, "{items:?}");
    let version = watched.bench.put("a", "1");
    assert_eq!(watched.next(Duration::ZERO), (vec![format!("ADDED a {version}")], false));
    // Two at once, with one between that can be read.
    for line in [r#"{"type":"ADDED","object":7}"#, "<html>"] {
        watched.bench.server.disturb_watches(Disturbance::Line(line.into()));
    }
    let version = watched.bench.put("a", "2");
    let (items, ended) = watched.next(Duration::ZERO);
    assert!(items.len() == 3 && items.contains(&format!("MODIFIED a {version}")) && !ended, "{items:?}");
}

#[test]
fn what_the_end_of_a_watch_cut_comes_whole_with_the_next() {
    for cut in [1, 10, 40, 100] {
        for kind in [FaultKind::EndAfter(cut), FaultKind::CutAfter(cut)] {
            let mut watched = Watched::begin();
            watched.bench.server.faults().add(Fault::new(kind).on_query("watch=").once());
            watched.bench.server.end_watches();
            assert_eq!(watched.next(5 * SECOND), (vec![], false));
            let version = watched.bench.put("a", "1");
            assert_eq!(watched.next(5 * SECOND), (vec![format!("ADDED a {version}")], false));
        }
    }
}

#[test]
fn a_version_that_the_server_forgot_while_nobody_watched_is_the_end() {
    let mut watched = Watched::begin();
    watched.bench.server.faults().add(Fault::new(FaultKind::Unreachable).on_query("watch=").once());
    watched.bench.server.disturb_watches(Disturbance::Break);
    assert_eq!(watched.next(Duration::ZERO), (vec![], false));
    watched.bench.put("a", "1");
    watched.bench.put("a", "2");
    watched.bench.server.compact(&watched.bench.server.resource_version());
    let (items, ended) = watched.next(60 * SECOND);
    assert!(items.len() == 1 && items[0].starts_with("ERROR 410") && ended, "{items:?}");
    assert_eq!(watched.next(60 * SECOND), (vec![], true));
}

#[test]
fn credentials_that_expire_while_it_goes_on_are_the_end() {
    for status in [Status::unauthorized("expired"), Status::forbidden(&"configmaps".into(), "", "no more")] {
        let mut watched = Watched::begin();
        let code = status.code;
        watched.bench.server.faults().add(Fault::new(FaultKind::Refuse(Box::new(status))).on_query("watch="));
        watched.bench.server.end_watches();
        let (items, ended) = watched.next(60 * SECOND);
        assert!(items.len() == 1 && items[0].starts_with(&format!("ERROR {code}")) && ended, "{items:?}");
    }
}
