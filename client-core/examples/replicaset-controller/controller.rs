//! The controller: what is watched, and which sets are looked at when something changes.

use std::sync::Arc;

use porthole_client_core::{
    clients::{ClientSet, ResourceClient},
    controller::{Controller, ControllerError, Expectations, Owner, WrittenVersions, own_key, owner_keys},
    informer::{Change, InformerOptions, ObjectSource, SameCluster, Selection, SharedInformer},
    k8s_openapi::api::{apps::v1::ReplicaSet, core::v1::Pod},
    mapper::Scope,
    meta::{Namespace, Uid},
    object::{Kind, Object as _, WireObject, controller_of},
    reflector::{Failure, FirstList, ReflectorOptions},
    rest::RestClient,
    store::{Indexers, Key, NAMESPACE_INDEX, SharedIndexer, namespace_index},
};

use crate::{
    indexes::by_owner,
    replica_sets::{ReplicaSets, Told, selector_of},
};

/// Informers of sets and pods, a queue of sets, and what is done about each.
pub(crate) struct ReplicaSetController {
    controller: Controller<Key>,
    sets: SharedInformer<ReplicaSet>,
    pods: SharedInformer<Pod>,
    pub(crate) replica_sets: Arc<ReplicaSets>,
}

impl ReplicaSetController {
    /// A controller of the sets of `namespace`, of all where that is empty.
    pub(crate) fn new(
        client: RestClient,
        namespace: Namespace,
        watch_failed: impl Fn(&str, &Failure) + Clone + Send + Sync + 'static,
        tell: impl Fn(&ReplicaSet, Told) + Send + Sync + 'static,
    ) -> Result<Self, ControllerError> {
        let platform = Arc::clone(client.platform());
        let sets = informer::<ReplicaSet>(&client, &namespace, [by_owner(), namespace_index()].into(), watch_failed.clone());
        let pods = informer::<Pod>(&client, &namespace, by_owner().into(), watch_failed);
        let replica_sets = Arc::new(ReplicaSets {
            client: ClientSet::new(client),
            platform: Arc::clone(&platform),
            sets: sets.indexer().clone(),
            pods: pods.indexer().clone(),
            expectations: Expectations::new(Arc::clone(&platform)),
            written_pods: WrittenVersions::default(),
            written_sets: WrittenVersions::default(),
            tell: Box::new(tell),
        });
        let controller = Controller::new(platform);
        let theirs = Arc::downgrade(&replica_sets);
        controller.watch("replica sets", sets.clone(), move |change| {
            if let (Some(gone), Some(replica_sets)) = (gone_set(change), theirs.upgrade()) {
                replica_sets.forget(&gone);
            }
            own_key(change)
        })?;
        let (expectations, known_sets) = (replica_sets.expectations.clone(), replica_sets.sets.clone());
        controller.watch("pods", pods.clone(), move |change| {
            observe(change, &expectations);
            sets_to_look_at(change, &known_sets)
        })?;
        Ok(Self { controller, sets, pods, replica_sets })
    }

    /// Runs until it is stopped. Dropping this ends it at once.
    pub(crate) async fn run(
        &self,
        workers: usize,
        failed: impl Fn(&Key, &dyn std::error::Error) + Send + Sync + 'static,
    ) -> Result<(), ControllerError> {
        let replica_sets = Arc::clone(&self.replica_sets);
        let reconcile = move |key: Key| {
            let replica_sets = Arc::clone(&replica_sets);
            async move { replica_sets.reconcile(&key).await }
        };
        self.sets.start();
        self.pods.start();
        self.controller.run(workers, reconcile, move |key, error| failed(key, error)).await
    }

    /// Ends it once what has begun is done.
    pub(crate) fn stop(&self) {
        self.controller.stop();
    }
}

