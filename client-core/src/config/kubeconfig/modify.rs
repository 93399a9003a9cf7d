//! Changes, written to the files they belong in.

use std::collections::BTreeMap;

use super::{AuthInfo, Cluster, ConfigFiles, Context, FileLock, Kubeconfig, KubeconfigError, LoadingRules};

/// Writes what differs between the configuration that `rules` load and `new`: each entry to the file it came from, new
/// entries and the current context to the default file; no other file is touched. The files are claimed
/// meanwhile, in the order of their names, so that two programs cannot wait for each other (client-go
/// `tools/clientcmd/config.go`, `ModifyConfig`).
///
/// With `relativize`, paths below the folder of a file are written relative to it.
///
/// ```
/// use porthole_client_core::config::kubeconfig::{LoadingRules, MemoryFiles, modify_config};
///
/// let files = MemoryFiles::new([("/a", "current-context: one"), ("/b", "current-context: two")]);
/// let rules = LoadingRules::of(["/a", "/b"]);
/// let mut config = rules.load(&files)?.config;
/// config.current_context = "three".into();
/// modify_config(&rules, &files, &config, false)?;
/// assert_eq!(files.writes(), ["/a"]);
/// # Ok::<(), porthole_client_core::config::kubeconfig::KubeconfigError>(())
/// ```
///
/// # Errors
/// Where a file is claimed by another, cannot be read or cannot be written.
pub fn modify_config(
    rules: &LoadingRules,
    files: &dyn ConfigFiles,
    new: &Kubeconfig,
    relativize: bool,
) -> Result<(), KubeconfigError> {
    let mut paths = rules.loading_precedence();
    paths.sort();
    let _claims = paths.iter().map(|path| files.lock(path)).collect::<Result<Vec<Box<dyn FileLock>>, _>>()?;

    let starting = starting_config(rules, files)?;
    let mut edits = Edits { rules, files, open: BTreeMap::new() };
    if starting.current_context != new.current_context {
        edits.current_context(&new.current_context)?;
    }
    if starting.preferences != new.preferences {
        edits.preferences(new)?;
    }
    edits.entries::<Cluster>(&starting, new, relativize)?;
    edits.entries::<AuthInfo>(&starting, new, relativize)?;
    edits.entries::<Context>(&starting, new, relativize)?;
    edits.write()
}

/// Writes the settings of a user's auth provider where they belong; nothing where the user has no provider (any more)
/// (client-go `PersisterForUser`).
///
/// # Errors
/// As [`modify_config`].
pub fn keep_provider_settings(
    rules: &LoadingRules,
    files: &dyn ConfigFiles,
    user: &str,
    settings: &BTreeMap<String, String>,
) -> Result<(), KubeconfigError> {
    // Unresolved, so that the paths of the entry are written back as they stand.
    let rules = &LoadingRules { resolve_paths: false, ..rules.clone() };
    let mut config = starting_config(rules, files)?;
    let Some(provider) = config.users.get_mut(user).and_then(|user| user.auth_provider.as_mut()) else { return Ok(()) };
    provider.config.clone_from(settings);
    modify_config(rules, files, &config, false)
}

/// What the rules load; nothing where the explicit file is still to be made.
fn starting_config(rules: &LoadingRules, files: &dyn ConfigFiles) -> Result<Kubeconfig, KubeconfigError> {
    match rules.load(files) {
        Ok(loaded) => Ok(loaded.config),
        Err(KubeconfigError::File(error)) if error.is_not_found() => Ok(Kubeconfig::default()),
        Err(error) => Err(error),
    }
}

/// An entry that knows its file.
trait Entry: Clone + PartialEq {
    fn origin(&mut self) -> &mut String;
    fn map(config: &Kubeconfig) -> &BTreeMap<String, Self>;
    fn map_mut(config: &mut Kubeconfig) -> &mut BTreeMap<String, Self>;
    fn relativize(&mut self, files: &dyn ConfigFiles) -> Result<(), KubeconfigError>;
}

