//! What the tables are about: a workload whose containers are workloads, too. Its schema is there twice, written by
//! hand and as an `OpenAPI` document; all tables are held against both.

use crate::{
    json::Value,
    patch::strategic::{FieldSchema, MergeKind, OpenApiSchema, PatchSchema, PatchStrategy, SchemaError},
};

/// The schema written by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    /// The workload.
    Workload,
    /// Its update strategy: of all that can be set in it only what is named stays.
    Strategy,
    /// Something without known fields.
    Opaque,
}

impl Hand {
    fn field(self, name: &str) -> Result<FieldSchema<Self>, SchemaError> {
        let merge = |schema, merge_key| (schema, MergeKind::Merge, false, merge_key);
        let plain = |schema| (schema, MergeKind::ByType, false, None);
        let (schema, kind, retain_keys, merge_key) = match (self, name) {
            (Self::Opaque, _) => return Err(SchemaError::UnknownField(name.to_owned())),
            (_, "name" | "image" | "tier" | "labels") | (Self::Workload, "args" | "config") => plain(Self::Opaque),
            (_, "containers") | (Self::Workload, "sidecars") => merge(Self::Workload, Some("name")),
            (_, "rules") => plain(Self::Workload),
            (_, "finalizers") => merge(Self::Opaque, None),
            (Self::Workload, "volumes") => (Self::Workload, MergeKind::Merge, true, Some("name")),
            (Self::Workload, "template") => (Self::Opaque, MergeKind::Replace, false, None),
            (Self::Workload, "strategy") => (Self::Strategy, MergeKind::ByType, true, None),
            _ => return Err(SchemaError::UnknownField(name.to_owned())),
        };
        let strategy = PatchStrategy { kind, retain_keys };
        Ok(FieldSchema { schema, strategy, merge_key: merge_key.map(str::to_owned) })
    }
}

impl PatchSchema for Hand {
    fn object_field(&self, name: &str) -> Result<FieldSchema<Self>, SchemaError> {
        self.field(name)
    }

    fn list_field(&self, name: &str) -> Result<FieldSchema<Self>, SchemaError> {
        self.field(name)
    }
}

/// The same as the server would describe it. `sidecars` does not say that it is a list.
const DOCUMENT: &str = r##"{"components":{"schemas":{
    "Workload":{"properties":{
        "name":{"type":"string"},"image":{"type":"string"},"tier":{"type":"string"},
        "labels":{"type":"object","additionalProperties":{"type":"string"}},
        "containers":{"type":"array","items":{"default":{},"allOf":[{"$ref":"#/components/schemas/Workload"}]},
            "x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"name"},
        "sidecars":{"allOf":[{"$ref":"#/components/schemas/Workload"}],
            "x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"name"},
        "volumes":{"type":"array","items":{"$ref":"#/components/schemas/Workload"},
            "x-kubernetes-patch-strategy":"merge,retainKeys","x-kubernetes-patch-merge-key":"name"},
        "rules":{"type":"array","items":{"$ref":"#/components/schemas/Workload"}},
        "finalizers":{"type":"array","items":{"type":"string"},"x-kubernetes-patch-strategy":"merge"},
        "args":{"type":"array","items":{"type":"string"}},
        "template":{"allOf":[{"$ref":"#/components/schemas/Opaque"}],"x-kubernetes-patch-strategy":"replace"},
        "strategy":{"allOf":[{"$ref":"#/components/schemas/Strategy"}],"x-kubernetes-patch-strategy":"retainKeys"},
        "config":{"description":"anything"}}},
    "Strategy":{"properties":{
        "name":{"type":"string"},"image":{"type":"string"},"tier":{"type":"string"},
        "labels":{"type":"object","additionalProperties":{"type":"string"}},
        "containers":{"type":"array","items":{"$ref":"#/components/schemas/Workload"},
            "x-kubernetes-patch-strategy":"merge","x-kubernetes-list-map-keys":["name"]},
        "rules":{"type":"array","items":{"$ref":"#/components/schemas/Workload"}},
        "finalizers":{"type":"array","items":{"type":"string"},"x-kubernetes-patch-strategy":"merge"}}},
    "Opaque":{"type":"object"}
}}}"##;

/// Something to be held against both schemas.
pub(super) trait Check {
    fn against(&self, schema: &impl PatchSchema);
}

/// Holds it against both schemas.
pub(super) fn against_both(check: &impl Check) {
    check.against(&Hand::Workload);
    let document: Value = DOCUMENT.parse().unwrap();
    check.against(&OpenApiSchema::named(&document, "Workload").unwrap());
}
