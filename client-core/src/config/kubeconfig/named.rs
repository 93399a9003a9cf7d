//! Lists of named entries, as files have them, and maps, as everything else wants them (client-go
//! `tools/clientcmd/api/v1/conversion.go`).

/// A module for serde's `with`: reads a list of `name` and `$field` into a map, and writes it back in the order of the
/// names; an empty one as null, as Go does.
macro_rules! named {
    ($module:ident, $field:literal, $value:ty) => {
        pub(super) mod $module {
            use std::collections::{BTreeMap, btree_map::Entry as MapEntry};

            use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

            use crate::meta::null_is_default;

            #[derive(Deserialize, Default)]
            #[serde(default)]
            struct Read {
                #[serde(deserialize_with = "null_is_default")]
                name: String,
                #[serde(rename = $field, deserialize_with = "null_is_default")]
                value: $value,
            }

            #[derive(Serialize)]
            struct Written<'a> {
                name: &'a str,
                #[serde(rename = $field)]
                value: &'a $value,
            }

            pub(in crate::config::kubeconfig) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<BTreeMap<String, $value>, D::Error> {
                let mut map = BTreeMap::new();
                for entry in null_is_default::<D, Vec<Option<Read>>>(deserializer)?.into_iter().map(Option::unwrap_or_default) {
                    match map.entry(entry.name) {
                        MapEntry::Vacant(place) => {
                            place.insert(entry.value);
                        }
                        MapEntry::Occupied(place) => {
                            return Err(D::Error::custom(format_args!(
                                concat!("two entries are named \"{}\": rename one ", $field, " or take it out"),
                                place.key()
                            )));
                        }
                    }
                }
                Ok(map)
            }

            pub(in crate::config::kubeconfig) fn serialize<S: Serializer>(
                map: &BTreeMap<String, $value>,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                if map.is_empty() {
                    return serializer.serialize_none();
                }
                serializer.collect_seq(map.iter().map(|(name, value)| Written { name, value }))
            }
        }
    };
}

named!(clusters, "cluster", crate::config::kubeconfig::Cluster);
named!(users, "user", crate::config::kubeconfig::AuthInfo);
named!(contexts, "context", crate::config::kubeconfig::Context);
named!(extensions, "extension", serde_json::Value);
