//! What a reflector puts into a queue, and what it needs to know for that.

use std::sync::Arc;

use super::Popped;
use crate::{
    meta::ResourceVersion,
    object::Object,
    platform::{MaybeSend, MaybeSync},
    store::{Fresh, Key, SharedIndexer},
};

/// What the consumer of a queue has (client-go `tools/cache/delta_fifo.go`, `KeyListerGetter`): what a list does not bring is to
/// be deleted there. `()` knows nothing.
///
/// It must have taken in all that came out of the queue when it is asked, or an object that is on its way between the two is
/// forgotten: a queue that is shared by tasks is emptied by [`SharedQueue::process`](super::SharedQueue::process).
pub trait KnownObjects<T> {
    /// The keys of all objects.
    fn keys(&self) -> Vec<Key>;

    /// The object of this key.
    fn find(&self, key: &Key) -> Option<Arc<T>>;
}

impl<T> KnownObjects<T> for () {
    fn keys(&self) -> Vec<Key> {
        Vec::new()
    }

    fn find(&self, _key: &Key) -> Option<Arc<T>> {
        None
    }
}

impl<T: Object> KnownObjects<T> for SharedIndexer<T> {
    fn keys(&self) -> Vec<Key> {
        self.keys()
    }

    fn find(&self, key: &Key) -> Option<Arc<T>> {
        self.find(key.as_str())
    }
}

/// Changes an object before it is queued, mostly to make it smaller (client-go `tools/cache/delta_fifo.go`, `TransformFunc`). It
/// sees each object once, before anyone else does. The key is made before it: an object keeps that, whatever it loses.
pub trait Transform<T>: Fn(&mut T) + MaybeSend + MaybeSync + 'static {}
impl<T, F: Fn(&mut T) + MaybeSend + MaybeSync + 'static> Transform<T> for F {}

/// A queue of what happens to the objects of a collection (client-go `tools/cache/fifo.go`, `Queue`, and
/// `tools/cache/reflector.go`, `ReflectorStore`).
///
/// A list is put in whole, by [`replace`](Self::replace), or as it comes, between [`begin_replace`](Self::begin_replace) and
/// [`end_replace`](Self::end_replace): its first objects are there before its last one is.
pub trait Queue<T: Object>: MaybeSend {
    /// An object is new.
    fn add(&mut self, object: impl Into<Fresh<T>>);

    /// An object changed.
    fn update(&mut self, object: impl Into<Fresh<T>>);

    /// The server said that an object is gone, and what it was last.
    fn delete(&mut self, object: impl Into<Fresh<T>>, known: &dyn KnownObjects<T>);

    /// The object of this key is gone, and nobody saw what it was last: it was `last` when it was last seen.
    fn delete_unseen(&mut self, key: Key, last: Option<Arc<T>>, known: &dyn KnownObjects<T>);

    /// A whole list: what it does not have is gone. An open replacement is dropped.
    fn replace(
        &mut self,
        objects: impl IntoIterator<Item = impl Into<Fresh<T>>>,
        resource_version: ResourceVersion,
        known: &dyn KnownObjects<T>,
    ) {
        self.begin_replace();
        for object in objects {
            self.replace_item(object);
        }
        self.end_replace(resource_version, known);
    }

    /// A list begins. Where one was open already, it starts over: what that one brought so far is not enough to stay.
    fn begin_replace(&mut self);

    /// An object of the list.
    fn replace_item(&mut self, object: impl Into<Fresh<T>>);

    /// The list is whole: what neither it nor an addition or update since its begin brought is gone, and what was deleted since
    /// then as well. Without an open replacement nothing happens.
    fn end_replace(&mut self, resource_version: ResourceVersion, known: &dyn KnownObjects<T>);

    /// All that happened up to this version has been put in. Queues that cannot hand that on in order pass it over.
    fn bookmark(&mut self, resource_version: ResourceVersion);

    /// Has the consumer look at all objects again for which nothing is queued.
    fn resync(&mut self, known: &dyn KnownObjects<T>);

    /// All objects are gone, the queued ones too: they belong to another cluster. An open replacement is dropped. It is no list:
    /// whether the first one has been taken out does not change. client-go has no such call; it is a list of nothing, at once.
    fn clear(&mut self, known: &dyn KnownObjects<T>);

    /// Takes out what comes next, or nothing where nothing is queued.
    fn pop(&mut self) -> Option<Popped<T>>;

    /// Whether all of the first list has been taken out: `false` for a queue that nothing was put into, `true` at once where
    /// something was put in before any list.
    fn has_synced(&self) -> bool;

    /// How much is queued.
    fn len(&self) -> usize;

    /// Whether nothing is queued.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Marks the queue as closed: whoever waits for more shall wait no longer. What is queued can still be taken out.
    fn close(&mut self);

    /// Whether it is closed.
    fn is_closed(&self) -> bool;
}
