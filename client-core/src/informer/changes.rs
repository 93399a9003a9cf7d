//! Changes, one after the other, at the pace of who takes them.

use std::{
    pin::Pin,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use futures::{Stream, StreamExt as _, channel::mpsc};

use super::{
    Change, News,
    latch::Latch,
    reader::Roll,
    turn::{Cache, Task},
};
use crate::object::Object;

/// What happens to the objects of an informer, for one who takes it at its own pace: nothing is lost, dropped or reordered, and who
/// is slow costs memory and hinders nobody (client-go `tools/cache/shared_informer.go`, `processorListener`). Dropping it takes its
/// reader off.
///
/// ```
/// use std::sync::Arc;
/// use futures::StreamExt as _;
/// use porthole_client_core::{
///     fake::FakeApiServer,
///     informer::{Change, FactoryOptions, SharedInformerFactory},
///     meta::GroupVersionResource,
///     object::Object as _,
///     platform::{FakePlatform, ready},
/// };
///
/// let platform = FakePlatform::default();
/// let server = FakeApiServer::new(Arc::new(platform.clone()));
/// let factory = SharedInformerFactory::new(server.client(), FactoryOptions::default());
/// let maps = factory.metadata(GroupVersionResource::new("", "v1", "configmaps"), true);
/// let mut changes = maps.changes()?;
/// factory.start();
/// platform.run();
/// server.apply_json(r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"}}"#)?;
/// platform.run();
///
/// let Some(Change::Added { object, is_in_initial_list: false, .. }) = ready(changes.next()) else { panic!() };
/// assert_eq!(object.name(), "settings");
/// // It ends with the informer.
/// maps.stop();
/// platform.run();
/// assert!(ready(changes.next()).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ChangeStream<T: Object> {
    messages: mpsc::UnboundedReceiver<Message<T>>,
    batch: Option<Batch<T>>,
    /// Opens once all that was there at the start has been taken.
    pub(super) synced: Latch,
    pub(super) number: u64,
    roll: Arc<Roll>,
    cache: Weak<Cache<T>>,
}

/// Changes that are being handed out.
struct Batch<T> {
    changes: Arc<Vec<Change<T>>>,
    next: usize,
    /// Whether those are meant that change nothing.
    due: bool,
}

enum Message<T> {
    /// Changes, and whether those are meant that change nothing.
    Changes(Arc<Vec<Change<T>>>, bool),
    /// All that was there at the start has been told.
    Initial,
}

impl<T: Object> ChangeStream<T> {
    /// A stream of what happens to `cache`, and what feeds it; `due` says whether it wants to hear of a resync.
    pub(super) fn new(cache: &Arc<Cache<T>>, due: Arc<AtomicBool>) -> Self {
        let (sender, messages) = mpsc::unbounded();
        let number = cache.roll.enter();
        let mut initial = true;
        let reader = move |news: &News<'_, T>| {
            let due = news.is_resync && due.swap(false, Ordering::AcqRel);
            if !news.changes.is_empty() && (due || !news.is_resync) {
                // Who is gone is taken off with the next task.
                sender.unbounded_send(Message::Changes(Arc::clone(news.changes), due)).ok();
            }
            if news.is_synced && std::mem::take(&mut initial) {
                sender.unbounded_send(Message::Initial).ok();
            }
        };
        cache.ask(Task::Admit(number, Box::new(reader)));
        Self {
            messages,
            batch: None,
            synced: Latch::default(),
            number,
            roll: Arc::clone(&cache.roll),
            cache: Arc::downgrade(cache),
        }
    }
}

impl<T: Object> Stream for ChangeStream<T> {
    type Item = Change<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Change<T>>> {
        let this = &mut *self;
        loop {
            // Who was taken off hears no more, whether the informer is still there or not.
            if !this.roll.has(this.number) {
                return Poll::Ready(None);
            }
            if let Some(batch) = &mut this.batch {
                let change = batch.changes.get(batch.next);
                batch.next += 1;
                match change {
                    Some(change) if !batch.due && change.is_sync() => {}
                    Some(change) => return Poll::Ready(Some(change.clone())),
                    None => this.batch = None,
                }
                continue;
            }
            match ready!(this.messages.poll_next_unpin(context)) {
                Some(Message::Changes(changes, due)) => this.batch = Some(Batch { changes, next: 0, due }),
                Some(Message::Initial) => this.synced.open(),
                None => return Poll::Ready(None),
            }
        }
    }
}

impl<T: Object> Drop for ChangeStream<T> {
    fn drop(&mut self) {
        if let Some(cache) = self.cache.upgrade() {
            cache.leave(self.number);
        }
    }
}