/// An informer of a namespace, or of all; `failed` is told what keeps it from hearing of changes.
fn informer<K: WireObject + Kind>(
    client: &RestClient,
    namespace: &Namespace,
    indexers: Indexers<K>,
    failed: impl Fn(&str, &Failure) + Send + Sync + 'static,
) -> SharedInformer<K> {
    let resource = K::resource().group_resource().to_string();
    let objects = ResourceClient::<K>::namespaced(client.clone(), K::resource(), namespace.clone());
    let source = ObjectSource::new(objects, Selection::default(), Arc::new(SameCluster));
    let options = InformerOptions {
        indexer: SharedIndexer::new(indexers),
        // Who begins to lead begins with what there is now.
        reflector: ReflectorOptions { first_list: FirstList::MostRecent, ..ReflectorOptions::default() },
        watch_error_handler: Some(Box::new(move |failure: &Failure| failed(&resource, failure))),
        ..InformerOptions::default()
    };
    SharedInformer::new(Arc::clone(client.platform()), source, options)
}

/// A set that is gone, or whose name another has by now.
fn gone_set(change: &Change<ReplicaSet>) -> Option<Uid> {
    match change {
        Change::Deleted { last, .. } => Some(last.uid().into()),
        Change::Updated { before, after, .. } if before.uid() != after.uid() => Some(before.uid().into()),
        _ => None,
    }
}

/// Notes what was made or deleted for a set, where a pod shows it. One whose deletion has begun is as good as gone, and one that is found
/// like that is not one that was made (`addPod`, `updatePod`, `deletePod`).
pub(crate) fn observe(change: &Change<Pod>, expectations: &Expectations<Uid>) {
    let came = |pod: &Pod| {
        if pod.metadata.deletion_timestamp.is_some() {
            gone(pod, expectations);
        } else if let Some(owner) = controller_of(pod) {
            expectations.creation_observed(&owner.uid);
        }
    };
    match change {
        Change::Added { object, .. } => came(object),
        Change::Updated { before, after, .. } if before.uid() != after.uid() => {
            gone(before, expectations);
            came(after);
        }
        Change::Updated { before, after, .. } if after.metadata.deletion_timestamp.is_some() => {
            gone(before, expectations);
            gone(after, expectations);
        }
        Change::Updated { .. } => {}
        Change::Deleted { last, .. } => gone(last, expectations),
    }
}

fn gone(pod: &Pod, expectations: &Expectations<Uid>) {
    if let Some(owner) = controller_of(pod) {
        expectations.deletion_observed(&owner.uid, &pod.uid().into());
    }
}

/// The sets that a change of a pod is of interest to: those that manage it or did; where none does, all that may want it.
pub(crate) fn sets_to_look_at(change: &Change<Pod>, sets: &SharedIndexer<ReplicaSet>) -> Vec<Key> {
    if change.is_sync() {
        return Vec::new();
    }
    let mut keys = owner_keys(change, &Owner { kind: "ReplicaSet.apps".into(), scope: Scope::Namespaced });
    let pod = change.object();
    let is_orphan = controller_of(&**pod).is_none() && pod.metadata.deletion_timestamp.is_none();
    let may_be_wanted = match change {
        Change::Added { .. } => true,
        Change::Updated { before, after, .. } => {
            before.metadata.labels != after.metadata.labels || controller_of(&**before).is_some()
        }
        Change::Deleted { .. } => false,
    };
    if is_orphan && may_be_wanted {
        keys.extend(sets_that_select(pod, sets));
    }
    keys
}

fn sets_that_select(pod: &Pod, sets: &SharedIndexer<ReplicaSet>) -> Vec<Key> {
    let of_namespace = sets.by_index(&NAMESPACE_INDEX, pod.namespace()).unwrap_or_default();
    let selects = |set: &&Arc<ReplicaSet>| selector_of(set).is_some_and(|selector| selector.matches(&pod.metadata.labels));
    of_namespace.iter().filter(selects).map(|set| Key::of(&**set)).collect()
}
