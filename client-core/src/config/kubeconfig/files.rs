//! What kubeconfig files need of a host.

use thiserror::Error;

/// Files, by their paths as text. A host has real ones, a test some in memory.
pub trait ConfigFiles {
    /// The whole content of a file.
    ///
    /// # Errors
    /// [`FileError::NotFound`] where there is none; other faults as they come.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError>;

    /// Whether there is something at `path`.
    fn exists(&self, path: &str) -> bool;

    /// Replaces the content of a file. Where there is none it is made, with its folder, for nobody but its owner.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn write(&self, path: &str, content: &[u8]) -> Result<(), FileError>;

    /// Claims the file at `path` for a change, by a file `<path>.lock` beside it, as kubectl does. The claim ends when
    /// the answer is dropped.
    ///
    /// # Errors
    /// [`FileError::Locked`] where another has claimed it.
    fn lock(&self, path: &str) -> Result<Box<dyn FileLock>, FileError>;

    /// The folder that relative paths start from.
    ///
    /// # Errors
    /// Where it is not known.
    fn current_dir(&self) -> Result<String, FileError>;
}

/// A claim on a file, which ends when this is dropped.
pub trait FileLock {}

/// Why a file cannot be read, written or claimed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// There is no such file.
    #[error("there is no file {path}")]
    NotFound {
        /// The path.
        path: String,
    },
    /// Another change is under way.
    #[error("{path} is being changed by another program: if there is none, remove {path}.lock")]
    Locked {
        /// The path of the file that is claimed.
        path: String,
    },
    /// The file cannot be read or written.
    #[error("{path} cannot be {action}: {message}")]
    Failed {
        /// The path.
        path: String,
        /// What was tried, such as `read`.
        action: &'static str,
        /// Why not.
        message: String,
    },
}

impl FileError {
    /// Whether there is no such file.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }
}

/// The variables of a process.
pub trait Environment {
    /// The value of a variable; `None` where it is not set or empty.
    fn variable(&self, name: &str) -> Option<String>;
}

impl<F: Fn(&str) -> Option<String>> Environment for F {
    fn variable(&self, name: &str) -> Option<String> {
        self(name).filter(|value| !value.is_empty())
    }
}
