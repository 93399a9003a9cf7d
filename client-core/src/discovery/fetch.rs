//! Asking a server what it has.

use serde::Deserialize;

use super::{aggregated, catalog::Catalog, catalog::Part, legacy};
use crate::rest::{ApiError, RestClient};

/// The catalog of a server. `known` is what an earlier call gave: what has not changed since is not sent again.
///
/// # Errors
/// Where `/apis` cannot be had, or `/api` for another reason than that there is no core group (client-go
/// tolerates a 404 there). Groups that fail on their own are named in the catalog instead.
pub async fn fetch(client: &RestClient, known: Option<&Catalog>) -> Result<Catalog, ApiError> {
    let core = match part(client, "/api", known.map(|known| &known.core)).await {
        Err(ApiError::Refused(status)) if status.code == 404 => Part::default(),
        answer => answer?,
    };
    let groups = part(client, "/apis", known.map(|known| &known.groups)).await?;
    Ok(Catalog { core, groups })
}

async fn part(client: &RestClient, path: &str, known: Option<&Part>) -> Result<Part, ApiError> {
    #[derive(Deserialize)]
    struct Kind {
        #[serde(default)]
        kind: String,
    }
    let unreadable = |error: serde_json::Error| ApiError::Unreadable { path: path.to_owned(), message: error.to_string() };
    let etag = known.and_then(|known| known.etag.as_deref());
    let (body, etag) = match (client.read_if_changed(path, aggregated::ACCEPT, etag).await?, known) {
        (None, Some(known)) => return Ok(known.clone()),
        (None, None) => {
            return Err(ApiError::Unreadable { path: path.to_owned(), message: "unchanged, but nothing is known".to_owned() });
        }
        (Some(answer), _) => answer,
    };
    let kind: Kind = serde_json::from_slice(&body).map_err(unreadable)?;
    match kind.kind.as_str() {
        "APIGroupDiscoveryList" => Ok(Part { etag, ..aggregated::read(&body).map_err(unreadable)? }),
        // The resources of the groups have no common tag, so neither has the part.
        "APIVersions" => Ok(legacy::ask(client, legacy::core_versions(&body).map_err(unreadable)?).await),
        "APIGroupList" => Ok(legacy::ask(client, legacy::group_versions(&body).map_err(unreadable)?).await),
        other => Err(ApiError::Unreadable {
            path: path.to_owned(),
            message: format!("its kind is {other:?}, not a list of API groups"),
        }),
    }
}
