//! The contract of informers, as the documentation of `informer` has it: each sentence there names a test here. They hold in
//! random stories of a server and its faults.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::StreamExt as _;

use super::story::{Changes, Snapshot, Story, Way, cached, on_server, replay, version, words};
use crate::{
    informer::{Change, News},
    meta::ResourceVersion,
    object::{Object as _, Unstructured},
    platform::ready,
    reflector::Signal,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const STORIES: u64 = 40;
const STEPS: u64 = 60;

/// Tells a story in each of many ways.
fn in_all_stories(way: Way, tell: impl Fn(u64, Story)) {
    for seed in 0..STORIES {
        tell(seed, Story::new(seed, way));
    }
}

#[test]
fn the_cache_comes_to_have_what_the_server_has() {
    in_all_stories(Way::Any, |_, mut story| {
        story.informer.start();
        for _ in 0..STEPS {
            story.step();
        }
        story.settle();
        for name in ["a", "f"] {
            assert_eq!(story.informer.indexer().find(&format!("default/{name}")).is_some(), on_server(&story.bench, name));
        }
    });
}

#[test]
fn an_object_goes_through_some_of_its_states_in_their_order_and_never_back() {
    in_all_stories(Way::Any, |seed, mut story| {
        let seen = Arc::<Mutex<BTreeMap<String, Vec<u64>>>>::default();
        let log = Arc::clone(&seen);
        story.informer.subscribe(move |news: &News<'_, Unstructured>| {
            let mut seen = log.lock().unwrap();
            news.cache.read(|cache| {
                for (_, object) in cache.iter_unsorted() {
                    let versions = seen.entry(object.name().to_owned()).or_default();
                    if versions.last() != Some(&version(object)) {
                        versions.push(version(object));
                    }
                }
            });
        });
        story.informer.start();
        for _ in 0..STEPS {
            story.step();
        }
        story.settle();
        let history = story.history.lock().unwrap();
        for (name, seen) in &*seen.lock().unwrap() {
            let mut states: Vec<_> = history.iter().filter_map(|snapshot| snapshot.get(name)).collect();
            states.dedup();
            assert!(
                seen.is_sorted() && seen.iter().all(|version| states.contains(&version)),
                "{seed} {name}: {seen:?} {states:?}"
            );
        }
    });
}

#[test]
fn a_cache_that_takes_lists_in_whole_is_what_the_server_had_at_one_moment_and_never_goes_back() {
    in_all_stories(Way::Whole, |seed, mut story| {
        let history = Arc::clone(&story.history);
        let last = Mutex::new(0);
        story.informer.subscribe(move |news: &News<'_, Unstructured>| {
            if !news.is_synced {
                return;
            }
            let there: Snapshot = news.cache.list().iter().map(|object| (object.name().to_owned(), version(object))).collect();
            let (history, mut last) = (history.lock().unwrap(), last.lock().unwrap());
            let found = history.iter().skip(*last).position(|snapshot| *snapshot == there);
            *last += found.unwrap_or_else(|| panic!("{seed}: {there:?} was never there after {:?}", history[*last]));
        });
        story.informer.start();
        for _ in 0..STEPS {
            story.step();
        }
        story.settle();
    });
}

#[test]
fn the_cache_has_a_change_before_any_reader_hears_of_it() {
    in_all_stories(Way::Any, |_, mut story| {
        story.informer.subscribe(|news: &News<'_, Unstructured>| {
            let last: BTreeMap<_, _> = news.changes.iter().map(|change| (change.key().clone(), change)).collect();
            for (key, change) in last {
                let there = news.cache.find(key.as_str());
                match change {
                    Change::Deleted { .. } => assert!(there.is_none(), "{change:?}"),
                    change => assert!(there.is_some_and(|there| Arc::ptr_eq(&there, change.object())), "{change:?}"),
                }
            }
        });
        let (informer, handled) = (story.informer.clone(), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&handled);
        story
            .informer
            .on_change(move |change| {
                count.fetch_add(1, Ordering::Relaxed);
                let there = informer.indexer().find(change.key().as_str());
                let later = there.is_none_or(|there| version(&there) >= version(change.object()));
                assert!(later, "{change:?} is not in the cache yet");
            })
            .unwrap();
        story.informer.start();
        for _ in 0..STEPS {
            story.step();
        }
        story.settle();
        assert!(handled.load(Ordering::Relaxed) > 0);
        story.informer.stop();
    });
}

