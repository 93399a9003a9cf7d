//! Which version of a resource to use (client-go `ServerPreferredResources`).

use std::borrow::Borrow;

use super::{
    group::ApiGroup,
    resource::{ApiResource, ApiResourceList},
};
use crate::meta::GroupVersion;

/// Each resource in the version that its group prefers, or else in the first that has it; by version, in the server's
/// order. Subresources belong to their resources and are left out.
pub(super) fn preferred<'a, L: Borrow<ApiResourceList>>(
    groups: &'a [ApiGroup],
    lists: &'a [L],
) -> Vec<(&'a GroupVersion, Vec<&'a ApiResource>)> {
    let mut chosen = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        // Most groups have one version, and nothing to choose from.
        let mut of_group: Vec<&ApiResourceList> = Vec::new();
        for former in groups.iter().take(index).filter(|former| former.name == group.name) {
            add_lists(&mut of_group, former, lists);
        }
        let earlier = of_group.len();
        add_lists(&mut of_group, group, lists);
        let is_preferred = |list: &ApiResourceList| group.preferred_version.as_ref() == Some(&list.group_version.version);
        for (index, list) in of_group.iter().enumerate().skip(earlier) {
            let is_taken = |name: &str| {
                let mut others = of_group.iter().enumerate().filter(|(other, list)| *other < index || is_preferred(list));
                !is_preferred(list) && others.any(|(_, other)| other.resource(name).is_some())
            };
            let wanted = |resource: &&ApiResource| !resource.is_subresource() && !is_taken(&resource.name);
            chosen.push((&list.group_version, list.resources.iter().filter(wanted).collect()));
        }
    }
    chosen
}

/// Adds the lists of a group's versions, in their order; a version without an answer has none.
fn add_lists<'a, L: Borrow<ApiResourceList>>(of_group: &mut Vec<&'a ApiResourceList>, group: &ApiGroup, lists: &'a [L]) {
    for version in &group.versions {
        let is_of_version =
            |list: &&ApiResourceList| list.group_version.version == *version && list.group_version.group == group.name;
        of_group.extend(lists.iter().map(Borrow::borrow).find(is_of_version));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn group(name: &str, versions: &[&str], preferred: Option<&str>) -> ApiGroup {
        ApiGroup {
            name: name.into(),
            versions: versions.iter().map(|version| (*version).to_owned()).collect(),
            preferred_version: preferred.map(str::to_owned),
        }
    }

    fn list(group_version: &str, names: &[&str]) -> ApiResourceList {
        let resource = |name: &&str| ApiResource { name: (*name).to_owned(), ..ApiResource::default() };
        ApiResourceList::new(group_version.parse().unwrap(), names.iter().map(resource).collect())
    }

    fn chosen(groups: &[ApiGroup], lists: &[ApiResourceList]) -> Vec<String> {
        let versions = preferred(groups, lists).into_iter();
        versions.flat_map(|(version, found)| found.into_iter().map(move |found| format!("{version}.{}", found.name))).collect()
    }

    #[test]
    fn a_resource_is_used_in_the_preferred_version_or_in_the_first_that_has_it() {
        let lists = [
            list("batch/v1", &["jobs", "jobs/status"]),
            list("batch/v2alpha1", &["jobs", "cronjobs"]),
            list("batch/v3alpha1", &["jobs", "cronjobs", "peas"]),
        ];
        let versions = ["v1", "v2alpha1", "v3alpha1"];
        for (preferred, expected) in [
            (Some("v1"), ["batch/v1.jobs", "batch/v2alpha1.cronjobs", "batch/v3alpha1.peas"]),
            (Some("v2alpha1"), ["batch/v2alpha1.jobs", "batch/v2alpha1.cronjobs", "batch/v3alpha1.peas"]),
            (Some("v3alpha1"), ["batch/v3alpha1.jobs", "batch/v3alpha1.cronjobs", "batch/v3alpha1.peas"]),
            (None, ["batch/v1.jobs", "batch/v2alpha1.cronjobs", "batch/v3alpha1.peas"]),
            (Some("v9"), ["batch/v1.jobs", "batch/v2alpha1.cronjobs", "batch/v3alpha1.peas"]),
        ] {
            assert_eq!(chosen(&[group("batch", &versions, preferred)], &lists), expected, "{preferred:?}");
        }
    }

    #[test]
    fn resources_of_the_same_name_in_two_groups_are_two_and_the_order_is_the_servers() {
        let groups = [group("", &["v1"], Some("v1")), group("z.io", &["v1"], Some("v1")), group("at.io", &["v2"], None)];
        let lists = [list("at.io/v2", &["services"]), list("v1", &["services"]), list("z.io/v1", &["triggers"])];
        assert_eq!(chosen(&groups, &lists), ["v1.services", "z.io/v1.triggers", "at.io/v2.services"]);
    }

    #[test]
    fn a_version_without_an_answer_leaves_the_others_to_be_used() {
        let groups = [group("a.io", &["v2", "v1"], Some("v2")), group("dead.io", &["v1"], Some("v1"))];
        assert_eq!(chosen(&groups, &[list("a.io/v1", &["indexes"])]), ["a.io/v1.indexes"]);
    }

    #[test]
    fn a_group_that_is_listed_twice_is_one_group() {
        let groups = [group("batch", &["v1"], None), group("batch", &["v1beta1"], None)];
        let lists = [list("batch/v1", &["jobs"]), list("batch/v1beta1", &["jobs", "cronjobs"])];
        assert_eq!(chosen(&groups, &lists), ["batch/v1.jobs", "batch/v1beta1.cronjobs"]);
    }
}
