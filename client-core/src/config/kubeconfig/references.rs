//! Files that a configuration names: made absolute when it is loaded, relative when it is written.

use super::{AuthInfo, Cluster, ConfigFiles, FileError, Kubeconfig};
use crate::config::paths::{below, is_absolute, is_separator, join, parent};

impl Cluster {
    fn file_references(&mut self) -> Vec<&mut String> {
        vec![&mut self.certificate_authority]
    }

    /// Writes the files that this names relative to the folder of its own file, where they lie below it (client-go
    /// `tools/clientcmd/loader.go`, `RelativizeClusterLocalPaths`).
    pub(super) fn relativize(&mut self, files: &dyn ConfigFiles) -> Result<(), FileError> {
        let base = folder_of(files, &self.location_of_origin)?;
        relativize(self.file_references(), &base);
        Ok(())
    }
}

impl AuthInfo {
    fn file_references(&mut self) -> Vec<&mut String> {
        let mut references = vec![&mut self.client_certificate, &mut self.client_key, &mut self.token_file];
        // A command without a separator is looked up in PATH.
        if let Some(exec) = self.exec.as_mut().filter(|exec| exec.command.contains(is_separator)) {
            references.push(&mut exec.command);
        }
        references
    }

    /// As for clusters (client-go `RelativizeAuthInfoLocalPaths`). A command beside the file keeps a `./`, which client-go
    /// loses: it would be looked up in PATH from then on.
    pub(super) fn relativize(&mut self, files: &dyn ConfigFiles) -> Result<(), FileError> {
        let base = folder_of(files, &self.location_of_origin)?;
        let was_path = self.exec.as_ref().is_some_and(|exec| exec.command.contains(is_separator));
        relativize(self.file_references(), &base);
        if let Some(exec) = self.exec.as_mut().filter(|exec| was_path && !exec.command.contains(is_separator)) {
            exec.command.insert_str(0, "./");
        }
        Ok(())
    }
}

impl Kubeconfig {
    /// Makes each path absolute, starting from the folder of the file its entry came from; entries that came from no file
    /// are left alone (client-go `ResolveLocalPaths`).
    ///
    /// # Errors
    /// Where a file's own path is relative and the current folder is not known.
    pub fn resolve_paths(&mut self, files: &dyn ConfigFiles) -> Result<(), FileError> {
        for cluster in self.clusters.values_mut().filter(|cluster| !cluster.location_of_origin.is_empty()) {
            let base = folder_of(files, &cluster.location_of_origin)?;
            resolve(cluster.file_references(), &base);
        }
        for user in self.users.values_mut().filter(|user| !user.location_of_origin.is_empty()) {
            let base = folder_of(files, &user.location_of_origin)?;
            resolve(user.file_references(), &base);
        }
        Ok(())
    }
}

/// The folder that `path` is in, absolute.
pub(super) fn folder_of(files: &dyn ConfigFiles, path: &str) -> Result<String, FileError> {
    let folder = parent(path);
    if is_absolute(&folder) { Ok(folder) } else { Ok(join(&files.current_dir()?, &folder)) }
}

fn resolve(references: Vec<&mut String>, base: &str) {
    for reference in references {
        if !reference.is_empty() {
            *reference = join(base, reference);
        }
    }
}

fn relativize(references: Vec<&mut String>, base: &str) {
    for reference in references {
        if !reference.is_empty() {
            let absolute = join(base, reference);
            // A path that leads back stays absolute.
            *reference = below(&absolute, base).unwrap_or(absolute);
        }
    }
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;
    use crate::config::{ExecConfig, kubeconfig::MemoryFiles};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn user(command: &str) -> AuthInfo {
        AuthInfo {
            location_of_origin: "/home/.kube/config".into(),
            client_certificate: "/home/.kube/pki/cert".into(),
            client_key: "/etc/key".into(),
            token_file: "../token".into(),
            exec: Some(ExecConfig { command: command.into(), ..ExecConfig::default() }),
            ..AuthInfo::default()
        }
    }

    #[test]
    fn paths_below_the_file_become_relative_and_others_absolute() {
        let mut written = user("/home/.kube/bin/aws");
        written.relativize(&MemoryFiles::default()).unwrap();
        assert_eq!(
            (written.client_certificate.as_str(), written.client_key.as_str(), written.token_file.as_str()),
            ("pki/cert", "/etc/key", "/home/token")
        );
        assert_eq!(written.exec.unwrap().command, "bin/aws");
    }

    #[test]
    fn a_command_beside_the_file_is_not_taken_for_one_of_the_path() {
        let mut written = user("/home/.kube/aws");
        written.relativize(&MemoryFiles::default()).unwrap();
        assert_eq!(written.exec.unwrap().command, "./aws");
        let mut bare = user("aws");
        bare.relativize(&MemoryFiles::default()).unwrap();
        assert_eq!(bare.exec.unwrap().command, "aws");
    }

    #[test]
    fn a_file_with_a_relative_path_starts_from_the_current_folder() {
        let mut cluster =
            Cluster { location_of_origin: "conf/config".into(), certificate_authority: "ca".into(), ..Cluster::default() };
        let mut config = Kubeconfig { clusters: [("c".to_owned(), cluster.clone())].into(), ..Kubeconfig::default() };
        config.resolve_paths(&MemoryFiles::default()).unwrap();
        assert_eq!(config.clusters["c"].certificate_authority, "/work/conf/ca");
        cluster.certificate_authority = "/work/conf/ca".into();
        cluster.relativize(&MemoryFiles::default()).unwrap();
        assert_eq!(cluster.certificate_authority, "ca");
    }
}
