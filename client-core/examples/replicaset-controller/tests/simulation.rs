//! Sets under whatever happens.

use std::time::Duration;

use futures::FutureExt as _;
use http::Method;
use porthole_client_core::{
    fake::{Disturbance, Fault, FaultKind},
    meta::Status,
};

use super::cluster::{TestCluster, pods, sets};

/// A number that follows from those before it.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

#[test]
fn no_pod_is_ever_made_above_what_is_wanted_and_in_the_end_all_are_there() {
    for seed in 0..30 {
        play(seed);
    }
}

/// Pods go, labels change, answers are lost, requests fail, watches break, and controllers end and begin; one runs at a time.
fn play(seed: u64) {
    let mut chance = Chance(seed);
    let cluster = TestCluster::new();
    cluster.platform.set_seed(seed);
    cluster.make_set("web", 4);
    let mut wanted = 4;
    let mut running = cluster.begin();
    let mut before = 0;
    for step in 0..150 {
        match chance.below(14) {
            0 => {
                let active = cluster.active("web");
                if !active.is_empty() {
                    cluster.lose_pod(&active[chance.below(active.len())]);
                }
            }
            1 => {
                let active = cluster.active("web");
                if !active.is_empty() {
                    let name = &active[chance.below(active.len())];
                    let delete =
                        cluster.server.client().delete().resource(&pods()).namespace(&"shop".into()).name(&name.as_str().into());
                    // A fault may be in its way.
                    drop(delete.send().now_or_never());
                }
            }
            2 => {
                let active = cluster.active("web");
                if !active.is_empty() {
                    let mut pod = cluster
                        .server
                        .get(&pods(), Some(&"shop".into()), &active[chance.below(active.len())].as_str().into())
                        .unwrap();
                    pod.set_nested(&["metadata", "labels", "app"], "debug").unwrap();
                    cluster.server.apply_json(&pod.to_string()).unwrap();
                }
            }
            3 => {
                // More is wanted; less only where nothing is on its way.
                wanted += chance.below(3);
                let mut set = cluster.server.get(&sets(), Some(&"shop".into()), &"web".into()).unwrap();
                set.set_nested(
                    &["spec", "replicas"],
                    porthole_client_core::json::Value::Number(u64::try_from(wanted).unwrap().into()),
                )
                .unwrap();
                cluster.server.apply_json(&set.to_string()).unwrap();
            }
            4 => cluster.server.disturb_watches(match chance.below(3) {
                0 => Disturbance::Break,
                1 => Disturbance::Error(Box::new(Status::expired("too old"))),
                _ => Disturbance::Error(Box::new(Status::internal_error("oh"))),
            }),
            5 => cluster.server.compact(&cluster.server.resource_version()),
            6 => {
                drop(running);
                cluster.platform.run();
                running = cluster.begin();
            }
            7..=9 => {
                let kind = match chance.below(5) {
                    0 => FaultKind::ResetAfterDone,
                    1 => FaultKind::ResetBeforeAnswer,
                    2 => FaultKind::Refuse(Box::new(Status::service_unavailable("not now"))),
                    3 => FaultKind::Refuse(Box::new(Status::failure(403, "Forbidden".into(), "no"))),
                    _ => FaultKind::Delay(Duration::from_millis(700)),
                };
                let method = [Method::POST, Method::DELETE, Method::PATCH, Method::PUT, Method::GET][chance.below(5)].clone();
                let is_read = method == Method::GET;
                let fault = Fault::new(kind).on_method(method).times(1 + chance.below(4));
                // What this test reads is none of it.
                cluster.server.faults().add(if is_read { fault.on_query("watch=") } else { fault });
            }
            _ => {}
        }
        before = cluster.active("web").len().min(before.max(wanted));
        for _ in 0..chance.below(40) {
            let version = cluster.server.resource_version();
            cluster.platform.turn();
            if cluster.server.resource_version() == version {
                continue;
            }
            let now = cluster.active("web").len();
            assert!(now <= wanted.max(before), "seed {seed}, step {step}: {now} where {wanted} are wanted");
            before = now;
        }
        if chance.below(3) == 0 {
            cluster.platform.advance(Duration::from_millis(u64::try_from(chance.below(3000)).unwrap()));
        }
    }
    cluster.server.faults().clear();
    // Less than expectations are waited for: none of them is in vain.
    cluster.pass(120);
    assert_eq!(cluster.active("web").len(), wanted, "seed {seed}: {:?}", cluster.failed.lock().unwrap());
    assert_eq!(usize::try_from(cluster.set("web").status.unwrap().replicas), Ok(wanted), "seed {seed}");
    drop(running);
    cluster.platform.run();
    assert_eq!(cluster.platform.running_tasks(), 0, "seed {seed}: tasks are left");
}
