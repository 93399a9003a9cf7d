//! What must occur, and nothing else may.

use std::collections::BTreeMap;

use super::tally::Tally;

/// Every transition, operation and fault, by name.
const EXPECTED: &str = include_str!("expected.txt");

/// What occurred that is not expected, and what is expected and occurred less often than `least`.
pub(super) fn missing(tally: &Tally, least: u64) -> Vec<String> {
    let found: BTreeMap<String, u64> = tally.lines().into_iter().collect();
    let rare = EXPECTED.lines().filter_map(|name| {
        let count = found.get(name).copied().unwrap_or_default();
        (count < least).then(|| format!("{count} times, and so too seldom: {name}"))
    });
    let others = found.keys().filter(|name| !EXPECTED.lines().any(|line| line == *name));
    rare.chain(others.map(|name| format!("not expected: {name}"))).collect()
}
