//! Other forms of a configuration: reduced, in one piece, and without secrets.

use super::{ConfigFiles, Kubeconfig, KubeconfigError, client_config::EXEC_EXTENSION, references::folder_of};
use crate::config::{PemData, Secret, paths::join, server_url::without_credentials};

/// What stands for a secret text.
const REDACTED: &str = "REDACTED";
/// The bytes that are written `DATA+OMITTED`.
const DATA_OMITTED: [u8; 9] = [0x0c, 0x04, 0xc0, 0xf8, 0xe3, 0x08, 0x4d, 0x31, 0x03];

impl Kubeconfig {
    /// Only the current context and what it names (client-go `tools/clientcmd/api/helpers.go`, `MinifyConfig`).
    ///
    /// # Errors
    /// Where there is no current context, or it, its cluster or its user does not exist.
    pub fn minified(&self) -> Result<Self, KubeconfigError> {
        if self.current_context.is_empty() {
            return Err(KubeconfigError::NoCurrentContext);
        }
        let missing = |what, name: &str| KubeconfigError::Missing { what, name: name.to_owned() };
        let name = &self.current_context;
        let context = self.contexts.get(name).ok_or_else(|| missing("context", name))?;
        let mut reduced =
            Self { clusters: [].into(), users: [].into(), contexts: [(name.clone(), context.clone())].into(), ..self.clone() };
        if !context.cluster.is_empty() {
            let cluster = self.clusters.get(&context.cluster).ok_or_else(|| missing("cluster", &context.cluster))?;
            reduced.clusters.insert(context.cluster.clone(), cluster.clone());
        }
        if !context.user.is_empty() {
            let user = self.users.get(&context.user).ok_or_else(|| missing("user", &context.user))?;
            reduced.users.insert(context.user.clone(), user.clone());
        }
        Ok(reduced)
    }

    /// The same with certificates and keys in it, in place of the files it names (client-go `FlattenConfig`).
    ///
    /// # Errors
    /// Where a file cannot be read, or an entry has a file and data for the same.
    pub fn flattened(&self, files: &dyn ConfigFiles) -> Result<Self, KubeconfigError> {
        let mut flat = self.clone();
        for (name, user) in &mut flat.users {
            let base = folder_of(files, &user.location_of_origin)?;
            for (what, path, data) in [
                ("the client-certificate", &mut user.client_certificate, &mut user.client_certificate_data),
                ("the client-key", &mut user.client_key, &mut user.client_key_data),
            ] {
                flatten(files, &base, what, name, path, data)?;
            }
        }
        for (name, cluster) in &mut flat.clusters {
            let base = folder_of(files, &cluster.location_of_origin)?;
            let (path, data) = (&mut cluster.certificate_authority, &mut cluster.certificate_authority_data);
            flatten(files, &base, "the certificate-authority", name, path, data)?;
        }
        Ok(flat)
    }

    /// The same for people to look at: with `DATA+OMITTED` for certificates and keys and `REDACTED` for every secret. What
    /// `kubectl config view` shows, and passwords and the secrets of plugins too (client-go `ShortenConfig` and
    /// `RedactSecrets`).
    #[must_use]
    pub fn shortened(&self) -> Self {
        let mut short = self.redacted();
        let omit = |data: &mut PemData| {
            if !data.is_empty() {
                *data = PemData::new(DATA_OMITTED);
            }
        };
        for user in short.users.values_mut() {
            omit(&mut user.client_certificate_data);
            omit(&mut user.client_key_data);
        }
        short.clusters.values_mut().for_each(|cluster| omit(&mut cluster.certificate_authority_data));
        short
    }

    /// The same with `REDACTED` for every secret: keys, tokens, passwords, the credentials in addresses, and what providers and
    /// plugins are given (client-go `RedactSecrets`, which leaves the last three as they are). The arguments of a plugin stay:
    /// whoever may list the processes of the machine sees them.
    #[must_use]
    pub fn redacted(&self) -> Self {
        let mut redacted = self.clone();
        for user in redacted.users.values_mut() {
            if !user.client_key_data.is_empty() {
                user.client_key_data = PemData::from(REDACTED);
            }
            for secret in [&mut user.token, &mut user.password] {
                if !secret.is_empty() {
                    *secret = Secret::new(REDACTED);
                }
            }
            let settings = user.auth_provider.iter_mut().flat_map(|provider| provider.config.values_mut());
            let variables = user.exec.iter_mut().flat_map(|exec| exec.env.iter_mut().map(|variable| &mut variable.value));
            settings.chain(variables).for_each(|value| REDACTED.clone_into(value));
        }
        for cluster in redacted.clusters.values_mut() {
            for address in [&mut cluster.server, &mut cluster.proxy_url] {
                *address = without_credentials(address);
            }
            if let Some(told) = cluster.extensions.get_mut(EXEC_EXTENSION) {
                *told = REDACTED.into();
            }
        }
        redacted
    }
}

fn flatten(
    files: &dyn ConfigFiles,
    base: &str,
    what: &'static str,
    name: &str,
    path: &mut String,
    data: &mut PemData,
) -> Result<(), KubeconfigError> {
    if path.is_empty() {
        return Ok(());
    }
    if !data.is_empty() {
        return Err(KubeconfigError::FileAndData { what, name: name.to_owned() });
    }
    *data = PemData::new(files.read(&join(base, path))?);
    path.clear();
    Ok(())
}
