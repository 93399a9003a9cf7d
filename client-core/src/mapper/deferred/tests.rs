use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

use bytes::Bytes;
use futures::{FutureExt as _, future};
use http::StatusCode;
use serde_json::{Value, json};

use super::*;
use crate::{
    discovery::{
        ApiResourceList, Discovered, Discovering, Discovery, DiscoveryCall, DiscoveryClient, DiscoveryError, FakeDiscovery,
        GroupsAndMaybeResources, MemoryCache, OpenApiV3, OpenApiV3Path, SchemaFormat, ServerVersion, StoredCache,
    },
    mapper::{Scope, testing::list},
    meta::GroupVersion,
    platform::{FakePlatform, MemoryStorage, TolerantStorage, ready},
    rest::RestClient,
    transport::{ScriptedAnswer, ScriptedTransport},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A cache whose freshness a test sets, and which gives no answer while the test holds its gate. It has what `before` has,
/// until it is invalidated.
struct Cache {
    before: FakeDiscovery,
    server: FakeDiscovery,
    fresh: AtomicBool,
    invalidations: AtomicUsize,
    gate: futures::lock::Mutex<()>,
}

impl Cache {
    fn new(before: &FakeDiscovery, server: &FakeDiscovery) -> Arc<Self> {
        let (before, server) = (before.clone(), server.clone());
        Arc::new(Self {
            before,
            server,
            fresh: AtomicBool::default(),
            invalidations: AtomicUsize::default(),
            gate: futures::lock::Mutex::default(),
        })
    }

    fn set_fresh(&self, fresh: bool) {
        self.fresh.store(fresh, Ordering::Relaxed);
    }

    fn invalidations(&self) -> usize {
        self.invalidations.load(Ordering::Relaxed)
    }

    fn current(&self) -> &FakeDiscovery {
        if self.invalidations() == 0 { &self.before } else { &self.server }
    }
}

impl Discovery for Cache {
    fn groups_and_maybe_resources(&self) -> Discovering<'_, Discovered<GroupsAndMaybeResources>> {
        Box::pin(async move {
            let answer = self.current().groups_and_maybe_resources().await;
            let _gate = self.gate.lock().await;
            answer
        })
    }

    fn server_resources_for_group_version<'a>(&'a self, version: &'a GroupVersion) -> Discovering<'a, Arc<ApiResourceList>> {
        self.current().server_resources_for_group_version(version)
    }

    fn server_version(&self) -> Discovering<'_, ServerVersion> {
        self.current().server_version()
    }

    fn openapi_v3(&self) -> Discovering<'_, Arc<OpenApiV3>> {
        self.current().openapi_v3()
    }

    fn openapi_v3_schema<'a>(&'a self, path: &'a OpenApiV3Path, format: SchemaFormat) -> Discovering<'a, Bytes> {
        self.current().openapi_v3_schema(path, format)
    }

    fn openapi_v2(&self, format: SchemaFormat) -> Discovering<'_, Bytes> {
        self.current().openapi_v2(format)
    }
}

impl CachedDiscovery for Cache {
    fn fresh(&self) -> bool {
        self.fresh.load(Ordering::Relaxed)
    }

    fn invalidate(&self) {
        self.invalidations.fetch_add(1, Ordering::Relaxed);
        self.set_fresh(true);
    }
}

fn server(lists: &[(&str, &[&str])]) -> FakeDiscovery {
    FakeDiscovery::new(lists.iter().map(|(version, resources)| list(version, resources)))
}

/// A mapper over a cache that asks this server.
fn over(server: &FakeDiscovery) -> DeferredMapper {
    DeferredMapper::new(Arc::new(MemoryCache::new(Arc::new(server.clone()))))
}

fn groups_asked(server: &FakeDiscovery) -> usize {
    server.count(&DiscoveryCall::Groups)
}

fn foo(name: &str) -> PartialResource {
    PartialResource::new(name).of_group("a").in_version("v1")
}

#[test]
fn a_miss_invalidates_a_cache_that_is_not_fresh_once_and_a_fresh_one_never() {
    let cache = Cache::new(&FakeDiscovery::default(), &server(&[("a/v1", &["*foo Foo"])]));
    let mapper = DeferredMapper::new(cache.clone());
    assert!(!cache.fresh() && cache.invalidations() == 0);
    assert_eq!(ready(mapper.kind_for(&foo("foo"))).unwrap().kind, "Foo");
    assert!(cache.fresh());
    assert_eq!(cache.invalidations(), 1);
    assert_eq!(ready(mapper.kind_for(&foo("foo"))).unwrap().kind, "Foo");
    assert_eq!(cache.invalidations(), 1);
    assert!(ready(mapper.kind_for(&foo("bar"))).unwrap_err().is_no_match());
    assert_eq!(cache.invalidations(), 1);
    cache.set_fresh(false);
    assert!(ready(mapper.kind_for(&foo("bar"))).unwrap_err().is_no_match());
    assert_eq!(cache.invalidations(), 2);
    // What is found is believed, fresh or not.
    cache.set_fresh(false);
    assert!(ready(mapper.kind_for(&foo("foo"))).is_ok());
    assert_eq!(cache.invalidations(), 2);
}

