//! Handlers: each is told everything in order, at its own pace.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use futures::StreamExt as _;

use super::{Change, ChangeStream};
use crate::{
    object::Object,
    platform::{MaybeSend, Platform},
};

/// How long a handler that panicked is left alone (client-go's `processorListener` waits as long).
const PAUSE_AFTER_PANIC: Duration = Duration::from_secs(1);

/// Is told what happens to the objects of an informer (client-go `tools/cache/controller.go`, `ResourceEventHandler`). What it does
/// not care for it leaves out.
pub trait EventHandler<T>: MaybeSend + 'static {
    /// An object is new; or it was there before (`is_in_initial_list`).
    fn on_add(&mut self, object: &Arc<T>, is_in_initial_list: bool) {
        let _ = (object, is_in_initial_list);
    }

    /// An object changed; or it is told again as it was, where the handler asked for resyncs.
    fn on_update(&mut self, before: &Arc<T>, after: &Arc<T>) {
        let _ = (before, after);
    }

    /// An object is gone. What it was last may be old, where it went unseen.
    fn on_delete(&mut self, last: &Arc<T>, is_final_state_unknown: bool) {
        let _ = (last, is_final_state_unknown);
    }
}

/// Calls the method of `handler` for `change`.
pub(super) fn tell<T>(handler: &mut (impl EventHandler<T> + ?Sized), change: &Change<T>) {
    match change {
        Change::Added { object, is_in_initial_list, .. } => handler.on_add(object, *is_in_initial_list),
        Change::Updated { before, after, .. } => handler.on_update(before, after),
        Change::Deleted { last, is_final_state_unknown, .. } => handler.on_delete(last, *is_final_state_unknown),
    }
}

/// A handler that tells another of the objects that pass alone (client-go `FilteringResourceEventHandler`): one that comes to pass is
/// new to it, one that passes no more is gone.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use porthole_client_core::{
///     informer::{EventHandler, Filtering, HandlerFuncs},
///     meta::ObjectMeta,
///     object::{Object as _, PartialObjectMetadata},
/// };
///
/// let pod = |app: &str| {
///     let labels = [("app".to_owned(), app.to_owned())].into();
///     Arc::new(PartialObjectMetadata::new(ObjectMeta { name: "pod".into(), labels, ..ObjectMeta::default() }))
/// };
/// let shown = Arc::new(Mutex::new(0));
/// let (up, down) = (Arc::clone(&shown), Arc::clone(&shown));
/// let handler = HandlerFuncs::new()
///     .on_add(move |_: &Arc<PartialObjectMetadata>, _| *up.lock().unwrap() += 1)
///     .on_delete(move |_, _| *down.lock().unwrap() -= 1);
/// let mut web = Filtering::new(|pod: &PartialObjectMetadata| pod.labels()["app"] == "web", handler);
///
/// web.on_add(&pod("db"), false);
/// assert_eq!(*shown.lock().unwrap(), 0);
/// web.on_update(&pod("db"), &pod("web"));
/// assert_eq!(*shown.lock().unwrap(), 1);
/// web.on_update(&pod("web"), &pod("db"));
/// assert_eq!(*shown.lock().unwrap(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Filtering<F, H> {
    filter: F,
    handler: H,
}

impl<F, H> Filtering<F, H> {
    /// Tells `handler` of what `filter` lets pass.
    pub const fn new(filter: F, handler: H) -> Self {
        Self { filter, handler }
    }
}

impl<T: 'static, F, H> EventHandler<T> for Filtering<F, H>
where
    F: Fn(&T) -> bool + MaybeSend + 'static,
    H: EventHandler<T>,
{
    fn on_add(&mut self, object: &Arc<T>, is_in_initial_list: bool) {
        if (self.filter)(object) {
            self.handler.on_add(object, is_in_initial_list);
        }
    }

    fn on_update(&mut self, before: &Arc<T>, after: &Arc<T>) {
        match ((self.filter)(before), (self.filter)(after)) {
            (true, true) => self.handler.on_update(before, after),
            (false, true) => self.handler.on_add(after, false),
            (true, false) => self.handler.on_delete(before, false),
            (false, false) => {}
        }
    }

    fn on_delete(&mut self, last: &Arc<T>, is_final_state_unknown: bool) {
        if (self.filter)(last) {
            self.handler.on_delete(last, is_final_state_unknown);
        }
    }
}

/// Calls `handle` for each change until the stream ends. A panic costs the change it came with and a pause, and nothing else.
pub(super) async fn run_handler<T: Object>(
    platform: Arc<dyn Platform>,
    mut changes: ChangeStream<T>,
    mut handle: impl FnMut(&Change<T>) + MaybeSend,
) {
    while let Some(change) = changes.next().await {
        // What panicked has told of it by the panic hook.
        if catch_unwind(AssertUnwindSafe(|| handle(&change))).is_err() {
            platform.sleep(PAUSE_AFTER_PANIC).await;
        }
    }
}
