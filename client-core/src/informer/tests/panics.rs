//! Handlers and readers that panic.

#![cfg(not(target_family = "wasm"))]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use super::bench::{Bench, listen, taken, word};
use crate::{
    informer::{InformerOptions, Intake, News},
    object::Unstructured,
    queue::{Fifo, FifoOptions, Transform},
};

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
fn a_reader_that_panics_is_called_no_more_and_hurts_no_other() {
    let bench = Bench::with(&["one"]);
    let informer = bench.informer();
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    informer.subscribe(move |news: &News<'_, Unstructured>| {
        count.fetch_add(1, Ordering::Relaxed);
        assert!(news.changes.is_empty(), "just panic");
    });
    let (_, told) = listen(&informer);
    informer.start();
    bench.run();
    assert_eq!((taken(&told), informer.has_synced()), (vec!["*one".to_owned()], true));
    let before = calls.load(Ordering::Relaxed);
    bench.put("two", "1");
    bench.run();
    assert_eq!((taken(&told), calls.load(Ordering::Relaxed)), (vec!["+two".to_owned()], before));
}

#[test]
fn a_transform_that_panics_is_heard_by_who_runs_the_informer_and_ends_it() {
    let bench = Bench::with(&["one"]);
    let transform: Box<dyn Transform<Unstructured>> = Box::new(|_: &mut Unstructured| panic!("just panic"));
    let queue = Fifo::new(FifoOptions { transform: Some(transform), ..FifoOptions::default() });
    let informer =
        bench.informer_of::<Unstructured>(InformerOptions { intake: Intake::whole(queue), ..InformerOptions::default() });
    informer.start();
    let panicked = catch_unwind(AssertUnwindSafe(|| bench.run())).unwrap_err();
    assert!(panicked.downcast_ref::<&str>().is_some_and(|message| message.contains("just panic")));
    // Nobody waits for ever for the end of what has ended.
    assert!(informer.is_stopped() && informer.changes().is_err());
}