macro_rules! entry {
    ($type:ty, $field:ident, $relativize:expr) => {
        impl Entry for $type {
            fn origin(&mut self) -> &mut String {
                &mut self.location_of_origin
            }
            fn map(config: &Kubeconfig) -> &BTreeMap<String, Self> {
                &config.$field
            }
            fn map_mut(config: &mut Kubeconfig) -> &mut BTreeMap<String, Self> {
                &mut config.$field
            }
            fn relativize(&mut self, files: &dyn ConfigFiles) -> Result<(), KubeconfigError> {
                let relativize: fn(&mut Self, &dyn ConfigFiles) -> Result<(), KubeconfigError> = $relativize;
                relativize(self, files)
            }
        }
    };
}

entry!(Cluster, clusters, |entry, files| Ok(Cluster::relativize(entry, files)?));
entry!(AuthInfo, users, |entry, files| Ok(AuthInfo::relativize(entry, files)?));
entry!(Context, contexts, |_entry, _files| Ok(()));

/// Files as they will be, each read once and written once.
struct Edits<'a> {
    rules: &'a LoadingRules,
    files: &'a dyn ConfigFiles,
    open: BTreeMap<String, Kubeconfig>,
}

impl Edits<'_> {
    /// The file at `path` to be changed; an empty one where there is none yet.
    fn open(&mut self, path: &str) -> Result<&mut Kubeconfig, KubeconfigError> {
        let config = match self.open.remove(path) {
            Some(config) => config,
            None => read_or_empty(self.files, path)?,
        };
        Ok(self.open.entry(path.to_owned()).or_insert(config))
    }

    fn default_file(&self, what: &'static str) -> Result<String, KubeconfigError> {
        self.rules.default_filename(self.files).ok_or(KubeconfigError::NoFile { what })
    }

    /// A new current context goes to the default file; none at all is taken out of the first file that has one.
    fn current_context(&mut self, name: &str) -> Result<(), KubeconfigError> {
        let what = "the current context";
        if !name.is_empty() || self.rules.explicit_path.is_some() {
            let path = self.default_file(what)?;
            name.clone_into(&mut self.open(&path)?.current_context);
            return Ok(());
        }
        for path in self.rules.loading_precedence() {
            if self.files.exists(&path) && !self.open(&path)?.current_context.is_empty() {
                self.open(&path)?.current_context.clear();
                return Ok(());
            }
        }
        Err(KubeconfigError::NoFile { what })
    }

    /// Preferences go to the first file that has others.
    fn preferences(&mut self, new: &Kubeconfig) -> Result<(), KubeconfigError> {
        for path in self.rules.loading_precedence() {
            if self.open(&path)?.preferences != new.preferences {
                self.open(&path)?.preferences = new.preferences.clone();
                return Ok(());
            }
        }
        Err(KubeconfigError::NoFile { what: "preferences" })
    }

    fn entries<T: Entry>(&mut self, starting: &Kubeconfig, new: &Kubeconfig, relativize: bool) -> Result<(), KubeconfigError> {
        for (name, entry) in T::map(new) {
            if T::map(starting).get(name) == Some(entry) {
                continue;
            }
            let mut entry = entry.clone();
            let path = self.file_of(&mut entry)?;
            path.clone_into(entry.origin());
            if relativize {
                entry.relativize(self.files)?;
            }
            T::map_mut(self.open(&path)?).insert(name.clone(), entry);
        }
        for (name, entry) in T::map(starting) {
            if !T::map(new).contains_key(name) {
                let path = self.file_of(&mut entry.clone())?;
                T::map_mut(self.open(&path)?).remove(name);
            }
        }
        Ok(())
    }

    fn file_of<T: Entry>(&self, entry: &mut T) -> Result<String, KubeconfigError> {
        match entry.origin().as_str() {
            "" => self.default_file("a new entry"),
            path => Ok(path.to_owned()),
        }
    }

    /// Writes the files that differ from what is there.
    fn write(self) -> Result<(), KubeconfigError> {
        for (path, config) in self.open {
            if config != read_or_empty(self.files, &path)? {
                config.write_to(self.files, &path)?;
            }
        }
        Ok(())
    }
}

fn read_or_empty(files: &dyn ConfigFiles, path: &str) -> Result<Kubeconfig, KubeconfigError> {
    match Kubeconfig::from_file(files, path) {
        Err(KubeconfigError::File(error)) if error.is_not_found() => Ok(Kubeconfig::default()),
        answer => answer,
    }
}
