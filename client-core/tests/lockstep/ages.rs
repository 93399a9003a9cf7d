//! Versions that are gone and versions that are to come: lists, pages, reads and watches of them.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use futures::future::join_all;
use http::Method;
use porthole_client_core::transport::Transport;
use serde_json::json;

use super::{
    driver::{Pair, Scene, differ},
    operations::{JSON, Kind, METADATA, METADATA_LIST, TABLE},
    server::{Answered, Asked, Events, ask, send},
};

/// A version that no server will come to.
const FUTURE: u64 = 9_000_000_000;

fn get(kind: &Kind, query: &str) -> Asked {
    Asked { path: format!("{}?{query}", kind.collection), ..Asked::default() }
}

fn in_form(asked: Asked, accept: &'static str) -> Asked {
    Asked { accept: Some(accept), ..asked }
}

/// The forms that are asked for. Of events, the metadata are enough: the servers fill in different values by default.
fn forms(kind: &Kind, metadata: &'static str) -> Vec<Option<&'static str>> {
    if kind.name == "Event" { vec![Some(metadata)] } else { vec![None, Some(TABLE), Some(metadata)] }
}

/// What to ask of versions that are to come.
fn of_the_future(kind: &Kind) -> Vec<Asked> {
    let token = URL_SAFE_NO_PAD.encode(json!({ "v": "meta.k8s.io/v1", "rv": FUTURE, "start": "/b\u{0}" }).to_string());
    let mut asked: Vec<Asked> = ["", "/a", "/missing"]
        .map(|name| Asked { path: format!("{}{name}?resourceVersion={FUTURE}", kind.collection), ..Asked::default() })
        .into();
    for rule in ["", "&resourceVersionMatch=Exact", "&resourceVersionMatch=NotOlderThan"] {
        for more in [
            "&limit=2",
            "&limit=2&labelSelector=app%3D1",
            "&fieldSelector=metadata.name%3Da",
            "&limit=1&fieldSelector=metadata.name%3Da",
        ] {
            asked.push(get(kind, &format!("resourceVersion={FUTURE}{rule}{more}")));
        }
        for accept in [TABLE, METADATA_LIST] {
            asked.push(in_form(get(kind, &format!("resourceVersion={FUTURE}{rule}")), accept));
        }
    }
    asked.push(get(kind, &format!("continue={token}")));
    asked.push(in_form(get(kind, &format!("limit=1&continue={token}")), TABLE));
    let collection = format!("{}?resourceVersion={FUTURE}", kind.collection);
    asked.push(Asked { method: Method::DELETE, path: collection, ..Asked::default() });
    asked
}

/// What to ask of a version, however old it is.
fn of_a_version(kind: &Kind, version: &str) -> Vec<Asked> {
    let mut asked =
        vec![in_form(Asked { path: format!("{}/a?resourceVersion={version}", kind.collection), ..Asked::default() }, METADATA)];
    for rule in ["", "&resourceVersionMatch=Exact", "&resourceVersionMatch=NotOlderThan"] {
        for more in [
            "",
            "&limit=2",
            "&limit=2&labelSelector=app%3D1",
            "&limit=1&fieldSelector=metadata.name%3Da",
            "&fieldSelector=metadata.name!%3Da",
        ] {
            for accept in forms(kind, METADATA_LIST) {
                asked.push(Asked { accept, ..get(kind, &format!("resourceVersion={version}{rule}{more}")) });
            }
        }
    }
    asked
}

/// Watches from a version, and of all that is there before.
fn watches(kind: &Kind, version: &str) -> Vec<Asked> {
    let initial = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    let mut asked = Vec::new();
    for more in ["", "&labelSelector=app%3D1", initial, &format!("{initial}&allowWatchBookmarks=true")] {
        for accept in forms(kind, METADATA) {
            asked.push(Asked { accept, watch: true, ..get(kind, &format!("watch=true&resourceVersion={version}{more}")) });
        }
    }
    asked
}

async fn both(pair: &mut Pair, asked: Vec<Asked>, kinds: &[Kind], found: &mut Vec<String>) {
    for asked in asked {
        let difference = if asked.watch { pair.watch(&asked).await } else { pair.ask(&asked, kinds).await };
        found.extend(difference.map(|difference| format!("{asked:?}\n{difference}")));
    }
}

/// Asks the real server all at once: it waits three seconds before it says that a version is too large.
async fn all_at_once(pair: &mut Pair, asked: Vec<Asked>, found: &mut Vec<String>) {
    let real = join_all(asked.iter().map(|asked| first(&*pair.real, asked, Duration::from_secs(4)))).await;
    for (asked, mut real) in asked.iter().zip(real) {
        let mut fake = first(&pair.fake, asked, Duration::ZERO).await;
        // Where there is no cache, the delay is a random one of one to three seconds.
        if asked.watch
            && asked.path.contains("/events?")
            && let Some(delay) = real.body.pointer_mut("/object/details/retryAfterSeconds")
            && (1..4).contains(&delay.as_u64().unwrap())
        {
            *delay = 1.into();
        }
        pair.real_side.normal(&mut real.body);
        pair.fake_side.normal(&mut fake.body);
        found.extend(differ(&real, &fake).map(|difference| format!("{asked:?}\n{difference}")));
    }
}

/// An answer; of a watch the first event, where one comes in this time.
async fn first(transport: &dyn Transport, asked: &Asked, within: Duration) -> Answered {
    if !asked.watch {
        return ask(transport, asked).await;
    }
    let mut events = Events::new(send(transport, asked).await.body);
    Answered { body: events.next(within).await.unwrap_or_default(), ..Answered::default() }
}

fn create(kind: &Kind, name: &str) -> Asked {
    let mut object = json!({ "apiVersion": kind.api_version, "kind": kind.name,
        "metadata": { "name": name, "labels": { "app": "1" } } });
    if kind.name == "Event" {
        object["involvedObject"] = json!({ "namespace": kind.collection.split('/').nth(4) });
    }
    Asked {
        method: Method::POST,
        path: kind.collection.clone(),
        content_type: JSON,
        accept: Some(METADATA),
        body: object.to_string(),
        ..Asked::default()
    }
}

pub(crate) async fn run() {
    let mut scene = Scene::begin("ages").await;
    let events = scene.kinds[0].collection.replace("configmaps", "events");
    scene.kinds.push(Kind { name: "Event", api_version: "v1".to_owned(), collection: events, custom: false });
    let (pair, kinds) = (&mut scene.pair, scene.kinds.as_slice());
    let mut found = Vec::new();
    for name in ["a", "b", "c", "d"] {
        both(pair, kinds.iter().map(|kind| create(kind, name)).collect(), kinds, &mut found).await;
    }
    all_at_once(pair, kinds.iter().flat_map(of_the_future).collect(), &mut found).await;
    all_at_once(pair, kinds.iter().flat_map(|kind| watches(kind, &FUTURE.to_string())).collect(), &mut found).await;
    for kind in kinds {
        // A page of each, to go on with when its version is gone.
        both(
            pair,
            ["limit=1", "limit=2&labelSelector=app%3D1"].map(|query| in_form(get(kind, query), METADATA_LIST)).into(),
            kinds,
            &mut found,
        )
        .await;
    }
    for name in ["b", "d"] {
        let deleted = kinds.iter().map(|kind| Asked {
            method: Method::DELETE,
            path: format!("{}/{name}", kind.collection),
            ..Asked::default()
        });
        both(pair, deleted.collect(), kinds, &mut found).await;
    }
    for name in ["e", "f"] {
        both(pair, kinds.iter().map(|kind| create(kind, name)).collect(), kinds, &mut found).await;
    }
    pair.compact(4, kinds).await;
    let tokens = [pair.real_side.tokens.clone(), pair.fake_side.tokens.clone()];
    for (index, kind) in kinds.iter().enumerate() {
        // Before it, just before it, at it, after it, and now.
        for back in ["{@rv:18}", "{@rv:5}", "{@rv:4}", "{@rv:3}", "{@rv:1}", "0"] {
            both(pair, of_a_version(kind, back), kinds, &mut found).await;
            both(pair, watches(kind, back), kinds, &mut found).await;
        }
        for page in [2 * index, 2 * index + 1] {
            let back = tokens[0].len() - page;
            for more in [
                "",
                "&limit=1",
                "&limit=1&labelSelector=app%3D1",
                "&fieldSelector=metadata.name%3Dc",
                "&resourceVersion=0&limit=1",
            ] {
                for accept in forms(kind, METADATA_LIST) {
                    [pair.real_side.tokens, pair.fake_side.tokens] = tokens.clone();
                    both(
                        pair,
                        vec![Asked { accept, ..get(kind, &format!("continue={{@token:{back}}}{more}")) }],
                        kinds,
                        &mut found,
                    )
                    .await;
                    // What was said in place of it goes on with what is there now.
                    both(pair, vec![Asked { accept, ..get(kind, &format!("continue={{@token:1}}{more}")) }], kinds, &mut found)
                        .await;
                }
            }
        }
    }
    found.extend(pair.too_often_apart());
    scene.end().await;
    assert!(found.is_empty(), "{} differences\n{}", found.len(), found.join("\n"));
}
