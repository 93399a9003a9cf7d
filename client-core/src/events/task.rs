//! The task that writes events.

use std::{pin::pin, sync::Arc};

use futures::future::{Either, select};

use super::{
    EventError, RecordedEvent, core_v1,
    correlator::Correlator,
    events_v1,
    queue::{Next, Queue, Shared},
    series::{SeriesCache, Written},
    writer::{Writer, may_pass},
};
use crate::platform::Instant;

/// What is kept of the events that were written.
pub(super) enum Memory {
    Core(Box<Correlator>),
    Series(SeriesCache),
}

/// Ends what recorders share, whatever ends the task.
struct End(Arc<Shared>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Writes what comes, until the recorders are shut down or gone, and the rest is written or has had its time.
pub(super) fn run(writer: Writer, mut memory: Memory) -> impl Future<Output = ()> {
    let end = End(Arc::clone(&writer.shared));
    async move {
        let shared = Arc::clone(&writer.shared);
        let out_of_time = async {
            let limit = shared.queue.wait(|queue| queue.closed).await;
            shared.platform.sleep(limit).await;
        };
        select(pin!(work(&writer, &mut memory)), pin!(out_of_time)).await;
        if let Memory::Series(cache) = &mut memory {
            while let Some(series) = cache.next_unwritten() {
                cache.forget(&series);
                shared.lost(&series.first, &EventError::ShutDown);
            }
        }
        drop(end);
    }
}

async fn work(writer: &Writer, memory: &mut Memory) {
    let shared = &writer.shared;
    loop {
        let check = match memory {
            Memory::Series(cache) => cache.next_check(),
            Memory::Core(_) => None,
        };
        let now = shared.platform.now();
        let next = pin!(shared.queue.wait(Queue::next));
        let next = match check {
            None => next.await,
            Some(at) if at <= now => {
                tend(writer, memory, now).await;
                continue;
            }
            Some(at) => match select(next, shared.platform.sleep(at.since(now))).await {
                Either::Left((next, _)) => next,
                Either::Right(_) => continue,
            },
        };
        match next {
            Next::Write(event) => {
                shared.recorded(&event);
                if let Err(error) = take_in(writer, memory, &event).await {
                    shared.lost(&event, &error);
                }
                shared.queue.change_for(Queue::pop, |()| false);
            }
            Next::End => return finish(writer, memory).await,
        }
    }
}

/// Writes an event, unless it is counted only.
async fn take_in(writer: &Writer, memory: &mut Memory, event: &Arc<RecordedEvent>) -> Result<(), EventError> {
    let now = writer.shared.platform.now();
    match memory {
        Memory::Core(correlator) => {
            let Some(counted) = correlator.correlate(event, now) else {
                writer.shared.filtered(event);
                return Ok(());
            };
            writer.write(&core_v1::write(&counted)).await
        }
        Memory::Series(cache) => match cache.observe(Arc::clone(event), now) {
            Some(series) => writer.write(&events_v1::write(&series)).await,
            None => Ok(()),
        },
    }
}

/// Writes the series whose time has come, each in one try (client-go `finishSeries`, `refreshExistingEventSeries`).
async fn tend(writer: &Writer, memory: &mut Memory, now: Instant) {
    let Memory::Series(cache) = memory else { return };
    for (key, series) in cache.due(now) {
        let outcome = match writer.write_once(&events_v1::write(&series)).await {
            Ok(()) => Written::Done,
            Err(error) if may_pass(&error, true) => Written::NotNow,
            Err(error) => {
                writer.shared.lost(&series.first, &EventError::Refused(error));
                Written::Done
            }
        };
        cache.wrote(&key, outcome, now);
    }
}

/// Writes how often series came that nobody will look after any more, each in one try.
async fn finish(writer: &Writer, memory: &mut Memory) {
    let Memory::Series(cache) = memory else { return };
    while let Some(series) = cache.next_unwritten() {
        let written = writer.write_once(&events_v1::write(&series)).await;
        cache.forget(&series);
        if let Err(source) = written {
            writer.shared.lost(&series.first, &EventError::GivenUp { tries: 1, source });
        }
    }
}
