//! What the client and its caches have in common (client-go `DiscoveryInterface` and `CachedDiscoveryInterface`).

use std::sync::Arc;

use bytes::Bytes;

use super::{
    discovered::Discovered,
    error::DiscoveryError,
    group::{ApiGroup, ApiGroupList},
    openapi::{OpenApiV3, OpenApiV3Path, SchemaFormat},
    predicate::filtered_by,
    resource::ApiResourceList,
    version::ServerVersion,
    whole,
};
use crate::{
    meta::GroupVersion,
    platform::{BoxFuture, MaybeSend, MaybeSync},
};

/// How many versions are asked at once: a browser has six connections in all, a native client as many as it likes.
pub(super) const AT_ONCE: usize = if cfg!(target_family = "wasm") { 2 } else { 10 };

/// An answer of discovery, on its way.
pub type Discovering<'a, T> = BoxFuture<'a, Result<T, DiscoveryError>>;

/// The groups of a server, and their resources where one answer held both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupsAndMaybeResources {
    /// The groups.
    pub groups: Arc<ApiGroupList>,
    /// The resources of every version, in the server's order; `None` where each version has to be asked.
    pub resources: Option<Vec<Arc<ApiResourceList>>>,
}

/// The groups of a server and the resources of their versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupsAndResources {
    /// The groups.
    pub groups: Arc<ApiGroupList>,
    /// The resources of every version, in the server's order.
    pub resources: Vec<Arc<ApiResourceList>>,
}

/// A group with the resources of its versions (client-go `restmapper.APIGroupResources`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiGroupResources {
    /// The group.
    pub group: ApiGroup,
    /// The resources of each version that answered, in the order of the group's versions.
    pub versions: Vec<Arc<ApiResourceList>>,
}

impl GroupsAndResources {
    /// The resources of a version.
    #[must_use]
    pub fn version(&self, group_version: &GroupVersion) -> Option<&Arc<ApiResourceList>> {
        self.resources.iter().find(|list| list.group_version == *group_version)
    }

    /// The same group by group: what a mapper from kinds to resources is made of
    /// (client-go `restmapper.GetAPIGroupResources`). A version that is not in its group, because it was stale when the groups
    /// were asked for, and has answered since, comes after the group's own.
    #[must_use]
    pub fn by_group(&self) -> Vec<ApiGroupResources> {
        let of_group = |group: &ApiGroup| ApiGroupResources {
            group: group.clone(),
            versions: group.group_versions().filter_map(|version| self.version(&version).cloned()).collect(),
        };
        let mut groups: Vec<ApiGroupResources> = self.groups.groups.iter().map(of_group).collect();
        for list in &self.resources {
            let version = &list.group_version;
            if !self.groups.group_versions().any(|listed| listed == *version)
                && let Some(group) = groups.iter_mut().find(|group| group.group.name == version.group)
            {
                group.versions.push(Arc::clone(list));
            }
        }
        groups
    }
}

/// Finds out what a server has.
///
/// Where it says so, an answer carries the versions that could not be asked beside what was found: see [`Discovered`].
///
/// # Errors
/// Each question fails where the server refuses it, cannot be reached, or answers with something else
/// ([`DiscoveryError::Api`]), and a cache's also where it knows that there is no such version
/// ([`DiscoveryError::NotCached`]).
pub trait Discovery: MaybeSend + MaybeSync + 'static {
    /// The groups, and their resources where the same answer has them. A stale version is not in its group, but with
    /// what failed.
    fn groups_and_maybe_resources(&self) -> Discovering<'_, Discovered<GroupsAndMaybeResources>>;

    /// The resources of one version. For the core group's an empty list, where the server has no core group.
    fn server_resources_for_group_version<'a>(&'a self, group_version: &'a GroupVersion)
    -> Discovering<'a, Arc<ApiResourceList>>;

    /// The version of the server.
    fn server_version(&self) -> Discovering<'_, ServerVersion>;

    /// Which schemas the server has, in the third version of `OpenAPI`.
    fn openapi_v3(&self) -> Discovering<'_, Arc<OpenApiV3>>;

    /// A schema of the index, as the server sent it.
    fn openapi_v3_schema<'a>(&'a self, path: &'a OpenApiV3Path, format: SchemaFormat) -> Discovering<'a, Bytes>;

    /// The one schema of everything, in the second version of `OpenAPI`, as the server sent it: some megabytes.
    fn openapi_v2(&self, format: SchemaFormat) -> Discovering<'_, Bytes>;

    /// How many versions are asked at once, where each has to be asked.
    fn at_once(&self) -> usize {
        AT_ONCE
    }

    /// This as a cache, where it is one.
    fn as_cached(&self) -> Option<&dyn CachedDiscovery> {
        None
    }

    /// The groups.
    fn server_groups(&self) -> Discovering<'_, Discovered<Arc<ApiGroupList>>> {
        Box::pin(async move { Ok(self.groups_and_maybe_resources().await?.map(|listing| listing.groups)) })
    }

    /// The groups, and the resources of all their versions.
    fn server_groups_and_resources(&self) -> Discovering<'_, Discovered<GroupsAndResources>> {
        Box::pin(whole::groups_and_resources(self))
    }

    /// Each resource in the version the server prefers, by version. Subresources are left out.
    fn server_preferred_resources(&self) -> Discovering<'_, Discovered<Vec<ApiResourceList>>> {
        Box::pin(async move { Ok(self.server_groups_and_resources().await?.map(|found| whole::preferred_lists(&found))) })
    }

    /// As [`server_preferred_resources`](Self::server_preferred_resources), those alone whose objects belong to
    /// namespaces.
    fn server_preferred_namespaced_resources(&self) -> Discovering<'_, Discovered<Vec<ApiResourceList>>> {
        Box::pin(async move {
            let all = self.server_preferred_resources().await?;
            Ok(all.map(|lists| filtered_by(|_, resource| resource.namespaced, &lists)))
        })
    }
}

/// A [`Discovery`] that remembers.
pub trait CachedDiscovery: Discovery {
    /// Whether what it answers is what the server has said to this cache since it was made or last invalidated. Who does
    /// not find something in a cache that is not fresh may invalidate it and look again, once; in a fresh one it is not
    /// there.
    fn fresh(&self) -> bool;

    /// Forgets everything: what is asked from now on is answered by what the server says from now on. A cache below this
    /// one forgets as well.
    fn invalidate(&self);
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_version_that_answered_late_is_the_last_of_its_group() {
        let list = |version: &str| Arc::new(ApiResourceList::new(version.parse().unwrap(), Vec::new()));
        let group = |name: &str, versions: &[&str]| ApiGroup {
            name: name.to_owned(),
            versions: versions.iter().map(|version| (*version).to_owned()).collect(),
            preferred_version: None,
        };
        let groups = vec![group("a.io", &["v1", "v1beta1"]), group("b.io", &[])];
        let resources = ["a.io/v1beta1", "a.io/v2", "b.io/v1", "c.io/v1", "a.io/v1"].map(list).to_vec();
        let found = GroupsAndResources { groups: Arc::new(ApiGroupList { groups }), resources };
        let versions = |group: &ApiGroupResources| -> Vec<String> {
            group.versions.iter().map(|list| list.group_version.to_string()).collect()
        };
        let by_group: Vec<_> = found.by_group().iter().map(versions).collect();
        assert_eq!(by_group, [vec!["a.io/v1", "a.io/v1beta1", "a.io/v2"], vec!["b.io/v1"]]);
    }
}
