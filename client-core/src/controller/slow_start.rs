//! Many of the same, carefully.

use futures::future::join_all;

/// Does `count` things of one kind at once, in growing batches: one, two, four and so on, and no more after the first batch in
/// which one failed (Kubernetes `pkg/controller/replicaset/replica_set.go`, `slowStartBatch`, with its first batch of one). So
/// what fails for all, a quota that is exhausted, is not tried a thousand times. Gives back how many were done, and the first
/// error, if there was one; what was not begun is neither.
///
/// ```
/// use porthole_client_core::{controller::slow_start, platform::ready};
///
/// let make = |number: usize| async move { if number < 5 { Ok(()) } else { Err("the quota is exhausted") } };
/// // One, two, and two of the next four; none of the last three.
/// assert_eq!(ready(slow_start(10, make)), (5, Some("the quota is exhausted")));
/// assert_eq!(ready(slow_start(5, make)), (5, None));
/// ```
pub async fn slow_start<E, F: Future<Output = Result<(), E>>>(
    count: usize,
    mut make: impl FnMut(usize) -> F,
) -> (usize, Option<E>) {
    let (mut begun, mut done, mut batch) = (0, 0, 1);
    while begun < count {
        let size = batch.min(count - begun);
        let results = join_all((begun..begun + size).map(&mut make)).await;
        begun += size;
        batch *= 2;
        let mut error = None;
        for result in results {
            match result {
                Ok(()) => done += 1,
                Err(failed) => drop(error.get_or_insert(failed)),
            }
        }
        if error.is_some() {
            return (done, error);
        }
    }
    (done, None)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::platform::ready;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn nothing_is_begun_after_the_batch_in_which_one_failed() {
        // How many there are, from which on they fail, how many are begun and done.
        for (count, good, begun, done) in [
            (0, 0, 0, 0),
            (1, 0, 1, 0),
            (1, 1, 1, 1),
            (10, 0, 1, 0),
            (10, 1, 3, 1),
            (10, 2, 3, 2),
            (10, 3, 7, 3),
            (10, 7, 10, 7),
            (10, 10, 10, 10),
            (1000, 20, 31, 20),
        ] {
            let numbers = RefCell::new(Vec::new());
            let result = ready(slow_start(count, |number| {
                numbers.borrow_mut().push(number);
                async move { if number < good { Ok(()) } else { Err(number) } }
            }));
            assert_eq!(numbers.into_inner(), (0..begun).collect::<Vec<_>>(), "{count} {good}");
            assert_eq!(result, (done, (good < count).then_some(good)), "{count} {good}");
        }
    }
}
