//! How an informer is made.

use std::time::Duration;

use super::Intake;
use crate::{
    object::Object,
    platform::MaybeSend,
    reflector::{Failure, ReflectorOptions},
    store::SharedIndexer,
};

/// Is told of each failed request and of each error that a watch reports (client-go `WatchErrorHandler`).
pub trait WatchErrorHandler: FnMut(&Failure) + MaybeSend + 'static {}
impl<F: FnMut(&Failure) + MaybeSend + 'static> WatchErrorHandler for F {}

/// How an informer is made (client-go `SharedIndexInformerOptions`).
pub struct InformerOptions<T> {
    /// How its reflector goes about it.
    pub reflector: ReflectorOptions,
    /// What its changes pass through. A transform belongs to the queue.
    pub intake: Intake<T>,
    /// The cache; it may have indexes, and no objects.
    pub indexer: SharedIndexer<T>,
    /// How often it looks whether a handler is due for a resync; `None` for never, until a handler wants it.
    pub resync_check: Option<Duration>,
    /// What is told of failures.
    pub watch_error_handler: Option<Box<dyn WatchErrorHandler>>,
}

impl<T: Object> Default for InformerOptions<T> {
    fn default() -> Self {
        Self {
            reflector: ReflectorOptions::default(),
            intake: Intake::default(),
            indexer: SharedIndexer::default(),
            resync_check: None,
            watch_error_handler: None,
        }
    }
}
