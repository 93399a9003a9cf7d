//! The fake API server against a real one: the same requests to both, and the same answers from both.
//!
//! `PORTHOLE_TEST_CLUSTER_DIR` names the folder of a running local control plane. `PORTHOLE_LOCKSTEP_SEED` repeats one run,
//! `PORTHOLE_LOCKSTEP_OPERATIONS` says how long it is; a failure names both.

#![cfg(not(target_family = "wasm"))]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may fail"
)]

#[path = "../src/platform/chance.rs"]
#[expect(dead_code, reason = "the tests of the library use the rest of it")]
mod chance;
#[path = "lockstep/driver.rs"]
mod driver;
#[path = "lockstep/normal.rs"]
mod normal;
#[path = "lockstep/operations.rs"]
mod operations;
#[path = "lockstep/server.rs"]
mod server;

use std::env;

#[tokio::test(flavor = "multi_thread")]
async fn the_fake_server_answers_ten_thousand_operations_as_the_real_one_does() {
    let number = |name: &str, default: u64| env::var(name).ok().map_or(default, |text| text.parse().unwrap());
    let seed = number("PORTHOLE_LOCKSTEP_SEED", 1);
    let operations = number("PORTHOLE_LOCKSTEP_OPERATIONS", 10_000);
    driver::run(seed, usize::try_from(operations).unwrap()).await;
}
