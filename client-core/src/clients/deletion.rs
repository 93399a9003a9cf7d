//! What became of a deletion.

use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    meta::Status,
    rest::{Answer, ApiError},
};

/// What a server answers to a deletion: a Status, or the object (apiserver `endpoints/handlers/delete.go`). client-go drops the
/// answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Deletion<K> {
    /// The object is gone, or will be without another word. The Status says which it was; it is empty where the server said
    /// nothing.
    Done(Box<Status>),
    /// The object is still there: it has finalizers, or time to end in peace.
    Pending(Box<K>),
}

impl<K: DeserializeOwned> Deletion<K> {
    pub(super) fn read(answer: &Answer) -> Result<Self, ApiError> {
        if answer.bytes().is_empty() {
            return Ok(Self::Done(Box::default()));
        }
        #[derive(Deserialize)]
        struct Kind {
            #[serde(default)]
            kind: String,
        }
        if answer.read::<Kind>()?.kind == "Status" {
            return Ok(Self::Done(Box::new(answer.read()?)));
        }
        Ok(Self::Pending(Box::new(answer.read()?)))
    }
}
