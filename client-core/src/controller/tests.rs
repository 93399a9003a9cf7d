//! Controllers over the API server in memory and a clock that only the test moves.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use super::*;
use crate::{
    fake::{Disturbance, FakeApiServer, Fault, FaultKind},
    informer::{FactoryOptions, InformerError, InformerHandle, SharedInformer, SharedInformerFactory},
    meta::GroupVersionResource,
    object::{Object as _, PartialObjectMetadata},
    platform::{BoxFuture, Chance, FakePlatform, MaybeSend, MaybeSync, Platform},
    store::Key,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

type Informer = InformerHandle<SharedInformer<PartialObjectMetadata>>;
type Log = Arc<Mutex<Vec<String>>>;

const SECOND: Duration = Duration::from_secs(1);

fn resource(name: &str) -> GroupVersionResource {
    GroupVersionResource::new("", "v1", name)
}

/// A server, its clock and a controller of its config maps.
struct Bench {
    platform: FakePlatform,
    server: FakeApiServer,
    factory: SharedInformerFactory,
    maps: Informer,
    controller: Controller<Key>,
    /// How the run ended.
    ended: Arc<Mutex<Option<Result<(), ControllerError>>>>,
    failures: Log,
}

impl Bench {
    fn with(names: &[&str]) -> Self {
        let platform = FakePlatform::default();
        let server = FakeApiServer::new(Arc::new(platform.clone()));
        let factory = SharedInformerFactory::new(server.client(), FactoryOptions::default());
        let maps: Informer = factory.metadata(resource("configmaps"), true);
        let controller = Controller::new(Arc::new(platform.clone()));
        controller.watch("configmaps", maps.clone(), own_key).unwrap();
        let bench = Self { platform, server, factory, maps, controller, ended: Arc::default(), failures: Arc::default() };
        for name in names {
            bench.put(name, "1");
        }
        bench
    }

    fn put(&self, name: &str, value: &str) {
        let object = serde_json::json!({
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": { "name": name, "namespace": "default", "annotations": { "value": value } },
        });
        self.server.insert(&object).unwrap();
    }

    fn remove(&self, name: &str) -> bool {
        self.server.remove(&resource("configmaps"), Some(&"default".into()), &name.into())
    }

    /// Runs it with so many workers.
    fn run<F>(&self, workers: usize, reconcile: impl Fn(Key) -> F + MaybeSend + MaybeSync + 'static)
    where
        F: Future<Output = Result<Action, &'static str>> + MaybeSend + 'static,
    {
        self.factory.start();
        let (controller, ended, failures) = (self.controller.clone(), Arc::clone(&self.ended), Arc::clone(&self.failures));
        self.platform.spawn(Box::pin(async move {
            let failed =
                move |key: &Key, error: &ReconcileError<&'static str>| failures.lock().unwrap().push(format!("{key}: {error}"));
            let result = controller.run(workers, reconcile, failed).await;
            *ended.lock().unwrap() = Some(result);
        }));
        self.platform.run();
    }

    /// Lets time pass, timer by timer.
    fn pass(&self, time: Duration) {
        self.platform.pass(time);
    }

    fn ended(&self) -> Option<Result<(), ControllerError>> {
        self.ended.lock().unwrap().clone()
    }

    /// Stops it, and nothing is left of it or its informers.
    fn end(self) {
        self.controller.stop();
        self.platform.run();
        assert_eq!(self.ended(), Some(Ok(())));
        drop((self.maps, self.factory, self.controller));
        self.platform.run();
        assert_eq!((self.platform.running_tasks(), self.platform.pending_timers(), self.server.open_watches()), (0, 0, 0));
    }
}

/// A reconciliation that writes down what it is for and does no more.
fn note(log: &Log) -> impl Fn(Key) -> BoxFuture<'static, Result<Action, &'static str>> + MaybeSend + MaybeSync + use<> {
    let log = Arc::clone(log);
    move |key| {
        log.lock().unwrap().push(key.to_string());
        Box::pin(async { Ok(Action::AwaitChange) })
    }
}

fn taken(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.lock().unwrap())
}

#[test]
fn what_is_there_and_what_changes_is_reconciled_and_what_goes_as_well() {
    let bench = Bench::with(&["a", "b"]);
    let log = Log::default();
    bench.run(2, note(&log));
    let mut first = taken(&log);
    first.sort();
    assert_eq!(first, ["default/a", "default/b"]);
    bench.put("a", "2");
    bench.platform.run();
    bench.remove("b");
    bench.platform.run();
    bench.controller.queue().add(Key::new("by hand"));
    bench.platform.run();
    assert_eq!(taken(&log), ["default/a", "default/b", "by hand"]);
    bench.end();
}

#[test]
fn nothing_is_reconciled_before_every_informer_has_told_what_was_there() {
    let bench = Bench::with(&["a"]);
    let secrets: Informer = bench.factory.metadata(resource("secrets"), true);
    bench.controller.watch("secrets", secrets.clone(), own_key).unwrap();
    bench.server.faults().add(Fault::new(FaultKind::Hang).on_path("/secrets").once());
    let log = Log::default();
    bench.run(1, note(&log));
    assert!(bench.maps.has_synced() && !secrets.has_synced());
    assert_eq!(taken(&log), [""; 0]);
    bench.pass(60 * SECOND);
    assert!(secrets.has_synced());
    assert_eq!(taken(&log), ["default/a"]);
    drop(secrets);
    bench.end();
}

#[test]
fn one_key_is_reconciled_by_one_worker_at_a_time_and_again_where_it_changed_meanwhile() {
    let bench = Bench::with(&["a", "b", "c"]);
    let (platform, log) = (bench.platform.clone(), Log::default());
    let events = Arc::clone(&log);
    bench.run(2, move |key| {
        let (platform, events) = (platform.clone(), Arc::clone(&events));
        async move {
            events.lock().unwrap().push(format!("+{key}"));
            platform.sleep(10 * SECOND).await;
            events.lock().unwrap().push(format!("-{key}"));
            Ok(Action::AwaitChange)
        }
    });
    // Two workers have two of three.
    let first = taken(&log);
    assert!(first.len() == 2 && first.iter().all(|event| event.starts_with('+')), "{first:?}");
    for value in ["2", "3", "4"] {
        for name in ["a", "b", "c"] {
            bench.put(name, value);
        }
        bench.platform.run();
    }
    assert_eq!(taken(&log), [""; 0]);
    bench.pass(60 * SECOND);
    let mut all = first;
    all.extend(taken(&log));
    for name in ["a", "b", "c"] {
        let of: String = all.iter().filter(|event| event.ends_with(name)).map(|event| &event[..1]).collect();
        // The one that waited for a worker was told of all its changes by then.
        assert!(of == "+-+-" || of == "+-", "{name}: {of}");
    }
    assert_eq!(all.len(), 10, "{all:?}");
    bench.end();
}

#[test]
fn what_fails_is_told_and_tried_again_later_each_time_until_it_does_not() {
    let bench = Bench::with(&["a"]);
    let (platform, times) = (bench.platform.clone(), Arc::new(Mutex::new(Vec::new())));
    let log = Arc::clone(&times);
    bench.run(1, move |_| {
        let mut times = log.lock().unwrap();
        times.push(platform.now());
        let outcome = if times.len() % 4 == 0 { Ok(Action::AwaitChange) } else { Err("not yet") };
        async move { outcome }
    });
    bench.pass(SECOND);
    let tried = std::mem::take(&mut *times.lock().unwrap());
    let waited = |tried: &[crate::platform::Instant]| -> Vec<u128> {
        tried.windows(2).map(|two| two[1].since(two[0]).as_millis()).collect()
    };
    assert_eq!(waited(&tried), [5, 10, 20]);
    assert_eq!(taken(&bench.failures), ["default/a: not yet"; 3]);
    // What did not fail begins anew.
    bench.put("a", "2");
    bench.pass(SECOND);
    assert_eq!(waited(&times.lock().unwrap()), [5, 10, 20]);
    assert_eq!(bench.controller.queue().retries(&Key::new("default/a")), 0);
    bench.end();
}

#[test]
fn who_asks_for_it_is_called_again_after_a_time_and_earlier_where_something_changes() {
    let bench = Bench::with(&["a"]);
    let (platform, times) = (bench.platform.clone(), Arc::new(Mutex::new(Vec::new())));
    let (log, start) = (Arc::clone(&times), bench.platform.now());
    bench.run(1, move |_| {
        log.lock().unwrap().push(platform.now().since(start).as_secs());
        async { Ok(Action::RequeueAfter(30 * SECOND)) }
    });
    bench.pass(40 * SECOND);
    bench.put("a", "2");
    bench.pass(60 * SECOND);
    // Of two times that wait for one key the earlier counts.
    assert_eq!(*times.lock().unwrap(), [0, 30, 40, 60, 90]);
    bench.end();
}

#[test]
fn after_a_stop_what_is_queued_is_reconciled_and_nothing_else_is() {
    let bench = Bench::with(&["a", "b", "c"]);
    let (platform, log) = (bench.platform.clone(), Log::default());
    let events = Arc::clone(&log);
    bench.run(1, move |key| {
        let (platform, events) = (platform.clone(), Arc::clone(&events));
        async move {
            platform.sleep(SECOND).await;
            events.lock().unwrap().push(key.to_string());
            Err("it never ends well")
        }
    });
    bench.controller.stop();
    bench.put("d", "1");
    bench.pass(2 * SECOND);
    assert_eq!((bench.ended(), log.lock().unwrap().len()), (None, 2));
    bench.pass(SECOND);
    assert_eq!((bench.ended(), log.lock().unwrap().len()), (Some(Ok(())), 3));
    bench.pass(60 * SECOND);
    assert_eq!(log.lock().unwrap().len(), 3);
    // The informer is somebody else's, and goes on without it.
    assert!(!bench.maps.is_stopped());
    bench.end();
}

#[test]
fn a_controller_that_cannot_know_what_there_is_says_of_what() {
    let bench = Bench::with(&["a"]);
    let secrets: Informer = bench.factory.metadata(resource("secrets"), true);
    bench.controller.watch("the secrets", secrets.clone(), own_key).unwrap();
    secrets.stop();
    bench.run(1, note(&Log::default()));
    let Some(Err(ControllerError::NotSynced(error))) = bench.ended() else { panic!("{:?}", bench.ended()) };
    assert_eq!((error.names, error.cause), (vec!["the secrets".to_owned()], None));

    let bench = Bench::with(&["a"]);
    bench.server.faults().add(Fault::new(FaultKind::Hang));
    bench.run(1, note(&Log::default()));
    assert_eq!(bench.ended(), None);
    bench.controller.stop();
    bench.platform.run();
    let Some(Err(ControllerError::NotSynced(error))) = bench.ended() else { panic!("{:?}", bench.ended()) };
    assert_eq!((error.names, error.cause), (vec!["configmaps".to_owned()], Some(ControllerStopped)));
}

#[test]
fn it_runs_once_and_is_fed_before_that_by_informers_that_run() {
    let bench = Bench::with(&["a"]);
    let secrets: Informer = bench.factory.metadata(resource("secrets"), true);
    secrets.stop();
    assert_eq!(
        bench.controller.watch("secrets", secrets.clone(), own_key),
        Err(ControllerError::Informer(InformerError::Stopped))
    );
    bench.run(1, note(&Log::default()));
    assert_eq!(bench.controller.watch("configmaps", bench.maps.clone(), own_key), Err(ControllerError::Started));
    let again = crate::platform::ready(bench.controller.run(1, note(&Log::default()), |_, _| {}));
    assert_eq!(again, Err(ControllerError::Started));
    // That has not stopped it.
    assert_eq!(bench.ended(), None);
    drop(secrets);
    bench.end();
}

#[test]
fn a_run_that_is_dropped_and_a_controller_that_never_ran_leave_nothing_behind() {
    for runs in [true, false] {
        let bench = Bench::with(&["a"]);
        bench.factory.start();
        let log = Log::default();
        {
            let mut run = Box::pin(bench.controller.run(2, note(&log), |_, _| {}));
            if runs {
                // Polled by hand, as a task that is given up would be.
                while log.lock().unwrap().is_empty() {
                    assert!(futures::FutureExt::now_or_never(&mut run).is_none());
                    bench.platform.run();
                }
            }
        }
        let reader = bench.maps.subscribe(|_| {});
        drop(bench.controller);
        bench.platform.run();
        assert_eq!(bench.maps.unsubscribe(reader), 0, "the informer feeds nobody");
        drop((bench.maps, bench.factory));
        bench.platform.run();
        assert_eq!((bench.platform.running_tasks(), bench.platform.pending_timers()), (0, 0));
    }
}

#[test]
fn a_handle_that_only_the_controller_has_keeps_its_informer() {
    let bench = Bench::with(&["a"]);
    bench.controller.watch("secrets", bench.factory.metadata(resource("secrets"), true), own_key).unwrap();
    let log = Log::default();
    bench.run(1, note(&log));
    assert_eq!(taken(&log), ["default/a"]);
    assert_eq!(bench.server.open_watches(), 2);
    bench.controller.stop();
    bench.platform.run();
    assert_eq!(bench.server.open_watches(), 1);
    bench.end();
}

#[test]
fn a_run_that_is_dropped_drops_what_is_being_reconciled() {
    let bench = Bench::with(&["a", "b", "c"]);
    bench.factory.start();
    let (platform, log) = (bench.platform.clone(), Log::default());
    let events = Arc::clone(&log);
    let reconcile = move |key: Key| {
        let (platform, events) = (platform.clone(), Arc::clone(&events));
        async move {
            events.lock().unwrap().push(format!("+{key}"));
            platform.sleep(10 * SECOND).await;
            events.lock().unwrap().push(format!("-{key}"));
            Ok::<_, &str>(Action::AwaitChange)
        }
    };
    {
        let mut run = Box::pin(bench.controller.run(2, reconcile, |_, _| {}));
        while log.lock().unwrap().len() < 2 {
            assert!(futures::FutureExt::now_or_never(&mut run).is_none());
            bench.platform.run();
        }
    }
    bench.pass(60 * SECOND);
    assert!(log.lock().unwrap().iter().all(|event| event.starts_with('+')), "{log:?}");
    assert_eq!(log.lock().unwrap().len(), 2);
    assert!(!bench.maps.is_stopped());
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn what_is_told_of_a_failure_that_panics_itself_ends_no_worker() {
    let bench = Bench::with(&["a"]);
    bench.factory.start();
    let (controller, tries) = (bench.controller.clone(), Arc::new(Mutex::new(0)));
    let count = Arc::clone(&tries);
    bench.platform.spawn(Box::pin(async move {
        let reconcile = move |_| {
            *count.lock().unwrap() += 1;
            async { Err::<Action, _>("no") }
        };
        controller.run(1, reconcile, |_, _| panic!("a test of a panic")).await.unwrap();
    }));
    bench.pass(Duration::from_millis(100));
    // At once, and after 5, 15, 35 and 75 milliseconds.
    assert_eq!(*tries.lock().unwrap(), 5);
    bench.controller.stop();
    bench.platform.run();
    assert_eq!(*tries.lock().unwrap(), 5);
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn a_reconciliation_that_panics_has_failed_and_hurts_no_other() {
    let bench = Bench::with(&["a", "b"]);
    let (log, tries) = (Log::default(), Arc::new(Mutex::new(0)));
    let events = Arc::clone(&log);
    bench.run(1, move |key| {
        let count = {
            let mut tries = tries.lock().unwrap();
            *tries += usize::from(key.as_str() == "default/a");
            *tries
        };
        // Before there is a future, and within it.
        assert!(key.as_str() != "default/a" || count != 1, "a test of a panic");
        let events = Arc::clone(&events);
        async move {
            assert!(key.as_str() != "default/a" || count != 2, "a test of a panic");
            events.lock().unwrap().push(key.to_string());
            Ok(Action::AwaitChange)
        }
    });
    bench.pass(SECOND);
    assert_eq!(taken(&bench.failures), ["default/a: the reconciliation panicked"; 2]);
    let mut reconciled = taken(&log);
    reconciled.sort();
    assert_eq!(reconciled, ["default/a", "default/b"]);
    bench.end();
}

#[test]
fn whatever_happens_the_last_reconciliation_of_each_key_was_of_what_there_is() {
    for seed in 0..40 {
        let mut chance = Chance(seed);
        let bench = Bench::with(&["a", "b"]);
        bench.platform.set_seed(seed);
        // What a controller would make of the maps: here a copy, which each reconciliation brings up to date.
        let made = Arc::new(Mutex::new(BTreeMap::<String, String>::new()));
        let (copy, lister, platform) = (Arc::clone(&made), bench.maps.indexer().clone(), bench.platform.clone());
        let random = Arc::new(Mutex::new(Chance(seed + 1000)));
        bench.run(3, move |key| {
            let (copy, lister, platform, random) = (Arc::clone(&copy), lister.clone(), platform.clone(), Arc::clone(&random));
            async move {
                let found = lister.find(key.as_str());
                let wait = random.lock().unwrap().below(500);
                platform.sleep(Duration::from_millis(wait)).await;
                if random.lock().unwrap().percent(30) {
                    return Err("it is not the day for it");
                }
                let mut copy = copy.lock().unwrap();
                match found {
                    Some(found) => drop(copy.insert(key.to_string(), found.resource_version().to_owned())),
                    None => drop(copy.remove(key.as_str())),
                }
                Ok(Action::AwaitChange)
            }
        });
        for step in 0..60 {
            let name = chance.of(&["a", "b", "c", "d"]);
            match chance.below(10) {
                0..4 => bench.put(name, &step.to_string()),
                4 | 5 => drop(bench.remove(name)),
                6 => bench.server.disturb_watches(Disturbance::Break),
                7 => bench.server.compact(&bench.server.resource_version()),
                _ => bench.pass(Duration::from_millis(chance.below(2000))),
            }
        }
        bench.pass(600 * SECOND);
        let there: BTreeMap<_, _> = bench
            .maps
            .indexer()
            .list()
            .iter()
            .map(|object| (Key::of(&**object).to_string(), object.resource_version().to_owned()))
            .collect();
        assert_eq!(*made.lock().unwrap(), there, "{seed}");
        bench.end();
    }
}
