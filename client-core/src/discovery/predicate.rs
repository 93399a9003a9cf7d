//! Choosing among resources (client-go `discovery/helper.go`).

use std::{borrow::Borrow, collections::BTreeSet};

use super::resource::{ApiResource, ApiResourceList};
use crate::meta::{GroupVersion, GroupVersionResource};

/// The resources that `predicate` takes, by version; a list that would be empty is left out
/// (client-go `FilteredBy`).
///
/// ```
/// use porthole_client_core::discovery::{ApiResource, ApiResourceList, filtered_by, supports_all_verbs};
///
/// let resource = |name: &str, verbs: &[&str]| ApiResource {
///     name: name.to_owned(),
///     verbs: verbs.iter().map(|verb| (*verb).to_owned()).collect(),
///     ..ApiResource::default()
/// };
/// let resources = vec![resource("pods", &["get", "list"]), resource("bindings", &["create"])];
/// let lists = [ApiResourceList::new("v1".parse()?, resources)];
/// let listed = filtered_by(supports_all_verbs(["list"]), &lists);
/// assert_eq!(listed[0].resources.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn filtered_by<L: Borrow<ApiResourceList>>(
    predicate: impl Fn(&GroupVersion, &ApiResource) -> bool,
    lists: &[L],
) -> Vec<ApiResourceList> {
    let lists = lists.iter().map(|list| {
        let list = list.borrow();
        let taken = list.resources.iter().filter(|resource| predicate(&list.group_version, resource));
        ApiResourceList::new(list.group_version.clone(), taken.cloned().collect())
    });
    lists.filter(|list| !list.resources.is_empty()).collect()
}

/// A predicate that takes resources with all of these verbs (client-go `SupportsAllVerbs`).
pub fn supports_all_verbs(verbs: impl IntoIterator<Item = impl Into<String>>) -> impl Fn(&GroupVersion, &ApiResource) -> bool {
    let verbs: Vec<String> = verbs.into_iter().map(Into::into).collect();
    move |_, resource| verbs.iter().all(|verb| resource.has(verb))
}

/// Which resources these are (client-go `GroupVersionResources`).
#[must_use]
pub fn group_version_resources<L: Borrow<ApiResourceList>>(lists: &[L]) -> BTreeSet<GroupVersionResource> {
    let lists = lists.iter().map(Borrow::borrow);
    lists
        .flat_map(|list: &ApiResourceList| {
            list.resources.iter().map(|resource| list.group_version.with_resource(resource.name.clone()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn list(version: &str, resources: &[(&str, &[&str])]) -> ApiResourceList {
        let resources = resources.iter().map(|(kind, verbs)| ApiResource {
            name: kind.to_ascii_lowercase(),
            kind: (*kind).to_owned(),
            verbs: verbs.iter().map(|verb| (*verb).to_owned()).collect(),
            ..ApiResource::default()
        });
        ApiResourceList::new(version.parse().unwrap(), resources.collect())
    }

    fn names(lists: &[ApiResourceList]) -> Vec<String> {
        assert!(lists.iter().all(|list| !list.resources.is_empty()), "an empty list is left");
        let resources = |list: &ApiResourceList| -> Vec<String> {
            list.resources.iter().map(|resource| format!("{}.{}", list.group_version, resource.name)).collect()
        };
        lists.iter().flat_map(resources).collect()
    }

    #[test]
    fn resources_are_chosen_by_version_and_by_what_they_are_and_empty_lists_go() {
        let foo =
            [list("foo/v1", &[("Bar", &[]), ("Test", &[])]), list("foo/v2", &[("Bar", &[]), ("Test", &[])]), list("foo/v3", &[])];
        assert_eq!(names(&filtered_by(|_, _| true, &foo)), ["foo/v1.bar", "foo/v1.test", "foo/v2.bar", "foo/v2.test"]);
        assert_eq!(names(&filtered_by(|version, _| version.version == "v2", &foo)), ["foo/v2.bar", "foo/v2.test"]);
        assert_eq!(names(&filtered_by(|_, resource| resource.kind == "Bar", &foo)), ["foo/v1.bar", "foo/v2.bar"]);
        assert_eq!(filtered_by(|_, _| false, &foo), []);
        assert_eq!(filtered_by::<ApiResourceList>(|_, _| true, &[]), []);
    }

    #[test]
    fn all_verbs_are_needed_and_none_is_always_there() {
        let lists = [list("v1", &[("Pods", &["get", "list", "watch"]), ("Reviews", &["create"]), ("Nothing", &[])])];
        assert_eq!(names(&filtered_by(supports_all_verbs(["watch", "list"]), &lists)), ["v1.pods"]);
        assert_eq!(names(&filtered_by(supports_all_verbs(["list", "create"]), &lists)), [""; 0]);
        assert_eq!(names(&filtered_by(supports_all_verbs([""; 0]), &lists)).len(), 3);
        let identities: Vec<_> = group_version_resources(&lists).into_iter().map(|found| found.resource).collect();
        assert_eq!(identities, ["nothing", "pods", "reviews"]);
    }
}
