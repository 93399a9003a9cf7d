//! Sending a request: tries, waits, limits and warnings (client-go `rest/request.go`, `request` and `Watch`).

use std::time::Duration;

use bytes::Bytes;

use super::{
    ApiError, RestClient, parse_warnings,
    retry::{self, Exchange},
};
use crate::{
    platform::{BoxFuture, timeout},
    transport::{Request, Response, TransportError, read_to_end},
};

/// A request that is whole, and how it is sent.
pub(super) struct Sending<'a> {
    pub(super) exchange: Exchange,
    pub(super) request: &'a Request,
    pub(super) most_retries: u32,
    /// How long it may take; the client's own limit where it is `None`.
    pub(super) timeout: Option<Duration>,
}

/// Sends, again and again where that is of use, and reads the answer to its end. The body of the response that is given
/// back is the one that was read.
pub(super) async fn send_whole(client: &RestClient, sending: &Sending<'_>) -> Result<(Response, Bytes), ApiError> {
    let mut previous = None;
    let work = Box::pin(async {
        let response = tries(client, sending, &mut previous).await?;
        let Response { status, headers, body } = response;
        let whole = Bytes::from(read_to_end(body).await?);
        Ok((Response { status, headers, body: Box::pin(futures::stream::empty()) }, whole))
    });
    let outcome = within(client, sending, work).await;
    outcome.map_err(|error| error.after(previous))
}

/// Sends, again and again where that is of use, until the head of an answer is there.
pub(super) async fn send_open(client: &RestClient, sending: &Sending<'_>) -> Result<Response, ApiError> {
    let mut previous = None;
    let outcome = within(client, sending, Box::pin(tries(client, sending, &mut previous))).await;
    outcome.map_err(|error| error.after(previous))
}

async fn within<T>(client: &RestClient, sending: &Sending<'_>, work: BoxFuture<'_, Result<T, ApiError>>) -> Result<T, ApiError> {
    let Some(limit) = sending.timeout.or(client.timeout) else { return work.await };
    timeout(&client.platform, limit, work)
        .await
        .unwrap_or_else(|| Err(ApiError::TimedOut { path: sending.request.path.clone(), seconds: limit.as_secs() }))
}

/// Tries until an answer is worth no other try, or enough were made. What the try before the last came to is left in
/// `previous`, also where the caller loses patience.
async fn tries(client: &RestClient, sending: &Sending<'_>, previous: &mut Option<ApiError>) -> Result<Response, ApiError> {
    let Sending { exchange, request, most_retries, .. } = sending;
    let mut made = 0;
    loop {
        if (made > 0 || *exchange != Exchange::Watch)
            && let Some(limiter) = &client.limiter
        {
            limiter.take(&client.platform).await;
        }
        let outcome = client.transport.send((*request).clone()).await;
        let delay = (made < *most_retries).then(|| retry::delay(*exchange, &request.method, &outcome)).flatten();
        made += 1;
        let Some(delay) = delay else { return finished(client, outcome) };
        *previous = Some(failure(outcome, request).await);
        client.platform.sleep(delay).await;
    }
}

/// The last answer; its Warnings are told.
fn finished(client: &RestClient, outcome: Result<Response, TransportError>) -> Result<Response, ApiError> {
    let response = outcome?;
    if let Some(handler) = &client.warnings {
        for text in parse_warnings(&response.headers) {
            handler(&text);
        }
    }
    Ok(response)
}

/// What a try came to that is followed by another. Its body is read, so that the connection can be used again.
async fn failure(outcome: Result<Response, TransportError>, request: &Request) -> ApiError {
    match outcome {
        Err(error) => error.into(),
        Ok(response) => {
            let body = read_to_end(response.body).await.unwrap_or_default();
            let refused = super::RefusedRequest { method: request.method.as_str(), ..super::RefusedRequest::default() };
            ApiError::Refused(Box::new(super::decode_status(response.status, &response.headers, &body, &refused)))
        }
    }
}
