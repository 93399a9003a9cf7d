//! Sending a request: tries, waits, limits and warnings (client-go `rest/request.go`, `request`, `Stream` and `Watch`).

use std::time::Duration;

use bytes::Bytes;
use futures::stream;

use super::{
    ApiError, RefusedRequest, RestClient, decode_status, parse_warnings,
    retry::{self, Exchange},
};
use crate::{
    platform::{BoxFuture, timeout},
    transport::{Request, Response, TransportError, read_at_most, read_to_end},
};

/// How much is read of an answer that is followed by another try, so that its connection can be used again.
const MOST_OF_A_FAILURE: usize = 16 * 1024;
/// How much is read of the refusal of a stream. A Status is shorter.
const MOST_OF_A_REFUSAL: usize = 1 << 20;

/// A request that is whole, and how it is sent.
pub(super) struct Sending<'a> {
    pub(super) exchange: Exchange,
    pub(super) request: &'a Request,
    pub(super) most_retries: u32,
    pub(super) time_limit: Option<Duration>,
}

/// Sends, again and again where that is of use. A whole answer is read to its end, and so is the
/// refusal of a stream unless it is longer than any; the bytes are what was read, and the body of the response is what was not.
pub(super) async fn send(client: &RestClient, sending: &Sending<'_>) -> Result<(Response, Bytes), ApiError> {
    let start = client.platform.now();
    if sending.exchange != Exchange::Watch {
        // Outside of the time limit: who waited for its turn shall not fail before its first try.
        throttle(client, sending.request).await?;
    }
    let mut previous = None;
    let work: BoxFuture<'_, _> = Box::pin(async { read(client, sending, tries(client, sending, &mut previous).await?).await });
    let outcome = match sending.time_limit {
        None => work.await,
        Some(limit) => timeout(&client.platform, limit, work).await.unwrap_or_else(|| {
            let seconds = u64::try_from(limit.as_millis().div_ceil(1000)).unwrap_or(u64::MAX);
            Err(ApiError::TimedOut { path: sending.request.path.clone(), seconds })
        }),
    };
    if let Some(observer) = &client.observer {
        observer.finished(sending.request, client.platform.now().since(start));
    }
    outcome.map_err(|error| error.after(previous))
}

/// Waits for the client's rate limit.
async fn throttle(client: &RestClient, request: &Request) -> Result<(), ApiError> {
    let Some(limiter) = &client.limiter else { return Ok(()) };
    let start = client.platform.now();
    if !limiter.take_within(&client.platform, Duration::MAX).await {
        return Err(ApiError::Throttled { path: request.path.clone() });
    }
    if let Some(observer) = &client.observer {
        observer.throttled(request, client.platform.now().since(start));
    }
    Ok(())
}

async fn pause(client: &RestClient, delay: Duration) {
    if !delay.is_zero() {
        client.platform.sleep(delay).await;
    }
}

/// Tries until an answer is worth no other try, or enough were made. What the try before the last came to is left in
/// `previous`, also where the caller loses patience.
async fn tries(client: &RestClient, sending: &Sending<'_>, previous: &mut Option<ApiError>) -> Result<Response, ApiError> {
    let Sending { exchange, request, most_retries, .. } = sending;
    let (mut made, mut delay) = (0, Duration::ZERO);
    loop {
        let own = client.backoff.as_ref().map_or(Duration::ZERO, |backoff| backoff.delay());
        pause(client, delay.max(own)).await;
        if made > 0 {
            throttle(client, request).await?;
        }
        if let Some(observer) = &client.observer {
            observer.sending(request);
        }
        let outcome = client.transport.send((*request).clone()).await;
        tell(client, request, &outcome, made);
        let again = (made < *most_retries).then(|| retry::delay(*exchange, &request.method, &outcome)).flatten();
        let Some(again) = again else { return finished(client, outcome) };
        *previous = Some(failure(outcome, request).await);
        (made, delay) = (made + 1, again);
    }
}

/// Tells those who want to know what a try came to.
fn tell(client: &RestClient, request: &Request, outcome: &Result<Response, TransportError>, retries: u32) {
    let code = outcome.as_ref().ok().map(|response| response.status);
    if let Some(observer) = &client.observer {
        observer.answered(request, code, retries);
    }
    if let Some(backoff) = &client.backoff {
        backoff.answered(code, client.platform.now(), client.platform.random());
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

/// Reads what is to be read of the last answer.
async fn read(client: &RestClient, sending: &Sending<'_>, mut response: Response) -> Result<(Response, Bytes), ApiError> {
    if sending.exchange != Exchange::Whole && response.status.is_success() {
        return Ok((response, Bytes::new()));
    }
    let body = std::mem::replace(&mut response.body, Box::pin(stream::empty()));
    let whole = Bytes::from(if sending.exchange == Exchange::Whole {
        read_to_end(body).await?
    } else {
        // The code is the answer; a body that breaks off, or never ends, only leaves out words.
        read_at_most(body, MOST_OF_A_REFUSAL).await.unwrap_or_default()
    });
    if let Some(observer) = &client.observer {
        observer.received(sending.request, &whole);
    }
    Ok((response, whole))
}

/// What a try came to that is followed by another.
async fn failure(outcome: Result<Response, TransportError>, request: &Request) -> ApiError {
    match outcome {
        Err(error) => error.into(),
        Ok(Response { status, headers, body }) => {
            // The code is what is told of this try; a body that breaks off only leaves out words.
            let body = read_at_most(body, MOST_OF_A_FAILURE).await.unwrap_or_default();
            let refused = RefusedRequest { method: request.method.as_str(), ..RefusedRequest::default() };
            ApiError::Refused(Box::new(decode_status(status, &headers, &body, &refused)))
        }
    }
}
