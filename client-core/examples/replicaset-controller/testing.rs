//! Pods for tests.

use porthole_client_core::k8s_openapi::{
    api::core::v1::{Container, ContainerStatus, Pod, PodCondition, PodSpec, PodStatus},
    apimachinery::pkg::apis::meta::v1::Time,
    jiff,
};

/// A pod that a test builds.
pub(crate) struct TestPod(pub(crate) Pod);

pub(crate) fn pod(name: &str) -> TestPod {
    let mut pod = Pod::default();
    pod.metadata.namespace = Some("shop".to_owned());
    pod.metadata.name = Some(name.to_owned());
    TestPod(pod)
}

/// So many seconds after 1970.
pub(crate) fn time(seconds: i64) -> Time {
    Time(jiff::Timestamp::from_second(seconds).unwrap())
}

impl TestPod {
    fn spec(&mut self) -> &mut PodSpec {
        self.0.spec.get_or_insert_default()
    }

    fn status(&mut self) -> &mut PodStatus {
        self.0.status.get_or_insert_default()
    }

    pub(crate) fn uid(mut self, uid: &str) -> Self {
        self.0.metadata.uid = Some(uid.to_owned());
        self
    }

    pub(crate) fn on(mut self, node: &str) -> Self {
        self.spec().node_name = Some(node.to_owned());
        self
    }

    pub(crate) fn phase(mut self, phase: &str) -> Self {
        self.status().phase = Some(phase.to_owned());
        self
    }

    pub(crate) fn ready(mut self, since: Option<Time>) -> Self {
        let ready = PodCondition {
            type_: "Ready".to_owned(),
            status: "True".to_owned(),
            last_transition_time: since,
            ..PodCondition::default()
        };
        self.status().conditions.get_or_insert_default().push(ready);
        self
    }

    pub(crate) fn cost(mut self, cost: &str) -> Self {
        let annotations = self.0.metadata.annotations.get_or_insert_default();
        annotations.insert("controller.kubernetes.io/pod-deletion-cost".to_owned(), cost.to_owned());
        self
    }

    pub(crate) fn restarts(mut self, counts: &[i32]) -> Self {
        let status = |count: &i32| ContainerStatus { restart_count: *count, ..ContainerStatus::default() };
        self.status().container_statuses = Some(counts.iter().map(status).collect());
        self
    }

    pub(crate) fn initial(mut self, name: &str, is_sidecar: bool, restarts: i32) -> Self {
        let restart_policy = is_sidecar.then(|| "Always".to_owned());
        let container = Container { name: name.to_owned(), restart_policy, ..Container::default() };
        self.spec().init_containers.get_or_insert_default().push(container);
        let status = ContainerStatus { name: name.to_owned(), restart_count: restarts, ..ContainerStatus::default() };
        self.status().init_container_statuses.get_or_insert_default().push(status);
        self
    }

    pub(crate) fn created(mut self, at: Time) -> Self {
        self.0.metadata.creation_timestamp = Some(at);
        self
    }

    pub(crate) fn deleted(mut self) -> Self {
        self.0.metadata.deletion_timestamp = Some(time(1));
        self
    }
}
