//! Answers that are handed out as they come.

use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt as _, stream};
use http::{HeaderMap, StatusCode};

use super::{Bench, again, code, lost, refused, unreachable_server};
use crate::{
    meta::{Status, StatusReason},
    platform::{BoxFuture, FakePlatform, ready},
    rest::{ApiError, RestClient},
    transport::{Request, Response, ScriptedAnswer, Transport, TransportError, read_to_end},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// How a stream begins whose server answers like this, with at most two retries.
fn streamed(answers: &[ScriptedAnswer]) -> Result<Vec<u8>, ApiError> {
    let bench = Bench::default();
    bench.script("/p", answers);
    let outcome = ready(async { Ok(read_to_end(bench.get().most_retries(2).stream().await?).await?) });
    assert_eq!(bench.server.count("/p"), answers.len());
    outcome
}

#[test]
fn a_stream_is_handed_out_chunk_by_chunk() {
    let bench = Bench::default();
    let chunks = ["expected", " ", "body"].map(|chunk| Ok(Bytes::from(chunk)));
    bench.server.once("/p", code(200).with_chunks(chunks));
    let chunks: Vec<_> = ready(async { bench.get().stream().await.unwrap().map(Result::unwrap).collect().await });
    assert_eq!(chunks, ["expected", " ", "body"]);
}

#[test]
fn a_stream_that_does_not_begin_is_an_error_that_says_why() {
    let fault = Bench::default().get().name(&"..".into());
    assert!(matches!(ready(fault.stream()).map(drop), Err(ApiError::Request(_))));
    assert!(matches!(streamed(&[ScriptedAnswer::error(unreachable_server())]), Err(ApiError::Transport(_))));
    let unauthorized = Status { message: String::new(), ..Status::failure(401, StatusReason::UNAUTHORIZED, "") };
    assert!(streamed(&[refused(&unauthorized)]).unwrap_err().is_unauthorized());
    let choose = "a container name must be specified for pod kube-dns-v20-mz5cv, choose one of: [kubedns dnsmasq healthz]";
    assert_eq!(streamed(&[refused(&Status::bad_request(choose))]).unwrap_err().to_string(), choose);
    assert!(streamed(&[again(500, "1"), again(500, "1"), again(500, "1")]).unwrap_err().is_internal_error());
    let broken = streamed(&[again(500, "1"), ScriptedAnswer::error(lost("EOF"))]).unwrap_err();
    assert!(matches!(broken.last(), ApiError::Transport(TransportError::Lost { .. })));
    assert_eq!(streamed(&[again(500, "1"), again(500, "1"), code(200)]).unwrap(), b"");
}

/// Refuses everything in a megabyte after a megabyte.
struct Endless;

impl Transport for Endless {
    fn send(&self, _request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let body = Box::pin(stream::repeat_with(|| Ok(Bytes::from(vec![b'x'; 1 << 20]))));
        Box::pin(async { Ok(Response { status: StatusCode::FORBIDDEN, headers: HeaderMap::new(), body }) })
    }
}

#[test]
fn a_refusal_whose_body_never_ends_is_one_all_the_same() {
    let client = RestClient::new(Arc::new(Endless), Arc::new(FakePlatform::default()));
    let request = client.get().absolute_path("/p");
    assert!(ready(request.stream()).map(drop).unwrap_err().is_forbidden());
    assert!(ready(request.watch::<Status>()).map(drop).unwrap_err().is_forbidden());
}

#[test]
fn a_refusal_whose_body_breaks_off_is_one_all_the_same() {
    let broken = code(404).with_chunks([Ok("half".into()), Err(TransportError::Broken { message: "reset".into() })]);
    assert!(streamed(&[broken]).unwrap_err().is_not_found());
}

#[test]
fn a_stream_that_breaks_off_says_so_at_its_end() {
    let broken = code(200).with_chunks([Ok("half".into()), Err(TransportError::Broken { message: "reset".into() })]);
    let error = streamed(&[broken]).unwrap_err();
    assert_eq!(error.to_string(), "the connection broke while the answer was arriving: reset");
}
