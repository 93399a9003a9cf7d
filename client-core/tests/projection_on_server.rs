//! Columns by path on a real API server, beside kubectl's custom columns. See `support`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may fail"
)]

mod support;

use std::{collections::BTreeMap, sync::Arc};

use porthole_client_core::{
    clients::TableClient,
    informer::{SameCluster, Selection, TableInformer},
    json::JsonPath,
    meta::GroupVersionResource,
    reflector::Following,
    wire::ProjectedColumn,
};
use support::{client, kubectl, until};

/// None has a comma, which ends a column for kubectl, nor leads to values in no order.
const PATHS: [&str; 12] = [
    ".metadata.name",
    "metadata.labels.app",
    r"{.metadata.labels.kubernetes\.io/hostname}",
    ".spec.selector",
    ".spec.nodeName",
    ".spec.replicas",
    "{.spec.containers[*].image}",
    ".spec.template.spec.containers[0].name",
    r#"{.status.conditions[?(@.type=="Ready")].status}"#,
    "{.status.conditions[-1:].type}",
    ".metadata.ownerReferences",
    ".status['capacity']",
];

/// The texts that kubectl prints for one path, by namespace and name.
fn printed(resource: &str, path: &str) -> BTreeMap<String, String> {
    let columns = format!("custom-columns=NS:.metadata.namespace,NAME:.metadata.name,X:{path}");
    let text = kubectl(&["get", resource, "-A", "-o", &columns]);
    let lines = text.lines();
    let at = |heading: &str| text.lines().next().unwrap().find(heading).unwrap();
    let (name, found) = (at("NAME"), text.lines().next().unwrap().rfind('X').unwrap());
    lines
        .skip(1)
        .map(|line| (format!("{}/{}", line[..name].trim(), line[name..found].trim()), line[found..].trim().to_owned()))
        .collect()
}

/// The texts of the cells, by namespace and name.
fn shown(informer: &TableInformer, index: usize) -> BTreeMap<String, String> {
    informer.read(|state| {
        let at = state.columns.len() - PATHS.len() + index;
        let rows = state.rows.iter_unsorted().map(|(_, row)| {
            let namespace = row.namespace.as_ref().map_or("<none>", |namespace| namespace.as_str());
            (format!("{namespace}/{}", row.name), row.cells[at].to_string().trim().to_owned())
        });
        rows.collect()
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn cells_by_path_show_what_kubectl_prints_in_custom_columns() {
    for (resource, group) in [("pods", ""), ("deployments", "apps"), ("nodes", "")] {
        let tables = TableClient::cluster(client(), &GroupVersionResource::new(group, "v1", resource)).unwrap();
        let column = |path: &str| ProjectedColumn { name: path.to_owned(), path: JsonPath::parse(path).unwrap() };
        let selection = Selection { projection: PATHS.map(column).into(), ..Selection::default() };
        let informer = TableInformer::start(tables, selection, Following::WatchList, Arc::new(SameCluster));
        informer.rows().synced().await;
        assert!(informer.rows().indexer().len() > 1, "{resource}");
        for (index, path) in PATHS.iter().enumerate() {
            let mut last = (BTreeMap::new(), BTreeMap::new());
            // What is made and changes between the two is looked at again.
            until(&format!("{resource} {path}"), || {
                last = (printed(resource, path), shown(&informer, index));
                last.0 == last.1
            })
            .await;
        }
    }
}
