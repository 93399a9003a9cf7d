//! Requests to an API server: built part by part, sent, and told from refusals.
//!
//! Guarantees: path segments are encoded once and never climb; every request carries `pretty=false`, because
//! the server indents its JSON for browsers; a refusal keeps the server's Status; what may be tried again is, ten times at
//! most, and never what could happen twice. Leaves out who asks, which is the transport's, and other forms than JSON.

mod answer;
mod client;
mod delete_options;
mod error;
mod options;
mod path;
mod query;
mod refusal;
mod request;
mod retry;
mod send;
mod target;
mod warning;
mod watch;

pub use answer::Answer;
pub use client::{RestClient, WarningHandler};
pub use delete_options::{DeleteOptions, Preconditions};
pub use error::{ApiError, RequestError};
pub use options::{FieldValidation, GetOptions, ListOptions, PatchOptions, ResourceVersionMatch, WriteOptions};
pub use path::{PathError, ResourcePath, encode_segment};
pub use query::{Query, QueryOptions};
pub use refusal::{RefusedRequest, decode_status};
pub use request::Request;
pub use warning::parse_warnings;
pub use watch::{WatchError, WatchStream};
