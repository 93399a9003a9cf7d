//! A queue between tasks.

use std::sync::Arc;

use super::{Closed, Popped, Queue, waiting::Waiting};
use crate::object::Object;

/// A queue that one task fills and another waits for. Clones are the same queue.
///
/// ```
/// use porthole_client_core::{
///     meta::ObjectMeta,
///     object::PartialObjectMetadata,
///     platform::ready,
///     queue::{Closed, Fifo, Queue as _, SharedQueue},
/// };
///
/// let queue = SharedQueue::new(Fifo::default());
/// let consumer = queue.clone();
/// queue.change(|queue| queue.add(PartialObjectMetadata::new(ObjectMeta { name: "a".into(), ..ObjectMeta::default() })));
/// assert_eq!(ready(consumer.pop()).unwrap().deltas.len(), 1);
///
/// queue.close();
/// assert_eq!(ready(consumer.pop()), Err(Closed));
/// ```
pub struct SharedQueue<Q>(Arc<Waiting<Q>>);

opaque_debug!(SharedQueue<Q>);

impl<Q> Clone for SharedQueue<Q> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Q> SharedQueue<Q> {
    /// Shares `queue`.
    #[must_use]
    pub fn new(queue: Q) -> Self {
        Self(Arc::new(Waiting::new(queue)))
    }

    /// Puts something in, and wakes who waits for it. The queue is locked meanwhile: `change` must not use it in any other way.
    pub fn change<R>(&self, change: impl FnOnce(&mut Q) -> R) -> R {
        self.0.change(change)
    }

    /// Looks at the queue, which is locked meanwhile.
    pub fn read<R>(&self, look: impl FnOnce(&Q) -> R) -> R {
        self.0.read(look)
    }

    /// Takes out what comes next; waits where nothing is queued. A future that is dropped takes nothing out.
    ///
    /// Where calls that need to know what the consumer has go on at the same time, [`process`](Self::process) is the one to use.
    ///
    /// # Errors
    /// Where the queue is closed and what was in it has been taken out.
    pub async fn pop<T: Object>(&self) -> Result<Popped<T>, Closed>
    where
        Q: Queue<T>,
    {
        self.process(|popped| popped).await
    }

    /// Takes out what comes next and hands it to `process` while the queue is locked, so that for whoever puts something in it is
    /// either queued or known (client-go `tools/cache/fifo.go`, `Pop` with its `PopProcessFunc`). Waits where nothing is queued.
    ///
    /// `process` must not use this queue, and should not take long.
    ///
    /// # Errors
    /// Where the queue is closed and what was in it has been taken out.
    pub async fn process<T: Object, R>(&self, mut process: impl FnMut(Popped<T>) -> R) -> Result<R, Closed>
    where
        Q: Queue<T>,
    {
        let next = |queue: &mut Q| match queue.pop() {
            Some(popped) => Some(Ok(process(popped))),
            None => queue.is_closed().then_some(Err(Closed)),
        };
        self.0.wait(next).await
    }

    /// Closes the queue: who waits, or comes once it is empty, is told so.
    pub fn close<T: Object>(&self)
    where
        Q: Queue<T>,
    {
        self.change(Q::close);
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        sync::atomic::{AtomicUsize, Ordering},
        task::{Context, Poll, Wake},
    };

