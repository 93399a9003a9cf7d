//! How an index can fail.

use std::{error::Error, fmt, sync::Arc};

use thiserror::Error;

use super::IndexName;

/// Why an index cannot be asked or added.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// There is no index of this name.
    #[error("index \"{0}\" does not exist: add it to the indexers of this cache")]
    Unknown(IndexName),
    /// There is an index of this name already.
    #[error("index \"{0}\" exists already: give one of the two another name")]
    Conflict(IndexName),
    /// The function of the index finds no values of the object that was asked about.
    #[error("index \"{index}\" has no values of the object: {failure}")]
    Function {
        /// The index.
        index: IndexName,
        /// What its function says.
        #[source]
        failure: IndexFailure,
    },
}

/// What the function of an index said of an object that it could not read. Its source is the function's own error.
#[derive(Clone, Debug)]
pub struct IndexFailure(Arc<dyn Error + Send + Sync>);

impl IndexFailure {
    pub(super) fn new(error: Box<dyn Error + Send + Sync>) -> Self {
        Self(error.into())
    }
}

impl fmt::Display for IndexFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Error for IndexFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[derive(Debug, Error, PartialEq)]
    #[error("no node")]
    struct NoNode;

    #[test]
    fn an_error_about_an_object_leads_to_its_cause_through_all_layers() {
        let failure = IndexFailure::new(Box::new(NoNode));
        let error = IndexError::Function { index: IndexName::new("node"), failure };
        assert_eq!(error.to_string(), "index \"node\" has no values of the object: no node");
        let failure = error.source().unwrap();
        let cause = failure.source().and_then(<dyn Error>::downcast_ref::<NoNode>);
        assert_eq!(cause, Some(&NoNode));
    }
}
