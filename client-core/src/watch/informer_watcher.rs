//! What an informer tells, as a watch.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures::{Stream, StreamExt as _};

use crate::{
    informer::{Change, ChangeStream, InformerError, SharedInformer},
    object::Object,
    rest::WatchError,
    wire::WatchEvent,
};

/// What an informer tells, as the events of a watch (client-go `tools/watch/informerwatcher.go`, `NewIndexerInformerWatcher`). What
/// is in its cache comes first, as added. There are no bookmarks; what is gone comes with what it was last, as far as is known; and
/// what breaks is the informer's affair. It ends with the informer. Dropping it lets go of the informer, which ends where nobody
/// else has it.
///
/// ```
/// use std::sync::Arc;
/// use futures::StreamExt as _;
/// use porthole_client_core::{
///     clients::ResourceClient,
///     fake::FakeApiServer,
///     informer::{InformerOptions, ObjectSource, SameCluster, Selection, SharedInformer},
///     meta::GroupVersionResource,
///     object::{Object as _, Unstructured},
///     platform::{FakePlatform, ready},
///     watch::InformerWatcher,
///     wire::WatchEvent,
/// };
///
/// let platform = FakePlatform::default();
/// let server = FakeApiServer::new(Arc::new(platform.clone()));
/// server.apply_json(r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"}}"#)?;
///
/// let maps = ResourceClient::namespaced(server.client(), GroupVersionResource::new("", "v1", "configmaps"), "default");
/// let source = ObjectSource::<Unstructured>::new(maps, Selection::default(), Arc::new(SameCluster));
/// let informer = SharedInformer::new(Arc::new(platform.clone()), source, InformerOptions::default());
/// let mut watch = InformerWatcher::new(informer)?;
/// platform.run();
/// let Some(Ok(WatchEvent::Added(map))) = ready(watch.next()) else { panic!() };
/// assert_eq!(map.name(), "settings");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct InformerWatcher<K: Object> {
    // It takes its reader off before the informer goes.
    changes: ChangeStream<K>,
    informer: SharedInformer<K>,
}

impl<K: Object> std::fmt::Debug for InformerWatcher<K> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("InformerWatcher").field(&self.informer).finish()
    }
}

impl<K: Object> InformerWatcher<K> {
    /// What `informer` tells. It is started where it was not.
    ///
    /// # Errors
    /// Where it has stopped.
    pub fn new(informer: SharedInformer<K>) -> Result<Self, InformerError> {
        let changes = informer.changes()?;
        informer.start();
        Ok(Self { changes, informer })
    }

    /// The informer, and its cache with it.
    #[must_use]
    pub const fn informer(&self) -> &SharedInformer<K> {
        &self.informer
    }
}

impl<K: Object> Stream for InformerWatcher<K> {
    type Item = Result<WatchEvent<Arc<K>>, WatchError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.changes.poll_next_unpin(context).map(|change| {
            Some(Ok(match change? {
                Change::Added { object, .. } => WatchEvent::Added(object),
                Change::Updated { after, .. } => WatchEvent::Modified(after),
                Change::Deleted { last, .. } => WatchEvent::Deleted(last),
            }))
        })
    }
}
