//! Informers under test.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use crate::{
    clients::ResourceClient,
    fake::FakeApiServer,
    informer::{Change, HandlerRegistration, InformerOptions, Intake, ObjectSource, SameCluster, Selection, SharedInformer},
    meta::{GroupVersionResource, ResourceVersion},
    object::{Object as _, Unstructured, WireObject},
    platform::FakePlatform,
    queue::{DeltaFifo, Fifo, FifoOptions},
    reflector::{Following, ReflectorOptions},
};

pub(super) type Informer = SharedInformer<Unstructured>;

/// What somebody was told, in order.
pub(super) type Told = Arc<Mutex<Vec<String>>>;

pub(super) fn config_maps() -> GroupVersionResource {
    GroupVersionResource::new("", "v1", "configmaps")
}

/// Options for a collection that is followed in this way.
pub(super) fn following(following: Following) -> InformerOptions<Unstructured> {
    InformerOptions { reflector: ReflectorOptions::following(following), ..InformerOptions::default() }
}

/// A server and its clock.
#[derive(Clone)]
pub(super) struct Bench {
    pub(super) platform: FakePlatform,
    pub(super) server: FakeApiServer,
}

impl Bench {
    /// A server with config maps of these names.
    pub(super) fn with(names: &[&str]) -> Self {
        let platform = FakePlatform::default();
        let server = FakeApiServer::new(Arc::new(platform.clone()));
        let bench = Self { platform, server };
        for name in names {
            bench.put(name, "1");
        }
        bench
    }

    /// Makes a config map, or changes the one that is there.
    pub(super) fn put(&self, name: &str, value: &str) -> ResourceVersion {
        self.put_labelled(name, value, &[])
    }

    pub(super) fn put_labelled(&self, name: &str, value: &str, labels: &[&str]) -> ResourceVersion {
        let labels: serde_json::Map<_, _> = labels.iter().map(|label| ((*label).to_owned(), "".into())).collect();
        let object = serde_json::json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": { "name": name, "namespace": "default", "labels": labels },
            "data": { "value": value },
        });
        let made = self.server.insert(&object).unwrap();
        Unstructured::from_value(&made).unwrap().resource_version().into()
    }

    /// Deletes a config map; gives back whether it was there.
    pub(super) fn remove(&self, name: &str) -> bool {
        self.server.remove(&config_maps(), Some(&"default".into()), &name.into())
    }

    pub(super) fn run(&self) {
        self.platform.run();
    }

    /// Lets time pass, timer by timer.
    pub(super) fn pass(&self, time: Duration) {
        self.platform.pass(time);
    }

    pub(super) fn source<K: WireObject>(&self) -> ObjectSource<K> {
        let client = ResourceClient::namespaced(self.server.client(), config_maps(), "default");
        ObjectSource::new(client, Selection::default(), Arc::new(SameCluster))
    }

    /// An informer of any form, which is not started.
    pub(super) fn informer_of<K: WireObject>(&self, options: InformerOptions<K>) -> SharedInformer<K> {
        SharedInformer::new(Arc::new(self.platform.clone()), self.source::<K>(), options)
    }

    /// An informer that is not started.
    pub(super) fn informer(&self) -> Informer {
        self.informer_of(InformerOptions::default())
    }

    /// An informer that has its first list.
    pub(super) fn started(&self) -> Informer {
        let informer = self.informer();
        informer.start();
        self.run();
        assert!(informer.has_synced());
        informer
    }

    /// The paths of the requests since the last call.
    pub(super) fn requests(&self) -> Vec<String> {
        let requests = self.server.requests();
        self.server.forget_requests();
        requests.into_iter().map(|request| request.path).collect()
    }
}

/// Every way from a reflector to a cache that an informer can be given.
pub(super) fn intakes<T: crate::object::Object>() -> [Intake<T>; 4] {
    [
        Intake::whole(Fifo::default()),
        Intake::whole(Fifo::new(FifoOptions { atomic: false, ..FifoOptions::default() })),
        Intake::whole(DeltaFifo::default()),
        Intake::as_they_come(Fifo::default()),
    ]
}

/// What a change is called in a test: `*` new to the reader, `+` new, `~` changed, `=` told again, `-` gone, `?` gone unseen.
pub(super) fn word<T: crate::object::Object>(change: &Change<T>) -> String {
    let sign = match change {
        Change::Added { is_in_initial_list: true, .. } => '*',
        Change::Added { .. } => '+',
        Change::Updated { .. } if change.is_sync() => '=',
        Change::Updated { .. } => '~',
        Change::Deleted { is_final_state_unknown: true, .. } => '?',
        Change::Deleted { .. } => '-',
    };
    format!("{sign}{}", change.object().name())
}

/// A handler that writes down what it is told.
pub(super) fn listen<T: crate::object::Object>(informer: &SharedInformer<T>) -> (HandlerRegistration, Told) {
    let told = Told::default();
    let log = Arc::clone(&told);
    (informer.on_change(move |change| log.lock().unwrap().push(word(change))).unwrap(), told)
}

/// What was told since the last call.
pub(super) fn taken(told: &Told) -> Vec<String> {
    std::mem::take(&mut *told.lock().unwrap())
}

/// The same, where the order of different objects is open.
pub(super) fn taken_sorted(told: &Told) -> Vec<String> {
    let mut words = taken(told);
    words.sort();
    words
}

/// The names of all that is in the cache, in order.
pub(super) fn names<T: crate::object::Object>(informer: &SharedInformer<T>) -> Vec<String> {
    let mut names: Vec<_> = informer.indexer().list().iter().map(|object| object.name().to_owned()).collect();
    names.sort();
    names
}
