//! Which part of a collection, and how it is asked for.

use crate::{
    platform::{BoxFuture, MaybeSend, MaybeSync},
    reflector::{Identity, Request},
    rest::{ApiError, ListOptions, ResourceVersionMatch},
    wire::Projection,
};

/// Tells which cluster answers, against the one that was there when the informer was made.
pub trait IdentityCheck: MaybeSend + MaybeSync + 'static {
    /// Asks.
    ///
    /// # Errors
    /// Where nobody answers.
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>>;
}

/// Takes whoever answers for the cluster that was there before, as client-go does: for a server whose address stands for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SameCluster;

impl IdentityCheck for SameCluster {
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        Box::pin(async { Ok(Identity::Same) })
    }
}

/// Which part of a collection, and what a table shows of it beyond the server's columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selection {
    /// A label selector, as kubectl's `-l` takes it.
    pub label_selector: Option<String>,
    /// A field selector.
    pub field_selector: Option<String>,
    /// Columns that a [`TableInformer`](super::TableInformer) puts behind those of the server. Where one of them looks beyond the
    /// metadata of the objects, the server sends these whole.
    pub projection: Projection,
}

impl Selection {
    /// What a request asks for, of this part and nothing more.
    pub(crate) fn part(&self) -> ListOptions {
        ListOptions {
            label_selector: self.label_selector.clone(),
            field_selector: self.field_selector.clone(),
            ..ListOptions::default()
        }
    }

    /// What a reflector's request asks for, of this part. One that asks who answers asks for no part.
    pub(super) fn options(&self, request: &Request) -> ListOptions {
        let part = self.part();
        match request {
            Request::List { resource_version, exact, limit, continue_token } => ListOptions {
                resource_version: resource_version.clone(),
                resource_version_match: exact.then_some(ResourceVersionMatch::Exact),
                limit: *limit,
                continue_token: continue_token.clone(),
                ..part
            },
            Request::Watch { resource_version, send_initial_events, timeout } => ListOptions {
                resource_version: resource_version.clone(),
                resource_version_match: send_initial_events.then_some(ResourceVersionMatch::NotOlderThan),
                timeout: Some(*timeout),
                allow_watch_bookmarks: true,
                send_initial_events: send_initial_events.then_some(true),
                ..part
            },
            Request::Identity => part,
        }
    }
}
