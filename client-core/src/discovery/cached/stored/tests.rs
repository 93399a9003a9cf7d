use std::collections::BTreeMap;

use super::*;
use crate::{
    discovery::{ApiResource, DiscoveryCall, DocumentCache, FakeDiscovery},
    platform::{FakePlatform, MemoryStorage, StorageError, StorageKey, ready},
    rest::RestClient,
    transport::{ScriptedAnswer, ScriptedTransport},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const TTL: Duration = Duration::from_secs(60);

fn list(version: &str, names: &[&str]) -> ApiResourceList {
    let resource = |name: &&str| ApiResource { name: (*name).to_owned(), kind: "Widget".to_owned(), ..ApiResource::default() };
    ApiResourceList::new(version.parse().unwrap(), names.iter().map(resource).collect())
}

/// A server with a storage beside it.
struct Bench {
    fake: FakeDiscovery,
    platform: FakePlatform,
    storage: MemoryStorage,
    told: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    fn new() -> Self {
        let platform = FakePlatform::default();
        let storage = MemoryStorage::new(Arc::new(platform.clone()));
        Self { fake: FakeDiscovery::new([list("a/v1", &["widgets"])]), platform, storage, told: Arc::default() }
    }

    fn tolerant(&self) -> TolerantStorage {
        let log = Arc::clone(&self.told);
        TolerantStorage::new(Arc::new(self.storage.clone()), move |error| log.lock().unwrap().push(error.to_string()))
    }

    /// A cache as a new program makes it.
    fn cache(&self) -> StoredCache {
        StoredCache::new(Arc::new(self.fake.clone()), self.tolerant(), Arc::new(self.platform.clone()), TTL)
    }

    fn calls(&self) -> (usize, usize) {
        let resources = DiscoveryCall::Resources("a/v1".parse().unwrap());
        (self.fake.count(&DiscoveryCall::Groups), self.fake.count(&resources))
    }

    fn stored(&self) -> BTreeMap<String, String> {
        let values = self.storage.values().into_iter();
        values.map(|(key, value)| (key.to_string(), String::from_utf8(value).unwrap())).collect()
    }

    fn put(&self, key: &str, value: impl Into<Vec<u8>>) {
        self.storage.put(&StorageKey::new(key).unwrap(), value);
    }
}

fn all(cache: &StoredCache) -> Vec<String> {
    let found = ready(cache.server_groups_and_resources()).unwrap().complete().unwrap();
    let names = |list: &Arc<ApiResourceList>| -> Vec<String> {
        list.resources.iter().map(|resource| format!("{}.{}", list.group_version, resource.name)).collect()
    };
    found.resources.iter().flat_map(names).collect()
}

#[test]
fn what_this_program_wrote_is_fresh_and_what_another_wrote_is_not_until_the_cache_is_invalidated() {
    let bench = Bench::new();
    let cache = bench.cache();
    assert!(cache.fresh());
    for _ in 0..2 {
        assert!(ready(cache.server_groups()).is_ok() && cache.fresh());
        assert_eq!(bench.calls(), (1, 0));
    }
    for _ in 0..2 {
        assert_eq!(all(&cache), ["a/v1.widgets"]);
        assert!(cache.fresh());
        assert_eq!(bench.calls(), (1, 1));
    }
    let cache = bench.cache();
    assert!(cache.fresh());
    assert!(ready(cache.server_groups()).is_ok() && !cache.fresh());
    assert_eq!(all(&cache), ["a/v1.widgets"]);
    assert!(!cache.fresh());
    assert_eq!(bench.calls(), (1, 1));
    cache.invalidate();
    assert!(cache.fresh());
    assert_eq!(all(&cache), ["a/v1.widgets"]);
    assert!(cache.fresh());
    assert_eq!(bench.calls(), (2, 2));
    assert_eq!(all(&cache), ["a/v1.widgets"]);
    assert_eq!(bench.calls(), (2, 2));
}

#[test]
fn what_is_too_old_is_asked_for_again() {
    let bench = Bench::new();
    let cache = bench.cache();
    ready(cache.server_groups()).unwrap().complete().unwrap();
    bench.platform.advance(TTL);
    ready(cache.server_groups()).unwrap().complete().unwrap();
    assert_eq!(bench.calls().0, 1);
    bench.platform.advance(Duration::from_millis(1));
    ready(cache.server_groups()).unwrap().complete().unwrap();
    assert_eq!(bench.calls().0, 2);
}

#[test]
fn what_a_wrong_clock_wrote_is_not_used_until_that_time_comes() {
    let bench = Bench::new();
    ready(bench.cache().server_groups()).unwrap().complete().unwrap();
    let earlier = StoredCache::new(Arc::new(bench.fake.clone()), bench.tolerant(), Arc::new(FakePlatform::default()), TTL);
    ready(earlier.server_groups()).unwrap().complete().unwrap();
    assert_eq!(bench.calls().0, 1);
    bench.platform.advance(TTL * 2);
    ready(bench.cache().server_groups()).unwrap().complete().unwrap();
    assert_eq!(bench.calls().0, 2);
    ready(earlier.server_groups()).unwrap().complete().unwrap();
    assert_eq!(bench.calls().0, 3);
}

#[test]
fn the_documents_are_those_of_kubectl() {
    let bench = Bench::new();
    bench.fake.set_resources([list("v1", &["pods"]), list("a.io/v1", &["widgets"])]);
    all(&bench.cache());
    let stored = bench.stored();
    assert_eq!(
        stored.keys().collect::<Vec<_>>(),
        ["a.io/v1/serverresources.json", "servergroups.json", "v1/serverresources.json"]
    );
    assert_eq!(
        stored["servergroups.json"],
        concat!(
            r#"{"kind":"APIGroupList","apiVersion":"v1","groups":["#,
            r#"{"name":"","versions":[{"groupVersion":"v1","version":"v1"}],"preferredVersion":{"groupVersion":"v1","version":"v1"}},"#,
            r#"{"name":"a.io","versions":[{"groupVersion":"a.io/v1","version":"v1"}],"preferredVersion":{"groupVersion":"a.io/v1","version":"v1"}}]}"#
        )
    );
    assert_eq!(
        stored["v1/serverresources.json"],
        concat!(
            r#"{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"v1","resources":["#,
            r#"{"name":"pods","singularName":"","namespaced":false,"kind":"Widget","verbs":[]}]}"#
        )
    );
    // And what kubectl wrote is read.
    bench.put(
        "servergroups.json",
        r#"{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"k.io","versions":[{"groupVersion":"k.io/v1","version":"v1"}],
            "preferredVersion":{"groupVersion":"k.io/v1","version":"v1"},"serverAddressByClientCIDRs":null}]}"#,
    );
    bench.put(
        "k.io/v1/serverresources.json",
        r#"{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"k.io/v1","resources":[{"name":"ks","singularName":"k",
            "namespaced":true,"kind":"K","verbs":["list"],"shortNames":["kk"],"storageVersionHash":"x="}]}"#,
    );
    assert_eq!(all(&bench.cache()), ["k.io/v1.ks"]);
}

