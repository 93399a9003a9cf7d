//! The table of built-in resources and what the server serves.

use std::collections::{BTreeMap, BTreeSet};

use porthole_client_core::{
    clients::{ClientSet, typed::BuiltIn},
    discovery::{Discovery as _, DiscoveryClient},
    meta::GroupVersionResource,
};

use super::client;

#[tokio::test(flavor = "multi_thread")]
async fn every_built_in_resource_that_is_served_has_a_client_of_the_right_shape() {
    let built_in = ClientSet::built_in();
    let mut ours: BTreeMap<String, &BuiltIn> = built_in.iter().map(|known| (known.resource.to_string(), known)).collect();
    // Discovery of a version at a time lists subresources as well.
    let discovery = DiscoveryClient::new(client()).with_legacy_discovery();
    let (found, _) = discovery.server_groups_and_resources().await.unwrap().partial();
    let is_built_in = |group: &str| !group.ends_with(".example") && !group.ends_with(".example.com") && group != "metrics.k8s.io";
    let (mut missing, mut wrong) = (Vec::new(), Vec::new());
    for list in found.resources.iter().filter(|list| is_built_in(&list.group_version.group)) {
        let names: BTreeSet<&str> = list.resources.iter().map(|resource| resource.name.as_str()).collect();
        for resource in list.resources.iter().filter(|resource| !resource.is_subresource()) {
            let identity = GroupVersionResource { group_version: list.group_version.clone(), resource: resource.name.clone() };
            let Some(known) = ours.remove(&identity.to_string()) else {
                missing.push(identity.to_string());
                continue;
            };
            assert_eq!((known.kind, known.namespaced), (resource.kind.as_str(), resource.namespaced), "{identity}");
            assert_eq!(known.create_only, resource.verbs == ["create"], "{identity}: {:?}", resource.verbs);
            let has = |subresource: &str| names.contains(format!("{}/{subresource}", resource.name).as_str());
            let served: Vec<_> = ["status", "scale"].into_iter().filter(|subresource| has(subresource)).collect();
            if known.subresources != served {
                wrong.push(format!("{identity} has {served:?}, not {:?}", known.subresources));
            }
        }
    }
    assert!(missing.is_empty(), "served, and without a client: {missing:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    let stable: Vec<_> = ours.keys().filter(|identity| !identity.contains("alpha") && !identity.contains("beta")).collect();
    assert!(stable.is_empty(), "not served: {stable:?}");
}
