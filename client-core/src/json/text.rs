//! Texts that are not copied.

use std::{borrow::Cow, fmt};

use serde::{
    Deserializer,
    de::{Error, Visitor},
};

/// Reads a text, or `null`, and borrows it where it has no escapes: serde by itself copies each `Option<Cow<str>>`. For fields
/// with `#[serde(borrow, default, deserialize_with = "text_or_null")]`.
pub(crate) fn text_or_null<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cow<'a, str>>, D::Error> {
    deserializer.deserialize_option(TextOrNull)
}

struct TextOrNull;

impl<'de> Visitor<'de> for TextOrNull {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[derive(Deserialize)]
    struct Named<'a> {
        #[serde(borrow, default, deserialize_with = "text_or_null")]
        name: Option<Cow<'a, str>>,
    }

    fn name(text: &str) -> Result<Option<Cow<'_, str>>, serde_json::Error> {
        serde_json::from_slice::<Named<'_>>(text.as_bytes()).map(|named| named.name)
    }

    #[test]
    fn a_text_is_copied_for_its_escapes_alone() {
        assert!(matches!(name(r#"{"name":"ä"}"#).unwrap(), Some(Cow::Borrowed("ä"))));
        assert!(matches!(name(r#"{"name":"\u0061"}"#).unwrap(), Some(Cow::Owned(text)) if text == "a"));
        assert!(name("{}").unwrap().is_none() && name(r#"{"name":null}"#).unwrap().is_none());
        let error = name(r#"{"name":7}"#).unwrap_err().to_string();
        assert!(error.starts_with("invalid type: integer `7`, expected a string"), "{error}");
    }
}
