//! The test itself: as many cases as are wanted, each from the seed.

use std::{collections::BTreeMap, env};

use k8s_openapi::api::core::v1::ConfigMap;
use proptest::{
    collection::vec,
    strategy::{Strategy as _, ValueTree as _},
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

use super::{
    act::acts,
    expected,
    form::Form,
    operation::Operation,
    scenario::{FormName, Scenario, scenarios},
    tally::Tally,
    world::World,
};
use crate::{
    object::{Compact, PartialObjectMetadata, Unstructured},
    wire::TableRow,
};

/// The steps of a run that is a part of all tests.
const SHORT: usize = 25_000;
/// The steps of a full run, and how often everything is to occur in it.
const FULL: u64 = 6_000_000;
const OFTEN: u64 = 1_000;
/// How often in a shorter run, where it is known that it does.
const ONCE: u64 = 1;
/// The most acts of a case.
const LONGEST: usize = 40;

/// Plays a case.
pub(super) fn play(scenario: &Scenario, operations: &[Operation]) -> Result<(), String> {
    match scenario.form {
        FormName::Typed => play_as::<ConfigMap>(scenario, operations),
        FormName::Compact => play_as::<Compact<ConfigMap>>(scenario, operations),
        FormName::Unstructured => play_as::<Unstructured>(scenario, operations),
        FormName::Metadata => play_as::<PartialObjectMetadata>(scenario, operations),
        FormName::Table => play_as::<TableRow>(scenario, operations),
    }
}

fn play_as<T: Form>(scenario: &Scenario, operations: &[Operation]) -> Result<(), String> {
    let mut world = World::<T>::new(scenario.clone());
    for (number, operation) in operations.iter().enumerate() {
        world.perform(*operation).map_err(|problem| format!("at step {number}, {operation:?}: {problem}"))?;
    }
    world.end().map_err(|problem| format!("at the end: {problem}"))
}

/// Plays cases until so many steps have been taken; gives back the counts.
fn explore(seed: u64, steps: usize) -> Tally {
    let strategy = (scenarios(), vec(acts(), 1..=LONGEST));
    let mut taken = 0;
    let first: u64 = number("PORTHOLE_MODEL_CASE").unwrap_or(0);
    for case in first.. {
        if taken >= steps {
            break;
        }
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&case.to_le_bytes());
        let config = Config { failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
        let tree = strategy.new_tree(&mut runner).unwrap();
        taken += tree.current().1.iter().map(Vec::len).sum::<usize>();
        let outcome = runner.run_one(tree, |(scenario, acts)| play(&scenario, &acts.concat()).map_err(TestCaseError::fail));
        if let Err(TestError::Fail(reason, (scenario, acts))) = outcome {
            let operations = acts.concat();
            panic!(
                "seed {seed}, case {case} (PORTHOLE_MODEL_SEED={seed} PORTHOLE_MODEL_CASE={case}), shrunk:\n{scenario:#?}\n{operations:#?}\n{reason}"
            );
        }
    }
    Tally::take()
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// Without more said, a short run that is always the same.
#[test]
fn whatever_happens_a_cache_ends_equal_to_a_fresh_list_and_nothing_is_left() {
    let steps = number("PORTHOLE_MODEL_STEPS");
    let seed = number("PORTHOLE_MODEL_SEED").unwrap_or(1);
    let tally = explore(seed, steps.map_or(SHORT, |steps| usize::try_from(steps).unwrap()));
    if let Some(steps) = steps {
        for (name, count) in &tally.lines() {
            eprintln!("{count:>10} {name}");
        }
        eprintln!("{steps} steps from the seed {seed}");
        if let Ok(path) = env::var("PORTHOLE_MODEL_FIGURES") {
            let run = [("steps", steps), ("seed", seed)].map(|(name, count)| (name.to_owned(), count));
            let figures: BTreeMap<String, u64> = tally.lines().into_iter().chain(run).collect();
            std::fs::write(path, serde_json::to_string_pretty(&figures).unwrap()).unwrap();
        }
    }
    let least = if steps.is_some_and(|steps| steps >= FULL) { OFTEN } else { ONCE };
    let problems = expected::missing(&tally, least);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