#[test]
fn each_handler_is_told_the_changes_of_one_object_in_their_order_and_none_twice() {
    in_all_stories(Way::Any, |seed, mut story| {
        let mut handlers: Vec<Changes> = vec![story.listen().1];
        story.informer.start();
        for _ in 0..STEPS {
            story.step();
            if story.chance.percent(10) {
                handlers.push(story.listen().1);
            }
        }
        story.settle();
        for changes in handlers {
            assert_eq!(replay(&changes.lock().unwrap()), story.cached(), "{seed}");
        }
    });
}

#[test]
fn a_late_handler_is_told_what_is_there_before_anything_newer() {
    in_all_stories(Way::Any, |seed, mut story| {
        story.informer.start();
        let late = story.chance.below(STEPS);
        for _ in 0..late {
            story.step();
        }
        let there = story.cached();
        let (_, changes) = story.listen();
        for _ in late..STEPS {
            story.step();
        }
        story.settle();
        let changes = changes.lock().unwrap();
        let first: Snapshot = changes
            .iter()
            .take(there.len())
            .map(|change| {
                assert!(matches!(change, Change::Added { is_in_initial_list: true, .. }), "{seed}: {change:?}");
                (change.object().name().to_owned(), version(change.object()))
            })
            .collect();
        assert_eq!(first, there, "{seed}");
        assert_eq!(replay(&changes), story.cached());
    });
}

#[test]
fn is_in_initial_list_is_told_of_what_was_there_before_the_cache_and_of_nothing_after_it() {
    in_all_stories(Way::Any, |seed, mut story| {
        let (_, changes) = story.listen();
        let informer = story.informer.clone();
        story.informer.subscribe(move |news: &News<'_, Unstructured>| {
            let initial = news.changes.iter().any(|change| matches!(change, Change::Added { is_in_initial_list: true, .. }));
            assert!(!initial || !informer.has_synced(), "{seed}");
        });
        story.informer.start();
        for _ in 0..STEPS {
            story.step();
        }
        story.settle();
        let flags: Vec<_> = changes
            .lock()
            .unwrap()
            .iter()
            .filter_map(|change| match change {
                Change::Added { is_in_initial_list, .. } => Some(*is_in_initial_list),
                _ => None,
            })
            .collect();
        assert!(flags.iter().skip_while(|initial| **initial).all(|initial| !initial), "{seed}: {flags:?}");
        story.informer.stop();
    });
}

#[test]
fn a_handler_has_synced_only_after_it_handled_the_first_list() {
    in_all_stories(Way::Any, |seed, mut story| {
        let (initial, seen) = (Arc::<Mutex<Option<usize>>>::default(), Mutex::new(0));
        let whole = Arc::clone(&initial);
        let (registration, changes) = story.listen();
        story.informer.subscribe(move |news: &News<'_, Unstructured>| {
            let mut seen = seen.lock().unwrap();
            *seen += news.changes.iter().filter(|change| !change.is_sync()).count();
            if news.is_synced {
                whole.lock().unwrap().get_or_insert(*seen);
            }
        });
        story.informer.start();
        let check = |story: &Story| {
            if registration.has_synced() {
                let initial = initial.lock().unwrap().expect("the informer has synced before");
                assert!(story.informer.has_synced() && changes.lock().unwrap().len() >= initial, "{seed}");
            }
        };
        for _ in 0..STEPS {
            story.step();
            check(&story);
            while story.chance.percent(70) && story.bench.platform.turn() {
                check(&story);
            }
        }
        story.settle();
        assert!(registration.has_synced());
    });
}

#[test]
fn a_slow_handler_hinders_no_other_and_misses_nothing() {
    in_all_stories(Way::Any, |seed, mut story| {
        story.informer.start();
        for _ in 0..story.chance.below(STEPS) {
            story.step();
        }
        let mut slow = story.informer.changes().unwrap();
        let (_, quick) = story.listen();
        for _ in 0..STEPS {
            story.step();
        }
        story.settle();
        assert_eq!(replay(&quick.lock().unwrap()), story.cached(), "{seed}");
        story.informer.stop();
        story.bench.run();
        let mut told = Vec::new();
        while let Some(change) = ready(slow.next()) {
            told.push(change);
        }
        let quick = words(&quick.lock().unwrap());
        // Each is told what was there in an order of its own.
        let (slow, start) = (words(&told), quick.iter().take_while(|word| word.starts_with('*')).count());
        assert_eq!(slow[start..], quick[start..], "{seed}");
        assert_eq!(slow.len(), quick.len());
    });
}

