//! Says what happens to the objects of a resource: `cargo run --example watch --features native -- configmaps`.
//!
//! It brings what there is first, goes on from the last version where a stream ends, and from the beginning where that version
//! is too old.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::{error::Error, process::ExitCode, sync::Arc, time::Duration};

use futures::StreamExt as _;
use porthole_client_core::{
    clients::{MetadataClient, ResourceClient},
    config::kubeconfig::Overrides,
    host::native::{Connected, connect},
    mapper::DeferredMapper,
    meta::ResourceVersion,
    object::{Object as _, PartialObjectMetadata},
    rest::{ApiError, ListOptions, ResourceVersionMatch, WatchError},
    wire::WatchEvent,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let (Some(resource), None) = (std::env::args().nth(1), std::env::args().nth(2)) else {
        eprintln!("error: name one resource, such as \"configmaps\" or \"deployments.apps\", and nothing else");
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
    let mut version = None;
    loop {
        match follow(&objects, &mut version).await {
            Ok(()) => {}
            Err(error) if error.is_expired_or_gone() => version = None,
            Err(ApiError::Transport(error)) => eprintln!("{error}"),
            Err(error) => return Err(error.into()),
        }
        platform.sleep(Duration::from_secs(1)).await;
    }
}

/// Prints events until the stream ends; `version` is where to go on.
async fn follow(objects: &ResourceClient<PartialObjectMetadata>, version: &mut Option<ResourceVersion>) -> Result<(), ApiError> {
    let initial = version.is_none();
    // Until all there was has come, no version is one to go on from.
    let mut whole = !initial;
    let options = ListOptions {
        resource_version: version.clone(),
        allow_watch_bookmarks: true,
        send_initial_events: initial.then_some(true),
        resource_version_match: initial.then_some(ResourceVersionMatch::NotOlderThan),
        ..ListOptions::default()
    };
    let mut events = objects.watch(&options).await?;
    while let Some(event) = events.next().await {
        let (word, object) = match event {
            Ok(WatchEvent::Added(object)) => ("ADDED", object),
            Ok(WatchEvent::Modified(object)) => ("MODIFIED", object),
            Ok(WatchEvent::Deleted(object)) => ("DELETED", object),
            Ok(WatchEvent::Bookmark(bookmark)) => {
                whole |= bookmark.ends_initial_events;
                *version = whole.then_some(bookmark.resource_version);
                continue;
            }
            Ok(WatchEvent::Error(status)) => return Err(ApiError::Refused(status)),
            Err(WatchError::Transport(error)) => return Err(error.into()),
            Err(error) => {
                eprintln!("{error}");
                continue;
            }
        };
        println!("{word} {}", object.name());
        *version = whole.then(|| object.resource_version().into());
    }
    Ok(())
}
