//! Lists, item by item.

use serde::de::DeserializeOwned;

use super::{
    Envelope, ProtobufError, Schema,
    decode::{decode_envelope, decode_message},
    reader::{Reader, bytes_of},
    schema::{Cardinality, Form},
};
use crate::{
    meta::{GroupVersion, ListMeta},
    object::ObjectList,
};

/// A list whose items are still bytes, so that one that cannot be read does not hide the others.
#[derive(Debug)]
pub struct ProtobufList<'a> {
    schema: &'a Schema,
    envelope: Envelope<'a>,
    item: Form,
    /// What the list says of itself.
    pub metadata: ListMeta,
    /// The messages of its items, for [`read`](Self::read).
    pub items: Vec<&'a [u8]>,
}

impl<'a> ProtobufList<'a> {
    /// The list that `body` holds.
    ///
    /// # Errors
    /// Where the body is no list of a kind that `schema` has.
    pub fn new(schema: &'a Schema, body: &'a [u8]) -> Result<Self, ProtobufError> {
        let envelope = Envelope::read(body)?;
        let Envelope { api_version, kind, raw } = envelope;
        let unknown = || ProtobufError::UnknownKind { api_version: api_version.to_owned(), kind: kind.to_owned() };
        let message = schema.kind(api_version, kind).ok_or_else(unknown)?;
        let field = |name: &str| message.fields.iter().find(|field| &*field.name == name);
        let no_list = || ProtobufError::Value(format!("its kind is {kind:?}, not a list"));
        let items_field = field("items").filter(|field| field.cardinality == Cardinality::List && kind.ends_with("List"));
        let (metadata_field, items_field) = field("metadata").zip(items_field).ok_or_else(no_list)?;
        let (mut reader, mut metadata, mut items) = (Reader::new(raw), ListMeta::default(), Vec::new());
        while let Some((number, wire)) = reader.next()? {
            if number == items_field.number {
                items.push(bytes_of(wire)?);
            } else if number == metadata_field.number {
                metadata = decode_message(schema, metadata_field.form, bytes_of(wire)?)?;
            }
        }
        Ok(Self { schema, envelope, item: items_field.form, metadata, items })
    }

    /// The group and version of the list, and its kind.
    #[must_use]
    pub const fn kind(&self) -> (&'a str, &'a str) {
        (self.envelope.api_version, self.envelope.kind)
    }

    /// The object in one of its items, which is what the list's own kind says.
    ///
    /// # Errors
    /// Where it is no `K`.
    pub fn read<K: DeserializeOwned>(&self, item: &[u8]) -> Result<K, ProtobufError> {
        let Envelope { api_version, kind, .. } = self.envelope;
        match kind.strip_suffix("List").filter(|kind| self.schema.has(api_version, kind)) {
            Some(kind) => decode_envelope(self.schema, &Envelope { api_version, kind, raw: item }),
            None => decode_message(self.schema, self.item, item),
        }
    }
}

/// The list in `body`, as [`ObjectList`] reads one from JSON.
///
/// # Errors
/// Where the body is no list, where the schema does not have its kind, or where an item is no `K`. A
/// [`ProtobufList`] reads the others.
pub fn decode_object_list<K: DeserializeOwned>(schema: &Schema, body: &[u8]) -> Result<ObjectList<K>, ProtobufError> {
    let list = ProtobufList::new(schema, body)?;
    let named =
        |(index, item): (usize, &&[u8])| list.read(item).map_err(|error| ProtobufError::Value(format!("item {index}: {error}")));
    let items = list.items.iter().enumerate().map(named).collect::<Result<_, _>>()?;
    let (api_version, kind) = list.kind();
    let version = api_version.parse::<GroupVersion>().ok();
    Ok(ObjectList { kind: version.map(|version| version.with_kind(kind)), metadata: list.metadata, items })
}
