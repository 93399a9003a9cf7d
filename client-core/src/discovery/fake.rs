//! Discovery without a server, for tests (client-go `discovery/fake`).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::{
    discovered::Discovered,
    error::DiscoveryError,
    group::{ApiGroup, ApiGroupList},
    interface::{Discovering, Discovery, GroupsAndMaybeResources},
    openapi::{OpenApiV3, OpenApiV3Path, SchemaFormat},
    resource::ApiResourceList,
    version::ServerVersion,
};
use crate::{
    meta::{GroupVersion, Status, StatusReason},
    rest::ApiError,
};

/// A question that a [`FakeDiscovery`] was asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiscoveryCall {
    /// For the groups.
    Groups,
    /// For the resources of a version.
    Resources(GroupVersion),
    /// For the version of the server.
    Version,
    /// For a schema, or which there are.
    Schema,
}

/// A [`Discovery`] whose answers are set by a test. Clones share them.
///
/// ```
/// use porthole_client_core::{
///     discovery::{ApiResource, ApiResourceList, Discovery, DiscoveryCall, DiscoveryError, FakeDiscovery},
///     platform::ready,
/// };
///
/// let widgets = ApiResource { name: "widgets".to_owned(), kind: "Widget".to_owned(), ..ApiResource::default() };
/// let fake = FakeDiscovery::new([ApiResourceList::new("a.io/v1".parse()?, vec![widgets])]);
/// assert_eq!(ready(fake.server_groups())?.complete()?.groups[0].name, "a.io");
///
/// fake.fail(DiscoveryCall::Resources("a.io/v1".parse()?), Some(DiscoveryError::Stale));
/// assert!(ready(fake.server_groups_and_resources())?.complete().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct FakeDiscovery(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    lists: Vec<ApiResourceList>,
    aggregated: bool,
    version: ServerVersion,
    openapi: OpenApiV3,
    failures: Vec<(DiscoveryCall, DiscoveryError)>,
    calls: Vec<DiscoveryCall>,
}

impl FakeDiscovery {
    /// A server with these resources, which tells of them version by version.
    #[must_use]
    pub fn new(lists: impl IntoIterator<Item = ApiResourceList>) -> Self {
        let fake = Self::default();
        fake.set_resources(lists);
        fake
    }

    /// Has these resources from now on. The groups are theirs, each with the first of its versions as the preferred one.
    pub fn set_resources(&self, lists: impl IntoIterator<Item = ApiResourceList>) {
        self.lock().lists = lists.into_iter().collect();
    }

    /// Tells of groups and resources in one answer from now on, or no more.
    pub fn set_aggregated(&self, aggregated: bool) {
        self.lock().aggregated = aggregated;
    }

    /// Is of this version from now on.
    pub fn set_version(&self, version: ServerVersion) {
        self.lock().version = version;
    }

    /// Has these schemas from now on; each is as JSON an empty object.
    pub fn set_openapi(&self, openapi: OpenApiV3) {
        self.lock().openapi = openapi;
    }

    /// Answers `call` with `error` from now on, or, with `None`, no more. In an aggregated answer the resources of a
    /// version that fails are left out.
    pub fn fail(&self, call: DiscoveryCall, error: Option<DiscoveryError>) {
        let mut inner = self.lock();
        inner.failures.retain(|(other, _)| *other != call);
        inner.failures.extend(error.map(|error| (call, error)));
    }

    /// What it was asked, in order.
    #[must_use]
    pub fn calls(&self) -> Vec<DiscoveryCall> {
        self.lock().calls.clone()
    }

    /// How often it was asked this.
    #[must_use]
    pub fn count(&self, call: &DiscoveryCall) -> usize {
        self.lock().calls.iter().filter(|other| *other == call).count()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn asked<T>(&self, call: DiscoveryCall, answer: impl FnOnce(&Inner) -> T) -> Result<T, DiscoveryError> {
        let mut inner = self.lock();
        inner.calls.push(call.clone());
        inner.failure(&call).map_or_else(|| Ok(answer(&inner)), Err)
    }
}

impl Inner {
    fn failure(&self, call: &DiscoveryCall) -> Option<DiscoveryError> {
        self.failures.iter().find(|(other, _)| other == call).map(|(_, error)| error.clone())
    }

    fn listing(&self) -> Discovered<GroupsAndMaybeResources> {
        let failure = |list: &ApiResourceList| self.failure(&DiscoveryCall::Resources(list.group_version.clone()));
        let (mut groups, mut lists, mut failed) = (ApiGroupList::default(), Vec::new(), Vec::new());
        for list in &self.lists {
            let GroupVersion { group: name, version } = &list.group_version;
            if !groups.groups.iter().any(|group| group.name == *name) {
                groups.groups.push(ApiGroup { name: name.clone(), ..ApiGroup::default() });
            }
            if self.aggregated
                && let Some(error) = failure(list)
            {
                failed.push((list.group_version.clone(), error));
                continue;
            }
            lists.push(Arc::new(list.clone()));
            for group in groups.groups.iter_mut().filter(|group| group.name == *name) {
                group.versions.push(version.clone());
                group.preferred_version.get_or_insert_with(|| version.clone());
            }
        }
        let resources = self.aggregated.then_some(lists);
        Discovered::new(GroupsAndMaybeResources { groups: Arc::new(groups), resources }, failed.into_iter().collect())
    }
}

fn not_found(group_version: &GroupVersion) -> DiscoveryError {
    let message = format!("there is no {group_version}");
    ApiError::Refused(Box::new(Status::failure(404, StatusReason::NOT_FOUND, message))).into()
}

impl Discovery for FakeDiscovery {
    fn groups_and_maybe_resources(&self) -> Discovering<'_, Discovered<GroupsAndMaybeResources>> {
        Box::pin(async move { self.asked(DiscoveryCall::Groups, Inner::listing) })
    }

