//! Requests to an API server: built part by part, sent, and told from refusals.
//!
//! Guarantees: path segments are encoded once, no path climbs or leaves its server, and no part of a path is dropped unsaid;
//! every request carries `pretty=false`, because the server indents its JSON for browsers; a refusal keeps the server's Status;
//! what may be tried again is, ten times at most, and never what could happen twice. Limits of rate, backoffs and observers are
//! traits of objects, so that who gives a client none does not pay for them. Protobuf is asked for where a client is told
//! to (feature `protobuf`), and JSON where the server refuses it. Leaves out who asks, which is the transport's.

mod answer;
mod client;
mod conflict;
mod delete_options;
mod error;
mod excerpt;
mod observer;
mod options;
mod pager;
mod path;
#[cfg(feature = "protobuf")]
mod protobuf;
mod query;
mod refusal;
mod request;
mod retry;
mod send;
mod target;
mod template;
#[cfg(test)]
mod tests;
mod url_backoff;
mod warning;
mod watch;
mod watch_list;

pub use answer::Answer;
pub use client::{RestClient, WarningHandler};
pub use conflict::{DEFAULT_BACKOFF, DEFAULT_RETRY, retry_on_conflict, retry_on_error};
pub use delete_options::{DeleteOptions, Preconditions};
pub use error::{ApiError, RequestError};
pub use excerpt::body_excerpt;
pub use observer::RequestObserver;
pub use options::{FieldValidation, GetOptions, ListOptions, PatchOptions, ResourceVersionMatch, WriteOptions};
pub use pager::{Listed, PagedItems, PagedList, Pager};
pub use path::{PathError, ResourcePath, encode_segment};
pub use query::{Query, QueryOptions};
pub use refusal::{RefusedRequest, decode_status};
pub use request::Request;
pub use template::url_template;
pub use url_backoff::{BackoffPolicy, UrlBackoff};
pub use warning::parse_warnings;
pub use watch::{WatchError, WatchStream};
pub use watch_list::watch_list_options;
