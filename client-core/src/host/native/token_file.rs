//! A token in a file.

use std::{sync::Arc, time::Duration};

use crate::{
    config::Secret,
    platform::{BoxFuture, Platform},
    transport::{CachingTokenSource, LoadedToken, TokenLoader, TransportError},
};

/// How long the token of a file is kept: half of the time between a kubelet's replacing it and its end (client-go
/// `transport/token_source.go`, `NewCachedFileTokenSource`).
const PERIOD: Duration = Duration::from_mins(1);
/// How long before that it is read again.
const LEEWAY: Duration = Duration::from_secs(10);

/// The token in the file at `path`, read again and again.
pub(super) fn token_file(path: &str, platform: &Arc<dyn Platform>) -> CachingTokenSource {
    let loader = FileLoader { path: path.to_owned(), platform: Arc::clone(platform) };
    CachingTokenSource::new(Arc::new(loader), Arc::clone(platform), LEEWAY)
}

struct FileLoader {
    path: String,
    platform: Arc<dyn Platform>,
}

impl TokenLoader for FileLoader {
    fn load(&self) -> BoxFuture<'static, Result<LoadedToken, TransportError>> {
        // A small file, once a minute: not worth another thread.
        let loaded = read_token(&self.path).map(|token| LoadedToken { token, expires: Some(self.platform.now() + PERIOD) });
        Box::pin(async { loaded })
    }
}

/// # Errors
/// Where the file cannot be read or holds nothing.
pub(super) fn read_token(path: &str) -> Result<Secret, TransportError> {
    let failed = |message: String| TransportError::Credentials { message };
    let text = std::fs::read_to_string(path).map_err(|error| failed(format!("the token file {path} cannot be read: {error}")))?;
    match text.trim() {
        "" => Err(failed(format!("the token file {path} is empty"))),
        token => Ok(Secret::new(token)),
    }
}
