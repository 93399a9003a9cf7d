//! Files first, then the cluster we run in.

use super::{
    ChosenNamespace, ClientConfig, ConfigFiles, Environment, InCluster, InClusterSource, Kubeconfig, KubeconfigError,
    LoadingRules, MissingFiles, Overrides,
};
use crate::config::RestConfig;

/// All that a program needs to start: how to reach the server, and where to look first.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The configuration of a client.
    pub rest: RestConfig,
    /// The namespace of what names none.
    pub namespace: ChosenNamespace,
    /// What a program should tell whoever started it.
    pub warning: Option<MissingFiles>,
}

/// What kubectl connects to: the files of `rules` with `overrides` over them, or, where there is no configuration in
/// them, the cluster this process runs in (client-go `tools/clientcmd/merged_client_builder.go`,
/// `DeferredLoadingClientConfig`). A native program has `host::native::load_config`, which lends it the files and variables of
/// its process.
///
/// ```
/// use porthole_client_core::config::kubeconfig::{LoadingRules, MemoryFiles, Overrides, client_config};
///
/// let text = "{clusters: [{name: c, cluster: {server: 'https://host'}}], users: [{name: u, user: {token: t}}],
///     contexts: [{name: x, context: {cluster: c, user: u, namespace: shop}}], current-context: x}";
/// let files = MemoryFiles::new([("/home/alice/.kube/config", text)]);
/// let environment = |name: &str| (name == "HOME").then(|| "/home/alice".to_owned());
/// let rules = LoadingRules::from_environment(&environment);
///
/// let resolved = client_config(&rules, &Overrides::default(), &files, &environment)?;
/// assert_eq!((resolved.rest.host.as_str(), resolved.namespace.namespace.as_str()), ("https://host", "shop"));
/// # Ok::<(), porthole_client_core::config::kubeconfig::KubeconfigError>(())
/// ```
///
/// # Errors
/// Where the files cannot be read, the configuration in them cannot be used, or there is none and this is no pod.
pub fn client_config(
    rules: &LoadingRules,
    overrides: &Overrides,
    files: &dyn ConfigFiles,
    environment: &dyn Environment,
) -> Result<Resolved, KubeconfigError> {
    let loaded = rules.load(files)?;
    let merged = ClientConfig::new(loaded.config, overrides.clone()).with_context(overrides.current_context.as_str());
    let in_cluster = InCluster::new(files, environment, overrides);
    let rest =
        choose_rest_config(merged.rest_config(files), None, &in_cluster).map_err(|error| match (error, &loaded.warning) {
            (KubeconfigError::Invalid(source), Some(missing)) if source.is_empty_config() => {
                KubeconfigError::NoFileThere { source, missing: missing.clone() }
            }
            (error, _) => error,
        })?;
    Ok(Resolved {
        rest,
        namespace: choose_namespace(merged.namespace(files), merged.raw(), overrides, &in_cluster)?,
        warning: loaded.warning,
    })
}

/// The configuration of the files, or that of the cluster where the files have none, or none but `default`; without a
/// cluster what the files gave.
///
/// # Errors
/// Those of the source that was chosen.
pub fn choose_rest_config(
    merged: Result<RestConfig, KubeconfigError>,
    default: Option<&RestConfig>,
    in_cluster: &dyn InClusterSource,
) -> Result<RestConfig, KubeconfigError> {
    let settled = match &merged {
        Ok(config) => default != Some(config),
        Err(error) => !error.is_empty_config(),
    };
    if !settled && in_cluster.possible() { in_cluster.rest_config() } else { merged }
}

/// The namespace that was asked for or that a context names; else that of the pod, where this is one.
///
/// # Errors
/// Those of the source that was chosen.
pub fn choose_namespace(
    merged: Result<ChosenNamespace, KubeconfigError>,
    raw: &Kubeconfig,
    overrides: &Overrides,
    in_cluster: &dyn InClusterSource,
) -> Result<ChosenNamespace, KubeconfigError> {
    let settled = match &merged {
        Ok(chosen) => chosen.overridden,
        Err(error) => !error.is_empty_config(),
    };
    if settled || !in_cluster.possible() {
        return merged;
    }
    if let Ok(chosen) = &merged {
        let current = if overrides.current_context.is_empty() { &raw.current_context } else { &overrides.current_context };
        // A context may name the namespace that would be the default anyway.
        let explicit = raw.contexts.get(current).is_some_and(|context| !context.namespace.is_empty());
        if explicit || !matches!(chosen.namespace.as_str(), "" | super::client_config::DEFAULT_NAMESPACE) {
            return merged;
        }
    }
    in_cluster.namespace()
}
