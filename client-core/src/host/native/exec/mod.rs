//! Credential plugins: commands that print a token or a certificate.
//!
//! Guarantees: a plugin runs once at a time, and again only when its credentials have expired or were refused; what it is
//! told and what it answers is `client.authentication.k8s.io/v1` or `v1beta1`; secrets show in no message.

mod command;
mod credential;
mod error;
mod host;
mod plugin;

pub(super) use credential::Credentials;
pub use error::ExecError;
pub use host::{CallOutcome, ExecEvent, ExecHost};
pub(super) use plugin::Plugin;
