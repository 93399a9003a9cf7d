//! Asking a server what it has.

use super::{
    catalog::{Catalog, FailedVersion, Part},
    error::STALE,
    format::ACCEPT,
    group::ApiGroup,
    interface::AT_ONCE,
    legacy::{ask_each, resource_list},
    listing::{self, Listing},
    source::{ask, is_not_found, unchanged},
};
use crate::rest::{ApiError, RestClient};

/// The catalog of a server, in two requests where it aggregates. `known` is what an earlier call gave: what has not changed since
/// is not sent again.
///
/// # Errors
/// Where `/apis` cannot be had, or `/api` for another reason than that there is no core group (client-go
/// tolerates a 404 there). Groups that fail on their own are named in the catalog instead.
pub async fn fetch(client: &RestClient, known: Option<&Catalog>) -> Result<Catalog, ApiError> {
    let core = match part(client, "/api", known.map(|known| &known.core)).await {
        Err(error) if is_not_found(&error) => Part::default(),
        answer => answer?,
    };
    let groups = part(client, "/apis", known.map(|known| &known.groups)).await?;
    Ok(Catalog { core, groups })
}

async fn part(client: &RestClient, path: &str, known: Option<&Part>) -> Result<Part, ApiError> {
    // One without the versions of its resources is asked for whole.
    let etag = known.filter(|known| known.has_versions()).and_then(|known| known.etag.as_deref());
    let (answer, etag) = match (ask(client, path, ACCEPT, etag).await?, known) {
        (None, Some(known)) => return Ok(known.clone()),
        (None, None) => return Err(unchanged(path)),
        (Some(answer), _) => answer,
    };
    let Listing { groups, resources, stale } = listing::read(path, &answer)?;
    let failed = |group_version, reason| FailedVersion { group_version, reason };
    if let Some(lists) = resources {
        let failed = stale.into_iter().map(|version| failed(version, STALE.to_owned())).collect();
        return Ok(Part::new(etag, &groups, &lists, failed));
    }
    let versions = groups.iter().flat_map(ApiGroup::group_versions);
    let (mut lists, mut failures) = (Vec::new(), Vec::new());
    for (version, answer) in ask_each(versions, AT_ONCE, |version| async move { resource_list(client, &version).await }).await {
        match answer {
            Ok(list) => lists.push(list),
            Err(error) => failures.push(failed(version, error.to_string())),
        }
    }
    // The resources of the versions have no common tag, so neither has the part.
    Ok(Part::new(None, &groups, &lists, failures))
}

#[cfg(test)]
mod tests;
