//! Reading a message into a type that reads JSON.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{
    Deserialize as _, Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, Error as _, IntoDeserializer as _, MapAccess, SeqAccess, Visitor,
        value::{MapDeserializer, StrDeserializer},
    },
    forward_to_deserialize_any,
};

use super::{
    Envelope, ProtobufError, Schema,
    reader::{Ordered, Reader, Wire, bytes_of, integer_of, text_of},
    schema::{Cardinality, Field, Form, Message},
    special::{IntegerOrText, bytes_in, field_of, is_object, micro_time_text, text_in, time_text},
};

/// The deepest that messages are read in messages: the limit of `serde_json` for JSON.
const DEEPEST: usize = 128;

/// How `serde_json` asks for JSON as text.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// The object that `body` holds: an [`Envelope`] with a message of a kind that `schema` has. What JSON leaves out, because Go
/// leaves out what is zero, is not there either, so both ways give equal objects.
///
/// ```
/// use porthole_client_core::{
///     object::{Object as _, PartialObjectMetadata},
///     wire::protobuf::{Schema, decode_object},
/// };
///
/// let body = b"k8s\0\x0a\x27\x0a\x0emeta.k8s.io/v1\x12\x15PartialObjectMetadata\x12\x05\x0a\x03\x0a\x01a";
/// let object: PartialObjectMetadata = decode_object(&Schema::metadata(), body)?;
/// assert_eq!(object.name(), "a");
/// # Ok::<(), porthole_client_core::wire::protobuf::ProtobufError>(())
/// ```
///
/// # Errors
/// Where the body is no such object, where the schema does not have its kind, or where it is no `T`.
pub fn decode_object<T: DeserializeOwned>(schema: &Schema, body: &[u8]) -> Result<T, ProtobufError> {
    decode_envelope(schema, &Envelope::read(body)?)
}

/// The object in an envelope.
pub(super) fn decode_envelope<T: DeserializeOwned>(schema: &Schema, envelope: &Envelope<'_>) -> Result<T, ProtobufError> {
    T::deserialize(Node { schema, depth: 0, value: Value::object(schema, envelope)? })
}

/// The message of a type, which does not say its kind: an item of a list.
pub(super) fn decode_message<T: DeserializeOwned>(schema: &Schema, form: Form, message: &[u8]) -> Result<T, ProtobufError> {
    T::deserialize(Node { schema, depth: 0, value: Value::One(form, Wire::Bytes(message)) })
}

/// Something that becomes one value.
struct Node<'r, 'a> {
    schema: &'a Schema,
    depth: usize,
    value: Value<'r, 'a>,
}

enum Value<'r, 'a> {
    One(Form, Wire<'a>),
    /// The fields of one number, from the first on that was read.
    Many(&'a Field, Wire<'a>, &'r mut Ordered<'a>),
    /// Fields of one number within a message of their own.
    Within(Form, u32, &'a [u8]),
    /// A message with its kind.
    Object(&'a Message, Envelope<'a>),
}

impl<'a> Value<'_, 'a> {
    fn object(schema: &'a Schema, envelope: &Envelope<'a>) -> Result<Self, ProtobufError> {
        let Envelope { api_version, kind, .. } = *envelope;
        let unknown = || ProtobufError::UnknownKind { api_version: api_version.to_owned(), kind: kind.to_owned() };
        Ok(Self::Object(schema.kind(api_version, kind).ok_or_else(unknown)?, *envelope))
    }
}

impl<'r, 'a> Node<'r, 'a> {
    const fn one(&self, form: Form, wire: Wire<'a>) -> Node<'r, 'a> {
        Node { schema: self.schema, depth: self.depth, value: Value::One(form, wire) }
    }

