//! Requests to an API server: paths, parameters, answers.
//!
//! Guarantees: path segments are encoded once and never climb; every request carries `pretty=false`, because
//! the server indents its JSON for browsers; a refusal keeps the server's Status. Leaves out writing.

mod client;
mod error;
mod path;
mod warning;

pub use client::{ListParameters, RestClient, WatchParameters};
pub use error::{ApiError, decode_status};
pub use path::{PathError, ResourcePath, encode_segment};
pub use warning::parse_warnings;
