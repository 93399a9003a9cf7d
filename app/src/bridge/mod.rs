//! The only way between the page and the core.
//!
//! Guarantees: both sides speak typed messages as bytes, over one kind of port, wherever the core runs: in a
//! worker of all tabs, in a worker of this tab, or in the page. A core that dies is noticed and replaced.

#[cfg(target_family = "wasm")]
mod connection;
#[cfg(target_family = "wasm")]
mod host;
mod message;
#[cfg(target_family = "wasm")]
mod port;

#[cfg(target_family = "wasm")]
pub(crate) use connection::{Connection, Link, connect};
#[cfg(target_family = "wasm")]
pub(crate) use host::{Placement, Role, await_lock, close_worker, is_shared, role, take_ports, when_idle};
pub(crate) use message::{
    ActivityView, Choice, ClusterPhase, ClusterView, ExportFormat, FoundObject, HealthView, InformerActivity, KnownCluster,
    Problem, RequestActivity, RowName, RowView, ToCore, ToPage, ViewHealth, ViewPatch, ViewSpec, ViewWindow,
};
#[cfg(target_family = "wasm")]
pub(crate) use port::Port;
