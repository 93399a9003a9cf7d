//! What client-go's shared informer is tested for (`tools/cache/shared_informer_test.go`): handlers that come and go, indexes.

use std::sync::{Arc, Mutex};

use futures::FutureExt as _;

use super::bench::{Bench, listen, names, taken, taken_sorted};
use crate::{
    informer::{EventHandler, Filtering, HandlerFuncs, InformerOptions, Intake},
    object::{Object as _, Unstructured},
    queue::{Fifo, FifoOptions},
    reflector::Failure,
    store::{IndexFunc, IndexName, IndexValues, Indexers, SharedIndexer},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn by_label(name: &IndexName) -> Indexers<Unstructured> {
    let labels = |object: &Unstructured, values: &mut IndexValues<'_>| values.extend(object.labels().keys().cloned());
    (name.clone(), IndexFunc::new(labels)).into()
}

#[test]
fn an_index_is_there_from_the_start_follows_changes_and_may_come_late() {
    let bench = Bench::with(&[]);
    bench.put_labelled("one", "1", &["a", "b"]);
    bench.put_labelled("two", "1", &["b"]);
    let (labels, again) = (IndexName::from("labels".to_owned()), IndexName::from("labels-again".to_owned()));
    let indexer = SharedIndexer::new(by_label(&labels));
    let informer = bench.informer_of(InformerOptions { indexer, ..InformerOptions::default() });
    informer.start();
    bench.run();
    let find = |index: &IndexName, label: &str| {
        let mut found: Vec<_> =
            informer.indexer().by_index(index, label).unwrap().iter().map(|object| object.name().to_owned()).collect();
        found.sort();
        found
    };
    assert_eq!(find(&labels, "a"), ["one"]);
    bench.put_labelled("three", "1", &["a"]);
    bench.run();
    assert_eq!(find(&labels, "a"), ["one", "three"]);
    informer.indexer().add_indexers(by_label(&again)).unwrap();
    assert_eq!(find(&again, "a"), ["one", "three"]);
    for index in [&labels, &again] {
        let mut values: Vec<_> =
            informer.indexer().index_values(index).unwrap().iter().map(|value| value.as_str().to_owned()).collect();
        values.sort();
        assert_eq!(values, ["a", "b"]);
    }
}

#[test]
fn a_handler_that_comes_at_any_moment_of_the_start_is_told_of_each_object_once() {
    for turns in 0..40 {
        let bench = Bench::with(&["one", "two"]);
        let informer = bench.informer();
        informer.start();
        for _ in 0..turns {
            bench.platform.turn();
        }
        let (registration, told) = listen(&informer);
        bench.run();
        assert_eq!(taken_sorted(&told), ["*one", "*two"], "{turns}");
        assert!(registration.has_synced());
    }
}

#[test]
fn each_failure_of_a_list_is_told_to_who_wants_to_hear_of_it() {
    let bench = Bench::with(&["one"]);
    let denied = crate::meta::Status::forbidden(&"configmaps".into(), "", "Access Denied");
    let refuse = crate::fake::FaultKind::Refuse(Box::new(denied));
    bench.server.faults().add(crate::fake::Fault::new(refuse));
    let (told, log) = {
        let told = Arc::<Mutex<Vec<String>>>::default();
        (Arc::clone(&told), told)
    };
    let handler = move |failure: &Failure| {
        let Failure::Refused(status) = failure else { panic!("{failure:?}") };
        log.lock().unwrap().push(status.message.clone());
    };
    let informer = bench.informer_of::<Unstructured>(InformerOptions {
        watch_error_handler: Some(Box::new(handler)),
        ..InformerOptions::default()
    });
    informer.start();
    bench.run();
    let told = told.lock().unwrap();
    assert!(!told.is_empty() && told.iter().all(|message| message.contains("Access Denied")), "{told:?}");
    assert!(!informer.has_synced());
}

#[test]
fn handlers_are_told_of_objects_as_a_transform_left_them() {
    let bench = Bench::with(&["one", "two"]);
    let transform = |object: &mut Unstructured| {
        let mut metadata = object.metadata().into_owned();
        metadata.name = metadata.name.as_str().to_uppercase().into();
        object.set_metadata(metadata);
    };
    let queue = Fifo::new(FifoOptions { transform: Some(Box::new(transform)), ..FifoOptions::default() });
    let informer = bench.informer_of(InformerOptions { intake: Intake::whole(queue), ..InformerOptions::default() });
    let (_, told) = listen(&informer);
    informer.start();
    bench.run();
    assert_eq!(taken_sorted(&told), ["*ONE", "*TWO"]);
    // The key is that of the object as it came.
    assert_eq!(informer.indexer().find("default/one").unwrap().name(), "ONE");
}

#[test]
fn handlers_are_taken_off_one_by_one() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    let (one, told_one) = listen(&informer);
    let (two, told_two) = listen(&informer);
    bench.run();
    assert_eq!((taken(&told_one), taken(&told_two)), (vec!["*one".to_owned()], vec!["*one".to_owned()]));
    informer.remove_event_handler(&two);
    bench.put("two", "1");
    bench.run();
    assert_eq!((taken(&told_one), taken(&told_two)), (vec!["+two".to_owned()], vec![]));
    informer.remove_event_handler(&one);
    bench.put("three", "1");
    bench.run();
    assert_eq!((taken(&told_one), taken(&told_two)), (vec![], vec![]));
    assert_eq!(informer.unsubscribe(u64::MAX), 0, "nobody is left");
}

