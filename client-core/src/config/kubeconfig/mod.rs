//! Kubeconfig files: what kubectl knows about servers and users.
//!
//! Guarantees: files are read, merged, checked and written as kubectl does it; a message names the file, the
//! place in it and what to do, and never a secret; entries remember the file they came from, and a change is written to
//! that file alone. Files and variables are those of a [`ConfigFiles`] and an [`Environment`], so that all of
//! it runs in a test without either. Leaves out migration of files from before Kubernetes 1.0 and prompts for passwords.

mod clean_text;
mod client_config;
mod debug;
mod deferred;
mod error;
mod files;
mod in_cluster;
mod invalid;
mod load;
mod memory;
mod merge;
mod model;
mod modify;
mod named;
mod overrides;
mod read;
mod references;
#[cfg(test)]
mod tests;
mod validation;
mod view;
mod write;

pub use client_config::{ChosenNamespace, ClientConfig};
pub use deferred::{Resolved, choose_namespace, choose_rest_config, client_config};
pub use error::KubeconfigError;
pub use files::{ConfigFiles, Environment, FileError, FileLock};
pub use in_cluster::{InCluster, InClusterSource, in_cluster_config};
pub use invalid::ConfigurationInvalid;
pub use load::{Loaded, LoadingRules, MissingFiles};
pub use memory::MemoryFiles;
pub use merge::Merge;
pub use model::{AuthInfo, Cluster, Context, Extensions, Kubeconfig, Preferences};
pub use modify::{keep_provider_settings, modify_config};
pub use overrides::{Overrides, parse_timeout, remove_namespace_prefix};
pub use validation::Problem;
