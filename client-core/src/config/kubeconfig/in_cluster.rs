//! The configuration that a cluster gives to the programs in it.

use super::{
    ConfigFiles, Environment, KubeconfigError, Overrides,
    client_config::{ChosenNamespace, DEFAULT_NAMESPACE},
};
use crate::config::{Auth, RestConfig, Secret, TlsConfig};

const TOKEN_FILE: &str = "/var/run/secrets/kubernetes.io/serviceaccount/token";
const CA_FILE: &str = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";
const NAMESPACE_FILE: &str = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";
const HOST: &str = "KUBERNETES_SERVICE_HOST";
const PORT: &str = "KUBERNETES_SERVICE_PORT";
const NAMESPACE: &str = "POD_NAMESPACE";

/// Where a program finds the cluster it runs in. A trait, so that a test can say what is consulted.
pub trait InClusterSource {
    /// Whether this process runs in a pod with a service account.
    fn possible(&self) -> bool;

    /// The configuration of a client.
    ///
    /// # Errors
    /// Where this is no pod, or its token cannot be read.
    fn rest_config(&self) -> Result<RestConfig, KubeconfigError>;

    /// The namespace of the pod.
    ///
    /// # Errors
    /// A source of a test may have some; a pod has none.
    fn namespace(&self) -> Result<ChosenNamespace, KubeconfigError>;
}

/// The service account of a pod (client-go `rest/config.go`, `InClusterConfig`, and `tools/clientcmd`,
/// `inClusterClientConfig`).
pub struct InCluster<'a> {
    files: &'a dyn ConfigFiles,
    environment: &'a dyn Environment,
    overrides: &'a Overrides,
}

impl<'a> InCluster<'a> {
    /// The service account that these files and variables tell of. Of the overrides a server, a token and the file of a
    /// certificate authority go over it.
    #[must_use]
    pub fn new(files: &'a dyn ConfigFiles, environment: &'a dyn Environment, overrides: &'a Overrides) -> Self {
        Self { files, environment, overrides }
    }
}

impl InClusterSource for InCluster<'_> {
    fn possible(&self) -> bool {
        [HOST, PORT].iter().all(|name| self.environment.variable(name).is_some()) && self.files.read(TOKEN_FILE).is_ok()
    }

    fn rest_config(&self) -> Result<RestConfig, KubeconfigError> {
        let mut rest = in_cluster_config(self.files, self.environment)?;
        let Overrides { user, cluster, .. } = self.overrides;
        if !cluster.server.is_empty() {
            rest.host.clone_from(&cluster.server);
        }
        if !user.token.is_empty() || !user.token_file.is_empty() {
            rest.auth.token = Some(user.token.clone()).filter(|token| !token.is_empty());
            rest.auth.token_file = Some(user.token_file.clone()).filter(|path| !path.is_empty());
        }
        if !cluster.certificate_authority.is_empty() {
            rest.tls.ca_file = Some(cluster.certificate_authority.clone());
        }
        Ok(rest)
    }

    fn namespace(&self) -> Result<ChosenNamespace, KubeconfigError> {
        if let Some(namespace) = self.environment.variable(NAMESPACE) {
            return Ok(ChosenNamespace::new(&namespace, false));
        }
        // Where the file is missing, the pod has no token either; what it may do is said by the server.
        let bytes = self.files.read(NAMESPACE_FILE).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let namespace = Some(text.trim()).filter(|text| !text.is_empty()).unwrap_or(DEFAULT_NAMESPACE);
        Ok(ChosenNamespace::new(namespace, false))
    }
}

/// The configuration of a pod: the server's address from the variables, token and certificate authority from the files
/// of the service account. The token's file is read again as it changes.
///
/// # Errors
/// [`KubeconfigError::NotInCluster`] where the variables are not set; where the token cannot be read.
pub fn in_cluster_config(files: &dyn ConfigFiles, environment: &dyn Environment) -> Result<RestConfig, KubeconfigError> {
    let host = environment.variable(HOST).ok_or(KubeconfigError::NotInCluster)?;
    let port = environment.variable(PORT).ok_or(KubeconfigError::NotInCluster)?;
    let token = files.read(TOKEN_FILE)?;
    let host = if host.contains(':') { format!("[{host}]") } else { host };
    // Without a usable authority the roots of the system decide, as in client-go: a server may have a certificate of theirs.
    let has_ca = files.read(CA_FILE).is_ok_and(|ca| String::from_utf8_lossy(&ca).contains("-----BEGIN CERTIFICATE-----"));
    Ok(RestConfig {
        auth: Auth {
            token: Some(Secret::new(String::from_utf8_lossy(&token).trim())),
            token_file: Some(TOKEN_FILE.to_owned()),
            ..Auth::default()
        },
        tls: TlsConfig { ca_file: has_ca.then(|| CA_FILE.to_owned()), ..TlsConfig::default() },
        ..RestConfig::new(format!("https://{host}:{port}"))
    })
}
