//! One set: as many pods as it wants (Kubernetes `pkg/controller/replicaset/replica_set.go`, `syncReplicaSet`).

use std::{
    cmp::Ordering,
    sync::{
        Arc,
        atomic::{self, AtomicBool},
    },
    time::Duration,
};

use futures::future::join_all;
use porthole_client_core::{
    clients::ClientSet,
    controller::{Action, ClaimError, Expectations, Written, WrittenVersions, claim_all, recheck, slow_start},
    k8s_openapi::api::{apps::v1::ReplicaSet, core::v1::Pod},
    meta::{OwnerReference, Uid},
    object::{Kind as _, Object as _, controller_of, controller_reference, is_controlled_by},
    platform::{Platform, WallTime},
    rest::{ApiError, GetOptions, PatchOptions},
    selector::{LabelSelector, LabelSelectorSpec},
    store::{Key, SharedIndexer},
};
use thiserror::Error;

use crate::{
    certain,
    deletion_order::pods_to_delete,
    indexes::{BY_OWNER, orphans_of},
    pods::{is_active, is_terminating, next_availability},
    status::{desired, min_ready, status_of, update_status},
    telling::with_causes,
    template::{pod_name, pod_of},
};

/// How many pods of a set are made or deleted at most before they are seen.
const BURST: usize = 500;

/// How long to wait for a cache that is behind, where nothing is heard.
const SEEN_SOON: Duration = Duration::from_secs(1);

/// What a controller of sets works with.
pub(crate) struct ReplicaSets {
    pub(crate) client: ClientSet,
    pub(crate) platform: Arc<dyn Platform>,
    pub(crate) sets: SharedIndexer<ReplicaSet>,
    pub(crate) pods: SharedIndexer<Pod>,
    /// What was made and deleted for each set, by its uid.
    pub(crate) expectations: Expectations<Uid>,
    /// What was written for each set, by its uid: versions of pods, and of the set itself.
    pub(crate) written_pods: WrittenVersions<Uid>,
    pub(crate) written_sets: WrittenVersions<Uid>,
    /// Tells whoever looks at a set what was done for it.
    pub(crate) tell: Tell,
}

/// Takes down what was done for a set.
pub(crate) type Tell = Box<dyn Fn(&ReplicaSet, Told) + Send + Sync>;

/// What was done for a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) is_warning: bool,
    pub(crate) reason: &'static str,
    pub(crate) message: String,
}

