//! All that takes part.

use std::sync::Arc;

use porthole_client_core::{config::RestConfig, reflector::Signal, rest::RestClient};

use super::{
    Fallible,
    browser::Browser,
    cluster::{Cluster, UNLIMITED, connector},
    journal::Journal,
    options::Options,
    proxy::Proxy,
    random::Random,
    while_doing,
    writers::{Orders, Writers},
};
use crate::{
    plan::{At, PLANS, Place, Plan, Way, plans},
    subject::{Report, Subject},
};

pub(super) struct Scene {
    pub(super) cluster: Cluster,
    pub(super) proxy: Proxy,
    pub(super) browser: Browser,
    pub(super) orders: Arc<Orders>,
    pub(super) random: Random,
    pub(super) journal: Journal,
    /// How many processes were killed and started again.
    pub(super) restarts: u64,
    natives: Vec<Subject>,
}

impl Scene {
    /// Starts the informers of this program and those of the page.
    pub(super) async fn set(options: &Options, cluster: Cluster, random: Random, writers: &Writers) -> Fallible<Self> {
        let proxy = Proxy::start(&cluster, options.page.clone()).await?;
        let natives = plans(Place::Native).map(|plan| native(plan, &cluster, &proxy)).collect::<Fallible<_>>()?;
        let browser = Browser::open(options, &proxy.origin()).await?;
        let orders = Arc::clone(&writers.orders);
        Ok(Self { cluster, proxy, browser, orders, random, journal: Journal::new(), restarts: 0, natives })
    }

    /// Suspends an informer, or lets it go on.
    pub(super) async fn suspend(&self, plan: &Plan, suspended: bool) -> Fallible<()> {
        match self.natives.iter().find(|subject| subject.plan.name == plan.name) {
            Some(subject) => {
                subject.signal(if suspended { Signal::Suspend } else { Signal::Resume });
                Ok(())
            }
            None => self.browser.suspend(plan.name, suspended).await,
        }
    }

    /// What became of all informers so far.
    pub(super) async fn reports(&self, with_entries: bool) -> Fallible<Vec<(&'static Plan, Report)>> {
        let mut reports: Vec<_> = self.natives.iter().map(|subject| subject.report(with_entries)).collect();
        reports.extend(self.browser.reports(with_entries).await?);
        let plan = |report: Report| {
            let plan = PLANS.iter().find(|plan| plan.name == report.name);
            Ok((plan.ok_or_else(|| format!("no informer was to be called {}", report.name))?, report))
        };
        reports.into_iter().map(plan).collect()
    }
}

fn native(plan: &'static Plan, cluster: &Cluster, proxy: &Proxy) -> Fallible<Subject> {
    (plan.follow)(plan, client(cluster, proxy, plan.at, plan.way)?)
}

/// A client without a limit of rate.
fn client(cluster: &Cluster, proxy: &Proxy, at: At, way: Way) -> Fallible<RestClient> {
    let config = match at {
        At::Server => cluster.config()?,
        At::Proxy => RestConfig { qps: UNLIMITED, ..RestConfig::new(proxy.origin()) },
    };
    let connector = connector();
    let client = while_doing("make a client", connector.client(&config))?;
    Ok(match way {
        Way::Request => client,
        Way::Socket => client.with_socket_watches(while_doing("make a client", connector.sockets(&config))?),
    })
}
