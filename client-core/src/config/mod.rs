//! How to reach an API server: the configuration that clients are made from, and the kubeconfig files it comes from.
//!
//! Guarantees: nothing here touches a file, a variable of the process or a clock by itself; a host lends them
//! (`kubeconfig::ConfigFiles`, `kubeconfig::Environment`). No secret is ever shown by `Debug` or in a message. Kubeconfig
//! files (feature `kubeconfig`) are read, merged, checked and written as kubectl does it. Leaves out the transports:
//! those that add credentials are in [`crate::transport`], those with sockets in [`crate::host`].

mod exec;
mod exec_cluster;
#[cfg(feature = "kubeconfig")]
pub mod kubeconfig;
mod nulls;
mod page;
mod page_memory;
mod paths;
mod proxy;
mod rest_config;
mod secret;
mod server_url;
mod user_agent;

pub use exec::{AuthProviderConfig, ExecConfig, ExecEnvVar, InteractiveMode, PluginPolicy, PluginPolicyError};
pub use exec_cluster::{ExecCluster, ExecClusterError};
pub use page::{PageConfig, PageConfigError};
pub use page_memory::{
    KeepToken, PageMemoryError, RememberedConnection, forget_connection, remember_connection, remembered_connection,
};
#[cfg(all(feature = "native", not(target_family = "wasm")))]
pub(crate) use paths::clean as clean_path;
pub use proxy::{Proxy, ProxyUrl, ProxyUrlError};
pub use rest_config::{Auth, BasicAuth, Impersonation, RateLimit, RestConfig, RestConfigError, TlsConfig};
pub use secret::{PemData, Secret};
#[cfg(all(feature = "native", not(target_family = "wasm")))]
pub(crate) use server_url::without_credentials;
pub use server_url::{ServerUrl, ServerUrlError, versioned_api_path};
pub use user_agent::{default_user_agent, user_agent};
