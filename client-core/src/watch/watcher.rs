//! What opens watches.

use crate::{
    clients::ResourceClient,
    object::WireObject,
    platform::{BoxFuture, BoxStream, MaybeSend},
    rest::{ApiError, ListOptions, WatchError},
    wire::WatchEvent,
};

/// The events of one watch. Dropping it ends the watch.
pub type WatchEvents<K> = BoxStream<'static, Result<WatchEvent<K>, WatchError>>;

/// What opens watches (client-go `tools/cache/listwatch.go`, `WatcherWithContext`): a client, or a closure around one.
///
/// ```
/// use std::sync::Arc;
/// use futures::StreamExt as _;
/// use porthole_client_core::{
///     clients::ResourceClient,
///     fake::FakeApiServer,
///     meta::GroupVersionResource,
///     object::PartialObjectMetadata,
///     platform::{BoxFuture, FakePlatform, Platform, ready},
///     rest::{ApiError, ListOptions},
///     watch::{RetryWatcher, WatchEvents, Watcher},
/// };
///
/// let platform: Arc<dyn Platform> = Arc::new(FakePlatform::default());
/// let server = FakeApiServer::new(Arc::clone(&platform));
/// let pods = GroupVersionResource::new("", "v1", "pods");
/// let mut pods = ResourceClient::<PartialObjectMetadata>::namespaced(server.client(), pods, "default");
/// let told = move |options: ListOptions| -> BoxFuture<'static, Result<WatchEvents<PartialObjectMetadata>, ApiError>> {
///     println!("a watch from {:?} on", options.resource_version);
///     pods.open(options)
/// };
/// let mut watch = RetryWatcher::new(platform, told, server.resource_version())?;
/// server.apply_json(r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0"}}"#)?;
/// assert!(matches!(ready(watch.next()), Some(Ok(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Watcher<K>: MaybeSend + 'static {
    /// Opens a watch.
    ///
    /// # Errors
    /// Where the server refuses or cannot be reached.
    fn open(&mut self, options: ListOptions) -> BoxFuture<'static, Result<WatchEvents<K>, ApiError>>;
}

impl<K: WireObject> Watcher<K> for ResourceClient<K> {
    fn open(&mut self, options: ListOptions) -> BoxFuture<'static, Result<WatchEvents<K>, ApiError>> {
        let client = self.clone();
        Box::pin(async move {
            let events: WatchEvents<K> = Box::pin(client.watch(&options).await?);
            Ok(events)
        })
    }
}

impl<K, F> Watcher<K> for F
where
    F: FnMut(ListOptions) -> BoxFuture<'static, Result<WatchEvents<K>, ApiError>> + MaybeSend + 'static,
{
    fn open(&mut self, options: ListOptions) -> BoxFuture<'static, Result<WatchEvents<K>, ApiError>> {
        self(options)
    }
}
