//! Runs operations on both servers and compares what comes back.

use std::{
    collections::BTreeSet,
    env,
    fmt::Write as _,
    sync::Arc,
    time::{Duration, Instant},
};

use http::Method;
use porthole_client_core::{
    fake::{Column, FakeApiServer, ResourceDefinition},
    host::native::NativePlatform,
    platform::Platform,
    transport::Transport,
};
use serde_json::{Map, Value, json};

use super::{
    chance::Chance,
    normal::Side,
    operations::{Kind, operation},
    server::{Answered, Asked, Events, answered, ask, send},
    support::{compaction::compact, config, transport_of, until_forgotten},
};

const LIMIT: Duration = Duration::from_secs(20);

/// Where the storages of both servers are emptied of old states, once in a long run.
const COMPACTION: usize = 5_000;
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The two servers.
pub(crate) struct Pair {
    pub(crate) real: Arc<dyn Transport>,
    pub(crate) fake: FakeApiServer,
    pub(crate) real_side: Side,
    pub(crate) fake_side: Side,
    /// How many answers said how far a cache has come, and in how many of these the servers were apart.
    cached: usize,
    apart: usize,
}

fn schema() -> Value {
    let text = || json!({ "type": "string" });
    json!({ "type": "object", "properties": {
        "spec": { "type": "object", "properties": {
            "size": { "type": "integer" },
            "color": text(),
            "labels": { "type": "object", "additionalProperties": text() },
            "tags": { "type": "array", "items": text(), "x-kubernetes-list-type": "set" },
            "ports": { "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"],
                "items": { "type": "object", "required": ["port"], "properties": { "port": { "type": "integer" }, "name": text() } } },
            "atoms": { "type": "array", "items": { "type": "integer" } },
        } },
        "status": { "type": "object", "properties": { "phase": text() } },
    } })
}

fn definition(group: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("widgets.{group}") },
        "spec": {
            "group": group, "scope": "Namespaced",
            "names": { "plural": "widgets", "singular": "widget", "kind": "Widget" },
            "versions": [{
                "name": "v1", "served": true, "storage": true, "subresources": { "status": {} },
                "additionalPrinterColumns": [
                    { "name": "Size", "type": "integer", "jsonPath": ".spec.size" },
                    { "name": "Phase", "type": "string", "jsonPath": ".status.phase", "priority": 1 },
                    { "name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp" },
                ],
                "selectableFields": [{ "jsonPath": ".spec.color" }],
                "schema": { "openAPIV3Schema": schema() },
            }],
        },
    })
}

async fn create(real: &dyn Transport, path: &str, body: &Value) {
    let asked = Asked {
        method: Method::POST,
        path: path.to_owned(),
        content_type: Some("application/json"),
        body: body.to_string(),
        ..Asked::default()
    };
    let answer = ask(real, &asked).await;
    assert!(answer.status == 201, "{path}: {answer:?}");
}

