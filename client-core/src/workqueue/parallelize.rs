//! Many pieces of work, a few at a time.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::{StreamExt as _, stream::FuturesUnordered};

/// Does the pieces `0..pieces`, each once, as many at a time as there are `workers` (client-go `util/workqueue/parallelizer.go`,
/// `ParallelizeUntil`); ends when all are done. A worker takes `chunk_size` pieces at once, and does them one after the other.
/// Zero workers are one, and so is a chunk of zero.
///
/// Where client-go has a context that ends it, dropping the future does: pieces that wait are then given up. All workers belong
/// to the task that awaits it; for several threads `work` has tasks started and awaits them.
///
/// ```
/// use std::cell::RefCell;
/// use porthole_client_core::{platform::ready, workqueue::parallelize_until};
///
/// let squares = RefCell::new(Vec::new());
/// let square = |piece| {
///     let squares = &squares;
///     async move { squares.borrow_mut().push(piece * piece) }
/// };
/// ready(parallelize_until(2, 4, 1, square));
/// squares.borrow_mut().sort_unstable();
/// assert_eq!(squares.into_inner(), [0, 1, 4, 9]);
/// ```
pub async fn parallelize_until<F: Future<Output = ()>>(
    workers: usize,
    pieces: usize,
    chunk_size: usize,
    work: impl Fn(usize) -> F,
) {
    let chunk_size = chunk_size.max(1);
    let (chunks, taken) = (pieces.div_ceil(chunk_size), AtomicUsize::new(0));
    let worker = || async {
        loop {
            let chunk = taken.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                return;
            }
            let start = chunk * chunk_size;
            for piece in start..start.saturating_add(chunk_size).min(pieces) {
                work(piece).await;
            }
        }
    };
    let workers: FuturesUnordered<_> = (0..workers.max(1).min(chunks)).map(|_| worker()).collect();
    workers.collect::<()>().await;
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, sync::Arc, time::Duration};

    use futures::FutureExt as _;

    use super::*;
    use crate::platform::{FakePlatform, MaybeSend, Platform, is_ready, ready};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// How many times each piece is done by workers who sleep for each, how many pieces were under way at most, and how many
    /// seconds it took.
    fn run(workers: usize, pieces: usize, chunk_size: usize) -> (Vec<u32>, usize, u64) {
        let platform = FakePlatform::default();
        let (seen, busy) = (RefCell::new(vec![0; pieces]), RefCell::new((0, 0)));
        let work = |piece: usize| {
            let (seen, busy, platform) = (&seen, &busy, &platform);
            async move {
                seen.borrow_mut()[piece] += 1;
                {
                    let (now, most) = &mut *busy.borrow_mut();
                    *now += 1;
                    *most = (*now).max(*most);
                }
                platform.sleep(Duration::from_secs(1)).await;
                busy.borrow_mut().0 -= 1;
            }
        };
        let mut all = Box::pin(parallelize_until(workers, pieces, chunk_size, work));
        let mut seconds = 0;
        while !is_ready(&mut all) {
            platform.advance(Duration::from_secs(1));
            seconds += 1;
        }
        drop(all);
        (seen.into_inner(), busy.into_inner().1, seconds)
    }

    #[test]
    fn each_piece_is_done_once_by_so_many_workers() {
        for (pieces, workers, chunk_size, most, seconds) in [
            (1000, 10, 1, 10, 100),
            (1000, 10, 10, 10, 100),
            (1000, 10, 100, 10, 100),
            (999, 10, 13, 10, 104),
            (10, 100, 4, 3, 4),
            (5, 0, 0, 1, 5),
            (3, 2, usize::MAX, 1, 3),
            (0, 10, 1, 0, 0),
        ] {
            let case = format!("{pieces} {workers} {chunk_size}");
            let (seen, busy, took) = run(workers, pieces, chunk_size);
            assert_eq!(seen, vec![1; pieces], "{case}");
            assert_eq!((busy, took), (most, seconds), "{case}");
        }
    }

    #[test]
    fn who_drops_it_gives_up_the_pieces_that_wait() {
        let platform = FakePlatform::default();
        let begun = RefCell::new(0);
        let work = |_| {
            *begun.borrow_mut() += 1;
            platform.sleep(Duration::from_secs(1))
        };
        assert_eq!(parallelize_until(3, 100, 1, work).now_or_never(), None);
        assert_eq!((*begun.borrow(), platform.pending_timers()), (3, 0));
    }

    #[test]
    fn a_task_can_do_it() {
        fn is_task(future: impl Future<Output = ()> + MaybeSend + 'static) -> impl Future<Output = ()> {
            future
        }
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let work = move |piece| {
            let count = Arc::clone(&count);
            async move {
                count.fetch_add(piece, Ordering::Relaxed);
            }
        };
        ready(is_task(parallelize_until(4, 10, 2, work)));
        assert_eq!(counted.load(Ordering::Relaxed), 45);
    }
}
