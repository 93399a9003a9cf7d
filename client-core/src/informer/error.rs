//! What an informer refuses.

/// What an informer refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InformerError {
    /// Its watch has ended for good.
    #[error("nothing was added to the informer because it has stopped already: make another")]
    Stopped,
    /// It runs.
    #[error("the informer was started before: it runs once")]
    Started,
}