#[test]
fn a_new_resource_is_found_by_its_short_name_whatever_is_asked_of_it() {
    let new = server(&[("a/v1", &["storageclasses StorageClass sc"])]);
    let mapper = || DeferredMapper::new(Cache::new(&FakeDiscovery::default(), &new)).with_warnings(|text: &str| panic!("{text}"));
    let (sc, kind) = (PartialResource::from("sc.a"), GroupKind::from("StorageClass.a"));
    assert_eq!(ready(mapper().kind_for(&sc)).unwrap(), GroupVersionKind::new("a", "v1", "StorageClass"));
    let resource = GroupVersionResource::new("a", "v1", "storageclasses");
    assert_eq!(ready(mapper().kinds_for(&sc)).unwrap().len(), 1);
    assert_eq!(ready(mapper().resource_for(&sc)).unwrap(), resource);
    assert_eq!(ready(mapper().resources_for(&sc)).unwrap(), std::slice::from_ref(&resource));
    assert_eq!(ready(mapper().mapping_for(&sc)).unwrap().resource, resource);
    assert_eq!(ready(mapper().mappings_for(&sc)).unwrap().len(), 1);
    assert_eq!(ready(mapper().resource_singularizer(&sc)).unwrap(), "storageclass");
    assert_eq!(ready(mapper().rest_mapping(&kind, &["v1"])).unwrap().resource, resource);
    assert_eq!(ready(mapper().rest_mappings(&kind, &[])).unwrap().len(), 1);
    assert_eq!(ready(mapper().resolve("sc")).unwrap().resource, resource);
}

#[test]
fn what_another_program_stored_is_used_until_something_is_not_in_it() {
    let platform = Arc::new(FakePlatform::default());
    let storage = TolerantStorage::new(Arc::new(MemoryStorage::new(platform.clone())), |error| panic!("{error}"));
    let server = server(&[("v1", &["pods|pod Pod po"])]);
    let mapper = || {
        let memory = Arc::new(MemoryCache::new(Arc::new(server.clone())));
        let cache = StoredCache::new(memory, storage.clone(), platform.clone(), Duration::from_hours(6));
        DeferredMapper::new(Arc::new(cache))
    };
    ready(mapper().resolve("po")).unwrap();
    assert_eq!(groups_asked(&server), 1);
    // The next program asks nothing, until it looks for what is new.
    server.set_resources([list("v1", &["pods|pod Pod po"]), list("a.io/v1", &["widgets|widget Widget wi"])]);
    let next = mapper();
    ready(next.resolve("po")).unwrap();
    assert_eq!(groups_asked(&server), 1);
    assert_eq!(ready(next.resolve("wi")).unwrap().resource.to_string(), "widgets.a.io, version v1");
    assert_eq!(groups_asked(&server), 2);
    assert!(ready(next.resolve("gadgets")).unwrap_err().is_no_match());
    assert_eq!(groups_asked(&server), 2);
}

#[test]
fn nothing_is_asked_before_something_is_wanted_and_then_once_for_all() {
    let server = server(&[("v1", &["pods|pod Pod po"])]);
    let cache = Cache::new(&server, &server);
    let mapper = DeferredMapper::new(cache.clone());
    assert_eq!(server.calls(), []);
    let clones = ["pods", "po", "Pod", "pod"].map(|name| (mapper.clone(), name));
    let gate = ready(cache.gate.lock());
    let mut all = future::join_all(clones.iter().map(|(mapper, name)| mapper.resolve(name)));
    assert!((&mut all).now_or_never().is_none());
    drop(gate);
    assert!(ready(all).iter().all(Result::is_ok));
    assert_eq!(groups_asked(&server), 1);
}

#[test]
fn many_misses_at_once_look_again_once() {
    let new = server(&[("a/v1", &["foo Foo"])]);
    let cache = Cache::new(&FakeDiscovery::default(), &new);
    let mapper = DeferredMapper::new(cache.clone());
    ready(mapper.discovered()).unwrap();
    let gate = ready(cache.gate.lock());
    let mut all = future::join_all((0..10).map(|_| mapper.resolve("foo")));
    assert!((&mut all).now_or_never().is_none());
    drop(gate);
    assert!(ready(all).iter().all(Result::is_ok));
    assert_eq!((cache.invalidations(), groups_asked(&new)), (1, 1));
}