    fn server_resources_for_group_version<'a>(
        &'a self,
        group_version: &'a GroupVersion,
    ) -> Discovering<'a, Arc<ApiResourceList>> {
        Box::pin(async move {
            let found = self.asked(DiscoveryCall::Resources(group_version.clone()), |inner| {
                inner.lists.iter().find(|list| list.group_version == *group_version).cloned()
            })?;
            found.map(Arc::new).ok_or_else(|| not_found(group_version))
        })
    }

    fn server_version(&self) -> Discovering<'_, ServerVersion> {
        Box::pin(async move { self.asked(DiscoveryCall::Version, |inner| inner.version.clone()) })
    }

    fn openapi_v3(&self) -> Discovering<'_, Arc<OpenApiV3>> {
        Box::pin(async move { self.asked(DiscoveryCall::Schema, |inner| Arc::new(inner.openapi.clone())) })
    }

    fn openapi_v3_schema<'a>(&'a self, _path: &'a OpenApiV3Path, format: SchemaFormat) -> Discovering<'a, Bytes> {
        self.openapi_v2(format)
    }

    fn openapi_v2(&self, _format: SchemaFormat) -> Discovering<'_, Bytes> {
        Box::pin(async move { self.asked(DiscoveryCall::Schema, |_| Bytes::from_static(b"{}")) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{discovery::ApiResource, platform::ready};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn fake() -> FakeDiscovery {
        let resource = ApiResource { name: "widgets".into(), kind: "Widget".into(), ..ApiResource::default() };
        FakeDiscovery::new(
            ["a.io/v1", "b.io/v2", "a.io/v1beta1"]
                .map(|version| ApiResourceList::new(version.parse().unwrap(), vec![resource.clone()])),
        )
    }

    /// An error that nothing but the test has.
    fn an_error() -> DiscoveryError {
        DiscoveryError::Unsupported { group_version: "an.error/v1".parse().unwrap() }
    }

    fn is_the_error(error: &DiscoveryError) -> bool {
        error.to_string() == an_error().to_string()
    }

    #[test]
    fn the_version_is_what_the_test_says() {
        let fake = fake();
        fake.set_version(ServerVersion { git_commit: "v1.0.0".into(), ..ServerVersion::default() });
        assert_eq!(ready(fake.server_version()).unwrap().git_commit, "v1.0.0");
    }

    #[test]
    fn the_question_for_the_version_fails_with_the_error_of_the_test() {
        let fake = fake();
        fake.fail(DiscoveryCall::Version, Some(an_error()));
        assert!(is_the_error(&ready(fake.server_version()).unwrap_err()));
        fake.fail(DiscoveryCall::Version, None);
        assert!(ready(fake.server_version()).is_ok());
        assert_eq!(fake.count(&DiscoveryCall::Version), 2);
    }

    #[test]
    fn the_question_for_a_versions_resources_fails_with_the_error_of_the_test() {
        let (fake, version) = (fake(), "a.io/v1".parse().unwrap());
        fake.fail(DiscoveryCall::Resources("a.io/v1".parse().unwrap()), Some(an_error()));
        assert!(is_the_error(&ready(fake.server_resources_for_group_version(&version)).unwrap_err()));
        let unknown = "dummy.group.io/v1beta2".parse().unwrap();
        let error = ready(fake.server_resources_for_group_version(&unknown)).unwrap_err();
        assert_eq!(error.to_string(), "there is no dummy.group.io/v1beta2");
    }

    #[test]
    fn the_question_for_the_groups_fails_with_the_error_of_the_test() {
        let fake = fake();
        fake.fail(DiscoveryCall::Groups, Some(an_error()));
        assert!(is_the_error(&ready(fake.server_groups()).unwrap_err()));
        assert!(is_the_error(&ready(fake.server_groups_and_resources()).unwrap_err()));
    }

    #[test]
    fn a_version_that_fails_is_named_whether_it_is_asked_alone_or_not() {
        let version: GroupVersion = "a.io/v1".parse().unwrap();
        for aggregated in [false, true] {
            let fake = fake();
            fake.set_aggregated(aggregated);
            fake.fail(DiscoveryCall::Resources(version.clone()), Some(an_error()));
            let (found, failed) = ready(fake.server_groups_and_resources()).unwrap().partial();
            assert!(is_the_error(failed.get(&version).unwrap()));
            let lists: Vec<_> = found.resources.iter().map(|list| list.group_version.to_string()).collect();
            assert_eq!(lists, if aggregated { ["b.io/v2", "a.io/v1beta1"] } else { ["a.io/v1beta1", "b.io/v2"] });
            let preferred = found.groups.group("a.io").unwrap().preferred_version.clone();
            assert_eq!(preferred.as_deref(), Some(if aggregated { "v1beta1" } else { "v1" }));
        }
    }
}
