//! What holds at any time, and what holds once everybody waits.

use std::sync::{Arc, atomic::Ordering};

use super::{
    cluster::{Fresh, Seen},
    form::Form,
    indexes,
    readers::contents,
    world::World,
};
use crate::{reflector::HealthState, store::Key};

/// So many turns without a rest, and nobody comes to rest.
const MOST_TURNS: usize = 100_000;

impl<T: Form> World<T> {
    /// Runs until everybody waits.
    pub(super) fn run(&self) -> Result<(), String> {
        let rests = (0..MOST_TURNS).any(|_| !self.platform.turn());
        if rests { Ok(()) } else { Err("the tasks never come to rest".to_owned()) }
    }

    pub(super) fn check_at_any_time(&mut self) -> Result<(), String> {
        if let Some(informer) = self.informer() {
            let synced = informer.has_synced();
            if self.was_synced && !synced {
                self.problems.report("the first list was there, and then it was not");
            }
            self.was_synced = synced;
            self.readers.check_synced(&informer);
        }
        self.problems.first().map_or(Ok(()), Err)
    }

    /// Runs until everybody waits. Whoever says that he follows the server does, or shows that he does not.
    pub(super) fn rest(&mut self) -> Result<(), String> {
        self.run()?;
        let Some(informer) = self.informer() else { return Ok(()) };
        let open = self.wire.open();
        if open.len() > 1 {
            return Err(format!("{} exchanges are open for one informer", open.len()));
        }
        if informer.health().state == HealthState::Live {
            if open.is_empty() {
                return Err("the informer says that it is live, and nothing is open".to_owned());
            }
            if self.is_followed() && !self.columns_are_news {
                self.check_equal()?;
            }
        }
        indexes::check(informer.indexer())
    }

    /// Whether a watch is open at whose end somebody certainly speaks.
    pub(super) fn is_followed(&self) -> bool {
        let speaks = |exchange: &Arc<super::wire::Exchange>| {
            exchange.watch && exchange.opened.load(Ordering::Relaxed) && !exchange.silent.load(Ordering::Relaxed)
        };
        self.wire.open().iter().any(speaks)
    }

    /// The cache is what a client of its own lists.
    pub(super) fn check_equal(&self) -> Result<(), String> {
        let Some(informer) = self.informer() else { return Ok(()) };
        let wanted = T::fresh(&self.cluster, &self.selection);
        let found = informer.indexer().read(|cache| {
            let seen = |object: &T| Seen {
                uid: object.uid().to_owned(),
                version: object.resource_version().to_owned(),
                content: object.content(),
            };
            cache.iter_unsorted().map(|(key, object)| (key.as_str().to_owned(), seen(object))).collect()
        });
        let bad = informer.faults();
        let found = Fresh {
            objects: found,
            unreadable: bad
                .iter()
                .map(|bad| Key::of_name(bad.namespace.as_str(), bad.name.as_str()).as_str().to_owned())
                .collect(),
            columns: self.followed.as_ref().and_then(super::form::Followed::columns),
        };
        if found == wanted {
            return Ok(());
        }
        Err(format!("the cache has {found:#?}\nand the server {wanted:#?}\nthe informer: {:#?}", informer.health()))
    }

    /// Whoever listens knows what the cache has.
    pub(super) fn check_readers(&mut self) -> Result<(), String> {
        let Some(informer) = self.informer() else { return Ok(()) };
        self.readers.drain_streams();
        self.readers.check_equal(&informer.indexer().read(|cache| contents(cache.iter_unsorted())));
        indexes::check(informer.indexer())?;
        self.check_at_any_time()
    }

    /// Nobody uses the informer: nothing runs, waits or is open. A handler that panicked rests for a moment.
    pub(super) fn check_nothing_is_left(&mut self) -> Result<(), String> {
        let open = (self.wire.open().len(), self.cluster.server.open_watches());
        if open != (0, 0) {
            return Err(format!("{open:?} exchanges and watches are left"));
        }
        if self.may_pause {
            return Ok(());
        }
        let left = (self.platform.running_tasks(), self.platform.pending_timers());
        if left == (0, 0) { Ok(()) } else { Err(format!("{left:?} tasks and timers are left")) }
    }
}
