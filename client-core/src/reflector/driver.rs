//! The loop between the machine and the world.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures::{FutureExt as _, Stream, StreamExt as _};

use super::{Failure, Health, Identity, Input, Output, PageEnd, Reflector, ReflectorOptions, Request, Step, Traffic, Versioned};
use crate::{
    platform::{BoxFuture, Instant, MaybeSend, Platform},
    rest::ApiError,
    transport::Body,
    wire::{LineFramer, WatchEvent},
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

    /// Reads a chunk of a list into the items that it completes. The first chunk after a [`Request::List`] was opened begins a
    /// page.
    fn list_chunk(&mut self, chunk: &[u8], inputs: &mut Vec<Input<T>>);

    /// Reads the end of a page.
    ///
    /// # Errors
    /// What is wrong with it, for a person.
    fn list_end(&mut self, inputs: &mut Vec<Input<T>>) -> Result<PageEnd, String>;

    /// Reads one line of a watch into what the machine is to be told.
    fn event(&mut self, line: &[u8], inputs: &mut Vec<Input<T>>);
}

/// Where what a reflector brings goes (client-go `tools/cache/reflector.go`, `ReflectorStore` and `WatchErrorHandler`).
pub trait Sink<T>: MaybeSend {
    /// Takes in what a chunk brought, at once; nothing, where only the health has changed.
    fn take(&mut self, outputs: Vec<Output<T>>, health: &Health);

    /// Is told each failure of a request and each error that a watch reports. The reflector goes on by itself.
    fn failed(&mut self, _failure: &Failure) {}

    /// Is told what was sent and what came, before what came is handed to it.
    fn count(&mut self, _traffic: &Traffic) {}
}

/// What the outside tells a running reflector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The host slept, or came back online.
    Woken,
    /// A person asks for another try.
    Retry,
    /// Nobody looks: the connection is given up, what is known stays.
    Suspend,
    /// Somebody looks again: what changed meanwhile is asked for.
    Resume,
}

impl<T> From<Signal> for Input<T> {
    fn from(signal: Signal) -> Self {
        match signal {
            Signal::Woken => Self::Woken,
            Signal::Retry => Self::Retry,
            Signal::Suspend => Self::Suspend,
            Signal::Resume => Self::Resume,
        }
    }
}

/// Runs a reflector until `signals` ends; what is open then is aborted.
pub async fn drive<T: Versioned>(
    platform: Arc<dyn Platform>,
    options: ReflectorOptions,
    source: &mut dyn Source<T>,
    mut signals: impl Stream<Item = Signal> + Unpin + MaybeSend,
    sink: &mut dyn Sink<T>,
) {
    let mut machine = Reflector::new(platform.now(), options);
    let mut open = Exchange::None;
    let mut alarm: Option<(Instant, BoxFuture<'static, ()>)> = None;
    let mut reported = machine.health().clone();
    loop {
        let now = platform.now();
        #[cfg(test)]
        let from = machine.place();
        let step = machine.step(now, platform.random());
        #[cfg(test)]
        machine.note_step(from, &step);
        let deadline = match step {
            Step::Send(request) => {
                sink.count(&Traffic::of_request(&request));
                open = Exchange::begin(source, &request);
                continue;
            }
            Step::Wait(until) => until,
        };
        if !machine.is_exchanging() {
            open = Exchange::None;
        }
        if *machine.health() != reported {
            reported = machine.health().clone();
            sink.take(Vec::new(), &reported);
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
            Arrival::Signal(signal) => inputs.push(signal.into()),
            Arrival::News(news) => {
                let bytes = if let News::Chunk(chunk) = &news { chunk.len() } else { 0 };
                open.take_in(news, source, &mut inputs);
                sink.count(&Traffic::of_arrival(bytes, &inputs));
            }
        }
        let (now, random) = (platform.now(), platform.random());
        let mut outputs = Vec::new();
        for input in inputs {
            match &input {
                Input::Failed(failure) => sink.failed(failure),
                Input::Event(WatchEvent::Error(status)) => sink.failed(&Failure::Refused(status.clone())),
                _ => {}
            }
            #[cfg(test)]
            let (from, cause) = (machine.place(), super::machine::trace::cause(&input));
            machine.handle(now, random, input, &mut outputs);
            #[cfg(test)]
            machine.note_input(from, cause);
        }
        if !outputs.is_empty() {
            reported = machine.health().clone();
            sink.take(outputs, &reported);
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

/// How the body is read.
enum Reading {
    List,
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
    fn begin<T>(source: &mut dyn Source<T>, request: &Request) -> Self {
        match request {
            Request::Identity => Self::Identity(source.identity()),
            Request::List { .. } => Self::Opening(source.open(request), Reading::List),
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

    fn take_in<T>(&mut self, news: News, source: &mut dyn Source<T>, inputs: &mut Vec<Input<T>>) {
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
                    Reading::List => source.list_chunk(&chunk, inputs),
                    Reading::Watch(framer) => {
                        // Without a limit no line is too long.
                        framer.push(&chunk, |line| source.event(line, inputs));
                    }
                }
                *self = Self::Reading(body, reading);
            }
            (_, News::Broken(failure)) => inputs.push(Input::Failed(failure)),
            (Self::Reading(_, Reading::List), News::End) => {
                let end = source.list_end(inputs);
                inputs.push(match end {
                    Ok(end) => Input::PageEnd(end),
                    Err(reason) => Input::Failed(Failure::Unreadable(reason)),
                });
            }
            (Self::Reading(_, Reading::Watch(framer)), News::End) => {
                framer.finish(|line| source.event(line, inputs));
                inputs.push(Input::Ended);
            }
            // What was polled is what is open, so nothing else can arrive.
            (_, News::Opened(_) | News::Chunk(_) | News::End) => {}
        }
    }
}
