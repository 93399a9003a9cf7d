//! Both caches in what a page has: a local storage of a bounded size.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use super::*;
use crate::{
    discovery::{Discovery, DiscoveryClient},
    platform::{BoundedStorage, FakePlatform, TextStore as _, Texts, TolerantStorage, ready},
    rest::RestClient,
    transport::{Request, ScriptedAnswer, ScriptedTransport},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// As much as a browser gives, and as much of it as the storage takes.
const PLENTY: usize = 100_000;
const GROUPS: &str = r#"{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"a.io"},"versions":[{"version":"v1","resources":[
    {"resource":"widgets","responseKind":{"version":"v1","kind":"Widget"},"scope":"Namespaced","singularResource":"widget"}]}]}]}"#;
const CORE: &str = r#"{"kind":"APIGroupDiscoveryList","items":[]}"#;

/// A browser, and a server it looks at.
struct Browser {
    texts: Texts,
    platform: FakePlatform,
    server: ScriptedTransport,
    told: Arc<Mutex<Vec<String>>>,
}

impl Browser {
    fn new(quota: usize) -> Self {
        let server = ScriptedTransport::default();
        server.always("/api", ScriptedAnswer::text(CORE).with_etag("\"core\""));
        server.always("/apis", ScriptedAnswer::text(GROUPS).with_etag("\"groups\""));
        Self { texts: Texts::of(quota), platform: FakePlatform::default(), server, told: Arc::default() }
    }

    fn storage(&self, cluster: &str, limit: usize) -> TolerantStorage {
        let (texts, platform, log) = (self.texts.clone(), Arc::new(self.platform.clone()), Arc::clone(&self.told));
        let storage = BoundedStorage::new(texts, platform, "porthole/discovery/", &format!("{cluster}/"), limit);
        TolerantStorage::new(Arc::new(storage), move |error| log.lock().unwrap().push(error.to_string()))
    }

    /// What a page that keeps documents alone finds, as each visit makes it anew.
    fn by_documents(&self, cluster: &str, limit: usize) -> Vec<String> {
        let rest = RestClient::new(Arc::new(self.server.clone()), Arc::new(self.platform.clone()));
        let client = DiscoveryClient::new(rest).with_documents(DocumentCache::new(self.storage(cluster, limit)));
        found(&client)
    }

    /// What a page that keeps lists, and documents below them, finds.
    fn by_lists(&self, cluster: &str, limit: usize) -> Vec<String> {
        let rest = RestClient::new(Arc::new(self.server.clone()), Arc::new(self.platform.clone()));
        let storage = self.storage(cluster, limit);
        let client = DiscoveryClient::new(rest).with_documents(DocumentCache::new(storage.clone()));
        found(&StoredCache::for_client(client, storage, Arc::new(self.platform.clone()), Duration::from_hours(6)))
    }

    /// The tag with which each request for the groups since the last call of this came.
    fn tags(&self) -> Vec<String> {
        let tag = |request: &Request| {
            let tag = request.headers.get("if-none-match").map_or(NONE, |tag| tag.to_str().unwrap());
            tag.trim_matches('"').to_owned()
        };
        let requests = self.server.requests();
        let tags = requests.iter().filter(|request| request.path.split('?').next() == Some("/apis")).map(tag).collect();
        self.server.forget_requests();
        tags
    }
}

fn found(discovery: &dyn Discovery) -> Vec<String> {
    let found = ready(discovery.server_groups_and_resources()).unwrap().complete().unwrap();
    let resources = found.resources.iter().flat_map(|list| &list.resources);
    resources.map(|resource| format!("{} {}", resource.name, resource.kind)).collect()
}

/// A request without a tag.
const NONE: &str = "";
const WIDGETS: [&str; 1] = ["widgets Widget"];

#[test]
fn the_next_visit_sends_the_tag_of_its_document_and_takes_the_lists_as_they_are() {
    let browser = Browser::new(PLENTY);
    assert_eq!(browser.by_documents("one", PLENTY), WIDGETS);
    assert_eq!(browser.by_documents("one", PLENTY), WIDGETS);
    assert_eq!(browser.tags(), [NONE, "groups"]);
    assert_eq!(browser.by_lists("one", PLENTY), WIDGETS);
    assert_eq!(browser.by_lists("one", PLENTY), WIDGETS);
    assert_eq!(browser.tags(), ["groups"]);
    // When the lists are too old the document still is there, and the server has another one by then.
    browser.platform.advance(Duration::from_hours(7));
    let changed = GROUPS.replace("Widget", "Gadget");
    browser.server.always("/apis", ScriptedAnswer::text(changed).with_etag("\"other\""));
    assert_eq!(browser.by_lists("one", PLENTY), ["widgets Gadget"]);
    assert_eq!(browser.by_documents("one", PLENTY), ["widgets Gadget"]);
    assert_eq!(browser.tags(), ["groups", "other"]);
    assert_eq!(*browser.told.lock().unwrap(), Vec::<String>::new());
}

