//! What a page remembers of a connection that a person typed.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{PageConfig, PageConfigError, Secret};
use crate::platform::TextStore;

/// Why something is not remembered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageMemoryError {
    /// The host keeps nothing.
    #[error("the connection under \"{name}\" could not be {verb}: {message}")]
    Storage {
        /// Its name in the storage.
        name: String,
        /// What was to be done with it.
        verb: &'static str,
        /// The host's own words.
        message: String,
    },
    /// The page's own origin needs no memory.
    #[error("the page's own address is not remembered: a page always has it")]
    OwnOrigin,
}

/// A connection that is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RememberedConnection {
    /// The address, as [`PageConfig::base`] has it.
    pub address: String,
    /// The token, where the person asked for it to be kept. `Debug` does not show it.
    pub token: Option<Secret>,
}

impl RememberedConnection {
    /// The same as a configuration, with `token` where none was kept.
    ///
    /// # Errors
    /// As [`PageConfig::typed`]: the storage may hold anything.
    pub fn config(&self, token: &str) -> Result<PageConfig, PageConfigError> {
        PageConfig::typed(&self.address, self.token.as_ref().map_or(token, Secret::expose))
    }
}

/// Whether a token is written where everything else of the page's origin can read it. It is not, unless the person says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepToken {
    /// It stays in memory and has to be typed again.
    #[default]
    InMemory,
    /// It is stored, in plain text.
    Stored,
}

/// Remembers where `config` goes under `name`, and its token only where `keep` says so; a token that was stored before is gone
/// otherwise.
///
/// ```
/// # fn remember(texts: &impl porthole_client_core::platform::TextStore) -> Result<(), Box<dyn std::error::Error>> {
/// use porthole_client_core::config::{KeepToken, PageConfig, remember_connection, remembered_connection};
///
/// let typed = PageConfig::typed("https://10.0.0.1:6443", "abc")?;
/// remember_connection(texts, "connection", &typed, KeepToken::default())?;
/// let known = remembered_connection(texts, "connection")?.ok_or("it is there")?;
/// assert_eq!((known.address.as_str(), known.token), ("https://10.0.0.1:6443", None));
/// # Ok(()) }
/// ```
///
/// # Errors
/// Where the storage keeps nothing, and for the page's own origin.
pub fn remember_connection(
    texts: &impl TextStore,
    name: &str,
    config: &PageConfig,
    keep: KeepToken,
) -> Result<(), PageMemoryError> {
    let address = config.base();
    if address.is_empty() {
        return Err(PageMemoryError::OwnOrigin);
    }
    let token = config.token().filter(|_token| keep == KeepToken::Stored).map(|token| token.expose().to_owned());
    let failed = |message: String| failure(name, "stored", message);
    let text = serde_json::to_string(&Wire { address, token }).map_err(|error| failed(error.to_string()))?;
    texts.set(name, &text).map_err(failed)
}

/// What was remembered under `name`. What is no connection there, or one that cannot be used, is none.
///
/// # Errors
/// Where the storage cannot be read.
pub fn remembered_connection(texts: &impl TextStore, name: &str) -> Result<Option<RememberedConnection>, PageMemoryError> {
    let text = texts.get(name).map_err(|message| failure(name, "read", message))?;
    let wire = text.and_then(|text| serde_json::from_slice::<Wire>(text.as_bytes()).ok());
    let known = wire.map(|Wire { address, token }| RememberedConnection { address, token: token.map(Secret::new) });
    // A token of its own would be checked as well; any that can be one does for the address.
    Ok(known.filter(|known| known.config("token").is_ok()))
}

/// Forgets what was remembered under `name`, its token too.
///
/// # Errors
/// Where the storage cannot be written to.
pub fn forget_connection(texts: &impl TextStore, name: &str) -> Result<(), PageMemoryError> {
    texts.remove(name).map_err(|message| failure(name, "removed", message))
}

fn failure(name: &str, verb: &'static str, message: String) -> PageMemoryError {
    PageMemoryError::Storage { name: name.to_owned(), verb, message }
}

#[derive(Serialize, Deserialize)]
struct Wire {
    address: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::Texts;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn typed() -> PageConfig {
        PageConfig::typed("https://host:6443/one/", "s3cr3t").unwrap()
    }

    #[test]
    fn a_token_stays_in_memory_unless_a_person_asks_for_it_to_be_kept() {
        let texts = Texts::of(1000);
        remember_connection(&texts, "a", &typed(), KeepToken::Stored).unwrap();
        let known = remembered_connection(&texts, "a").unwrap().unwrap();
        assert_eq!(known.config("other").unwrap(), typed());
        assert!(!format!("{known:?}").contains("s3cr3t"), "{known:?}");

        remember_connection(&texts, "a", &typed(), KeepToken::default()).unwrap();
        assert!(!texts.get("a").unwrap().unwrap().contains("s3cr3t"));
        let known = remembered_connection(&texts, "a").unwrap().unwrap();
        assert_eq!((known.address.as_str(), &known.token), ("https://host:6443/one", &None));
        assert_eq!(known.config("s3cr3t").unwrap(), typed());
        assert_eq!(known.config("").unwrap_err(), PageConfigError::NotAToken);
    }

    #[test]
    fn what_is_forgotten_or_was_never_a_connection_is_none() {
        let texts = Texts::of(1000);
        assert_eq!(remembered_connection(&texts, "a").unwrap(), None);
        remember_connection(&texts, "a", &typed(), KeepToken::Stored).unwrap();
        forget_connection(&texts, "a").unwrap();
        assert_eq!(texts.names().unwrap(), Vec::<String>::new());
        for text in ["", "{}", "[]", r#"{"address":"javascript:alert(1)"}"#, r#"{"address":"https://h","token":"a\nb"}"#] {
            texts.set("a", text).unwrap();
            assert_eq!(remembered_connection(&texts, "a").unwrap(), None, "{text}");
        }
    }

    #[test]
    fn a_storage_that_refuses_is_named_and_so_is_what_need_not_be_kept() {
        let texts = Texts::of(1000);
        texts.refuse(true);
        let errors = [
            remember_connection(&texts, "a", &typed(), KeepToken::Stored).unwrap_err(),
            remembered_connection(&texts, "a").unwrap_err(),
            forget_connection(&texts, "a").unwrap_err(),
        ];
        let words = errors.map(|error| error.to_string());
        let said = |verb: &str| format!("the connection under \"a\" could not be {verb}: the person forbids it");
        assert_eq!(words, ["stored", "read", "removed"].map(said));
        let own = remember_connection(&texts, "a", &PageConfig::own_origin(), KeepToken::Stored).unwrap_err();
        assert_eq!(own, PageMemoryError::OwnOrigin);
    }
}
