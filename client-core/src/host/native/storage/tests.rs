use std::{sync::Arc, time::Duration};

use super::*;
use crate::{
    discovery::{
        ApiResource, ApiResourceList, CachedDiscovery as _, Discovery as _, DiscoveryCall, DiscoveryClient, DocumentCache,
        FakeDiscovery, MemoryCache, StoredCache,
    },
    host::native::NativePlatform,
    platform::{Platform, TolerantStorage},
    rest::RestClient,
    transport::{ScriptedAnswer, ScriptedTransport},
};

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("porthole-storage-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self(env::temp_dir().join(name))
    }

    fn storage(&self) -> FileStorage {
        FileStorage::new(&self.0, Handle::current())
    }

    fn tolerant(&self) -> TolerantStorage {
        TolerantStorage::new(Arc::new(self.storage()), |error| panic!("{error}"))
    }

    /// Every file and folder with the bits of its permissions.
    #[cfg(unix)]
    fn permissions(&self) -> Vec<(PathBuf, u32)> {
        use std::os::unix::fs::PermissionsExt as _;
        fn walk(path: &Path, found: &mut Vec<(PathBuf, u32)>) {
            found.push((path.to_path_buf(), fs::metadata(path).unwrap().permissions().mode() & 0o777));
            if path.is_dir() {
                for entry in fs::read_dir(path).unwrap() {
                    walk(&entry.unwrap().path(), found);
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.0, &mut found);
        found
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn key(text: &str) -> StorageKey {
    StorageKey::new(text).unwrap()
}

fn platform() -> Arc<dyn Platform> {
    Arc::new(NativePlatform::new(Handle::current()))
}

fn fake() -> FakeDiscovery {
    let widgets = ApiResource { name: "widgets".into(), kind: "Widget".into(), ..ApiResource::default() };
    FakeDiscovery::new([ApiResourceList::new("a/v1".parse().unwrap(), vec![widgets])])
}

#[tokio::test]
async fn values_are_files_by_their_keys() {
    let folder = Folder::new();
    let storage = folder.storage();
    assert_eq!(storage.read(&key("a")).await.unwrap(), None);
    assert_eq!(storage.keys("").await.unwrap(), []);
    storage.remove(&key("a")).await.unwrap();
    let before = platform().wall_time();
    for (name, value) in [("a", "1"), ("v1/a", "2"), ("apps/v1/a", "3"), ("a", "4")] {
        storage.write(&key(name), value.into()).await.unwrap();
    }
    let stored = storage.read(&key("a")).await.unwrap().unwrap();
    assert_eq!(stored.value, b"4");
    assert!((stored.modified - before).abs() < 60_000, "{stored:?}");
    assert_eq!(storage.modified(&key("a")).await.unwrap(), Some(stored.modified));
    assert_eq!(storage.modified(&key("b")).await.unwrap(), None);
    assert_eq!(fs::read(folder.0.join("apps").join("v1").join("a")).unwrap(), b"3");
    assert_eq!(storage.keys("").await.unwrap(), ["a", "apps/v1/a", "v1/a"].map(key));
    assert_eq!(storage.keys("v1/").await.unwrap(), [key("v1/a")]);
    storage.remove(&key("v1/a")).await.unwrap();
    assert_eq!(storage.keys("v1/").await.unwrap(), []);
}

#[tokio::test]
async fn a_folder_in_the_way_is_an_error_and_nothing_is_left_beside() {
    let folder = Folder::new();
    let storage = folder.storage();
    storage.write(&key("a/b"), b"1".to_vec()).await.unwrap();
    assert!(matches!(storage.read(&key("a")).await, Err(StorageError::Failed { what: "read", .. })));
    assert!(matches!(storage.write(&key("a"), b"2".to_vec()).await, Err(StorageError::Failed { what: "stored", .. })));
    assert!(storage.write(&key("a/b/c"), b"3".to_vec()).await.is_err());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    assert_eq!(storage.keys("").await.unwrap(), [key("a/b")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_reads_while_others_write_sees_one_of_their_values() {
    let folder = Folder::new();
    let storage = folder.storage();
    let values: Vec<Vec<u8>> = (0..8_u8).map(|number| vec![number; 50_000]).collect();
    storage.write(&key("a"), values[0].clone()).await.unwrap();
    let tasks: Vec<_> = values
        .iter()
        .cloned()
        .map(|value| {
            let storage = storage.clone();
            Handle::current().spawn(async move {
                for _ in 0..10 {
                    storage.write(&key("a"), value.clone()).await.unwrap();
                    let read = storage.read(&key("a")).await.unwrap().unwrap().value;
                    assert!(read.len() == 50_000 && read.iter().all(|byte| *byte == read[0]));
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(storage.keys("").await.unwrap(), [key("a")]);
}

#[cfg(unix)]
#[tokio::test]
async fn the_groups_are_kept_in_folders_and_files_with_kubectls_permissions() {
    let folder = Folder::new();
    let cache = StoredCache::new(Arc::new(fake()), folder.tolerant(), platform(), Duration::from_mins(1));
    cache.server_groups_and_resources().await.unwrap().complete().unwrap();
    let found = folder.permissions();
    assert_eq!(found.len(), 5);
    for (path, bits) in found {
        assert_eq!(bits, if path.is_dir() { 0o750 } else { 0o660 }, "{}: {bits:o}", path.display());
    }
}

#[cfg(unix)]
#[tokio::test]
async fn documents_are_kept_in_folders_and_files_with_kubectls_permissions() {
    let (folder, server) = (Folder::new(), ScriptedTransport::default());
    let groups = r#"{"kind":"APIGroupList","groups":[{"name":"a","versions":[{"version":"v1"}]}]}"#;
    server.always("/apis", ScriptedAnswer::text(groups).with_etag("\"123456\""));
    let client =
        DiscoveryClient::new(RestClient::new(Arc::new(server), platform())).with_documents(DocumentCache::new(folder.tolerant()));
    client.server_groups().await.unwrap().complete().unwrap();
    let found = folder.permissions();
    assert_eq!(found.len(), 2);
    for (path, bits) in found {
        assert_eq!(bits, if path.is_dir() { 0o750 } else { 0o660 }, "{}: {bits:o}", path.display());
    }
}

#[tokio::test]
async fn the_age_of_a_value_is_that_of_its_file() {
    let (folder, fake) = (Folder::new(), fake());
    let cache = StoredCache::new(Arc::new(fake.clone()), folder.tolerant(), platform(), Duration::from_mins(1));
    for _ in 0..2 {
        cache.server_groups().await.unwrap().complete().unwrap();
    }
    assert_eq!(fake.count(&DiscoveryCall::Groups), 1);
    let file = File::options().write(true).open(folder.0.join("servergroups.json")).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_mins(2)).unwrap();
    cache.server_groups().await.unwrap().complete().unwrap();
    assert_eq!(fake.count(&DiscoveryCall::Groups), 2);
}

#[tokio::test]
async fn a_new_program_uses_the_files_of_the_one_before() {
    let (folder, fake) = (Folder::new(), fake());
    let cache = || {
        let below = Arc::new(MemoryCache::new(Arc::new(fake.clone())));
        StoredCache::new(below, folder.tolerant(), platform(), Duration::from_mins(1))
    };
    let first = cache().server_groups_and_resources().await.unwrap().complete().unwrap();
    let asked = fake.calls().len();
    let again = cache();
    assert_eq!(again.server_groups_and_resources().await.unwrap().complete().unwrap(), first);
    assert!(!again.fresh() && fake.calls().len() == asked);
    // Half a file, as after a loss of power.
    let path = folder.0.join("a").join("v1").join("serverresources.json");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(cache().server_groups_and_resources().await.unwrap().complete().unwrap(), first);
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn each_server_has_its_own_folder_and_no_host_leads_out() {
    let parent = Path::new("/cache");
    for (host, expected) in [
        ("https://localhost:8080", "/cache/localhost_8080"),
        ("http://localhost:8080", "/cache/localhost_8080"),
        ("localhost:8080", "/cache/localhost_8080"),
        ("https://[::1]:6443", "/cache/___1__6443"),
        ("https://host.example/k8s/clusters/c-1", "/cache/host.example/k8s/clusters/c_1"),
        ("https://cluster(1)_é.example", "/cache/cluster(1)__.example"),
        ("https://../../home", "/cache/home"),
        ("https:///etc/./passwd", "/cache/etc/passwd"),
        ("", "/cache"),
    ] {
        assert_eq!(discovery_folder(parent, host), Path::new(expected), "{host}");
    }
}

#[test]
fn the_caches_are_where_the_person_says_or_in_their_own_folder() {
    let (named, home) = (Some(OsString::from("/named")), Some(PathBuf::from("/home/me")));
    assert_eq!(cache_folder_of(named.clone(), home.clone()), Some("/named".into()));
    assert_eq!(cache_folder_of(Some(OsString::new()), home.clone()), Some("/home/me/.kube/cache".into()));
    assert_eq!(cache_folder_of(None, home), Some("/home/me/.kube/cache".into()));
    assert_eq!(cache_folder_of(None, Some(PathBuf::new())), None);
    assert_eq!(cache_folder_of(named, None), Some("/named".into()));
}
