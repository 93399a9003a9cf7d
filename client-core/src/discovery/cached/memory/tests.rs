use std::{task::Poll, time::Duration};

use futures::{FutureExt as _, future::join, poll};

use super::*;
use crate::{
    discovery::{ApiResource, DiscoveryCall, DiscoveryClient, FakeDiscovery, openapi::read_index, source::Answer},
    meta::Status,
    platform::{FakePlatform, Platform, ready},
    rest::{ApiError, RestClient},
    transport::{ScriptedAnswer, ScriptedTransport, TransportError},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn list(version: &str, names: &[&str]) -> ApiResourceList {
    let resource = |name: &&str| ApiResource { name: (*name).to_owned(), kind: (*name).to_owned(), ..ApiResource::default() };
    ApiResourceList::new(version.parse().unwrap(), names.iter().map(resource).collect())
}

fn version(text: &str) -> GroupVersion {
    text.parse().unwrap()
}

fn refused(code: u16) -> DiscoveryError {
    ApiError::Refused(Box::new(Status { code, ..Status::default() })).into()
}

fn fake() -> (FakeDiscovery, MemoryCache) {
    let fake = FakeDiscovery::new([list("astronomy/v8beta1", &["dwarfplanets"]), list("astronomy2/v8beta1", &["stars"])]);
    (fake.clone(), MemoryCache::new(Arc::new(fake)))
}

fn names(cache: &MemoryCache, group_version: &str) -> Result<Vec<String>, DiscoveryError> {
    let list = ready(cache.server_resources_for_group_version(&version(group_version)))?;
    Ok(list.resources.iter().map(|resource| resource.name.clone()).collect())
}

fn groups(cache: &MemoryCache) -> Vec<String> {
    let (groups, _) = ready(cache.server_groups()).unwrap().partial();
    groups.group_versions().map(|version| version.to_string()).collect()
}

#[test]
fn a_cache_is_fresh_from_its_first_answer_until_it_is_invalidated() {
    let (fake, cache) = fake();
    assert!(!cache.fresh());
    assert_eq!(groups(&cache), ["astronomy/v8beta1", "astronomy2/v8beta1"]);
    assert!(cache.fresh());
    assert_eq!(names(&cache, "astronomy/v8beta1").unwrap(), ["dwarfplanets"]);
    fake.set_resources([list("astronomy/v8beta1", &["stars"])]);
    assert_eq!(names(&cache, "astronomy/v8beta1").unwrap(), ["dwarfplanets"]);
    assert_eq!(fake.calls().len(), 3);
    cache.invalidate();
    assert!(!cache.fresh());
    assert_eq!(names(&cache, "astronomy/v8beta1").unwrap(), ["stars"]);
    assert!(cache.fresh());
    assert_eq!(groups(&cache), ["astronomy/v8beta1"]);
}

#[test]
fn a_question_for_the_groups_that_fails_leaves_nothing_and_the_next_one_asks_again() {
    let (fake, cache) = fake();
    fake.fail(DiscoveryCall::Groups, Some(refused(403)));
    assert!(ready(cache.server_groups()).is_err());
    assert!(!cache.fresh());
    fake.fail(DiscoveryCall::Groups, None);
    assert_eq!(names(&cache, "astronomy/v8beta1").unwrap(), ["dwarfplanets"]);
    assert!(cache.fresh());
}

#[test]
fn a_server_without_groups_is_asked_again() {
    for aggregated in [false, true] {
        let fake = FakeDiscovery::default();
        fake.set_aggregated(aggregated);
        let cache = MemoryCache::new(Arc::new(fake.clone()));
        assert_eq!(groups(&cache), [""; 0]);
        assert!(!cache.fresh());
        fake.set_resources([list("a.io/v1", &["as"])]);
        assert_eq!(groups(&cache), ["a.io/v1"]);
    }
}

#[test]
fn a_lasting_failure_of_a_version_is_kept_until_the_cache_is_invalidated() {
    for error in [refused(403), refused(404), DiscoveryError::Api(ApiError::Unreadable { path: "/".into(), message: "x".into() })]
    {
        let (fake, cache) = fake();
        let call = DiscoveryCall::Resources(version("astronomy/v8beta1"));
        fake.fail(call.clone(), Some(error));
        assert_eq!(names(&cache, "astronomy2/v8beta1").unwrap(), ["stars"]);
        assert!(names(&cache, "astronomy/v8beta1").is_err());
        fake.fail(call.clone(), None);
        assert!(names(&cache, "astronomy/v8beta1").is_err());
        assert_eq!(fake.count(&call), 1);
        cache.invalidate();
        assert_eq!(names(&cache, "astronomy/v8beta1").unwrap(), ["dwarfplanets"]);
    }
}

#[test]
fn a_failure_that_may_pass_is_asked_for_again_alone_and_the_answer_kept() {
    let unreachable = TransportError::Unreachable { address: "here".into(), message: "refused".into() };
    for error in [
        refused(503),
        refused(500),
        refused(429),
        DiscoveryError::Api(unreachable.into()),
        DiscoveryError::Api(ApiError::TimedOut { path: "/".into(), seconds: 32 }),
    ] {
        let (fake, cache) = fake();
        let call = DiscoveryCall::Resources(version("astronomy/v8beta1"));
        fake.fail(call.clone(), Some(error));
        assert_eq!(names(&cache, "astronomy2/v8beta1").unwrap(), ["stars"]);
        assert!(names(&cache, "astronomy/v8beta1").is_err());
        assert_eq!(fake.count(&call), 2);
        fake.fail(call.clone(), None);
        assert_eq!(names(&cache, "astronomy/v8beta1").unwrap(), ["dwarfplanets"]);
        fake.fail(call.clone(), Some(refused(404)));
        assert_eq!(names(&cache, "astronomy/v8beta1").unwrap(), ["dwarfplanets"]);
        assert_eq!((fake.count(&call), fake.count(&DiscoveryCall::Groups)), (3, 1));
    }
}

#[test]
fn a_stale_version_is_named_with_the_others_and_asked_for_again_alone() {
    let (fake, cache) = fake();
    fake.set_aggregated(true);
    let call = DiscoveryCall::Resources(version("astronomy/v8beta1"));
    fake.fail(call.clone(), Some(DiscoveryError::Stale));
    let (found, failed) = ready(cache.server_groups_and_resources()).unwrap().partial();
    assert_eq!((found.resources.len(), failed.to_string().contains("astronomy/v8beta1: ")), (1, true));
    assert_eq!(fake.calls(), [DiscoveryCall::Groups]);
    fake.fail(call.clone(), None);
    assert_eq!(names(&cache, "astronomy/v8beta1").unwrap(), ["dwarfplanets"]);
    assert_eq!(fake.calls(), [DiscoveryCall::Groups, call]);
    assert!(ready(cache.server_groups_and_resources()).unwrap().failed().is_empty());
}

#[test]
fn what_a_fresh_cache_does_not_have_is_not_looked_up() {
    let (fake, cache) = fake();
    for _ in 0..2 {
        // The first time the cache is not fresh, and looks once.
        let error = names(&cache, "new.io/v1").unwrap_err();
        assert!(matches!(&error, DiscoveryError::NotCached { group_version } if group_version.group == "new.io"), "{error}");
    }
    assert_eq!(fake.count(&DiscoveryCall::Groups), 1);
    assert_eq!(fake.count(&DiscoveryCall::Resources(version("new.io/v1"))), 0);
    fake.set_resources([list("new.io/v1", &["news"])]);
    assert!(names(&cache, "new.io/v1").is_err());
    cache.invalidate();
    assert_eq!(names(&cache, "new.io/v1").unwrap(), ["news"]);
}

#[test]
fn a_version_without_resources_is_a_failure_that_lasts() {
    let fake = FakeDiscovery::new([list("empty.io/v1", &[]), list("a.io/v1", &["as"])]);
    let cache = MemoryCache::new(Arc::new(fake.clone()));
    for _ in 0..2 {
        assert!(matches!(names(&cache, "empty.io/v1"), Err(DiscoveryError::Empty)));
    }
    assert_eq!(fake.count(&DiscoveryCall::Resources(version("empty.io/v1"))), 1);
    let (found, failed) = ready(cache.server_groups_and_resources()).unwrap().partial();
    assert_eq!((found.resources.len(), failed.len()), (1, 1));
}

/// A cache over a client of a scripted server.
fn over(server: &ScriptedTransport) -> MemoryCache {
    let rest = RestClient::new(Arc::new(server.clone()), Arc::new(FakePlatform::default()));
    MemoryCache::new(Arc::new(DiscoveryClient::new(rest)))
}

#[test]
fn the_groups_of_a_server_that_does_not_aggregate_come_without_resources() {
    for (groups_document, expected) in [
        (r#"{"name":"extensions","versions":[{"groupVersion":"extensions/v1beta1"}]}"#, &["v1", "extensions/v1beta1"][..]),
        (
            r#"{"name":"apps","versions":[{"groupVersion":"apps/v1"}]},{"name":"extensions","versions":[{"groupVersion":"extensions/v1beta1"}]}"#,
            &["v1", "apps/v1", "extensions/v1beta1"],
        ),
        (
            r#"{"name":"batch","versions":[{"groupVersion":"batch/v1"}]},{"name":"batch","versions":[{"groupVersion":"batch/v1beta1"}]}"#,
            &["v1", "batch/v1", "batch/v1beta1"],
        ),
    ] {
        let server = ScriptedTransport::default();
        server.always("/api", ScriptedAnswer::text(r#"{"kind":"APIVersions","versions":["v1"]}"#));
        server.always("/apis", ScriptedAnswer::text(format!(r#"{{"kind":"APIGroupList","groups":[{groups_document}]}}"#)));
        let cache = over(&server);
        assert!(!cache.fresh());
        for _ in 0..2 {
            let (listing, failed) = ready(cache.groups_and_maybe_resources()).unwrap().partial();
            assert!(cache.fresh() && failed.is_empty());
            assert_eq!(listing.resources, None);
            assert_eq!(listing.groups.group_versions().map(|version| version.to_string()).collect::<Vec<_>>(), expected);
            cache.invalidate();
            assert!(!cache.fresh());
        }
    }
}

const AGGREGATED_CORE: &str = r#"{"kind":"APIGroupDiscoveryList","items":[{"versions":[{"version":"v1","resources":[
    {"resource":"pods","responseKind":{"version":"v1","kind":"Pod"},"scope":"Namespaced"}]}]}]}"#;
const AGGREGATED_GROUPS: &str = r#"{"kind":"APIGroupDiscoveryList","items":[
    {"metadata":{"name":"batch"},"versions":[
        {"version":"v1","resources":[{"resource":"jobs","responseKind":{"group":"batch","version":"v1","kind":"Job"}}]},
        {"version":"v1beta1","resources":[{"resource":"jobs","responseKind":{"group":"batch","version":"v1beta1","kind":"Job"}}]}]},
    {"metadata":{"name":"apps"},"versions":[
        {"version":"v2","freshness":"Stale"},
        {"version":"v1","resources":[
            {"resource":"deployments","responseKind":{"group":"apps","version":"v1","kind":"Deployment"}}]}]}]}"#;

