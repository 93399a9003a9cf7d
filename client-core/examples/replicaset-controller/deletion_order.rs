//! Which pods go first (Kubernetes `pkg/controller/controller_utils.go`, `ActivePodsWithRanks`).

use std::{cmp::Reverse, collections::HashMap, sync::Arc};

use porthole_client_core::{k8s_openapi::api::core::v1::Pod, platform::WallTime};

use crate::pods::{is_active, is_ready, phase, ready_since};

/// The annotation by which a pod says how much is lost with it.
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";

/// The `count` of `pods` that are missed least: those without a node, not running yet, not ready; then of the lowest cost; then of
/// those that share a node with the most of `related`, pods of the same service; then those that are ready for the shortest time, were
/// restarted most often, and are youngest. Times count by the power of two that they are of, so that not always the newest go;
/// what is equal is told apart by its uid, which is as good as chance.
///
/// Kubernetes compares two pods that are ready for times of one power of two by their uid at once where the times differ, and goes
/// on where they are the same, which is no order; here it always goes on.
pub(crate) fn pods_to_delete(mut pods: Vec<Arc<Pod>>, related: &[Arc<Pod>], count: usize, now: WallTime) -> Vec<Arc<Pod>> {
    if count < pods.len() {
        let mut on_node: HashMap<&str, usize> = HashMap::new();
        for pod in related.iter().filter(|pod| is_active(pod)) {
            *on_node.entry(node(pod)).or_default() += 1;
        }
        pods.sort_by_cached_key(|pod| worth(pod, on_node.get(node(pod)).copied().unwrap_or_default(), now));
        pods.truncate(count);
    }
    pods
}

/// What is smaller is missed less.
fn worth(pod: &Pod, on_node: usize, now: WallTime) -> impl Ord + use<> {
    (
        !node(pod).is_empty(),
        phase_order(pod),
        is_ready(pod),
        deletion_cost(pod),
        Reverse(on_node),
        is_ready(pod).then(|| age(ready_since(pod), now)),
        Reverse(restarts(pod)),
        age(created(pod), now),
        pod.metadata.uid.clone(),
    )
}

fn node(pod: &Pod) -> &str {
    pod.spec.as_ref().and_then(|spec| spec.node_name.as_deref()).unwrap_or_default()
}

fn phase_order(pod: &Pod) -> u8 {
    match phase(pod) {
        "Unknown" => 1,
        "Running" => 2,
        _ => 0,
    }
}

/// What it says that it costs to delete it; nothing where that is no number (`GetDeletionCostFromPodAnnotations`).
fn deletion_cost(pod: &Pod) -> i32 {
    let said = pod.metadata.annotations.as_ref().and_then(|annotations| annotations.get(DELETION_COST));
    let is_plain = |text: &&String| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        *text == "0" || digits.starts_with(|first: char| ('1'..='9').contains(&first))
    };
    said.filter(is_plain).and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// The highest number of restarts of its containers, and then of its sidecars (`maxContainerRestarts`).
fn restarts(pod: &Pod) -> (i32, i32) {
    let Some(status) = &pod.status else { return (0, 0) };
    let containers = status.container_statuses.iter().flatten().map(|container| container.restart_count);
    let is_sidecar = |name: &str| {
        let initial = pod.spec.iter().flat_map(|spec| spec.init_containers.iter().flatten());
        initial.into_iter().any(|container| container.name == name && container.restart_policy.as_deref() == Some("Always"))
    };
    let sidecars = status.init_container_statuses.iter().flatten().filter(|container| is_sidecar(&container.name));
    (containers.max().unwrap_or_default(), sidecars.map(|container| container.restart_count).max().unwrap_or_default())
}

fn created(pod: &Pod) -> Option<WallTime> {
    pod.metadata.creation_timestamp.as_ref().map(|time| WallTime(time.0.as_millisecond()))
}

/// How long ago it is, as the power of two of its nanoseconds; less than the least where that is not known, or lies ahead
/// (`logarithmicRankDiff`).
fn age(time: Option<WallTime>, now: WallTime) -> Option<u32> {
    let nanoseconds = u128::try_from(now - time?).unwrap_or_default() * 1_000_000;
    nanoseconds.checked_ilog2()
}

#[cfg(test)]
mod tests {
    use porthole_client_core::k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

    use super::*;
    use crate::testing::{pod, time};

    /// The names of all, in the order in which they would go.
    fn order(pods: Vec<Pod>, related: &[Arc<Pod>]) -> Vec<String> {
        let names = |pods: Vec<Arc<Pod>>| pods.iter().map(|pod| pod.metadata.name.clone().unwrap()).collect::<Vec<_>>();
        let pods: Vec<_> = pods.into_iter().map(Arc::new).collect();
        let all = pods.len() - 1;
        let first = names(pods_to_delete(pods.clone(), related, all, now()));
        // Whatever the order they are found in.
        let reversed = pods.into_iter().rev().collect();
        assert_eq!(first, names(pods_to_delete(reversed, related, all, now())));
        first
    }

