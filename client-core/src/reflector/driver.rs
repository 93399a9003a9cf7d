//! The loop between the machine and the world.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures::{FutureExt as _, Stream, StreamExt as _};

use super::{Delta, Failure, Following, Health, Identity, Input, Page, Reflector, Request, Step, Versioned};
use crate::{
    platform::{BoxFuture, Instant, MaybeSend, Platform},
    rest::ApiError,
    transport::Body,
    wire::LineFramer,
};

/// Where the reflector's lists and watches come from (client-go `tools/cache/listwatch.go`, `ListerWatcher`).
pub trait Source<T>: MaybeSend {
    /// Opens what a request asks for; never [`Request::Identity`].
    ///
    /// # Errors
    /// Where the server refuses or cannot be reached; the machine decides what follows.
    fn open(&mut self, request: &Request) -> BoxFuture<'static, Result<Body, ApiError>>;

    /// Asks which cluster answers.
    ///
    /// # Errors
    /// Where nobody answers; one that may not be known is [`Identity::Unknown`].
    fn identity(&mut self) -> BoxFuture<'static, Result<Identity, ApiError>>;

    /// Reads the whole body of a list.
    ///
    /// # Errors
    /// What is wrong with it, for a person.
    fn page(&mut self, body: &[u8]) -> Result<Page<T>, String>;

    /// Reads one line of a watch into what the machine is to be told.
    fn event(&mut self, line: &[u8], inputs: &mut Vec<Input<T>>);
}

/// What the outside tells a running reflector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The host slept, or came back online.
    Woken,
    /// A person asks for another try.
    Retry,
}

/// Runs a reflector until `signals` ends. `sink` is given the deltas of each chunk that arrives, at once,
/// and is called without any when only the health has changed.
pub async fn drive<T: Versioned>(
    platform: Arc<dyn Platform>,
    following: Following,
    mut source: impl Source<T>,
    mut signals: impl Stream<Item = Signal> + Unpin + MaybeSend,
    mut sink: impl FnMut(Vec<Delta<T>>, &Health) + MaybeSend,
) {
    let mut machine = Reflector::new(platform.now(), following);
    let mut open = Exchange::None;
    let mut alarm: Option<(Instant, BoxFuture<'static, ()>)> = None;
    let mut reported = machine.health().clone();
    loop {
        let now = platform.now();
        let deadline = match machine.step(now, platform.random()) {
            Step::Send(request) => {
                open = Exchange::begin(&mut source, &request);
                continue;
            }
            Step::Wait(until) => until,
        };
        if !machine.is_exchanging() {
            open = Exchange::None;
        }
        if *machine.health() != reported {
            reported = machine.health().clone();
            sink(Vec::new(), &reported);
        }
        // A timer that fires early only leads through `step` again; one that fires late would be a fault.
        let (_, timer) = match alarm.take() {
            Some(armed) if armed.0 <= deadline => alarm.insert(armed),
            _ => alarm.insert((deadline, platform.sleep(deadline.since(now)))),
        };
        let arrival = poll_fn(|context| {
            if let Poll::Ready(signal) = signals.poll_next_unpin(context) {
                return Poll::Ready(signal.map_or(Arrival::Stop, Arrival::Signal));
            }
            if let Poll::Ready(news) = open.poll(context) {
                return Poll::Ready(Arrival::News(news));
            }
            timer.poll_unpin(context).map(|()| Arrival::Alarm)
        })
        .await;
        let mut inputs = Vec::new();
        match arrival {
            Arrival::Stop => return,
            Arrival::Alarm => alarm = None,
            Arrival::Signal(Signal::Woken) => inputs.push(Input::Woken),
            Arrival::Signal(Signal::Retry) => inputs.push(Input::Retry),
            Arrival::News(news) => open.take_in(news, &mut source, &mut inputs),
        }
        let (now, random) = (platform.now(), platform.random());
        let mut deltas = Vec::new();
        for input in inputs {
            machine.handle(now, random, input, &mut deltas);
        }
        if !deltas.is_empty() {
            reported = machine.health().clone();
            sink(deltas, &reported);
        }
    }
}

enum Arrival {
    Stop,
    Alarm,
    Signal(Signal),
    News(News),
}

/// The exchange that is open. Dropping it aborts it.
enum Exchange {
    None,
    Identity(BoxFuture<'static, Result<Identity, ApiError>>),
    Opening(BoxFuture<'static, Result<Body, ApiError>>, Reading),
    Reading(Body, Reading),
}

/// What the body is read into.
enum Reading {
    List(Vec<u8>),
    Watch(LineFramer),
}

enum News {
    Identity(Result<Identity, ApiError>),
    Opened(Result<Body, ApiError>),
    Chunk(bytes::Bytes),
    Broken(Failure),
    End,
}

impl Exchange {
    fn begin<T>(source: &mut impl Source<T>, request: &Request) -> Self {
        match request {
            Request::Identity => Self::Identity(source.identity()),
            Request::List { .. } => Self::Opening(source.open(request), Reading::List(Vec::new())),
            Request::Watch { .. } => Self::Opening(source.open(request), Reading::Watch(LineFramer::default())),
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<News> {
        match self {
            Self::None => Poll::Pending,
            Self::Identity(future) => future.poll_unpin(context).map(News::Identity),
            Self::Opening(future, _) => future.poll_unpin(context).map(News::Opened),
            Self::Reading(body, _) => Pin::new(body).poll_next(context).map(|chunk| match chunk {
                Some(Ok(chunk)) => News::Chunk(chunk),
                Some(Err(error)) => News::Broken(Failure::Connection(error.to_string())),
                None => News::End,
            }),
        }
    }

    fn take_in<T>(&mut self, news: News, source: &mut impl Source<T>, inputs: &mut Vec<Input<T>>) {
        match (std::mem::replace(self, Self::None), news) {
            (_, News::Identity(answer)) => inputs.push(match answer {
                Ok(identity) => Input::Identity(identity),
                Err(error) => Input::Failed(error.into()),
            }),
            (Self::Opening(_, reading), News::Opened(Ok(body))) => {
                *self = Self::Reading(body, reading);
                inputs.push(Input::Opened);
            }
            (_, News::Opened(Err(error))) => inputs.push(Input::Failed(error.into())),
            (Self::Reading(body, mut reading), News::Chunk(chunk)) => {
                inputs.push(Input::Heard);
                match &mut reading {
                    Reading::List(whole) => whole.extend_from_slice(&chunk),
                    Reading::Watch(framer) => {
                        // Without a limit no line is too long.
                        framer.push(&chunk, |line| source.event(line, inputs));
                    }
                }
                *self = Self::Reading(body, reading);
            }
            (_, News::Broken(failure)) => inputs.push(Input::Failed(failure)),
            (Self::Reading(_, Reading::List(whole)), News::End) => inputs.push(match source.page(&whole) {
                Ok(page) => Input::Page(page),
                Err(reason) => Input::Failed(Failure::Unreadable(reason)),
            }),
            (Self::Reading(_, Reading::Watch(framer)), News::End) => {
                framer.finish(|line| source.event(line, inputs));
                inputs.push(Input::Ended);
            }
            // What was polled is what is open, so nothing else can arrive.
            (_, News::Opened(_) | News::Chunk(_) | News::End) => {}
        }
    }
}
