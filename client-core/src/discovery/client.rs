//! The client that asks a server what it has (client-go `discovery_client.go`).

use std::{num::NonZeroUsize, sync::Arc};

use bytes::Bytes;
use futures::future::try_join;

use super::{
    cached::DocumentCache,
    discovered::Discovered,
    error::{DiscoveryError, GroupFailures},
    format::{ACCEPT, ACCEPT_JSON, ACCEPT_NO_PEERS},
    group::ApiGroupList,
    interface::{AT_ONCE, Discovering, Discovery, GroupsAndMaybeResources, GroupsAndResources},
    legacy::resource_list,
    listing::{self, Listing},
    openapi::{INDEX_PATH, OpenApiV3, OpenApiV3Path, SchemaFormat, V2_PATH, read_index, read_schema},
    resource::ApiResourceList,
    source::{Source, is_not_found, unreadable},
    version::ServerVersion,
    whole,
};
use crate::{meta::GroupVersion, rest::RestClient};

/// How often all is asked, where a part of it fails: a group can go between the question for the groups and the one for
/// its resources.
const TRIES: usize = 2;

/// Asks a server, each time anew. A [`MemoryCache`](super::MemoryCache) over it remembers the answers.
///
/// Two requests find everything where the server aggregates, as Kubernetes does since 1.26; older ones are asked version
/// by version, some at once.
///
#[cfg_attr(feature = "test-util", doc = "```")]
#[cfg_attr(not(feature = "test-util"), doc = "```ignore")]
/// use std::sync::Arc;
/// use porthole_client_core::{
///     discovery::{Discovery, DiscoveryClient},
///     platform::{FakePlatform, ready},
///     rest::RestClient,
///     transport::{ScriptedAnswer, ScriptedTransport},
/// };
///
/// let server = ScriptedTransport::default();
/// server.always("/api", ScriptedAnswer::text(r#"{"kind":"APIGroupDiscoveryList","items":[{"versions":[{"version":"v1",
///     "resources":[{"resource":"pods","responseKind":{"version":"v1","kind":"Pod"},"scope":"Namespaced"}]}]}]}"#));
/// server.always("/apis", ScriptedAnswer::text(r#"{"kind":"APIGroupDiscoveryList","items":[]}"#));
///
/// let client = DiscoveryClient::new(RestClient::new(Arc::new(server), Arc::new(FakePlatform::default())));
/// let found = ready(client.server_groups_and_resources())?.complete()?;
/// assert_eq!(found.resources[0].resources[0].kind, "Pod");
/// # Ok::<(), porthole_client_core::discovery::DiscoveryError>(())
/// ```
#[derive(Clone)]
pub struct DiscoveryClient {
    source: Source,
    accept: &'static str,
    at_once: Option<NonZeroUsize>,
}

opaque_debug!(DiscoveryClient);

impl DiscoveryClient {
    /// A client over `client`.
    #[must_use]
    pub fn new(client: RestClient) -> Self {
        Self { source: Source { client, documents: None }, accept: ACCEPT, at_once: None }
    }

    /// The same client, which takes no aggregated answer (client-go `UseLegacyDiscovery`). That is the only way to the
    /// hashes of storage versions.
    #[must_use]
    pub fn with_legacy_discovery(mut self) -> Self {
        self.accept = ACCEPT_JSON;
        self
    }

    /// The same client, which asks what this one server of a control plane has, without its peers
    /// (client-go `NoPeerDiscovery`).
    #[must_use]
    pub fn with_no_peer_discovery(mut self) -> Self {
        self.accept = ACCEPT_NO_PEERS;
        self
    }

    /// The same client, which keeps documents and asks for them with their entity tags. They must be of this server.
    #[must_use]
    pub fn with_documents(mut self, documents: DocumentCache) -> Self {
        self.source.documents = Some(documents);
        self
    }

