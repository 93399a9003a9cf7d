//! A watch that goes on, whatever happens.

use futures::future::abortable;

use super::*;
use crate::{
    fake::{Disturbance, Fault, FaultKind},
    meta::Status,
    platform::Chance,
    watch::RetryWatcher,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Changes something; gives back what is to be told of it.
fn change(bench: &Bench, chance: &mut Chance, there: &mut Vec<&'static str>, step: usize) -> String {
    let name = chance.of(&NAMES);
    let was_there = there.contains(&name);
    if was_there && chance.percent(30) {
        there.retain(|other| *other != name);
        assert!(bench.remove(name));
        return format!("DELETED {name} {}", bench.server.resource_version());
    }
    if !was_there {
        there.push(name);
    }
    format!("{} {name} {}", if was_there { "MODIFIED" } else { "ADDED" }, bench.put(name, &step.to_string()))
}

/// Makes something go wrong.
fn disturb(bench: &Bench, chance: &mut Chance) {
    let cut = chance.index(400);
    let status = match chance.below(5) {
        0 => Status::internal_error("oh"),
        1 => Status::timeout("slow", 0),
        2 => Status::too_many_requests("slow down", 3),
        3 => Status::service_unavailable("not now"),
        _ => Status::default(),
    };
    let fault = |kind| bench.server.faults().add(Fault::new(kind).on_query("watch=").once());
    match chance.below(10) {
        0 | 1 => bench.server.disturb_watches(Disturbance::Break),
        2 => bench.server.disturb_watches(Disturbance::Error(Box::new(status))),
        3 => bench.server.end_watches(),
        4 => bench.server.send_bookmarks(),
        5 => fault(FaultKind::CutAfter(cut)),
        6 => fault(FaultKind::EndAfter(cut)),
        7 => fault(FaultKind::ResetBeforeAnswer),
        8 => fault(FaultKind::Unreachable),
        _ => fault(FaultKind::Refuse(Box::new(Status::internal_error("down")))),
    }
}

#[test]
fn every_change_comes_once_and_in_order_whatever_breaks_and_nothing_is_left_of_it() {
    let (mut changes, mut watches) = (0, 0);
    for seed in 0..150 {
        let (bench, mut chance) = (Bench::new(), Chance(seed));
        bench.platform.set_seed(seed);
        bench.server.set_chunks(chance.percent(50).then_some(seed));
        let mut watch = RetryWatcher::of_client(&bench.client(), bench.server.resource_version()).unwrap();
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&log);
        let (task, handle) = abortable(async move {
            while let Some(item) = watch.next().await {
                heard.lock().unwrap().push(told(item));
            }
        });
        bench.platform.spawn(Box::pin(task.map(drop)));
        let (mut expected, mut there) = (Vec::new(), Vec::new());
        for step in 0..60 {
            match chance.below(10) {
                0..4 => expected.push(change(&bench, &mut chance, &mut there, step)),
                4..7 => disturb(&bench, &mut chance),
                7 => bench.platform.run(),
                _ => bench.pass(Duration::from_millis(chance.below(4000))),
            }
        }
        bench.server.faults().clear();
        bench.pass(Duration::from_secs(60));
        assert_eq!(*log.lock().unwrap(), expected, "seed {seed}");
        assert_eq!(bench.platform.running_tasks(), 1, "seed {seed}");
        changes += expected.len();
        watches += bench.server.requests().len();
        if chance.percent(50) {
            // Before or after the watch broke, or while it is opened.
            disturb(&bench, &mut chance);
            bench.pass(Duration::from_millis(chance.below(1500)));
        }
        handle.abort();
        bench.assert_quiet();
    }
    assert!(changes > 2000 && watches > 1000, "{changes} changes in {watches} watches");
}
