//! From text to model.

use std::borrow::Cow;

use serde::Deserialize;

use super::{ConfigFiles, Kubeconfig, KubeconfigError};
use crate::{config::InteractiveMode, meta::null_is_default};

/// The first version that does not say how a plugin stands to standard input.
const V1BETA1: &str = "client.authentication.k8s.io/v1beta1";
/// The version before it, which is not spoken any more but still read.
const V1ALPHA1: &str = "client.authentication.k8s.io/v1alpha1";

#[derive(Default, Deserialize)]
#[serde(default)]
struct TypeMeta {
    #[serde(deserialize_with = "null_is_default")]
    kind: String,
    #[serde(rename = "apiVersion", deserialize_with = "null_is_default")]
    api_version: String,
}

impl Kubeconfig {
    /// Reads YAML or JSON, and of several documents the first. No text at all is an empty configuration, and `null` is nothing
    /// wherever it stands; `kind` and `apiVersion` may be left out (client-go `tools/clientcmd/loader.go`, `Load`).
    ///
    /// ```
    /// use porthole_client_core::config::kubeconfig::Kubeconfig;
    ///
    /// let config = Kubeconfig::parse("current-context: kind\ncontexts: [{name: kind, context: {cluster: c, user: u}}]")?;
    /// assert_eq!(config.contexts[&config.current_context].cluster, "c");
    /// # Ok::<(), porthole_client_core::config::kubeconfig::KubeconfigError>(())
    /// ```
    ///
    /// # Errors
    /// Where it is no kubeconfig: with the line and the path of the field.
    pub fn parse(text: &str) -> Result<Self, KubeconfigError> {
        parse(text, "")
    }

    /// Reads the file at `path`, in UTF-8 or with a mark in UTF-16, and notes it as the origin of each entry (client-go `LoadFromFile`).
    ///
    /// # Errors
    /// Where the file cannot be read or is no kubeconfig.
    pub fn from_file(files: &dyn ConfigFiles, path: &str) -> Result<Self, KubeconfigError> {
        let bytes = files.read(path)?;
        let text = text_of(&bytes).map_err(|message| KubeconfigError::Content {
            origin: path.to_owned(),
            field: String::new(),
            line: 0,
            column: 0,
            message,
        })?;
        let mut config = parse(&text, path)?;
        config.clusters.values_mut().for_each(|entry| path.clone_into(&mut entry.location_of_origin));
        config.users.values_mut().for_each(|entry| path.clone_into(&mut entry.location_of_origin));
        config.contexts.values_mut().for_each(|entry| path.clone_into(&mut entry.location_of_origin));
        Ok(config)
    }
}

/// The text of a file: UTF-8, or UTF-16 where it says so with its first bytes, as a file of an older PowerShell does.
fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, rest) = bytes.as_chunks();
        let text = String::from_utf16(&pairs.iter().map(|pair| unit(*pair)).collect::<Vec<_>>()).ok();
        text.filter(|_| rest.is_empty()).map(Cow::Owned).ok_or_else(|| "it begins as UTF-16 text and goes on as none".to_owned())
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| format!("it is not UTF-8 text ({error})")),
    }
}

/// The first document of `text`: Go's reader looks at no other. A line that begins with a marker ends a document whatever stands
/// around it, so no grammar is needed to find it.
fn first_document(text: &str) -> &str {
    let is = |line: &str, marker| {
        line.strip_prefix(marker).is_some_and(|rest: &str| rest.trim_start().len() < rest.len() || rest.is_empty())
    };
    let (mut start, mut has_begun) = (0, false);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start_matches('\u{feff}');
        if is(bare, "...") || (has_begun && is(bare, "---")) {
            return text.get(..start).unwrap_or(text);
        }
        has_begun |= !(bare.trim().is_empty() || bare.starts_with(['#', '%']));
        start += line.len();
    }
    text
}

fn parse(text: &str, origin: &str) -> Result<Kubeconfig, KubeconfigError> {
    let text = first_document(text);
    let meta: TypeMeta = deserialize(text, origin)?;
    for (field, value, expected) in [("kind", &meta.kind, "Config"), ("apiVersion", &meta.api_version, "v1")] {
        if !value.is_empty() && value != expected {
            return Err(KubeconfigError::Content {
                origin: origin.to_owned(),
                field: field.to_owned(),
                line: 0,
                column: 0,
                message: format!("it says \"{value}\", and a kubeconfig says \"{expected}\": this is another kind of file"),
            });
        }
    }
    let mut config: Kubeconfig = deserialize(text, origin)?;
    for exec in config.users.values_mut().filter_map(|user| user.exec.as_mut()) {
        // client-go `api/v1/defaults.go`: older versions did not ask.
        if exec.interactive_mode.is_unset() && matches!(exec.api_version.as_str(), V1BETA1 | V1ALPHA1) {
            exec.interactive_mode = InteractiveMode::IfAvailable;
        }
    }
    Ok(config)
}

fn deserialize<T: for<'de> Deserialize<'de> + Default>(text: &str, origin: &str) -> Result<T, KubeconfigError> {
    let options = serde_saphyr::options! {
        // Go's reader takes the last of two equal keys.
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        // A snippet would show what may be secret.
        with_snippet: false,
    };
    let mut field = String::new();
    let read = serde_saphyr::with_deserializer_from_str_with_options(text, options, |deserializer| {
        serde_path_to_error::deserialize::<_, Option<T>>(deserializer).map_err(|error| {
            field = error.path().to_string();
            error.into_inner()
        })
    });
    read.map(Option::unwrap_or_default).map_err(|error| {
        let location = error.location();
        let text = error.to_string();
        let message = match location {
            // The place is told apart from the words.
            Some(_) => text.split(" at line ").next().unwrap_or(&text).to_owned(),
            None => text,
        };
        KubeconfigError::Content {
            origin: origin.to_owned(),
            field: field.trim_matches('.').to_owned(),
            line: location.map_or(0, |location| location.line()),
            column: location.map_or(0, |location| location.column()),
            message,
        }
    })
}
