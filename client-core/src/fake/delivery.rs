//! How an answer reaches the client: whole or in pieces, late, cut, or not at all.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use futures::{StreamExt as _, stream};
use http::{HeaderValue, header};

use super::{
    answer::{Reply, ReplyBody},
    faults::{FaultKind, StreamFaults},
    state::State,
    watching::Watch,
};
use crate::{
    platform::Chance,
    transport::{Body, Request, Response, TransportError},
};

const ADDRESS: &str = "fake";

/// Does a request as the faults let it be done, and sends the answer.
pub(super) async fn deliver(
    state: Arc<Mutex<State>>,
    request: Request,
    struck: Vec<FaultKind>,
) -> Result<Response, TransportError> {
    let lost = || TransportError::Lost { address: ADDRESS.to_owned(), message: "connection reset by peer".to_owned() };
    let mut delay = Duration::ZERO;
    let mut in_place = None;
    for kind in &struck {
        match kind {
            FaultKind::Hang => return std::future::pending().await,
            FaultKind::ResetBeforeAnswer => return Err(lost()),
            FaultKind::Unreachable => {
                return Err(TransportError::Unreachable {
                    address: ADDRESS.to_owned(),
                    message: "connection refused".to_owned(),
                });
            }
            FaultKind::Delay(by) => delay += *by,
            FaultKind::Refuse(status) => in_place = Some(Reply::refusal(status)),
            FaultKind::Answer(answer) => {
                let (code, body) = answer(&request);
                in_place = Some(Reply::text(code, "application/json", body));
            }
            _ => {}
        }
    }
    let (mut reply, chunks, sleep) = {
        let mut locked = state.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = in_place.unwrap_or_else(|| locked.answer(&request));
        // Each answer is cut in its own way, and every run alike.
        let chunks = locked.chunks.as_mut().map(|chance| Chance(chance.next()));
        let sleep = (!delay.is_zero()).then(|| locked.platform.sleep(delay));
        (reply, chunks, sleep)
    };
    if let Some(sleep) = sleep {
        sleep.await;
    }
    if struck.iter().any(|kind| matches!(kind, FaultKind::ResetAfterDone)) {
        return Err(lost());
    }
    for kind in &struck {
        if let FaultKind::ContentType(name) = kind
            && let Ok(value) = HeaderValue::from_str(name)
        {
            reply.headers.insert(header::CONTENT_TYPE, value);
        }
    }
    let body: Body = match reply.body {
        ReplyBody::Text(text) if text.is_empty() => Box::pin(stream::empty()),
        ReplyBody::Text(text) => Box::pin(stream::iter([Ok(Bytes::from(text))])),
        ReplyBody::Watch(plan) => Box::pin(Watch::start(state, *plan, StreamFaults::of(&struck))),
    };
    let body = match chunks {
        Some(chance) => in_pieces(body, chance),
        None => body,
    };
    let body = struck.iter().fold(body, |body, kind| match kind {
        FaultKind::CutAfter(bytes) => cut(body, *bytes, End::Breaks),
        FaultKind::EndAfter(bytes) => cut(body, *bytes, End::Ends),
        FaultKind::StallAfter(bytes) => cut(body, *bytes, End::Stalls),
        _ => body,
    });
    Ok(Response { status: reply.status, headers: reply.headers, body })
}

/// The same bytes in pieces of one to sixty-four bytes.
fn in_pieces(body: Body, chance: Chance) -> Body {
    Box::pin(stream::unfold((body, chance, VecDeque::new()), |(mut body, mut chance, mut pieces)| async move {
        if pieces.is_empty() {
            match body.next().await? {
                Ok(mut bytes) => {
                    let bytes: &mut Bytes = &mut bytes;
                    while !bytes.is_empty() {
                        let length = usize::try_from(chance.next() % 64 + 1).unwrap_or(1);
                        pieces.push_back(bytes.split_to(length.min(bytes.len())));
                    }
                }
                Err(error) => return Some((Err(error), (body, chance, pieces))),
            }
        }
        Some((Ok(pieces.pop_front().unwrap_or_default()), (body, chance, pieces)))
    }))
}

/// What comes after the part of a body that is sent.
#[derive(Clone, Copy)]
enum End {
    Breaks,
    Ends,
    Stalls,
}

/// The first `left` bytes, and then an end, a broken connection or nothing at all.
fn cut(body: Body, left: usize, end: End) -> Body {
    Box::pin(stream::unfold(Some((body, left)), move |at| async move {
        let (mut body, left) = at?;
        if left == 0 {
            return match end {
                End::Breaks => Some((Err(TransportError::Broken { message: "unexpected EOF".to_owned() }), None)),
                End::Ends => None,
                End::Stalls => std::future::pending().await,
            };
        }
        match body.next().await? {
            Ok(mut bytes) => {
                bytes.truncate(left);
                let left = left - bytes.len();
                Some((Ok(bytes), Some((body, left))))
            }
            Err(error) => Some((Err(error), None)),
        }
    }))
}
