//! Objects that cannot be read, among others.

use super::bench::{Bench, Told, intakes, listen, names, taken};
use crate::{
    fake::Disturbance,
    informer::{HandlerRegistration, InformerOptions, Intake, SharedInformer},
    object::PartialObjectMetadata,
    reflector::Signal,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

type Informer = SharedInformer<PartialObjectMetadata>;

/// Labels that nobody can read.
const BAD: &str = "7";

fn started(bench: &Bench, intake: Intake<PartialObjectMetadata>) -> (Informer, (HandlerRegistration, Told)) {
    let informer = bench.informer_of(InformerOptions { intake, ..InformerOptions::default() });
    let listening = listen(&informer);
    informer.start();
    bench.run();
    (informer, listening)
}

/// An event of the watch, with these labels.
fn event(bench: &Bench, event: &str, name: &str, labels: &str) {
    let version = bench.server.resource_version();
    let metadata = format!(r#""namespace":"default","name":"{name}","resourceVersion":"{version}","labels":{labels}"#);
    let object = format!(r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{{metadata}}}}}"#);
    bench.server.disturb_watches(Disturbance::Line(format!(r#"{{"type":"{event}","object":{object}}}"#)));
    bench.run();
}

fn faults(informer: &Informer) -> Vec<String> {
    informer.faults().iter().map(|bad| bad.name.to_string()).collect()
}

#[test]
fn of_several_events_those_that_can_be_read_are_told_and_the_others_are_named() {
    for intake in intakes() {
        let bench = Bench::with(&[]);
        let (informer, (_, told)) = started(&bench, intake);
        for (name, labels) in [("one", "{}"), ("bad", BAD), ("three", "{}")] {
            event(&bench, "ADDED", name, labels);
        }
        assert_eq!(taken(&told), ["+one", "+three"]);
        assert_eq!(names(&informer), ["one", "three"]);
        assert_eq!(faults(&informer), ["bad"]);
    }
}

#[test]
fn one_that_cannot_be_read_any_more_is_gone_and_named_until_it_can_be_read_or_is_deleted() {
    for intake in intakes() {
        let bench = Bench::with(&["one", "two"]);
        let (informer, (_, told)) = started(&bench, intake);
        taken(&told);
        for (kind, name, labels, change, bad) in [
            ("MODIFIED", "one", BAD, Some("?one"), vec!["one"]),
            ("MODIFIED", "one", BAD, None, vec!["one"]),
            ("MODIFIED", "one", "{}", Some("+one"), vec![]),
            ("ADDED", "new", BAD, None, vec!["new"]),
            ("MODIFIED", "two", BAD, Some("?two"), vec!["new", "two"]),
            ("DELETED", "new", BAD, None, vec!["two"]),
            ("DELETED", "two", "{}", None, vec![]),
            ("ADDED", "new", BAD, None, vec!["new"]),
            ("ADDED", "new", "{}", Some("+new"), vec![]),
            ("DELETED", "one", BAD, Some("?one"), vec![]),
        ] {
            event(&bench, kind, name, labels);
            assert_eq!(taken(&told), Vec::from_iter(change), "{kind} {name} {labels}");
            assert_eq!(faults(&informer), bad, "{kind} {name} {labels}");
        }
        assert_eq!(names(&informer), ["new"]);
    }
}

#[test]
fn one_that_cannot_be_read_is_named_until_a_whole_list_comes_without_it() {
    for intake in intakes() {
        let bench = Bench::with(&["one"]);
        let (informer, (_, told)) = started(&bench, intake);
        taken(&told);
        event(&bench, "ADDED", "bad", BAD);
        event(&bench, "MODIFIED", "one", BAD);
        assert_eq!((faults(&informer), taken(&told)), (vec!["bad".to_owned(), "one".to_owned()], vec!["?one".to_owned()]));
        informer.signal(Signal::Suspend);
        bench.run();
        bench.server.compact(&bench.put("two", "1"));
        assert_eq!(faults(&informer).len(), 2);
        informer.signal(Signal::Resume);
        bench.run();
        assert_eq!(faults(&informer), [""; 0]);
        assert_eq!(super::bench::taken_sorted(&told), ["+one", "+two"]);
    }
}
