//! Informers by what they follow.

use std::{
    any::{Any, TypeId},
    fmt,
    ops::Deref,
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use rustc_hash::FxHashMap;

use super::{
    CacheSync, IdentityCheck, InformerOptions, ObjectSource, SameCluster, Selection, SharedInformer, TableInformer, lock::lock,
};
use crate::{
    clients::{ResourceClient, TableClient},
    meta::{GroupVersionResource, Namespace},
    object::{Compact, Kind, Object, PartialObjectMetadata, Unstructured, WireObject},
    platform::{BoxFuture, MaybeSend, MaybeSync},
    reflector::ReflectorOptions,
    rest::{PathError, RestClient},
    wire::TableRow,
};

/// What all informers of a factory have in common.
#[derive(Clone)]
pub struct FactoryOptions {
    /// The namespace whose objects they follow; empty for all. Resources of the whole cluster are followed whole.
    pub namespace: Namespace,
    /// The part of each collection.
    pub selection: Selection,
    /// How their reflectors go about it.
    pub reflector: ReflectorOptions,
    /// For how long an informer runs on when its last handle is gone. client-go's run until the factory is shut down:
    /// [`Duration::MAX`].
    pub linger: Duration,
    /// Tells which cluster answers after an outage.
    pub identity: Arc<dyn IdentityCheck>,
}

impl Default for FactoryOptions {
    fn default() -> Self {
        Self {
            namespace: Namespace::default(),
            selection: Selection::default(),
            reflector: ReflectorOptions::default(),
            linger: Duration::ZERO,
            identity: Arc::new(SameCluster),
        }
    }
}

/// Makes informers, one for each resource, namespace, selection and form of object, however many ask for it (client-go
/// `informers/factory.go`, `dynamic/dynamicinformer`, `metadata/metadatainformer`). Clones are the same factory.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     fake::FakeApiServer,
///     informer::{FactoryOptions, SharedInformerFactory},
///     meta::GroupVersionResource,
///     platform::{FakePlatform, ready},
/// };
///
/// let platform = FakePlatform::default();
/// let server = FakeApiServer::new(Arc::new(platform.clone()));
/// let factory = SharedInformerFactory::new(server.client(), FactoryOptions::default());
/// let namespaces = || factory.metadata(GroupVersionResource::new("", "v1", "namespaces"), false);
/// let (one, other) = (namespaces(), namespaces());
/// factory.start();
/// platform.run();
///
/// assert!(ready(factory.wait_for_cache_sync()).iter().all(|(_, synced)| *synced));
/// assert!(one.indexer().find("kube-system").is_some() && other.indexer().find("default").is_some());
/// // It was the same informer, which is there as long as somebody has it.
/// assert_eq!(server.requests().len(), 1);
/// drop((one, other));
/// platform.run();
/// assert_eq!(server.open_watches(), 0);
/// ```
#[derive(Clone)]
pub struct SharedInformerFactory {
    inner: Arc<Inner>,
}

struct Inner {
    client: RestClient,
    options: FactoryOptions,
    slots: Mutex<Slots>,
}

#[derive(Default)]
struct Slots {
    informers: FxHashMap<InformerKey, Slot>,
    uses: u64,
    shut_down: bool,
}

struct Slot {
    informer: Box<dyn AnyInformer>,
    used: Weak<Use>,
    /// Which of its uses, one after the other, this is.
    generation: u64,
}

/// What tells one informer of a factory from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InformerKey {
    form: TypeId,
    /// What it follows.
    pub resource: GroupVersionResource,
    /// Where; empty for the whole cluster.
    pub namespace: Namespace,
    /// Which part.
    pub selection: Selection,
}

/// A handle of an informer, which counts as a user of it.
pub struct InformerHandle<I> {
    informer: I,
    used: Arc<Use>,
}

impl<I> Deref for InformerHandle<I> {
    type Target = I;

    fn deref(&self) -> &I {
        &self.informer
    }
}

impl<I> AsRef<I> for InformerHandle<I> {
    fn as_ref(&self) -> &I {
        &self.informer
    }
}

impl<I: Clone> Clone for InformerHandle<I> {
    fn clone(&self) -> Self {
        Self { informer: self.informer.clone(), used: Arc::clone(&self.used) }
    }
}

