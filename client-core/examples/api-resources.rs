//! Prints what a server has, as `kubectl api-resources` does: `cargo run --example api-resources --features native`.
#![expect(clippy::print_stderr, reason = "a program for a terminal")]

mod columns;

use std::{error::Error, process::ExitCode};

use porthole_client_core::{
    config::kubeconfig::Overrides,
    discovery::{Discovery as _, DiscoveryClient},
    host::native::connect,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    run().await.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

async fn run() -> Result<ExitCode, Box<dyn Error>> {
    let client = connect(&Overrides::default())?.client;
    let (lists, failures) = DiscoveryClient::new(client).server_preferred_resources().await?.partial();
    let mut resources = Vec::new();
    for list in &lists {
        let served = list.resources.iter().filter(|resource| !resource.verbs.is_empty());
        resources.extend(served.map(|resource| (&list.group_version, resource)));
    }
    resources.sort_by_key(|(group_version, resource)| (&group_version.group, &resource.name));

    let mut rows = vec![["NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND"].map(str::to_owned).to_vec()];
    rows.extend(resources.iter().map(|(group_version, resource)| {
        let (short_names, namespaced) = (resource.short_names.join(","), resource.namespaced.to_string());
        vec![resource.name.clone(), short_names, group_version.to_string(), namespaced, resource.kind.clone()]
    }));
    columns::print(&rows);

    if failures.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("error: {failures}");
    Ok(ExitCode::FAILURE)
}
