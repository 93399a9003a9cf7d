use std::{convert::Infallible, future::pending};

use super::*;
use crate::{
    fake::{Disturbance, Fault, FaultKind},
    meta::Status,
    object::ConditionStatus,
    platform::{Platform, time_limit},
    watch::{WaitError, has_condition, wait_for},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SECOND: Duration = Duration::from_secs(1);

/// Whether the value of a config map is this.
fn is(value: &'static str) -> impl FnMut(Option<&Unstructured>) -> bool {
    move |map| map.is_some_and(|map| map.nested::<String>(&["data", "value"]).unwrap().as_deref() == Some(value))
}

fn never() -> std::future::Pending<Infallible> {
    pending()
}

#[test]
fn what_is_so_already_is_not_waited_for() {
    let bench = Bench::new();
    bench.put("a", "1");
    bench.put("b", "2");
    let client = bench.client();
    let map = wait_for(&client, "a", is("1"), never()).now_or_never().unwrap().unwrap();
    assert_eq!(map.unwrap().name(), "a");
    let gone = wait_for(&client, "c", |map: Option<&Unstructured>| map.is_none(), never()).now_or_never().unwrap().unwrap();
    assert!(gone.is_none());
    // It counts even where time is up.
    assert!(wait_for(&client, "a", is("1"), std::future::ready(())).now_or_never().unwrap().is_ok());
    bench.assert_quiet();
}

#[test]
fn what_is_not_there_yet_or_not_so_yet_is_waited_for_whatever_breaks() {
    let disturbances: [fn(&Bench); 5] = [
        |bench| bench.server.end_watches(),
        |bench| bench.server.disturb_watches(Disturbance::Break),
        |bench| bench.server.disturb_watches(Disturbance::Error(Box::new(Status::internal_error("oh")))),
        |bench| {
            bench.server.faults().add(Fault::new(FaultKind::Unreachable).times(3));
            bench.server.disturb_watches(Disturbance::Break);
        },
        |bench| {
            bench.server.faults().add(Fault::new(FaultKind::Unreachable).on_query("watch=").once());
            // Of the next list as well, once its version is too old.
            let down = FaultKind::Refuse(Box::new(Status::internal_error("down")));
            bench.server.faults().add(Fault::new(down).after(1).times(2));
            bench.server.disturb_watches(Disturbance::Break);
            bench.pass(Duration::ZERO);
            bench.put("other", "x");
            bench.put("other", "y");
            bench.server.compact(&bench.server.resource_version());
        },
    ];
    for (number, disturb) in disturbances.into_iter().enumerate() {
        let bench = Bench::new();
        let client = bench.client();
        let mut waiting = Box::pin(wait_for(&client, "a", is("2"), never()));
        assert!(bench.finish(SECOND, &mut waiting).is_none());
        disturb(&bench);
        assert!(bench.finish(10 * SECOND, &mut waiting).is_none(), "{number}");
        bench.put("a", "1");
        bench.put("b", "2");
        assert!(bench.finish(SECOND, &mut waiting).is_none(), "{number}");
        disturb(&bench);
        bench.put("a", "2");
        assert!(bench.finish(20 * SECOND, &mut waiting).unwrap().unwrap().is_some(), "{number}");
        drop(waiting);
        bench.assert_quiet();
    }
}

#[test]
fn what_shall_go_is_waited_for_until_it_is_gone() {
    let bench = Bench::new();
    bench.put("a", "1");
    let client = bench.client();
    let mut waiting = Box::pin(wait_for(&client, "a", |map: Option<&Unstructured>| map.is_none(), never()));
    bench.put("b", "1");
    bench.put("a", "2");
    assert!(bench.finish(SECOND, &mut waiting).is_none());
    assert!(bench.remove("b") && bench.finish(SECOND, &mut waiting).is_none());
    assert!(bench.remove("a"));
    assert!(bench.finish(SECOND, &mut waiting).unwrap().unwrap().is_none());
}

#[test]
fn a_condition_that_fails_and_who_gives_up_are_told_apart() {
    let bench = Bench::new();
    let client = bench.client();
    bench.put("a", "1");
    let wrong = wait_for(&client, "a", |_: Option<&Unstructured>| Err("wrong"), never());
    assert!(matches!(wrong.now_or_never().unwrap(), Err(WaitError::Condition("wrong"))));
    let platform: Arc<dyn Platform> = Arc::new(bench.platform.clone());
    let mut late = Box::pin(wait_for(&client, "a", is("2"), time_limit(&platform, 5 * SECOND)));
    let error = bench.finish(5 * SECOND, &mut late).unwrap().unwrap_err();
    assert!(error.is_interrupted());
    assert_eq!(error.to_string(), "gave up waiting for the condition: timed out after 5s");
    drop(late);
    bench.assert_quiet();
}

#[test]
fn who_may_not_read_it_hears_so_at_once_and_where_that_ends_later() {
    let refusal = |status: Status| FaultKind::Refuse(Box::new(status));
    let forbidden = || refusal(Status::forbidden(&"configmaps".into(), "a", "no"));
    // A definition that is deleted takes its collection away.
    let gone = || refusal(Status::not_found(&"configmaps".into(), ""));
    for (fault, broken, code) in [
        (Fault::new(forbidden()), false, 403),
        (Fault::new(forbidden()).on_query("watch="), false, 403),
        (Fault::new(forbidden()), true, 403),
        (Fault::new(gone()), false, 404),
        (Fault::new(gone()).on_query("watch="), false, 404),
        (Fault::new(gone()), true, 404),
    ] {
        let bench = Bench::new();
        let client = bench.client();
        let mut waiting = Box::pin(wait_for(&client, "a", is("2"), never()));
        if broken {
            assert!(bench.finish(SECOND, &mut waiting).is_none());
        }
        bench.server.faults().add(fault);
        bench.server.end_watches();
        let error = bench.finish(5 * SECOND, &mut waiting).unwrap().unwrap_err();
        assert!(
            matches!(&error, WaitError::Request(error) if error.status().is_some_and(|status| status.code == code)),
            "{error}"
        );
    }
}

#[test]
fn a_server_that_cannot_be_reached_at_first_is_told() {
    let bench = Bench::new();
    bench.server.faults().add(Fault::new(FaultKind::Unreachable));
    let client = bench.client();
    let error = bench.finish(60 * SECOND, &mut Box::pin(wait_for(&client, "a", is("1"), never()))).unwrap().unwrap_err();
    assert!(matches!(error, WaitError::Request(ApiError::Transport(_))), "{error}");
}

#[test]
fn a_condition_of_the_status_counts_for_the_object_as_it_is_now() {
    // What the condition was found for, and what the whole status was.
    let pod = |status: &str, condition: &str, whole: &str| -> Unstructured {
        let text = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","generation":3},
            "status":{WHOLE"conditions":[{"type":"Other","status":"True"},{"type":"Ready","status":"STATUS"CONDITION}]}}"#;
        let observed = |generation: &str| format!(r#""observedGeneration":{generation}"#);
        let condition = if condition.is_empty() { String::new() } else { format!(",{}", observed(condition)) };
        let whole = if whole.is_empty() { String::new() } else { format!("{},", observed(whole)) };
        text.replace("STATUS", status).replace("CONDITION", &condition).replace("WHOLE", &whole).parse().unwrap()
    };
    for kind in ["Ready", "ready"] {
        let mut is_ready = has_condition(kind, ConditionStatus::TRUE);
        for (status, condition, whole, expected) in [
            ("True", "", "", true),
            ("False", "", "", false),
            ("True", "2", "", false),
            ("True", "3", "", true),
            ("True", "", "2", false),
            ("True", "", "3", true),
            // The condition's own word counts before that of the whole.
            ("True", "3", "2", true),
            ("True", "2", "3", false),
        ] {
            assert_eq!(is_ready(Some(&pod(status, condition, whole))).unwrap(), expected, "{status} {condition} {whole}");
        }
        assert!(!is_ready(None).unwrap());
    }
    assert!(!has_condition("Missing", ConditionStatus::TRUE)(Some(&pod("True", "", ""))).unwrap());
}

#[test]
fn what_is_waited_for_can_be_waited_for_in_a_task_of_its_own() {
    let bench = Bench::new();
    let (client, host) = (bench.client(), Arc::new(bench.platform.clone()));
    let met = Arc::new(Mutex::new(None));
    let told = Arc::clone(&met);
    bench.platform.spawn(Box::pin(async move {
        let minute = time_limit(&(host as Arc<dyn Platform>), 60 * SECOND);
        let map = wait_for(&client, "a", is("2"), minute).await.unwrap();
        *told.lock().unwrap() = map.map(|map| map.name().to_owned());
    }));
    bench.pass(SECOND);
    assert_eq!(bench.platform.running_tasks(), 1);
    bench.put("a", "2");
    bench.pass(SECOND);
    assert_eq!(met.lock().unwrap().as_deref(), Some("a"));
    bench.assert_quiet();
}
