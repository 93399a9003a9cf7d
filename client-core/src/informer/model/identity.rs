//! Who answers, as the test knows it.

use std::{
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use super::{
    scenario::Identities,
    trouble::{Target, Trouble},
    wire::{Wire, is_silent},
};
use crate::{
    fake::FaultKind,
    informer::IdentityCheck,
    platform::{BoxFuture, Platform},
    reflector::Identity,
    rest::ApiError,
    transport::TransportError,
};

/// Asks the wire which cluster is at its end.
pub(super) struct Check {
    pub(super) wire: Wire,
    pub(super) platform: Arc<dyn Platform>,
    pub(super) identities: Identities,
    /// The cluster that is known.
    pub(super) known: Arc<Mutex<u64>>,
}

impl IdentityCheck for Check {
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        let exchange = self.wire.begin(false);
        let trouble = self.wire.strike(Target::Identity);
        let (wire, platform, known, identities) =
            (self.wire.clone(), Arc::clone(&self.platform), Arc::clone(&self.known), self.identities);
        Box::pin(async move {
            let fault = trouble.map(Trouble::fault);
            match fault {
                Some(kind) if is_silent(&kind) => return std::future::pending().await,
                Some(FaultKind::Delay(by)) => platform.sleep(by.min(Duration::from_secs(60))).await,
                Some(FaultKind::Refuse(status)) => return Err(ApiError::Refused(status)),
                Some(FaultKind::DuplicateBookmark | FaultKind::LoseBookmark | FaultKind::ContentType(_)) | None => {}
                Some(_) => return Err(ApiError::Transport(TransportError::Broken { message: "reset".to_owned() })),
            }
            exchange.opened.store(true, Ordering::Relaxed);
            let now = wire.cluster();
            Ok(match identities {
                Identities::Same => Identity::Same,
                Identities::Unknown => Identity::Unknown,
                Identities::Known if std::mem::replace(&mut *known.lock().unwrap(), now) == now => Identity::Same,
                Identities::Known => Identity::Other,
            })
        })
    }
}
