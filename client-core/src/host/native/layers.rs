//! What stands between a client and its connections.

use std::sync::Arc;

use crate::{
    config::{BasicAuth, Impersonation, Secret},
    transport::{
        TokenSource, Transport, TransportError, TransportLayer, with_basic_auth, with_bearer_token, with_impersonation,
        with_token_source, with_user_agent, wrap_all,
    },
};

/// Who we are, where a header says so.
pub(super) enum HeaderCredentials {
    Source(Arc<dyn TokenSource>),
    Token(Secret),
    Basic(BasicAuth),
}

/// The layers of a configuration, for any number of transports: each WebSocket is a request through them of its own.
pub(super) struct Layers {
    /// Those of the program, and a provider's above them.
    pub(super) wrappers: Vec<Arc<dyn TransportLayer>>,
    pub(super) credentials: Option<HeaderCredentials>,
    pub(super) agent: String,
    pub(super) impersonate: Option<Impersonation>,
}

impl Layers {
    /// `inner` below all of them.
    ///
    /// # Errors
    /// Where no header can hold a part of it.
    pub(super) fn wrap(&self, inner: Arc<dyn Transport>) -> Result<Arc<dyn Transport>, TransportError> {
        let mut transport = wrap_all(inner, &self.wrappers);
        transport = match &self.credentials {
            None => transport,
            Some(HeaderCredentials::Source(source)) => with_token_source(transport, Arc::clone(source)),
            Some(HeaderCredentials::Token(token)) => with_bearer_token(transport, token)?,
            Some(HeaderCredentials::Basic(basic)) => with_basic_auth(transport, basic)?,
        };
        transport = with_user_agent(transport, &self.agent)?;
        match &self.impersonate {
            None => Ok(transport),
            Some(user) => with_impersonation(transport, user),
        }
    }
}
