//! A controller: each namespace with the label `team` has a config map `team` that says whose it is.
//! `cargo run --example controller --features native,typed`; `docs/write-a-controller.md` goes through it step by step.
#![expect(clippy::print_stderr, reason = "a program for a terminal")]

use std::{collections::BTreeMap, error::Error, pin::pin, sync::Arc};

use futures::future::{Either, select};
use porthole_client_core::{
    clients::{ClientSet, ResourceClient},
    config::kubeconfig::Overrides,
    controller::{Action, Controller, ControllerError, Owner, own_key, owner_keys},
    host::native::{Connected, connect},
    informer::{FactoryOptions, Lister, SharedInformerFactory},
    k8s_openapi::api::core::v1::{ConfigMap, Namespace},
    mapper::Scope,
    object::{Kind as _, Object as _, controller_reference, is_controlled_by},
    rest::{ApiError, DeleteOptions, Preconditions, RestClient, WriteOptions},
    store::{Key, SharedIndexer},
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let Connected { client, .. } = connect(&Overrides::default())?;
    Ok(run(client, async { drop(tokio::signal::ctrl_c().await) }).await?)
}

pub(crate) async fn run(client: RestClient, stop: impl Future<Output = ()>) -> Result<(), ControllerError> {
    let factory = SharedInformerFactory::new(client.clone(), FactoryOptions::default());
    let (namespaces, maps) = (factory.typed::<Namespace>(), factory.typed::<ConfigMap>());

    let teams = Arc::new(Teams {
        clients: ClientSet::new(client.clone()),
        namespaces: namespaces.lister(Namespace::resource().group_resource()),
        maps: maps.indexer().clone(),
    });

    let controller = Controller::new(Arc::clone(client.platform()));
    controller.watch("namespaces", namespaces, own_key)?;
    let owner = Owner { kind: "Namespace".into(), scope: Scope::Cluster };
    controller.watch("config maps", maps, move |change| owner_keys(change, &owner))?;

    factory.start();
    let reconcile = move |namespace: Key| {
        let teams = Arc::clone(&teams);
        async move { teams.reconcile(&namespace).await }
    };
    let running = pin!(controller.run(2, reconcile, |namespace, error| eprintln!("{namespace}: {error}, and is tried again")));
    match select(running, pin!(stop)).await {
        Either::Left((ended, _)) => ended,
        Either::Right(((), running)) => {
            controller.stop();
            running.await
        }
    }
}

struct Teams {
    clients: ClientSet,
    namespaces: Lister<Namespace>,
    maps: SharedIndexer<ConfigMap>,
}

impl Teams {
    async fn reconcile(&self, key: &Key) -> Result<Action, ApiError> {
        let stays = |namespace: &Arc<Namespace>| namespace.metadata.deletion_timestamp.is_none();
        let Some(namespace) = self.namespaces.get(key.as_str()).ok().filter(stays) else { return Ok(Action::AwaitChange) };
        let maps = self.clients.core_v1().config_maps(namespace.name());
        let there = self.maps.find(Key::of_name(namespace.name(), "team").as_str());
        match (namespace.labels().get("team"), there) {
            (Some(team), None) => drop(maps.create(&map_of(&namespace, team), &WriteOptions::DEFAULT).await?),
            (Some(_), Some(map)) if !is_controlled_by(&*map, &*namespace) => {
                eprintln!("{key}: its config map is somebody else's");
            }
            (Some(team), Some(map)) if map.data != map_of(&namespace, team).data => {
                let changed = ConfigMap { data: map_of(&namespace, team).data, ..(*map).clone() };
                maps.update(&changed, &WriteOptions::DEFAULT).await?;
            }
            (None, Some(map)) if is_controlled_by(&*map, &*namespace) => remove(&maps, &map).await?,
            _ => {}
        }
        Ok(Action::AwaitChange)
    }
}

fn map_of(namespace: &Namespace, team: &str) -> ConfigMap {
    let data = BTreeMap::from([("team".to_owned(), team.to_owned())]);
    let mut map = ConfigMap { data: Some(data), ..ConfigMap::default() };
    map.edit_metadata(|metadata| {
        metadata.name = "team".into();
        metadata.owner_references = vec![controller_reference(namespace, &Namespace::kind())];
    });
    map
}

async fn remove(maps: &ResourceClient<ConfigMap>, map: &ConfigMap) -> Result<(), ApiError> {
    let options = DeleteOptions { preconditions: Some(Preconditions::uid(map.uid())), ..DeleteOptions::DEFAULT };
    maps.delete(map.name(), &options).await.map(drop)
}