fn aggregating_server() -> ScriptedTransport {
    let server = ScriptedTransport::default();
    server.always("/api", ScriptedAnswer::text(AGGREGATED_CORE));
    server.always("/apis", ScriptedAnswer::text(AGGREGATED_GROUPS));
    server
}

#[test]
fn groups_resources_and_failures_of_one_aggregated_answer_are_remembered_together() {
    let server = aggregating_server();
    let cache = over(&server);
    for round in 1..=2 {
        for _ in 0..2 {
            let (listing, failed) = ready(cache.groups_and_maybe_resources()).unwrap().partial();
            assert!(cache.fresh());
            let lists: Vec<_> = listing.resources.unwrap().iter().map(|list| list.group_version.to_string()).collect();
            assert_eq!(lists, ["v1", "batch/v1", "batch/v1beta1", "apps/v1"]);
            assert_eq!(failed.iter().map(|(version, _)| version.to_string()).collect::<Vec<_>>(), ["apps/v2"]);
        }
        assert_eq!(server.requests().len(), 2 * round);
        cache.invalidate();
    }
}

#[test]
fn the_groups_of_an_aggregated_answer_have_their_preferred_versions() {
    let server = aggregating_server();
    let cache = over(&server);
    for _ in 0..2 {
        assert!(!cache.fresh());
        let (list, _) = ready(cache.server_groups()).unwrap().partial();
        assert!(cache.fresh());
        let preferred: Vec<_> =
            list.groups.iter().map(|group| (group.name.as_str(), group.preferred_version.as_deref())).collect();
        assert_eq!(preferred, [("", Some("v1")), ("batch", Some("v1")), ("apps", Some("v1"))]);
        assert_eq!(groups(&cache), ["v1", "batch/v1", "batch/v1beta1", "apps/v1"]);
        cache.invalidate();
    }
    server.always("/api", ScriptedAnswer::text(r#"{"kind":"APIGroupDiscoveryList","items":null}"#));
    assert_eq!(groups(&cache), ["batch/v1", "batch/v1beta1", "apps/v1"]);
}

#[test]
fn schemas_are_the_same_bytes_until_the_cache_is_invalidated() {
    let server = ScriptedTransport::default();
    let index = r#"{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=A"}}}"#;
    server.always("/openapi/v3", ScriptedAnswer::text(index));
    server.always("/openapi/v3/api/v1", ScriptedAnswer::text(r#"{"openapi":"3.0.0"}"#));
    let cache = over(&server);
    let path = &read_index(&Answer { body: index.into(), content_type: None }).unwrap().paths["api/v1"];
    for round in 1..=2 {
        let indexes = [(); 2].map(|()| ready(cache.openapi_v3()).unwrap());
        assert!(Arc::ptr_eq(&indexes[0], &indexes[1]));
        let schemas = [(); 2].map(|()| ready(cache.openapi_v3_schema(path, SchemaFormat::Json)).unwrap());
        assert!(std::ptr::eq(schemas[0].as_ptr(), schemas[1].as_ptr()));
        assert_eq!((server.count("/openapi/v3"), server.count("/openapi/v3/api/v1")), (round, round));
        cache.invalidate();
    }
    // A failure is not kept, and another form is another document.
    server.once("/openapi/v3/api/v1", ScriptedAnswer::status(http::StatusCode::SERVICE_UNAVAILABLE));
    assert!(ready(cache.openapi_v3_schema(path, SchemaFormat::Json)).is_err());
    assert!(ready(cache.openapi_v3_schema(path, SchemaFormat::Json)).is_ok());
    server.always("/openapi/v3/api/v1", ScriptedAnswer::text("\n\u{5}3.0.0"));
    assert!(ready(cache.openapi_v3_schema(path, SchemaFormat::Protobuf)).is_ok());
}

/// A cache over a client of a server that takes a second for its groups.
fn slow() -> (FakePlatform, ScriptedTransport, MemoryCache) {
    let platform = FakePlatform::default();
    let clock: Arc<dyn Platform> = Arc::new(platform.clone());
    let server = aggregating_server();
    server.always("/apis", ScriptedAnswer::text(AGGREGATED_GROUPS).after(&clock, Duration::from_secs(1)));
    let cache = MemoryCache::new(Arc::new(DiscoveryClient::new(RestClient::new(Arc::new(server.clone()), clock))));
    (platform, server, cache)
}

#[test]
fn who_asks_while_somebody_else_does_waits_for_the_same_answer() {
    let (platform, server, cache) = slow();
    let batch = version("batch/v1");
    let (groups, list) = ready(async {
        let mut both = join(cache.server_groups(), cache.server_resources_for_group_version(&batch));
        assert!(poll!(&mut both).is_pending());
        platform.advance(Duration::from_secs(1));
        both.await
    });
    assert!(groups.is_ok() && list.is_ok());
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn an_answer_to_a_question_of_before_the_invalidation_is_not_remembered_after_it() {
    let (platform, server, cache) = slow();
    ready(async {
        let mut before = cache.server_groups().boxed_local();
        assert!(poll!(&mut before).is_pending());
        cache.invalidate();
        let mut after = cache.server_groups().boxed_local();
        assert!(poll!(&mut after).is_pending());
        platform.advance(Duration::from_secs(1));
        assert!(matches!(poll!(&mut before), Poll::Ready(Ok(_))));
        assert!(!cache.fresh());
        assert!(poll!(&mut after).is_pending());
        platform.advance(Duration::from_secs(1));
        assert!(after.await.is_ok());
    });
    assert!(cache.fresh());
    assert_eq!(server.count("/apis"), 2);
}

#[test]
fn a_cache_below_forgets_as_well() {
    let (fake, below) = fake();
    let cache = MemoryCache::new(Arc::new(below));
    assert!(groups(&cache).len() == 2 && groups(&cache).len() == 2);
    assert_eq!(fake.count(&DiscoveryCall::Groups), 1);
    cache.invalidate();
    groups(&cache);
    assert_eq!(fake.count(&DiscoveryCall::Groups), 2);
}
