//! One operation after the other.

use std::time::Duration;

use super::{
    cluster::Written,
    form::Form,
    indexes,
    operation::{Manner, Operation},
    scenario::Host,
    tally::note,
    trouble::Upset,
    world::World,
};
use crate::{platform::Platform as _, reflector::Signal};

impl<T: Form> World<T> {
    /// Does it, and takes offence at what does not fit then.
    pub(super) fn perform(&mut self, operation: Operation) -> Result<(), String> {
        if self.does(operation)? {
            note("operation", operation.name());
        }
        self.check_at_any_time()
    }

    /// Does it; gives back whether there was anything to do.
    fn does(&mut self, operation: Operation) -> Result<bool, String> {
        match operation {
            Operation::Write { object, colour } => {
                note(
                    "write",
                    match self.cluster.write(object, colour) {
                        Written::Created => "created",
                        Written::Updated => "updated",
                        Written::Entered => "came to be selected",
                        Written::Left => "came to be selected no more",
                    },
                );
            }
            Operation::WriteUnreadable { object, flaw } => self.cluster.write_unreadable(object, flaw),
            Operation::Delete { object } => return Ok(self.cluster.delete(object)),
            Operation::Recreate { object, colour } => {
                let was_there = self.cluster.delete(object);
                self.cluster.write(object, colour);
                return Ok(was_there);
            }
            Operation::WriteElsewhere => self.cluster.write_elsewhere(),
            Operation::SendBookmarks => self.cluster.server.send_bookmarks(),
            Operation::Columns(count) => {
                self.cluster.set_columns(count);
                self.columns_are_news = true;
            }
            Operation::EndWatches => {
                let open = self.cluster.server.open_watches() > 0;
                self.cluster.server.end_watches();
                return Ok(open);
            }
            Operation::Upset(upset) => return Ok(self.upset(upset)),
            Operation::Compact => self.cluster.server.compact(&self.cluster.server.resource_version()),
            Operation::CompactStates => self.cluster.server.compact_states(&self.cluster.server.resource_version()),
            Operation::Trouble(target, trouble) => self.wire.plan(target, trouble),
            Operation::ReplaceCluster => {
                self.run()?;
                return Ok(self.replace_cluster());
            }
            Operation::Turns(count) => return Ok((0..count).filter(|_| self.platform.turn()).count() > 0),
            Operation::Rest => self.rest()?,
            Operation::Pass { milliseconds } => self.platform.advance(Duration::from_millis(milliseconds)),
            Operation::NextTimer => {
                let next = self.platform.next_timer();
                self.platform.advance(next.unwrap_or_default());
                return Ok(next.is_some());
            }
            Operation::Settle => self.settle()?,
            Operation::Woken => return Ok(self.signal(Signal::Woken)),
            Operation::Retry => return Ok(self.signal(Signal::Retry)),
            Operation::Suspend => return Ok(self.signal(Signal::Suspend)),
            Operation::Resume => return Ok(self.signal(Signal::Resume)),
            Operation::LetGo => return self.let_go(),
            Operation::AskAgain => return self.ask_again(),
            operation => return Ok(self.listen(operation)),
        }
        Ok(true)
    }

    /// Operations of those who listen.
    fn listen(&mut self, operation: Operation) -> bool {
        let Some(informer) = self.informer() else { return false };
        let readers = &mut self.readers;
        match operation {
            Operation::Subscribe => readers.subscribe(&informer),
            Operation::Unsubscribe(which) => return readers.unsubscribe(usize::from(which), &informer),
            Operation::Handler(manner) => {
                self.may_pause |= manner == Manner::Panicking;
                return readers.handle(manner, &informer).is_ok();
            }
            Operation::RemoveHandler(which) => return readers.remove_handler(usize::from(which), &informer),
            Operation::Stream => return readers.stream(&informer).is_ok(),
            Operation::PollStream { stream, most } => return readers.poll_stream(usize::from(stream), usize::from(most)),
            Operation::DropStream(which) => return readers.drop_stream(usize::from(which)),
            Operation::AddIndex => return indexes::add_late(informer.indexer()),
            _ => return false,
        }
        true
    }

    fn upset(&self, upset: Upset) -> bool {
        let open = self.cluster.server.open_watches() > 0;
        if open {
            note("disturbance", upset.name());
            self.cluster.server.disturb_watches(upset.disturbance());
        }
        if upset == Upset::Stall {
            self.wire.silence();
        }
        open
    }

    pub(super) fn signal(&self, signal: Signal) -> bool {
        self.informer().inspect(|informer| informer.signal(signal)).is_some()
    }

    /// The last who uses the informer goes.
    fn let_go(&mut self) -> Result<bool, String> {
        if self.followed.take().is_none() {
            return Ok(false);
        }
        self.let_go = self.platform.now();
        if matches!(self.scenario.host, Host::Alone | Host::Factory(0)) {
            self.run()?;
            self.check_nothing_is_left()?;
        }
        Ok(true)
    }

    /// Somebody uses it again: the same, where it is still there.
    fn ask_again(&mut self) -> Result<bool, String> {
        if self.followed.is_some() {
            return Ok(false);
        }
        self.run()?;
        let waited = self.platform.now().since(self.let_go);
        let kept = match self.scenario.host {
            Host::Alone => false,
            Host::Factory(seconds) => waited < Duration::from_secs(seconds),
        };
        let alive = self.life.strong_count() > 0;
        if alive != kept {
            return Err(format!("after {waited:?} without a user, is the informer there? {alive}"));
        }
        note("ask", if alive { "the same informer" } else { "another informer" });
        self.follow();
        Ok(true)
    }
}
