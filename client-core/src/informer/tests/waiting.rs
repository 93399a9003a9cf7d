//! Waiting for caches (client-go `tools/cache/wait_test.go`).

use std::{cell::RefCell, future::Future, time::Duration};

use futures::{FutureExt as _, future::LocalBoxFuture};

use super::bench::{Bench, listen};
use crate::{
    fake::{Fault, FaultKind},
    informer::{CacheSync, NotSynced, wait_for_sync},
    platform::{FakePlatform, Platform as _},
    rest::ApiError,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A cache that is there after so many seconds; without a number never.
fn cache(platform: &FakePlatform, name: &str, seconds: Option<u64>) -> CacheSync {
    match seconds {
        Some(0) => CacheSync::new(name, async { true }),
        Some(seconds) => CacheSync::new(name, platform.sleep(Duration::from_secs(seconds)).map(|()| true)),
        None => CacheSync::new(name, std::future::pending()),
    }
}

type Waited = Result<(), NotSynced<&'static str>>;

/// What is told by the second, and how it ends.
fn wait(
    caches: &[(&str, Option<u64>)],
    give_up: impl FnOnce(&FakePlatform) -> LocalBoxFuture<'static, &'static str>,
) -> (Vec<(u64, String)>, Waited) {
    let platform = FakePlatform::default();
    let (told, second) = (RefCell::new(Vec::new()), std::cell::Cell::new(0));
    let caches: Vec<_> = caches.iter().map(|(name, seconds)| cache(&platform, name, *seconds)).collect();
    let done = |name: &str| told.borrow_mut().push((second.get(), name.to_owned()));
    let mut waiting = Box::pin(wait_for_sync(caches, give_up(&platform), done));
    let result = loop {
        if let Some(result) = (&mut waiting).now_or_never() {
            break result;
        }
        assert!(second.get() < 3600, "it waits for ever");
        platform.advance(Duration::from_secs(1));
        second.set(second.get() + 1);
    };
    drop(waiting);
    (told.into_inner(), result)
}

fn never(_: &FakePlatform) -> LocalBoxFuture<'static, &'static str> {
    std::future::pending().boxed_local()
}

fn after(seconds: u64, cause: &'static str) -> impl Fn(&FakePlatform) -> LocalBoxFuture<'static, &'static str> {
    move |platform| platform.sleep(Duration::from_secs(seconds)).map(move |()| cause).boxed_local()
}

fn missing(names: &[&str], cause: &'static str) -> Waited {
    Err(NotSynced { names: names.iter().map(|name| (*name).to_owned()).collect(), cause: Some(cause) })
}

#[test]
fn who_waits_is_told_of_each_cache_as_it_comes_and_of_the_cause_where_some_do_not() {
    let named = |told: &[(u64, &str)]| -> Vec<_> { told.iter().map(|(second, name)| (*second, (*name).to_owned())).collect() };
    assert_eq!(wait(&[], never), (vec![], Ok(())));
    let all = [("first", Some(10)), ("second", Some(5)), ("last", Some(0))];
    assert_eq!(wait(&all, never), (named(&[(0, "last"), (5, "second"), (10, "first")]), Ok(())));
    let some = [("first", Some(10)), ("second", None), ("last", Some(0))];
    assert_eq!(wait(&some, after(60, "too late")), (named(&[(0, "last"), (10, "first")]), missing(&["second"], "too late")));
    assert_eq!(wait(&some, after(5, "go fish")), (named(&[(0, "last")]), missing(&["first", "second"], "go fish")));
    let none = [("first", None), ("second", None), ("last", None)];
    assert_eq!(wait(&none, after(60, "too late")), (vec![], missing(&["first", "last", "second"], "too late")));
    // Time that is up already is no reason to pass over what is there.
    let up = |_: &FakePlatform| async { "canceled" }.boxed_local();
    assert_eq!(wait(&some, up), (named(&[(0, "last")]), missing(&["first", "second"], "canceled")));
    assert_eq!(wait(&[("last", Some(0))], up), (named(&[(0, "last")]), Ok(())));
}

#[test]
fn the_error_names_what_is_missing_and_leads_to_its_cause() {
    let error = |names: &[&str]| NotSynced {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        cause: Some(ApiError::from(crate::transport::TransportError::Broken { message: "my own reason".to_owned() })),
    };
    let one = error(&["pods"]);
    let cause = one.cause.as_ref().unwrap().to_string();
    assert!(cause.contains("my own reason"));
    assert_eq!(one.to_string(), format!("failed to sync all caches: pods: {cause}"));
    assert_eq!(error(&["nodes", "pods"]).to_string(), format!("failed to sync all caches: nodes, pods: {cause}"));
    assert_eq!(std::error::Error::source(&one).unwrap().to_string(), cause);
    let stopped = NotSynced::<ApiError> { names: vec!["pods".to_owned()], cause: None };
    assert_eq!(stopped.to_string(), "failed to sync all caches: pods: stopped before the first whole list");
}

fn ended<T>(work: impl Future<Output = T>) -> Option<T> {
    work.now_or_never()
}

#[test]
fn informers_and_handlers_are_waited_for_by_name() {
    let bench = Bench::with(&["one"]);
    bench.server.faults().add(Fault::new(FaultKind::Hang).after(1));
    let (ready, late) = (bench.informer(), bench.informer());
    let (registration, _) = listen(&ready);
    let caches = || {
        [
            CacheSync::of_informer("ready", &ready),
            CacheSync::of_handler("handler", &registration),
            CacheSync::of_informer("late", &late),
        ]
    };
    ready.start();
    bench.run();
    late.start();
    bench.run();
    let error = ended(wait_for_sync(caches(), async { "now" }, |_| {})).unwrap().unwrap_err();
    assert_eq!((error.names, error.cause), (vec!["late".to_owned()], Some("now")));
    // One that has stopped is not waited for.
    late.stop();
    bench.run();
    let error = ended(wait_for_sync(caches(), std::future::pending::<&str>(), |_| {})).unwrap().unwrap_err();
    assert_eq!((error.names, error.cause), (vec!["late".to_owned()], None));
}
