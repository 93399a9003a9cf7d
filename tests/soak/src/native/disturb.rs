//! What is done to the parts between the writers and the informers.

use std::time::Duration;

use tokio::time::sleep;

use super::{Fallible, scene::Scene};
use crate::plan::{Place, plans};

/// One of the things that go wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum Disturbance {
    KillProxy,
    KillServer,
    KillEtcd,
    PauseProxy,
    PauseServer,
    PauseEtcd,
    /// etcd forgets all that was, and the server with it, while some informers are suspended.
    Forget,
    Burst,
    Silence,
}

pub(super) const ALL: [Disturbance; 9] = [
    Disturbance::KillProxy,
    Disturbance::KillServer,
    Disturbance::KillEtcd,
    Disturbance::PauseProxy,
    Disturbance::PauseServer,
    Disturbance::PauseEtcd,
    Disturbance::Forget,
    Disturbance::Burst,
    Disturbance::Silence,
];

const SERVER: &str = "kube-apiserver";
const ETCD: &str = "etcd";
const BURST: i64 = 1000;

impl Disturbance {
    pub(super) async fn happen(self, scene: &mut Scene) -> Fallible<()> {
        scene.journal.note(format_args!("{self:?}"));
        let moment = Duration::from_millis(500 + 250 * scene.random.below(8) as u64);
        match self {
            Self::KillProxy => {
                scene.proxy.end()?;
                sleep(moment).await;
                scene.proxy.again().await?;
                scene.restarts += 1;
            }
            Self::KillServer => kill(scene, SERVER, moment).await?,
            Self::KillEtcd => kill(scene, ETCD, moment).await?,
            Self::PauseProxy => {
                scene.proxy.pause(true)?;
                sleep(2 * moment).await;
                scene.proxy.pause(false)?;
            }
            Self::PauseServer => pause(scene, SERVER, 2 * moment).await?,
            Self::PauseEtcd => pause(scene, ETCD, 2 * moment).await?,
            Self::Forget => forget(scene, moment).await?,
            Self::Burst => scene.orders.burst(BURST),
            Self::Silence => {
                scene.orders.pause(true);
                sleep(moment).await;
                scene.orders.pause(false);
            }
        }
        scene.journal.note(format_args!("{self:?} is over"));
        Ok(())
    }
}

async fn kill(scene: &mut Scene, part: &str, moment: Duration) -> Fallible<()> {
    scene.cluster.part("kill", part).await?;
    sleep(moment).await;
    scene.cluster.part("start", part).await?;
    scene.restarts += 1;
    Ok(())
}

async fn pause(scene: &Scene, part: &str, length: Duration) -> Fallible<()> {
    scene.cluster.part("pause", part).await?;
    sleep(length).await;
    scene.cluster.part("resume", part).await
}

async fn forget(scene: &mut Scene, moment: Duration) -> Fallible<()> {
    let mut suspended = Vec::new();
    for (place, count) in [(Place::Native, 2), (Place::Page, 1), (Place::Worker, 1)] {
        let mut there: Vec<_> = plans(place).collect();
        scene.random.shuffle(&mut there);
        suspended.extend(there.into_iter().take(count));
    }
    for plan in &suspended {
        scene.journal.note(format_args!("suspended: {}", plan.name));
        scene.suspend(plan, true).await?;
    }
    sleep(moment).await;
    scene.cluster.compact().await?;
    // What the server has in memory it forgets with its end.
    kill(scene, SERVER, Duration::ZERO).await?;
    sleep(moment).await;
    for plan in suspended {
        scene.suspend(plan, false).await?;
    }
    Ok(())
}
