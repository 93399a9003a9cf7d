//! Handlers and readers that panic.

#![cfg(not(target_family = "wasm"))]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use super::bench::{Bench, listen, taken, word};
use crate::{informer::News, object::Unstructured};

#[test]
fn a_handler_that_panics_each_time_pauses_each_time_and_is_told_of_all() {
    let bench = Bench::with(&["one", "two", "three", "four", "five"]);
    let informer = bench.informer();
    let told = super::bench::Told::default();
    let registrations = [(); 2].map(|()| {
        let log = told.clone();
        let handle = move |change: &crate::informer::Change<Unstructured>| {
            log.lock().unwrap().push(word(change));
            panic!("a fake panic");
        };
        informer.on_change(handle).unwrap()
    });
    let (_, quiet) = listen(&informer);
    informer.start();
    bench.run();
    assert!(informer.has_synced());
    assert_eq!((taken(&told).len(), taken(&quiet).len()), (2, 5), "who does not panic does not wait");
    for second in 1..5 {
        assert!(registrations.iter().all(|registration| !registration.has_synced()), "{second}");
        bench.pass(Duration::from_millis(999));
        assert!(taken(&told).is_empty());
        bench.pass(Duration::from_millis(1));
        assert_eq!(taken(&told).len(), 2);
    }
    bench.pass(Duration::from_secs(1));
    // client-go's never say so: its count misses what panicked.
    assert!(registrations.iter().all(crate::informer::HandlerRegistration::has_synced));
}

#[test]
fn a_reader_that_panics_is_heard_by_who_runs_the_informer() {
    let bench = Bench::with(&["one"]);
    let informer = bench.informer();
    informer.subscribe(|news: &News<'_, Unstructured>| assert!(news.changes.is_empty(), "just panic"));
    informer.start();
    let panicked = catch_unwind(AssertUnwindSafe(|| bench.run())).unwrap_err();
    assert!(panicked.downcast_ref::<&str>().is_some_and(|message| message.contains("just panic")));
    // The cache is whole, and may be read and asked for things.
    assert_eq!(super::bench::names(&informer), ["one"]);
    let (_, told) = listen(&informer);
    bench.run();
    assert_eq!(taken(&told), ["*one"]);
}
