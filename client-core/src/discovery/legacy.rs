//! Discovery version by version, for servers that do not aggregate and for versions that were not reached
//! (client-go `discovery_client.go`).

use std::future::Future;

use futures::{StreamExt as _, stream};

use super::{
    document::Document,
    format::ACCEPT_JSON,
    resource::{ApiResource, ApiResourceList},
    source::{ask, is_not_found, unchanged, unreadable},
};
use crate::{
    meta::GroupVersion,
    rest::{ApiError, RestClient, encode_segment},
};

/// The resources of one version, asked for under its own path.
///
/// A server without the core group has an empty list of it: `/api/v1` may be missing where `/apis` is not.
pub(super) async fn resource_list(client: &RestClient, group_version: &GroupVersion) -> Result<ApiResourceList, ApiError> {
    let path = path(group_version)?;
    let (answer, _) = match ask(client, &path, ACCEPT_JSON, None).await {
        Err(error) if path == "/api/v1" && is_not_found(&error) => {
            return Ok(ApiResourceList::new(group_version.clone(), Vec::new()));
        }
        answer => answer?.ok_or_else(|| unchanged(&path))?,
    };
    let document: Document = serde_json::from_slice(&answer.body).map_err(|error| unreadable(&path, &error))?;
    if !matches!(document.kind.as_str(), "" | ApiResourceList::KIND) {
        let message = format!("its kind is {:?}, not a list of API resources", document.kind);
        return Err(ApiError::Unreadable { path, message });
    }
    let resources = document.resources.into_iter().map(ApiResource::from).collect();
    Ok(ApiResourceList::new(group_version.clone(), resources))
}

/// Where the server has this version. What a server calls its groups does not lead anywhere else.
fn path(group_version: &GroupVersion) -> Result<String, ApiError> {
    let version = encode_segment(&group_version.version)?;
    if group_version.group.is_empty() {
        Ok(format!("/api/{version}"))
    } else {
        Ok(format!("/apis/{}/{version}", encode_segment(&group_version.group)?))
    }
}

/// Asks `question` for each version once, so many at once at most, and gives the answers in the versions' order.
pub(super) async fn ask_each<A, F: Future<Output = A>>(
    versions: impl IntoIterator<Item = GroupVersion>,
    at_once: usize,
    question: impl Fn(GroupVersion) -> F,
) -> Vec<(GroupVersion, A)> {
    let mut once = Vec::new();
    for version in versions {
        if !once.contains(&version) {
            once.push(version);
        }
    }
    stream::iter(once)
        .map(|version| {
            let answer = question(version.clone());
            async move { (version, answer.await) }
        })
        .buffered(at_once.max(1))
        .collect()
        .await
}
