//! The forms of objects that informers have.

use std::{any::Any, collections::BTreeMap, sync::Arc};

use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::Value;

use super::{
    cluster::{Cluster, Fresh, Seen, maps},
    scenario::Scenario,
    wire::Wire,
};
use crate::{
    clients::{ResourceClient, TableClient},
    informer::{IdentityCheck, InformerOptions, ObjectSource, Selection, SharedInformer, SharedInformerFactory, TableInformer},
    meta::Namespace,
    object::{Compact, Object, PartialObjectMetadata, Unstructured, WireObject},
    platform::Platform,
    rest::{ListOptions, RestClient},
    wire::TableRow,
};

/// A form, and what the test has to know of it.
pub(super) trait Form: Object {
    /// What it shows beside its key, its id and its version.
    fn content(&self) -> String;

    /// What a client of its own lists now.
    fn fresh(cluster: &Cluster, selection: &Selection) -> Fresh;

    /// An informer by itself.
    fn informer(parts: Parts<'_, Self>) -> Followed<Self>
    where
        Self: Sized;

    /// The informer of a factory.
    fn of_factory(factory: &SharedInformerFactory) -> Followed<Self>
    where
        Self: Sized;
}

/// What an informer is made of.
pub(super) struct Parts<'a, T> {
    pub(super) scenario: &'a Scenario,
    pub(super) client: RestClient,
    pub(super) selection: Selection,
    pub(super) identity: Arc<dyn IdentityCheck>,
    pub(super) options: InformerOptions<T>,
}

/// An informer, and what keeps it.
pub(super) struct Followed<T: Object> {
    pub(super) informer: SharedInformer<T>,
    table: Option<TableInformer>,
    /// The handle of a factory.
    _handle: Box<dyn Any>,
}

impl<T: Object> Followed<T> {
    pub(super) fn columns(&self) -> Option<Vec<String>> {
        let columns = self.table.as_ref()?.columns();
        Some(columns.iter().map(|column| column.name.clone()).collect())
    }
}

/// A form of whole objects: what a client that reads plain JSON finds of one, or `None` where this form cannot read it.
trait Whole: WireObject {
    fn read(value: &Value) -> Option<String>;
    fn shown(&self) -> String;
}

impl<K: Whole> Form for K {
    fn content(&self) -> String {
        self.shown()
    }

    fn fresh(cluster: &Cluster, selection: &Selection) -> Fresh {
        let mut fresh = Fresh::default();
        for item in cluster.list(selection) {
            let text = |name: &str| item["metadata"][name].as_str().unwrap_or_default().to_owned();
            let key = format!("{}/{}", text("namespace"), text("name"));
            match K::read(&item) {
                Some(content) => {
                    fresh.objects.insert(key, Seen { uid: text("uid"), version: text("resourceVersion"), content });
                }
                None => drop(fresh.unreadable.insert(key)),
            }
        }
        fresh
    }

    fn informer(parts: Parts<'_, Self>) -> Followed<Self> {
        let platform = Arc::clone(parts.client.platform());
        let client = ResourceClient::namespaced(parts.client, maps(), Namespace::default());
        let source = ObjectSource::new(client, parts.selection, parts.identity);
        let informer = SharedInformer::new(platform, source, parts.options);
        Followed { informer, table: None, _handle: Box::new(()) }
    }

    fn of_factory(factory: &SharedInformerFactory) -> Followed<Self> {
        let handle = factory.objects::<K>(maps(), true);
        Followed { informer: (*handle).clone(), table: None, _handle: Box::new(handle) }
    }
}

/// Whether a map of texts is one.
fn texts(value: &Value) -> bool {
    value.as_object().is_none_or(|fields| fields.values().all(Value::is_string)) && (value.is_null() || value.is_object())
}

fn labels(value: &Value) -> Option<String> {
    let labels = &value["metadata"]["labels"];
    texts(labels).then(|| labels["colour"].as_str().unwrap_or_default().to_owned())
}

fn colour(object: &impl Object) -> String {
    object.labels().get("colour").cloned().unwrap_or_default()
}

fn data(value: &Value) -> Option<String> {
    let data = &value["data"];
    texts(data).then(|| data["count"].as_str().unwrap_or_default().to_owned())
}

fn count(data: Option<&BTreeMap<String, String>>) -> String {
    data.and_then(|data| data.get("count")).cloned().unwrap_or_default()
}

impl Whole for ConfigMap {
    fn read(value: &Value) -> Option<String> {
        Some(format!("{} {}", labels(value)?, data(value)?))
    }

    fn shown(&self) -> String {
        format!("{} {}", colour(self), count(self.data.as_ref()))
    }
}

impl Whole for Compact<ConfigMap> {
    /// All of it but its head is read when it is asked for.
    fn read(value: &Value) -> Option<String> {
        let count = labels(value).and_then(|_| data(value)).unwrap_or_else(|| "?".to_owned());
        Some(format!("{} {count}", labels(value).unwrap_or_default()))
    }

    fn shown(&self) -> String {
        let count = Compact::read(self).map_or_else(|_unreadable| "?".to_owned(), |object| count(object.data.as_ref()));
        format!("{} {count}", colour(self))
    }
}

impl Whole for Unstructured {
    fn read(value: &Value) -> Option<String> {
        Some(format!("{} {}", labels(value).unwrap_or_default(), value["data"]))
    }

    fn shown(&self) -> String {
        let data: Value = serde_json::from_str(self.as_json()).unwrap();
        format!("{} {}", colour(self), data["data"])
    }
}

impl Whole for PartialObjectMetadata {
    fn read(value: &Value) -> Option<String> {
        labels(value)
    }

    fn shown(&self) -> String {
        colour(self)
    }
}

impl Form for TableRow {
    fn content(&self) -> String {
        let cells: Vec<_> = self.cells.iter().map(ToString::to_string).collect();
        cells.join("|")
    }

    fn fresh(cluster: &Cluster, selection: &Selection) -> Fresh {
        let tables = TableClient::namespaced(cluster.server.client(), &maps(), Namespace::default()).unwrap();
        let options = ListOptions { label_selector: selection.label_selector.clone(), ..ListOptions::default() };
        let list = crate::platform::ready(tables.list(&options)).unwrap();
        let seen = |row: &TableRow| Seen {
            uid: row.uid().to_owned(),
            version: row.resource_version().to_owned(),
            content: row.content(),
        };
        Fresh {
            objects: list.rows.iter().map(|row| (format!("{}/{}", row.namespace(), row.name()), seen(row))).collect(),
            columns: Some(list.columns.into_iter().flatten().map(|column| column.name).collect()),
            ..Fresh::default()
        }
    }

    fn informer(parts: Parts<'_, Self>) -> Followed<Self> {
        let tables = TableClient::namespaced(parts.client, &maps(), Namespace::default()).unwrap();
        let table = TableInformer::new(tables, parts.selection, parts.scenario.following, parts.identity);
        Followed { informer: table.rows().clone(), table: Some(table), _handle: Box::new(()) }
    }

    fn of_factory(factory: &SharedInformerFactory) -> Followed<Self> {
        let handle = factory.table(&maps(), true).unwrap();
        Followed { informer: handle.rows().clone(), table: Some((*handle).clone()), _handle: Box::new(handle) }
    }
}

/// A client over the test's wire.
pub(super) fn client(wire: &Wire, platform: Arc<dyn Platform>) -> RestClient {
    RestClient::new(Arc::new(wire.clone()), platform)
}
