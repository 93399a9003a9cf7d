//! Which cluster answers, and what it has.

use porthole_client_core::{
    discovery::{Catalog, fetch, retry_failed},
    meta::ClusterId,
    rest::{ApiError, RestClient},
};
use serde::Deserialize;

use crate::bridge::Problem;

const IDENTITY: &str = "/api/v1/namespaces/kube-system";
const ACCEPT_METADATA: &str = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";

/// A cluster as it answers now.
pub(super) struct Found {
    pub(super) id: Option<ClusterId>,
    pub(super) version: Option<String>,
    pub(super) catalog: Catalog,
}

/// The identity of the cluster that answers: the uid of its namespace `kube-system`, or `None` where that may
/// not be read.
pub(super) async fn identity(client: &RestClient) -> Result<Option<ClusterId>, ApiError> {
    #[derive(Deserialize)]
    struct Object {
        metadata: Metadata,
    }
    #[derive(Deserialize)]
    struct Metadata {
        uid: ClusterId,
    }
    match client.read(IDENTITY, ACCEPT_METADATA).await {
        Ok(body) => {
            let object: Object = serde_json::from_slice(&body)
                .map_err(|error| ApiError::Unreadable { path: IDENTITY.to_owned(), message: error.to_string() })?;
            Ok(Some(object.metadata.uid))
        }
        Err(ApiError::Refused(status)) if matches!(status.code, 403 | 404) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Asks for everything. `known` is a catalog and whose it is; it spares what has not changed.
pub(super) async fn find(client: &RestClient, known: Option<(Option<ClusterId>, Catalog)>) -> Result<Found, ApiError> {
    let id = identity(client).await?;
    let known = known.filter(|(owner, _)| *owner == id).map(|(_, catalog)| catalog);
    let mut catalog = fetch(client, known.as_ref()).await?;
    // The aggregated document says for a while that a group is stale which answers again.
    if catalog.groups.etag.is_some() && catalog.failed().next().is_some() {
        catalog = retry_failed(client, &catalog).await;
    }
    Ok(Found { id, version: version(client).await, catalog })
}

/// The server's version. Nothing depends on it, so a server that keeps it to itself is none the worse. Reading all that the
/// library's `ServerVersion` holds would make the page three kilobytes heavier.
async fn version(client: &RestClient) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Version {
        git_version: String,
    }
    let body = client.read("/version", "application/json").await.ok()?;
    serde_json::from_slice::<Version>(&body).ok().map(|version| version.git_version)
}

/// An error, for a person.
pub(super) fn problem(error: &ApiError) -> Problem {
    Problem { code: error.status().map_or(0, |status| status.code), message: error.to_string() }
}
