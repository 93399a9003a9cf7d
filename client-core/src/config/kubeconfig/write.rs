//! From model to text.

use serde_json::Value;

use super::{ConfigFiles, Kubeconfig, KubeconfigError};

impl Kubeconfig {
    /// The configuration as YAML, in the form kubectl writes: keys and entries in the order of their names, the same text
    /// for the same configuration (client-go `tools/clientcmd/loader.go`, `Write`). Secrets are written as they are.
    ///
    /// # Errors
    /// Where an extension holds what YAML cannot.
    pub fn to_yaml(&self) -> Result<String, KubeconfigError> {
        let options = serde_saphyr::ser_options! {
            // Certificates stay in one line, as kubectl has them.
            folded_wrap_chars: usize::MAX,
        };
        let unwritable = |message: String| KubeconfigError::Unwritable { message };
        // A tree of JSON has its keys in order.
        let mut tree = serde_json::to_value(self).map_err(|error| unwritable(error.to_string()))?;
        if let Value::Object(fields) = &mut tree {
            fields.insert("apiVersion".to_owned(), "v1".into());
            fields.insert("kind".to_owned(), "Config".into());
        }
        serde_saphyr::to_string_with_options(&tree, options).map_err(|error| unwritable(error.to_string()))
    }

    /// Writes the configuration to the file at `path` (client-go `WriteToFile`).
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn write_to(&self, files: &dyn ConfigFiles, path: &str) -> Result<(), KubeconfigError> {
        Ok(files.write(path, self.to_yaml()?.as_bytes())?)
    }
}
