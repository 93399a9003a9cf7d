//! A host whose time stands still until a test moves it.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use futures::{channel::oneshot, task::noop_waker};

use super::{BoxFuture, Chance, Instant, Platform, WallTime};

/// A platform for tests: time moves by [`advance`](Self::advance), random numbers are all one half or follow from a
/// [seed](Self::set_seed), and spawned tasks wait until [`run`](Self::run) runs them, or [`tasks`](Self::tasks) hands them out.
///
/// ```
/// use std::time::Duration;
/// use porthole_client_core::platform::{FakePlatform, Platform as _};
///
/// let platform = FakePlatform::default();
/// let tea = platform.sleep(Duration::from_secs(180));
/// platform.spawn(Box::pin(tea));
/// platform.run();
/// assert_eq!((platform.running_tasks(), platform.pending_timers()), (1, 1));
/// platform.advance(Duration::from_secs(180));
/// platform.run();
/// assert_eq!((platform.running_tasks(), platform.pending_timers()), (0, 0));
/// ```
#[derive(Clone, Default)]
pub struct FakePlatform(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    elapsed: Duration,
    timers: BTreeMap<(Duration, usize), oneshot::Sender<()>>,
    started: usize,
    tasks: Vec<BoxFuture<'static, ()>>,
    /// Tasks that [`FakePlatform::run`] has begun; `None` while one is being polled.
    running: Vec<(Arc<Woken>, Option<BoxFuture<'static, ()>>)>,
    chance: Option<Chance>,
}

/// Whether a task is to be polled.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

opaque_debug!(FakePlatform);

impl FakePlatform {
    /// Moves both clocks on and fires the timers that fall due.
    pub fn advance(&self, by: Duration) {
        let due = {
            let mut inner = self.lock();
            inner.elapsed += by;
            let elapsed = inner.elapsed;
            let later = inner.timers.split_off(&(elapsed + Duration::from_nanos(1), 0));
            std::mem::replace(&mut inner.timers, later)
        };
        for sender in due.into_values() {
            // A dropped sleep has nobody to tell.
            sender.send(()).ok();
        }
    }

    /// Lets so much time pass, from one timer to the next, and runs the tasks that can go on each time.
    ///
    /// ```
    /// use std::{sync::Arc, time::Duration};
    /// use porthole_client_core::platform::{FakePlatform, Platform as _};
    ///
    /// const SECOND: Duration = Duration::from_secs(1);
    /// let platform = FakePlatform::default();
    /// let (host, ticks) = (platform.clone(), Arc::new(()));
    /// let each = Arc::clone(&ticks);
    /// platform.spawn(Box::pin(async move {
    ///     let mut kept = Vec::new();
    ///     loop {
    ///         host.sleep(SECOND).await;
    ///         kept.push(Arc::clone(&each));
    ///     }
    /// }));
    /// platform.pass(5 * SECOND);
    /// assert_eq!(Arc::strong_count(&ticks), 2 + 5);
    /// ```
    pub fn pass(&self, time: Duration) {
        self.run();
        let mut left = time;
        while let Some(next) = self.next_timer().filter(|next| *next <= left) {
            self.advance(next);
            left -= next;
            self.run();
        }
        self.advance(left);
        self.run();
    }

    /// Makes random numbers, and the order in which tasks take turns, follow from this seed.
    pub fn set_seed(&self, seed: u64) {
        self.lock().chance = Some(Chance(seed));
    }

    /// Runs the spawned tasks until each has ended or waits.
    pub fn run(&self) {
        while self.turn() {}
    }

    /// Polls one of the tasks that can go on; gives back whether there was one. Which one follows from the seed; without one
    /// it is the oldest.
    #[expect(clippy::must_use_candidate, reason = "a test may know that there is one")]
    pub fn turn(&self) -> bool {
        let (woken, mut task) = {
            let inner = &mut *self.lock();
            let fresh = inner.tasks.drain(..).map(|task| (Arc::new(Woken(AtomicBool::new(true))), Some(task)));
            inner.running.extend(fresh);
            let able = |(woken, task): &(Arc<Woken>, Option<_>)| task.is_some() && woken.0.load(Ordering::Acquire);
            let count = inner.running.iter().filter(|running| able(running)).count();
            if count == 0 {
                return false;
            }
            let chosen = usize::try_from(inner.random_bits() % count as u64).unwrap_or(0);
            let Some((woken, task)) = inner.running.iter_mut().filter(|running| able(running)).nth(chosen) else { return false };
            woken.0.store(false, Ordering::Release);
            let Some(task) = task.take() else { return false };
            (Arc::clone(woken), task)
        };
        let waker = Waker::from(Arc::clone(&woken));
        let done = task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        let mut task = Some(task).filter(|_| !done);
        let gone = {
            let inner = &mut *self.lock();
            if let Some(place) = inner.running.iter().position(|(other, _)| Arc::ptr_eq(other, &woken)) {
                if done {
                    inner.running.remove(place);
                } else if let Some((_, place)) = inner.running.get_mut(place) {
                    *place = task.take();
                }
            }
            task
        };
        // What a task lets go of may ask this platform for something.
        drop(gone);
        true
    }

    /// How many spawned tasks have not ended.
    #[must_use]
    pub fn running_tasks(&self) -> usize {
        let inner = self.lock();
        inner.running.len() + inner.tasks.len()
    }

    /// How many timers somebody waits for.
    #[must_use]
    pub fn pending_timers(&self) -> usize {
        let mut inner = self.lock();
        inner.timers.retain(|_, sender| !sender.is_canceled());
        inner.timers.len()
    }

    /// When the next timer is due that somebody waits for.
    #[must_use]
    pub fn next_timer(&self) -> Option<Duration> {
        let mut inner = self.lock();
        inner.timers.retain(|_, sender| !sender.is_canceled());
        let elapsed = inner.elapsed;
        inner.timers.keys().next().map(|(at, _)| at.saturating_sub(elapsed))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tasks spawned since the last call.
    #[must_use]
    pub fn tasks(&self) -> Vec<BoxFuture<'static, ()>> {
        std::mem::take(&mut self.lock().tasks)
    }
}

impl Inner {
    /// Zero where there is no seed.
    fn random_bits(&mut self) -> u64 {
        self.chance.as_mut().map_or(0, Chance::next)
    }
}

impl Platform for FakePlatform {
    fn now(&self) -> Instant {
        Instant::new(self.lock().elapsed)
    }

    fn wall_time(&self) -> WallTime {
        let elapsed = self.lock().elapsed;
        WallTime(1_800_000_000_000 + i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }

    fn random(&self) -> f64 {
        let inner = &mut *self.lock();
        // The upper half of the bits, as a part of one.
        if inner.chance.is_none() {
            0.5
        } else {
            f64::from(u32::try_from(inner.random_bits() >> 32).unwrap_or(0)) / 4_294_967_296.0
        }
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let (sender, receiver) = oneshot::channel();
        let mut inner = self.lock();
        inner.started += 1;
        let at = (inner.elapsed.saturating_add(duration), inner.started);
        inner.timers.insert(at, sender);
        Box::pin(async move {
            receiver.await.ok();
        })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.lock().tasks.push(task);
    }
}

/// The answer of `work`, which may wait for nothing that takes time: a test's own server and storage answer at once.
/// It runs in a browser too, where nothing can be waited for by blocking.
///
/// # Panics
/// Where `work` still waits after a hundred turns.
#[expect(clippy::panic, reason = "a test that would wait for ever has failed")]
pub fn ready<T>(work: impl Future<Output = T>) -> T {
    let (mut work, waker) = (pin!(work), noop_waker());
    for _ in 0..100 {
        if let Poll::Ready(answer) = work.as_mut().poll(&mut Context::from_waker(&waker)) {
            return answer;
        }
    }
    panic!(
        "the future waits for what nobody does: for time that is not advanced, a task that is not run, or a peer that says nothing"
    )
}

/// Whether `work` is done now. Once it is, it must not be asked again.
pub fn is_ready(work: &mut (impl Future<Output = ()> + Unpin)) -> bool {
    pin!(work).poll(&mut Context::from_waker(&noop_waker())).is_ready()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_longest_sleep_there_is_does_not_end() {
        let platform = FakePlatform::default();
        platform.advance(Duration::from_secs(1));
        let mut sleep = platform.sleep(Duration::MAX);
        platform.advance(Duration::from_secs(3600));
        assert!(!is_ready(&mut sleep));
    }

    #[test]
    fn who_takes_a_turn_follows_from_the_seed_and_without_one_it_is_the_oldest() {
        let order = |seed: Option<u64>| {
            let (platform, order) = (FakePlatform::default(), Arc::new(Mutex::new(Vec::new())));
            for number in 0..4 {
                let order = Arc::clone(&order);
                platform.spawn(Box::pin(async move { order.lock().unwrap().push(number) }));
            }
            if let Some(seed) = seed {
                platform.set_seed(seed);
            }
            platform.run();
            let order = order.lock().unwrap();
            order.clone()
        };
        assert_eq!(order(None), [0, 1, 2, 3]);
        let orders: std::collections::BTreeSet<_> = (0..500).map(|seed| order(Some(seed))).collect();
        assert_eq!(orders.len(), 24, "each order there is");
        assert!((0..20).all(|seed| order(Some(seed)) == order(Some(seed))));
    }
}
