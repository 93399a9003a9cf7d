//! What client-go's controller is tested for (`tools/cache/controller_test.go`): from deltas to the cache and the handlers.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use super::bench::{Bench, following, intakes, listen, names, taken, taken_sorted, word};
use crate::{
    informer::{Change, HandlerFuncs, InformerOptions, Intake, process::process},
    object::{Object as _, PartialObjectMetadata, Unstructured},
    queue::{Fifo, FifoOptions, Queue as _},
    reflector::{Following, Signal},
    store::{Key, SharedIndexer},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn value_of(object: &Unstructured) -> String {
    object.nested(&["data", "value"]).unwrap().unwrap_or_default()
}

#[test]
fn who_deletes_each_object_that_changed_hears_of_its_change_and_of_its_end() {
    for seed in 0..20 {
        let bench = Bench::with(&[]);
        bench.platform.set_seed(seed);
        let informer = bench.started();
        let told = super::bench::Told::default();
        let (updated, deleted) = (Arc::clone(&told), Arc::clone(&told));
        let hand = bench.clone();
        let handler = HandlerFuncs::<Unstructured>::new()
            .on_update(move |before, after| {
                updated.lock().unwrap().push(format!("{} {}->{}", after.name(), value_of(before), value_of(after)));
                assert!(hand.remove(after.name()));
            })
            .on_delete(move |last, _| deleted.lock().unwrap().push(format!("{} {}", last.name(), value_of(last))));
        informer.add_event_handler(handler).unwrap();
        for name in ["a", "b", "c"] {
            bench.put(name, "from");
            bench.platform.turn();
        }
        bench.run();
        for name in ["c", "a", "b"] {
            bench.put(name, "to");
            bench.platform.turn();
        }
        bench.run();
        let expected = ["a from->to", "a to", "b from->to", "b to", "c from->to", "c to"];
        assert_eq!(taken_sorted(&told), expected, "{seed}");
        assert!(names(&informer).is_empty());
    }
}

/// A transform that changes the objects as client-go's test does, and forgets their versions.
fn marking() -> Intake<Unstructured> {
    let transform = |object: &mut Unstructured| {
        let value = value_of(object);
        assert!(!value.starts_with("seen "), "it has been here before");
        object.set_nested(&["data", "value"], format!("seen {value}")).unwrap();
        object.remove_nested(&["data", "other"]).unwrap();
    };
    Intake::whole(Fifo::new(FifoOptions { transform: Some(Box::new(transform)), ..FifoOptions::default() }))
}

#[test]
fn the_cache_and_the_handlers_have_objects_as_the_transform_left_them_before_and_after() {
    let bench = Bench::with(&[]);
    bench.put("one", "1");
    bench.put("one", "2");
    let informer = bench.informer_of(InformerOptions { intake: marking(), ..InformerOptions::default() });
    let told = super::bench::Told::default();
    let log = Arc::clone(&told);
    informer
        .on_change(move |change: &Change<Unstructured>| {
            let before = if let Change::Updated { before, .. } = change { value_of(before) } else { String::new() };
            log.lock().unwrap().push(format!("{} {before}>{}", word(change), value_of(change.object())));
        })
        .unwrap();
    informer.start();
    bench.run();
    assert_eq!(taken(&told), ["*one >seen 2"]);
    bench.put("two", "1");
    bench.run();
    bench.put("two", "2");
    bench.run();
    bench.remove("one");
    bench.run();
    assert_eq!(taken(&told), ["+two >seen 1", "~two seen 1>seen 2", "-one >seen 2"]);
    let values: Vec<_> = informer.indexer().list().iter().map(|object| value_of(object)).collect();
    assert_eq!(values, ["seen 2"]);
}

#[test]
fn a_transform_sees_each_version_of_an_object_once_whatever_becomes_of_its_list_and_resyncs_bring_none() {
    for following_by in [Following::WatchList, Following::Watch] {
        for disturb in [false, true] {
            let bench = Bench::with(&["one", "two", "three"]);
            if disturb {
                // The first try ends in the midst of its list.
                let cut = crate::fake::FaultKind::CutAfter(700);
                bench.server.faults().add(crate::fake::Fault::new(cut).on_path("/configmaps").once());
            }
            let options = following(following_by);
            let informer = bench.informer_of(InformerOptions { intake: marking(), ..options });
            let told = super::bench::Told::default();
            let log = Arc::clone(&told);
            let handler =
                HandlerFuncs::<Unstructured>::new().on_update(move |_, after| log.lock().unwrap().push(value_of(after)));
            informer.add_event_handler_with_resync(handler, std::time::Duration::from_secs(5)).unwrap();
            informer.start();
            bench.pass(std::time::Duration::from_secs(60));
            assert_eq!(names(&informer), ["one", "three", "two"], "{following_by:?} {disturb}");
            let told = taken(&told);
            assert!(told.len() > 20 && told.iter().all(|value| value == "seen 1"), "{told:?}");
        }
    }
}

fn object(name: &str, version: &str) -> PartialObjectMetadata {
    PartialObjectMetadata::new(crate::meta::ObjectMeta {
        namespace: "default".into(),
        name: name.into(),
        resource_version: version.into(),
        ..Default::default()
    })
}

#[test]
fn what_went_unseen_is_told_by_the_key_that_it_had() {
    let indexer = SharedIndexer::<PartialObjectMetadata>::default();
    let mut queue = Fifo::default();
    let mut changes = Vec::new();
    queue.replace(vec![object("pod", "1")], "1".into(), &indexer);
    queue.replace(Vec::<PartialObjectMetadata>::new(), "2".into(), &indexer);
    while let Some(popped) = queue.pop() {
        indexer.write(|indexer| process(popped, indexer, &mut changes));
    }
    let Some(change @ Change::Deleted { last, is_final_state_unknown: true, .. }) = changes.last() else { panic!("{changes:?}") };
    assert_eq!(*change.key(), Key::of(&**last));
    assert_eq!(change.key().split().unwrap(), ("default", "pod"));
}

/// What a list in place of what is there is told as, with the versions of the object and of what the cache has of it then.
fn replaced(atomic: bool, before: &[(&str, &str)], list: &[(&str, &str)], version: &str) -> (Vec<String>, Vec<String>, String) {
    let indexer = SharedIndexer::<PartialObjectMetadata>::default();
    let mut queue = Fifo::new(FifoOptions { atomic, ..FifoOptions::default() });
    let pop = |queue: &mut Fifo<PartialObjectMetadata>| {
        let mut words = Vec::new();
        while let Some(popped) = queue.pop() {
            let mut changes = Vec::new();
            indexer.write(|indexer| process(popped, indexer, &mut changes));
            words.extend(changes.iter().map(|change| {
                let stored = indexer.find(change.key().as_str());
                let stored = stored.map_or("none".to_owned(), |stored| stored.resource_version().to_owned());
                format!("{}@{} {stored}", word(change), change.object().resource_version())
            }));
        }
        // What is gone is told in no order.
        let gone = words.iter().take_while(|word| word.starts_with('?')).count();
        words[..gone].sort();
        words
    };
    // An informer that has synced, over what was there before.
    queue.replace(Vec::<PartialObjectMetadata>::new(), "0".into(), &indexer);
    pop(&mut queue);
    for (name, version) in before {
        queue.add(object(name, version));
    }
    pop(&mut queue);
    queue.replace(list.iter().map(|(name, version)| object(name, version)).collect::<Vec<_>>(), version.into(), &indexer);
    let words = pop(&mut queue);
    let stored: BTreeMap<_, _> =
        indexer.list().iter().map(|object| (object.name().to_owned(), object.resource_version().to_owned())).collect();
    let stored = stored.into_iter().map(|(name, version)| format!("{name}@{version}")).collect();
    (words, stored, indexer.resource_version().to_string())
}

#[test]
fn a_whole_list_is_told_as_what_is_gone_and_then_what_changed_and_is_new_in_its_order() {
    for atomic in [false, true] {
        let (words, stored, _) = replaced(atomic, &[], &[("pod-1", "1")], "1");
        assert_eq!((words, stored), (vec!["+pod-1@1 1".to_owned()], vec!["pod-1@1".to_owned()]), "{atomic}");
        let (words, stored, _) = replaced(atomic, &[("pod-1", "1"), ("pod-3", "2")], &[], "2");
        assert_eq!(words, ["?pod-1@1 none", "?pod-3@2 none"], "{atomic}");
        assert!(stored.is_empty());
        let (words, stored, version) = replaced(
            atomic,
            &[("pod-1", "1"), ("pod-2", "2"), ("pod-3", "3")],
            &[("pod-1", "4"), ("pod-2", "5"), ("pod-4", "6")],
            "6",
        );
        assert_eq!(words, ["?pod-3@3 none", "~pod-1@4 4", "~pod-2@5 5", "+pod-4@6 6"], "{atomic}");
        assert_eq!(stored, ["pod-1@4", "pod-2@5", "pod-4@6"]);
        assert_eq!(version, "6", "{atomic}");
    }
}

#[test]
fn after_a_watch_that_was_lost_what_changed_is_an_update_and_what_is_new_was_not_there_before() {
    for intake in intakes::<Unstructured>() {
        let bench = Bench::with(&["one"]);
        let informer = bench.informer_of(InformerOptions { intake, ..InformerOptions::default() });
        let (_, told) = listen(&informer);
        informer.start();
        bench.run();
        assert_eq!(taken(&told), ["*one"]);
        informer.signal(Signal::Suspend);
        bench.run();
        bench.put("one", "2");
        bench.put("two", "1");
        bench.server.compact(&bench.server.resource_version());
        informer.signal(Signal::Resume);
        bench.run();
        assert_eq!(taken_sorted(&told), ["+two", "~one"]);
    }
}

#[test]
fn what_was_deleted_and_made_again_unseen_is_told_as_one_that_changed() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    let uids = Arc::<Mutex<Vec<(String, String)>>>::default();
    let log = Arc::clone(&uids);
    let (_, told) = listen(&informer);
    let handler = HandlerFuncs::<Unstructured>::new()
        .on_update(move |before, after| log.lock().unwrap().push((before.uid().to_owned(), after.uid().to_owned())));
    informer.add_event_handler(handler).unwrap();
    informer.signal(Signal::Suspend);
    bench.run();
    bench.remove("one");
    bench.put("one", "1");
    bench.server.compact(&bench.server.resource_version());
    informer.signal(Signal::Resume);
    bench.run();
    assert_eq!(taken(&told), ["*one", "~one"]);
    let uids = uids.lock().unwrap();
    assert!(uids.len() == 1 && uids[0].0 != uids[0].1, "{uids:?}");
}

