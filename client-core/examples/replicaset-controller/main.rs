//! The ReplicaSet controller of Kubernetes, once more: `cargo run --example replicaset-controller --features native,typed`.
//!
//! It keeps as many pods as each set wants: makes them where there are too few, deletes those that are missed least where there are too
//! many, takes those in that nobody manages and lets go those that no longer match, and writes down what there is. For a cluster
//! whose own controller is switched off: `kube-controller-manager --controllers=*,-replicaset-controller`. Several copies may run: one
//! leads, and another takes over where that ends.
//!
//! Beyond what Kubernetes' own does, it never makes one pod too many where the answer to a creation is lost (see `certain`).
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod certain;
mod controller;
mod deletion_order;
mod indexes;
mod pods;
mod replica_sets;
mod status;
mod template;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::{error::Error, process::ExitCode};

use porthole_client_core::{
    config::kubeconfig::Overrides,
    host::native::{Connected, connect},
};

use controller::ReplicaSetController;

#[tokio::main]
async fn main() -> ExitCode {
    let Err(error) = run().await else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

async fn run() -> Result<(), Box<dyn Error>> {
    let Connected { client, .. } = connect(&Overrides::default())?;
    let controller = ReplicaSetController::new(client, "".into(), |set, told| println!("{:?}: {told:?}", set.metadata.name))?;
    controller.run(5, |key, error| eprintln!("{key}: {error}")).await?;
    Ok(())
}
