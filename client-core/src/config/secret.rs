//! Values that must never be shown.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A password, a token, or another text that nobody but the server may see. `Debug` never shows it.
///
/// It serializes as its text, since a kubeconfig file holds it that way; what is meant for people goes through
/// `Kubeconfig::shortened` or `redacted` first.
///
/// ```
/// use porthole_client_core::config::Secret;
///
/// let token = Secret::new("s3cr3t");
/// assert_eq!(token.expose(), "s3cr3t");
/// assert!(!format!("{token:?}").contains("s3cr3t"));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// A secret of this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself; for the place that sends or stores it, and no other.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_empty() { "\"\"" } else { "[redacted]" })
    }
}

/// Certificates or keys in PEM, as bytes; base64 where they are written down, as Go writes bytes. `Debug` shows
/// their length only, as they may be a private key.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct PemData(Vec<u8>);

impl PemData {
    /// Certificates or keys in PEM, as the file has them.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// The PEM itself.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for PemData {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for PemData {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{} bytes]", self.0.len())
    }
}

impl Serialize for PemData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for PemData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // People wrap long values; Go passes over line breaks.
        let joined: String = text.chars().filter(|character| !matches!(character, '\n' | '\r')).collect();
        STANDARD.decode(joined).map(Self).map_err(|error| D::Error::custom(format_args!("not base64: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_secret_is_never_shown_and_an_absent_one_is_seen_to_be_absent() {
        assert_eq!(format!("{:?}", Secret::new("hunter2")), "[redacted]");
        assert_eq!(format!("{:?}", Secret::default()), "\"\"");
        assert_eq!(format!("{:?}", PemData::from("-----BEGIN")), "[10 bytes]");
    }

    #[test]
    fn bytes_are_base64_in_files_and_line_breaks_in_it_do_not_matter() {
        assert_eq!(serde_json::to_string(&PemData::from("ca")).unwrap(), "\"Y2E=\"");
        assert_eq!(serde_json::from_str::<PemData>("\"Y2\\nE=\\r\\n\"").unwrap(), PemData::from("ca"));
        let error = serde_json::from_str::<PemData>("\"?\"").unwrap_err().to_string();
        assert!(error.starts_with("not base64"), "{error}");
    }
}
