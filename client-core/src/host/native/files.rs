//! Kubeconfig files on disk.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use crate::config::kubeconfig::{
    ConfigFiles, Environment, FileError, FileLock, KubeconfigError, LoadingRules, Overrides, Resolved, client_config,
};

/// The files of this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NativeFiles;

impl ConfigFiles for NativeFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        fs::read(path).map_err(|error| failed(path, "read", &error))
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).exists()
    }

    fn write(&self, path: &str, content: &[u8]) -> Result<(), FileError> {
        make_folder_of(path)?;
        // In place, as kubectl does: a link stays a link, and an owner keeps the file.
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(path).and_then(|mut file| file.write_all(content));
        written.map_err(|error| failed(path, "written", &error))
    }

    fn lock(&self, path: &str) -> Result<Box<dyn FileLock>, FileError> {
        make_folder_of(path)?;
        let lock = PathBuf::from(format!("{path}.lock"));
        match OpenOptions::new().write(true).create_new(true).open(&lock) {
            Ok(_file) => Ok(Box::new(NativeLock(lock))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(FileError::Locked { path: path.to_owned() }),
            Err(error) => Err(failed(path, "locked", &error)),
        }
    }

    fn current_dir(&self) -> Result<String, FileError> {
        let folder = std::env::current_dir().map_err(|error| failed(".", "found", &error))?;
        Ok(folder.to_string_lossy().into_owned())
    }
}

fn make_folder_of(path: &str) -> Result<(), FileError> {
    match Path::new(path).parent() {
        Some(folder) if !folder.as_os_str().is_empty() => {
            fs::create_dir_all(folder).map_err(|error| failed(&folder.to_string_lossy(), "made", &error))
        }
        _ => Ok(()),
    }
}

fn failed(path: &str, action: &'static str, error: &io::Error) -> FileError {
    match error.kind() {
        io::ErrorKind::NotFound => FileError::NotFound { path: path.to_owned() },
        _ => FileError::Failed { path: path.to_owned(), action, message: error.to_string() },
    }
}

struct NativeLock(PathBuf);

impl FileLock for NativeLock {}

impl Drop for NativeLock {
    fn drop(&mut self) {
        // A lock that somebody took away by hand is gone as well.
        fs::remove_file(&self.0).ok();
    }
}

/// The variables of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }
}

/// What kubectl would connect to from this process: the files of `KUBECONFIG` or `~/.kube/config` with `overrides` over
/// them, or the cluster this process runs in.
///
/// ```no_run
/// use porthole_client_core::{config::kubeconfig::Overrides, host::native::load_config};
///
/// let resolved = load_config(&Overrides::default().with_context("staging"))?;
/// println!("{} in {}", resolved.rest.host, resolved.namespace.namespace);
/// # Ok::<(), porthole_client_core::config::kubeconfig::KubeconfigError>(())
/// ```
///
/// # Errors
/// Where the files cannot be read, the configuration in them cannot be used, or there is none and this is no pod.
pub fn load_config(overrides: &Overrides) -> Result<Resolved, KubeconfigError> {
    let environment = ProcessEnvironment;
    client_config(&LoadingRules::from_environment(&environment), overrides, &NativeFiles, &environment)
}
