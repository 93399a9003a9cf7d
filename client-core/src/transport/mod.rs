//! One request, one streamed response, and what is put between a client and its host.
//!
//! Guarantees: dropping the future of a request, or the body of its response, aborts the exchange and frees
//! its connection. A response with any status is an answer, not an error. Layers add credentials, names and
//! observers to any transport, keep a log of requests, or hold back what would change something; a header that a request has already is kept, and no secret shows in `Debug`, errors or what
//! observers see. A WebSocket is opened beside: watches go over either, behind the same trait. Leaves out retries and rate limits,
//! which the REST room has, and what is said through sockets other than watches.

mod address;
mod auth_provider;
mod error;
mod exchange;
mod identity;
mod layer;
#[cfg(test)]
mod layered;
mod observe;
mod read_only;
mod request_log;
#[cfg(any(test, feature = "test-util"))]
mod scripted;
#[cfg(any(test, feature = "test-util"))]
mod scripted_sockets;
mod socket;
mod socket_watch;
mod token;

pub use address::address_of;
pub use auth_provider::{AuthProvider, AuthProviders, KeepNothing, ProviderSettings, SettingsKeeper};
pub use error::TransportError;
pub(crate) use exchange::read_at_most;
pub use exchange::{Body, Request, Response, Transport, read_to_end};
pub use identity::{with_auth_proxy, with_basic_auth, with_impersonation, with_user_agent};
pub use layer::{TransportLayer, wrap_all};
pub use observe::{Exchange, ExchangeObserver, masked, with_observer};
pub use read_only::ReadOnly;
pub use request_log::{LoggedRequest, RequestEnd, RequestLog, RequestTotal};
#[cfg(any(test, feature = "test-util"))]
pub use scripted::{ScriptedAnswer, ScriptedTransport};
#[cfg(any(test, feature = "fake"))]
pub(crate) use scripted_sockets::receiving;
#[cfg(any(test, feature = "test-util"))]
pub use scripted_sockets::{ScriptedOpening, ScriptedSockets};
#[cfg(all(feature = "web", target_family = "wasm"))]
pub(crate) use socket::TOKEN_PROTOCOL;
#[cfg(any(all(feature = "web", target_family = "wasm"), all(feature = "native", not(target_family = "wasm"))))]
pub(crate) use socket::closed;
pub use socket::{Socket, SocketAnswer, SocketConnection, SocketMessage, SocketRequest, SocketTransport};
#[cfg(any(test, feature = "fake"))]
pub(crate) use socket_watch::is_watch;
pub use socket_watch::with_socket_watches;
#[cfg(all(feature = "native", not(target_family = "wasm")))]
pub(crate) use token::bearer;
pub use token::{Bearer, CachingTokenSource, LoadedToken, TokenLoader, TokenSource, with_bearer_token, with_token_source};
