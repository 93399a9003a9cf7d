//! A heap between tasks.

use std::{hash::Hash, sync::Arc};

use super::{Closed, KeyedHeap, waiting::Waiting};

/// A [`KeyedHeap`] that one task fills and another waits for (client-go `tools/cache/heap.go`, `Heap`). Clones are the same heap.
///
/// ```
/// use porthole_client_core::{platform::ready, queue::{Closed, Heap}};
///
/// let heap = Heap::new(|name: &&str| *name, |one, other| one.len() < other.len());
/// heap.add_all(["deployment", "pod", "secret"])?;
/// assert_eq!(ready(heap.pop()), Ok("pod"));
/// assert_eq!(heap.delete(&"deployment"), Some("deployment"));
/// heap.close();
/// assert_eq!(ready(heap.pop()), Ok("secret"));
/// assert_eq!(ready(heap.pop()), Err(Closed));
/// # Ok::<(), Closed>(())
/// ```
pub struct Heap<T, K>(Arc<Waiting<State<T, K>>>);

struct State<T, K> {
    items: KeyedHeap<T, K>,
    closed: bool,
}

opaque_debug!(Heap<T, K>);

impl<T, K> Clone for Heap<T, K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T, K: Clone + Eq + Hash> Heap<T, K> {
    /// An empty heap of items with the key that `key_of` gives, one `before` the other.
    #[must_use]
    pub fn new(key_of: fn(&T) -> K, before: fn(&T, &T) -> bool) -> Self {
        Self(Arc::new(Waiting::new(State { items: KeyedHeap::new(key_of, before), closed: false })))
    }

    /// Puts an item in, in the place of the one with its key (client-go has `Update` for the same).
    ///
    /// # Errors
    /// Where the heap is closed.
    pub fn add(&self, item: T) -> Result<(), Closed> {
        self.add_all([item])
    }

    /// Puts items in, and lets nobody take one out before all are there.
    ///
    /// # Errors
    /// Where the heap is closed.
    pub fn add_all(&self, items: impl IntoIterator<Item = T>) -> Result<(), Closed> {
        self.open(|heap| {
            for item in items {
                heap.insert(item);
            }
        })
    }

    /// Puts an item in, unless there is one with its key.
    ///
    /// # Errors
    /// Where the heap is closed.
    pub fn add_if_absent(&self, item: T) -> Result<(), Closed> {
        self.open(|heap| {
            heap.insert_if_absent(item);
        })
    }

    /// Takes the item of this key out, where there is one.
    pub fn delete(&self, key: &K) -> Option<T> {
        self.0.change(|state| state.items.remove(key))
    }

    /// The item of this key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<T>
    where
        T: Clone,
    {
        self.0.read(|state| state.items.get(key).cloned())
    }

    /// All items, in no order.
    #[must_use]
    pub fn list(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.0.read(|state| state.items.iter_unsorted().map(|(_, item)| item.clone()).collect())
    }

    /// The keys of all items, in no order.
    #[must_use]
    pub fn keys(&self) -> Vec<K> {
        self.0.read(|state| state.items.iter_unsorted().map(|(key, _)| key.clone()).collect())
    }

    /// Takes the first item out; waits where there is none.
    ///
    /// # Errors
    /// Where the heap is closed and what was in it has been taken out.
    pub async fn pop(&self) -> Result<T, Closed> {
        let next = |state: &mut State<T, K>| match state.items.pop() {
            Some(item) => Some(Ok(item)),
            None => state.closed.then_some(Err(Closed)),
        };
        self.0.wait(next).await
    }

    /// Closes the heap: nothing goes in any more, and who waits is told so.
    pub fn close(&self) {
        self.0.change(|state| state.closed = true);
    }

