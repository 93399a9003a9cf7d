//! What recorders share with the task that writes for them.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use super::{Event, EventError, EventObserver, RecordedEvent, Reporter, moments::Moments, name::event_name, observer::tell};
use crate::{platform::Platform, queue::Waiting};

const DEFAULT_NAMESPACE: &str = "default";

/// What recorders share with the task that writes for them.
pub(super) struct Shared {
    pub(super) queue: Waiting<Queue>,
    pub(super) moments: Arc<Moments>,
    pub(super) platform: Arc<dyn Platform>,
    observer: Box<dyn EventObserver>,
}

/// The events that wait. The first of them stays until it is written, or will not be.
pub(super) struct Queue {
    events: VecDeque<Arc<RecordedEvent>>,
    limit: usize,
    /// Nothing comes any more, and what is there has so much time.
    pub(super) closed: Option<Duration>,
    /// The task has ended.
    pub(super) done: bool,
}

/// What a task has to do.
pub(super) enum Next {
    Write(Arc<RecordedEvent>),
    End,
}

impl Queue {
    fn add(&mut self, event: Arc<RecordedEvent>) -> Result<(), EventError> {
        if self.closed.is_some() {
            return Err(EventError::ShutDown);
        }
        if self.events.len() >= self.limit {
            return Err(EventError::QueueFull { limit: self.limit });
        }
        self.events.push_back(event);
        Ok(())
    }

    pub(super) fn next(&mut self) -> Option<Next> {
        match self.events.front() {
            Some(event) => Some(Next::Write(Arc::clone(event))),
            None => self.closed.map(|_| Next::End),
        }
    }

    pub(super) fn pop(&mut self) {
        self.events.pop_front();
    }
}

impl Shared {
    pub(super) fn new(platform: Arc<dyn Platform>, limit: usize, observer: impl EventObserver) -> Self {
        let queue = Queue { events: VecDeque::new(), limit, closed: None, done: false };
        let moments = Arc::new(Moments::new(Arc::clone(&platform)));
        Self { queue: Waiting::new(queue), moments, platform, observer: Box::new(observer) }
    }

    /// Takes an event down and lets it wait, where there is room.
    pub(super) fn record(&self, event: Event, reporter: &Reporter) {
        let moment = self.moments.next();
        let namespace = &event.regarding.namespace;
        let recorded = Arc::new(RecordedEvent {
            name: event_name(&event.regarding.name, moment, &*self.platform),
            namespace: if namespace.is_empty() { DEFAULT_NAMESPACE.into() } else { namespace.clone() },
            time: moment.micro_time(),
            reporter: reporter.clone(),
            event,
        });
        let added = if recorded.event.regarding.kind.is_empty() {
            Err(EventError::NoKind)
        } else {
            self.queue.change_for(|queue| queue.add(Arc::clone(&recorded)), Result::is_ok)
        };
        if let Err(error) = added {
            self.lost(&recorded, &error);
        }
    }

    /// Lets nothing come any more. What is there has so much time, or less where that was said before.
    pub(super) fn close(&self, limit: Duration) {
        self.queue.change(|queue| *queue.closed.get_or_insert(limit));
    }

    pub(super) fn recorded(&self, event: &RecordedEvent) {
        tell(|| self.observer.recorded(event));
    }

    pub(super) fn filtered(&self, event: &RecordedEvent) {
        tell(|| self.observer.filtered(event));
    }

    pub(super) fn lost(&self, event: &RecordedEvent, error: &EventError) {
        tell(|| self.observer.lost(event, error));
    }

    /// Ends it, with its task: what still waits gets lost.
    pub(super) fn end(&self) {
        let rest = self.queue.change(|queue| {
            queue.closed.get_or_insert(Duration::ZERO);
            std::mem::take(&mut queue.events)
        });
        for event in rest {
            self.lost(&event, &EventError::ShutDown);
        }
        self.queue.change(|queue| queue.done = true);
    }
}
