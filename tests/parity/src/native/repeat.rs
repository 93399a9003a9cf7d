//! The same work again and again.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Fallible, meter::Cost};

/// What the runs cost, in the order in which they were.
pub(super) struct Costs(Vec<Cost>);

/// Runs `work` until `length` has passed, at least once.
pub(super) async fn repeat<F: Future<Output = Fallible<Cost>>>(length: Duration, mut work: impl FnMut() -> F) -> Fallible<Costs> {
    let start = Instant::now();
    let mut costs = Vec::new();
    while costs.is_empty() || start.elapsed() < length {
        costs.push(work().await?);
    }
    Ok(Costs(costs))
}

impl Costs {
    /// The medians, in nanoseconds for an item.
    pub(super) fn to_json(&self) -> Value {
        let median = |of: fn(&Cost) -> Duration| {
            let mut each: Vec<_> = self.0.iter().map(|cost| of(cost).as_secs_f64() * 1e9 / cost.items.max(1) as f64).collect();
            each.sort_by(f64::total_cmp);
            each.get(each.len() / 2).copied()
        };
        json!({ "wall_ns": median(|cost| cost.wall), "processor_ns": median(|cost| cost.processor), "runs": self.0.len() })
    }
}
