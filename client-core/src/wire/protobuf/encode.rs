//! Writing an object as a message.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;

use super::{
    Envelope, ProtobufError, Schema,
    schema::{Cardinality, Field, Form, Message},
    writer::{bytes_field, float_field, number_field},
};
use crate::{
    json::{Map, Value},
    meta::{MicroTime, Timestamp},
};

/// The body that holds `object`, which has to say its `apiVersion` and `kind`: an [`Envelope`] with a message of a kind that
/// `schema` has.
///
/// ```
/// use porthole_client_core::{
///     object::PartialObjectMetadata,
///     wire::protobuf::{Schema, decode_object, encode_object},
/// };
///
/// let text = r#"{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"name":"a"}}"#;
/// let object: PartialObjectMetadata = serde_json::from_str(text).unwrap();
/// let body = encode_object(&Schema::metadata(), &object)?;
/// assert_eq!(decode_object::<PartialObjectMetadata>(&Schema::metadata(), &body)?, object);
/// # Ok::<(), porthole_client_core::wire::protobuf::ProtobufError>(())
/// ```
///
/// # Errors
/// Where the object cannot be JSON, where the schema does not have its kind or one of its fields, and where a field is of
/// another type: nothing is left out unsaid.
pub fn encode_object(schema: &Schema, object: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, ProtobufError> {
    encode_value(schema, &Value::from_serialize(object).map_err(|error| ProtobufError::Value(error.to_string()))?)
}

/// As [`encode_object`], of an object that is JSON already.
pub(crate) fn encode_json(schema: &Schema, object: &[u8]) -> Result<Vec<u8>, ProtobufError> {
    encode_value(schema, &Value::from_slice(object).map_err(|error| ProtobufError::Value(error.to_string()))?)
}

fn encode_value(schema: &Schema, object: &Value) -> Result<Vec<u8>, ProtobufError> {
    let object = map("the object", object)?;
    let text = |name: &str| object.get(name).map_or(Ok(""), |value| text(name, value));
    let (api_version, kind) = (text("apiVersion")?, text("kind")?);
    let unknown = || ProtobufError::UnknownKind { api_version: api_version.to_owned(), kind: kind.to_owned() };
    let message = schema.kind(api_version, kind).ok_or_else(unknown)?;
    let mut raw = Vec::new();
    let known = write(schema, message, object, &mut raw)?;
    check(schema, message, object, known)?;
    Ok(Envelope { api_version, kind, raw: &raw }.write())
}

/// Writes the fields of a message, and says how many there were.
fn write(schema: &Schema, message: &Message, object: &Map, out: &mut Vec<u8>) -> Result<usize, ProtobufError> {
    let mut known = 0;
    for field in &message.fields {
        if let (Cardinality::Inline, Form::Message(index)) = (field.cardinality, field.form) {
            let mut inner = Vec::new();
            known += write(schema, schema.message(index), object, &mut inner)?;
            bytes_field(field.number, &inner, out);
            continue;
        }
        let Some(value) = object.get(&*field.name) else { continue };
        known += 1;
        if *value != Value::Null {
            write_field(schema, field, value, out).map_err(|error| within(&field.name, error))?;
        }
    }
    Ok(known)
}

/// Refuses an object with fields that the message does not have; `known` is how many of them were written.
fn check(schema: &Schema, message: &Message, object: &Map, known: usize) -> Result<(), ProtobufError> {
    if known == object.len() {
        return Ok(());
    }
    let unknown = object.keys().find(|name| !has(schema, message, name) && !says_the_kind(schema, message, name));
    unknown.map_or(Ok(()), |field| Err(ProtobufError::UnknownField { field: field.clone() }))
}

/// Whether this field of an object is in its envelope, and nowhere where the object lies in another one: a claim in a
/// `StatefulSet` has its kind in JSON alone.
fn says_the_kind(schema: &Schema, message: &Message, name: &str) -> bool {
    matches!(name, "apiVersion" | "kind") && has(schema, message, "metadata")
}

fn has(schema: &Schema, message: &Message, name: &str) -> bool {
    message.fields.iter().any(|field| match (field.cardinality, field.form) {
        (Cardinality::Inline, Form::Message(index)) => has(schema, schema.message(index), name),
        _ => &*field.name == name,
    })
}

fn write_field(schema: &Schema, field: &Field, value: &Value, out: &mut Vec<u8>) -> Result<(), ProtobufError> {
    match field.cardinality {
        Cardinality::One | Cardinality::Inline => write_one(schema, field.form, field.number, value, out),
        Cardinality::List => {
            let Value::Array(items) = value else { return Err(unfit("a list", value)) };
            items.iter().try_for_each(|item| write_one(schema, field.form, field.number, item, out))
        }
        Cardinality::Map => map("a map", value)?.iter().try_for_each(|(key, value)| {
            let mut entry = Vec::new();
            bytes_field(1, key.as_bytes(), &mut entry);
            write_one(schema, field.form, 2, value, &mut entry)?;
            bytes_field(field.number, &entry, out);
            Ok(())
        }),
    }
}

fn write_one(schema: &Schema, form: Form, number: u32, value: &Value, out: &mut Vec<u8>) -> Result<(), ProtobufError> {
    match form {
        Form::Text => bytes_field(number, text("a text", value)?.as_bytes(), out),
        Form::Integer => number_field(number, integer(value)?, out),
        Form::Boolean => match value {
            Value::Bool(is) => number_field(number, i64::from(*is), out),
            other => return Err(unfit("a boolean", other)),
        },
        Form::Float => match value {
            Value::Number(float) => float_field(number, float.as_f64().ok_or_else(|| unfit("a number", value))?, out),
            other => return Err(unfit("a number", other)),
        },
        Form::Bytes => {
            let bytes = STANDARD.decode(text("bytes in base64", value)?).map_err(|_other| unfit("bytes in base64", value))?;
            bytes_field(number, &bytes, out);
        }
        Form::Json => bytes_field(number, &raw(1, value.to_string().as_bytes()), out),
        _ => {
            let mut message = Vec::new();
            write_message(schema, form, value, &mut message)?;
            bytes_field(number, &message, out);
        }
    }
    Ok(())
}

/// Writes what is a message in protobuf, whatever it is in JSON.
fn write_message(schema: &Schema, form: Form, value: &Value, out: &mut Vec<u8>) -> Result<(), ProtobufError> {
    match (form, value) {
        (Form::Time, value) => {
            let time: Timestamp = text("a time", value)?.parse().map_err(|_other| unfit("a time", value))?;
            moment(time.to_protobuf(), out);
        }
        (Form::MicroTime, value) => {
            let time: MicroTime = text("a time", value)?.parse().map_err(|_other| unfit("a time", value))?;
            moment(time.to_protobuf(), out);
        }
        (Form::Quantity, Value::Number(number)) => bytes_field(1, number.as_str().as_bytes(), out),
        (Form::Quantity, value) => bytes_field(1, text("a quantity", value)?.as_bytes(), out),
        (Form::IntegerOrText, Value::String(text)) => {
            number_field(1, 1, out);
            bytes_field(3, text.as_bytes(), out);
        }
        (Form::IntegerOrText, value) => {
            number_field(1, 0, out);
            number_field(2, integer(value)?, out);
        }
        (Form::Texts, value) => many(schema, Form::Text, 1, value, out)?,
        (Form::MessageOrBoolean(_), Value::Bool(allows)) => number_field(1, i64::from(*allows), out),
        (Form::MessageOrBoolean(index), value) => {
            // A schema allows what it describes, as Go reads it.
            number_field(1, 1, out);
            write_one(schema, Form::Message(index), 2, value, out)?;
        }
        (Form::MessageOrMessages(index), value @ Value::Array(_)) => many(schema, Form::Message(index), 2, value, out)?,
        (Form::MessageOrTexts(_), value @ Value::Array(_)) => many(schema, Form::Text, 2, value, out)?,
        (Form::MessageOrMessages(index) | Form::MessageOrTexts(index), value) => {
            write_one(schema, Form::Message(index), 1, value, out)?;
        }
        (Form::Message(index), value) => {
            let (message, object) = (schema.message(index), map("an object", value)?);
            let known = write(schema, message, object, out)?;
            check(schema, message, object, known)?;
        }
        // Those that are no messages.
        (Form::Text | Form::Integer | Form::Float | Form::Boolean | Form::Bytes | Form::Json, _) => {}
    }
    Ok(())
}

fn many(schema: &Schema, form: Form, number: u32, value: &Value, out: &mut Vec<u8>) -> Result<(), ProtobufError> {
    let Value::Array(items) = value else { return Err(unfit("a list", value)) };
    items.iter().try_for_each(|item| write_one(schema, form, number, item, out))
}

fn moment(moment: Option<(i64, i32)>, out: &mut Vec<u8>) {
    if let Some((seconds, nanos)) = moment {
        number_field(1, seconds, out);
        number_field(2, i64::from(nanos), out);
    }
}

fn raw(number: u32, bytes: &[u8]) -> Vec<u8> {
    let mut message = Vec::with_capacity(bytes.len() + 8);
    bytes_field(number, bytes, &mut message);
    message
}

fn text<'a>(what: &str, value: &'a Value) -> Result<&'a str, ProtobufError> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(unfit(what, other)),
    }
}

fn integer(value: &Value) -> Result<i64, ProtobufError> {
    match value {
        Value::Number(number) => number.as_i64().ok_or_else(|| unfit("a whole number", value)),
        other => Err(unfit("a whole number", other)),
    }
}

fn map<'a>(what: &str, value: &'a Value) -> Result<&'a Map, ProtobufError> {
    match value {
        Value::Object(fields) => Ok(fields),
        other => Err(unfit(what, other)),
    }
}

fn unfit(what: &str, value: &Value) -> ProtobufError {
    ProtobufError::Value(format!("{what} was expected, and it is {}", value.type_name()))
}

fn within(name: &str, error: ProtobufError) -> ProtobufError {
    match error {
        ProtobufError::Value(message) => ProtobufError::Value(format!("{name}: {message}")),
        ProtobufError::UnknownField { field } => ProtobufError::UnknownField { field: format!("{name}.{field}") },
        other => other,
    }
}
