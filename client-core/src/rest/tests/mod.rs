//! Requests against a scripted server, after client-go's `rest/request_test.go`, `client_test.go` and `with_retry_test.go`.

mod answers;
mod building;
mod errors;
mod observing;
mod order;
mod pages;
#[cfg(feature = "protobuf")]
mod protobuf;
mod retries;
mod streams;
mod timing;
mod watches;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use http::StatusCode;

use super::{Request, RestClient};
use crate::{
    meta::{GroupVersionResource, Status},
    platform::{BoxFuture, FakePlatform, Instant, Platform, WallTime},
    transport::{ScriptedAnswer, ScriptedTransport, TransportError},
};

/// A host on which every wait is over at once, which writes down how long it would have been.
#[derive(Clone, Default)]
struct Hasty {
    clock: FakePlatform,
    log: Log,
}

/// What happened, in order.
type Log = Arc<Mutex<Vec<String>>>;

fn note(log: &Log, what: impl Into<String>) {
    log.lock().unwrap().push(what.into());
}

impl Platform for Hasty {
    fn now(&self) -> Instant {
        self.clock.now()
    }

    fn wall_time(&self) -> WallTime {
        self.clock.wall_time()
    }

    fn random(&self) -> f64 {
        0.5
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let host = self.clone();
        Box::pin(async move {
            note(&host.log, format!("sleep {duration:?}"));
            host.clock.advance(duration);
        })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.clock.spawn(task);
    }
}

/// A client and its server.
#[derive(Default)]
struct Bench {
    server: ScriptedTransport,
    host: Hasty,
}

impl Bench {
    /// A client that waits for nothing.
    fn client(&self) -> RestClient {
        RestClient::new(Arc::new(self.server.clone()), Arc::new(self.host.clone()))
    }

    /// A client whose time stands still until the host's clock is moved.
    fn patient(&self) -> RestClient {
        RestClient::new(Arc::new(self.server.clone()), Arc::new(self.host.clock.clone()))
    }

    /// The next GETs of `path` are answered like this.
    fn script(&self, path: &str, answers: &[ScriptedAnswer]) {
        for answer in answers {
            self.server.once(path, answer.clone());
        }
    }

    fn get(&self) -> Request {
        self.client().get().absolute_path("/p")
    }

    fn log(&self) -> Vec<String> {
        self.host.log.lock().unwrap().clone()
    }
}

fn pods() -> GroupVersionResource {
    GroupVersionResource::new("", "v1", "pods")
}

fn code(code: u16) -> ScriptedAnswer {
    ScriptedAnswer::status(StatusCode::from_u16(code).unwrap())
}

/// An answer that asks for another try.
fn again(status: u16, seconds: &str) -> ScriptedAnswer {
    code(status).with_header(http::header::RETRY_AFTER, seconds)
}

fn refused(status: &Status) -> ScriptedAnswer {
    let mut object = serde_json::to_value(status).unwrap();
    object["kind"] = "Status".into();
    object["apiVersion"] = "v1".into();
    ScriptedAnswer::json(&object).with_status(StatusCode::from_u16(status.code).unwrap())
}

fn lost(message: &str) -> TransportError {
    TransportError::Lost { address: "http://server/p".into(), message: message.into() }
}

fn late() -> TransportError {
    TransportError::TimedOut { address: "http://server/p".into() }
}

fn unreachable_server() -> TransportError {
    TransportError::Unreachable { address: "http://server/p".into(), message: "connection refused".into() }
}