#[test]
fn what_was_taken_off_is_told_no_more() {
    in_all_stories(Way::Any, |seed, mut story| {
        story.informer.start();
        let (registration, changes) = story.listen();
        let told = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&told);
        let reader = story.informer.subscribe(move |_: &News<'_, Unstructured>| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        for _ in 0..story.chance.below(STEPS) {
            story.step();
        }
        story.informer.remove_event_handler(&registration);
        story.informer.unsubscribe(reader);
        let before = (changes.lock().unwrap().len(), told.load(Ordering::Relaxed));
        for _ in 0..STEPS {
            story.step();
        }
        story.settle();
        assert_eq!((changes.lock().unwrap().len(), told.load(Ordering::Relaxed)), before, "{seed}");
    });
}

#[test]
fn after_a_stop_nothing_is_asked_or_taken_in_and_what_was_told_is_still_handled() {
    in_all_stories(Way::Any, |seed, mut story| {
        let (_, changes) = story.listen();
        story.informer.start();
        for _ in 0..story.chance.below(STEPS) {
            story.step();
        }
        story.informer.stop();
        story.bench.run();
        assert!(story.informer.is_stopped());
        let (there, health) = (story.cached(), story.informer.health());
        assert_eq!(replay(&changes.lock().unwrap()), there, "{seed}");
        story.bench.requests();
        let told = changes.lock().unwrap().len();
        for _ in 0..STEPS {
            story.step();
        }
        story.bench.pass(Duration::from_secs(3600));
        assert_eq!((story.cached(), story.informer.health(), story.bench.requests().len()), (there, health, 0), "{seed}");
        assert_eq!(changes.lock().unwrap().len(), told);
        assert_eq!((story.bench.platform.running_tasks(), story.bench.server.open_watches()), (0, 0), "{seed}");
    });
}

