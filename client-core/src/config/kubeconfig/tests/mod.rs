//! The behaviour that client-go's tests hold, on files in memory.

mod client_config;
mod deferred;
mod loading;
mod modify;
mod reading;
mod secrets;
mod validation;
mod view;

use super::{AuthInfo, Cluster, Context, Kubeconfig};
use crate::config::Secret;

/// A configuration with one context, `clean`, of a server with TLS and a user with a token.
fn clean() -> Kubeconfig {
    Kubeconfig {
        clusters: [("clean".to_owned(), Cluster { server: "https://anything.com:8080".into(), ..Cluster::default() })].into(),
        users: [("clean".to_owned(), AuthInfo { token: Secret::new("the-token"), ..AuthInfo::default() })].into(),
        contexts: [("clean".to_owned(), context("clean", "clean"))].into(),
        current_context: "clean".into(),
        ..Kubeconfig::default()
    }
}

fn context(cluster: &str, user: &str) -> Context {
    Context { cluster: cluster.into(), user: user.into(), ..Context::default() }
}