impl<I: fmt::Debug> fmt::Debug for InformerHandle<I> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "InformerHandle({:?}, {:?})", self.used.key, self.informer)
    }
}

/// The users of an informer. Once the last is gone the factory hears of it.
struct Use {
    factory: Weak<Inner>,
    key: InformerKey,
    generation: u64,
}

impl Drop for Use {
    fn drop(&mut self) {
        let Some(factory) = self.factory.upgrade() else { return };
        let (key, generation, linger) = (self.key.clone(), self.generation, factory.options.linger);
        if linger.is_zero() {
            factory.end(&key, generation);
        } else if linger < Duration::MAX {
            let platform = Arc::clone(factory.client.platform());
            let factory = Weak::clone(&self.factory);
            let sleep = platform.sleep(linger);
            platform.spawn(Box::pin(async move {
                sleep.await;
                if let Some(factory) = factory.upgrade() {
                    factory.end(&key, generation);
                }
            }));
        }
    }
}

impl Inner {
    /// Lets go of an informer that nobody has asked for since.
    fn end(&self, key: &InformerKey, generation: u64) {
        let ended = {
            let mut slots = lock(&self.slots);
            let unused = slots.informers.get(key).is_some_and(|slot| slot.generation == generation);
            if unused { slots.informers.remove(key) } else { None }
        };
        // Its readers may ask the factory for something when they go.
        drop(ended);
    }
}

impl SharedInformerFactory {
    /// A factory of informers over `client`.
    #[must_use]
    pub fn new(client: RestClient, options: FactoryOptions) -> Self {
        Self { inner: Arc::new(Inner { client, options, slots: Mutex::default() }) }
    }

    /// The informer of a kind whose place is known, as its type.
    #[must_use]
    pub fn typed<K: WireObject + Kind>(&self) -> InformerHandle<SharedInformer<K>> {
        self.objects(K::resource(), K::NAMESPACED)
    }

    /// The same, with objects kept as text and decoded when they are read.
    #[must_use]
    pub fn compact<K: WireObject + Kind>(&self) -> InformerHandle<SharedInformer<Compact<K>>> {
        self.objects(K::resource(), K::NAMESPACED)
    }

    /// The informer of any resource, with whole objects.
    #[must_use]
    pub fn dynamic(&self, resource: GroupVersionResource, namespaced: bool) -> InformerHandle<SharedInformer<Unstructured>> {
        self.objects(resource, namespaced)
    }

    /// The informer of any resource, with the metadata of its objects alone.
    #[must_use]
    pub fn metadata(
        &self,
        resource: GroupVersionResource,
        namespaced: bool,
    ) -> InformerHandle<SharedInformer<PartialObjectMetadata>> {
        self.objects(resource, namespaced)
    }

    /// The informer of any resource, in the form `K`.
    #[must_use]
    pub fn objects<K: WireObject>(&self, resource: GroupVersionResource, namespaced: bool) -> InformerHandle<SharedInformer<K>> {
        let FactoryOptions { namespace, selection, reflector, identity, .. } = &self.inner.options;
        let client = self.inner.client.clone();
        self.request(self.key::<K>(&resource, namespaced), || {
            let platform = Arc::clone(client.platform());
            let client = if namespaced {
                ResourceClient::namespaced(client, resource, namespace.clone())
            } else {
                ResourceClient::cluster(client, resource)
            };
            let source = ObjectSource::new(client, selection.clone(), Arc::clone(identity));
            let options = InformerOptions { reflector: reflector.clone(), ..InformerOptions::default() };
            SharedInformer::new(platform, source, options)
        })
    }

    /// The informer of the server's own table of any resource.
    ///
    /// # Errors
    /// Where the resource cannot be a part of a path.
    pub fn table(&self, resource: &GroupVersionResource, namespaced: bool) -> Result<InformerHandle<TableInformer>, PathError> {
        let FactoryOptions { namespace, selection, reflector, identity, .. } = &self.inner.options;
        let client = self.inner.client.clone();
        let tables = if namespaced {
            TableClient::namespaced(client, resource, namespace.clone())?
        } else {
            TableClient::cluster(client, resource)?
        };
        Ok(self.request(self.key::<TableRow>(resource, namespaced), || {
            TableInformer::new(tables, selection.clone(), reflector.following, Arc::clone(identity))
        }))
    }