    /// Whether it is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.0.read(|state| state.closed)
    }

    fn open(&self, change: impl FnOnce(&mut KeyedHeap<T, K>)) -> Result<(), Closed> {
        self.0.change(|state| {
            if state.closed {
                return Err(Closed);
            }
            change(&mut state.items);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;
    use crate::platform::ready;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    type Item = (&'static str, u32);

    fn heap(items: &[Item]) -> Heap<Item, &'static str> {
        let heap = Heap::new(|item: &Item| item.0, |one, other| one.1 < other.1);
        heap.add_all(items.iter().copied()).unwrap();
        heap
    }

    /// The values of all that is in it, as they come.
    fn rest(heap: &Heap<Item, &'static str>) -> Vec<u32> {
        std::iter::from_fn(|| heap.pop().now_or_never()).map(|item| item.unwrap().1).collect()
    }

    #[test]
    fn items_of_two_producers_come_out_in_order() {
        let heap = Heap::new(|number: &u32| *number, |one, other| one / 2 < other / 2);
        for number in 0..500 {
            heap.add(2 * (499 - number)).unwrap();
            heap.add(2 * number + 1).unwrap();
        }
        let numbers: Vec<_> = (0..1000).map(|_| ready(heap.pop()).unwrap() / 2).collect();
        assert_eq!(numbers, (0..500).flat_map(|number| [number, number]).collect::<Vec<_>>());
    }

    #[test]
    fn an_item_takes_the_place_of_the_one_with_its_key() {
        let heap = heap(&[("foo", 10), ("bar", 1), ("baz", 11), ("zab", 30), ("foo", 13)]);
        assert_eq!(ready(heap.pop()), Ok(("bar", 1)));
        assert_eq!(ready(heap.pop()), Ok(("baz", 11)));
        assert_eq!(heap.delete(&"baz"), None);
        heap.add(("foo", 14)).unwrap();
        assert_eq!(rest(&heap), [14, 30]);
    }

    #[test]
    fn nobody_takes_an_item_out_before_all_of_a_bulk_are_there() {
        let heap = Heap::new(|number: &u32| *number, |one, other| one < other);
        let mut first = Box::pin(heap.pop());
        assert_eq!(first.as_mut().now_or_never(), None);
        heap.add_all((1..=500).rev()).unwrap();
        assert_eq!(ready(first), Ok(1));
        assert_eq!((2..=500).map(|_| ready(heap.pop()).unwrap()).collect::<Vec<_>>(), (2..=500).collect::<Vec<_>>());
    }

    #[test]
    fn a_pop_that_waits_ends_when_the_heap_is_closed() {
        let heap = heap(&[]);
        let mut pop = Box::pin(heap.pop());
        assert_eq!(pop.as_mut().now_or_never(), None);
        heap.close();
        assert_eq!(ready(pop), Err(Closed));
    }

    #[test]
    fn an_item_that_is_added_if_absent_leaves_the_one_that_is_there() {
        let heap = heap(&[]);
        for item in [("foo", 10), ("bar", 1), ("baz", 11), ("zab", 30), ("foo", 13)] {
            heap.add_if_absent(item).unwrap();
        }
        assert_eq!((heap.list().len(), heap.get(&"foo")), (4, Some(("foo", 10))));
        assert_eq!(ready(heap.pop()), Ok(("bar", 1)));
        assert_eq!(ready(heap.pop()), Ok(("foo", 10)));
        heap.add_if_absent(("bar", 14)).unwrap();
        assert_eq!(rest(&heap), [11, 14, 30]);
    }

    #[test]
    fn items_are_deleted_by_their_keys_wherever_they_are() {
        let heap = heap(&[("foo", 10), ("bar", 1), ("bal", 31), ("baz", 11)]);
        assert_eq!(heap.delete(&"bar"), Some(("bar", 1)));
        assert_eq!(ready(heap.pop()), Ok(("foo", 10)));
        heap.add_all([("zab", 30), ("faz", 30)]).unwrap();
        assert_eq!((heap.delete(&"non-existent"), heap.keys().len()), (None, 4));
        assert_eq!(heap.delete(&"bal"), Some(("bal", 31)));
        assert_eq!(heap.delete(&"zab"), Some(("zab", 30)));
        assert_eq!(rest(&heap), [11, 30]);
    }

    #[test]
    fn an_item_moves_to_the_head_and_back_with_its_value() {
        let heap = heap(&[("foo", 10), ("bar", 1), ("bal", 31), ("baz", 11)]);
        heap.add(("baz", 0)).unwrap();
        assert_eq!(ready(heap.pop()), Ok(("baz", 0)));
        heap.add(("bar", 100)).unwrap();
        assert_eq!(rest(&heap), [10, 31, 100]);
    }

    #[test]
    fn an_item_is_found_by_its_key() {
        let heap = heap(&[("foo", 10), ("bar", 1), ("bal", 31), ("baz", 11)]);
        assert_eq!(heap.get(&"baz"), Some(("baz", 11)));
        assert_eq!(heap.get(&"non-existing"), None);
    }

    #[test]
    fn items_and_keys_are_listed() {
        let items = [("bal", 30), ("bar", 1), ("baz", 11), ("faz", 30), ("foo", 10)];
        let heap = heap(&[]);
        assert!(heap.list().is_empty() && heap.keys().is_empty());
        heap.add_all(items).unwrap();
        let (mut listed, mut keys) = (heap.list(), heap.keys());
        listed.sort_unstable();
        keys.sort_unstable();
        assert_eq!(listed, items);
        assert_eq!(keys, items.map(|item| item.0));
    }

    #[test]
    fn nothing_goes_into_a_closed_heap() {
        let heap = heap(&[("foo", 10)]);
        assert!(!heap.is_closed());
        heap.clone().close();
        assert!(heap.is_closed());
        assert_eq!(heap.add(("test", 1)), Err(Closed));
        assert_eq!(heap.add_if_absent(("test", 1)), Err(Closed));
        assert_eq!(heap.add_all([("test", 1)]), Err(Closed));
        assert_eq!(heap.keys(), ["foo"]);
    }
}