    fn message<V: Visitor<'a>>(
        &self,
        message: &'a Message,
        bytes: &'a [u8],
        kind: Option<(&'a str, &'a str)>,
        visitor: V,
    ) -> Result<V::Value, ProtobufError> {
        let depth = self.depth + 1;
        if depth > DEEPEST {
            return Err(ProtobufError::Depth { limit: DEEPEST });
        }
        let layer = Layer { message, passed: 0, fields: Ordered::new(bytes)? };
        let (api_version, kind) = kind.map_or((None, None), |(api_version, kind)| (Some(api_version), Some(kind)));
        let head = [("kind", kind), ("apiVersion", api_version)];
        visitor.visit_map(Fields { schema: self.schema, depth, head, layer, outer: Vec::new(), value: Pending::None })
    }

    fn visit_one<V: Visitor<'a>>(self, form: Form, wire: Wire<'a>, visitor: V) -> Result<V::Value, ProtobufError> {
        let text = |text: Option<String>, visitor: V| match text {
            Some(text) => visitor.visit_string(text),
            None => visitor.visit_unit(),
        };
        match form {
            Form::Text => visitor.visit_borrowed_str(text_of(wire)?),
            Form::Integer => visitor.visit_i64(integer_of(wire)?),
            Form::Boolean => visitor.visit_bool(integer_of(wire)? != 0),
            Form::Float => match wire {
                Wire::Fixed64(bits) => visitor.visit_f64(f64::from_bits(bits)),
                other => Err(ProtobufError::Value(format!("a float was expected, and it is {other:?}"))),
            },
            Form::Bytes => visitor.visit_string(STANDARD.encode(bytes_of(wire)?)),
            Form::Time => text(time_text(bytes_of(wire)?)?, visitor),
            Form::MicroTime => text(micro_time_text(bytes_of(wire)?)?, visitor),
            Form::Quantity => visitor.visit_str(text_in(bytes_of(wire)?, 1)?),
            Form::IntegerOrText => match IntegerOrText::read(bytes_of(wire)?)? {
                IntegerOrText::Integer(number) => visitor.visit_i64(number),
                IntegerOrText::Text(text) => visitor.visit_str(text),
            },
            Form::Json => match bytes_in(bytes_of(wire)?, 1)? {
                b"" => visitor.visit_unit(),
                raw if is_object(raw) => {
                    let value = Value::object(self.schema, &Envelope::read(raw)?)?;
                    Node { schema: self.schema, depth: self.depth + 1, value }.deserialize_any(visitor)
                }
                raw => serde_json::Deserializer::from_slice(raw).deserialize_any(visitor).map_err(ProtobufError::custom),
            },
            Form::Texts => self.within(Form::Text, 1, bytes_of(wire)?, visitor),
            Form::Message(index) => self.message(self.schema.message(index), bytes_of(wire)?, None, visitor),
            Form::MessageOrBoolean(index) => {
                let message = bytes_of(wire)?;
                match field_of(message, 2)? {
                    Some(wire) => self.one(Form::Message(index), wire).deserialize_any(visitor),
                    None => visitor.visit_bool(field_of(message, 1)?.map_or(Ok(0), integer_of)? != 0),
                }
            }
            Form::MessageOrMessages(index) | Form::MessageOrTexts(index) => {
                let message = bytes_of(wire)?;
                match field_of(message, 1)? {
                    Some(wire) => self.one(Form::Message(index), wire).deserialize_any(visitor),
                    None if matches!(form, Form::MessageOrTexts(_)) => self.within(Form::Text, 2, message, visitor),
                    None => self.within(Form::Message(index), 2, message, visitor),
                }
            }
        }
    }

    fn within<V: Visitor<'a>>(self, form: Form, number: u32, bytes: &'a [u8], visitor: V) -> Result<V::Value, ProtobufError> {
        Node { value: Value::Within(form, number, bytes), ..self }.deserialize_any(visitor)
    }
}

