//! Following the cluster: who it is, what it has, and whether it is still the same.

use std::time::Duration;

use porthole_client_core::{
    clients::TableClient,
    discovery::{Catalog, retry_failed},
    informer::IdentityCheck,
    meta::{ClusterId, GroupVersion, GroupVersionResource, Namespace},
    platform::BoxFuture,
    reflector::{Backoff, HealthState, Identity, Signal},
    rest::{ApiError, ListOptions, ResourcePath},
};

use super::{
    cluster::{Found, find, identity, problem},
    server::Core,
};
use crate::bridge::{ClusterPhase, ClusterView, ToPage};

/// How often discovery is asked again: an unchanged answer costs a few hundred bytes.
const DISCOVERY_PERIOD: Duration = Duration::from_secs(30);
/// The same where the server has to be asked group by group.
const LEGACY_DISCOVERY_PERIOD: Duration = Duration::from_secs(300);
/// The longest wait for a cluster that does not answer.
const AWAY_PERIOD: Duration = Duration::from_secs(10);

impl Core {
    /// Asks which cluster there is and what it has, for as long as the core lives.
    pub(super) async fn follow_cluster(&self) {
        let inner = &self.0;
        let mut backoff = Backoff::default();
        loop {
            if inner.tabs.borrow().is_empty() {
                // The next page that says hello starts it again.
                inner.asking.set(false);
                return;
            }
            inner.streams.borrow_mut().end_idle(inner.platform.now());
            let known = self.known_catalog();
            let wait = match find(&inner.client, known).await {
                Ok(found) => {
                    backoff.reset();
                    let aggregated = found.catalog.groups.etag.is_some();
                    self.found(found);
                    if aggregated { DISCOVERY_PERIOD } else { LEGACY_DISCOVERY_PERIOD }
                }
                Err(error) => {
                    self.away(&error);
                    backoff.delay(inner.platform.now(), inner.platform.random()).min(AWAY_PERIOD)
                }
            };
            if inner.again.replace(false) {
                continue;
            }
            let (sender, hurry) = futures::channel::oneshot::channel();
            *inner.hurry.borrow_mut() = Some(sender);
            futures::future::select(inner.platform.sleep(wait), hurry).await;
        }
    }

    fn known_catalog(&self) -> Option<(Option<ClusterId>, Catalog)> {
        let of_now = self.0.catalog.borrow().clone().map(|catalog| (self.0.cluster.borrow().id.clone(), catalog));
        of_now.or_else(|| self.0.known.borrow().clone().map(|known| (Some(known.id), known.catalog)))
    }

    fn found(&self, found: Found) {
        let inner = &self.0;
        let before = inner.cluster.borrow().clone();
        let first = inner.catalog.borrow().is_none();
        let other = !first && before.differs_from(found.id.as_ref());
        if other {
            self.forget_cluster();
        }
        let since = if before.phase == ClusterPhase::Here && !other { before.since } else { inner.platform.wall_time() };
        let cluster = ClusterView { id: found.id, version: found.version, phase: ClusterPhase::Here, since };
        if cluster != before {
            *inner.cluster.borrow_mut() = cluster.clone();
            self.tell_all(&ToPage::Cluster(cluster));
        }
        let changed = inner.catalog.borrow().as_ref() != Some(&found.catalog);
        if changed {
            self.tell_all(&ToPage::Catalog(found.catalog.clone()));
            *inner.catalog.borrow_mut() = Some(found.catalog);
            *inner.known.borrow_mut() = None;
        }
        if changed || other || before.phase != ClusterPhase::Here {
            self.admit();
            // What was refused may be there now.
            for stream in inner.streams.borrow().iter() {
                if stream.informer.read(|state| state.health.state == HealthState::Refused) {
                    stream.informer.signal(Signal::Retry);
                }
            }
            self.poke();
        }
    }

    fn away(&self, error: &ApiError) {
        let phase = ClusterPhase::Away(problem(error));
        let mut cluster = self.0.cluster.borrow_mut();
        if cluster.phase != phase {
            if !matches!(cluster.phase, ClusterPhase::Away(_)) {
                cluster.since = self.0.platform.wall_time();
            }
            cluster.phase = phase;
            self.tell_all(&ToPage::Cluster(cluster.clone()));
        }
        drop(cluster);
        self.admit();
        self.poke();
    }

    /// Drops all that was known: another cluster answers.
    fn forget_cluster(&self) {
        let inner = &self.0;
        inner.streams.borrow_mut().clear();
        *inner.catalog.borrow_mut() = None;
        *inner.known.borrow_mut() = None;
        let now = inner.platform.wall_time();
        for view in self.all_views() {
            view.borrow_mut().forget(now);
        }
    }

    /// Asks again for what failed in discovery, and for nothing else.
    pub(super) fn retry_discovery(&self) {
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let Some(known) = core.0.catalog.borrow().clone() else { return };
            let catalog = retry_failed(&core.0.client, &known).await;
            // What was learned meanwhile is newer.
            let is_newest = core.0.catalog.borrow().as_ref() == Some(&known);
            if is_newest && catalog != known {
                core.tell_all(&ToPage::Catalog(catalog.clone()));
                *core.0.catalog.borrow_mut() = Some(catalog);
                core.admit();
                core.poke();
            }
        }));
    }

    pub(super) fn namespaces(&self, tab: u32) {
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let answer = core.list_namespaces().await.map_err(|error| problem(&error));
            core.tell(tab, &ToPage::Namespaces(answer));
        }));
    }

    async fn list_namespaces(&self) -> Result<Vec<Namespace>, ApiError> {
        let resource = GroupVersionResource {
            group_version: GroupVersion { group: String::new(), version: "v1".to_owned() },
            resource: "namespaces".to_owned(),
        };
        let tables = TableClient::new(self.0.client.clone(), ResourcePath::collection(&resource, None)?);
        let list = tables.list(&ListOptions::default()).await?;
        // The server lists by name.
        Ok(list.rows.iter().map(|row| Namespace::from(row.name.as_str())).collect())
    }
}

/// Compares the cluster that answers with the one the core knows.
pub(super) struct CoreIdentity(pub(super) Core);

impl IdentityCheck for CoreIdentity {
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        let core = self.0.clone();
        Box::pin(async move {
            let answer = identity(&core.0.client).await?;
            let known = core.0.cluster.borrow().id.clone();
            Ok(match (known, answer) {
                (Some(known), Some(answer)) if known == answer => Identity::Same,
                (Some(_), Some(_)) => {
                    // The loop that follows the cluster finds the other one, and drops all that is known.
                    core.signal(Signal::Woken);
                    Identity::Other
                }
                _ => Identity::Unknown,
            })
        })
    }
}
