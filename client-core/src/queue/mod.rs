//! What happened to objects, on its way from a reflector to a cache.
//!
//! Guarantees: what is put in comes out, in the order of each object; what a whole list does not bring comes out as deleted,
//! with the last state that was known; a transform sees each object once. [`Fifo`] keeps every event, as client-go's informers
//! have it today; [`DeltaFifo`] gathers those of an object that is not taken out in time. Both follow client-go's
//! `tools/cache` (`the_real_fifo.go`, `delta_fifo.go`). The queues themselves are synchronous; [`SharedQueue`] is what tasks
//! wait for. [`Heap`] hands out by an order instead. Leaves out metrics and traces.

mod closed;
mod delta;
mod delta_fifo;
mod fifo;
mod heap;
mod intake;
mod interface;
mod keyed_heap;
mod placed_heap;
mod shared;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod testing;
mod waiting;

pub use closed::Closed;
pub use delta::{Deleted, Delta, Popped};
pub use delta_fifo::{DeltaFifo, DeltaFifoOptions};
pub use fifo::{Fifo, FifoOptions};
pub use heap::Heap;
pub use interface::{KnownObjects, Queue, Transform};
pub use keyed_heap::KeyedHeap;
pub(crate) use placed_heap::{Before, PlacedHeap};
pub use shared::SharedQueue;
pub(crate) use waiting::Waiting;
