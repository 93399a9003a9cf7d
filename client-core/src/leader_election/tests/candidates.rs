//! Candidates for the control plane.

use super::*;
use crate::{
    controller::ReconcileError,
    fake::ResourceDefinition,
    meta::{MicroTime, Status},
    rest::ApiError,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

struct Candidacy {
    bench: Bench,
    stop: Latch,
    failures: Arc<Log>,
    ended: Arc<AtomicBool>,
}

impl Candidacy {
    fn new(bench: Bench) -> Self {
        let definition = ResourceDefinition::built_in("coordination.k8s.io", "v1beta1", "leasecandidates", "LeaseCandidate");
        bench.server.register(definition.with_fields(["spec"]));
        Self { bench, stop: Latch::default(), failures: Arc::default(), ended: Arc::default() }
    }

    fn run(self) -> Self {
        let spec = LeaseCandidateSpec {
            lease_name: "lease".to_owned(),
            binary_version: "1.30.0".to_owned(),
            emulation_version: "1.30.0".to_owned(),
            strategy: "OldestEmulationVersion".to_owned(),
        };
        let candidate = LeaseCandidate::new(self.bench.server.client(), "default", "foo", spec);
        let (stop, failures, ended) = (self.stop.clone(), Arc::clone(&self.failures), Arc::clone(&self.ended));
        self.bench.platform.spawn(Box::pin(async move {
            let failed = move |error: &ReconcileError<ApiError>| failures.push(error.to_string());
            candidate.run(stop.wait(), failed).await.unwrap();
            ended.store(true, Ordering::Relaxed);
        }));
        self.bench.platform.run();
        self
    }

    fn candidate(&self) -> Option<Unstructured> {
        let resource = GroupVersionResource::new("coordination.k8s.io", "v1beta1", "leasecandidates");
        let found = self.bench.server.get(&resource, Some(&"default".into()), &"foo".into());
        found.map(|candidate| Unstructured::from_value(&candidate).unwrap())
    }

    fn renewed(&self) -> MicroTime {
        self.candidate().unwrap().nested(&["spec", "renewTime"]).unwrap().unwrap()
    }

    fn now(&self) -> MicroTime {
        self.bench.platform.wall_time().into()
    }

    fn ping(&self, at: MicroTime) {
        let mut candidate = self.candidate().unwrap();
        candidate.set_nested(&["spec", "pingTime"], at.to_string()).unwrap();
        self.bench.server.insert(&candidate).unwrap();
    }

    fn end(&self) {
        self.stop.open();
        self.bench.platform.run();
        assert!(self.ended.load(Ordering::Relaxed));
        assert_eq!((self.bench.platform.running_tasks(), self.bench.server.open_watches()), (0, 0));
    }
}

#[test]
fn a_candidate_is_put_up_and_says_every_five_minutes_that_it_is_there() {
    let run = Candidacy::new(Bench::new()).run();
    let made = run.candidate().unwrap();
    let spec: LeaseCandidateSpec = made.nested(&["spec"]).unwrap().unwrap();
    assert_eq!(
        (spec.lease_name.as_str(), spec.binary_version.as_str(), spec.emulation_version.as_str(), spec.strategy.as_str()),
        ("lease", "1.30.0", "1.30.0", "OldestEmulationVersion")
    );
    assert_eq!(run.renewed(), run.now());
    let first = run.renewed();
    run.bench.pass(299 * SECOND);
    assert_eq!(run.renewed(), first);
    run.bench.pass(SECOND);
    assert_eq!(run.renewed(), run.now());
    run.end();
    assert_eq!(run.failures.taken(), Vec::<String>::new());

    // One that is there already is renewed, and keeps what others wrote into it.
    run.ping(first);
    let again = Candidacy { stop: Latch::default(), ended: Arc::default(), ..run };
    again.bench.pass(SECOND);
    let again = again.run();
    assert_eq!(again.renewed(), again.now());
    assert_eq!(again.candidate().unwrap().nested(&["spec", "pingTime"]).unwrap(), Some(first));
    again.end();
}

#[test]
fn a_candidate_answers_when_the_control_plane_asks_and_asks_once() {
    let run = Candidacy::new(Bench::new()).run();
    let first = run.renewed();
    run.bench.pass(10 * SECOND);
    run.ping(run.now());
    run.bench.platform.run();
    assert_eq!(run.renewed(), run.now());
    // What was answered is no question any more.
    run.bench.server.forget_requests();
    run.ping(first);
    run.bench.pass(10 * SECOND);
    assert_eq!(run.bench.verbs(), "");
    run.end();
}

#[test]
fn a_candidate_that_cannot_be_put_up_is_tried_again_and_told_of() {
    let candidacy = Candidacy::new(Bench::new());
    let no = FaultKind::Refuse(Box::new(Status::internal_error("no")));
    candidacy.bench.server.faults().add(Fault::new(no).on_method(http::Method::POST).times(3));
    let run = candidacy.run();
    assert!(run.candidate().is_none());
    run.bench.pass(SECOND);
    assert!(run.candidate().is_some());
    assert_eq!(run.failures.taken().len(), 3);
    run.end();
}