async fn until_there(real: &dyn Transport, path: &str) -> Value {
    let start = Instant::now();
    loop {
        let answer = ask(real, &Asked { path: path.to_owned(), ..Asked::default() }).await;
        if answer.status == 200 {
            return answer.body;
        }
        assert!(start.elapsed() < LIMIT, "{path} is not there within {LIMIT:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Two servers with the same objects, and what they are asked about.
pub(crate) struct Scene {
    pub(crate) pair: Pair,
    pub(crate) kinds: Vec<Kind>,
    namespace: String,
    definition: String,
}

impl Scene {
    /// A namespace and a custom resource of its own in the real server, and a fake one that has no more than these.
    pub(crate) async fn begin(name: &str) -> Self {
        let platform: Arc<dyn Platform> = Arc::new(NativePlatform::new(tokio::runtime::Handle::current()));
        let fake = FakeApiServer::new(platform);
        let real = transport_of(&config());
        let namespace = format!("lockstep-{}-{name}", std::process::id());
        let group = format!("{namespace}.example.com");
        create(&*real, DEFINITIONS, &definition(&group)).await;
        create(&*real, "/api/v1/namespaces", &json!({ "metadata": { "name": namespace } })).await;
        fake.register(
            ResourceDefinition::custom(&group, "v1", "widgets", "Widget")
                .with_status()
                .with_schema(schema().to_string().parse().unwrap())
                .with_selectable_fields(["spec.color"])
                .with_column(Column::new("Size", "integer", ".spec.size"))
                .with_column(Column::new("Phase", "string", ".status.phase").wide())
                .with_column(Column::new("Age", "date", ".metadata.creationTimestamp")),
        );
        let core = |resource: &str| format!("/api/v1/namespaces/{namespace}/{resource}");
        let widgets = format!("/apis/{group}/v1/namespaces/{namespace}/widgets");
        until_there(&*real, &widgets).await;
        for (resource, name, kind) in
            [("configmaps", "kube-root-ca.crt", "ConfigMap"), ("serviceaccounts", "default", "ServiceAccount")]
        {
            let mut object = until_there(&*real, &format!("{}/{name}", core(resource))).await;
            object["kind"] = kind.into();
            object["apiVersion"] = "v1".into();
            object["metadata"]
                .as_object_mut()
                .unwrap()
                .retain(|name, _| matches!(name.as_str(), "name" | "namespace" | "annotations" | "labels"));
            fake.insert(&object).unwrap();
        }
        let kinds = vec![
            Kind { name: "ConfigMap", api_version: "v1".to_owned(), collection: core("configmaps"), custom: false },
            Kind { name: "ServiceAccount", api_version: "v1".to_owned(), collection: core("serviceaccounts"), custom: false },
            Kind { name: "Widget", api_version: format!("{group}/v1"), collection: widgets, custom: true },
        ];
        fake.compact(&fake.resource_version());
        let pair = Pair { real, fake, real_side: Side::default(), fake_side: Side::default(), cached: 0, apart: 0 };
        Self { pair, kinds, namespace, definition: format!("widgets.{group}") }
    }

    /// Takes out of the real server what it was given. Nobody there empties a namespace: that stays as it is.
    pub(crate) async fn end(self) {
        let real = &*self.pair.real;
        for path in [format!("/api/v1/namespaces/{}", self.namespace), format!("{DEFINITIONS}/{}", self.definition)] {
            ask(real, &Asked { method: Method::DELETE, path, ..Asked::default() }).await;
        }
        // What has finalizers left would keep the definition for ever.
        let group = self.definition.trim_start_matches("widgets.");
        let widgets = format!("/apis/{group}/v1/namespaces/{}/widgets", self.namespace);
        let left = ask(real, &Asked { path: widgets.clone(), ..Asked::default() }).await;
        for widget in left.body["items"].as_array().into_iter().flatten() {
            let asked = Asked {
                method: Method::PATCH,
                path: format!("{widgets}/{}", widget["metadata"]["name"].as_str().unwrap()),
                content_type: Some("application/merge-patch+json"),
                body: r#"{"metadata":{"finalizers":null}}"#.to_owned(),
                ..Asked::default()
            };
            ask(real, &asked).await;
        }
        until_forgotten(&self.definition).await;
    }
}

/// Does operations that follow from a seed until the servers differ.
pub(crate) async fn run(seed: u64, count: usize) {
    let mut scene = Scene::begin(&seed.to_string()).await;
    let start = Instant::now();
    let failure = scene.pair.compare(seed, count, &scene.kinds).await;
    println!("{count} operations from seed {seed} took {:?}", start.elapsed());
    scene.end().await;
    assert!(failure.is_empty(), "{failure}");
}

impl Pair {
    /// The first difference, or as many as `PORTHOLE_LOCKSTEP_DIFFERENCES` says.
    async fn compare(&mut self, seed: u64, count: usize, kinds: &[Kind]) -> String {
        let wanted = env::var("PORTHOLE_LOCKSTEP_DIFFERENCES").map_or(1, |text| text.parse().unwrap());
        let mut chance = Chance(seed);
        let mut failure = String::new();
        let mut found = 0;
        let mut earlier: Vec<Asked> = Vec::new();
        for index in 0..count {
            if index == COMPACTION {
                self.compact(10, kinds).await;
            }
            let asked = operation(&mut chance, kinds);
            let difference = if asked.watch { self.watch(&asked).await } else { self.ask(&asked, kinds).await };
            if let Some(difference) = difference {
                let operations = index + 1;
                writeln!(
                    failure,
                    "the servers differ; repeat with PORTHOLE_LOCKSTEP_SEED={seed} PORTHOLE_LOCKSTEP_OPERATIONS={operations}\n\
                     {}{difference}\nwhat was done to the same object before, the last first:",
                    told(&asked)
                )
                .unwrap();
                for other in earlier.iter().rev().filter(|other| same_object(other, &asked)).take(12) {
                    write!(failure, "  {}", told(other)).unwrap();
                }
                found += 1;
                if found >= wanted {
                    break;
                }
            }
            if asked.method != Method::GET {
                earlier.push(asked);
            }
        }
        println!("the caches of the servers were apart in {} of {} answers", self.apart, self.cached);
        failure.extend(self.too_often_apart());
        failure
    }

    /// Both servers forget the states before so many writes.
    pub(crate) async fn compact(&mut self, back: usize, kinds: &[Kind]) {
        let version = |side: &Side, back: usize| side.versions[side.versions.len() - back];
        compact(version(&self.real_side, back)).await;
        self.fake.compact_states(&version(&self.fake_side, back).to_string().into());
        let start = Instant::now();
        for kind in kinds {
            let path =
                format!("{}?resourceVersionMatch=Exact&resourceVersion={}", kind.collection, version(&self.real_side, back + 1));
            let asked = Asked { path, ..Asked::default() };
            while ask(&*self.real, &asked).await.status != 410 {
                assert!(start.elapsed() < LIMIT, "the real server does not forget its old states within {LIMIT:?}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }

    fn filled(side: &Side, asked: &Asked) -> Asked {
        Asked { path: side.fill(&asked.path), body: side.fill(&asked.body), ..asked.clone() }
    }

    pub(crate) async fn ask(&mut self, asked: &Asked, kinds: &[Kind]) -> Option<String> {
        let collection = kinds.iter().map(|kind| &kind.collection).find(|path| asked.path.starts_with(*path)).unwrap();
        let writes = asked.method != Method::GET && !asked.path.contains("dryRun") && !asked.body.contains("dryRun");
        if reads_cache(asked) {
            self.settle(collection).await;
        }
        let tokens = [self.real_side.tokens.clone(), self.fake_side.tokens.clone()];
        let before = self.fake.resource_version();
        let mut real = ask(&*self.real, &Self::filled(&self.real_side, asked)).await;
        let mut fake = ask(&self.fake, &Self::filled(&self.fake_side, asked)).await;
        if writes && before != self.fake.resource_version() {
            self.learn(collection, &real.body, &fake.body).await;
        }
        self.real_side.normal(&mut real.body);
        self.fake_side.normal(&mut fake.body);
        if self.is_apart(asked, &real.body["metadata"], &fake.body["metadata"]) {
            real.body["metadata"]["resourceVersion"] = fake.body["metadata"]["resourceVersion"].clone();
            [self.real_side.tokens, self.fake_side.tokens] = tokens;
            self.meet(asked).await;
        }
        differ(&real, &fake)
    }

    /// Whether the cache of the real server has come to another version than the fake one, though to one that it may have come
    /// to: others make it catch up too, and what it waits for may come late. This must be rare.
    fn is_apart(&mut self, asked: &Asked, real: &Value, fake: &Value) -> bool {
        let rank = |meta: &Value| meta["resourceVersion"].as_str().and_then(|rank| rank.get(1..)?.parse::<usize>().ok());
        let (true, Some(real), Some(fake)) = (reads_cache(asked), rank(real), rank(fake)) else { return false };
        self.cached += 1;
        let path = self.real_side.fill(&asked.path);
        let least = path.split("resourceVersion=").nth(1).and_then(|rest| rest.split('&').next()?.parse::<u64>().ok());
        let least = self.real_side.versions.iter().filter(|known| **known <= least.unwrap_or_default()).count();
        let is_apart = real != fake && (least..=self.real_side.versions.len()).contains(&real);
        self.apart += usize::from(is_apart);
        is_apart
    }

    /// Makes both caches learn of the last version.
    async fn meet(&self, asked: &Asked) {
        let path = format!("{}?limit=1", asked.path.split('?').next().unwrap());
        let asked = Asked { path, ..Asked::default() };
        ask(&*self.real, &asked).await;
        ask(&self.fake, &asked).await;
    }

    /// What is wrong where the caches were not at one more often than chance allows: more than once in ten times.
    pub(crate) fn too_often_apart(&self) -> Option<String> {
        let (apart, cached) = (self.apart, self.cached);
        (apart * 10 > cached).then(|| format!("the caches of the servers are apart in {apart} of {cached} answers"))
    }

    /// Waits until the real server's cache has seen the last write to a collection.
    async fn settle(&self, collection: &str) {
        let path = format!("{collection}?limit=1&resourceVersionMatch=NotOlderThan&resourceVersion={{@of:{collection}}}");
        let asked = Asked { path, ..Asked::default() };
        ask(&*self.real, &Self::filled(&self.real_side, &asked)).await;
        ask(&self.fake, &Self::filled(&self.fake_side, &asked)).await;
    }

    /// Remembers the versions of the writes that a request was. The answer to a deletion does not tell them; a watch does.
    async fn learn(&mut self, collection: &str, real: &Value, fake: &Value) {
        if let (Some(real), Some(fake)) = (self.real_side.told(real), self.fake_side.told(fake)) {
            self.real_side.wrote(collection, real);
            self.fake_side.wrote(collection, fake);
            return;
        }
        let watch =
            |side: &Side| Asked { path: format!("{collection}?watch=true&resourceVersion={}", side.last()), ..Asked::default() };
        let fake = send(&self.fake, &watch(&self.fake_side)).await;
        let real = send(&*self.real, &watch(&self.real_side)).await;
        let (mut real, mut fake) = (Events::new(real.body), Events::new(fake.body));
        let version = |event: &Value| event["object"]["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap();
        while let Some(event) = fake.next(Duration::ZERO).await {
            self.fake_side.wrote(collection, version(&event));
            if let Some(event) = real.next(LIMIT).await {
                self.real_side.wrote(collection, version(&event));
            }
        }
    }

    pub(crate) async fn watch(&mut self, asked: &Asked) -> Option<String> {
        let fake = send(&self.fake, &Self::filled(&self.fake_side, asked)).await;
        let real = send(&*self.real, &Self::filled(&self.real_side, asked)).await;
        if fake.status != 200 || real.status != 200 {
            let (mut real, mut fake) = (answered(real).await, answered(fake).await);
            self.real_side.normal(&mut real.body);
            self.fake_side.normal(&mut fake.body);
            return differ(&real, &fake);
        }
        let (mut real, mut fake) = (Events::new(real.body), Events::new(fake.body));
        let mut number = 0;
        loop {
            let Some(mut wanted) = fake.next(Duration::ZERO).await else { break };
            let Some(mut got) = real.next(LIMIT).await else { return Some(format!("event {number} does not come: {wanted:#}")) };
            self.fake_side.normal(&mut wanted);
            self.real_side.normal(&mut got);
            if wanted["type"] == "BOOKMARK" {
                // What else is in the object of a bookmark does not count.
                let of = |event: &Value| match event["object"]["rows"][0]["object"]["metadata"].clone() {
                    Value::Null => event["object"]["metadata"].clone(),
                    meta => meta,
                };
                (wanted, got) =
                    (json!({ "type": wanted["type"], "meta": of(&wanted) }), json!({ "type": got["type"], "meta": of(&got) }));
                if self.is_apart(asked, &got["meta"], &wanted["meta"]) {
                    got["meta"]["resourceVersion"] = wanted["meta"]["resourceVersion"].clone();
                    self.meet(asked).await;
                }
            }
            if wanted != got {
                return Some(format!("event {number}\n{}", differences(&got, &wanted)));
            }
            number += 1;
        }
        let more = real.next(Duration::from_millis(4)).await.filter(|event| event["type"] != "BOOKMARK");
        more.map(|event| format!("after {number} events the real server has one more: {event:#}"))
    }
}

fn told(asked: &Asked) -> String {
    format!(
        "{} {} {} {}\n    {}\n",
        asked.method,
        asked.path,
        asked.content_type.unwrap_or_default(),
        asked.accept.unwrap_or_default(),
        asked.body
    )
}

/// Whether a list may be answered as the cache has it.
fn reads_cache(asked: &Asked) -> bool {
    let is_any = asked.path.contains("resourceVersion=0") || asked.path.contains("NotOlderThan");
    is_any || (asked.path.contains("resourceVersion=") && !asked.path.contains("Exact") && !asked.path.contains("limit="))
}

/// Whether two requests are for one object: by its path, or its name in a body for the collection.
fn same_object(left: &Asked, right: &Asked) -> bool {
    let path = |asked: &Asked| {
        let path = asked.path.split('?').next().unwrap_or_default().trim_end_matches("/status").to_owned();
        let body: Value = serde_json::from_str(&asked.body).unwrap_or_default();
        match body["metadata"]["name"].as_str() {
            Some(name) if asked.method == Method::POST => format!("{path}/{name}"),
            _ => path,
        }
    };
    path(left) == path(right)
}

pub(crate) fn differ(real: &Answered, fake: &Answered) -> Option<String> {
    let head =
        |answer: &Answered| (answer.status, answer.warnings.clone(), answer.content_type.clone(), answer.retry_after.clone());
    let alike = head(real) == head(fake) && same_body(&real.body, &fake.body);
    (!alike).then(|| format!("real {:?}\nfake {:?}\n{}", head(real), head(fake), differences(&real.body, &fake.body)))
}

/// Where two values differ, path by path.
fn differences(real: &Value, fake: &Value) -> String {
    let mut found = String::new();
    compare(real, fake, "", &mut found);
    found
}

fn compare(real: &Value, fake: &Value, path: &str, found: &mut String) {
    match (real, fake) {
        (Value::Object(left), Value::Object(right)) => {
            let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            for name in names {
                let of = |fields: &Map<String, Value>| fields.get(name).cloned().unwrap_or_else(|| "nothing".into());
                compare(&of(left), &of(right), &format!("{path}.{name}"), found);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                compare(left, right, &format!("{path}[{index}]"), found);
            }
        }
        _ if real == fake => {}
        _ => writeln!(found, "{path}:\n  real {real}\n  fake {fake}").unwrap(),
    }
}

/// Refusals of bodies that cannot be read name their fault in the words of the reader.
fn same_body(real: &Value, fake: &Value) -> bool {
    let of_reader = |body: &Value| {
        let message = body["message"].as_str().unwrap_or_default();
        body["kind"] == "Status" && message.starts_with("the server rejected our request")
    };
    real == fake || (of_reader(real) && of_reader(fake) && real["reason"] == fake["reason"])
}
