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

#[path = "lockstep/ages.rs"]
mod ages;
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
mod support;

use std::{env, sync::LazyLock};

use futures::lock::Mutex;

/// One test at a time: what one lets the real server forget, another might ask for.
static TURN: LazyLock<Mutex<()>> = LazyLock::new(Mutex::default);

#[tokio::test(flavor = "multi_thread")]
async fn the_fake_server_answers_ten_thousand_operations_as_the_real_one_does() {
    let number = |name: &str, default: u64| env::var(name).ok().map_or(default, |text| text.parse().unwrap());
    let seed = number("PORTHOLE_LOCKSTEP_SEED", 1);
    let operations = number("PORTHOLE_LOCKSTEP_OPERATIONS", 10_000);
    let _turn = TURN.lock().await;
    driver::run(seed, usize::try_from(operations).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fake_server_answers_of_versions_that_are_gone_or_to_come_as_the_real_one_does() {
    let _turn = TURN.lock().await;
    ages::run().await;
}
