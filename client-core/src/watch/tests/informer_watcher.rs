use super::*;
use crate::{
    fake::{Disturbance, Fault, FaultKind},
    informer::{InformerError, InformerOptions, ObjectSource, SameCluster, Selection, SharedInformer},
    reflector::{Following, ReflectorOptions},
    watch::InformerWatcher,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn informer(bench: &Bench, following: Following) -> SharedInformer<Unstructured> {
    let source = ObjectSource::<Unstructured>::new(bench.client(), Selection::default(), Arc::new(SameCluster));
    let options = InformerOptions { reflector: ReflectorOptions::following(following), ..InformerOptions::default() };
    SharedInformer::new(Arc::new(bench.platform.clone()), source, options)
}

fn watch(bench: &Bench, following: Following) -> InformerWatcher<Unstructured> {
    InformerWatcher::new(informer(bench, following)).unwrap()
}

fn taken(bench: &Bench, watch: &mut InformerWatcher<Unstructured>) -> Vec<String> {
    let mut words: Vec<_> = within(&bench.platform, Duration::ZERO, watch).0.into_iter().map(told).collect();
    words.sort();
    words
}

#[test]
fn what_is_there_is_added_first_and_then_comes_what_happens_and_no_bookmark() {
    for following in [Following::Watch, Following::WatchList] {
        let bench = Bench::new();
        let first: Vec<_> = ["a", "b", "c"].iter().map(|name| format!("ADDED {name} {}", bench.put(name, "1"))).collect();
        let mut watch = watch(&bench, following);
        assert_eq!(taken(&bench, &mut watch), first);
        bench.server.send_bookmarks();
        assert!(taken(&bench, &mut watch).is_empty());
        let (fourth, second) = (bench.put("d", "1"), bench.put("b", "2"));
        assert!(bench.remove("c"));
        let gone = bench.server.resource_version();
        let expected = [format!("ADDED d {fourth}"), format!("DELETED c {gone}"), format!("MODIFIED b {second}")];
        assert_eq!(taken(&bench, &mut watch), expected);
        // It is dropped with events that nobody took.
        bench.put("e", "1");
        bench.platform.run();
        drop(watch);
        bench.assert_quiet();
    }
}

#[test]
fn what_went_unseen_is_deleted_as_it_was_last() {
    let bench = Bench::new();
    let version = bench.put("a", "1");
    let mut watch = watch(&bench, Following::Watch);
    assert_eq!(taken(&bench, &mut watch), [format!("ADDED a {version}")]);
    bench.server.faults().add(Fault::new(FaultKind::Unreachable).on_query("watch=").once());
    bench.server.disturb_watches(Disturbance::Break);
    bench.platform.run();
    assert!(bench.remove("a"));
    bench.put("b", "1");
    bench.server.compact(&bench.server.resource_version());
    let (items, _) = within(&bench.platform, Duration::from_secs(60), &mut watch);
    let words: Vec<_> = items.into_iter().map(told).collect();
    assert!(words.contains(&format!("DELETED a {version}")), "{words:?}");
}

#[test]
fn a_thousand_changes_come_in_their_order_however_late_they_are_taken() {
    let bench = Bench::new();
    let mut watch = watch(&bench, Following::Watch);
    assert!(taken(&bench, &mut watch).is_empty());
    let mut expected = Vec::new();
    for count in 0..1000 {
        expected.push(format!("{} a {}", if count == 0 { "ADDED" } else { "MODIFIED" }, bench.put("a", &count.to_string())));
        bench.platform.run();
    }
    let (items, ended) = within(&bench.platform, Duration::ZERO, &mut watch);
    assert_eq!((items.into_iter().map(told).collect::<Vec<_>>(), ended), (expected, false));
}

#[test]
fn what_is_dropped_ends_its_informer_whether_it_waits_or_has_unread_events() {
    for unread in [0, 1, 2] {
        let bench = Bench::new();
        let mut watch = watch(&bench, Following::Watch);
        assert!(taken(&bench, &mut watch).is_empty());
        for name in ["a", "b"].iter().take(unread) {
            bench.put(name, "1");
        }
        bench.platform.run();
        if unread == 2 {
            assert!(watch.next().now_or_never().is_some());
        }
        drop(watch);
        bench.assert_quiet();
    }
}

#[test]
fn an_informer_of_others_goes_on_and_one_that_has_stopped_ends_it() {
    let bench = Bench::new();
    let informer = informer(&bench, Following::Watch);
    drop(InformerWatcher::new(informer.clone()).unwrap());
    bench.platform.run();
    assert!(informer.has_synced() && !informer.is_stopped());
    let mut watch = InformerWatcher::new(informer.clone()).unwrap();
    informer.stop();
    let (items, ended) = within(&bench.platform, Duration::ZERO, &mut watch);
    assert!(items.is_empty() && ended);
    assert_eq!(InformerWatcher::new(informer).unwrap_err(), InformerError::Stopped);
}
