//! What the tests of layers have in common.

use http::{HeaderName, StatusCode};

use super::{ScriptedAnswer, ScriptedTransport};

/// A server that answers GETs of `/` with these statuses in turn.
pub(super) fn answering(statuses: &[u16]) -> ScriptedTransport {
    let server = ScriptedTransport::default();
    for &status in statuses {
        let answer = ScriptedAnswer::status(StatusCode::from_u16(status).unwrap());
        server.once("/", answer.with_header(HeaderName::from_static("x-test-response"), "a"));
    }
    server
}

/// The value of a header of the last request.
pub(super) fn last(server: &ScriptedTransport, header: &str) -> Option<String> {
    let requests = server.requests();
    Some(requests.last()?.headers.get(header)?.to_str().unwrap().to_owned())
}
