//! The `ReplicaSet` controller of Kubernetes, once more: `cargo run --example replicaset-controller --features native,typed,protobuf`.
//!
//! It keeps as many pods as each set wants: makes them where there are too few, deletes those that are missed least where there are too
//! many, takes those in that nobody manages and lets go those that no longer match, and writes down what there is. For a cluster
//! whose own controller is switched off: `kube-controller-manager --controllers=*,-replicaset-controller`. Several copies may run: one
//! leads, and another takes over where that ends. What it may do is in `access.yaml`.
//!
//! Beyond what Kubernetes' own does, it never makes one pod too many where the answer to a creation is lost (see `certain`).
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod arguments;
mod certain;
mod controller;
mod deletion_order;
mod indexes;
mod pods;
mod replica_sets;
mod status;
mod telling;
mod template;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::{error::Error, future::pending, process::ExitCode, sync::Arc, time::Duration};

use futures::{
    FutureExt as _,
    future::{Either, Shared, select},
};
use porthole_client_core::{
    config::kubeconfig::Overrides,
    controller::ControllerError,
    events::{EventApi, EventRecorder, RecorderOptions},
    flowcontrol::TokenBucket,
    host::native::{Connected, connect},
    leader_election::{ElectionError, LeaderElectionOptions, LeaderElector, LeaseLock},
    platform::BoxFuture,
    rest::RestClient,
    wire::protobuf::Schema,
};

use arguments::Arguments;
use controller::ReplicaSetController;
use telling::{Failures, record, watch_failed};

/// For how long what has begun may take to end when the program is told to.
const PATIENCE: Duration = Duration::from_secs(10);

type Stop = Shared<BoxFuture<'static, ()>>;

#[tokio::main]
async fn main() -> ExitCode {
    let Err(error) = run().await else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

async fn run() -> Result<(), Box<dyn Error>> {
    let arguments = arguments::read(std::env::args().skip(1), format!("replicaset-controller-{}", std::process::id()))?;
    let Connected { client, .. } = connect(&Overrides::default())?;
    // A server spends less on it than on JSON.
    let client = client.with_protobuf(Arc::new(Schema::kubernetes()));
    let limited = || Arc::new(TokenBucket::new(arguments.qps, arguments.burst));
    // Neither waits for the other: a lease that is renewed late is lost.
    let (leases, client) = (client.clone().with_rate_limit(limited()), client.with_rate_limit(limited()));

    let (namespace, name) = &arguments.lease;
    let lock = LeaseLock::new(leases, namespace.as_str(), name.as_str(), arguments.identity.as_str());
    let options = LeaderElectionOptions {
        lease_duration: arguments.lease_duration,
        renew_deadline: arguments.lease_duration * 2 / 3,
        retry_period: arguments.lease_duration * 2 / 15,
        release_on_cancel: true,
        observer: Some(Arc::new(Failures)),
        ..LeaderElectionOptions::default()
    };
    let elector = LeaderElector::new(lock, options)?;
    let stop = told_to_stop()?;
    // Who leads ends what has begun first, and then the lease.
    let give_up = async || {
        stop.clone().await;
        if elector.is_leader() {
            pending::<()>().await;
        }
        "no copy is to lead any more"
    };
    loop {
        let run = elector.run(give_up(), || lead(&client, &arguments, stop.clone()));
        // Where what has begun does not end, the lease is not released: another may lead once it has run out.
        let ended = match select(run.boxed(), too_late(&client, stop.clone()).boxed()).await {
            Either::Left((ended, _)) => ended,
            Either::Right(((), _)) => return Err("what had begun did not end in time, and was given up".into()),
        };
        match ended {
            Ok(ended) => return Ok(ended?),
            Err(ElectionError::Interrupted(_)) => return Ok(()),
            // All that it did was dropped, and nothing is kept: it may lead again.
            Err(lost @ ElectionError::Lost(_)) => eprintln!("{}: {lost}", arguments.identity),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Looks after the sets until it is told to stop. Each time that a copy leads it begins with what the server says: what it read
/// before may be old.
async fn lead(client: &RestClient, arguments: &Arguments, stop: Stop) -> Result<(), ControllerError> {
    println!("{} leads", arguments.identity);
    let options = RecorderOptions::of(EventApi::CoreV1);
    let recorder = EventRecorder::with_options(client.clone(), "replicaset-controller", options, Failures);
    let tell = recorder.clone();
    let namespace = arguments.namespace.as_str().into();
    let controller =
        ReplicaSetController::new(client.clone(), namespace, watch_failed, move |set, told| record(&tell, set, told))?;
    let run = controller.run(arguments.workers, |key, error| eprintln!("{key}: {error}")).boxed();
    let ended = match select(run, stop).await {
        Either::Left((ended, _)) => ended,
        Either::Right(((), run)) => {
            controller.stop();
            run.await
        }
    };
    recorder.shut_down(PATIENCE / 2).await;
    ended
}

/// Ends when what was told to stop has had its time.
async fn too_late(client: &RestClient, stop: Stop) {
    stop.await;
    client.platform().sleep(PATIENCE).await;
}

/// Ends when somebody interrupts the program, or the system asks it to end.
fn told_to_stop() -> std::io::Result<Stop> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    let told = async move {
        #[cfg(unix)]
        let terminated = terminate.recv();
        #[cfg(not(unix))]
        let terminated = pending::<()>();
        select(Box::pin(tokio::signal::ctrl_c()), Box::pin(terminated)).await;
    };
    Ok(told.boxed().shared())
}
