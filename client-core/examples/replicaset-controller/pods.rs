//! What a pod's status says (Kubernetes `pkg/api/v1/pod/util.go`, `pkg/controller/controller_utils.go`).

use std::time::Duration;

use porthole_client_core::{
    k8s_openapi::api::core::v1::{Pod, PodCondition},
    platform::WallTime,
};

/// Whether it counts: it has not ended, and nobody deletes it (`IsPodActive`).
pub(crate) fn is_active(pod: &Pod) -> bool {
    !has_ended(pod) && pod.metadata.deletion_timestamp.is_none()
}

/// Whether it is being deleted and may still run (`IsPodTerminating`).
pub(crate) fn is_terminating(pod: &Pod) -> bool {
    !has_ended(pod) && pod.metadata.deletion_timestamp.is_some()
}

/// Its phase, which is empty where nobody has said one.
pub(crate) fn phase(pod: &Pod) -> &str {
    pod.status.as_ref().and_then(|status| status.phase.as_deref()).unwrap_or_default()
}

fn has_ended(pod: &Pod) -> bool {
    matches!(phase(pod), "Succeeded" | "Failed")
}

/// Whether it serves (`IsPodReady`).
pub(crate) fn is_ready(pod: &Pod) -> bool {
    ready(pod).is_some()
}

/// Since when it serves, where it does and somebody has written that down (`podReadyTime`).
pub(crate) fn ready_since(pod: &Pod) -> Option<WallTime> {
    let since = ready(pod)?.last_transition_time.as_ref()?;
    Some(WallTime(since.0.as_millisecond()))
}

fn ready(pod: &Pod) -> Option<&PodCondition> {
    let conditions = pod.status.as_ref()?.conditions.as_ref()?;
    conditions.iter().find(|condition| condition.type_ == "Ready").filter(|condition| condition.status == "True")
}

/// Whether it has served for so long (`IsPodAvailable`).
pub(crate) fn is_available(pod: &Pod, at_least: Duration, now: WallTime) -> bool {
    is_ready(pod) && (at_least.is_zero() || ready_since(pod).is_some_and(|since| until(since, at_least, now).is_none()))
}

/// After which time the first of those that serve, but not yet for so long, has (`FindMinNextPodAvailabilityCheck`).
pub(crate) fn next_availability<'a>(
    pods: impl IntoIterator<Item = &'a Pod>,
    at_least: Duration,
    now: WallTime,
) -> Option<Duration> {
    pods.into_iter().filter_map(|pod| until(ready_since(pod)?, at_least, now)).min()
}

/// How long it is until `since` is so long ago, where it is not yet.
fn until(since: WallTime, at_least: Duration, now: WallTime) -> Option<Duration> {
    let at_least = i64::try_from(at_least.as_millis()).unwrap_or(i64::MAX);
    let left = at_least.saturating_sub(now - since);
    u64::try_from(left).ok().filter(|left| *left > 0).map(Duration::from_millis)
}
