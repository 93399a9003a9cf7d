//! What writers write. Text, numbers and names of odd kinds are among it.

use serde_json::{Value, json};

use super::random::Random;
use crate::plan::{LABEL, Resource};

/// The definition of the custom resource, and the namespaces.
pub(super) fn setting(namespaces: &[&str]) -> String {
    let column = |name: &str, kind: &str, path: &str| json!({ "name": name, "type": kind, "jsonPath": path });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "gauges.soak.porthole.example" },
        "spec": {
            "group": "soak.porthole.example",
            "scope": "Namespaced",
            "names": { "plural": "gauges", "singular": "gauge", "kind": "Gauge", "listKind": "GaugeList" },
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } },
                "additionalPrinterColumns": [
                    column("Value", "integer", ".spec.value"),
                    column("Ratio", "number", ".spec.ratio"),
                    column("On", "boolean", ".spec.on"),
                    column("Note", "string", ".spec.note"),
                    column("Age", "date", ".metadata.creationTimestamp"),
                ],
            }],
        },
    });
    let namespaces =
        namespaces.iter().map(|name| json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } }));
    json!({ "apiVersion": "v1", "kind": "List", "items": namespaces.chain([definition]).collect::<Vec<_>>() }).to_string()
}

const TEXTS: [&str; 6] = [
    "plain",
    "na\u{ef}ve \u{2713} <b>&amp;</b>",
    "</script>",
    "line\nbreak\ttab \"quoted\" \\ back",
    "\u{2028}\u{2029}\u{feff}",
    "\u{0416}\u{65e5}\u{672c}\u{1f980}",
];
const NOTES: [&str; 4] = ["plain", "na\u{ef}ve", "<b>&amp;</b>", "\u{0416}"];
const INTEGERS: [i64; 5] = [0, -1, 9_007_199_254_740_993, i64::MAX, i64::MIN];
const RATIOS: [f64; 6] = [0.1, -2.5, 1e-7, 1.5e300, 1.0, 123_456_789.123_456_7];
const NAMES: [&str; 6] = ["a.b", "__proto__", "\u{043a}\u{043b}\u{044e}\u{0447}", "$ref", "toString", "with blank"];

fn text(random: &mut Random, serial: u64) -> String {
    let text = random.one_of(&TEXTS).unwrap_or_default();
    format!("{serial} {}", text.repeat(1 + random.below(8)))
}

/// What a change changes of an object, which a merge patch can be as well.
pub(super) fn change(resource: Resource, random: &mut Random, serial: u64) -> Value {
    let mut object = json!({ "metadata": { "annotations": { "soak.porthole.example/text": text(random, serial) } } });
    let (field, content) = match resource {
        Resource::ConfigMaps => ("data", json!({ "text": text(random, serial), "serial": serial.to_string() })),
        // Bytes in base64.
        Resource::Secrets => ("data", json!({ "secret": format!("{:0>8}", serial % 100_000_000) })),
        Resource::Gauges => {
            let mut spec = json!({
                "value": random.one_of(&INTEGERS),
                "ratio": random.one_of(&RATIOS),
                "on": random.below(2) == 0,
                "note": format!("{} {serial}", random.one_of(&NOTES).unwrap_or_default()),
            });
            if let (Some(name), Value::Object(members)) = (random.one_of(&NAMES), &mut spec) {
                members.insert(name.to_owned(), json!([text(random, serial), null, { "": random.one_of(&RATIOS) }]));
            }
            ("spec", spec)
        }
        // Of a pod little can be changed.
        Resource::Pods => return object,
    };
    if let Value::Object(members) = &mut object {
        members.insert(field.to_owned(), content);
    }
    object
}

/// A patch that puts an object into the selection, or takes it out.
pub(super) fn choice(chosen: bool) -> Value {
    json!({ "metadata": { "labels": { LABEL.0: chosen.then_some(LABEL.1) } } })
}

/// A new object.
pub(super) fn object(resource: Resource, name: &str, random: &mut Random, serial: u64) -> Value {
    let mut object = change(resource, random, serial);
    let (api_version, kind) = match resource {
        Resource::ConfigMaps => ("v1", "ConfigMap"),
        Resource::Pods => ("v1", "Pod"),
        Resource::Secrets => ("v1", "Secret"),
        Resource::Gauges => ("soak.porthole.example/v1", "Gauge"),
    };
    if resource == Resource::Pods {
        let container = |name: &str| json!({ "name": name, "image": format!("registry.example/{name}:1") });
        // Some run on a node, whose player changes them too; some wait for a scheduler that is not there.
        let place = if random.below(3) == 0 {
            json!({ "nodeName": "node-0", "containers": [container("app")] })
        } else {
            json!({ "schedulerName": "nobody", "containers": [container("app"), container("side")] })
        };
        merge(&mut object, json!({ "spec": place }));
    }
    merge(&mut object, json!({ "apiVersion": api_version, "kind": kind, "metadata": { "name": name } }));
    if random.below(2) == 0 {
        merge(&mut object, choice(true));
    }
    object
}

/// Puts the members of one object into another.
pub(super) fn merge(object: &mut Value, other: Value) {
    match (object, other) {
        (Value::Object(members), Value::Object(others)) => {
            for (name, value) in others {
                merge(members.entry(name).or_insert(Value::Null), value);
            }
        }
        (object, other) => *object = other,
    }
}
