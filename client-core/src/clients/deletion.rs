//! What became of a deletion.

use serde::Deserialize;

use crate::{
    meta::Status,
    object::WireObject,
    rest::{Answer, ApiError},
};

/// What a server answers to a deletion.
#[derive(Clone, Debug, PartialEq)]
pub enum Deletion<K> {
    /// The object is gone, or will be without another word. The Status says which it was.
    Done(Box<Status>),
    /// The object is still there: it has finalizers, or time to end in peace.
    Pending(Box<K>),
}

impl<K: WireObject> Deletion<K> {
    pub(super) fn read(answer: &Answer) -> Result<Self, ApiError> {
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
