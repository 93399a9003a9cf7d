//! A value that is made when it is asked for.

use std::sync::{Arc, Mutex};

use crate::informer::lock::lock;

/// A value that is made when it is asked for, and again when it was told meanwhile that it is old (client-go
/// `tools/cache/synctrack/lazy.go`): for what is made of a whole cache, and is dear.
///
/// A handler calls [`notify`](Self::notify) with each change, which costs nothing, and who needs the value
/// [asks](Self::value): it is never older than the last `notify` before that. Natively it may be asked on several threads: those
/// that ask for the same value wait for one of them to make it, and a value that was begun before a `notify` never comes in place
/// of one that was begun after it.
///
/// ```
/// use std::cell::Cell;
/// use porthole_client_core::informer::synctrack::Lazy;
///
/// let made = Cell::new(0);
/// let sum = Lazy::new(|| {
///     made.set(made.get() + 1);
///     Ok::<u32, String>((1..=made.get()).sum())
/// });
/// assert_eq!((sum.value()?, sum.value()?), (1, 1));
/// sum.notify();
/// sum.notify();
/// assert_eq!((sum.value()?, made.get()), (3, 2));
/// # Ok::<(), String>(())
/// ```
pub struct Lazy<T, F> {
    evaluate: F,
    /// Who makes a value puts it where it found none, so one that is old by then is put where nobody looks any more.
    current: Mutex<Place<T>>,
}

type Place<T> = Arc<Mutex<Option<T>>>;

opaque_debug!(Lazy<T, F>);

impl<T: Clone, E, F: Fn() -> Result<T, E>> Lazy<T, F> {
    /// A value that `evaluate` makes, which must not ask for it in turn.
    pub fn new(evaluate: F) -> Self {
        Self { evaluate, current: Mutex::default() }
    }

    /// Whatever the value is made of has changed: it is to be made again before it is given to anyone who asks from now on.
    pub fn notify(&self) {
        *lock(&self.current) = Place::default();
    }

    /// The value, made now where there is none.
    ///
    /// # Errors
    /// Where it could not be made. The next who asks tries again.
    pub fn value(&self) -> Result<T, E> {
        let place = Arc::clone(&lock(&self.current));
        let mut value = lock(&place);
        if let Some(value) = &*value {
            return Ok(value.clone());
        }
        let made = (self.evaluate)()?;
        *value = Some(made.clone());
        Ok(made)
    }
}
