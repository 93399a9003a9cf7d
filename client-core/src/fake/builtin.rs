//! The resources that every fake server has.

use super::{Column, ResourceDefinition};

/// A useful core of what a real server has: namespaces, nodes, workloads and what they need.
pub(super) fn built_in() -> Vec<ResourceDefinition> {
    let core = |plural: &str, kind: &str| ResourceDefinition::built_in("", "v1", plural, kind);
    let apps = |plural: &str, kind: &str| {
        ResourceDefinition::built_in("apps", "v1", plural, kind)
            .with_status()
            .with_generation()
            .with_categories(["all"])
            .with_fields(["spec", "status"])
    };
    let age = || Column::new("Age", "string", ".metadata.creationTimestamp|age");
    let column = |name: &str, path: &str| Column::new(name, "string", path);
    vec![
        core("namespaces", "Namespace")
            .cluster_wide()
            .with_status()
            .with_short_names(["ns"])
            .with_verbs(["create", "delete", "get", "list", "patch", "update", "watch"])
            .with_selectable_fields(["status.phase"])
            .with_fields(["spec", "status"])
            .returning_deleted()
            .with_column(column("Status", ".status.phase"))
            .with_column(age()),
        core("nodes", "Node")
            .cluster_wide()
            .with_status()
            .with_short_names(["no"])
            .with_selectable_fields(["spec.unschedulable"])
            .with_fields(["spec", "status"])
            .with_column(column("Version", ".status.nodeInfo.kubeletVersion"))
            .with_column(age()),
        core("pods", "Pod")
            .with_status()
            .with_generation()
            .with_short_names(["po"])
            .with_categories(["all"])
            .with_selectable_fields(["spec.nodeName", "spec.restartPolicy", "spec.serviceAccountName", "status.phase"])
            .with_fields(["spec", "status"])
            .with_grace_period(30)
            .returning_deleted()
            .with_column(column("Status", ".status.phase"))
            .with_column(column("IP", ".status.podIP").wide())
            .with_column(column("Node", ".spec.nodeName").wide())
            .with_column(age()),
        core("configmaps", "ConfigMap")
            .with_short_names(["cm"])
            .with_fields(["binaryData", "data", "immutable"])
            .with_column(column("Data", ".data|length"))
            .with_column(age()),
        core("secrets", "Secret")
            .with_selectable_fields(["type"])
            .with_fields(["data", "immutable", "stringData", "type"])
            .with_column(column("Type", ".type"))
            .with_column(column("Data", ".data|length"))
            .with_column(age()),
        core("services", "Service")
            .with_status()
            .with_short_names(["svc"])
            .with_categories(["all"])
            .with_selectable_fields(["spec.clusterIP", "spec.type"])
            .with_fields(["spec", "status"])
            .returning_deleted()
            .with_column(column("Type", ".spec.type"))
            .with_column(column("Cluster-IP", ".spec.clusterIP"))
            .with_column(age()),
        core("serviceaccounts", "ServiceAccount")
            .with_short_names(["sa"])
            .with_fields(["automountServiceAccountToken", "imagePullSecrets", "secrets"])
            .returning_deleted()
            .with_column(age()),
        core("events", "Event")
            .without_watch_cache()
            .with_short_names(["ev"])
            .with_selectable_fields(["involvedObject.kind", "involvedObject.name", "involvedObject.namespace", "reason", "type"])
            .with_column(column("Type", ".type"))
            .with_column(column("Reason", ".reason"))
            .with_column(column("Message", ".message")),
        apps("deployments", "Deployment")
            .with_scale()
            .with_short_names(["deploy"])
            .with_column(column("Available", ".status.availableReplicas"))
            .with_column(age()),
        apps("replicasets", "ReplicaSet")
            .with_scale()
            .with_short_names(["rs"])
            .with_column(Column::new("Desired", "integer", ".spec.replicas"))
            .with_column(age()),
        apps("statefulsets", "StatefulSet").with_scale().with_short_names(["sts"]).with_column(age()),
        apps("daemonsets", "DaemonSet").with_short_names(["ds"]).with_column(age()),
        ResourceDefinition::built_in("batch", "v1", "jobs", "Job")
            .with_status()
            .with_generation()
            .with_categories(["all"])
            .with_fields(["spec", "status"])
            .with_column(age()),
        ResourceDefinition::built_in("coordination.k8s.io", "v1", "leases", "Lease")
            .with_fields(["spec"])
            .with_column(column("Holder", ".spec.holderIdentity"))
            .with_column(age()),
    ]
}
