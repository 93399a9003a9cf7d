//! What a caller sets over the files.

use std::time::Duration;

use super::{AuthInfo, Cluster, Context, KubeconfigError};
use crate::meta;

/// What goes over, and under, the configuration of the files: what kubectl's flags hold (client-go
/// `tools/clientcmd/overrides.go`, `ConfigOverrides`).
///
/// ```
/// use porthole_client_core::config::kubeconfig::Overrides;
///
/// let overrides = Overrides::default().with_context("staging").with_namespace("ns/shop");
/// assert_eq!(overrides.context.namespace, "shop");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Over the user of the context.
    pub user: AuthInfo,
    /// Under the cluster of the context.
    pub cluster_defaults: Cluster,
    /// Over the cluster of the context.
    pub cluster: Cluster,
    /// Over the context: other names for its cluster and user, which must exist then, and another namespace.
    pub context: Context,
    /// Another context than the current one; it must exist.
    pub current_context: String,
    /// How long a request may take.
    pub timeout: Option<Duration>,
}

impl Overrides {
    /// Chooses a context.
    #[must_use]
    pub fn with_context(mut self, name: impl Into<String>) -> Self {
        self.current_context = name.into();
        self
    }

    /// Chooses a namespace; `ns/`, `namespace/` or `namespaces/` before it is passed over, as in kubectl.
    #[must_use]
    pub fn with_namespace(mut self, name: &str) -> Self {
        remove_namespace_prefix(name).clone_into(&mut self.context.namespace);
        self
    }

    /// Chooses another server than the context's.
    #[must_use]
    pub fn with_server(mut self, url: impl Into<String>) -> Self {
        self.cluster.server = url.into();
        self
    }

    /// Acts as another user.
    #[must_use]
    pub fn with_impersonated_user(mut self, name: impl Into<String>) -> Self {
        self.user.impersonate = name.into();
        self
    }
}

/// A namespace without `ns/`, `namespace/` or `namespaces/` before it, in any case; a prefix alone is left as it is
/// (client-go `RemoveNamespacesPrefix`).
#[must_use]
pub fn remove_namespace_prefix(text: &str) -> &str {
    match text.split_once('/') {
        Some((prefix, name))
            if !name.is_empty() && ["namespaces", "namespace", "ns"].iter().any(|known| prefix.eq_ignore_ascii_case(known)) =>
        {
            name
        }
        _ => text,
    }
}

/// A duration as kubectl's `--request-timeout` takes it: whole seconds, or a duration such as `1m30s`. Zero means no
/// timeout (client-go `tools/clientcmd/helpers.go`, `ParseTimeout`).
///
/// # Errors
/// Where the text is no such duration, or a negative one.
pub fn parse_timeout(text: &str) -> Result<Option<Duration>, KubeconfigError> {
    let invalid = || KubeconfigError::Timeout(text.to_owned());
    let duration = match text.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_not_whole) => {
            let duration: meta::Duration = text.parse().map_err(|_same| invalid())?;
            duration.try_into().map_err(|_negative| invalid())?
        }
    };
    Ok(Some(duration).filter(|duration| !duration.is_zero()))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_stands_before_a_namespace_is_passed_over() {
        for (given, namespace) in [
            ("namespaces/foo", "foo"),
            ("NAMESPACES/foo", "foo"),
            ("NameSpaces/foo", "foo"),
            ("namespace/foo", "foo"),
            ("NAMESPACE/foo", "foo"),
            ("nameSpace/foo", "foo"),
            ("ns/foo", "foo"),
            ("NS/foo", "foo"),
            ("namespaces/", "namespaces/"),
            ("namespace/", "namespace/"),
            ("ns/", "ns/"),
            ("foo", "foo"),
            ("other/foo", "other/foo"),
        ] {
            assert_eq!(Overrides::default().with_namespace(given).context.namespace, namespace, "{given}");
        }
    }

    #[test]
    fn a_timeout_is_seconds_or_has_units() {
        let parsed = |text: &str| parse_timeout(text).unwrap();
        assert_eq!(parsed("5"), Some(Duration::from_secs(5)));
        assert_eq!(parsed("1m30s"), Some(Duration::from_secs(90)));
        assert_eq!(parsed("1.5h"), Some(Duration::from_secs(5400)));
        assert_eq!(parsed("250ms"), Some(Duration::from_millis(250)));
        assert_eq!((parsed("0"), parsed("0s")), (None, None));
        for text in ["", "-1", "-1s", "5 s", "s", "5x", ".", "1.2.3s", "1h2"] {
            assert!(parse_timeout(text).is_err(), "{text:?} was taken");
        }
        assert!(parse_timeout("soon").unwrap_err().to_string().contains("\"soon\" is no timeout"));
    }
}
