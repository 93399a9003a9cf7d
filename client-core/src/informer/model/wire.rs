//! The wire between informers and whichever cluster is at the address: counts what is open, and lets troubles strike.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::Stream;

use super::{
    tally::note,
    trouble::{Refusal, Target, Trouble},
};
use crate::{
    fake::{FakeApiServer, Fault, FaultKind},
    platform::{BoxFuture, FakePlatform, Instant, Platform as _},
    transport::{Body, Request, Response, Transport, TransportError},
};

/// So many requests in one moment, and somebody asks again and again without a pause.
const MOST_AT_ONCE: u32 = 3000;

/// The transport of all informers of a case. Clones are the same.
#[derive(Clone)]
pub(super) struct Wire(Arc<Mutex<Lines>>);

struct Lines {
    server: FakeApiServer,
    cluster: u64,
    streams_lists: bool,
    planned: Vec<(Target, Trouble)>,
    open: Vec<Weak<Exchange>>,
    requests: u64,
    platform: FakePlatform,
    /// The moment of the last request, and how many there were then.
    moment: (Instant, u32),
}

/// Something that is open: a request, its answer, or a question who answers.
pub(super) struct Exchange {
    cluster: u64,
    pub(super) watch: bool,
    /// The head of the answer has come.
    pub(super) opened: AtomicBool,
    /// Its peer may have fallen silent without a sign.
    pub(super) silent: AtomicBool,
}

impl Wire {
    pub(super) fn new(server: FakeApiServer, platform: FakePlatform, streams_lists: bool) -> Self {
        Self(Arc::new(Mutex::new(Lines {
            server,
            cluster: 0,
            streams_lists,
            planned: Vec::new(),
            open: Vec::new(),
            requests: 0,
            moment: (platform.now(), 0),
            platform,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap()
    }

    /// Another cluster is at the address. What is open to the one before is dead.
    pub(super) fn replace(&self, server: FakeApiServer) {
        let mut lines = self.lock();
        lines.server = server;
        lines.cluster += 1;
    }

    pub(super) fn plan(&self, target: Target, trouble: Trouble) {
        self.lock().planned.push((target, trouble));
    }

    pub(super) fn end_troubles(&self) {
        self.lock().planned.clear();
    }

    pub(super) fn cluster(&self) -> u64 {
        self.lock().cluster
    }

    pub(super) fn requests(&self) -> u64 {
        self.lock().requests
    }

    pub(super) fn open(&self) -> Vec<Arc<Exchange>> {
        let mut lines = self.lock();
        lines.open.retain(|exchange| exchange.strong_count() > 0);
        lines.open.iter().filter_map(Weak::upgrade).collect()
    }

    /// Open watches fall silent.
    pub(super) fn silence(&self) {
        for exchange in self.open().iter().filter(|exchange| exchange.watch && exchange.opened.load(Ordering::Relaxed)) {
            exchange.silent.store(true, Ordering::Relaxed);
        }
    }

    /// The trouble that strikes a request of this kind now.
    pub(super) fn strike(&self, target: Target) -> Option<Trouble> {
        let mut lines = self.lock();
        let place = lines.planned.iter().position(|(wanted, _)| *wanted == target)?;
        let (_, trouble) = lines.planned.remove(place);
        note("fault", trouble.name());
        if let Trouble::Refuse(refusal) = trouble {
            note("refusal", refusal.name());
        }
        Some(trouble)
    }

    pub(super) fn begin(&self, watch: bool) -> Arc<Exchange> {
        let mut lines = self.lock();
        let exchange =
            Arc::new(Exchange { cluster: lines.cluster, watch, opened: AtomicBool::default(), silent: AtomicBool::default() });
        lines.requests += 1;
        let now = lines.platform.now();
        lines.moment = if lines.moment.0 == now { (now, lines.moment.1 + 1) } else { (now, 1) };
        assert!(lines.moment.1 < MOST_AT_ONCE, "requests are sent again and again without a pause");
        lines.open.push(Arc::downgrade(&exchange));
        exchange
    }

    fn is_dead(&self, exchange: &Exchange) -> bool {
        self.cluster() != exchange.cluster
    }
}

fn broken() -> TransportError {
    TransportError::Broken { message: "the server is gone".to_owned() }
}

impl Transport for Wire {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let watch = request.path.contains("watch=true");
        let exchange = self.begin(watch);
        let mut trouble = self.strike(if watch { Target::Watch } else { Target::List });
        let (server, streams_lists) = {
            let lines = self.lock();
            (lines.server.clone(), lines.streams_lists)
        };
        if trouble.is_none() && !streams_lists && request.path.contains("sendInitialEvents") {
            trouble = Some(Trouble::Refuse(Refusal::NoStreamedLists));
        }
        if let Some(trouble) = trouble {
            exchange.silent.store(trouble.silences(), Ordering::Relaxed);
            server.faults().add(Fault::new(trouble.fault()).once());
        }
        let answer = server.send(request);
        let wire = self.clone();
        Box::pin(async move {
            let response = answer.await;
            if wire.is_dead(&exchange) {
                return Err(broken());
            }
            let Response { status, headers, body } = response?;
            exchange.opened.store(true, Ordering::Relaxed);
            Ok(Response { status, headers, body: Box::pin(OpenBody { body, exchange, wire }) })
        })
    }
}

/// A body that dies with its cluster.
struct OpenBody {
    body: Body,
    exchange: Arc<Exchange>,
    wire: Wire,
}

impl Stream for OpenBody {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.wire.is_dead(&self.exchange) {
            return Poll::Ready(Some(Err(broken())));
        }
        self.body.as_mut().poll_next(context)
    }
}

/// What stands for a trouble where no request is sent.
pub(super) fn is_silent(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Hang | FaultKind::StallAfter(_))
}