    fn now() -> WallTime {
        WallTime(1_000_000_000_000)
    }

    const LONG: i64 = 1 << 20;

    fn seconds_ago(seconds: i64) -> Time {
        time(now().0 / 1000 - seconds)
    }

    #[test]
    fn each_rule_counts_before_those_that_follow_it() {
        // Each is kept longer than the one before by one rule, and would go earlier by all that follow it.
        let of = |name: &str, node: &str| pod(name).on(node).phase("Running").created(seconds_ago(1));
        let unscheduled = pod("unscheduled").phase("Running").ready(Some(seconds_ago(LONG))).created(seconds_ago(LONG)).cost("9");
        let pending =
            pod("pending").on("lonely").phase("Pending").ready(Some(seconds_ago(LONG))).created(seconds_ago(LONG)).cost("9");
        let unknown =
            pod("unknown").on("lonely").phase("Unknown").ready(Some(seconds_ago(LONG))).created(seconds_ago(LONG)).cost("9");
        let not_ready = of("not-ready", "lonely").cost("9");
        let cheap = of("cheap", "lonely").ready(Some(seconds_ago(LONG))).cost("-1");
        let crowded = of("crowded", "crowded").ready(Some(seconds_ago(LONG)));
        let no_time = of("ready-at-some-time", "lonely").ready(None);
        let fresh = of("fresh", "lonely").ready(Some(seconds_ago(8)));
        let restarted = pod("restarted")
            .on("lonely")
            .phase("Running")
            .ready(Some(seconds_ago(LONG)))
            .restarts(&[3, 7])
            .created(seconds_ago(LONG));
        let young = of("young", "lonely").ready(Some(seconds_ago(LONG))).restarts(&[6]).uid("2");
        let old = of("old", "lonely").ready(Some(seconds_ago(LONG))).restarts(&[6]).created(seconds_ago(LONG)).uid("1");
        let related: Vec<_> = ["1", "2", "3"].map(|name| Arc::new(pod(name).on("crowded").phase("Running").0)).into();
        let all = vec![old, young, restarted, fresh, no_time, crowded, cheap, not_ready, unknown, pending, unscheduled];
        let expected = [
            "unscheduled",
            "pending",
            "unknown",
            "not-ready",
            "cheap",
            "crowded",
            "ready-at-some-time",
            "fresh",
            "restarted",
            "young",
        ];
        assert_eq!(order(all.into_iter().map(|pod| pod.0).collect(), &related), expected);
    }

    #[test]
    fn times_of_one_power_of_two_are_equal_and_the_uid_decides() {
        let at = |name: &str, uid: &str, seconds: i64| {
            pod(name).on("a").phase("Running").ready(Some(seconds_ago(seconds))).uid(uid).created(seconds_ago(seconds)).0
        };
        // 8 to 14 seconds are of one power, counted in nanoseconds.
        assert_eq!(order(vec![at("a", "2", 9), at("b", "1", 14), at("c", "3", 10)], &[]), ["b", "a"]);
        assert_eq!(order(vec![at("a", "2", 9), at("b", "1", 40), at("c", "3", 10)], &[]), ["a", "c"]);
    }

    #[test]
    fn a_sidecar_that_restarts_counts_where_the_containers_are_equal_and_another_init_container_never() {
        let with = |name: &str, sidecar: i32, initial: i32| {
            pod(name)
                .on("a")
                .phase("Running")
                .restarts(&[2])
                .initial("proxy", true, sidecar)
                .initial("setup", false, initial)
                .uid(name)
                .0
        };
        assert_eq!(order(vec![with("a", 1, 9), with("b", 3, 0), with("c", 2, 5)], &[]), ["b", "c"]);
    }

    #[test]
    fn a_deletion_cost_that_is_no_number_is_none() {
        for (said, cost) in
            [("5", 5), ("-5", -5), ("0", 0), ("+5", 0), ("05", 0), ("-0", 0), ("", 0), ("a", 0), ("3000000000", 0)]
        {
            assert_eq!(deletion_cost(&pod("a").cost(said).0), cost, "{said}");
        }
        assert_eq!(deletion_cost(&pod("a").0), 0);
    }

    #[test]
    fn related_pods_that_have_ended_or_go_do_not_count_and_nobody_is_sorted_where_all_go() {
        let on = |name: &str, node: &str| pod(name).on(node).phase("Running").uid(name).0;
        let ended = Arc::new(pod("x").on("b").phase("Failed").0);
        let going = Arc::new(pod("y").on("b").phase("Running").deleted().0);
        let counts = Arc::new(pod("z").on("c").phase("Running").0);
        assert_eq!(order(vec![on("1", "a"), on("2", "b"), on("3", "c")], &[ended, going, counts]), ["3", "1"]);
        let all: Vec<_> = vec![Arc::new(on("2", "a")), Arc::new(on("1", "a"))];
        let gone = pods_to_delete(all, &[], 2, now());
        assert_eq!(gone.iter().map(|pod| pod.metadata.name.as_deref().unwrap()).collect::<Vec<_>>(), ["2", "1"]);
    }
}
