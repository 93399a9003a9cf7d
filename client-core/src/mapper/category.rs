//! Categories of resources (client-go `restmapper/category_expansion.go`).

use std::{borrow::Borrow, collections::BTreeMap};

use super::interface::extend_once;
use crate::{discovery::ApiResourceList, meta::GroupResource};

/// Which resources a category stands for, such as `all`.
///
/// ```
/// use porthole_client_core::{
///     discovery::{ApiResource, ApiResourceList},
///     mapper::CategoryExpander,
/// };
///
/// let resource = |name: &str| {
///     ApiResource { name: name.to_owned(), categories: vec!["all".to_owned()], ..ApiResource::default() }
/// };
/// let lists = ["batch/v1", "batch/v1beta1"].map(|version| {
///     ApiResourceList::new(version.parse().unwrap(), vec![resource("jobs"), resource("cronjobs")])
/// });
/// let categories = CategoryExpander::discovered(&lists);
/// let all: Vec<_> = categories.expand("all").unwrap().iter().map(ToString::to_string).collect();
/// assert_eq!(all, ["jobs.batch", "cronjobs.batch"]);
/// assert!(categories.expand("everything").is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CategoryExpander(BTreeMap<String, Vec<GroupResource>>);

impl CategoryExpander {
    /// The categories that the server puts its resources in (client-go `NewDiscoveryCategoryExpander`), each resource once
    /// however many versions it has, in the server's order.
    #[must_use]
    pub fn discovered<L: Borrow<ApiResourceList>>(lists: &[L]) -> Self {
        let mut categories = Self::default();
        for list in lists.iter().map(Borrow::borrow) {
            for resource in list.resources.iter().filter(|resource| !resource.is_subresource()) {
                let identity = GroupResource { group: list.group_version.group.clone(), resource: resource.name.clone() };
                for category in &resource.categories {
                    categories.add(category, [identity.clone()]);
                }
            }
        }
        categories
    }

    /// The resources of a category; `None` where there is no such category.
    #[must_use]
    pub fn expand(&self, category: &str) -> Option<&[GroupResource]> {
        self.0.get(category).map(Vec::as_slice)
    }

    /// The categories of both, each with the resources of both, each of them once (client-go `UnionCategoryExpander`).
    #[must_use]
    pub fn union(mut self, other: Self) -> Self {
        for (category, resources) in other.0 {
            self.add(&category, resources);
        }
        self
    }

    fn add(&mut self, category: &str, resources: impl IntoIterator<Item = GroupResource>) {
        extend_once(self.0.entry(category.to_owned()).or_default(), resources);
    }
}

/// These categories and no others (client-go `SimpleCategoryExpander`).
impl<K: AsRef<str>, R: IntoIterator<Item = GroupResource>> FromIterator<(K, R)> for CategoryExpander {
    fn from_iter<I: IntoIterator<Item = (K, R)>>(categories: I) -> Self {
        let mut all = Self::default();
        for (category, resources) in categories {
            all.add(category.as_ref(), resources);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discovery::ApiResource;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn known(category: &str, resources: &[&str]) -> CategoryExpander {
        [(category, resources.iter().map(|resource| GroupResource::from(*resource)))].into_iter().collect()
    }

    fn names(categories: &CategoryExpander, category: &str) -> Option<Vec<String>> {
        categories.expand(category).map(|resources| resources.iter().map(ToString::to_string).collect())
    }

    fn list(version: &str, resources: &[(&str, &[&str])]) -> ApiResourceList {
        let resources = resources.iter().map(|(name, categories)| ApiResource {
            name: (*name).to_owned(),
            categories: categories.iter().map(|category| (*category).to_owned()).collect(),
            short_names: vec!["jz".to_owned()],
            ..ApiResource::default()
        });
        ApiResourceList::new(version.parse().unwrap(), resources.collect())
    }

    #[test]
    fn a_category_that_is_known_stands_for_its_resources_and_nothing_else_does() {
        let categories = known("all", &["one", "two", "three.alpha", "four.bravo"]);
        assert_eq!(names(&categories, "all").unwrap(), ["one", "two", "three.alpha", "four.bravo"]);
        assert_eq!(names(&categories, "service"), None);
        assert_eq!(names(&categories, "one"), None);
    }

    #[test]
    fn categories_are_what_the_server_puts_its_resources_in() {
        let jobs = CategoryExpander::discovered(&[list("batch/v1", &[("jobs", &["all"])])]);
        assert_eq!(names(&jobs, "all").unwrap(), ["jobs.batch"]);
        assert_eq!(names(&jobs, "targaryens"), None);
        let none = CategoryExpander::discovered(&[list("batch/v1", &[("jobs", &[])])]);
        assert_eq!(names(&none, "all"), None);
        assert_eq!(CategoryExpander::discovered::<ApiResourceList>(&[]), CategoryExpander::default());
    }

    #[test]
    fn a_resource_is_in_a_category_once_however_many_versions_it_has() {
        let lists = [
            list("v1", &[("pods", &["all"]), ("pods/log", &["all"])]),
            list("batch/v1", &[("jobs", &["all", "work"])]),
            list("batch/v1beta1", &[("jobs", &["all"]), ("cronjobs", &["all"])]),
        ];
        let categories = CategoryExpander::discovered(&lists);
        assert_eq!(names(&categories, "all").unwrap(), ["pods", "jobs.batch", "cronjobs.batch"]);
        assert_eq!(names(&categories, "work").unwrap(), ["jobs.batch"]);
    }

    #[test]
    fn the_union_has_the_categories_of_both_and_each_resource_once() {
        let both = known("all", &["pods", "jobs.batch"]).union(known("all", &["jobs.batch", "services"]));
        assert_eq!(names(&both, "all").unwrap(), ["pods", "jobs.batch", "services"]);
        let apart = both.union(known("work", &["jobs.batch"]));
        assert_eq!(names(&apart, "work").unwrap(), ["jobs.batch"]);
        assert_eq!(names(&apart, "all").unwrap().len(), 3);
    }
}
