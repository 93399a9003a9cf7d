//! Watches over WebSockets: each line of one is a message.

use std::future::ready;

use futures::{Stream, StreamExt as _, stream};
use http::StatusCode;

use super::FakeApiServer;
use crate::{
    platform::BoxFuture,
    transport::{
        Body, Request, SocketAnswer, SocketMessage, SocketRequest, SocketTransport, Transport as _, TransportError, is_watch,
        receiving,
    },
    wire::LineFramer,
};

/// What is no watch is answered as to any request, as a real server does, for which there are exec and its like as well.
impl SocketTransport for FakeApiServer {
    fn open(&self, request: SocketRequest) -> BoxFuture<'static, Result<SocketAnswer, TransportError>> {
        let request = Request { headers: request.headers, ..Request::read(request.path) };
        let is_watch = is_watch(&request);
        let answer = self.send(request);
        Box::pin(async move {
            let response = answer.await?;
            if !is_watch || response.status != StatusCode::OK {
                return Ok(SocketAnswer::Plain(response));
            }
            Ok(SocketAnswer::Open(receiving(messages(response.body))))
        })
    }
}

fn messages(body: Body) -> impl Stream<Item = Result<SocketMessage, TransportError>> {
    let of_chunk = |framer: &mut LineFramer, chunk: Result<bytes::Bytes, _>| {
        let mut messages = Vec::new();
        match chunk {
            Ok(chunk) => {
                framer.push(&chunk, |line| messages.push(Ok(SocketMessage::Text(String::from_utf8_lossy(line).into_owned()))));
            }
            Err(error) => messages.push(Err(error)),
        }
        ready(Some(stream::iter(messages)))
    };
    body.scan(LineFramer::default(), of_chunk).flatten()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::{
        fake::{Fault, FaultKind},
        meta::{GroupVersionResource, Status},
        object::Unstructured,
        platform::{FakePlatform, ready},
        rest::{RestClient, WatchStream},
        wire::WatchEvent,
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn map(name: &str) -> serde_json::Value {
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "namespace": "default" } })
    }

    fn watch(client: &RestClient) -> Result<WatchStream<Unstructured>, crate::rest::ApiError> {
        ready(client.get().resource(&GroupVersionResource::new("", "v1", "configmaps")).watch())
    }

    #[test]
    fn a_watch_over_a_socket_has_the_events_of_one_over_a_request() {
        let server = FakeApiServer::new(Arc::new(FakePlatform::default()));
        server.insert(&map("a")).unwrap();
        let clients = [server.client(), server.client().with_socket_watches(Arc::new(server.clone()))];
        let [mut plain, mut socket] = clients.each_ref().map(|client| watch(client).unwrap());
        server.insert(&map("b")).unwrap();
        for _ in 0..2 {
            let [one, other] = [&mut plain, &mut socket].map(|watch| ready(watch.next()).unwrap().unwrap());
            assert!(matches!(&one, WatchEvent::Added(_)) && one == other, "{one:?} {other:?}");
        }
        assert!(ready(clients[1].get().absolute_path("/api/v1/configmaps").send()).is_ok());
    }

    #[test]
    fn a_refusal_is_one_over_a_socket_as_well() {
        let server = FakeApiServer::new(Arc::new(FakePlatform::default()));
        let client = server.client().with_socket_watches(Arc::new(server.clone()));
        server.faults().add(Fault::new(FaultKind::Refuse(Box::new(Status::gone("too old")))).once());
        assert!(watch(&client).unwrap_err().is_gone());
        assert!(watch(&client).is_ok());
    }
}
