//! Says what objects shall be, as `kubectl apply --server-side -f -` does:
//! `cargo run --example apply --features native < manifests.yaml`.
//!
//! It reads any number of objects as YAML or JSON, and takes fields from other managers with `--force-conflicts`. Each is sent as it
//! is written, digit for digit. What one object meets does not keep the next from being applied.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::{
    error::Error,
    io::{Read as _, stdin},
    process::ExitCode,
};

use porthole_client_core::{
    config::kubeconfig::Overrides,
    host::native::{Connected, connect},
    mapper::DeferredMapper,
    meta::Namespace,
    object::{Object as _, Unstructured},
    rest::PatchOptions,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    run().await.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

async fn run() -> Result<ExitCode> {
    let force = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--force-conflicts") => true,
        Some(other) => return Err(format!("{other:?} is unknown: the objects are read from the standard input").into()),
    };
    let mut text = String::new();
    stdin().read_to_string(&mut text)?;
    let mut objects: Vec<(Unstructured, String)> = Vec::new();
    for document in documents(&text) {
        // Only what the object is called is read here, for which no digits count.
        let read: serde_json::Value = serde_saphyr::from_str(&document).map_err(|error| format!("no YAML: {error}"))?;
        if !read.is_null() {
            objects.push((read.to_string().parse()?, document));
        }
    }

    let Connected { client, namespace: default, .. } = connect(&Overrides::default())?;
    // It asks again where it does not know a kind: the objects may make it.
    let mapper = DeferredMapper::of_client(client.clone());
    let options = PatchOptions { force: Some(force), ..PatchOptions::by("apply-example") };
    let apply = async |object: &Unstructured, text: String| -> Result<String> {
        let kind = object.group_version_kind();
        let mapping = mapper.rest_mapping(&kind.group_kind(), &[&kind.group_version.version]).await?;
        let own = Some(object.namespace()).filter(|namespace| !namespace.is_empty()).map(Namespace::from);
        let namespace = own.unwrap_or_else(|| default.clone());
        let request = client.patch().resource(&mapping.resource).name(&object.name().into()).options(&options);
        let request = if mapping.is_namespaced() { request.namespace(&namespace) } else { request };
        let applied: Unstructured = request.body(text, "application/apply-patch+yaml").send().await?.read()?;
        Ok(format!("{}/{}", kind.group_kind().to_string().to_lowercase(), applied.name()))
    };
    let mut code = ExitCode::SUCCESS;
    for (object, text) in objects {
        match apply(&object, text).await {
            Ok(name) => println!("{name} serverside-applied"),
            Err(error) => {
                eprintln!("error: {} {:?}: {error}", object.group_version_kind().kind, object.name());
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// The documents of a stream: a line that begins with three dashes is between two.
fn documents(text: &str) -> Vec<String> {
    let mut documents = vec![String::new()];
    for line in text.lines() {
        match documents.last_mut().filter(|_| !line.starts_with("---")) {
            Some(last) => last.extend([line, "\n"]),
            None => documents.push(String::new()),
        }
    }
    documents
}