#[test]
fn who_waits_for_a_handler_waits_until_it_handled_what_was_there_at_its_start() {
    let bench = Bench::with(&["one"]);
    let informer = bench.informer();
    let (registration, told) = listen(&informer);
    let mut synced = Box::pin(registration.synced());
    bench.run();
    assert!((&mut synced).now_or_never().is_none());
    informer.start();
    bench.run();
    assert!((&mut synced).now_or_never().is_some());
    assert_eq!(taken(&told), ["*one"]);
}

#[test]
fn a_stream_of_changes_that_is_dropped_takes_its_reader_off() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    let streams = [informer.changes().unwrap(), informer.changes().unwrap()];
    let reader = informer.subscribe(|_| {});
    drop(streams);
    assert_eq!(informer.unsubscribe(reader), 0);
    // Of one that has ended nothing is left to take off.
    let stream = informer.changes().unwrap();
    drop(informer);
    bench.run();
    drop(stream);
}

#[test]
fn a_handler_of_another_informer_is_left_alone() {
    let bench = Bench::with(&["one"]);
    let (informer, other) = (bench.started(), bench.started());
    let (registration, told) = listen(&informer);
    // It has a handler of the same number.
    let (_, others) = listen(&other);
    other.remove_event_handler(&registration);
    bench.put("two", "1");
    bench.run();
    assert_eq!([taken(&told), taken(&others)], [["*one", "+two"]; 2]);
    informer.remove_event_handler(&registration);
    bench.put("three", "1");
    bench.run();
    assert!(taken(&told).is_empty());
}

#[derive(Clone)]
struct Counter(Arc<Mutex<usize>>);

impl EventHandler<Unstructured> for Counter {
    fn on_add(&mut self, _object: &Arc<Unstructured>, _is_in_initial_list: bool) {
        *self.0.lock().unwrap() += 1;
    }
}

#[test]
fn a_handler_that_is_added_twice_is_two_handlers() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    let counter = Counter(Arc::default());
    let one = informer.add_event_handler(counter.clone()).unwrap();
    let two = informer.add_event_handler(counter.clone()).unwrap();
    bench.run();
    assert_eq!(*counter.0.lock().unwrap(), 2);
    informer.remove_event_handler(&one);
    bench.put("two", "1");
    bench.run();
    assert_eq!(*counter.0.lock().unwrap(), 3);
    informer.remove_event_handler(&two);
    bench.put("three", "1");
    bench.run();
    assert_eq!(*counter.0.lock().unwrap(), 3);
}