    /// Starts every informer that was asked for and does not run yet. May be called again; after the factory was shut down it does
    /// nothing.
    pub fn start(&self) {
        let slots = lock(&self.inner.slots);
        if !slots.shut_down {
            slots.informers.values().for_each(|slot| slot.informer.begin());
        }
    }

    /// Ends once each informer has its first whole list, or has stopped; gives back which has.
    pub async fn wait_for_cache_sync(&self) -> Vec<(InformerKey, bool)> {
        let waiting: Vec<_> = {
            let slots = lock(&self.inner.slots);
            slots.informers.iter().map(|(key, slot)| (key.clone(), slot.informer.first_list())).collect()
        };
        let mut synced = Vec::new();
        for (key, first_list) in waiting {
            synced.push((key, first_list.await));
        }
        synced
    }

    /// The first whole lists of the informers that were asked for, for [`wait_for_sync`](super::wait_for_sync): each has the name
    /// of its resource.
    #[must_use]
    pub fn caches(&self) -> Vec<CacheSync> {
        let slots = lock(&self.inner.slots);
        let cache = |(key, slot): (&InformerKey, &Slot)| {
            CacheSync::new(key.resource.group_resource().to_string(), slot.informer.first_list())
        };
        slots.informers.iter().map(cache).collect()
    }

    /// Stops all informers and ends once their handlers have handled all they were told. No informer of this factory starts any
    /// more.
    pub async fn shut_down(&self) {
        let ends: Vec<_> = {
            let mut slots = lock(&self.inner.slots);
            slots.shut_down = true;
            slots.informers.values().map(|slot| slot.informer.end()).collect()
        };
        for end in ends {
            end.await;
        }
    }

    fn key<T: Object>(&self, resource: &GroupVersionResource, namespaced: bool) -> InformerKey {
        let FactoryOptions { namespace, selection, .. } = &self.inner.options;
        let namespace = if namespaced { namespace.clone() } else { Namespace::default() };
        InformerKey { form: TypeId::of::<T>(), resource: resource.clone(), namespace, selection: selection.clone() }
    }

    fn request<I: AnyInformer + Clone>(&self, key: InformerKey, make: impl FnOnce() -> I) -> InformerHandle<I> {
        let mut slots = lock(&self.inner.slots);
        if let Some(slot) = slots.informers.get(&key)
            && let Some(informer) = slot.informer.as_any().downcast_ref::<I>().cloned()
            && let Some(used) = slot.used.upgrade()
        {
            return InformerHandle { informer, used };
        }
        slots.uses += 1;
        let generation = slots.uses;
        let used = Arc::new(Use { factory: Arc::downgrade(&self.inner), key: key.clone(), generation });
        let lingering = slots.informers.get(&key).and_then(|slot| slot.informer.as_any().downcast_ref::<I>().cloned());
        let informer = lingering.unwrap_or_else(make);
        slots.informers.insert(key, Slot { informer: Box::new(informer.clone()), used: Arc::downgrade(&used), generation });
        InformerHandle { informer, used }
    }
}

/// An informer of whatever form.
trait AnyInformer: MaybeSend + MaybeSync + 'static {
    fn as_any(&self) -> &dyn Any;
    fn begin(&self);
    /// Ends with whether there is a whole list, once there is or there will be none.
    fn first_list(&self) -> BoxFuture<'static, bool>;
    fn end(&self) -> BoxFuture<'static, ()>;
}

impl<T: Object> AnyInformer for SharedInformer<T> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn begin(&self) {
        self.start();
    }

    fn first_list(&self) -> BoxFuture<'static, bool> {
        let informer = self.clone();
        Box::pin(async move { informer.synced_or_ended().await })
    }

    fn end(&self) -> BoxFuture<'static, ()> {
        self.stop();
        let informer = self.clone();
        Box::pin(async move { informer.stopped().await })
    }
}

impl AnyInformer for TableInformer {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn begin(&self) {
        self.rows().begin();
    }

    fn first_list(&self) -> BoxFuture<'static, bool> {
        self.rows().first_list()
    }

    fn end(&self) -> BoxFuture<'static, ()> {
        self.rows().end()
    }
}
