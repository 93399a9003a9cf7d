//! Documents as the server sent them, kept with their entity tags and a checksum (client-go
//! `discovery/cached/disk/round_tripper.go`).

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{discovery::source::Answer, platform::TolerantStorage};

/// The length of a checksum.
const SUM: usize = 32;

/// What a server answered, kept to be asked for with `If-None-Match`; for one server.
///
/// A value is the SHA-256 of what follows, a line of JSON that says what it is, and the body. One that is empty, cut, or
/// changed is none. client-go keeps whole HTTP responses and looks at their `Cache-Control`. Here a document whose address
/// has the hash of its content, as those of `OpenAPI` do, is kept for ever, and any other is asked for with its tag.
#[derive(Clone)]
pub struct DocumentCache(TolerantStorage);

/// A document that was kept.
pub(in crate::discovery) struct Kept {
    pub(in crate::discovery) answer: Answer,
    pub(in crate::discovery) etag: Option<String>,
    path: String,
}

impl Kept {
    /// Whether the address says what the content is, so that it never changes.
    pub(in crate::discovery) fn is_for_ever(&self) -> bool {
        is_named_by_content(&self.path)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    etag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content_type: Option<String>,
}

impl DocumentCache {
    /// Documents of one server in `storage`.
    #[must_use]
    pub fn new(storage: TolerantStorage) -> Self {
        Self(storage)
    }

    /// The document at `path` in this form, where it is kept and whole.
    pub(in crate::discovery) async fn get(&self, path: &str, accept: &str) -> Option<Kept> {
        let stored = self.0.read(&key(path, accept)).await?;
        let content = verified(&stored.value)?;
        let end = content.iter().position(|byte| *byte == b'\n')?;
        let (head, body) = content.split_at_checked(end)?;
        let head: Head = serde_json::from_slice(head).ok()?;
        // The key leaves out the query: a document takes the place of its former content.
        let body = Bytes::copy_from_slice(body.get(1..)?);
        let answer = Answer { body, content_type: head.content_type };
        (head.path == path).then_some(Kept { answer, etag: head.etag, path: head.path })
    }

    /// Keeps a document, where that is of any use.
    pub(in crate::discovery) async fn keep(&self, path: &str, accept: &str, answer: &Answer, etag: Option<String>) {
        if etag.is_none() && !is_named_by_content(path) {
            return;
        }
        let head = Head { path: path.to_owned(), etag, content_type: answer.content_type.clone() };
        // A head of texts can always be written.
        let Ok(mut content) = serde_json::to_vec(&head) else { return };
        content.push(b'\n');
        content.extend_from_slice(&answer.body);
        let mut value = Sha256::digest(&content).to_vec();
        value.append(&mut content);
        // A storage that keeps nothing has said so, and the next run asks again.
        self.0.write(&key(path, accept), value).await;
    }
}

/// What follows the checksum, where it is what the checksum was made of.
fn verified(value: &[u8]) -> Option<&[u8]> {
    let (sum, content) = value.split_at_checked(SUM)?;
    (Sha256::digest(content).as_slice() == sum).then_some(content)
}

/// Whether the query has the hash of the content.
fn is_named_by_content(path: &str) -> bool {
    path.split_once('?').is_some_and(|(_, query)| query.split('&').any(|part| part.starts_with("hash=")))
}

/// A file name for a document: neither length nor characters of an address are a file name's.
fn key(path: &str, accept: &str) -> String {
    let bare = path.split('?').next().unwrap_or(path);
    let digest = Sha256::new().chain_update(bare).chain_update("\n").chain_update(accept).finalize();
    digest.iter().fold(String::with_capacity(2 * SUM), |mut text, byte| {
        for half in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(half), 16).unwrap_or('0'));
        }
        text
    })
}

#[cfg(test)]
mod tests;