#[test]
fn a_handler_that_was_taken_off_may_be_taken_off_again() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    let (registration, told) = listen(&informer);
    let (_, other) = listen(&informer);
    for _ in 0..2 {
        informer.remove_event_handler(&registration);
    }
    bench.put("two", "1");
    bench.run();
    assert!(taken(&told).is_empty());
    assert_eq!(taken(&other), ["*one", "+two"]);
}

#[test]
fn a_handler_that_is_taken_off_while_the_informer_runs_hears_no_more() {
    let bench = Bench::with(&[]);
    let informer = bench.started();
    let (registration, told) = listen(&informer);
    bench.put("one", "1");
    bench.run();
    assert_eq!(taken(&told), ["+one"]);
    // What is on its way to it already it does not hear either.
    bench.put("two", "1");
    while names(&informer) != ["one", "two"] {
        assert!(bench.platform.turn());
    }
    informer.remove_event_handler(&registration);
    bench.put("three", "1");
    bench.run();
    assert!(taken(&told).is_empty());
}

#[test]
fn a_handler_that_comes_late_has_synced_once_it_has_handled_what_was_there() {
    let bench = Bench::with(&["one"]);
    let informer = bench.informer();
    let (early, told_early) = listen(&informer);
    assert!(!early.has_synced());
    informer.start();
    bench.run();
    assert!(early.has_synced());
    let (late, told_late) = listen(&informer);
    assert!(!late.has_synced(), "it has handled nothing yet");
    bench.put("two", "1");
    bench.run();
    assert!(late.has_synced());
    for told in [told_early, told_late] {
        assert_eq!(taken(&told), ["*one", "+two"]);
    }
}

#[test]
fn a_handler_made_of_closures_hears_of_what_it_has_one_for() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    let told = super::bench::Told::default();
    let log = |sign: &'static str| {
        let told = Arc::clone(&told);
        move |object: &Arc<Unstructured>| told.lock().unwrap().push(format!("{sign}{}", object.name()))
    };
    let (added, updated, deleted) = (log("+"), log("~"), log("-"));
    let all = HandlerFuncs::new()
        .on_add(move |object, _| added(object))
        .on_update(move |_, after| updated(after))
        .on_delete(move |last, _| deleted(last));
    informer.add_event_handler(all).unwrap();
    let gone = log("gone ");
    informer.add_event_handler(HandlerFuncs::new().on_delete(move |last, _| gone(last))).unwrap();
    informer.add_event_handler(HandlerFuncs::default()).unwrap();
    bench.run();
    bench.put("one", "2");
    bench.remove("one");
    bench.run();
    assert_eq!(taken_sorted(&told), ["+one", "-one", "gone one", "~one"]);
}

#[test]
fn a_filter_turns_what_comes_to_pass_into_something_new_and_what_passes_no_more_into_something_gone() {
    let bench = Bench::with(&[]);
    bench.put_labelled("shown", "1", &["show"]);
    bench.put_labelled("hidden", "1", &[]);
    let informer = bench.started();
    let told = super::bench::Told::default();
    let log = |sign: &'static str| {
        let told = Arc::clone(&told);
        move |object: &Arc<Unstructured>| told.lock().unwrap().push(format!("{sign}{}", object.name()))
    };
    let (added, updated, deleted) = (log("+"), log("~"), log("-"));
    let handler = HandlerFuncs::new()
        .on_add(move |object, _| added(object))
        .on_update(move |_, after| updated(after))
        .on_delete(move |last, _| deleted(last));
    informer.add_event_handler(Filtering::new(|object: &Unstructured| object.labels().contains_key("show"), handler)).unwrap();
    bench.run();
    bench.put_labelled("shown", "2", &["show"]);
    bench.put_labelled("hidden", "2", &[]);
    bench.put_labelled("hidden", "3", &["show"]);
    bench.put_labelled("shown", "3", &[]);
    bench.remove("shown");
    bench.remove("hidden");
    bench.run();
    assert_eq!(taken(&told), ["+shown", "~shown", "+hidden", "-shown", "-hidden"]);
}
