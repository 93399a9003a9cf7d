//! Where in its text the parts of an object are by which it is known.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::{
    json::text_or_null,
    meta::{GroupVersion, GroupVersionKind},
};

/// Those parts. A text of JSON without escapes, as all names are, is a place; one with escapes is kept by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Head {
    api_version: Part,
    kind: Part,
    name: Part,
    namespace: Part,
    uid: Part,
    resource_version: Part,
}

#[derive(Clone, Debug)]
enum Part {
    At(u32, u32),
    Own(Box<str>),
}

impl Default for Part {
    fn default() -> Self {
        Self::At(0, 0)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireHead<'a> {
    #[serde(borrow, default, deserialize_with = "text_or_null")]
    api_version: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text_or_null")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    metadata: Option<Fields<WireNames<'a>>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WireNames<'a> {
    #[serde(borrow, deserialize_with = "text_or_null")]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text_or_null")]
    namespace: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text_or_null")]
    uid: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text_or_null")]
    resource_version: Option<Cow<'a, str>>,
}

/// A struct that is written as an object: serde by itself reads a list as one too.
struct Fields<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fields<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnObject<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for AnObject<T> {
            type Value = T;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(fields))
            }
        }
        deserializer.deserialize_map(AnObject(PhantomData)).map(Self)
    }
}

/// Reads the parts of the object in `text`.
pub(super) fn read_head(text: &str) -> Result<Head, serde_json::Error> {
    let Fields(WireHead { api_version, kind, metadata }) = serde_json::from_slice(text.as_bytes())?;
    let names = metadata.map(|Fields(names)| names).unwrap_or_default();
    let part = |found: Option<Cow<'_, str>>| found.map(|found| Part::of(found, text)).unwrap_or_default();
    Ok(Head {
        api_version: part(api_version),
        kind: part(kind),
        name: part(names.name),
        namespace: part(names.namespace),
        uid: part(names.uid),
        resource_version: part(names.resource_version),
    })
}

macro_rules! parts {
    ($($part:ident)*) => {$(
        pub(super) fn $part<'a>(&'a self, text: &'a str) -> &'a str {
            self.$part.of_text(text)
        }
    )*};
}

impl Head {
    parts!(api_version kind name namespace uid resource_version);

    /// What the object in `text` says it is. An `apiVersion` that is none is taken for the version of the core group.
    pub(super) fn group_version_kind(&self, text: &str) -> GroupVersionKind {
        let api_version = self.api_version(text);
        let group_version = api_version.parse().unwrap_or_else(|_malformed| GroupVersion::new("", api_version));
        group_version.with_kind(self.kind(text))
    }
}

impl Head {
    /// Whether there is no kind, or `null` in its place; an empty one is there.
    pub(super) const fn lacks_kind(&self) -> bool {
        self.kind.is_missing()
    }

    pub(super) const fn lacks_api_version(&self) -> bool {
        self.api_version.is_missing()
    }

    /// This head where its text has got a front that is `by` longer, of which `front` is the head.
    pub(super) fn behind(self, front: Self, by: usize) -> Self {
        let own = self.lacks_api_version();
        Self {
            api_version: if own { front.api_version } else { self.api_version.moved(by) },
            kind: front.kind,
            name: self.name.moved(by),
            namespace: self.namespace.moved(by),
            uid: self.uid.moved(by),
            resource_version: self.resource_version.moved(by),
        }
    }
}

impl Part {
    const fn is_missing(&self) -> bool {
        matches!(self, Self::At(0, 0))
    }

    fn moved(self, by: usize) -> Self {
        match self {
            Self::At(start, end) if start < end => {
                let by = u32::try_from(by).unwrap_or(u32::MAX);
                Self::At(start.saturating_add(by), end.saturating_add(by))
            }
            other => other,
        }
    }

    fn of(found: Cow<'_, str>, text: &str) -> Self {
        if let Cow::Borrowed(found) = found {
            let start = (found.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
            if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(start.wrapping_add(found.len()))) {
                return Self::At(start, end);
            }
        }
        Self::Own(found.into())
    }

    fn of_text<'a>(&'a self, text: &'a str) -> &'a str {
        match self {
            Self::At(start, end) => text.get(*start as usize..*end as usize).unwrap_or_default(),
            Self::Own(own) => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_part_is_found_with_and_without_escapes() {
        let text = r#" {"kind":"Po\u0064","apiVersion":"v1","metadata":{"name":"ä","labels":{"name":"x"},"uid":null}} "#;
        let head = read_head(text).unwrap();
        assert_eq!((head.kind(text), head.api_version(text), head.name(text)), ("Pod", "v1", "ä"));
        assert_eq!((head.namespace(text), head.uid(text), head.resource_version(text)), ("", "", ""));
    }

    #[test]
    fn a_part_without_escapes_is_a_place_in_the_text() {
        let text = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"ä","namespace":"n","uid":"u","resourceVersion":"7"}}"#;
        let Head { api_version, kind, name, namespace, uid, resource_version } = read_head(text).unwrap();
        let parts = [api_version, kind, name, namespace, uid, resource_version];
        assert!(parts.iter().all(|part| matches!(part, Part::At(start, end) if start < end)), "{parts:?}");
    }

    #[test]
    fn a_part_of_the_wrong_type_is_refused() {
        for text in [r#"{"kind":7}"#, r#"{"metadata":{"name":{}}}"#, r#"{"metadata":[]}"#, "[]", "7"] {
            assert!(read_head(text).is_err(), "{text}");
        }
    }
}
