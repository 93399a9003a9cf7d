//! `docs/write-a-controller.md` says of `examples/controller.rs` what is so: its code is a part of that program, and this runs it on a
//! server in memory. `examples_on_server` runs it on a real one.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

#[expect(dead_code, reason = "a program, of which a part is run here")]
#[path = "../examples/controller.rs"]
mod controller;

use std::{fs, future::pending, path::Path, sync::Arc};

use futures::FutureExt as _;
use http::Method;
use porthole_client_core::{
    fake::{Disturbance, FakeApiServer, Fault, FaultKind},
    json::Value,
    meta::{GroupVersionResource, Namespace, Status},
    platform::{FakePlatform, Platform as _},
};
use serde_json::json;

fn maps() -> GroupVersionResource {
    GroupVersionResource::new("", "v1", "configmaps")
}

/// Whose a namespace is, as its config map says.
fn team_of(server: &FakeApiServer, namespace: &str) -> Option<String> {
    let map = server.get(&maps(), Some(&namespace.into()), &"team".into())?;
    map.nested(&["data", "team"]).unwrap().and_then(Value::as_str).map(str::to_owned)
}

fn source(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Without what indents it.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_piece_of_code_in_the_guide_is_a_part_of_a_program_that_is_run() {
    let (guide, program, test) =
        (source("../docs/write-a-controller.md"), source("examples/controller.rs"), source("tests/guide.rs"));
    let (program, test) = (lines(&program), lines(&test));
    let pieces: Vec<_> = guide.split("```rust\n").skip(1).map(|piece| piece.split("```").next().unwrap()).collect();
    assert!(pieces.len() >= 10, "{} pieces", pieces.len());
    for piece in pieces {
        let wanted = lines(piece);
        let is_part = |of: &[&str]| of.windows(wanted.len()).any(|part| part == wanted);
        assert!(is_part(&program) || is_part(&test), "this is in the guide alone:\n{piece}");
    }
}

#[test]
fn each_namespace_with_a_team_has_a_config_map_that_says_so() {
    let platform = FakePlatform::default();
    let server = FakeApiServer::new(Arc::new(platform.clone()));
    server
        .insert(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "shop", "labels": { "team": "blue" } } }))
        .unwrap();

    let client = server.client();
    platform.spawn(Box::pin(async move { controller::run(client, pending()).await.unwrap() }));
    platform.run();
    assert_eq!(team_of(&server, "shop").as_deref(), Some("blue"));
    assert_eq!(team_of(&server, "default"), None);

    let shop = Namespace::from("shop");
    // Somebody edits it, and deletes it; the team changes; the label goes.
    let mut map = server.get(&maps(), Some(&shop), &"team".into()).unwrap();
    map.set_nested(&["data", "team"], "red").unwrap();
    server.apply_json(&map.to_string()).unwrap();
    platform.run();
    assert_eq!(team_of(&server, "shop").as_deref(), Some("blue"));
    assert!(server.remove(&maps(), Some(&shop), &"team".into()));
    platform.run();
    assert_eq!(team_of(&server, "shop").as_deref(), Some("blue"));
    for (labels, team) in [(json!({ "team": "green" }), Some("green")), (json!({}), None)] {
        server
            .insert(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "shop", "labels": labels } }))
            .unwrap();
        platform.run();
        assert_eq!(team_of(&server, "shop").as_deref(), team);
    }
}

#[test]
fn what_is_somebody_elses_is_left_alone_and_what_fails_is_tried_again() {
    let platform = FakePlatform::default();
    let server = FakeApiServer::new(Arc::new(platform.clone()));
    let namespace = |name: &str| json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name, "labels": { "team": "blue" } } });
    server.insert(&namespace("theirs")).unwrap();
    let map = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "team", "namespace": "theirs" }, "data": { "team": "red" } });
    server.insert(&map).unwrap();
    let busy = FaultKind::Refuse(Box::new(Status::internal_error("busy")));
    server.faults().add(Fault::new(busy).on_method(Method::POST).times(3));

    let client = server.client();
    platform.spawn(Box::pin(async move { controller::run(client, pending()).await.unwrap() }));
    platform.run();
    server.disturb_watches(Disturbance::Break);
    server.insert(&namespace("ours")).unwrap();
    for _ in 0..10 {
        platform.advance(std::time::Duration::from_secs(1));
        platform.run();
    }
    assert_eq!(team_of(&server, "theirs").as_deref(), Some("red"));
    assert_eq!(team_of(&server, "ours").as_deref(), Some("blue"));
}

#[test]
fn it_ends_when_it_is_told_to() {
    let platform = FakePlatform::default();
    let server = FakeApiServer::new(Arc::new(platform.clone()));
    let (stop, stopped) = futures::channel::oneshot::channel::<()>();
    let client = server.client();
    platform.spawn(Box::pin(async move { controller::run(client, stopped.map(|_| ())).await.unwrap() }));
    platform.run();
    assert!(platform.running_tasks() > 0);
    stop.send(()).unwrap();
    platform.run();
    assert_eq!((platform.running_tasks(), server.open_watches()), (0, 0));
}
