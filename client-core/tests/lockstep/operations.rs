//! Operations from a seed.

use http::Method;
use serde_json::{Value, json};

use super::{chance::Chance, server::Asked};

/// A resource that is operated on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) api_version: String,
    pub(crate) collection: String,
    pub(crate) custom: bool,
}

const NAMES: [&str; 8] = ["a", "b", "c", "d-1", "d-2", "e.f", "g", "z"];
pub(crate) const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";
pub(crate) const METADATA: &str = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
pub(crate) const METADATA_LIST: &str = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
pub(crate) const JSON: Option<&str> = Some("application/json");

impl Kind {
    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.collection)
    }

    fn object(&self, chance: &mut Chance, name: &str) -> Value {
        let mut object = json!({ "apiVersion": self.api_version, "kind": self.name, "metadata": metadata(chance, name) });
        for (field, value) in self.content(chance).as_object().unwrap() {
            object[field] = value.clone();
        }
        object
    }

    /// The fields beside the metadata.
    fn content(&self, chance: &mut Chance) -> Value {
        match self.name {
            "ConfigMap" => {
                let mut content = json!({});
                if chance.percent(80) {
                    content["data"] = texts(chance, &["k1", "k2", "k3"]);
                }
                if chance.percent(10) {
                    content["unknown"] = 1.into();
                }
                content
            }
            "ServiceAccount" => {
                let mut content = json!({});
                if chance.percent(60) {
                    content["imagePullSecrets"] = named(chance);
                }
                if chance.percent(60) {
                    content["secrets"] = named(chance);
                }
                if chance.percent(40) {
                    content["automountServiceAccountToken"] = chance.percent(50).into();
                }
                content
            }
            _ => {
                let mut spec = json!({ "size": chance.below(4) });
                if chance.percent(50) {
                    spec["color"] = chance.of(&["red", "green"]).into();
                }
                if chance.percent(30) {
                    spec["labels"] = texts(chance, &["x", "y"]);
                }
                if chance.percent(30) {
                    spec["tags"] = json!([chance.of(&["t1", "t2"])]);
                }
                if chance.percent(30) {
                    let port = |chance: &mut Chance| json!({ "port": chance.of(&[80, 81]), "name": chance.of(&["n", "m"]) });
                    spec["ports"] = json!([port(chance)]);
                }
                if chance.percent(30) {
                    spec["atoms"] = json!([chance.below(3), 7]);
                }
                if chance.percent(10) {
                    spec["unknown"] = 1.into();
                }
                let mut content = json!({ "spec": spec });
                if chance.percent(20) {
                    content["status"] = json!({ "phase": chance.of(&["P1", "P2"]) });
                }
                content
            }
        }
    }
}

fn texts(chance: &mut Chance, keys: &[&str]) -> Value {
    let mut texts = json!({});
    for key in keys {
        if chance.percent(60) {
            texts[*key] = chance.of(&["1", "2", ""]).into();
        }
    }
    texts
}

fn named(chance: &mut Chance) -> Value {
    let mut names = vec!["s1", "s2", "s3"];
    names.retain(|_| chance.percent(50));
    names.into_iter().map(|name| json!({ "name": name })).collect()
}

fn metadata(chance: &mut Chance, name: &str) -> Value {
    let mut meta = json!({ "name": name });
    if chance.percent(60) {
        meta["labels"] = texts(chance, &["app", "tier"]);
    }
    if chance.percent(30) {
        meta["annotations"] = texts(chance, &["note"]);
    }
    if chance.percent(6) {
        meta["finalizers"] = json!([chance.of(&["example.com/one", "example.com/two"])]);
    }
    meta
}

/// The next operation.
pub(crate) fn operation(chance: &mut Chance, kinds: &[Kind]) -> Asked {
    let kind = &kinds[usize::try_from(chance.below(kinds.len() as u64)).unwrap()];
    let name = chance.of(&NAMES);
    match chance.below(100) {
        0..20 => create(chance, kind, name),
        20..34 => update(chance, kind, name),
        34..58 => patch(chance, kind, name),
        58..70 => delete(chance, kind, name),
        70..76 => Asked {
            path: kind.at(name),
            accept: chance.percent(30).then(|| chance.of(&[TABLE, METADATA, "text/html"])),
            ..Asked::default()
        },
        76..90 => list(chance, kind),
        _ => watch(chance, kind),
    }
}