/// Why a set is not as it is to be.
#[derive(Debug, Error)]
pub(crate) enum SetError {
    #[error("not all pods are claimed: {}", .0.iter().map(|error| with_causes(error)).collect::<Vec<_>>().join("; "))]
    Claim(Vec<ClaimError>),
    #[error("{done} of {wanted} pods were made: {source}")]
    Create { done: usize, wanted: usize, source: ApiError },
    #[error("a pod could not be deleted: {0}")]
    Delete(#[source] ApiError),
    #[error("the status could not be written: {0}")]
    Status(#[source] ApiError),
}

impl ReplicaSets {
    /// Brings the pods of a set nearer to what it wants, and writes down how many there are.
    pub(crate) async fn reconcile(&self, key: &Key) -> Result<Action, SetError> {
        let Some(uid) = self.sets.find(key.as_str()).map(|set| Uid::from(set.uid())) else { return Ok(Action::AwaitChange) };
        // When the caches show what was done, the set is looked at again, unless nobody saw it come and go.
        let mut done = Ok(Action::RequeueAfter(SEEN_SOON));
        if self.is_up_to_date(&uid) {
            // Not the one that was found before: the cache may have gone on.
            done = match self.sets.find(key.as_str()).filter(|set| set.uid() == uid.as_str()) {
                Some(set) => self.bring_nearer(&set, &uid).await,
                None => Ok(Action::AwaitChange),
            };
        }
        // It went while it was worked on: nobody is told a second time.
        if self.sets.find(key.as_str()).is_none_or(|set| set.uid() != uid.as_str()) {
            self.forget(&uid);
        }
        done
    }

    /// Whether the caches show what was done last for a set.
    fn is_up_to_date(&self, uid: &Uid) -> bool {
        match self.written_pods.look(uid, &self.pods.resource_version()) {
            Written::Unseen => return false,
            // Also what came and went meanwhile.
            Written::Seen => self.expectations.creations_settled(uid),
            Written::Nothing | Written::Unknown => {}
        }
        self.written_sets.look(uid, &self.sets.resource_version()) != Written::Unseen
    }

    async fn bring_nearer(&self, set: &ReplicaSet, uid: &Uid) -> Result<Action, SetError> {
        let Some(selector) = selector_of(set) else { return Ok(Action::AwaitChange) };
        // Asked before the pods are read: what is seen meanwhile is among them.
        let awaited = self.expectations.time_left(uid);
        let all = self.pods_of(set);
        let active = all.iter().filter(|pod| is_active(pod)).cloned().collect();
        let active = self.claim(set, &selector, active).await?;
        let managed = if awaited.is_none() && set.metadata.deletion_timestamp.is_none() {
            self.manage(set, active.clone()).await
        } else {
            Ok(false)
        };
        if matches!(managed, Ok(true)) {
            // What was done is about to be seen, and then the status says so: Kubernetes writes one now as well, of how it was before.
            return Ok(Action::RequeueAfter(SEEN_SOON));
        }

        let is_claimed = |pod: &Pod| is_controlled_by(pod, set) && selector.matches(&pod.metadata.labels);
        let terminating = all.iter().filter(|pod| is_terminating(pod) && is_claimed(pod)).count();
        let failure = managed.as_ref().err().map(ToString::to_string);
        let now = self.platform.wall_time();
        let status = status_of(set, &active, terminating, failure, now);
        let is_waited_for = status.ready_replicas != status.available_replicas;
        let clients = self.client.apps_v1().replica_sets(set.namespace());
        let written = update_status(&clients, set, status).await;
        // What keeps pods from being made matters more.
        managed?;
        if let Some(updated) = written.map_err(SetError::Status)? {
            self.written_sets.wrote(uid.clone(), updated.resource_version().into());
        }
        let next = is_waited_for.then(|| next_check(set, &active, now)).into_iter().chain(awaited).min();
        Ok(next.map_or(Action::AwaitChange, Action::RequeueAfter))
    }

    /// Waits for nothing any more that was done for a set that is gone.
    pub(crate) fn forget(&self, gone: &Uid) {
        self.expectations.forget(gone);
        self.written_pods.forget(gone);
        self.written_sets.forget(gone);
    }

    /// The pods that it manages, and those of its namespace that nobody does.
    fn pods_of(&self, set: &ReplicaSet) -> Vec<Arc<Pod>> {
        self.pods_by([set.uid().to_owned(), orphans_of(set.namespace())])
    }

    fn pods_by(&self, owners: impl IntoIterator<Item = String>) -> Vec<Arc<Pod>> {
        self.pods.read(|pods| {
            let mut found = Vec::new();
            for owner in owners {
                found.extend(pods.by_index(&BY_OWNER, &owner).into_iter().flatten().map(|(_, pod)| Arc::clone(pod)));
            }
            found
        })
    }

    async fn claim(&self, set: &ReplicaSet, selector: &LabelSelector, pods: Vec<Arc<Pod>>) -> Result<Vec<Arc<Pod>>, SetError> {
        let clients = self.client.core_v1().pods(set.namespace());
        let patch = |pod: Arc<Pod>, patch| {
            let clients = clients.clone();
            async move {
                let patched = clients.patch(pod.name(), &patch, &PatchOptions::DEFAULT).await?;
                self.written_pods.wrote(set.uid().into(), patched.resource_version().into());
                Ok(())
            }
        };
        let may_adopt = async {
            let fresh = self.client.apps_v1().replica_sets(set.namespace()).get(set.name(), &GetOptions::DEFAULT).await;
            recheck(set, fresh.as_ref().map_err(Clone::clone))
        };
        let is_wanted = |pod: &Pod| selector.matches(&pod.metadata.labels);
        let (claimed, failed) = claim_all(set, &reference(set), pods, is_wanted, may_adopt, patch).await;
        if failed.is_empty() { Ok(claimed) } else { Err(SetError::Claim(failed)) }
    }

    /// Makes those that are missing and deletes those that are too many, and has both expected before (`manageReplicas`). Gives back
    /// whether there is something to be seen of that.
    async fn manage(&self, set: &ReplicaSet, active: Vec<Arc<Pod>>) -> Result<bool, SetError> {
        let (there, wanted) = (active.len(), desired(set));
        match there.cmp(&wanted) {
            Ordering::Less => self.make(set, (wanted - there).min(BURST)).await,
            Ordering::Equal => Ok(false),
            Ordering::Greater => self.remove(set, active, (there - wanted).min(BURST)).await,
        }
    }

    async fn make(&self, set: &ReplicaSet, wanted: usize) -> Result<bool, SetError> {
        let uid = Uid::from(set.uid());
        let pods = self.client.core_v1().pods(set.namespace());
        let template = pod_of(set, reference(set));
        let is_made = AtomicBool::new(false);
        self.expectations.expect_creations(uid.clone(), wanted);
        let make_one = |_| async {
            let name = || pod_name(set.name(), &*self.platform);
            match certain::create(&self.platform, &pods, template.clone(), name).await {
                Ok(made) => {
                    self.written_pods.wrote(uid.clone(), made.resource_version().into());
                    is_made.store(true, atomic::Ordering::Relaxed);
                    self.tell(set, false, "SuccessfulCreate", format!("Created pod: {}", made.name()));
                    Ok(())
                }
                // Whatever is made in a namespace that ends is refused, and nobody waits for it.
                Err(error) if error.cause("NamespaceTerminating").is_some() => Ok(()),
                Err(error) => {
                    self.tell(set, true, "FailedCreate", format!("Error creating: {error}"));
                    Err(error)
                }
            }
        };
        let (done, error) = slow_start(wanted, make_one).await;
        // Nobody is going to see those that were not made.
        (done..wanted).for_each(|_| self.expectations.creation_observed(&uid));
        match error {
            Some(source) => Err(SetError::Create { done, wanted, source }),
            None => Ok(is_made.load(atomic::Ordering::Relaxed)),
        }
    }

    async fn remove(&self, set: &ReplicaSet, active: Vec<Arc<Pod>>, count: usize) -> Result<bool, SetError> {
        let uid = Uid::from(set.uid());
        let pods = self.client.core_v1().pods(set.namespace());
        let going = pods_to_delete(active, &self.related(set), count, self.platform.wall_time());
        self.expectations.expect_deletions(uid.clone(), going.iter().map(|pod| pod.uid().into()));
        let results = join_all(going.iter().map(async |pod| {
            let result = certain::delete(&self.platform, &pods, pod).await;
            let is_there = self.pods.find(Key::of(&**pod).as_str()).is_some_and(|there| there.uid() == pod.uid());
            if !matches!(result, Ok(true)) || !is_there {
                // Somebody else did, or it stays, or it was seen before it was expected: there is no deletion to be seen any more.
                self.expectations.deletion_observed(&uid, &pod.uid().into());
            }
            match &result {
                Ok(true) => self.tell(set, false, "SuccessfulDelete", format!("Deleted pod: {}", pod.name())),
                Ok(false) => {}
                Err(error) => self.tell(set, true, "FailedDelete", format!("Error deleting: {error}")),
            }
            result
        }));
        let mut is_deleted = false;
        for result in results.await {
            is_deleted |= result.map_err(SetError::Delete)?;
        }
        Ok(is_deleted)
    }

    /// The pods of all sets that have the same owner, such as those of one deployment (`getIndirectlyRelatedPods`).
    fn related(&self, set: &ReplicaSet) -> Vec<Arc<Pod>> {
        let Some(owner) = controller_of(set) else { return Vec::new() };
        let sets = self.sets.by_index(&BY_OWNER, owner.uid.as_str()).unwrap_or_default();
        self.pods_by(sets.iter().map(|set| set.uid().to_owned()))
    }

    fn tell(&self, set: &ReplicaSet, is_warning: bool, reason: &'static str, message: String) {
        (self.tell)(set, Told { is_warning, reason, message });
    }
}

/// What selects the pods of a set; none where it is not valid, which the server does not let happen.
pub(crate) fn selector_of(set: &ReplicaSet) -> Option<LabelSelector> {
    let text = serde_json::to_vec(&set.spec.as_ref()?.selector).ok()?;
    let spec: LabelSelectorSpec = serde_json::from_slice(&text).ok()?;
    spec.as_selector().ok().filter(|selector| !selector.is_everything())
}

fn reference(set: &ReplicaSet) -> OwnerReference {
    controller_reference(set, &ReplicaSet::kind())
}

/// When the next pod is available; some time later where that is not known.
fn next_check(set: &ReplicaSet, active: &[Arc<Pod>], now: WallTime) -> Duration {
    let at_least = min_ready(set);
    next_availability(active.iter().map(|pod| &**pod), at_least, now).unwrap_or(at_least)
}
