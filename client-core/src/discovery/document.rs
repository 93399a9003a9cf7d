//! One reader for every document of discovery, whatever its format: each field of this module's types is in some of them.
//!
//! `/api` answers with `APIVersions`, `/apis` with `APIGroupList`, both with `APIGroupDiscoveryList` where the server
//! aggregates, and the path of a version with `APIResourceList`. They tell of the same things under other names; one set of
//! types for all needs one pass, and is a fraction of the code, which a page has to load.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};

/// Types that read themselves from a JSON object, each field under one of its names. What is missing or `null` is
/// empty: a Go server writes `null` for an empty list. serde's own derive also reads objects that are written as
/// arrays, which no server does, and so has twice the code.
macro_rules! documents {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $($key:literal)|+,)+ })+) => { $(
        $(#[$doc])*
        #[derive(Default)]
        pub(super) struct $name {
            $($(#[$field_doc])* pub(super) $field: $type,)+
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Fields;

                impl<'de> Visitor<'de> for Fields {
                    type Value = $name;

                    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        formatter.write_str("an object")
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        let mut document = $name::default();
                        while let Some(Name(name)) = map.next_key()? {
                            match &*name {
                                $($($key)|+ => {
                                    document.$field = map.next_value::<Option<$type>>()?.unwrap_or_default();
                                })+
                                _ => {
                                    map.next_value::<IgnoredAny>()?;
                                }
                            }
                        }
                        Ok(document)
                    }
                }

                deserializer.deserialize_map(Fields)
            }
        }
    )+ };
}

documents! {
    /// Any of the four documents.
    Document {
        kind: String = "kind",
        /// The groups, of those that have some.
        groups: Vec<GroupDocument> = "groups" | "items",
        /// The versions of the core group, in `APIVersions`.
        versions: Vec<String> = "versions",
        /// The group version that `resources` is of, in `APIResourceList`.
        group_version: String = "groupVersion",
        resources: Vec<ResourceDocument> = "resources",
    }

    /// A group. An aggregated one has its name among its metadata.
    GroupDocument {
        name: String = "name",
        metadata: Metadata = "metadata",
        versions: Vec<VersionDocument> = "versions",
        preferred_version: VersionDocument = "preferredVersion",
    }

    Metadata {
        name: String = "name",
    }

    /// A version of a group. An aggregated one has its resources, and may be stale.
    VersionDocument {
        version: String = "version",
        group_version: String = "groupVersion",
        freshness: String = "freshness",
        resources: Vec<ResourceDocument> = "resources",
    }

    /// A resource or a subresource. An aggregated one has its kind as an object, its scope as a word, and its
    /// subresources with it.
    ResourceDocument {
        name: String = "name" | "resource" | "subresource",
        singular_name: String = "singularName" | "singularResource",
        namespaced: bool = "namespaced",
        scope: String = "scope",
        group: String = "group",
        version: String = "version",
        kind: String = "kind",
        response_kind: ResponseKind = "responseKind",
        verbs: Vec<String> = "verbs",
        short_names: Vec<String> = "shortNames",
        categories: Vec<String> = "categories",
        storage_version_hash: String = "storageVersionHash",
        subresources: Vec<ResourceDocument> = "subresources",
    }

    ResponseKind {
        group: String = "group",
        version: String = "version",
        kind: String = "kind",
    }
}

impl VersionDocument {
    /// The version, where there is one. Some servers give it with the group only.
    pub(super) fn into_version(self) -> Option<String> {
        let version = if self.version.is_empty() { self.group_version } else { self.version };
        let version = version.split_once('/').map_or(version.as_str(), |(_, version)| version);
        (!version.is_empty()).then(|| version.to_owned())
    }
}

/// The name of a field, which is seldom written in a way that has to be copied.
struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read(text: &str) -> Result<Document, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn what_is_missing_null_or_unknown_is_nothing() {
        for text in [
            "{}",
            r#"{"kind":null,"items":null,"versions":null,"groupVersion":null,"resources":null}"#,
            r#"{"other":{"kind":"a"},"metadata":[1],"\u006bind":null}"#,
        ] {
            let document = read(text).unwrap();
            assert!(document.kind.is_empty() && document.groups.is_empty() && document.resources.is_empty(), "{text}");
        }
        let document = read(r#"{"resources":[{},{"name":null,"namespaced":null,"verbs":null,"responseKind":null}]}"#).unwrap();
        assert!(document.resources.iter().all(|found| found.name.is_empty() && found.response_kind.kind.is_empty()));
    }

    #[test]
    fn a_name_may_be_written_with_escapes() {
        assert_eq!(read(r#"{"\u006bind":"APIVersions","versions":["v1"]}"#).unwrap().kind, "APIVersions");
    }

    #[test]
    fn what_is_of_another_type_is_an_error() {
        for text in [
            "",
            "null",
            "[]",
            "7",
            "\"text\"",
            r#"{"kind":1}"#,
            r#"{"items":{}}"#,
            r#"{"items":[null]}"#,
            r#"{"resources":[{"verbs":"list"}]}"#,
            r#"{"resources":[["pods"]]}"#,
            "{} {}",
        ] {
            assert!(read(text).is_err(), "{text:?} was read");
        }
    }
}
