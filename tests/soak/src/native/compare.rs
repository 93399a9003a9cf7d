//! Each cache against `kubectl get`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    Fallible,
    cluster::Cluster,
    table::{rows, still},
    while_doing,
};
use crate::{
    plan::Plan,
    subject::{Entry, Report},
};

/// The most differences of a cache that are told.
const MOST: usize = 5;

/// How the cache of an informer differs from what kubectl says; nothing, where it does not.
pub(super) async fn differences(cluster: &Cluster, plan: &Plan, report: &Report) -> Fallible<Vec<String>> {
    let expected = expected(cluster, plan).await?;
    let keys: BTreeSet<&String> = expected.keys().chain(report.entries.keys()).collect();
    let (mut told, mut more) = (Vec::new(), 0);
    for key in keys {
        let difference = match (expected.get(key), report.entries.get(key)) {
            (Some(wanted), Some(entry)) => difference(plan, wanted, entry),
            (Some(wanted), None) => Some(format!("it is missing, kubectl has it at {}", wanted.resource_version)),
            (None, Some(entry)) => Some(format!("kubectl has none, the cache has it at {}", entry.resource_version)),
            (None, None) => None,
        };
        if let Some(difference) = difference {
            if told.len() < MOST { told.push(format!("{key}: {difference}")) } else { more += 1 }
        }
    }
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    Ok(told)
}

fn difference(plan: &Plan, wanted: &Entry, entry: &Entry) -> Option<String> {
    let name = |entry: &Entry| format!("{} at {}", entry.uid, entry.resource_version);
    if name(wanted) != name(entry) {
        return Some(format!("it is {}, kubectl has {}", name(entry), name(wanted)));
    }
    let (wanted, content) = match plan.expected {
        Some(_) => (wanted.content.clone(), entry.content.clone()),
        None => (still(&wanted.content), still(&entry.content)),
    };
    (wanted != content).then(|| format!("it holds {content}, kubectl says {wanted}"))
}

/// What kubectl says of the part of the collection that the informer follows.
async fn expected(cluster: &Cluster, plan: &Plan) -> Fallible<BTreeMap<String, Entry>> {
    let path = plan.resource.path();
    let mut arguments = vec!["get", &path.resource];
    if plan.namespace.is_empty() {
        arguments.push("--all-namespaces");
    } else {
        arguments.extend(["--namespace", plan.namespace]);
    }
    if !plan.selector.is_empty() {
        arguments.extend(["--selector", plan.selector]);
    }
    let printed = cluster.kubectl(&[&*arguments, &["--output", "json"]].concat(), "").await?;
    let mut list: Value = while_doing("read what kubectl printed", serde_json::from_str(&printed))?;
    let items = list.get_mut("items").map(Value::take);
    let Some(Value::Array(items)) = items else { return Err("kubectl printed no items".to_owned()) };
    let mut cells = match plan.expected {
        Some(_) => BTreeMap::new(),
        None => rows(&cluster.kubectl(&[&*arguments, &["--output", "wide"]].concat(), "").await?, plan.namespace),
    };
    let entry = |item: Value| {
        let text = |name: &str| item.pointer(&format!("/metadata/{name}")).and_then(Value::as_str).unwrap_or_default().to_owned();
        let key = format!("{}/{}", text("namespace"), text("name"));
        let (uid, resource_version) = (text("uid"), text("resourceVersion"));
        let content = match plan.expected {
            Some(read) => while_doing(&key, read(item))?,
            None => cells.remove(&key).unwrap_or_default(),
        };
        Ok((key, Entry { uid, resource_version, content }))
    };
    items.into_iter().map(entry).collect()
}
