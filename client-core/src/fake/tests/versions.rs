//! Versions: which of them lists and watches are of, which are gone, and which writes make one.

use serde_json::{Value, json};

use super::{APPLY, MAPS, MERGE, Test, names};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn what_is_compacted_has_expired_in_lists_watches_and_pages() {
    let test = Test::new();
    for name in ["a", "b", "c"] {
        test.map(name);
    }
    let old = test.server.resource_version();
    let (_, first) = test.get(&format!("{MAPS}?limit=1"));
    let token = first["metadata"]["continue"].as_str().unwrap();
    assert_eq!((names(&first), &first["metadata"]["remainingItemCount"]), (vec!["a"], &json!(2)));
    let mut watch = test.watch(&format!("{MAPS}?watch=1&resourceVersion={old}"));
    test.delete(&format!("{MAPS}/b"));
    // Until then the old state is there.
    assert_eq!(names(&test.get(&format!("{MAPS}?continue={token}")).1), ["b", "c"]);
    assert_eq!(names(&test.get(&format!("{MAPS}?resourceVersion={old}&resourceVersionMatch=Exact")).1), ["a", "b", "c"]);
    test.map("d");
    test.server.compact(&test.server.resource_version());
    assert_eq!(test.get(&format!("{MAPS}?resourceVersion={old}&resourceVersionMatch=Exact")).0, 410);
    assert_eq!(watch.events(), ["ERROR Expired", "end"]);
    let (status, expired) = test.get(&format!("{MAPS}?continue={token}"));
    assert_eq!((status, &expired["reason"]), (410, &json!("Expired")));
    // The token in the refusal goes on with what is there now.
    let token = expired["metadata"]["continue"].as_str().unwrap();
    assert_eq!(names(&test.get(&format!("{MAPS}?continue={token}")).1), ["c", "d"]);
    assert_eq!(test.get(&format!("{MAPS}?resourceVersion=9999")).1["details"]["causes"][0]["reason"], "ResourceVersionTooLarge");
}

