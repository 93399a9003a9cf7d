//! Everything goes well for a while, and how a case ends.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::{
    form::Form,
    operation::Colour,
    scenario::{End, Host},
    tally::note,
    world::World,
};
use crate::{
    platform::Platform as _,
    reflector::{HealthState, Signal},
};

/// In this time everything is well again after whatever it was.
const PATIENCE: Duration = Duration::from_secs(2 * 3600);

impl<T: Form> World<T> {
    /// Ends all troubles, lets time pass until the informer follows the server, and compares everything.
    pub(super) fn settle(&mut self) -> Result<(), String> {
        let Some(informer) = self.informer() else { return self.run() };
        self.wire.end_troubles();
        self.signal(Signal::Resume);
        if std::mem::take(&mut self.columns_are_news) {
            self.cluster.write(0, Colour::Red);
        }
        let start = self.platform.now();
        // A list that is under way may be older than what it is compared with: one that begins later counts.
        let mut lists = Vec::from([self.wire.requests()]);
        let mut pace = Duration::from_millis(500);
        loop {
            self.run()?;
            let well = match informer.health().state {
                HealthState::Live => self.is_followed(),
                HealthState::Polling => self.has_listed_twice(&mut lists),
                _ => false,
            };
            if well && self.readers.handlers_are_done(&informer) {
                break;
            }
            if self.platform.now().since(start) > PATIENCE {
                return Err(format!("it does not settle: {:#?}", informer.health()));
            }
            let next = self.platform.next_timer().ok_or_else(|| format!("it waits for nothing: {:#?}", informer.health()))?;
            self.platform.advance(next.max(pace));
            pace = if well { Duration::from_secs(1) } else { (pace * 2).min(Duration::from_secs(30)) };
        }
        note("settled", if informer.health().state == HealthState::Live { "live" } else { "polling" });
        if !informer.has_synced() {
            return Err("it follows the server, and has no first list".to_owned());
        }
        self.check_equal()?;
        self.check_readers()
    }

    /// Whether there have been requests twice since the first of `lists`, and none is open.
    fn has_listed_twice(&self, lists: &mut Vec<u64>) -> bool {
        let requests = self.wire.requests();
        if self.wire.open().is_empty() && lists.last().is_some_and(|last| requests > *last) {
            lists.push(requests);
        }
        lists.len() > 2
    }

    /// Settles, ends as the scenario says, and looks that nothing is left.
    pub(super) fn end(mut self) -> Result<(), String> {
        self.settle()?;
        match self.scenario.end {
            End::Drop => {}
            End::Stop => self.stop()?,
            End::ShutDown => self.shut_down()?,
        }
        self.followed = None;
        self.factory = None;
        self.readers.let_go();
        self.run()?;
        // Informers linger, and handlers that panicked have their pauses.
        if let Host::Factory(seconds @ 1..=3600) = self.scenario.host {
            self.platform.advance(Duration::from_secs(seconds));
            self.run()?;
        }
        for _ in 0..200 {
            if self.may_pause && self.platform.running_tasks() > 0 {
                self.platform.advance(Duration::from_secs(1));
                self.run()?;
            }
        }
        self.may_pause = false;
        self.check_nothing_is_left()?;
        let requests = self.wire.requests();
        self.platform.advance(Duration::from_secs(10 * 24 * 3600));
        self.run()?;
        if self.wire.requests() != requests {
            return Err("requests are sent for an informer that is gone".to_owned());
        }
        self.problems.first().map_or(Ok(()), Err)
    }

    fn stop(&mut self) -> Result<(), String> {
        let Some(informer) = self.informer() else { return Ok(()) };
        informer.stop();
        self.run()?;
        if !informer.is_stopped() {
            return Err("it was stopped, and is not".to_owned());
        }
        let requests = self.wire.requests();
        self.platform.advance(Duration::from_secs(3600));
        self.run()?;
        if self.wire.requests() != requests || !self.wire.open().is_empty() {
            return Err("it was stopped, and goes on".to_owned());
        }
        note("end", "stopped");
        Ok(())
    }

    fn shut_down(&mut self) -> Result<(), String> {
        let Some(factory) = self.factory.clone() else { return self.stop() };
        let done = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&done);
        self.platform.spawn(Box::pin(async move {
            factory.shut_down().await;
            told.store(true, Ordering::Relaxed);
        }));
        for _ in 0..100 {
            self.run()?;
            if done.load(Ordering::Relaxed) {
                note("end", "shut down");
                return Ok(());
            }
            self.platform.advance(Duration::from_secs(1));
        }
        Err("the factory does not come down".to_owned())
    }
}
