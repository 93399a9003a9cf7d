//! What a set says of its pods (Kubernetes `pkg/controller/replicaset/replica_set_utils.go`).

use std::{sync::Arc, time::Duration};

use porthole_client_core::{
    clients::ResourceClient,
    k8s_openapi::{
        api::{
            apps::v1::{ReplicaSet, ReplicaSetCondition, ReplicaSetSpec, ReplicaSetStatus},
            core::v1::Pod,
        },
        apimachinery::pkg::apis::meta::v1::Time,
        jiff,
    },
    object::Object as _,
    platform::WallTime,
    rest::{ApiError, GetOptions, WriteOptions},
    selector::LabelSelector,
};

use crate::pods::{is_available, is_ready};

/// That pods could not be made or deleted.
const REPLICA_FAILURE: &str = "ReplicaFailure";

/// How many pods there are to be.
pub(crate) fn desired(set: &ReplicaSet) -> usize {
    let replicas = set.spec.as_ref().and_then(|spec| spec.replicas).unwrap_or(1);
    usize::try_from(replicas).unwrap_or_default()
}

/// For how long a pod has to be ready before it counts as available.
pub(crate) fn min_ready(set: &ReplicaSet) -> Duration {
    let seconds = set.spec.as_ref().and_then(|spec| spec.min_ready_seconds).unwrap_or_default();
    Duration::from_secs(u64::try_from(seconds).unwrap_or_default())
}

/// The status of a set with these pods (`calculateStatus`). `failure` is what its pods could not be made or deleted for.
pub(crate) fn status_of(
    set: &ReplicaSet,
    active: &[Arc<Pod>],
    terminating: usize,
    failure: Option<String>,
    now: WallTime,
) -> ReplicaSetStatus {
    let template = template_labels(set.spec.as_ref());
    let is_labelled = |pod: &Pod| template.as_ref().is_some_and(|template| template.matches(&pod.metadata.labels));
    let at_least = min_ready(set);
    let before = set.status.clone().unwrap_or_default();
    let observed_generation = set.metadata.generation;
    ReplicaSetStatus {
        replicas: count(active.len()),
        fully_labeled_replicas: Some(count(active.iter().filter(|pod| is_labelled(pod)).count())),
        ready_replicas: Some(count(active.iter().filter(|pod| is_ready(pod)).count())),
        available_replicas: Some(count(active.iter().filter(|pod| is_available(pod, at_least, now)).count())),
        terminating_replicas: Some(count(terminating)),
        observed_generation,
        conditions: conditions(before.conditions, active.len().cmp(&desired(set)).is_gt(), failure, now),
    }
}

/// Writes the status, where it says something new, and gives back the set as it is then (`updateReplicaSetStatus`). One who
/// comes in between is read once.
///
/// # Errors
/// Where it cannot be written, or read.
pub(crate) async fn update_status(
    sets: &ResourceClient<ReplicaSet>,
    set: &ReplicaSet,
    status: ReplicaSetStatus,
) -> Result<Option<ReplicaSet>, ApiError> {
    if is_same(set.status.as_ref(), &status) {
        return Ok(None);
    }
    let changed = ReplicaSet { status: Some(status.clone()), ..set.clone() };
    if let Ok(updated) = sets.update_status(&changed, &WriteOptions::DEFAULT).await {
        return Ok(Some(updated));
    }
    let fresh = sets.get(set.name(), &GetOptions::DEFAULT).await?;
    sets.update_status(&ReplicaSet { status: Some(status), ..fresh }, &WriteOptions::DEFAULT).await.map(Some)
}

/// A server leaves out what is zero, except how many there are.
fn is_same(before: Option<&ReplicaSetStatus>, after: &ReplicaSetStatus) -> bool {
    let Some(before) = before else { return false };
    let number = Option::<i32>::unwrap_or_default;
    before.replicas == after.replicas
        && number(before.fully_labeled_replicas) == number(after.fully_labeled_replicas)
        && number(before.ready_replicas) == number(after.ready_replicas)
        && number(before.available_replicas) == number(after.available_replicas)
        && number(before.terminating_replicas) == number(after.terminating_replicas)
        && before.observed_generation == after.observed_generation
        && before.conditions.as_deref().unwrap_or_default() == after.conditions.as_deref().unwrap_or_default()
}

fn count(pods: usize) -> i32 {
    i32::try_from(pods).unwrap_or(i32::MAX)
}

fn template_labels(spec: Option<&ReplicaSetSpec>) -> Option<LabelSelector> {
    let labels = spec?.template.as_ref()?.metadata.as_ref()?.labels.clone().unwrap_or_default();
    LabelSelector::try_from(labels).ok()
}

/// With the failure that there is, and without one that there is no longer. One that stays keeps the words of its beginning.
fn conditions(
    before: Option<Vec<ReplicaSetCondition>>,
    too_many: bool,
    failure: Option<String>,
    now: WallTime,
) -> Option<Vec<ReplicaSetCondition>> {
    let mut conditions = before.unwrap_or_default();
    let is_told = conditions.iter().any(|condition| condition.type_ == REPLICA_FAILURE);
    match failure {
        None => conditions.retain(|condition| condition.type_ != REPLICA_FAILURE),
        Some(message) if !is_told => conditions.push(ReplicaSetCondition {
            type_: REPLICA_FAILURE.to_owned(),
            status: "True".to_owned(),
            reason: Some(if too_many { "FailedDelete" } else { "FailedCreate" }.to_owned()),
            message: Some(message),
            last_transition_time: jiff::Timestamp::from_second(now.0 / 1000).ok().map(Time),
        }),
        Some(_) => {}
    }
    (!conditions.is_empty()).then_some(conditions)
}
