//! What resources are called, and where they stand in the navigation.

use porthole_client_core::{
    discovery::{Catalog, Resource},
    meta::GroupResource,
};

/// A part of the navigation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) resources: Vec<Resource>,
    /// Why nothing can be said of some of it.
    pub(crate) failed: Option<String>,
}

/// The sections for Kubernetes' own resources, in the order in which people look for them.
const SECTIONS: &[(&str, &[&str])] = &[
    (
        "Workloads",
        &[
            "pods",
            "deployments.apps",
            "replicasets.apps",
            "statefulsets.apps",
            "daemonsets.apps",
            "jobs.batch",
            "cronjobs.batch",
            "replicationcontrollers",
            "horizontalpodautoscalers.autoscaling",
            "poddisruptionbudgets.policy",
            "podtemplates",
            "controllerrevisions.apps",
        ],
    ),
    (
        "Network",
        &[
            "services",
            "endpointslices.discovery.k8s.io",
            "endpoints",
            "ingresses.networking.k8s.io",
            "ingressclasses.networking.k8s.io",
            "networkpolicies.networking.k8s.io",
            "ipaddresses.networking.k8s.io",
            "servicecidrs.networking.k8s.io",
        ],
    ),
    ("Config", &["configmaps", "secrets", "resourcequotas", "limitranges", "priorityclasses.scheduling.k8s.io"]),
    (
        "Storage",
        &[
            "persistentvolumeclaims",
            "persistentvolumes",
            "storageclasses.storage.k8s.io",
            "volumeattachments.storage.k8s.io",
            "volumeattributesclasses.storage.k8s.io",
            "csidrivers.storage.k8s.io",
            "csinodes.storage.k8s.io",
            "csistoragecapacities.storage.k8s.io",
        ],
    ),
    (
        "Access",
        &[
            "serviceaccounts",
            "roles.rbac.authorization.k8s.io",
            "rolebindings.rbac.authorization.k8s.io",
            "clusterroles.rbac.authorization.k8s.io",
            "clusterrolebindings.rbac.authorization.k8s.io",
            "certificatesigningrequests.certificates.k8s.io",
        ],
    ),
    (
        "Cluster",
        &[
            "nodes",
            "namespaces",
            "events",
            "events.events.k8s.io",
            "customresourcedefinitions.apiextensions.k8s.io",
            "apiservices.apiregistration.k8s.io",
            "leases.coordination.k8s.io",
            "componentstatuses",
            "runtimeclasses.node.k8s.io",
        ],
    ),
];

/// Every resource that can be listed, in sections: Kubernetes' own by purpose, all others by their group.
/// `filter` keeps those whose name, kind, short name or group holds it.
/// `favourites` stand first, in their order.
pub(crate) fn sections(catalog: &Catalog, filter: &str, favourites: &[String]) -> Vec<Section> {
    let filter = filter.trim().to_ascii_lowercase();
    let wanted = |resource: &Resource| resource.has("list") && matches(resource, &filter);
    let mut sections = Vec::new();
    let mut placed: Vec<GroupResource> = Vec::new();
    let mut place = |title: &str, names: Vec<&str>| {
        let names: Vec<GroupResource> =
            names.into_iter().map(GroupResource::from).filter(|name| !placed.contains(name)).collect();
        let resources = names.iter().filter_map(|name| catalog.find(name)).filter(|found| wanted(found)).cloned().collect();
        sections.push(Section { title: title.to_owned(), resources, failed: None });
        placed.extend(names);
    };
    place("Favourites", favourites.iter().map(String::as_str).collect());
    for (title, names) in SECTIONS {
        place(title, names.to_vec());
    }
    let rest = catalog.resources().filter(|resource| wanted(resource) && !placed.contains(&resource.group_resource()));
    let mut groups: Vec<Section> = Vec::new();
    for resource in rest {
        let group = group_title(&resource.identity.group_version.group);
        section_of(&mut groups, group).resources.push(resource.clone());
    }
    for failed in catalog.failed() {
        let group = group_title(&failed.group_version.group);
        if !group.contains(&filter) {
            continue;
        }
        let reason = format!("{}: {}", failed.group_version, failed.reason);
        section_of(&mut groups, group).failed = Some(reason);
    }
    sections.extend(groups);
    sections.retain(|section| !section.resources.is_empty() || section.failed.is_some());
    sections
}

