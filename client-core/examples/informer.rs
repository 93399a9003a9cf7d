//! Says what happens to the objects of a resource, through a shared informer: `cargo run --example informer --features native -- pods`.
//!
//! It follows the resource whatever happens to the connection, knows at any time what there is, and says of each object that
//! changes how many there are of its namespace.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::{error::Error, process::ExitCode, sync::Arc, time::Duration};

use futures::{FutureExt as _, StreamExt as _};
use porthole_client_core::{
    clients::MetadataClient,
    config::kubeconfig::Overrides,
    host::native::{Connected, connect},
    informer::{CacheSync, Change, InformerOptions, ObjectSource, SameCluster, Selection, SharedInformer, wait_for_sync},
    mapper::DeferredMapper,
    object::{Object as _, PartialObjectMetadata},
    reflector::Failure,
    selector::LabelSelector,
    store::{SharedIndexer, namespace_index},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let (Some(resource), None) = (std::env::args().nth(1), std::env::args().nth(2)) else {
        eprintln!("error: name one resource, such as \"pods\" or \"deployments.apps\", and nothing else");
        return ExitCode::FAILURE;
    };
    let Err(error) = run(&resource).await else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

async fn run(resource: &str) -> Result<(), Box<dyn Error>> {
    let Connected { client, namespace, .. } = connect(&Overrides::default())?;
    let platform = Arc::clone(client.platform());
    let mapping = DeferredMapper::of_client(client.clone()).resolve(resource).await?;
    let objects = MetadataClient::new(client).of(&mapping, namespace);

    let source = ObjectSource::new(objects, Selection::default(), Arc::new(SameCluster));
    let options = InformerOptions {
        indexer: SharedIndexer::new(namespace_index().into()),
        watch_error_handler: Some(Box::new(|failure: &Failure| eprintln!("{failure:?}"))),
        ..InformerOptions::default()
    };
    let informer = SharedInformer::<PartialObjectMetadata>::new(Arc::clone(&platform), source, options);
    let mut changes = informer.changes()?;
    informer.start();

    let too_late = platform.sleep(Duration::from_secs(30)).map(|()| "no whole list in 30 seconds");
    let caches = [CacheSync::of_informer(resource, &informer)];
    wait_for_sync(caches, too_late, |name| eprintln!("{name} are there")).await.map_err(|error| error.to_string())?;

    let lister = informer.lister(mapping.resource.group_resource());
    let everything = LabelSelector::default();
    while let Some(change) = changes.next().await {
        let word = match &change {
            Change::Added { is_in_initial_list: true, .. } => "THERE",
            Change::Added { .. } => "ADDED",
            Change::Updated { .. } => "MODIFIED",
            Change::Deleted { .. } => "DELETED",
        };
        let object = change.object();
        println!("{word} {} of {}", object.name(), lister.namespace(object.namespace()).list(&everything).len());
    }
    Ok(())
}