impl<'de> Deserializer<'de> for Node<'_, 'de> {
    type Error = ProtobufError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ProtobufError> {
        let (schema, depth) = (self.schema, self.depth);
        match self.value {
            Value::One(form, wire) => self.visit_one(form, wire, visitor),
            Value::Many(field, first, fields) => {
                let many = Many { schema, depth, field, first: Some(first), fields, value: None };
                if field.cardinality == Cardinality::Map { visitor.visit_map(many) } else { visitor.visit_seq(many) }
            }
            Value::Within(form, number, bytes) => {
                visitor.visit_seq(Within { schema, depth, form, number, reader: Reader::new(bytes) })
            }
            Value::Object(message, Envelope { api_version, kind, raw }) => {
                self.message(message, raw, Some((api_version, kind)), visitor)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ProtobufError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, ProtobufError> {
        if name != RAW_VALUE {
            return visitor.visit_newtype_struct(self);
        }
        // The text of the JSON itself is wanted. serde_json makes the value that asked for it.
        if let Value::One(Form::Json, wire) = self.value {
            let raw = bytes_in(bytes_of(wire)?, 1)?;
            if !raw.is_empty() && !is_object(raw) {
                let json = serde_json::Deserializer::from_slice(raw).deserialize_newtype_struct(name, visitor);
                return json.map_err(ProtobufError::custom);
            }
        }
        let json = serde_json::Value::deserialize(self)?;
        let text = serde_json::to_string(&json).map_err(ProtobufError::custom)?;
        visitor.visit_map(MapDeserializer::new(std::iter::once((RAW_VALUE, text))))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ProtobufError> {
        match self.value {
            Value::One(Form::Text, wire) => {
                let text: StrDeserializer<'_, ProtobufError> = text_of(wire)?.into_deserializer();
                visitor.visit_enum(text)
            }
            _ => Err(ProtobufError::Value("one of several words was expected".to_owned())),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ProtobufError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

/// The fields of a message, and of those whose fields are its own.
struct Fields<'a> {
    schema: &'a Schema,
    depth: usize,
    /// What says the kind, taken from behind.
    head: [(&'static str, Option<&'a str>); 2],
    layer: Layer<'a>,
    outer: Vec<Layer<'a>>,
    value: Pending<'a>,
}

struct Layer<'a> {
    message: &'a Message,
    /// How many fields of the schema lie behind: both are in order.
    passed: usize,
    fields: Ordered<'a>,
}

enum Pending<'a> {
    None,
    Kind(&'a str),
    Field(&'a Field, Wire<'a>),
}

impl<'a> Layer<'a> {
    fn field(&mut self, number: u32) -> Option<&'a Field> {
        let fields = self.message.fields.get(self.passed..).unwrap_or_default();
        self.passed += fields.iter().take_while(|field| field.number < number).count();
        self.message.fields.get(self.passed).filter(|field| field.number == number)
    }
}

impl<'a> Fields<'a> {
    /// The next field that JSON has.
    fn next(&mut self) -> Result<Option<(&'a Field, Wire<'a>)>, ProtobufError> {
        loop {
            let Some((number, mut wire)) = self.layer.fields.next()? else {
                let Some(outer) = self.outer.pop() else { return Ok(None) };
                self.layer = outer;
                continue;
            };
            let Some(field) = self.layer.field(number) else { continue };
            if matches!(field.cardinality, Cardinality::One | Cardinality::Inline) {
                // The last one counts.
                while let Some(later) = self.layer.fields.next_of(number)? {
                    wire = later;
                }
            }
            match (field.cardinality, field.form) {
                (Cardinality::Inline, Form::Message(index)) => {
                    if self.outer.len() > DEEPEST {
                        return Err(ProtobufError::Depth { limit: DEEPEST });
                    }
                    let inner = Layer { message: self.schema.message(index), passed: 0, fields: Ordered::new(bytes_of(wire)?)? };
                    self.outer.push(std::mem::replace(&mut self.layer, inner));
                }
                (Cardinality::One, _) if is_nothing(field, wire)? => {}
                _ => return Ok(Some((field, wire))),
            }
        }
    }
}

/// Whether JSON leaves the field out: Go writes what is no pointer to protobuf always.
fn is_nothing(field: &Field, wire: Wire<'_>) -> Result<bool, ProtobufError> {
    match field.form {
        Form::Time | Form::MicroTime => Ok(matches!(wire, Wire::Bytes(b""))),
        Form::Json => Ok(bytes_in(bytes_of(wire)?, 1)?.is_empty()),
        _ => Ok(field.omits_zero && matches!(wire, Wire::Bytes(b"") | Wire::Varint(0) | Wire::Fixed64(0))),
    }
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = ProtobufError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ProtobufError> {
        let head = self.head.iter_mut().rev().find_map(|(name, value)| Some((*name, value.take()?)));
        let name = if let Some((name, value)) = head {
            self.value = Pending::Kind(value);
            name
        } else {
            let Some((field, wire)) = self.next()? else { return Ok(None) };
            self.value = Pending::Field(field, wire);
            &*field.name
        };
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ProtobufError> {
        match std::mem::replace(&mut self.value, Pending::None) {
            Pending::None => Err(ProtobufError::Value("a value was read before its name".to_owned())),
            Pending::Kind(text) => {
                let value = Value::One(Form::Text, Wire::Bytes(text.as_bytes()));
                seed.deserialize(Node { schema: self.schema, depth: self.depth, value })
            }
            Pending::Field(field, wire) => {
                let fields = &mut self.layer.fields;
                let value = match field.cardinality {
                    Cardinality::List | Cardinality::Map => Value::Many(field, wire, &mut *fields),
                    Cardinality::One | Cardinality::Inline => Value::One(field.form, wire),
                };
                let value = seed.deserialize(Node { schema: self.schema, depth: self.depth, value });
                // Whoever does not want a list does not read it to its end.
                while fields.next_of(field.number)?.is_some() {}
                value.map_err(|error| within(&field.name, error))
            }
        }
    }
}

/// The error, with where it is.
fn within(name: &str, error: ProtobufError) -> ProtobufError {
    match error {
        ProtobufError::Value(message) => ProtobufError::Value(format!("{name}: {message}")),
        other => other,
    }
}

/// The fields of one number: a list, or a map.
struct Many<'r, 'a> {
    schema: &'a Schema,
    depth: usize,
    field: &'a Field,
    first: Option<Wire<'a>>,
    fields: &'r mut Ordered<'a>,
    value: Option<Wire<'a>>,
}

impl<'a> Many<'_, 'a> {
    fn next(&mut self) -> Result<Option<Wire<'a>>, ProtobufError> {
        match self.first.take() {
            Some(first) => Ok(Some(first)),
            None => self.fields.next_of(self.field.number),
        }
    }
}

impl<'de> SeqAccess<'de> for Many<'_, 'de> {
    type Error = ProtobufError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ProtobufError> {
        let Some(wire) = self.next()? else { return Ok(None) };
        let value = Value::One(self.field.form, wire);
        seed.deserialize(Node { schema: self.schema, depth: self.depth, value }).map(Some)
    }
}

impl<'de> MapAccess<'de> for Many<'_, 'de> {
    type Error = ProtobufError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ProtobufError> {
        let Some(wire) = self.next()? else { return Ok(None) };
        let (mut reader, mut key, mut value) = (Reader::new(bytes_of(wire)?), "", None);
        while let Some((number, wire)) = reader.next()? {
            match number {
                1 => key = text_of(wire)?,
                2 => value = Some(wire),
                _ => {}
            }
        }
        self.value = value;
        seed.deserialize(StrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ProtobufError> {
        let wire = self.value.take().unwrap_or(match self.field.form {
            Form::Integer | Form::Boolean => Wire::Varint(0),
            Form::Float => Wire::Fixed64(0),
            _ => Wire::Bytes(b""),
        });
        let value = Value::One(self.field.form, wire);
        seed.deserialize(Node { schema: self.schema, depth: self.depth, value })
    }
}

/// The fields of one number in a message of their own.
struct Within<'a> {
    schema: &'a Schema,
    depth: usize,
    form: Form,
    number: u32,
    reader: Reader<'a>,
}

impl<'de> SeqAccess<'de> for Within<'de> {
    type Error = ProtobufError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ProtobufError> {
        while let Some((number, wire)) = self.reader.next()? {
            if number == self.number {
                let value = Value::One(self.form, wire);
                return seed.deserialize(Node { schema: self.schema, depth: self.depth, value }).map(Some);
            }
        }
        Ok(None)
    }
}