#[test]
fn a_document_that_is_cut_or_something_else_is_a_miss() {
    let bench = Bench::new();
    all(&bench.cache());
    let whole = bench.stored();
    let mut expected = bench.calls();
    let mut others: Vec<(&str, String)> = Vec::new();
    for key in ["servergroups.json", "a/v1/serverresources.json"] {
        others.extend((0..whole[key].len()).map(|end| (key, whole[key][..end].to_owned())));
        others.extend(["null", "[]", "{}", "<html>", r#"{"kind":"Status"}"#].map(|text| (key, text.to_owned())));
    }
    let none = r#"{"kind":"APIGroupList","apiVersion":"v1","groups":[]}"#;
    others.push(("servergroups.json", none.to_owned()));
    let other_version = whole["a/v1/serverresources.json"].replace("a/v1", "b/v1");
    others.push(("a/v1/serverresources.json", other_version));
    others.push(("a/v1/serverresources.json", whole["servergroups.json"].clone()));
    for (key, value) in others {
        bench.put(key, value.as_bytes());
        assert_eq!(all(&bench.cache()), ["a/v1.widgets"], "{key}: {value}");
        *(if key == "servergroups.json" { &mut expected.0 } else { &mut expected.1 }) += 1;
        assert_eq!(bench.calls(), expected, "{key}: {value}");
        // The miss puts it right.
        assert_eq!(bench.stored(), whole);
    }
    assert!(bench.told.lock().unwrap().is_empty());
}

#[test]
fn bytes_that_are_no_text_are_a_miss() {
    let bench = Bench::new();
    bench.put("servergroups.json", vec![0xff; 64]);
    assert_eq!(all(&bench.cache()), ["a/v1.widgets"]);
}

#[test]
fn empty_answers_and_failures_are_not_kept() {
    let bench = Bench::new();
    bench.fake.set_resources([]);
    ready(bench.cache().server_groups()).unwrap().complete().unwrap();
    bench.fake.set_resources([list("a/v1", &[])]);
    let version = "a/v1".parse().unwrap();
    assert_eq!(ready(bench.cache().server_resources_for_group_version(&version)).unwrap().resources, []);
    bench.fake.fail(DiscoveryCall::Resources(version.clone()), Some(DiscoveryError::Empty));
    assert!(ready(bench.cache().server_resources_for_group_version(&version)).is_err());
    assert!(bench.stored().is_empty());
}

#[test]
fn a_storage_that_is_full_or_forbidden_is_carried_on_without_and_told_of_once() {
    let bench = Bench::new();
    let failure = StorageError::Unavailable { message: "the person forbids it".into() };
    bench.storage.fail(Some(failure.clone()));
    let cache = StoredCache::new(
        Arc::new(MemoryCache::new(Arc::new(bench.fake.clone()))),
        bench.tolerant(),
        Arc::new(bench.platform.clone()),
        TTL,
    );
    for _ in 0..3 {
        assert_eq!(all(&cache), ["a/v1.widgets"]);
    }
    // The cache below remembers.
    assert_eq!(bench.calls(), (1, 1));
    assert_eq!(*bench.told.lock().unwrap(), [failure.to_string()]);
    assert!(cache.fresh());
}

#[test]
fn a_group_whose_name_climbs_is_found_and_not_kept() {
    let bench = Bench::new();
    let version = GroupVersion::new("../../home", "v1");
    bench.fake.set_resources([ApiResourceList::new(version.clone(), list("a/v1", &["widgets"]).resources)]);
    assert_eq!(ready(bench.cache().server_resources_for_group_version(&version)).unwrap().resources.len(), 1);
    assert!(bench.stored().is_empty());
    assert_eq!(bench.told.lock().unwrap().len(), 1);
}

#[test]
fn a_stale_version_is_named_for_as_long_as_the_answer_is_used() {
    let bench = Bench::new();
    bench.fake.set_resources([list("a/v1", &["widgets"]), list("dead.io/v1", &["dead"])]);
    bench.fake.set_aggregated(true);
    bench.fake.fail(DiscoveryCall::Resources("dead.io/v1".parse().unwrap()), Some(DiscoveryError::Stale));
    let cache = bench.cache();
    for _ in 0..2 {
        let (found, failed) = ready(cache.server_groups_and_resources()).unwrap().partial();
        assert_eq!((found.resources.len(), failed.len()), (1, 1));
    }
    assert_eq!(bench.calls().0, 1);
    bench.fake.fail(DiscoveryCall::Resources("dead.io/v1".parse().unwrap()), None);
    cache.invalidate();
    assert_eq!(all(&cache), ["a/v1.widgets", "dead.io/v1.dead"]);
}

/// A cache as a program makes it, over a scripted server: what is remembered, what is stored, and documents.
fn over(server: &ScriptedTransport, bench: &Bench) -> StoredCache {
    let rest = RestClient::new(Arc::new(server.clone()), Arc::new(bench.platform.clone()));
    let client = DiscoveryClient::new(rest).with_documents(DocumentCache::new(bench.tolerant()));
    StoredCache::for_client(client, bench.tolerant(), Arc::new(bench.platform.clone()), TTL)
}

#[test]
fn the_groups_of_a_server_that_does_not_aggregate_are_kept() {
    let (server, bench) = (ScriptedTransport::default(), Bench::new());
    server.always("/api", ScriptedAnswer::text(r#"{"kind":"APIVersions","versions":["v1"]}"#));
    server.always(
        "/apis",
        ScriptedAnswer::text(
            r#"{"kind":"APIGroupList","groups":[{"name":"batch","versions":[{"groupVersion":"batch/v1"}]},
                {"name":"batch","versions":[{"groupVersion":"batch/v1beta1"}]},
                {"name":"extensions","versions":[{"groupVersion":"extensions/v1beta1"}]}]}"#,
        ),
    );
    let asked = ready(over(&server, &bench).server_groups()).unwrap().complete().unwrap();
    let versions: Vec<_> = asked.group_versions().map(|version| version.to_string()).collect();
    assert_eq!(versions, ["v1", "batch/v1", "batch/v1beta1", "extensions/v1beta1"]);
    assert_eq!(bench.stored().keys().collect::<Vec<_>>(), ["servergroups.json"]);
    server.forget_requests();
    assert_eq!(ready(over(&server, &bench).server_groups()).unwrap().complete().unwrap(), asked);
    assert!(server.requests().is_empty());
}

#[test]
fn the_groups_of_a_server_that_aggregates_are_kept_and_two_requests_find_everything() {
    let (server, bench) = (ScriptedTransport::default(), Bench::new());
    server.always(
        "/api",
        ScriptedAnswer::text(
            r#"{"kind":"APIGroupDiscoveryList","items":[{"versions":[{"version":"v1","resources":[
            {"resource":"pods","responseKind":{"version":"v1","kind":"Pod"}}]}]}]}"#,
        ),
    );
    server.always(
        "/apis",
        ScriptedAnswer::text(
            r#"{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"apps"},"versions":[
            {"version":"v2","resources":[{"resource":"deployments","responseKind":{"kind":"Deployment"}}]},
            {"version":"v1","resources":[{"resource":"deployments","responseKind":{"kind":"Deployment"}}]}]}]}"#,
        ),
    );
    let cache = over(&server, &bench);
    let groups = ready(cache.server_groups()).unwrap().complete().unwrap();
    assert_eq!(groups.group("apps").unwrap().preferred_version.as_deref(), Some("v2"));
    assert_eq!(bench.stored().keys().collect::<Vec<_>>(), ["servergroups.json"]);
    let everything = ["v1.pods", "apps/v2.deployments", "apps/v1.deployments"];
    assert_eq!(all(&cache), everything);
    assert_eq!(server.paths(), ["/api", "/apis"]);
    assert_eq!(all(&over(&server, &bench)), everything);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_schema_is_asked_for_once_and_then_comes_from_memory_or_from_storage() {
    let (server, bench) = (ScriptedTransport::default(), Bench::new());
    let index = r#"{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=A"},
        "apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=B"}}}"#;
    server.always("/openapi/v3", ScriptedAnswer::text(index).with_etag("\"i\""));
    let cache = over(&server, &bench);
    ready(cache.openapi_v3()).unwrap();
    let paths = ready(cache.openapi_v3()).unwrap().paths.clone();
    assert_eq!((server.count("/openapi/v3"), paths.len()), (1, 2));
    for (format, body) in [(SchemaFormat::Json, "{}"), (SchemaFormat::Protobuf, "\n\u{5}3.0.0")] {
        server.forget_requests();
        for (name, path) in &paths {
            let address = format!("/openapi/v3/{name}");
            server.always(&address, ScriptedAnswer::text(body));
            for _ in 0..2 {
                assert_eq!(ready(cache.openapi_v3_schema(path, format)).unwrap(), body);
                assert_eq!(server.count(&address), 1);
            }
            cache.invalidate();
            let again = ready(cache.openapi_v3()).unwrap().paths[name].clone();
            assert_eq!(ready(cache.openapi_v3_schema(&again, format)).unwrap(), body);
            assert_eq!(server.count(&address), 1);
        }
    }
    // Another content is another address.
    server.always("/openapi/v3", ScriptedAnswer::text(index.replace("hash=A", "hash=C")).with_etag("\"j\""));
    server.always("/openapi/v3/api/v1", ScriptedAnswer::text(r#"{"new":true}"#));
    cache.invalidate();
    let path = ready(cache.openapi_v3()).unwrap().paths["api/v1"].clone();
    assert_eq!(ready(cache.openapi_v3_schema(&path, SchemaFormat::Json)).unwrap(), r#"{"new":true}"#);
}

#[test]
fn after_its_time_what_has_not_changed_is_asked_for_with_its_tag() {
    let (server, bench) = (ScriptedTransport::default(), Bench::new());
    let groups = r#"{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"a.io"},"versions":[{"version":"v1",
        "resources":[{"resource":"as","responseKind":{"kind":"A"}}]}]}]}"#;
    server.always("/apis", ScriptedAnswer::text(groups).with_etag("\"1\""));
    assert_eq!(all(&over(&server, &bench)), ["a.io/v1.as"]);
    bench.platform.advance(TTL * 2);
    assert_eq!(all(&over(&server, &bench)), ["a.io/v1.as"]);
    let tags: Vec<_> = server.requests().into_iter().filter(|request| request.path.starts_with("/apis")).collect();
    assert_eq!(tags.len(), 2);
    assert_eq!(tags[1].headers["if-none-match"], "\"1\"");
}