#[test]
fn a_cache_that_does_not_become_fresh_is_asked_again_once_for_each_miss() {
    let nothing = FakeDiscovery::default();
    let mapper = over(&nothing);
    for asked in [2, 3] {
        assert!(ready(mapper.resolve("pods")).unwrap_err().is_no_match());
        assert_eq!(groups_asked(&nothing), asked);
    }
}

#[test]
fn an_ambiguous_answer_of_an_old_cache_is_looked_at_again() {
    let old = server(&[("v1", &["pods Pod", "podses|pods Pods"])]);
    assert!(ready(over(&old).kind_for(&"pods".into())).unwrap_err().is_ambiguous());
    let mapper = DeferredMapper::new(Cache::new(&old, &server(&[("v1", &["pods Pod"])])));
    assert_eq!(ready(mapper.kind_for(&"pods".into())).unwrap().kind, "Pod");
}

#[test]
fn a_server_that_cannot_be_asked_is_the_error_and_takes_nothing_away() {
    let server = server(&[("v1", &["pods Pod"])]);
    let cache = Cache::new(&server, &server);
    let mapper = DeferredMapper::new(cache.clone());
    server.fail(DiscoveryCall::Groups, Some(DiscoveryError::Empty));
    assert!(matches!(ready(mapper.resolve("pods")), Err(MapperError::Discovery(DiscoveryError::Empty))));
    server.fail(DiscoveryCall::Groups, None);
    ready(mapper.resolve("pods")).unwrap();
    server.fail(DiscoveryCall::Groups, Some(DiscoveryError::Empty));
    cache.set_fresh(false);
    assert!(matches!(ready(mapper.resolve("widgets")), Err(MapperError::Discovery(DiscoveryError::Empty))));
    ready(mapper.resolve("pods")).unwrap();
    // The next miss looks again.
    server.fail(DiscoveryCall::Groups, None);
    server.set_resources([list("v1", &["pods Pod", "widgets Widget"])]);
    cache.set_fresh(false);
    ready(mapper.resolve("widgets")).unwrap();
}

#[test]
fn a_group_that_failed_hides_no_other_and_is_asked_again_alone_when_it_could_have_what_is_missed() {
    let metrics: GroupVersion = "metrics.k8s.io/v1beta1".parse().unwrap();
    for aggregated in [false, true] {
        let server = server(&[("v1", &["pods Pod"]), ("metrics.k8s.io/v1beta1", &["nodes NodeMetrics nm"])]);
        server.set_aggregated(aggregated);
        server.fail(DiscoveryCall::Resources(metrics.clone()), Some(DiscoveryError::Stale));
        let mapper = over(&server);
        ready(mapper.resolve("pods")).unwrap();
        let asked = |server: &FakeDiscovery| server.count(&DiscoveryCall::Resources(metrics.clone()));
        let before = asked(&server);
        assert!(matches!(ready(mapper.resolve("widgets.example.com")), Err(MapperError::NoResourceMatch { .. })));
        assert_eq!(asked(&server), before);
        let error = ready(mapper.resolve("nodes")).unwrap_err();
        assert!(matches!(&error, MapperError::Incomplete { failed, .. } if failed.get(&metrics).is_some()), "{error}");
        assert_eq!(asked(&server), before + 1);
        server.fail(DiscoveryCall::Resources(metrics.clone()), None);
        for name in ["nodes", "nm", "NodeMetrics"] {
            assert_eq!(ready(mapper.resolve(name)).unwrap().resource.to_string(), "nodes.metrics.k8s.io, version v1beta1");
        }
        assert_eq!((asked(&server), groups_asked(&server)), (before + 2, 1));
        assert!(ready(mapper.discovered()).unwrap().failed().is_empty());
        // Another mapper of the same cache knows it too.
        let other = DeferredMapper::new(Arc::clone(&mapper.discovery));
        ready(other.resolve("nodes.metrics")).unwrap();
        assert_eq!(groups_asked(&server), 1);
    }
}

