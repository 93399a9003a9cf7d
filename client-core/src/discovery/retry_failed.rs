//! Asking again for what could not be asked.

use super::{
    catalog::{Catalog, FailedVersion, Part},
    interface::AT_ONCE,
    legacy::{ask_each, resource_list},
};
use crate::rest::RestClient;

/// `known`, where each version that failed is asked again, under its own path, and nothing else is. What answers now is in its
/// place; what still fails keeps its newest reason. client-go asks for everything anew.
///
/// A server of an extension that is back is found so at once: the aggregated document, and with it its entity tag, may go on
/// calling it stale for a while. Where a resource is known in another version already, it stays in use in that one until the
/// catalog is [fetched](super::fetch) anew, for only then the server says which it prefers.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     discovery::{Catalog, FailedVersion, retry_failed},
///     platform::{FakePlatform, ready},
///     rest::RestClient,
///     transport::{ScriptedAnswer, ScriptedTransport},
/// };
///
/// let server = ScriptedTransport::default();
/// server.always("/apis/a.io/v1", ScriptedAnswer::text(r#"{"kind":"APIResourceList","groupVersion":"a.io/v1",
///     "resources":[{"name":"things","kind":"Thing"}]}"#));
/// let client = RestClient::new(Arc::new(server), Arc::new(FakePlatform::default()));
///
/// let mut known = Catalog::default();
/// known.groups.failed.push(FailedVersion { group_version: "a.io/v1".parse().unwrap(), reason: "stale".into() });
/// let now = ready(retry_failed(&client, &known));
/// assert_eq!(now.failed().count(), 0);
/// assert_eq!(now.resources().next().unwrap().kind, "Thing");
/// ```
pub async fn retry_failed(client: &RestClient, known: &Catalog) -> Catalog {
    let mut catalog = known.clone();
    let versions = known.failed().map(|failed| failed.group_version.clone());
    let question = |version| async move { resource_list(client, &version).await };
    for (version, answer) in ask_each(versions, AT_ONCE, question).await {
        let of_part = |part: &&mut Part| part.failed.iter().any(|failed| failed.group_version == version);
        for part in [&mut catalog.core, &mut catalog.groups].into_iter().filter(of_part) {
            match &answer {
                Ok(list) => part.take_in(list),
                Err(error) => part.note_failure(FailedVersion { group_version: version.clone(), reason: error.to_string() }),
            }
        }
    }
    catalog
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http::StatusCode;

    use super::*;
    use crate::{
        discovery::fetch,
        platform::{FakePlatform, ready},
        transport::{ScriptedAnswer, ScriptedTransport},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const GROUPS: &str = r#"{"kind":"APIGroupDiscoveryList","items":[
        {"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale"}]},
        {"metadata":{"name":"a.io"},"versions":[{"version":"v2","freshness":"Stale"},
            {"version":"v1","freshness":"Current","resources":[{"resource":"as","responseKind":{"kind":"A"},"scope":"Namespaced"}]}]},
        {"metadata":{"name":"b.io"},"versions":[
            {"version":"v1","freshness":"Current","resources":[{"resource":"bs","responseKind":{"kind":"B"},"scope":"Namespaced"}]}]}]}"#;

    fn list(version: &str, resources: &str) -> ScriptedAnswer {
        ScriptedAnswer::text(format!(r#"{{"kind":"APIResourceList","groupVersion":"{version}","resources":[{resources}]}}"#))
    }

    fn bench() -> (ScriptedTransport, RestClient, Catalog) {
        let server = ScriptedTransport::default();
        server.always("/api", ScriptedAnswer::text(r#"{"kind":"APIGroupDiscoveryList","items":[]}"#));
        server.always("/apis", ScriptedAnswer::text(GROUPS).with_etag("\"1\""));
        let client = RestClient::new(Arc::new(server.clone()), Arc::new(FakePlatform::default()));
        let catalog = ready(fetch(&client, None)).unwrap();
        server.forget_requests();
        (server, client, catalog)
    }

    fn found(catalog: &Catalog) -> Vec<String> {
        catalog.resources().map(|found| format!("{} {}", found.identity.resource, found.versions.join(","))).collect()
    }

    #[test]
    fn only_what_failed_is_asked_again_and_what_answers_is_in_its_place() {
        let (server, client, catalog) = bench();
        assert_eq!((found(&catalog), catalog.failed().count()), (vec!["as v1".to_owned(), "bs v1".to_owned()], 2));
        server.always("/apis/metrics.k8s.io/v1beta1", list("metrics.k8s.io/v1beta1", r#"{"name":"pods","kind":"PodMetrics"}"#));
        let of_a =
            r#"{"name":"as","kind":"A"},{"name":"as/status","kind":"A"},{"name":"cs","kind":"C"},{"name":"kindless","kind":""}"#;
        server.always("/apis/a.io/v2", list("a.io/v2", of_a));
        let now = ready(retry_failed(&client, &catalog));
        assert_eq!(found(&now), ["as v1,v2", "cs v2", "bs v1", "pods v1beta1"]);
        assert_eq!((now.failed().count(), now.groups.etag.as_deref()), (0, Some("\"1\"")));
        let mut paths: Vec<_> =
            server.requests().iter().map(|request| request.path.split('?').next().unwrap().to_owned()).collect();
        paths.sort();
        assert_eq!(paths, ["/apis/a.io/v2", "/apis/metrics.k8s.io/v1beta1"]);
        // There is nothing left to ask.
        assert_eq!(ready(retry_failed(&client, &now)), now);
        assert_eq!(server.requests().len(), 2);
    }

    #[test]
    fn what_still_fails_keeps_its_newest_reason_and_its_place() {
        let (server, client, catalog) = bench();
        server.always("/apis/metrics.k8s.io/v1beta1", ScriptedAnswer::status(StatusCode::FORBIDDEN));
        server.always("/apis/a.io/v2", ScriptedAnswer::text("<html>"));
        let now = ready(retry_failed(&client, &catalog));
        assert_eq!((found(&now), server.requests().len()), (found(&catalog), 2));
        let versions = |catalog: &Catalog| catalog.failed().map(|failed| failed.group_version.clone()).collect::<Vec<_>>();
        assert_eq!(versions(&now), versions(&catalog));
        for (before, after) in catalog.failed().zip(now.failed()) {
            assert_ne!(before.reason, after.reason);
        }
    }

    #[test]
    fn many_versions_are_not_asked_all_at_once() {
        let (server, client, mut catalog) = bench();
        let failed = |index| FailedVersion { group_version: format!("g{index}.io/v1").parse().unwrap(), reason: String::new() };
        catalog.groups.failed = (0..3 * AT_ONCE).map(failed).collect();
        let now = ready(retry_failed(&client, &catalog));
        assert_eq!((now.failed().count(), server.requests().len()), (3 * AT_ONCE, 3 * AT_ONCE));
        assert!(server.most_at_once() <= AT_ONCE);
    }
}