#[test]
fn what_a_cache_that_is_not_fresh_does_not_have_is_looked_up_once() {
    let (server, bench) = (ScriptedTransport::default(), Bench::new());
    let groups = |name: &str| {
        ScriptedAnswer::text(format!(
            r#"{{"kind":"APIGroupDiscoveryList","items":[{{"metadata":{{"name":"{name}"}},"versions":[{{"version":"v1",
                "resources":[{{"resource":"as","responseKind":{{"kind":"A"}}}}]}}]}}]}}"#
        ))
    };
    server.always("/apis", groups("old.io"));
    all(&over(&server, &bench));
    server.always("/apis", groups("new.io"));
    server.forget_requests();
    let cache = over(&server, &bench);
    assert_eq!(all(&cache), ["old.io/v1.as"]);
    assert!(!cache.fresh() && server.requests().is_empty());
    let new = "new.io/v1".parse().unwrap();
    assert!(ready(cache.server_resources_for_group_version(&new)).is_ok());
    let unknown = "unknown.io/v1".parse().unwrap();
    for _ in 0..2 {
        assert!(matches!(ready(cache.server_resources_for_group_version(&unknown)), Err(DiscoveryError::NotCached { .. })));
    }
    assert_eq!(server.count("/apis"), 1);
}

#[test]
fn an_answer_to_a_question_of_before_the_invalidation_is_not_used_after_it() {
    use futures::poll;
    let (server, bench) = (ScriptedTransport::default(), Bench::new());
    let clock: Arc<dyn Platform> = Arc::new(bench.platform.clone());
    let groups = |name: &str| {
        let body = format!(r#"{{"kind":"APIGroupList","groups":[{{"name":"{name}","versions":[{{"version":"v1"}}]}}]}}"#);
        ScriptedAnswer::text(body)
    };
    server.once("/apis", groups("before.io").after(&clock, Duration::from_secs(1)));
    server.always("/apis", groups("after.io"));
    let rest = RestClient::new(Arc::new(server.clone()), Arc::clone(&clock));
    let cache = StoredCache::new(Arc::new(DiscoveryClient::new(rest)), bench.tolerant(), clock, TTL);
    let names = |found: Discovered<Arc<ApiGroupList>>| found.partial().0.groups[0].name.clone();
    ready(async {
        let mut before = cache.server_groups();
        assert!(poll!(&mut before).is_pending());
        cache.invalidate();
        bench.platform.advance(Duration::from_secs(1));
        assert_eq!(names(before.await.unwrap()), "before.io");
        assert_eq!(names(cache.server_groups().await.unwrap()), "after.io");
    });
}