#[test]
fn the_version_of_the_cache_follows_what_comes_and_what_goes() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    let version = || informer.indexer().resource_version();
    assert_eq!(version(), bench.server.resource_version());
    let put = bench.put("one", "2");
    bench.run();
    assert_eq!(version(), put);
    bench.remove("one");
    bench.run();
    assert_eq!(version(), bench.server.resource_version());
    assert_ne!(version(), put, "a deletion has a version of its own");
    // Of what is of another kind only a bookmark tells.
    bench.server.insert(&serde_json::json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "new" } })).unwrap();
    bench.server.send_bookmarks();
    bench.run();
    assert_eq!(version(), bench.server.resource_version());
}

#[test]
fn the_version_of_a_cache_whose_objects_lost_theirs_follows_lists_and_bookmarks() {
    let bench = Bench::with(&["one"]);
    let transform = |object: &mut Unstructured| object.set_metadata(crate::meta::ObjectMeta::default());
    let queue = Fifo::new(FifoOptions { transform: Some(Box::new(transform)), ..FifoOptions::default() });
    let informer = bench.informer_of(InformerOptions { intake: Intake::whole(queue), ..InformerOptions::default() });
    informer.start();
    bench.run();
    let version = || informer.indexer().resource_version();
    let listed = bench.server.resource_version();
    assert_eq!(version(), listed);
    bench.put("one", "2");
    bench.run();
    assert_eq!(version(), listed, "the event had lost its version");
    bench.server.send_bookmarks();
    bench.run();
    assert_eq!(version(), bench.server.resource_version());
    informer.signal(Signal::Suspend);
    bench.run();
    bench.put("one", "3");
    bench.server.compact(&bench.server.resource_version());
    informer.signal(Signal::Resume);
    bench.run();
    assert_eq!(version(), bench.server.resource_version());
}
