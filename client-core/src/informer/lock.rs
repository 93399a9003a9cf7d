//! Locks that nobody holds while others are called.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The lock of `mutex`. What panicked while it held one left whole values behind: each is changed in one step.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
