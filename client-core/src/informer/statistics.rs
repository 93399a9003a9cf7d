//! What an informer costs.

use std::sync::{Arc, Mutex};

use super::lock::lock;
use crate::{platform::Instant, reflector::Traffic};

/// What an informer has asked for and got so far, and what it keeps. All but `objects` only grow: who shows rates subtracts an
/// earlier count. client-go counts some of it by `reflector` metrics (`tools/cache/reflector_metrics.go`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InformerStatistics {
    /// The objects in its cache now.
    pub objects: usize,
    /// The bytes of the bodies of its lists and watches, as they came out of the transport: a host may have got them compressed.
    pub bytes_received: u64,
    /// The events of its watches that brought an object; those that stand for its first list are among them.
    pub events: u64,
    /// The lists that were sent; each page is one.
    pub lists: u64,
    /// The watches that were sent, also those that bring the first list.
    pub watches: u64,
    /// When it was made: from here it counts.
    pub since: Instant,
}

/// The counts of one informer, which its reflector adds to.
#[derive(Clone, Default)]
pub(super) struct Counts(Arc<Mutex<Traffic>>);

impl Counts {
    pub(super) fn add(&self, traffic: &Traffic) {
        lock(&self.0).add(traffic);
    }

    pub(super) fn statistics(&self, objects: usize, since: Instant) -> InformerStatistics {
        let Traffic { bytes_received, events, lists, watches } = *lock(&self.0);
        InformerStatistics { objects, bytes_received, events, lists, watches, since }
    }
}
