//! Lists and watches on their way into a cache (client-go `tools/cache/reflector_test.go`, `reflector_watchlist_test.go`,
//! `reflector_data_consistency_detector_test.go`).

use std::{sync::Arc, time::Duration};

use super::bench::{Bench, config_maps, following, listen, names, taken};
use crate::{
    clients::MetadataClient,
    fake::{Disturbance, Fault, FaultKind},
    informer::{ConsistencyError, InformerOptions, Intake, ObjectSource, Selection, SharedInformer, check_consistency},
    meta::{GroupVersionKind, Status},
    object::{Object as _, Unstructured},
    platform::ready,
    queue::{Fifo, FifoOptions},
    reflector::{Failure, Following, HealthState, Signal},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn line(event: &str, kind: &str, name: &str, version: &str) -> Disturbance {
    Disturbance::Line(format!(
        r#"{{"type":"{event}","object":{{"kind":"{kind}","apiVersion":"v1","metadata":{{"namespace":"default","name":"{name}","resourceVersion":"{version}"}}}}}}"#
    ))
}

#[test]
fn events_change_the_cache_one_of_another_kind_does_not_and_the_last_version_counts_however_large() {
    let bench = Bench::with(&["foo", "bar"]);
    let kind = GroupVersionKind::new("", "v1", "ConfigMap");
    let source: ObjectSource<Unstructured> = bench.source().of_kind(kind);
    let informer = SharedInformer::new(Arc::new(bench.platform.clone()), source, InformerOptions::default());
    let (_, told) = listen(&informer);
    informer.start();
    bench.run();
    taken(&told);
    bench.server.disturb_watches(line("ADDED", "Service", "rejected", "90"));
    bench.server.disturb_watches(line("DELETED", "ConfigMap", "foo", "91"));
    bench.server.disturb_watches(line("MODIFIED", "ConfigMap", "bar", "55"));
    bench.server.disturb_watches(line("ADDED", "ConfigMap", "baz", "32"));
    bench.run();
    assert_eq!(taken(&told), ["-foo", "~bar", "+baz"]);
    let version =
        |name: &str| informer.indexer().find(&format!("default/{name}")).map(|object| object.resource_version().to_owned());
    assert_eq!([version("foo"), version("rejected")], [None, None]);
    assert_eq!([version("bar").as_deref(), version("baz").as_deref()], [Some("55"), Some("32")]);
    assert_eq!(informer.indexer().resource_version().as_str(), "32");
    bench.requests();
    bench.server.disturb_watches(Disturbance::Break);
    bench.pass(Duration::from_secs(5));
    let again = bench.requests().remove(0);
    assert!(again.contains("resourceVersion=32"), "{again}");
}

#[test]
fn a_collection_comes_by_a_list_and_a_watch_or_by_a_watch_alone_and_ends_up_the_same() {
    for (following_by, requests) in [
        (
            Following::WatchList,
            vec![vec!["watch=true", "sendInitialEvents=true", "resourceVersionMatch=NotOlderThan", "allowWatchBookmarks=true"]],
        ),
        (
            Following::Watch,
            vec![vec!["resourceVersion=0", "limit=500"], vec!["watch=true", "resourceVersion=", "allowWatchBookmarks=true"]],
        ),
    ] {
        let bench = Bench::with(&["foo"]);
        let informer = bench.informer_of(following(following_by));
        informer.start();
        bench.run();
        let listed = bench.server.resource_version();
        let newest = bench.put("foo", "2");
        for name in ["bar", "baz", "qux", "zoo"] {
            bench.put(name, "1");
        }
        bench.run();
        assert_eq!(names(&informer), ["bar", "baz", "foo", "qux", "zoo"]);
        assert_eq!(informer.indexer().find("default/foo").unwrap().resource_version(), newest.as_str());
        let asked = bench.requests();
        assert_eq!(asked.len(), requests.len(), "{asked:?}");
        for (path, parts) in asked.iter().zip(requests) {
            for part in parts {
                let part = if part == "resourceVersion=" { format!("{part}{listed}") } else { part.to_owned() };
                assert!(path.contains(&part), "{part} is missing in {path}");
            }
        }
        let last = asked.last().unwrap();
        assert_eq!(last.contains("sendInitialEvents"), following_by == Following::WatchList);
    }
}

#[test]
fn failures_of_lists_and_watches_are_told_and_what_was_listed_stays() {
    let bench = Bench::with(&["one"]);
    let told = super::bench::Told::default();
    let log = Arc::clone(&told);
    let handler = move |failure: &Failure| {
        let Failure::Refused(status) = failure else { panic!("{failure:?}") };
        log.lock().unwrap().push(status.message.clone());
    };
    let refuse = |message: &str| Fault::new(FaultKind::Refuse(Box::new(Status::internal_error(message))));
    let faults = bench.server.faults();
    faults.add(refuse("no list").once());
    faults.add(refuse("no watch").on_query("watch=").times(2));
    let informer =
        bench.informer_of(InformerOptions { watch_error_handler: Some(Box::new(handler)), ..following(Following::Watch) });
    informer.start();
    bench.run();
    let words = taken(&told);
    assert!(words.len() == 1 && words[0].contains("no list"), "{words:?}");
    assert!(!informer.has_synced() && names(&informer).is_empty());
    bench.pass(Duration::from_secs(2));
    let words = taken(&told);
    assert!(!words.is_empty() && words.iter().all(|word| word.contains("no watch")), "{words:?}");
    assert_eq!(names(&informer), ["one"]);
    bench.pass(Duration::from_secs(10));
    let (_, changes) = listen(&informer);
    bench.run();
    taken(&changes);
    bench.put("two", "1");
    bench.put("one", "2");
    bench.remove("two");
    bench.run();
    assert_eq!(taken(&changes), ["+two", "~one", "-two"]);
    assert_eq!(names(&informer), ["one"]);
    // What a watch reports is told as well.
    bench.server.disturb_watches(Disturbance::Error(Box::new(Status::internal_error("no more"))));
    bench.run();
    let words = taken(&told);
    assert!(words.last().is_some_and(|word| word.contains("no more")), "{words:?}");
}

#[test]
fn a_stream_that_brings_no_end_of_its_list_is_given_up_for_a_list_after_ten_seconds_of_silence() {
    let bench = Bench::with(&["one"]);
    bench.server.faults().add(Fault::new(FaultKind::LoseBookmark).on_query("sendInitialEvents").once());
    let informer = bench.informer();
    informer.start();
    bench.pass(Duration::from_millis(9_900));
    assert!(!informer.has_synced());
    assert_eq!(informer.health().state, HealthState::Loading);
    assert_eq!(bench.requests().len(), 1);
    // As long as something comes it is waited for.
    bench.put("two", "1");
    bench.pass(Duration::from_millis(9_900));
    assert!(!informer.has_synced() && bench.requests().is_empty());
    bench.pass(Duration::from_millis(200));
    assert!(informer.has_synced());
    assert_eq!(names(&informer), ["one", "two"]);
    let list = bench.requests().remove(0);
    assert!(!list.contains("watch=") && !list.contains("resourceVersion="), "a list of the newest came in its place: {list}");
}

#[test]
fn nothing_of_a_streamed_list_is_in_the_cache_before_its_end_and_its_version_is_that_of_the_end() {
    let bench = Bench::with(&["one"]);
    bench.server.faults().add(Fault::new(FaultKind::LoseBookmark).on_query("sendInitialEvents").once());
    let informer = bench.informer();
    informer.start();
    bench.run();
    assert_eq!((names(&informer).len(), informer.indexer().resource_version().as_str()), (0, ""));
    let end = r#"{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"2222","annotations":{"k8s.io/initial-events-end":"VALUE"}}}}"#;
    // Only the word itself says so.
    bench.server.disturb_watches(Disturbance::Line(end.replace("VALUE", "false")));
    bench.run();
    assert_eq!((names(&informer).len(), informer.has_synced()), (0, false));
    bench.server.disturb_watches(Disturbance::Line(end.replace("VALUE", "true")));
    bench.run();
    assert_eq!((names(&informer).len(), informer.indexer().resource_version().as_str()), (1, "2222"));
    assert!(informer.has_synced());
}

#[test]
fn what_comes_as_it_comes_is_there_before_the_list_is_whole_and_what_is_gone_stays_until_then() {
    let bench = Bench::with(&["one", "two"]);
    let lose_end = || bench.server.faults().add(Fault::new(FaultKind::LoseBookmark).on_query("sendInitialEvents").once());
    let begin = || {
        let options = InformerOptions { intake: Intake::as_they_come(Fifo::default()), ..InformerOptions::default() };
        let informer = bench.informer_of::<Unstructured>(options);
        let (registration, told) = listen(&informer);
        informer.start();
        bench.run();
        assert_eq!(
            (taken(&told), names(&informer)),
            (vec!["*one".to_owned(), "*two".to_owned()], vec!["one".to_owned(), "two".to_owned()])
        );
        (informer, registration, told)
    };
    lose_end();
    let (informer, registration, told) = begin();
    assert!(!informer.has_synced() && !registration.has_synced());
    bench.pass(Duration::from_secs(11));
    assert!(informer.has_synced() && registration.has_synced() && taken(&told).is_empty());
    let (informer, _, told) = begin();
    informer.signal(Signal::Suspend);
    bench.run();
    bench.remove("one");
    bench.put("two", "2");
    bench.server.compact(&bench.server.resource_version());
    lose_end();
    informer.signal(Signal::Resume);
    bench.run();
    assert_eq!((taken(&told), names(&informer)), (vec!["~two".to_owned()], vec!["one".to_owned(), "two".to_owned()]));
    bench.pass(Duration::from_secs(11));
    assert_eq!((taken(&told), names(&informer)), (vec!["?one".to_owned()], vec!["two".to_owned()]));
}

#[test]
fn a_cache_is_compared_with_what_the_server_had_at_its_version() {
    for following_by in [Following::WatchList, Following::Watch] {
        for transforms in [false, true] {
            let bench = Bench::with(&["one", "two"]);
            let mark = |object: &mut Unstructured| object.set_nested(&["data", "marked"], "true").unwrap();
            let queue = Fifo::new(FifoOptions { transform: transforms.then(|| Box::new(mark) as _), ..FifoOptions::default() });
            let informer = bench.informer_of(InformerOptions { intake: Intake::whole(queue), ..following(following_by) });
            let client = MetadataClient::new(bench.server.client()).namespaced(&config_maps(), "default");
            let check = || ready(check_consistency(informer.indexer(), &client, &Selection::default()));
            assert!(matches!(check(), Err(ConsistencyError::NoVersion)));
            informer.start();
            bench.run();
            check().unwrap();
            bench.put("one", "2");
            bench.put("three", "1");
            // The cache does not have it yet, and is not compared with it.
            check().unwrap();
            bench.run();
            bench.remove("two");
            bench.run();
            check().unwrap();
            let asked = bench.requests().pop().unwrap();
            assert!(asked.contains("resourceVersionMatch=Exact"), "{asked}");
        }
    }
}

#[test]
fn a_cache_that_is_not_what_the_server_had_is_told_with_what_differs() {
    let bench = Bench::with(&["one", "two", "three"]);
    let informer = bench.started();
    let client = MetadataClient::new(bench.server.client()).namespaced(&config_maps(), "default");
    let check = || ready(check_consistency(informer.indexer(), &client, &Selection::default()));
    let version = informer.indexer().resource_version();
    informer.indexer().write(|indexer| {
        indexer.remove("default/one");
        let mut two = Unstructured::clone(indexer.find("default/two").unwrap());
        let metadata = crate::meta::ObjectMeta { resource_version: "1".into(), ..two.metadata().into_owned() };
        two.set_metadata(metadata);
        let extra = two.as_json().replace("\"two\"", "\"extra\"").parse::<Unstructured>().unwrap();
        indexer.insert(crate::store::Entry::of(two));
        indexer.insert(crate::store::Entry::of(extra));
        indexer.bookmark(&version);
    });
    let error = check().unwrap_err();
    let ConsistencyError::Different { differences, .. } = &error else { panic!("{error}") };
    let keys: Vec<_> = differences.iter().map(|difference| difference.key.as_str()).collect();
    assert_eq!(keys, ["default/extra", "default/one", "default/two"]);
    let message = error.to_string();
    assert!(message.contains("default/extra is 1 and was not there, default/one is not there and was "), "{message}");
    // A version that the server has forgotten is no difference.
    bench.put("four", "1");
    bench.server.compact(&bench.server.resource_version());
    assert!(matches!(check(), Err(ConsistencyError::List { source, .. }) if source.is_expired_or_gone()));
}

#[test]
fn nobody_lists_to_compare_who_did_not_ask_for_it() {
    let bench = Bench::with(&["one"]);
    bench.started();
    bench.pass(Duration::from_secs(3600));
    assert!(bench.requests().iter().all(|path| !path.contains("Exact")));
}

#[test]
fn a_client_says_whether_it_wants_its_lists_streamed_and_unless_it_does_not_it_does() {
    let first = |options: InformerOptions<Unstructured>| {
        let bench = Bench::with(&["one"]);
        let informer = bench.informer_of(options);
        informer.start();
        bench.run();
        assert!(informer.has_synced());
        bench.requests().remove(0).contains("sendInitialEvents=true")
    };
    assert!(first(InformerOptions::default()));
    assert!(first(following(Following::WatchList)));
    assert!(!first(following(Following::Watch)));
    assert!(!first(following(Following::List)));
}

/// The requests so far: `S` for a streamed list, `L` for a list, `W` for a watch.
fn requests(bench: &Bench) -> String {
    let kind = |path: &String| match (path.contains("sendInitialEvents=true"), path.contains("watch=true")) {
        (true, _) => {
            assert!(path.contains("resourceVersionMatch=NotOlderThan") && path.contains("allowWatchBookmarks=true"), "{path}");
            assert!(!path.contains("resourceVersion="), "it is of the newest: {path}");
            'S'
        }
        (_, true) => {
            assert!(path.contains("resourceVersion=") && path.contains("allowWatchBookmarks=true"), "{path}");
            'W'
        }
        _ => 'L',
    };
    let requests = bench.requests();
    assert!(requests.iter().all(|path| !path.contains("watch=true") || path.contains("timeoutSeconds=")), "{requests:?}");
    requests.iter().map(kind).collect()
}

#[test]
fn however_a_streamed_list_goes_the_right_requests_bring_what_there_is() {
    type Happening = fn(&Bench, &super::bench::Informer);
    let no_end = || Fault::new(FaultKind::LoseBookmark).on_query("sendInitialEvents").once();
    let refuse = |status: Status| Fault::new(FaultKind::Refuse(Box::new(status))).on_query("sendInitialEvents");
    let end: Happening = |bench, _| {
        let version = bench.server.resource_version();
        bench.server.disturb_watches(Disturbance::Line(format!(
            r#"{{"type":"BOOKMARK","object":{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"resourceVersion":"{version}","annotations":{{"k8s.io/initial-events-end":"true"}}}}}}}}"#
        )));
    };
    let nothing: Happening = |_, _| {};
    // What goes wrong, what happens after the first turn, the requests that there were then, and what is in the cache.
    type Case = (&'static str, Vec<Fault>, Vec<Happening>, &'static str, &'static [&'static str]);
    let cases: [Case; 9] = [
        ("it is stopped before its end", vec![no_end()], vec![|_, informer| informer.stop()], "S", &[]),
        ("an error that says nothing", vec![refuse(Status::internal_error("oh")).once()], vec![nothing], "SLW", &["p1", "p2"]),
        ("it is refused", vec![refuse(Status::invalid(&"".into(), "", vec![])).once()], vec![nothing], "SLW", &["p1", "p2"]),
        ("nothing", vec![], vec![nothing], "S", &["p1", "p2"]),
        (
            "objects change and go before its end",
            vec![no_end()],
            vec![
                |bench, _| {
                    bench.put("p1", "2");
                    bench.put("p3", "1");
                    bench.remove("p3");
                    bench.remove("p2");
                },
                end,
            ],
            "S",
            &["p1"],
        ),
        (
            "too many requests, twice",
            vec![refuse(Status::too_many_requests("later", 1)).times(2)],
            vec![nothing],
            "SSS",
            &["p1", "p2"],
        ),
        (
            "it ends before its end",
            vec![no_end()],
            vec![|bench, _| {
                bench.pass(Duration::from_secs(2));
                bench.remove("p2");
                bench.server.end_watches();
            }],
            "SS",
            &["p1"],
        ),
        (
            "it ends after its end",
            vec![],
            vec![|bench, _| {
                bench.pass(Duration::from_secs(300));
                bench.server.end_watches();
            }],
            "SW",
            &["p1", "p2"],
        ),
        (
            "its version has expired when it ends",
            vec![],
            vec![|bench, informer| {
                informer.signal(Signal::Suspend);
                bench.run();
                bench.put("p3", "1");
                bench.server.compact(&bench.server.resource_version());
                assert_eq!(names(informer), ["p1", "p2"]);
                informer.signal(Signal::Resume);
            }],
            "SWS",
            &["p1", "p2", "p3"],
        ),
    ];
    for (what, faults, happenings, wanted, cached) in cases {
        let bench = Bench::with(&["p1", "p2"]);
        for fault in faults {
            bench.server.faults().add(fault);
        }
        let informer = bench.informer();
        informer.start();
        bench.run();
        for happening in happenings {
            happening(&bench, &informer);
            bench.run();
        }
        bench.pass(Duration::from_secs(5));
        assert_eq!(
            (requests(&bench).as_str(), names(&informer)),
            (wanted, cached.iter().map(|name| (*name).to_owned()).collect()),
            "{what}"
        );
    }
}
