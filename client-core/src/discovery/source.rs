//! The one place where discovery asks a server: what it needs of `rest` is here and nowhere else.

use bytes::Bytes;

use super::{cached::DocumentCache, error::DiscoveryError};
use crate::{
    rest::{ApiError, RestClient},
    transport::TransportError,
};

/// A document as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) body: Bytes,
    /// Where it is not known, the document says itself what it is.
    pub(super) content_type: Option<String>,
}

/// The answer to a GET of `path` with its entity tag, or `None` where the server still has `etag`.
pub(super) async fn ask(
    client: &RestClient,
    path: &str,
    accept: &str,
    etag: Option<&str>,
) -> Result<Option<(Answer, Option<String>)>, ApiError> {
    let answer = client.read_if_changed(path, accept, etag).await?;
    Ok(answer.map(|answer| {
        let content_type = answer.content_type().map(str::to_owned);
        (Answer { body: answer.bytes().clone(), content_type }, answer.etag().map(str::to_owned))
    }))
}

/// A server, and what was kept of its answers.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) client: RestClient,
    pub(super) documents: Option<DocumentCache>,
}

impl Source {
    /// What `read` makes of the document at `path`.
    ///
    /// A document that was kept is asked for again only where it can have changed, and sent again only where it has.
    /// One that cannot be read is not kept, and one that was kept and cannot be read counts as none: a page that a proxy
    /// put in the server's place is not believed for long.
    pub(super) async fn document<T>(
        &self,
        path: &str,
        accept: &str,
        read: impl Fn(&Answer) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let Some(documents) = &self.documents else {
            let (answer, _) = ask(&self.client, path, accept, None).await?.ok_or_else(|| unchanged(path))?;
            return read(&answer);
        };
        let mut known = None;
        if let Some(kept) = documents.get(path, accept).await
            && let Ok(value) = read(&kept.answer)
        {
            if kept.is_for_ever() {
                return Ok(value);
            }
            known = Some((value, kept.etag));
        }
        let etag = known.as_ref().and_then(|(_, etag)| etag.as_deref());
        let Some((answer, etag)) = ask(&self.client, path, accept, etag).await? else {
            return known.map(|(value, _)| value).ok_or_else(|| unchanged(path));
        };
        let value = read(&answer)?;
        documents.keep(path, accept, &answer, etag).await;
        Ok(value)
    }
}

/// An answer to `path` that is not what was asked for.
pub(super) fn unreadable(path: &str, error: &serde_json::Error) -> ApiError {
    ApiError::Unreadable { path: path.to_owned(), message: error.to_string() }
}

/// A server that says nothing has changed to somebody who knows nothing.
pub(super) fn unchanged(path: &str) -> ApiError {
    ApiError::Unreadable { path: path.to_owned(), message: "unchanged, but nothing is known".to_owned() }
}

/// Whether the server does not know the path.
pub(super) fn is_not_found(error: &ApiError) -> bool {
    error.status().is_some_and(|status| status.code == 404)
}

/// Whether the same question may get another answer soon (client-go memory cache `isTransientError`): the server is
/// overloaded, broken, or not reached.
///
/// client-go counts refused and reset connections only. A browser does not say why a server is not reached, and what was
/// not answered in time may be next time; so all of these count, and a version that was stale in the aggregated answer.
pub(super) fn is_transient(error: &DiscoveryError) -> bool {
    match error {
        DiscoveryError::Stale | DiscoveryError::Api(ApiError::TimedOut { .. }) => true,
        DiscoveryError::Api(ApiError::Transport(error)) => !matches!(error, TransportError::Invalid { .. }),
        DiscoveryError::Api(error) => error.status().is_some_and(|status| status.code >= 500 || status.is_too_many_requests()),
        _ => false,
    }
}