#[test]
fn two_requests_answer_all_questions_and_a_stale_version_costs_one_when_it_is_missed() {
    let server = ScriptedTransport::default();
    let resource = |plural: &str, kind: &str| {
        json!({
            "resource": plural, "responseKind": { "group": "", "version": "", "kind": kind }, "scope": "Namespaced",
            "singularResource": kind.to_lowercase(), "verbs": ["list"],
        })
    };
    let document =
        |groups: Value| json!({ "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": groups });
    let core = json!([{ "versions": [{ "version": "v1", "resources": [resource("pods", "Pod")] }] }]);
    let stale =
        json!([{ "metadata": { "name": "metrics.k8s.io" }, "versions": [{ "version": "v1beta1", "freshness": "Stale" }] }]);
    server.always("/api", ScriptedAnswer::json(&document(core)));
    server.always("/apis", ScriptedAnswer::json(&document(stale)));
    server.always("/apis/metrics.k8s.io/v1beta1", ScriptedAnswer::status(StatusCode::SERVICE_UNAVAILABLE));
    let client = RestClient::new(Arc::new(server.clone()), Arc::new(FakePlatform::default()));
    let mapper = DeferredMapper::new(Arc::new(MemoryCache::new(Arc::new(DiscoveryClient::new(client)))));
    for name in ["pods", "Pod", "pod.v1."].iter().cycle().take(100) {
        ready(mapper.resolve(name)).unwrap();
    }
    assert_eq!(server.paths(), ["/api", "/apis"]);
    let error = ready(mapper.resolve("nodes.metrics")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server doesn't have a resource type \"nodes\", but not all of its API groups answered: \
         metrics.k8s.io/v1beta1: the server that answers for this group cannot be reached"
    );
    assert_eq!(server.paths(), ["/api", "/apis", "/apis/metrics.k8s.io/v1beta1"]);
    let nodes = json!({ "name": "nodes", "singularName": "", "namespaced": false, "kind": "NodeMetrics", "verbs": ["list"] });
    let list = json!({ "kind": "APIResourceList", "groupVersion": "metrics.k8s.io/v1beta1", "resources": [nodes] });
    server.always("/apis/metrics.k8s.io/v1beta1", ScriptedAnswer::json(&list));
    let found = ready(mapper.rest_mapping(&"NodeMetrics.metrics.k8s.io".into(), &["v1beta1"])).unwrap();
    assert_eq!((found.resource.resource.as_str(), found.scope), ("nodes", Scope::Cluster));
    ready(mapper.resolve("nodes.metrics")).unwrap();
    assert_eq!(server.paths().len(), 4);
    assert!(server.unscripted().is_empty());
}

#[test]
fn who_resets_a_mapper_makes_it_ask_anew() {
    let server = server(&[("v1", &["pods Pod"])]);
    let mapper = over(&server);
    ready(mapper.resolve("pods")).unwrap();
    server.set_resources([list("a.io/v1", &["widgets Widget"])]);
    // The cache is fresh: what is not in it is not there, and what is in it is.
    assert!(ready(mapper.resolve("widgets")).is_err());
    ready(mapper.resolve("pods")).unwrap();
    mapper.clone().reset();
    assert!(ready(mapper.resolve("pods")).is_err());
    ready(mapper.resolve("widgets")).unwrap();
    assert_eq!(groups_asked(&server), 2);
}

#[test]
fn an_answer_of_before_a_reset_is_not_kept_after_it() {
    let before = server(&[("v1", &["pods Pod"])]);
    before.set_aggregated(true);
    let cache = Cache::new(&before, &server(&[("a.io/v1", &["widgets Widget"])]));
    let mapper = DeferredMapper::new(cache.clone());
    let gate = ready(cache.gate.lock());
    let mut first = Box::pin(mapper.resolve("pods"));
    assert!((&mut first).now_or_never().is_none());
    mapper.reset();
    drop(gate);
    // Who asked before is answered with what was there.
    ready(first).unwrap();
    assert!(ready(mapper.resolve("pods")).is_err());
    ready(mapper.resolve("widgets")).unwrap();
}

#[test]
fn an_ambiguous_short_name_is_told_of_once_for_each_question() {
    let told = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&told);
    let old = FakeDiscovery::default();
    let new = server(&[("v1", &["pods|pod Pod po"]), ("acme.com/v1", &["poddlers Poddler po"])]);
    let mapper = DeferredMapper::new(Cache::new(&old, &new)).with_warnings(move |text: &str| {
        assert_eq!(text, "short name \"po\" could also match lower priority resource poddlers.acme.com");
        counter.fetch_add(1, Ordering::Relaxed);
    });
    for asked in [1, 2] {
        ready(mapper.resolve("po")).unwrap();
        assert_eq!(told.load(Ordering::Relaxed), asked);
    }
}

#[test]
fn a_category_that_is_not_there_does_not_ask_the_server_again() {
    let mut pods = crate::mapper::testing::resource("pods Pod");
    pods.categories = vec!["all".to_owned()];
    let server = FakeDiscovery::new([ApiResourceList::new("v1".parse().unwrap(), vec![pods])]);
    let cache = Cache::new(&server, &server);
    let mapper = DeferredMapper::new(cache.clone());
    assert_eq!(ready(mapper.expand_category("all")).unwrap(), Some(vec![GroupResource::from("pods")]));
    assert_eq!(ready(mapper.expand_category("pods")).unwrap(), None);
    assert_eq!((cache.invalidations(), groups_asked(&server)), (0, 1));
}
