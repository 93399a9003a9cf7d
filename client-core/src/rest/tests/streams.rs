//! Answers that are handed out as they come.

use bytes::Bytes;
use futures::StreamExt as _;

use super::{Bench, again, code, lost, refused, unreachable_server};
use crate::{
    meta::{Status, StatusReason},
    platform::ready,
    rest::ApiError,
    transport::{ScriptedAnswer, TransportError, read_to_end},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// How a stream begins whose server answers like this, with at most two retries.
fn stream(answers: &[ScriptedAnswer]) -> Result<Vec<u8>, ApiError> {
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
    assert!(matches!(stream(&[ScriptedAnswer::error(unreachable_server())]), Err(ApiError::Transport(_))));
    let unauthorized = Status { message: String::new(), ..Status::failure(401, StatusReason::UNAUTHORIZED, "") };
    assert!(stream(&[refused(&unauthorized)]).unwrap_err().is_unauthorized());
    let choose = "a container name must be specified for pod kube-dns-v20-mz5cv, choose one of: [kubedns dnsmasq healthz]";
    assert_eq!(stream(&[refused(&Status::bad_request(choose))]).unwrap_err().to_string(), choose);
    assert!(stream(&[again(500, "1"), again(500, "1"), again(500, "1")]).unwrap_err().is_internal_error());
    let broken = stream(&[again(500, "1"), ScriptedAnswer::error(lost("EOF"))]).unwrap_err();
    assert!(matches!(broken.last(), ApiError::Transport(TransportError::Lost { .. })));
    assert_eq!(stream(&[again(500, "1"), again(500, "1"), code(200)]).unwrap(), b"");
}

#[test]
fn a_refusal_whose_body_breaks_off_is_one_all_the_same() {
    let broken = code(404).with_chunks([Ok("half".into()), Err(TransportError::Broken { message: "reset".into() })]);
    assert!(stream(&[broken]).unwrap_err().is_not_found());
}

#[test]
fn a_stream_that_breaks_off_says_so_at_its_end() {
    let broken = code(200).with_chunks([Ok("half".into()), Err(TransportError::Broken { message: "reset".into() })]);
    let error = stream(&[broken]).unwrap_err();
    assert_eq!(error.to_string(), "the connection broke while the answer was arriving: reset");
}