    /// The same client, asking for so many versions at once where each has to be asked.
    #[must_use]
    pub fn with_at_once(mut self, at_once: NonZeroUsize) -> Self {
        self.at_once = Some(at_once);
        self
    }

    async fn listing(&self, path: &str) -> Result<Listing, DiscoveryError> {
        Ok(self.source.document(path, self.accept, |answer| listing::read(path, answer)).await?)
    }

    async fn core_listing(&self) -> Result<Listing, DiscoveryError> {
        match self.listing("/api").await {
            // A server of an extension has no core group.
            Err(DiscoveryError::Api(error)) if is_not_found(&error) => Ok(Listing::nothing()),
            answer => answer,
        }
    }

    async fn groups(&self) -> Result<Discovered<GroupsAndMaybeResources>, DiscoveryError> {
        let (core, groups) = try_join(self.core_listing(), self.listing("/apis")).await?;
        let listing = core.with(groups);
        let failed: GroupFailures = listing.stale.into_iter().map(|version| (version, DiscoveryError::Stale)).collect();
        let groups = Arc::new(ApiGroupList { groups: listing.groups });
        let resources = listing.resources.map(|lists| lists.into_iter().map(Arc::new).collect());
        Ok(Discovered::new(GroupsAndMaybeResources { groups, resources }, failed))
    }

    async fn groups_and_resources(&self) -> Result<Discovered<GroupsAndResources>, DiscoveryError> {
        let mut answer = whole::groups_and_resources(self).await?;
        for _ in 1..TRIES {
            // The server has just said which versions it could not reach, and would say it again.
            if answer.failed().iter().all(|(_, error)| matches!(error, DiscoveryError::Stale)) {
                break;
            }
            answer = whole::groups_and_resources(self).await?;
        }
        Ok(answer)
    }

    async fn schema(&self, path: &str, format: SchemaFormat, accept: &str) -> Result<Bytes, DiscoveryError> {
        Ok(self.source.document(path, accept, |answer| read_schema(path, format, answer)).await?)
    }
}

impl Discovery for DiscoveryClient {
    fn groups_and_maybe_resources(&self) -> Discovering<'_, Discovered<GroupsAndMaybeResources>> {
        Box::pin(self.groups())
    }

    fn server_resources_for_group_version<'a>(
        &'a self,
        group_version: &'a GroupVersion,
    ) -> Discovering<'a, Arc<ApiResourceList>> {
        Box::pin(async move { Ok(Arc::new(resource_list(&self.source.client, group_version).await?)) })
    }

    fn server_groups_and_resources(&self) -> Discovering<'_, Discovered<GroupsAndResources>> {
        Box::pin(self.groups_and_resources())
    }

    fn server_version(&self) -> Discovering<'_, ServerVersion> {
        const PATH: &str = "/version";
        Box::pin(async move {
            let read =
                |answer: &super::source::Answer| serde_json::from_slice(&answer.body).map_err(|error| unreadable(PATH, &error));
            Ok(self.source.document(PATH, ACCEPT_JSON, read).await?)
        })
    }

    fn openapi_v3(&self) -> Discovering<'_, Arc<OpenApiV3>> {
        Box::pin(async move { Ok(Arc::new(self.source.document(INDEX_PATH, ACCEPT_JSON, read_index).await?)) })
    }

    fn openapi_v3_schema<'a>(&'a self, path: &'a OpenApiV3Path, format: SchemaFormat) -> Discovering<'a, Bytes> {
        Box::pin(self.schema(path.as_str(), format, format.accept_v3()))
    }

    fn openapi_v2(&self, format: SchemaFormat) -> Discovering<'_, Bytes> {
        Box::pin(self.schema(V2_PATH, format, format.accept_v2()))
    }

    fn at_once(&self) -> usize {
        self.at_once.map_or(AT_ONCE, NonZeroUsize::get)
    }
}

#[cfg(test)]
mod tests;
