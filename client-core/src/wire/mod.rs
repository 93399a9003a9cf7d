//! From bytes to events and rows.
//!
//! Guarantees: lists are read item by item as their bytes arrive, and watches by whole lines, so no character and no object is
//! cut by the border of a chunk; one bad object becomes a row that shows its error, or a
//! [`BadObject`](crate::object::BadObject), and stops nothing. What is in the frames of protobuf is in `protobuf`, of the
//! feature of that name.

mod cell;
mod encode;
mod error;
mod event;
mod items;
mod length;
mod lines;
mod object;
mod object_event;
mod object_list;
mod projection;
#[cfg(feature = "protobuf")]
pub mod protobuf;
mod row;
mod scanner;
mod table;
mod table_reader;

pub use cell::Cell;
pub use encode::encode_watch_event;
pub use error::DecodeError;
pub use event::{Bookmark, WatchEvent, decode_watch_event};
pub use items::{Element, ItemReader, without_managed_fields};
pub(crate) use length::LONGEST_FRAME;
pub use length::{FrameError, LengthFramer};
pub use lines::LineFramer;
pub(crate) use lines::values;
pub use object_event::{ObjectEvent, form_name, read_event, read_item};
pub use object_list::ObjectListReader;
pub use projection::{ProjectedColumn, Projection};
pub use table::{Column, TableEvent, TableList, TableRow, decode_event, decode_list, decode_projected_event};
pub use table_reader::TableReader;
