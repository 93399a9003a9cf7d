//! Which files are read, and how they become one configuration.

use std::fmt;

use super::{ConfigFiles, Environment, Kubeconfig, KubeconfigError, Merge as _};
use crate::config::paths::join;

/// The variable that lists the files.
const VARIABLE: &str = "KUBECONFIG";
/// What separates the files in it.
const LIST_SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// Which files are read (client-go `tools/clientcmd/loader.go`, `ClientConfigLoadingRules`).
///
/// Leaves out client-go's migration rules, which move `~/.kube/.kubeconfig`, a place of before Kubernetes 1.0, to
/// `~/.kube/config`: reading a configuration never writes a file here.
///
/// ```
/// use porthole_client_core::config::kubeconfig::{LoadingRules, MemoryFiles};
///
/// let files = MemoryFiles::new([
///     ("/mine", "{current-context: a}"),
///     ("/ours", "{current-context: b, clusters: [{name: c, cluster: {server: 'https://host'}}]}"),
/// ]);
/// let config = LoadingRules::of(["/mine", "/missing", "/ours"]).load(&files)?.config;
/// assert_eq!((config.current_context.as_str(), config.clusters.len()), ("a", 1));
/// # Ok::<(), porthole_client_core::config::kubeconfig::KubeconfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadingRules {
    /// The only file to read; it must be there.
    pub explicit_path: Option<String>,
    /// The files to read otherwise. Those that are missing are passed over; what an earlier one sets stands.
    pub precedence: Vec<String>,
    /// Whether relative paths are made absolute, from the folder of their file.
    pub resolve_paths: bool,
    /// Whether it is worth a warning that none of the files is there.
    pub warn_if_all_missing: bool,
}

/// None of the files that were listed is there. It may be what somebody wants, so it is no error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingFiles(pub Vec<String>);

impl fmt::Display for MissingFiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "none of the kubeconfig files is there: {}", self.0.join(", "))
    }
}

/// What [`LoadingRules::load`] read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loaded {
    /// The configuration of all files.
    pub config: Kubeconfig,
    /// What a program should tell whoever started it.
    pub warning: Option<MissingFiles>,
}

impl LoadingRules {
    /// The rules of kubectl: the files of `KUBECONFIG`, or else `~/.kube/config` (client-go
    /// `NewDefaultClientConfigLoadingRules`).
    ///
    /// ```
    /// use porthole_client_core::config::kubeconfig::LoadingRules;
    ///
    /// let environment = |name: &str| (name == "HOME").then(|| "/home/alice".to_owned());
    /// assert_eq!(LoadingRules::from_environment(&environment).loading_precedence(), ["/home/alice/.kube/config"]);
    /// ```
    #[must_use]
    pub fn from_environment(environment: &dyn Environment) -> Self {
        let listed = environment.variable(VARIABLE);
        let precedence = match &listed {
            Some(list) => distinct(list.split(LIST_SEPARATOR)),
            None => environment
                .variable("HOME")
                .or_else(|| environment.variable("USERPROFILE"))
                .map(|home| join(&home, ".kube/config"))
                .into_iter()
                .collect(),
        };
        Self { explicit_path: None, precedence, resolve_paths: true, warn_if_all_missing: listed.is_some() }
    }

    /// One file, which must be there, and no other.
    #[must_use]
    pub fn explicit(path: impl Into<String>) -> Self {
        Self { explicit_path: Some(path.into()), ..Self::of([]) }
    }

    /// These files, the most important first.
    #[must_use]
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        Self { explicit_path: None, precedence: distinct(paths), resolve_paths: true, warn_if_all_missing: false }
    }

    /// The files that are read, the most important first.
    #[must_use]
    pub fn loading_precedence(&self) -> Vec<String> {
        self.explicit_path.as_ref().map_or_else(|| self.precedence.clone(), |path| vec![path.clone()])
    }

    /// The file that a new entry belongs in: the explicit one, else the first that is there, else the first (client-go
    /// `GetDefaultFilename`).
    #[must_use]
    pub fn default_filename(&self, files: &dyn ConfigFiles) -> Option<String> {
        if self.explicit_path.is_some() {
            return self.explicit_path.clone();
        }
        self.precedence.iter().find(|path| files.exists(path)).or(self.precedence.first()).cloned()
    }

    /// Reads the files and lays them over one another: of two files that set a value, or an entry of the same name, the
    /// earlier stands, and entries are never mixed.
    ///
    /// # Errors
    /// Where the explicit file is missing, or any file cannot be read: all faults together.
    pub fn load(&self, files: &dyn ConfigFiles) -> Result<Loaded, KubeconfigError> {
        let mut configs = Vec::new();
        let mut missing = Vec::new();
        let mut errors = Vec::new();
        for path in self.loading_precedence() {
            match Kubeconfig::from_file(files, &path) {
                Ok(config) => configs.push(config),
                Err(KubeconfigError::File(error)) if error.is_not_found() && self.explicit_path.is_none() => missing.push(path),
                Err(error) => errors.push(error),
            }
        }
        match errors.len() {
            0 => {}
            1 => return Err(errors.remove(0)),
            _ => return Err(KubeconfigError::Several(errors)),
        }
        let warn = self.warn_if_all_missing && configs.is_empty() && !missing.is_empty();
        let mut config = Kubeconfig::default();
        for earlier in configs.iter().rev() {
            config.merge_from(earlier);
        }
        if self.resolve_paths {
            config.resolve_paths(files)?;
        }
        Ok(Loaded { config, warning: warn.then_some(MissingFiles(missing)) })
    }
}

/// The texts that are some, each once, in their order (client-go `deduplicate`).
fn distinct<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for text in texts {
        if !text.is_empty() && !list.iter().any(|seen| seen == text) {
            list.push(text.to_owned());
        }
    }
    list
}