fn create(chance: &mut Chance, kind: &Kind, name: &str) -> Asked {
    let mut object = kind.object(chance, name);
    let mut query = Vec::new();
    match chance.below(40) {
        0 => object["metadata"]["name"] = "Not_A_Name".into(),
        1 => object["metadata"] = json!({}),
        2 => object["metadata"]["resourceVersion"] = "1".into(),
        3 => object["metadata"]["namespace"] = "another".into(),
        4 => {
            object["metadata"] = json!({ "generateName": "made-" });
            query.push("dryRun=All");
        }
        5 => query.push("dryRun=All"),
        6 => query.push("fieldValidation=Strict"),
        7 => query.push("fieldValidation=Ignore"),
        _ => {}
    }
    if chance.percent(20) {
        query.push("fieldManager=other");
    }
    let path = format!("{}?{}", kind.collection, query.join("&"));
    // In a table a generated name is also a cell.
    let accept = (chance.percent(5) && object["metadata"]["generateName"].is_null()).then_some(TABLE);
    Asked { method: Method::POST, path, content_type: JSON, accept, body: object.to_string(), ..Asked::default() }
}

fn update(chance: &mut Chance, kind: &Kind, name: &str) -> Asked {
    let mut object = kind.object(chance, name);
    match chance.below(10) {
        0 => {}
        1 => object["metadata"]["uid"] = format!("{{@uid:{}}}", chance.of(&NAMES)).into(),
        2 => object["metadata"]["name"] = "another".into(),
        // One of these is often the version of the object.
        _ => object["metadata"]["resourceVersion"] = format!("{{@rv:{}}}", chance.below(6) + 1).into(),
    }
    let status = if kind.custom && chance.percent(30) { "/status" } else { "" };
    let query = chance.of(&["", "", "", "?dryRun=All", "?fieldManager=other"]);
    let path = format!("{}{status}{query}", kind.at(name));
    Asked { method: Method::PUT, path, content_type: JSON, body: object.to_string(), ..Asked::default() }
}

fn patch(chance: &mut Chance, kind: &Kind, name: &str) -> Asked {
    let which = chance.below(100);
    let status = if kind.custom && chance.percent(20) { "/status" } else { "" };
    let asked = |content_type: &'static str, query: &str, body: String| Asked {
        method: Method::PATCH,
        path: format!("{}{status}{query}", kind.at(name)),
        content_type: Some(content_type),
        body,
        ..Asked::default()
    };
    match which {
        0..25 => {
            let mut body = kind.content(chance);
            if chance.percent(50) && status.is_empty() {
                body["metadata"] = json!({ "labels": { "app": chance.of(&["1", "2"]), "tier": null } });
            }
            match if status.is_empty() { chance.below(12) } else { 12 } {
                0 => body["metadata"] = json!({ "finalizers": null }),
                1 => body["metadata"] = json!({ "finalizers": ["example.com/one"] }),
                2 => body["metadata"] = json!({ "resourceVersion": format!("{{@rv:{}}}", chance.below(3) + 1) }),
                3 => body["data"] = Value::Null,
                _ => {}
            }
            asked("application/merge-patch+json", chance.of(&["", "", "?fieldManager=other", "?dryRun=All"]), body.to_string())
        }
        25..40 => {
            let body = match chance.below(4) {
                0 => json!([{ "op": "add", "path": "/metadata/labels", "value": { "app": "3" } }]),
                1 => json!([{ "op": "remove", "path": "/metadata/annotations/note" }]),
                2 => {
                    json!([{ "op": "test", "path": "/metadata/name", "value": name }, { "op": "add", "path": "/metadata/annotations", "value": { "note": "n" } }])
                }
                _ => json!([]),
            };
            asked("application/json-patch+json", "", body.to_string())
        }
        40..60 => {
            let mut body = kind.content(chance);
            if kind.name == "ServiceAccount" && chance.percent(40) {
                body["secrets"] = json!([{ "$patch": "delete", "name": "s1" }, { "name": "s3" }]);
            }
            if chance.percent(30) {
                body["metadata"] = json!({ "finalizers": ["example.com/two"] });
            }
            asked("application/strategic-merge-patch+json", "", body.to_string())
        }
        60..97 => {
            let mut object = kind.object(chance, name);
            object["metadata"].as_object_mut().unwrap().remove("finalizers");
            let manager = chance.of(&["m1", "m2"]);
            let force = chance.of(&["", "&force=true", "&force=true"]);
            let missing = chance.percent(4);
            let query = if missing { String::new() } else { format!("?fieldManager={manager}{force}") };
            asked("application/apply-patch+yaml", &query, object.to_string())
        }
        _ => asked("application/octet-stream", "", "{}".to_owned()),
    }
}

