//! Many threads at once, natively (client-go `tools/cache/shared_informer_test.go`, `tools/cache/synctrack`).

#![expect(clippy::disallowed_methods, reason = "threads are what is tested")]

use std::{
    sync::{
        Arc, Barrier, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use super::bench::{Bench, listen, names};
use crate::{
    informer::{HandlerFuncs, InformerError, synctrack::AsyncTracker, synctrack::Lazy},
    object::Unstructured,
    platform::Chance,
};

#[test]
fn of_many_that_start_an_informer_at_once_one_does() {
    for _ in 0..20 {
        let bench = Bench::with(&["one"]);
        let informer = bench.informer();
        let (together, started) = (Barrier::new(8), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    together.wait();
                    if informer.start() {
                        started.fetch_add(1, Ordering::Relaxed);
                    }
                    listen(&informer);
                });
            }
        });
        bench.run();
        assert_eq!((started.load(Ordering::Relaxed), bench.requests().len()), (1, 1));
        assert!(informer.has_synced());
    }
}

#[test]
fn handlers_come_and_go_on_threads_while_objects_change_and_the_informer_stops() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    let stopped = AtomicBool::new(false);
    let (steady, told) = listen(&informer);
    thread::scope(|scope| {
        for seed in 0..8 {
            let (informer, stopped) = (informer.clone(), &stopped);
            scope.spawn(move || {
                let mut chance = Chance(seed);
                let mut registrations = Vec::new();
                for _ in 0..200 {
                    if registrations.len() < 20 && chance.percent(50) {
                        let added = if chance.percent(50) {
                            informer.add_event_handler_with_resync(HandlerFuncs::<Unstructured>::new(), Duration::from_secs(1))
                        } else {
                            informer.on_change(|_| {})
                        };
                        match added {
                            Ok(registration) => registrations.push(registration),
                            Err(error) => {
                                assert_eq!(error, InformerError::Stopped);
                                assert!(stopped.load(Ordering::Acquire));
                                return;
                            }
                        }
                    } else if let Some(registration) = registrations.pop() {
                        informer.remove_event_handler(&registration);
                    }
                }
            });
        }
        let mut chance = Chance(99);
        for round in 0..300 {
            let name = format!("object-{}", chance.below(20));
            if chance.percent(70) {
                bench.put(&name, &round.to_string());
            } else {
                bench.remove(&name);
            }
            bench.platform.turn();
        }
        bench.run();
        stopped.store(true, Ordering::Release);
        informer.stop();
        while !informer.is_stopped() {
            bench.run();
        }
    });
    bench.run();
    assert!(steady.has_synced());
    // Nothing is missing of what the handler that stayed was told.
    let mut there = std::collections::BTreeSet::new();
    for word in told.lock().unwrap().iter() {
        let (sign, name) = word.split_at(1);
        let changed = match sign {
            "*" | "+" => there.insert(name.to_owned()),
            "-" | "?" => there.remove(name),
            _ => there.contains(name),
        };
        assert!(changed, "{word}");
    }
    assert_eq!(there.into_iter().collect::<Vec<_>>(), names(&informer));
    assert_eq!(bench.platform.running_tasks(), 0);
}

#[test]
fn a_tracker_is_told_by_many_threads() {
    let tracker = AsyncTracker::default();
    thread::scope(|scope| {
        for key in 0..11 {
            let tracker = tracker.clone();
            scope.spawn(move || {
                tracker.start(key);
                thread::spawn(move || tracker.finished(&key)).join().unwrap();
            });
        }
    });
    assert!(!tracker.has_synced());
    tracker.upstream_has_synced();
    assert!(tracker.has_synced());
}

#[test]
fn a_lazy_value_is_never_older_than_what_was_notified_before_it_was_asked_for() {
    let reality = AtomicUsize::new(0);
    let value = Lazy::new(|| Ok::<_, ()>(reality.load(Ordering::SeqCst)));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let set = reality.fetch_add(1, Ordering::SeqCst) + 1;
                    value.notify();
                    assert!(value.value().unwrap() >= set);
                }
            });
        }
    });
}