#[test]
fn a_list_of_the_cache_says_how_far_the_cache_of_its_resource_has_come() {
    let test = Test::new();
    let version = |path: &str| test.get(path).1["metadata"]["resourceVersion"].as_str().unwrap().to_owned();
    let made = test.map("a")["metadata"]["resourceVersion"].as_str().unwrap().to_owned();
    test.post("/api/v1/namespaces/default/secrets", &json!({ "metadata": { "name": "s" } }));
    let last = test.server.resource_version().to_string();
    // Any version will do, or one that the cache has: it did not hear of what was written elsewhere.
    for query in ["resourceVersion=0", "resourceVersion=1", "resourceVersionMatch=NotOlderThan&resourceVersion=1"] {
        assert_eq!(version(&format!("{MAPS}?{query}")), made, "{query}");
    }
    let exact = format!("resourceVersion={made}&limit=1");
    assert_eq!(version(&format!("{MAPS}?{exact}")), made);
    // One that is named is read from the storage then, at no certain version.
    assert_eq!(version(&format!("{MAPS}?{exact}&fieldSelector=metadata.name%3Da")), last);
    let bookmark = format!("{MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
    let of_bookmark = |path: &str| test.watch(path).lines().pop().unwrap()["object"]["metadata"]["resourceVersion"].clone();
    assert_eq!(of_bookmark(&format!("{bookmark}&resourceVersion=0")), made);
    // Who asks for more, or for what is there now, makes it catch up.
    let newer = format!("{MAPS}?resourceVersionMatch=NotOlderThan&resourceVersion={last}");
    assert_eq!(version(&newer), last);
    test.post("/api/v1/namespaces/default/secrets", &json!({ "metadata": { "name": "t" } }));
    assert_eq!(version(&newer), last);
    let now = test.server.resource_version().to_string();
    assert_eq!((version(MAPS), version(&newer)), (now.clone(), now));
    test.delete("/api/v1/namespaces/default/secrets/t");
    assert_eq!(of_bookmark(&bookmark), test.server.resource_version().as_str());
}

#[test]
fn pages_follow_the_version_of_the_cache_that_they_began_with() {
    let test = Test::new();
    for name in ["a", "c"] {
        test.map(name);
    }
    test.post("/api/v1/namespaces/default/secrets", &json!({ "metadata": { "name": "b" } }));
    test.post("/api/v1/namespaces/default/secrets", &json!({ "metadata": { "name": "c" } }));
    let secrets = "/api/v1/namespaces/default/secrets";
    test.delete(&format!("{secrets}/b"));
    // The cache of config maps knows nothing of the secrets, so its token is of a time when both were missing.
    let (_, first) = test.get(&format!("{MAPS}?limit=1&resourceVersionMatch=NotOlderThan&resourceVersion=1"));
    let token = first["metadata"]["continue"].as_str().unwrap();
    assert_eq!(names(&test.get(&format!("{secrets}?continue={token}")).1), Vec::<&str>::new());
    let (_, first) = test.get(&format!("{MAPS}?limit=1"));
    let token = first["metadata"]["continue"].as_str().unwrap();
    assert_eq!(names(&test.get(&format!("{secrets}?continue={token}")).1), ["c"]);
}

#[test]
fn a_resource_without_a_watch_cache_is_read_from_the_storage() {
    let test = Test::new();
    let path = "/api/v1/namespaces/default/events";
    for name in ["a", "b"] {
        test.post(path, &json!({ "metadata": { "name": name }, "involvedObject": { "namespace": "default" } }));
    }
    test.map("a");
    let now = test.server.resource_version().to_string();
    // It is always of now, and paged, whatever version would do.
    for query in ["resourceVersion=0", "resourceVersionMatch=NotOlderThan&resourceVersion=1"] {
        let (_, list) = test.get(&format!("{path}?limit=1&{query}"));
        assert_eq!((names(&list), &list["metadata"]["resourceVersion"]), (vec!["a"], &json!(now)), "{query}");
        let (_, maps) = test.get(&format!("{MAPS}?limit=1&{query}"));
        assert_eq!(names(&maps), ["a"]);
    }
    // It does not wait for a version to come, and so names no time to come again.
    assert_eq!(test.get(&format!("{path}?resourceVersion=9999")).1["details"]["retryAfterSeconds"], Value::Null);
    assert_eq!(test.get(&format!("{MAPS}?resourceVersion=9999")).1["details"]["retryAfterSeconds"], 1);
    // A compaction of the storage is the end of watches from before, where no cache has kept the changes.
    let old = test.server.resource_version();
    test.delete(&format!("{path}/a"));
    test.delete(&format!("{MAPS}/a"));
    test.server.compact_states(&test.server.resource_version());
    assert_eq!(test.watch(&format!("{path}?watch=1&resourceVersion={old}")).events(), ["ERROR Expired", "end"]);
    assert_eq!(test.watch(&format!("{MAPS}?watch=1&resourceVersion={old}")).events(), ["DELETED a"]);
    assert_eq!(test.get(&format!("{MAPS}?resourceVersionMatch=Exact&resourceVersion={old}")).0, 410);
    // And it is not said how far a watch is.
    let bookmarks = "watch=1&allowWatchBookmarks=true&resourceVersion";
    let now = test.server.resource_version();
    let [mut of_events, mut of_maps] = [path, MAPS].map(|path| test.watch(&format!("{path}?{bookmarks}={now}")));
    test.server.send_bookmarks();
    assert_eq!((of_events.events(), of_maps.events()), (Vec::<String>::new(), vec!["BOOKMARK".to_owned()]));
}

#[test]
fn what_an_apply_leaves_empty_makes_the_next_write_one_that_changes_nothing_to_see() {
    let path = "/apis/example.com/v1/namespaces/default/widgets/w";
    let config =
        |meta: Value| json!({ "apiVersion": "example.com/v1", "kind": "Widget", "metadata": meta, "spec": { "size": 1 } });
    let labels = |labels: Value| config(json!({ "name": "w", "labels": labels }));
    let apply = |test: &Test, config: &Value| test.patch(&format!("{path}?fieldManager=m"), APPLY, config).1;
    let nothing = |test: &Test| test.patch(path, MERGE, &json!({})).1;
    let version = |object: &Value| object["metadata"]["resourceVersion"].as_str().unwrap().parse::<u64>().unwrap();
    for (before, after, is_left) in [
        (None, labels(json!({})), true),
        (Some(labels(json!({ "x": "1" }))), labels(json!({})), true),
        (Some(labels(json!({ "x": "1" }))), config(json!({ "name": "w" })), false),
        (None, labels(json!({ "x": "1" })), false),
    ] {
        let test = Test::with_widgets();
        if let Some(config) = &before {
            apply(&test, config);
        }
        let applied = apply(&test, &after);
        let seen = nothing(&test);
        assert_eq!(version(&seen), version(&applied) + u64::from(is_left), "{before:?} {after}");
        assert_eq!(seen["metadata"]["labels"], if is_left { Value::Null } else { applied["metadata"]["labels"].clone() });
        // Once it is tidy, it is left alone.
        assert_eq!(version(&nothing(&test)), version(&seen));
    }
    // The same again leaves the same, whatever the status is told, and a deletion that waits tidies up too.
    let test = Test::with_widgets();
    let first = apply(&test, &labels(json!({})));
    assert_eq!(version(&apply(&test, &labels(json!({})))), version(&first));
    assert_eq!(version(&test.patch(&format!("{path}/status"), MERGE, &json!({})).1), version(&first) + 1);
    test.patch(path, MERGE, &json!({ "metadata": { "finalizers": ["example.com/f"] } }));
    test.delete(path);
    let marked = apply(&test, &labels(json!({})));
    assert_eq!(version(&test.delete(path).1), version(&marked) + 1);
    assert_eq!(version(&test.delete(path).1), version(&marked) + 1);
}

#[test]
fn an_apply_that_changes_nothing_has_no_time_and_one_that_orders_a_list_anew_has() {
    let path = "/api/v1/namespaces/default/serviceaccounts";
    for (order, has_time) in [(["s1", "s2"], false), (["s2", "s1"], true)] {
        let test = Test::new();
        let secrets = |names: [&str; 2]| {
            json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": "a" },
            "secrets": names.map(|name| json!({ "name": name })) })
        };
        test.post(path, &secrets(["s1", "s2"]));
        let applied = test.patch(&format!("{path}/a?fieldManager=m&force=true"), APPLY, &secrets(order)).1;
        assert_eq!(applied["secrets"], secrets(order)["secrets"]);
        let entry = |object: &Value| {
            object["metadata"]["managedFields"].as_array().unwrap().iter().find(|entry| entry["manager"] == "m").cloned()
        };
        assert_eq!(entry(&applied).unwrap()["time"].is_string(), has_time, "{order:?}");
    }
}

#[test]
fn a_list_of_any_version_is_one_that_can_be_watched_from_after_all_was_forgotten() {
    let test = Test::new();
    test.map("a");
    // Of these the cache of the config maps does not hear.
    for name in ["s", "t"] {
        test.post("/api/v1/namespaces/default/secrets", &json!({ "metadata": { "name": name } }));
    }
    test.server.compact(&test.server.resource_version());
    let (_, list) = test.get(&format!("{MAPS}?resourceVersion=0"));
    let version = list["metadata"]["resourceVersion"].as_str().unwrap();
    let mut watch = test.watch(&format!("{MAPS}?watch=1&resourceVersion={version}"));
    assert!(watch.events().is_empty());
    test.map("b");
    assert_eq!(watch.events(), ["ADDED b"]);
}