#[test]
fn a_reader_may_call_the_informer_from_within() {
    in_all_stories(Way::Any, |seed, mut story| {
        let (_, steady) = story.listen();
        let made = Arc::<Mutex<Vec<Changes>>>::default();
        let (informer, keep) = (story.informer.clone(), Arc::clone(&made));
        let (chance, numbers) = (Mutex::new(crate::platform::Chance(seed)), Mutex::new(Vec::new()));
        story.informer.subscribe(move |news: &News<'_, Unstructured>| {
            let (mut chance, mut numbers) = (chance.lock().unwrap(), numbers.lock().unwrap());
            assert_eq!(cached(&informer).len(), news.cache.len());
            drop((informer.health(), informer.faults(), informer.has_synced(), informer.lister("configmaps").get("a").ok()));
            match chance.below(6) {
                0 => {
                    let changes = Changes::default();
                    keep.lock().unwrap().push(Arc::clone(&changes));
                    informer.on_change(move |change| changes.lock().unwrap().push(change.clone())).unwrap();
                }
                1 => numbers.push(informer.subscribe(|_: &News<'_, Unstructured>| {})),
                2 => {
                    if let Some(number) = numbers.pop() {
                        informer.unsubscribe(number);
                    }
                }
                3 => informer.signal(Signal::Woken),
                4 => informer.remove_event_handler(&informer.on_change(|_| {}).unwrap()),
                _ => {}
            }
        });
        story.informer.start();
        for _ in 0..STEPS {
            story.step();
        }
        story.settle();
        for changes in made.lock().unwrap().iter().chain([&steady]) {
            assert_eq!(replay(&changes.lock().unwrap()), story.cached(), "{seed}");
        }
        // The reader has a handle of the informer, which would keep itself alive.
        story.informer.stop();
        story.bench.run();
    });
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn a_handler_that_panics_loses_the_change_it_panicked_on_and_nothing_else() {
    for seed in 0..8 {
        let mut story = Story::new(seed, Way::Any);
        let (_, steady) = story.listen();
        let (handled, panicked) = (Changes::default(), Arc::new(AtomicUsize::new(0)));
        let (log, count, chance) = (Arc::clone(&handled), Arc::clone(&panicked), Mutex::new(crate::platform::Chance(seed)));
        story
            .informer
            .on_change(move |change| {
                log.lock().unwrap().push(change.clone());
                if chance.lock().unwrap().percent(20) {
                    count.fetch_add(1, Ordering::Relaxed);
                    panic!("on {change:?}, as it should");
                }
            })
            .unwrap();
        story.informer.start();
        for _ in 0..STEPS {
            story.step();
        }
        story.settle();
        assert!(panicked.load(Ordering::Relaxed) > 0);
        let (handled, steady) = (words(&handled.lock().unwrap()), words(&steady.lock().unwrap()));
        assert_eq!(handled, steady, "{seed}");
    }
}

#[test]
fn two_readers_never_wait_for_each_other_and_every_query_is_of_one_moment() {
    in_all_stories(Way::Whole, |seed, mut story| {
        story.informer.start();
        for _ in 0..STEPS {
            story.step();
            let lister = story.informer.lister("configmaps");
            let (all, snapshot) = (lister.list(&"".parse().unwrap()), story.cached());
            let names: Snapshot = all.iter().map(|object| (object.name().to_owned(), version(object))).collect();
            assert_eq!((all.len(), &names), (snapshot.len(), &snapshot), "{seed}");
            assert!(!story.informer.has_synced() || story.history.lock().unwrap().contains(&snapshot), "{seed}");
        }
    });
}

#[test]
fn who_holds_an_object_holds_it_as_it_was() {
    in_all_stories(Way::Any, |_, mut story| {
        story.informer.start();
        let mut held = Vec::<(Arc<Unstructured>, String)>::new();
        for _ in 0..STEPS {
            story.step();
            held.extend(story.informer.indexer().list().into_iter().map(|object| {
                let text = object.as_json().to_owned();
                (object, text)
            }));
        }
        assert!(held.iter().all(|(object, text)| object.as_json() == text));
    });
}

#[test]
fn an_informer_that_nobody_has_any_more_ends() {
    in_all_stories(Way::Any, |seed, mut story| {
        let (_, changes) = story.listen();
        story.informer.start();
        for _ in 0..story.chance.below(STEPS) {
            story.step();
        }
        let Story { bench, informer, .. } = story;
        let there = cached(&informer);
        drop(informer);
        bench.run();
        assert_eq!(
            (bench.platform.running_tasks(), bench.platform.pending_timers(), bench.server.open_watches()),
            (0, 0, 0),
            "{seed}"
        );
        assert_eq!(replay(&changes.lock().unwrap()), there, "{seed}");
    });
}

#[test]
fn the_version_of_the_cache_never_goes_back() {
    in_all_stories(Way::Default, |seed, mut story| {
        story.informer.start();
        let mut last = 0;
        for _ in 0..STEPS {
            story.step();
            let now: ResourceVersion = story.informer.indexer().resource_version();
            let now = if now.as_str().is_empty() { 0 } else { now.as_str().parse::<u64>().unwrap() };
            let newest: u64 = story.bench.server.resource_version().as_str().parse().unwrap();
            assert!((last..=newest).contains(&now), "{seed}: {last} {now} {newest}");
            last = now;
        }
    });
}

#[test]
fn every_sentence_of_the_contract_names_a_test() {
    let tests = [
        include_str!("contract.rs"),
        include_str!("controller.rs"),
        include_str!("resyncs.rs"),
        include_str!("stopping.rs"),
        include_str!("unreadable.rs"),
    ]
    .concat();
    let text = include_str!("../mod.rs");
    let contract = text.split("# The contract").nth(1).unwrap().split("It does not promise").next().unwrap();
    let sentences: Vec<_> = contract.split("\n//! - ").skip(1).collect();
    assert!(sentences.len() > 15, "{}", sentences.len());
    for sentence in sentences {
        let names = sentence.split('`').skip(1).step_by(2).filter(|name| name.matches('_').count() > 4);
        let mut found = 0;
        for name in names {
            assert!(tests.contains(&format!("#[test]\nfn {name}()")), "no test is called {name}");
            found += 1;
        }
        assert!(found > 0, "no test is named by: {sentence}");
    }
}
