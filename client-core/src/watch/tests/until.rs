use std::{convert::Infallible, future::pending};

use super::*;
use crate::{
    fake::{Fault, FaultKind},
    informer::{InformerOptions, ObjectSource, SameCluster, Selection, SharedInformer},
    meta::Status,
    platform::{Platform, TimedOut, time_limit},
    store::SharedIndexer,
    watch::{InformerWatcher, Unmet, WaitError, then, until, until_with_sync},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const LIMIT: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("something bad")]
struct Bad;

/// These events, and nothing more.
fn events(events: impl IntoIterator<Item = Event>) -> impl Stream<Item = Item> {
    stream::iter(events.into_iter().collect::<Vec<_>>()).map(Ok).chain(stream::pending())
}

fn is_added(event: &Event) -> bool {
    matches!(event, WatchEvent::Added(_))
}

fn is_modified(event: &Event) -> bool {
    matches!(event, WatchEvent::Modified(_))
}

fn is_deleted(event: &Event) -> bool {
    matches!(event, WatchEvent::Deleted(_))
}

fn modified() -> Event {
    WatchEvent::Modified(thing("a", "2"))
}

fn limited(platform: &FakePlatform) -> impl Future<Output = TimedOut> + use<> {
    let platform: Arc<dyn Platform> = Arc::new(platform.clone());
    time_limit(&platform, LIMIT)
}

/// What comes of it before or at the limit.
fn finish<T>(platform: &FakePlatform, work: impl Future<Output = T>) -> Option<T> {
    within(platform, LIMIT, &mut Box::pin(work).into_stream()).0.pop()
}

#[test]
fn conditions_are_met_one_after_the_other() {
    let platform = FakePlatform::default();
    let met = finish(&platform, until(events([added(1), modified()]), then(is_added, is_modified), limited(&platform)));
    assert_eq!(word(&met.unwrap().unwrap()), "MODIFIED a 2");
    // The other way round only the second event could meet the first.
    let unmet = finish(&platform, until(events([added(1), modified()]), then(is_modified, is_added), limited(&platform)));
    assert!(unmet.unwrap().unwrap_err().error.is_interrupted());
}

#[test]
fn one_event_can_meet_several_conditions() {
    let platform = FakePlatform::default();
    let twice = then(is_added, is_added);
    let met = finish(&platform, until(events([added(1)]), then(twice, is_added), limited(&platform)));
    assert_eq!(word(&met.unwrap().unwrap()), "ADDED a 1");
}

#[test]
fn who_gives_up_hears_of_the_last_event() {
    let platform = FakePlatform::default();
    let conditions = then(then(is_added, is_added), is_deleted);
    let unmet = finish(&platform, until(events([added(1)]), conditions, limited(&platform))).unwrap().unwrap_err();
    assert!(unmet.error.is_interrupted());
    assert_eq!(word(unmet.last.as_ref().unwrap()), "ADDED a 1");
    assert_eq!(unmet.to_string(), "gave up waiting for the condition: timed out after 10s");
    // Nothing of the object is shown.
    assert!(format!("{unmet:?}").starts_with("Unmet { last: Some(\"Added\"), error: Interrupted("), "{unmet:?}");
    let nothing = finish(&platform, until(events([]), is_added, limited(&platform))).unwrap().unwrap_err();
    assert!(nothing.last.is_none() && nothing.error.is_interrupted());
}

#[test]
fn without_a_limit_it_waits_as_long_as_it_takes() {
    let platform = FakePlatform::default();
    let (sender, receiver) = futures::channel::mpsc::unbounded();
    let mut met = Box::pin(until(receiver.map(Ok), then(is_added, is_modified), pending::<Infallible>()));
    for event in [added(1), modified()] {
        assert!((&mut met).now_or_never().is_none());
        platform.advance(Duration::from_secs(100_000));
        sender.unbounded_send(event).unwrap();
    }
    assert_eq!(word(&met.now_or_never().unwrap().unwrap()), "MODIFIED a 2");
}

#[test]
fn a_condition_that_fails_is_the_end_and_its_event_is_told() {
    let platform = FakePlatform::default();
    let conditions = then(|event: &Event| Ok(is_added(event)), |_: &Event| Err(Bad));
    let unmet = finish(&platform, until(events([added(1)]), conditions, limited(&platform))).unwrap().unwrap_err();
    assert!(matches!(unmet.error, WaitError::Condition(Bad)) && !unmet.error.is_interrupted());
    assert_eq!((unmet.to_string(), word(unmet.last.as_ref().unwrap())), ("something bad".to_owned(), "ADDED a 1".to_owned()));
}

