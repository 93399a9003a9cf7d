//! Names and metadata: what every room speaks about (apimachinery `apis/meta/v1`, `runtime/schema`, `api/resource` and
//! `api/errors`).
//!
//! Guarantees: a resource version is an opaque string; names, versions and ids are types of their own.

mod deletion;
mod duration;
mod fold_case;
mod group_kind;
mod group_resource;
mod group_version;
mod list_meta;
mod names;
mod null;
mod object_meta;
mod quantity;
mod resource_version;
mod status;
mod status_meaning;
mod status_reason;
mod status_words;
mod time;

pub use deletion::{DeletionPropagation, ParseDeletionPropagationError};
pub use duration::{human_duration, parse_duration};
pub use fold_case::{fold_case, fold_char};
pub use group_kind::{GroupKind, GroupVersionKind, parse_kind_argument, preferred_kind};
pub use group_resource::{GroupResource, GroupVersionResource, parse_resource_argument};
pub use group_version::{GroupVersion, ParseGroupVersionError};
pub use list_meta::ListMeta;
pub use names::{ClusterId, Namespace, ObjectName, ResourceVersion, Uid};
pub use null::null_is_default;
pub use object_meta::{ObjectMeta, OwnerReference};
pub use quantity::{ParseQuantityError, Quantity, QuantityFormat, parse_quantity};
pub use resource_version::{InvalidResourceVersion, compare_resource_versions};
pub use status::{Cause, Status, StatusDetails};
pub use status_reason::StatusReason;
pub use status_words::FailedRequest;
pub use time::{Duration, MicroTime, ParseDurationError, ParseTimestampError, Timestamp, parse_timestamp};
