use super::{super::NativeFiles, support::Folder};
use crate::config::kubeconfig::{ConfigFiles as _, FileError, Kubeconfig, LoadingRules, modify_config};
use std::{fs, os::unix::fs::PermissionsExt as _};

#[test]
fn a_file_is_made_for_its_owner_alone_and_keeps_what_it_is() {
    let folder = Folder::new();
    let path = folder.path("new/folder/config");
    assert!(!NativeFiles.exists(&path));
    assert_eq!(NativeFiles.read(&path), Err(FileError::NotFound { path: path.clone() }));
    NativeFiles.write(&path, b"first, and longer").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let link = folder.path("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    NativeFiles.write(&link, b"second").unwrap();
    assert_eq!(NativeFiles.read(&path).unwrap(), b"second");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_folder_is_no_file_to_read() {
    let folder = Folder::new();
    let error = NativeFiles.read(folder.as_path().to_str().unwrap()).unwrap_err();
    assert!(matches!(error, FileError::Failed { action: "read", .. }), "{error}");
}

#[test]
fn a_file_is_claimed_by_a_lock_beside_it_until_the_claim_is_dropped() {
    let folder = Folder::new();
    let path = folder.path("config");
    let claim = NativeFiles.lock(&path).unwrap();
    assert!(fs::exists(format!("{path}.lock")).unwrap());
    assert_eq!(NativeFiles.lock(&path).err(), Some(FileError::Locked { path: path.clone() }));
    drop(claim);
    assert!(!fs::exists(format!("{path}.lock")).unwrap());
    drop(NativeFiles.lock(&path).unwrap());
}

#[test]
fn a_change_is_written_to_disk_and_leaves_no_lock() {
    let folder = Folder::new();
    let rules = LoadingRules::of([folder.path("one").as_str(), folder.path("two").as_str()]);
    folder.put("two", "current-context: old\ncontexts: [{name: new, context: {cluster: c, user: u}}]");
    let mut config = rules.load(&NativeFiles).unwrap().config;
    config.current_context = "new".into();
    modify_config(&rules, &NativeFiles, &config, true).unwrap();
    let written = Kubeconfig::from_file(&NativeFiles, &folder.path("two")).unwrap();
    assert_eq!((written.current_context.as_str(), written.contexts.len()), ("new", 1));
    let names: Vec<_> = fs::read_dir(folder.as_path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["two"]);
}
