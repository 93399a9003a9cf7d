//! What the server knows of the fields of an object: which lists are merged by a key, which objects are taken as a whole.
//!
//! Custom resources have an `OpenAPI` schema. For the server's own there is a short table of well-known names, so that no
//! schema of all of Kubernetes has to be carried along.

use crate::{
    json::{Map, Value},
    patch::{
        PathElement,
        strategic::{FieldSchema, MergeKind, PatchSchema, PatchStrategy, SchemaError},
    },
};

/// The shape of a value. Cheap to copy: a step into a field makes a new one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<'d> {
    /// Described by a schema.
    Schema(&'d Value),
    /// The field of this name, in the field of that name, of a resource of the server's own.
    Known { name: &'d str, parent: &'d str },
    /// Of no known shape: objects are merged, lists are not.
    Free,
}

/// How the items of a list are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ListKind {
    /// They are not: the list is one value.
    Atomic,
    /// By what they are.
    Set,
    /// By these fields.
    Map(Vec<String>),
}

impl<'d> Shape<'d> {
    /// The shape of a whole object.
    pub(super) const fn object(schema: Option<&'d Value>) -> Self {
        match schema {
            Some(schema) => Self::Schema(schema),
            None => Self::Known { name: "", parent: "" },
        }
    }

    /// The shape of a field, and whether the shape names it: other fields are the entries of a map.
    pub(super) fn field(self, name: &'d str, is_root: bool) -> (Self, bool) {
        if is_root && matches!(name, "metadata" | "apiVersion" | "kind") {
            return (Self::Known { name, parent: "" }, true);
        }
        match self {
            Self::Schema(schema) => {
                if let Some(field) = schema.field("properties").and_then(|properties| properties.field(name)) {
                    return (Self::Schema(field), true);
                }
                (
                    schema
                        .field("additionalProperties")
                        .filter(|value| value.as_object().is_some())
                        .map_or(Self::Free, Self::Schema),
                    false,
                )
            }
            Self::Known { name: own, .. } => (Self::Known { name, parent: own }, !is_map(own)),
            Self::Free => (Self::Free, false),
        }
    }

    /// The shape of the items of this list.
    pub(super) fn item(self) -> Self {
        match self {
            Self::Schema(schema) => schema.field("items").map_or(Self::Free, Self::Schema),
            Self::Known { .. } | Self::Free => self,
        }
    }

    /// Whether an object of this shape is one value.
    pub(super) fn is_atomic_object(self) -> bool {
        match self {
            Self::Schema(schema) => text(schema, "x-kubernetes-map-type") == "atomic",
            Self::Known { name, .. } => {
                matches!(
                    name,
                    "ownerReferences" | "secrets" | "nodeSelector" | "selector" | "resourceFieldRef" | "involvedObject"
                )
            }
            Self::Free => false,
        }
    }

    /// How the items of a list of this shape are told apart.
    pub(super) fn list(self) -> ListKind {
        match self {
            Self::Schema(schema) => match text(schema, "x-kubernetes-list-type") {
                "set" => ListKind::Set,
                "map" => {
                    let keys = schema.field("x-kubernetes-list-map-keys").and_then(Value::as_array);
                    let names = keys.into_iter().flatten().filter_map(Value::as_str);
                    ListKind::Map(names.map(str::to_owned).collect())
                }
                _ => ListKind::Atomic,
            },
            Self::Known { name: "finalizers", parent: "metadata" } => ListKind::Set,
            Self::Known { name: "ports", parent } => {
                let port = if is_container(parent) { "containerPort" } else { "port" };
                ListKind::Map(vec![port.to_owned(), "protocol".to_owned()])
            }
            Self::Free => ListKind::Atomic,
            Self::Known { name, parent } => {
                merge_key(name, parent).map_or(ListKind::Atomic, |key| ListKind::Map(vec![key.to_owned()]))
            }
        }
    }

    /// How an item of a list of this shape is named in a set of fields; `None` where the list is one value, or the item lacks
    /// the fields.
    pub(super) fn element(self, item: &Value) -> Option<PathElement> {
        match self.list() {
            ListKind::Atomic => None,
            ListKind::Set => Some(PathElement::value(item)),
            ListKind::Map(keys) => {
                let fields: Map = keys.iter().filter_map(|key| Some((key.clone(), item.field(key)?.clone()))).collect();
                (!fields.is_empty()).then(|| PathElement::key(&fields))
            }
        }
    }
}

fn text<'v>(schema: &'v Value, name: &str) -> &'v str {
    schema.field(name).and_then(Value::as_str).unwrap_or_default()
}

/// Whether a field of the server's own resources is a map from names to values.
pub(super) fn is_map(name: &str) -> bool {
    matches!(
        name,
        "labels"
            | "annotations"
            | "data"
            | "binaryData"
            | "stringData"
            | "matchLabels"
            | "nodeSelector"
            | "limits"
            | "requests"
            | "capacity"
            | "allocatable"
    )
}

fn is_container(name: &str) -> bool {
    matches!(name, "containers" | "initContainers" | "ephemeralContainers")
}

/// The field by which the items of a list are told apart.
fn merge_key(name: &str, parent: &str) -> Option<&'static str> {
    Some(match name {
        // Those of a service account are one value.
        "imagePullSecrets" if parent.is_empty() => return None,
        "containers" | "initContainers" | "ephemeralContainers" | "env" | "volumes" | "imagePullSecrets" | "secrets" => "name",
        "volumeMounts" => "mountPath",
        "volumeDevices" => "devicePath",
        "hostAliases" | "podIPs" | "hostIPs" => "ip",
        "topologySpreadConstraints" => "topologyKey",
        "conditions" | "addresses" => "type",
        "ownerReferences" => "uid",
        "ports" if is_container(parent) => "containerPort",
        "ports" => "port",
        _ => return None,
    })
}

/// The patch strategies of the server's own resources, by the names of fields.
#[derive(Clone, Debug)]
pub(super) struct KnownSchema {
    name: String,
}

impl KnownSchema {
    pub(super) const fn root() -> Self {
        Self { name: String::new() }
    }
}

impl PatchSchema for KnownSchema {
    fn object_field(&self, name: &str) -> Result<FieldSchema<Self>, SchemaError> {
        let strategy = PatchStrategy::default();
        Ok(FieldSchema { schema: Self { name: name.to_owned() }, strategy, merge_key: None })
    }

    fn list_field(&self, name: &str) -> Result<FieldSchema<Self>, SchemaError> {
        let merge_key = merge_key(name, &self.name);
        let merges = merge_key.is_some() || name == "finalizers";
        let kind = if merges { MergeKind::Merge } else { MergeKind::ByType };
        let strategy = PatchStrategy { kind, retain_keys: false };
        Ok(FieldSchema { schema: Self { name: name.to_owned() }, strategy, merge_key: merge_key.map(str::to_owned) })
    }
}
