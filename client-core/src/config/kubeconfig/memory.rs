//! Files in memory: for tests, and for a configuration that names no files.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{ConfigFiles, FileError, FileLock};

/// Files in memory; clones share them. For tests, and for a configuration that came over a network and may name no file of
/// this machine.
#[derive(Clone, Default)]
pub struct MemoryFiles(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    content: BTreeMap<String, Vec<u8>>,
    folders: BTreeSet<String>,
    locked: BTreeSet<String>,
    writes: Vec<String>,
}

impl MemoryFiles {
    /// Files with these contents.
    #[must_use]
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let this = Self::default();
        for (path, content) in files {
            this.put(path, content);
        }
        this
    }

    /// Puts a file in its place.
    pub fn put(&self, path: &str, content: &str) {
        self.inner().content.insert(path.to_owned(), content.into());
    }

    /// Puts a folder at `path`.
    pub fn put_folder(&self, path: &str) {
        self.inner().folders.insert(path.to_owned());
    }

    /// The content of a file as text; empty where there is none.
    #[must_use]
    pub fn text(&self, path: &str) -> String {
        String::from_utf8_lossy(self.inner().content.get(path).map_or(&[], Vec::as_slice)).into_owned()
    }

    /// The paths that were written, one for each time.
    #[must_use]
    pub fn writes(&self) -> Vec<String> {
        self.inner().writes.clone()
    }

    /// The paths that are claimed now.
    #[must_use]
    pub fn locked(&self) -> Vec<String> {
        self.inner().locked.iter().cloned().collect()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConfigFiles for MemoryFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let inner = self.inner();
        if inner.folders.contains(path) {
            return Err(FileError::Failed { path: path.to_owned(), action: "read", message: "it is a folder".to_owned() });
        }
        inner.content.get(path).cloned().ok_or_else(|| FileError::NotFound { path: path.to_owned() })
    }

    fn exists(&self, path: &str) -> bool {
        let inner = self.inner();
        inner.content.contains_key(path) || inner.folders.contains(path)
    }

    fn write(&self, path: &str, content: &[u8]) -> Result<(), FileError> {
        let mut inner = self.inner();
        inner.content.insert(path.to_owned(), content.to_vec());
        inner.writes.push(path.to_owned());
        Ok(())
    }

    fn lock(&self, path: &str) -> Result<Box<dyn FileLock>, FileError> {
        if !self.inner().locked.insert(path.to_owned()) {
            return Err(FileError::Locked { path: path.to_owned() });
        }
        Ok(Box::new(MemoryLock { files: self.clone(), path: path.to_owned() }))
    }

    fn current_dir(&self) -> Result<String, FileError> {
        Ok("/work".to_owned())
    }
}

struct MemoryLock {
    files: MemoryFiles,
    path: String,
}

impl FileLock for MemoryLock {}

impl Drop for MemoryLock {
    fn drop(&mut self) {
        self.files.inner().locked.remove(&self.path);
    }
}
