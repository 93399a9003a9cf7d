//! Values as files, where kubectl has them.

use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use tokio::runtime::Handle;

use crate::platform::{BoxFuture, Storage, StorageError, StorageKey, Stored, WallTime};

/// What the name of a file that is still being written ends with.
const UNFINISHED: &str = ".new";

/// A folder of files, one a key. It is made when something is written (client-go `discovery/cached/disk`).
///
/// Folders can be entered by their owner and read by the group (0750), files can be written by both (0660), whatever the
/// user's mask adds. A file is written beside its place and then moved there.
///
/// What a server has, kept where kubectl keeps it:
///
/// ```no_run
/// # use std::{sync::Arc, time::Duration};
/// # use tokio::runtime::Handle;
/// # use porthole_client_core::{host::native::*, platform::*, rest::RestClient};
/// use porthole_client_core::discovery::{DiscoveryClient, StoredCache};
///
/// # fn example(client: RestClient, platform: Arc<dyn Platform>) -> Option<StoredCache> {
/// let folder = discovery_folder(&cache_folder()?.join("discovery"), "https://127.0.0.1:6443");
/// let storage = Arc::new(FileStorage::new(folder, Handle::current()));
/// let storage = TolerantStorage::new(storage, |error| eprintln!("nothing is kept: {error}"));
/// let cache = StoredCache::for_client(DiscoveryClient::new(client), storage, platform, Duration::from_hours(6));
/// # Some(cache)
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct FileStorage {
    root: PathBuf,
    runtime: Handle,
}

impl FileStorage {
    /// The folder `root`; `runtime` does the waiting for the disk.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>, runtime: Handle) -> Self {
        Self { root: root.into(), runtime }
    }

    /// Does `work` on the file of `key` where waiting for the disk holds nobody up.
    fn on_disk<T: Send + 'static>(
        &self,
        key: &StorageKey,
        what: &'static str,
        work: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, StorageError>> {
        let (path, key) = (self.root.join(key.as_str()), key.clone());
        let task = self.runtime.spawn_blocking(move || work(&path));
        Box::pin(async move {
            let outcome = task.await.unwrap_or_else(|error| Err(io::Error::other(error)));
            outcome.map_err(|error| match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                    StorageError::Full { key, message: error.to_string() }
                }
                _ => StorageError::Failed { key, what, message: error.to_string() },
            })
        })
    }
}

impl Storage for FileStorage {
    fn read<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<Option<Stored>, StorageError>> {
        self.on_disk(key, "read", |path| unless_missing(read(path)))
    }

    fn write<'a>(&'a self, key: &'a StorageKey, value: Vec<u8>) -> BoxFuture<'a, Result<(), StorageError>> {
        self.on_disk(key, "stored", move |path| write(path, &value))
    }

    fn remove<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<(), StorageError>> {
        self.on_disk(key, "removed", |path| unless_missing(fs::remove_file(path)).map(|_| ()))
    }

    fn keys<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StorageKey>, StorageError>> {
        let (root, prefix) = (self.root.clone(), prefix.to_owned());
        let task = self.runtime.spawn_blocking(move || {
            let mut keys = Vec::new();
            unless_missing(collect(&root, "", &mut keys))?;
            keys.retain(|key| key.as_str().starts_with(&prefix));
            keys.sort();
            Ok(keys)
        });
        Box::pin(async move {
            let outcome = task.await.unwrap_or_else(|error| Err(io::Error::other(error)));
            outcome.map_err(|error: io::Error| StorageError::Unavailable { message: error.to_string() })
        })
    }

    fn modified<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<Option<WallTime>, StorageError>> {
        self.on_disk(key, "read", |path| unless_missing(fs::metadata(path).and_then(|file| file.modified()).map(wall_time)))
    }
}

/// The folder of one server below `parent`, by its host with or without a scheme (cli-runtime
/// `computeDiscoverCacheDir`): what a file name may not have on some system becomes `_`.
///
/// ```
/// use std::path::Path;
/// use porthole_client_core::host::native::discovery_folder;
///
/// let folder = discovery_folder(Path::new("/home/me/.kube/cache/discovery"), "https://127.0.0.1:6443");
/// assert_eq!(folder, Path::new("/home/me/.kube/cache/discovery/127.0.0.1_6443"));
/// ```
#[must_use]
pub fn discovery_folder(parent: &Path, host: &str) -> PathBuf {
    let bare = host.replacen("https://", "", 1).replacen("http://", "", 1);
    let safe = |character: char| character.is_ascii_alphanumeric() || "_/.()".contains(character);
    let folder: String = bare.chars().map(|character| if safe(character) { character } else { '_' }).collect();
    // A host that climbs would lead out of the cache; kubectl lets it.
    let segments = folder.split('/').filter(|segment| !matches!(*segment, "" | "." | ".."));
    segments.fold(parent.to_path_buf(), |path, segment| path.join(segment))
}

/// Where kubectl has its caches: what `KUBECACHEDIR` says, or else `.kube/cache` in the person's own folder. `None` where
/// the system names neither.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    cache_folder_of(env::var_os("KUBECACHEDIR"), env::home_dir())
}

fn cache_folder_of(named: Option<OsString>, home: Option<PathBuf>) -> Option<PathBuf> {
    let named = named.filter(|name| !name.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(home.filter(|home| !home.as_os_str().is_empty())?.join(".kube").join("cache")))
}

fn read(path: &Path) -> io::Result<Stored> {
    let mut file = File::open(path)?;
    let modified = wall_time(file.metadata()?.modified()?);
    let mut value = Vec::new();
    file.read_to_end(&mut value)?;
    Ok(Stored { value, modified })
}

fn write(path: &Path, value: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the file has no folder"));
    };
    make_folder(folder)?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.{}{UNFINISHED}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let beside = folder.join(beside);
    let outcome = write_new(&beside, value).and_then(|()| fs::rename(&beside, path));
    if outcome.is_err() {
        // The error that is returned says more than one about what was left behind.
        fs::remove_file(&beside).ok();
    }
    outcome
}

fn write_new(path: &Path, value: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(value)?;
    permit(&file)
}

#[cfg(unix)]
fn make_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o750).create(path)
}

#[cfg(not(unix))]
fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

#[cfg(unix)]
fn permit(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o660))
}

#[cfg(not(unix))]
fn permit(_file: &File) -> io::Result<()> {
    Ok(())
}

/// The keys of the files below `folder`; files that are still being written have none.
fn collect(folder: &Path, prefix: &str, keys: &mut Vec<StorageKey>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), keys)?;
        } else if !(name.starts_with('.') && name.ends_with(UNFINISHED)) {
            keys.extend(StorageKey::new(format!("{prefix}{name}")));
        }
    }
    Ok(())
}

fn unless_missing<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn wall_time(time: SystemTime) -> WallTime {
    let milliseconds = |duration: std::time::Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    WallTime(match time.duration_since(UNIX_EPOCH) {
        Ok(since) => milliseconds(since),
        Err(error) => -milliseconds(error.duration()),
    })
}

#[cfg(test)]
mod tests;