#[test]
fn another_cluster_at_the_same_address_is_asked_anew_and_takes_the_room_of_the_first() {
    let browser = Browser::new(PLENTY);
    assert_eq!(browser.by_lists("one", PLENTY), WIDGETS);
    let all: usize = browser
        .texts
        .names()
        .unwrap()
        .iter()
        .map(|name| name.len() + browser.texts.get(name).unwrap().unwrap().chars().count())
        .sum();
    assert_eq!(browser.by_lists("two", all), WIDGETS);
    assert_eq!(browser.by_lists("two", all), WIDGETS);
    assert_eq!(browser.tags(), [NONE, NONE]);
    let names = browser.texts.names().unwrap();
    assert!(names.iter().all(|name| name.starts_with("porthole/discovery/two/")), "{names:?}");
    assert_eq!(*browser.told.lock().unwrap(), Vec::<String>::new());
}

#[test]
fn a_storage_that_is_full_costs_requests_and_no_answer() {
    // Full by the browser's bound, by ours, and such that only the small values fit.
    for (quota, limit) in [(100, PLENTY), (PLENTY, 100), (PLENTY, 300), (300, PLENTY)] {
        let browser = Browser::new(quota);
        for _ in 0..3 {
            assert_eq!(browser.by_lists("one", limit), WIDGETS, "in {quota} and {limit}");
            assert_eq!(browser.by_documents("one", limit), WIDGETS, "in {quota} and {limit}");
        }
        // The document does not fit, so there is no tag.
        assert!(browser.tags().iter().all(|tag| tag == NONE));
        let told = browser.told.lock().unwrap();
        assert!(!told.is_empty() && told.iter().all(|error| error.contains("it does not fit")), "{told:?}");
    }
}

#[test]
fn a_storage_that_may_not_be_used_costs_requests_and_no_answer_and_is_used_again_when_it_may() {
    let browser = Browser::new(PLENTY);
    browser.texts.refuse(true);
    assert_eq!(browser.by_lists("one", PLENTY), WIDGETS);
    assert_eq!(browser.told.lock().unwrap().len(), 1, "each visit is told once");
    assert_eq!(browser.by_documents("one", PLENTY), WIDGETS);
    assert_eq!(browser.tags(), [NONE, NONE]);
    assert!(browser.told.lock().unwrap().iter().all(|error| error.contains("the person forbids it")));
    browser.texts.refuse(false);
    assert_eq!(browser.by_lists("one", PLENTY), WIDGETS);
    assert_eq!(browser.by_lists("one", PLENTY), WIDGETS);
    assert_eq!(browser.tags(), [NONE]);
    // What was kept before is not lost by a refusal.
    browser.texts.refuse(true);
    assert_eq!(browser.by_lists("one", PLENTY), WIDGETS);
    browser.texts.refuse(false);
    assert_eq!(browser.by_lists("one", PLENTY), WIDGETS);
    assert_eq!(browser.tags(), [NONE]);
}

#[test]
fn what_is_corrupt_is_neither_believed_nor_named_by_its_tag_and_is_written_anew() {
    type Change = fn(&str) -> String;
    let changes: [(&str, Change); 5] = [
        ("cut", |text| text.chars().take(text.chars().count() / 2).collect()),
        ("empty", |_| String::new()),
        ("of somebody else", |_| "{\"theme\":\"dark\"}".to_owned()),
        ("with a character that is no byte", |text| text.replace('a', "€")),
        // As long as before, and JSON still: only a checksum tells, and a list has none.
        ("changed", |text| if text.contains("\"etag\"") { text.replace("widgets", "wodgets") } else { "null".to_owned() }),
    ];
    for (what, change) in changes {
        let browser = Browser::new(PLENTY);
        assert_eq!(browser.by_lists("one", PLENTY), WIDGETS);
        browser.texts.change("porthole/discovery/one/", change);
        assert_eq!(browser.by_lists("one", PLENTY), WIDGETS, "{what}");
        assert_eq!(browser.tags(), [NONE, NONE], "{what}");
        assert_eq!(browser.by_lists("one", PLENTY), WIDGETS, "{what}");
        assert_eq!(browser.by_documents("one", PLENTY), WIDGETS, "{what}");
        assert_eq!(browser.tags(), ["groups"], "{what}");
    }
}