fn delete(chance: &mut Chance, kind: &Kind, name: &str) -> Asked {
    if chance.percent(6) {
        let path = format!("{}?labelSelector=app%3D{}", kind.collection, chance.of(&["1", "2", "3"]));
        return Asked { method: Method::DELETE, path, ..Asked::default() };
    }
    let body = match chance.below(8) {
        0 => json!({ "preconditions": { "uid": format!("{{@uid:{}}}", chance.of(&NAMES)) } }).to_string(),
        1 => json!({ "preconditions": { "resourceVersion": format!("{{@rv:{}}}", chance.below(4) + 1) } }).to_string(),
        2 => json!({ "dryRun": ["All"] }).to_string(),
        3 => json!({ "propagationPolicy": "Background" }).to_string(),
        _ => String::new(),
    };
    let content_type = if body.is_empty() { None } else { JSON };
    Asked { method: Method::DELETE, path: kind.at(name), content_type, body, ..Asked::default() }
}

fn selectors(chance: &mut Chance, kind: &Kind) -> Vec<String> {
    let mut query = Vec::new();
    if chance.percent(30) {
        let selector = chance.of(&["app%3D1", "app+in+(1,2)", "!tier", "tier,app!%3D2", "app+notin+(1)"]);
        query.push(format!("labelSelector={selector}"));
    }
    if chance.percent(15) {
        let own = if kind.custom { "spec.color%3Dred" } else { "metadata.name!%3Da" };
        query.push(format!("fieldSelector={}", chance.of(&["metadata.name%3Da", own])));
    }
    query
}

fn list(chance: &mut Chance, kind: &Kind) -> Asked {
    let mut query = selectors(chance, kind);
    let continues = chance.percent(25);
    if chance.percent(40) || continues {
        query.push(format!("limit={}", chance.below(4) + 1));
    }
    if continues {
        query.push(format!("continue={{@token:{}}}", chance.of(&[1, 1, 1, 1, 2, 3, 5, 8])));
    } else {
        let back = chance.below(20) + 1;
        match chance.below(12) {
            // The first asks the real server to wait until its cache has seen the last write.
            0 | 1 => query.push("resourceVersionMatch=NotOlderThan&resourceVersion={@rv:1}".to_owned()),
            2..5 => query.push(format!("resourceVersionMatch=Exact&resourceVersion={{@rv:{back}}}")),
            5 => query.push("resourceVersionMatch=Exact".to_owned()),
            6 => query.push("resourceVersionMatch=Exact&resourceVersion=0".to_owned()),
            7 => query.push("resourceVersion=none".to_owned()),
            8 => query.push("resourceVersion=0".to_owned()),
            // With a limit, these are of this very version.
            9 => query.push(format!("resourceVersion={{@rv:{back}}}")),
            _ => {}
        }
    }
    let accept = chance.percent(40).then(|| chance.of(&[TABLE, METADATA_LIST, METADATA]));
    if chance.percent(20) {
        query.push(format!("includeObject={}", chance.of(&["None", "Metadata"])));
    }
    Asked { path: format!("{}?{}", kind.collection, query.join("&")), accept, ..Asked::default() }
}

fn watch(chance: &mut Chance, kind: &Kind) -> Asked {
    let mut query = selectors(chance, kind);
    query.push("watch=true".to_owned());
    let back = chance.below(30) + 1;
    match chance.below(12) {
        // The cache of the others may reach back to the beginning.
        0 if kind.custom => query.push("resourceVersion=1".to_owned()),
        1 => query.push("resourceVersion=none".to_owned()),
        2 => query.push("resourceVersionMatch=NotOlderThan&resourceVersion={@rv:1}".to_owned()),
        3..6 => query.push(
            "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion={@rv:1}"
                .to_owned(),
        ),
        6 => query.push("sendInitialEvents=true&resourceVersion=0".to_owned()),
        _ => query.push(format!("resourceVersion={{@rv:{back}}}")),
    }
    let accept = chance.percent(40).then(|| chance.of(&[TABLE, METADATA]));
    Asked { path: format!("{}?{}", kind.collection, query.join("&")), accept, watch: true, ..Asked::default() }
}