/// The section of this title, which is put in its place where there is none.
fn section_of(sections: &mut Vec<Section>, title: String) -> &mut Section {
    let at = sections.partition_point(|section| section.title < title);
    if sections.get(at).is_none_or(|section| section.title != title) {
        sections.insert(at, Section { title, resources: Vec::new(), failed: None });
    }
    #[expect(clippy::indexing_slicing, reason = "it was put there just now")]
    &mut sections[at]
}

/// What a resource is called: its kind with the plural that the server uses. `NetworkPolicy` and
/// `networkpolicies` make `NetworkPolicies`; nothing is guessed.
pub(crate) fn label(resource: &Resource) -> String {
    let (kind, plural) = (&resource.kind, &resource.identity.resource);
    let common = kind.chars().zip(plural.chars()).take_while(|(a, b)| a.to_ascii_lowercase() == *b).count();
    if common < 2 {
        return plural.clone();
    }
    kind.chars().take(common).chain(plural.chars().skip(common)).collect()
}

fn matches(resource: &Resource, filter: &str) -> bool {
    filter.is_empty()
        || resource.identity.resource.contains(filter)
        || resource.kind.to_ascii_lowercase().contains(filter)
        || resource.identity.group_version.group.contains(filter)
        || resource.short_names.iter().any(|name| name == filter)
}

fn group_title(group: &str) -> String {
    if group.is_empty() { "core".to_owned() } else { group.to_owned() }
}

#[cfg(test)]
mod tests {
    use porthole_client_core::{
        discovery::FailedVersion,
        meta::{GroupResource, GroupVersion, GroupVersionResource},
    };

    use super::*;

    fn resource(name: &str, kind: &str, verbs: &[&str]) -> Resource {
        let GroupResource { group, resource } = GroupResource::from(name);
        Resource {
            identity: GroupVersionResource { group_version: GroupVersion { group, version: "v1".into() }, resource },
            versions: Vec::new(),
            kind: kind.into(),
            singular: String::new(),
            namespaced: true,
            verbs: verbs.iter().map(|verb| (*verb).to_owned()).collect(),
            short_names: vec![],
            categories: vec![],
        }
    }

    #[test]
    fn labels_join_the_kind_with_the_plural_of_the_server() {
        for (kind, plural, label_expected) in [
            ("Pod", "pods", "Pods"),
            ("NetworkPolicy", "networkpolicies", "NetworkPolicies"),
            ("Index", "indices", "Indices"),
            ("Endpoints", "endpoints", "Endpoints"),
            ("NetworkAttachmentDefinition", "network-attachment-definitions", "Network-attachment-definitions"),
            ("Mouse", "mice", "mice"),
        ] {
            assert_eq!(label(&resource(plural, kind, &[])), label_expected);
        }
    }

    #[test]
    fn only_what_can_be_listed_is_shown_and_a_dead_group_is_named() {
        let mut catalog = Catalog::default();
        catalog.core.resources = vec![resource("pods", "Pod", &["list"]), resource("bindings", "Binding", &["create"])];
        catalog.groups.resources = vec![
            resource("triggers.eventing.example.io", "Trigger", &["list"]),
            resource("triggers.pipeline.example.io", "Trigger", &["list"]),
            resource("tokenreviews.authentication.k8s.io", "TokenReview", &["create"]),
        ];
        catalog.groups.failed = vec![FailedVersion {
            group_version: GroupVersion { group: "metrics.k8s.io".into(), version: "v1beta1".into() },
            reason: "gone".into(),
        }];
        let titles: Vec<_> =
            sections(&catalog, "", &[]).into_iter().map(|section| (section.title, section.resources.len())).collect();
        let expected = [("Workloads", 1), ("eventing.example.io", 1), ("metrics.k8s.io", 0), ("pipeline.example.io", 1)];
        assert_eq!(titles, expected.map(|(title, count)| (title.to_owned(), count)));
        assert_eq!(sections(&catalog, "POD", &[]).len(), 1);
        let first = sections(&catalog, "", &["triggers.pipeline.example.io".to_owned(), "gone".to_owned()]);
        let titles: Vec<_> = first.iter().map(|section| (section.title.as_str(), section.resources.len())).collect();
        assert_eq!(titles[0], ("Favourites", 1), "what is among the favourites stands nowhere else");
        assert_eq!(titles.len(), 4);
    }
}
