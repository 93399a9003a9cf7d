//! One leader among several copies of a program (client-go `tools/leaderelection`).
//!
//! Each copy runs a [`LeaderElector`] over the same [`LeaseLock`]. The one that holds the lease does the work that it was given, and
//! renews the lease meanwhile; the others wait until the lease is released, or is not renewed for as long as it says.
//!
//! Guarantees: the work begins after the lease is held, and is dropped as soon as it is not: where another holds it, or where it was
//! not renewed within the renew deadline, which counts from the moment at which the last renewal that succeeded was sent. That
//! moment is before the lease can run out for others, also where a request hangs, an answer is late or a timer of the host is;
//! after it the work is not polled even once. So no two copies believe that they lead, as long as their clocks run at the same
//! rate, or at rates that differ by less than the lease duration and the renew deadline do, and as long as nobody else edits or
//! deletes the lease. What the clocks show does not matter: no time that is written in a lease is ever compared.
//!
//! It does not promise more, as no lock by time can: a request of the work that is on its way when the lease runs out may still
//! arrive, and a host whose monotonic clock stands still while it sleeps does not know for how long it did.
//!
//! # Where it differs from client-go
//!
//! - The renew deadline counts from the last renewal. There it counts anew from each round of tries, a retry period after an answer
//!   that may have been late: a leader can believe in a lease that another has taken.
//! - Who finds the lease in other hands while it leads has lost it. There it tries to get it back until the renew deadline, while the
//!   work goes on.
//! - A release looks who holds the lease, and does not take it away from another.
//! - The seconds of a lease are rounded up: there a lease of 2.9 seconds says that it is one of two.
//! - A request has half the renew deadline, as those of client-go's `resourcelock.NewFromKubeconfig` have.
//! - Who is stopped while it tries to get the lease gives back what it may have got.
//! - The lease keeps what others write into it: there fields are lost that the program does not know.
//!
//! Leaves out locks other than leases, which client-go no longer has.

mod attempt;
mod candidate;
mod elector;
mod error;
mod inner;
mod lease_lock;
mod observer;
mod options;
mod record;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub use candidate::{LeaseCandidate, LeaseCandidateSpec};
pub use elector::LeaderElector;
pub use error::{ElectionError, InvalidElection, LockError, Loss, NotRenewed};
pub use lease_lock::LeaseLock;
pub use observer::{LeaderElectionObserver, Leadership};
pub use options::LeaderElectionOptions;
pub use record::LeaderElectionRecord;