#[test]
fn a_watch_that_ends_first_is_told_with_what_it_ended_with() {
    let platform = FakePlatform::default();
    let gone = WatchEvent::Error(Box::new(Status::gone("too old")));
    for (all, words) in [
        (vec![], "the watch ended before the condition was met"),
        (vec![added(1)], "the watch ended before the condition was met"),
        (vec![added(1), gone], "the watch ended before the condition was met: too old"),
    ] {
        let ended = until(stream::iter(all).map(Ok), is_deleted, limited(&platform));
        let unmet = finish(&platform, ended).unwrap().unwrap_err();
        assert!(matches!(unmet.error, WaitError::Closed) && unmet.to_string() == words, "{unmet}");
    }
    let unreadable = stream::iter([Err(WatchError::TooLarge { limit: 7 })]);
    let unmet = finish(&platform, until(unreadable, is_added, limited(&platform))).unwrap().unwrap_err();
    assert!(matches!(unmet.error, WaitError::Watch(_)), "{unmet}");
}

#[test]
fn events_without_a_pause_do_not_outrun_who_gives_up() {
    let endless = stream::repeat_with(|| Ok(added(1)));
    let mut seen = 0;
    let condition = |_: &Event| {
        seen += 1;
        false
    };
    let (sender, receiver) = futures::channel::oneshot::channel();
    let mut sender = Some(sender);
    let telling = endless.inspect(move |_| {
        if let Some(sender) = sender.take() {
            sender.send(()).unwrap();
        }
    });
    let unmet = until(telling, condition, receiver).now_or_never().unwrap().unwrap_err();
    assert!(unmet.error.is_interrupted());
    assert_eq!(seen, 1);
}

type Met = Result<Option<WatchEvent<Arc<Unstructured>>>, Unmet<Arc<Unstructured>, Bad, TimedOut>>;

fn informer(bench: &Bench) -> InformerWatcher<Unstructured> {
    let source = ObjectSource::<Unstructured>::new(bench.client(), Selection::default(), Arc::new(SameCluster));
    InformerWatcher::new(SharedInformer::new(Arc::new(bench.platform.clone()), source, InformerOptions::default())).unwrap()
}

fn synced(bench: &Bench, precondition: impl FnOnce(&SharedIndexer<Unstructured>) -> Result<bool, Bad>) -> Option<Met> {
    let added = |event: &WatchEvent<_>| if matches!(event, WatchEvent::Added(_)) { Ok(true) } else { Err(Bad) };
    finish(&bench.platform, until_with_sync(informer(bench), precondition, added, limited(&bench.platform)))
}

#[test]
fn a_precondition_looks_at_a_whole_cache_and_ends_the_wait_or_lets_it_go_on() {
    let has_first = |cache: &SharedIndexer<Unstructured>| Ok(cache.find("default/first").is_some());
    let bench = Bench::new();
    bench.put("first", "1");
    assert!(matches!(synced(&bench, has_first), Some(Ok(None))));
    let met = synced(&bench, |cache| has_first(cache).map(|there| !there)).unwrap().unwrap();
    assert!(word(&met.unwrap()).starts_with("ADDED first "));
    assert!(matches!(synced(&bench, |_| Err(Bad)), Some(Err(Unmet { last: None, error: WaitError::Condition(Bad) }))));
    bench.assert_quiet();

    // What never syncs is waited for until somebody gives up, with a precondition or without one.
    bench.server.faults().add(Fault::new(FaultKind::Hang));
    let unmet = synced(&bench, |_| Ok(true)).unwrap().unwrap_err();
    assert!(unmet.error.is_interrupted() && unmet.to_string().starts_with("failed to sync all caches"), "{unmet}");
    let plain = until(informer(&bench), |_: &WatchEvent<Arc<Unstructured>>| true, limited(&bench.platform));
    let unmet = finish(&bench.platform, plain).unwrap().unwrap_err();
    assert!(matches!(unmet, Unmet { last: None, error: WaitError::Interrupted(TimedOut(LIMIT)) }), "{unmet}");
    bench.server.faults().clear();
    bench.assert_quiet();
}

#[test]
fn an_informer_that_is_stopped_before_its_cache_is_whole_is_not_waited_for() {
    let bench = Bench::new();
    bench.server.faults().add(Fault::new(FaultKind::Hang));
    let watch = informer(&bench);
    bench.platform.run();
    watch.informer().stop();
    bench.platform.run();
    let waiting = until_with_sync(watch, |_| Ok(true), |_: &WatchEvent<_>| Ok::<_, Bad>(true), limited(&bench.platform));
    let unmet = waiting.now_or_never().unwrap().unwrap_err();
    assert!(!unmet.error.is_interrupted() && unmet.to_string().contains("stopped before the first whole list"), "{unmet}");
}
