//! The factory: one informer for all who ask for the same (client-go `informers/factory.go`).

use std::time::Duration;

use futures::FutureExt as _;

use super::bench::{Bench, config_maps, listen, names, taken};
use crate::{
    informer::{FactoryOptions, Selection, SharedInformerFactory, wait_for_sync},
    meta::GroupVersionResource,
    object::Unstructured,
    platform::ready,
    reflector::{Following, ReflectorOptions},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn factory(bench: &Bench, options: FactoryOptions) -> SharedInformerFactory {
    SharedInformerFactory::new(bench.server.client(), options)
}

fn in_default() -> FactoryOptions {
    FactoryOptions { namespace: "default".into(), ..FactoryOptions::default() }
}

#[test]
fn who_asks_for_the_same_shares_one_informer_and_other_forms_have_their_own() {
    let bench = Bench::with(&["one"]);
    let factory = factory(&bench, in_default());
    let one = factory.dynamic(config_maps(), true);
    let two = factory.clone().objects::<Unstructured>(config_maps(), true);
    let metadata = factory.metadata(config_maps(), true);
    let table = factory.table(&config_maps(), true).unwrap();
    factory.start();
    bench.run();
    assert_eq!(bench.requests().len(), 3);
    bench.put("two", "1");
    bench.run();
    assert_eq!([names(&one), names(&two), names(&metadata)], [["one", "two"]; 3]);
    assert_eq!(table.read(|state| state.rows.len()), 2);
}

#[test]
fn starting_starts_what_has_not_started_and_nothing_twice() {
    let bench = Bench::with(&["one"]);
    let factory = factory(&bench, in_default());
    let first = factory.dynamic(config_maps(), true);
    factory.start();
    factory.start();
    bench.run();
    assert_eq!(bench.requests().len(), 1);
    let later = factory.dynamic(GroupVersionResource::new("", "v1", "pods"), true);
    bench.run();
    assert!(first.is_started() && !later.is_started());
    assert_eq!(bench.requests(), [""; 0]);
    factory.start();
    bench.run();
    assert!(later.has_synced());
    let asked = bench.requests();
    assert!(asked.len() == 1 && asked[0].contains("/pods?"), "{asked:?}");
}

#[test]
fn an_informer_ends_with_its_last_handle_or_a_while_after_it() {
    for linger in [0, 30] {
        let bench = Bench::with(&["one"]);
        let factory = factory(&bench, FactoryOptions { linger: Duration::from_secs(linger), ..in_default() });
        let (one, two) = (factory.dynamic(config_maps(), true), factory.dynamic(config_maps(), true));
        let three = one.clone();
        factory.start();
        bench.run();
        drop((one, three));
        bench.pass(Duration::from_secs(60));
        assert_eq!(bench.server.open_watches(), 1, "there is one left");
        drop(two);
        bench.run();
        assert_eq!(bench.server.open_watches(), usize::from(linger > 0));
        // Who comes in time finds all of it.
        bench.pass(Duration::from_secs(29));
        bench.requests();
        let again = factory.dynamic(config_maps(), true);
        assert_eq!(again.has_synced(), linger > 0);
        bench.pass(Duration::from_secs(60));
        assert_eq!((bench.server.open_watches(), bench.requests().len()), (usize::from(linger > 0), 0));
        drop(again);
        bench.pass(Duration::from_secs(31));
        assert_eq!((bench.server.open_watches(), bench.platform.running_tasks()), (0, 0));
    }
}

#[test]
fn who_comes_before_an_informer_ends_keeps_it_for_all_who_come_later() {
    let bench = Bench::with(&["one"]);
    let factory = factory(&bench, FactoryOptions { linger: Duration::from_secs(30), ..in_default() });
    drop(factory.dynamic(config_maps(), true));
    factory.start();
    bench.pass(Duration::from_secs(20));
    let one = factory.dynamic(config_maps(), true);
    // The time of the first has passed.
    bench.pass(Duration::from_secs(20));
    bench.requests();
    let two = factory.dynamic(config_maps(), true);
    factory.start();
    bench.run();
    assert!(one.has_synced() && two.has_synced());
    assert_eq!((bench.requests().len(), bench.server.open_watches()), (0, 1));
}

#[test]
fn informers_of_a_factory_follow_their_collections_as_it_was_told() {
    for (following, streamed) in [(Following::WatchList, true), (Following::Watch, false)] {
        let bench = Bench::with(&["one"]);
        let factory = factory(&bench, FactoryOptions { reflector: ReflectorOptions::following(following), ..in_default() });
        let informers = (factory.dynamic(config_maps(), true), factory.table(&config_maps(), true).unwrap());
        factory.start();
        bench.run();
        let requests = bench.requests();
        assert_eq!(requests.len(), if streamed { 2 } else { 4 }, "{requests:?}");
        assert_eq!(requests.iter().filter(|path| path.contains("sendInitialEvents")).count(), if streamed { 2 } else { 0 });
        drop(informers);
    }
}

#[test]
fn informers_run_on_until_the_factory_is_shut_down_where_that_is_wanted() {
    let bench = Bench::with(&["one"]);
    let factory = factory(&bench, FactoryOptions { linger: Duration::MAX, ..in_default() });
    drop(factory.dynamic(config_maps(), true));
    factory.start();
    bench.pass(Duration::from_secs(100));
    assert_eq!(bench.server.open_watches(), 1);
    let informer = factory.dynamic(config_maps(), true);
    let (registration, told) = listen(&informer);
    let mut end = Box::pin(factory.shut_down());
    assert!((&mut end).now_or_never().is_none(), "there is something left to handle");
    bench.run();
    assert!(end.now_or_never().is_some() && registration.has_synced());
    assert_eq!(taken(&told), ["*one"]);
    assert_eq!((bench.server.open_watches(), bench.platform.running_tasks()), (0, 0));
    // Whatever is asked for now does not start, and shutting down again is no fault.
    let late = factory.metadata(config_maps(), true);
    factory.start();
    bench.run();
    assert!(!late.is_started());
    ready(factory.shut_down());
}

#[test]
fn who_waits_for_all_hears_which_have_their_list_and_which_ended_without_one() {
    let bench = Bench::with(&["one"]);
    let factory = factory(&bench, in_default());
    let synced = factory.dynamic(config_maps(), true);
    let stopped = factory.metadata(config_maps(), true);
    assert!(factory.wait_for_cache_sync().now_or_never().is_none());
    stopped.stop();
    factory.start();
    let mut waiting = Box::pin(factory.wait_for_cache_sync());
    assert!((&mut waiting).now_or_never().is_none());
    bench.run();
    let mut found: Vec<_> = waiting.now_or_never().unwrap().into_iter().map(|(key, synced)| (key.resource, synced)).collect();
    found.sort_by_key(|(_, synced)| *synced);
    assert_eq!(found, [(config_maps(), false), (config_maps(), true)]);
    assert!(synced.has_synced());
    let error = ready(wait_for_sync(factory.caches(), std::future::pending::<&str>(), |_| {})).unwrap_err();
    assert_eq!(error.names, ["configmaps"]);
}

#[test]
fn informers_of_a_factory_follow_its_part_of_each_collection() {
    let bench = Bench::with(&[]);
    bench.put_labelled("shown", "1", &["show"]);
    bench.put_labelled("hidden", "1", &[]);
    let selection = Selection { label_selector: Some("show".to_owned()), ..Selection::default() };
    let factory = factory(&bench, FactoryOptions { selection, ..in_default() });
    let informer = factory.dynamic(config_maps(), true);
    factory.start();
    bench.run();
    assert_eq!(names(&informer), ["shown"]);
    let (_, told) = listen(&informer);
    // What comes to match is new, what matches no more is gone.
    bench.put_labelled("hidden", "2", &["show"]);
    bench.put_labelled("shown", "2", &[]);
    bench.run();
    assert_eq!(taken(&told), ["*shown", "+hidden", "-shown"]);
}