type Evaluate = Box<dyn Fn() -> Result<usize, ()> + Send + Sync>;

/// A lazy value whose makers say that they began and go on when they are told to.
struct Made {
    began: mpsc::Receiver<usize>,
    go_on: Vec<mpsc::Sender<()>>,
    value: Arc<Lazy<usize, Evaluate>>,
    count: Arc<AtomicUsize>,
}

fn made(most: usize) -> Made {
    let (say, began) = mpsc::channel();
    let (go_on, gates): (Vec<_>, Vec<_>) = (0..most).map(|_| mpsc::channel::<()>()).unzip();
    let (gates, say, count) =
        (gates.into_iter().map(Mutex::new).collect::<Vec<_>>(), Mutex::new(say), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&count);
    let evaluate = move || {
        let number = counted.fetch_add(1, Ordering::SeqCst);
        say.lock().unwrap().send(number).unwrap();
        gates[number].lock().unwrap().recv().unwrap();
        Ok(number)
    };
    Made { began, go_on, value: Arc::new(Lazy::new(Box::new(evaluate))), count }
}

#[test]
fn a_value_that_was_begun_before_a_notify_and_comes_after_the_newer_one_does_not_take_its_place() {
    let Made { began, go_on, value, count } = made(2);
    thread::scope(|scope| {
        let old = scope.spawn(|| value.value().unwrap());
        assert_eq!(began.recv().unwrap(), 0);
        value.notify();
        let new = scope.spawn(|| value.value().unwrap());
        assert_eq!(began.recv().unwrap(), 1);
        go_on[1].send(()).unwrap();
        assert_eq!(new.join().unwrap(), 1);
        go_on[0].send(()).unwrap();
        assert_eq!(old.join().unwrap(), 0);
    });
    assert_eq!((value.value().unwrap(), count.load(Ordering::SeqCst)), (1, 2));
}

#[test]
fn a_value_that_was_begun_before_a_notify_and_comes_first_is_followed_by_the_newer_one() {
    let Made { began, go_on, value, count } = made(2);
    thread::scope(|scope| {
        let old = scope.spawn(|| value.value().unwrap());
        assert_eq!(began.recv().unwrap(), 0);
        value.notify();
        let new = scope.spawn(|| value.value().unwrap());
        assert_eq!(began.recv().unwrap(), 1);
        go_on[0].send(()).unwrap();
        assert_eq!(old.join().unwrap(), 0);
        go_on[1].send(()).unwrap();
        assert_eq!(new.join().unwrap(), 1);
    });
    assert_eq!((value.value().unwrap(), count.load(Ordering::SeqCst)), (1, 2));
}

#[test]
fn many_who_ask_for_the_same_value_wait_for_one_that_makes_it() {
    let Made { began, go_on, value, count } = made(1);
    value.notify();
    thread::scope(|scope| {
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(|| value.value().unwrap())).collect();
        assert_eq!(began.recv().unwrap(), 0);
        go_on[0].send(()).unwrap();
        assert!(asking.into_iter().all(|asked| asked.join().unwrap() == 0));
    });
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn who_asks_after_a_notify_does_not_wait_for_values_that_are_old_by_then() {
    let Made { began, go_on, value, count } = made(100);
    thread::scope(|scope| {
        // Each is begun while all before it are still being made.
        let asking: Vec<_> = (0..100)
            .map(|number| {
                value.notify();
                let asked = scope.spawn(|| value.value().unwrap());
                assert_eq!(began.recv().unwrap(), number);
                asked
            })
            .collect();
        for (asked, number) in asking.into_iter().zip(0..100).rev() {
            go_on[number].send(()).unwrap();
            assert_eq!(asked.join().unwrap(), number);
        }
    });
    assert_eq!((value.value().unwrap(), count.load(Ordering::SeqCst)), (99, 100));
}
