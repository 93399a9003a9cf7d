//! Says what objects shall be, as `kubectl apply --server-side -f -` does:
//! `cargo run --example apply --features native < manifests.yaml`.
//!
//! It reads any number of objects as YAML or JSON, and takes fields from other managers with `--force-conflicts`. What one object
//! meets does not keep the next from being applied.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::{
    error::Error,
    io::{Read as _, stdin},
    process::ExitCode,
    sync::Arc,
};

use porthole_client_core::{
    clients::DynamicClient,
    config::{RestConfig, kubeconfig::Overrides},
    discovery::{DiscoveryClient, MemoryCache},
    host::native::{NativeConnector, NativePlatform, load_config},
    mapper::DeferredMapper,
    meta::Namespace,
    object::{Object as _, Unstructured},
    rest::{PatchOptions, RestClient, WriteOptions},
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
    let documents = serde_saphyr::from_multiple::<serde_json::Value>(&text)?;
    let objects = documents.iter().filter(|document| !document.is_null()).map(|document| document.to_string().parse());
    let objects = objects.collect::<std::result::Result<Vec<Unstructured>, _>>()?;

    let config = load_config(&Overrides::default())?;
    let applier = Applier::new(&config.rest, config.namespace.namespace, force)?;
    let mut code = ExitCode::SUCCESS;
    for object in objects {
        match applier.apply(&object).await {
            Ok(name) => println!("{name} serverside-applied"),
            Err(error) => {
                eprintln!("error: {}: {error}", object.name());
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

struct Applier {
    client: DynamicClient,
    mapper: DeferredMapper,
    namespace: Namespace,
    options: PatchOptions,
}

impl Applier {
    fn new(config: &RestConfig, namespace: Namespace, force: bool) -> Result<Self> {
        let platform = Arc::new(NativePlatform::new(tokio::runtime::Handle::current()));
        let client: RestClient = NativeConnector::new(platform).client(config)?;
        // It asks again where it does not know a kind: the objects may make it.
        let mapper = DeferredMapper::new(Arc::new(MemoryCache::new(Arc::new(DiscoveryClient::new(client.clone())))));
        let write = WriteOptions { field_manager: Some("apply-example".to_owned()), ..WriteOptions::default() };
        Ok(Self { client: DynamicClient::new(client), mapper, namespace, options: PatchOptions { write, force: Some(force) } })
    }

    /// Applies the object, and says which it was.
    async fn apply(&self, object: &Unstructured) -> Result<String> {
        let kind = object.group_version_kind();
        let mapping = self.mapper.rest_mapping(&kind.group_kind(), &[&kind.group_version.version]).await?;
        let objects = if mapping.is_namespaced() {
            let own = Some(object.namespace()).filter(|namespace| !namespace.is_empty()).map(Namespace::from);
            self.client.namespaced(&mapping.resource, own.unwrap_or_else(|| self.namespace.clone()))
        } else {
            self.client.cluster(&mapping.resource)
        };
        let applied = objects.apply(object.name(), object, &self.options).await?;
        Ok(format!("{}/{}", kind.group_kind().to_string().to_lowercase(), applied.name()))
    }
}