    use super::*;
    use crate::{
        object::PartialObjectMetadata,
        platform::ready,
        queue::{
            DeltaFifo, Fifo,
            testing::{object, words},
        },
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Counts how often it is woken.
    #[derive(Default)]
    struct Bell(AtomicUsize);

    impl Wake for Bell {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Each of ten pops that wait gets a waker of its own, which rings once.
    fn ten_waiting_pops_end_when_it_is_closed(queue: impl Queue<PartialObjectMetadata>) {
        let queue = SharedQueue::new(queue);
        let bells: Vec<_> = (0..10).map(|_| Arc::new(Bell::default())).collect();
        let mut pops: Vec<_> = bells.iter().map(|bell| (bell, Box::pin(queue.pop()))).collect();
        for (bell, pop) in &mut pops {
            assert!(pop.as_mut().poll(&mut Context::from_waker(&Arc::clone(bell).into())).is_pending());
        }
        queue.close();
        for (bell, mut pop) in pops {
            assert_eq!(bell.0.load(Ordering::Relaxed), 1);
            let Poll::Ready(answer) = pop.as_mut().poll(&mut Context::from_waker(&Arc::clone(bell).into())) else {
                panic!("it still waits");
            };
            assert_eq!(answer, Err(Closed));
        }
        assert!(queue.read(Queue::is_closed));
    }

    #[test]
    fn pops_that_wait_for_a_delta_fifo_end_when_it_is_closed() {
        ten_waiting_pops_end_when_it_is_closed(DeltaFifo::default());
    }

    #[test]
    fn pops_that_wait_for_a_fifo_end_when_it_is_closed() {
        ten_waiting_pops_end_when_it_is_closed(Fifo::default());
    }

    #[test]
    fn what_is_queued_when_it_is_closed_still_comes_out() {
        let queue = SharedQueue::new(Fifo::default());
        queue.change(|queue| queue.add(object("a", 1)));
        queue.close();
        assert_eq!(words(&ready(queue.pop()).unwrap().deltas), "+a1");
        assert_eq!(ready(queue.pop()), Err(Closed));
    }

    #[test]
    fn a_pop_that_waits_is_woken_by_what_is_put_in() {
        let queue = SharedQueue::new(Fifo::default());
        let bell = Arc::new(Bell::default());
        let waker = Arc::clone(&bell).into();
        let mut context = Context::from_waker(&waker);
        let mut pop = pin!(queue.pop());
        assert!(pop.as_mut().poll(&mut context).is_pending());
        assert!(pop.as_mut().poll(&mut context).is_pending());
        queue.change(|queue| queue.add(object("a", 1)));
        assert_eq!(bell.0.load(Ordering::Relaxed), 1, "it waits once, however often it was asked");
        let Poll::Ready(Ok(popped)) = pop.as_mut().poll(&mut context) else { panic!("it has something") };
        assert_eq!(words(&popped.deltas), "+a1");
    }

    #[test]
    fn a_pop_that_is_given_up_takes_nothing_away_from_another() {
        let queue = SharedQueue::new(Fifo::default());
        let (first, second) = (Arc::new(Bell::default()), Arc::new(Bell::default()));
        let mut given_up = Box::pin(queue.pop());
        let mut other = pin!(queue.pop());
        assert!(given_up.as_mut().poll(&mut Context::from_waker(&first.into())).is_pending());
        assert!(other.as_mut().poll(&mut Context::from_waker(&Arc::clone(&second).into())).is_pending());
        queue.change(|queue| queue.add(object("a", 1)));
        drop(given_up);
        assert_eq!(second.0.load(Ordering::Relaxed), 1);
        assert_eq!(words(&ready(other).unwrap().deltas), "+a1");
    }

    #[test]
    fn what_is_being_processed_is_never_neither_queued_nor_known() {
        let queue = SharedQueue::new(Fifo::default());
        queue.change(|queue| queue.add(object("a", 1)));
        let known = crate::queue::testing::Known::default();
        let known = std::sync::Mutex::new(known);
        ready(queue.process(|popped| known.lock().unwrap().apply(popped))).unwrap();
        queue.change(|queue| {
            queue.begin_replace();
            queue.end_replace("2".into(), &*known.lock().unwrap());
        });
        assert_eq!(words(&ready(queue.pop()).unwrap().deltas), "†a1");
    }

    /// Two threads put in, one takes out.
    #[cfg(not(target_family = "wasm"))]
    fn the_order_of_each_producer_is_kept(queue: impl Queue<PartialObjectMetadata> + Sync) {
        const AMOUNT: u32 = 500;
        let queue = SharedQueue::new(queue);
        std::thread::scope(|scope| {
            for producer in ["a", "b"] {
                let queue = queue.clone();
                scope.spawn(move || {
                    for number in 1..=AMOUNT {
                        queue.change(|queue| queue.add(object(&format!("{producer}-{number}-"), number)));
                    }
                });
            }
            let (mut last, mut count) = ([0, 0], 0);
            while count < 2 * AMOUNT {
                for delta in futures::executor::block_on(queue.pop()).unwrap().deltas {
                    let object = delta.object().unwrap();
                    let number: u32 = object.metadata.resource_version.as_str().parse().unwrap();
                    let last = &mut last[usize::from(object.metadata.name.as_str().starts_with('b'))];
                    assert_eq!(number, *last + 1);
                    *last = number;
                    count += 1;
                }
            }
        });
        assert!(queue.read(Queue::is_empty));
    }

    #[test]
    #[cfg(not(target_family = "wasm"))]
    fn a_delta_fifo_keeps_the_order_of_each_of_two_threads() {
        the_order_of_each_producer_is_kept(DeltaFifo::default());
    }

    #[test]
    #[cfg(not(target_family = "wasm"))]
    fn a_fifo_keeps_the_order_of_each_of_two_threads() {
        the_order_of_each_producer_is_kept(Fifo::default());
    }
}
