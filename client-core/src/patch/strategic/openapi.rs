//! A schema from the server's `OpenAPI` v3 document (apimachinery `util/strategicpatch/meta.go`, `PatchMetaFromOpenAPIV3`).

use super::{FieldSchema, MergeKind, PatchSchema, PatchStrategy, SchemaError};
use crate::{json::Value, meta::GroupVersion};

const STRATEGY: &str = "x-kubernetes-patch-strategy";
const MERGE_KEY: &str = "x-kubernetes-patch-merge-key";
const LIST_KEYS: &str = "x-kubernetes-list-map-keys";
const KINDS: &str = "x-kubernetes-group-version-kind";

/// How many references may follow each other.
const LONGEST_CHAIN: usize = 16;

/// A schema in a document of `/openapi/v3/…`.
///
/// The merge key of a list is `x-kubernetes-patch-merge-key`; where a list is to be merged and has none, it is the only
/// name in `x-kubernetes-list-map-keys`. That list alone does not make a list merging: the server replaces such a list
/// under a strategic merge patch, so that a patch with some of its items would lose the others.
#[derive(Clone, Copy, Debug)]
pub struct OpenApiSchema<'d> {
    document: &'d Value,
    schema: &'d Value,
}

impl<'d> OpenApiSchema<'d> {
    /// The schema with this name in `components.schemas`, such as `io.k8s.api.core.v1.Pod`.
    #[must_use]
    pub fn named(document: &'d Value, name: &str) -> Option<Self> {
        let schema = document.field("components")?.field("schemas")?.field(name)?;
        Some(Self { document, schema })
    }

    /// The schema of the objects of a kind.
    #[must_use]
    pub fn of_kind(document: &'d Value, version: &GroupVersion, kind: &str) -> Option<Self> {
        let is = |entry: &Value| {
            let has = |name, wanted: &str| entry.field(name).and_then(Value::as_str) == Some(wanted);
            has("group", &version.group) && has("version", &version.version) && has("kind", kind)
        };
        let schemas = document.field("components")?.field("schemas")?.as_object()?;
        let mut all = schemas.values();
        let schema =
            all.find(|schema| schema.field(KINDS).and_then(Value::as_array).is_some_and(|kinds| kinds.iter().any(is)))?;
        Some(Self { document, schema })
    }

    fn property(&self, name: &str) -> Result<&'d Value, SchemaError> {
        let properties = self.schema.field("properties");
        properties.and_then(|all| all.field(name)).ok_or_else(|| SchemaError::UnknownField(name.to_owned()))
    }

    /// The schema that `schema` stands for: the first of `allOf`, and what `$ref` names.
    fn resolved(&self, schema: &'d Value) -> Result<Self, SchemaError> {
        let mut schema = schema;
        let mut reference = "";
        for _ in 0..LONGEST_CHAIN {
            if let Some(first) = schema.field("allOf").and_then(Value::as_array).and_then(|all| all.first()) {
                schema = first;
            } else if let Some(name) = schema.field("$ref").and_then(Value::as_str) {
                reference = name;
                let target = name.strip_prefix("#/components/schemas/").and_then(|name| Self::named(self.document, name));
                schema = target.ok_or_else(|| SchemaError::Unresolved(name.to_owned()))?.schema;
            } else {
                return Ok(Self { document: self.document, schema });
            }
        }
        Err(SchemaError::Unresolved(reference.to_owned()))
    }
}

impl PatchSchema for OpenApiSchema<'_> {
    fn object_field(&self, name: &str) -> Result<FieldSchema<Self>, SchemaError> {
        let property = self.property(name)?;
        described(property, self.resolved(property)?)
    }

    /// A field that the document does not describe as a list is taken for its own items.
    fn list_field(&self, name: &str) -> Result<FieldSchema<Self>, SchemaError> {
        let property = self.property(name)?;
        described(property, self.resolved(property.field("items").unwrap_or(property))?)
    }
}

/// The field with what the extensions at `property` say of it.
fn described<'d>(property: &'d Value, schema: OpenApiSchema<'d>) -> Result<FieldSchema<OpenApiSchema<'d>>, SchemaError> {
    let strategy: PatchStrategy = text(property, STRATEGY)?.unwrap_or_default().parse()?;
    let merge_key = match text(property, MERGE_KEY)? {
        None if strategy.kind == MergeKind::Merge => only_list_key(property)?,
        key => key,
    };
    Ok(FieldSchema { schema, strategy, merge_key: merge_key.map(str::to_owned) })
}

fn text<'d>(property: &'d Value, extension: &'static str) -> Result<Option<&'d str>, SchemaError> {
    match property.field(extension) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(SchemaError::BadExtension { extension, expected: "a string", found: other.type_name() }),
    }
}

fn only_list_key(property: &Value) -> Result<Option<&str>, SchemaError> {
    let Some(keys) = property.field(LIST_KEYS) else { return Ok(None) };
    let wrong = || SchemaError::BadExtension { extension: LIST_KEYS, expected: "a list of names", found: keys.type_name() };
    Ok(match keys.as_array().ok_or_else(wrong)?.as_slice() {
        [only] => Some(only.as_str().ok_or_else(wrong)?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const DOCUMENT: &str = r##"{"components":{"schemas":{
        "v1.Pod":{
            "x-kubernetes-group-version-kind":[{"group":"","version":"v1","kind":"Pod"}],
            "properties":{
                "spec":{"allOf":[{"$ref":"#/components/schemas/v1.PodSpec"}],"default":{}},
                "self":{"$ref":"#/components/schemas/circle.a"},
                "lost":{"$ref":"#/components/schemas/nowhere"},
                "far":{"$ref":"https://example.com/schema"}}},
        "v1.PodSpec":{"properties":{
            "containers":{"type":"array","items":{"allOf":[{"$ref":"#/components/schemas/v1.Container"}]},
                "x-kubernetes-patch-merge-key":"name","x-kubernetes-patch-strategy":"merge",
                "x-kubernetes-list-map-keys":["other"]},
            "volumes":{"items":{"type":"object"},"x-kubernetes-patch-merge-key":"name",
                "x-kubernetes-patch-strategy":"merge,retainKeys"},
            "hosts":{"items":{},"x-kubernetes-patch-strategy":"merge","x-kubernetes-list-map-keys":["ip"]},
            "ports":{"items":{},"x-kubernetes-patch-strategy":"merge","x-kubernetes-list-map-keys":["port","protocol"]},
            "claims":{"items":{},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]},
            "numbers":{"x-kubernetes-patch-strategy":7},
            "keys":{"x-kubernetes-patch-strategy":"merge","x-kubernetes-list-map-keys":"name"},
            "both":{"x-kubernetes-patch-strategy":"merge,replace"}}},
        "v1.Container":{"properties":{"image":{"type":"string"},"args":{"type":"array","items":{"type":"string"}}}},
        "circle.a":{"$ref":"#/components/schemas/circle.b"},
        "circle.b":{"allOf":[{"$ref":"#/components/schemas/circle.a"}]}
    }}}"##;

    /// The strategy and merge key of a list in the pod's spec, or the error.
    fn list(name: &str) -> Result<(MergeKind, bool, Option<String>), SchemaError> {
        let document: Value = DOCUMENT.parse().unwrap();
        let field = OpenApiSchema::named(&document, "v1.PodSpec").unwrap().list_field(name)?;
        Ok((field.strategy.kind, field.strategy.retain_keys, field.merge_key))
    }

    #[test]
    fn a_schema_is_found_by_name_and_by_kind() {
        let document: Value = DOCUMENT.parse().unwrap();
        let core: GroupVersion = "v1".parse().unwrap();
        assert!(OpenApiSchema::of_kind(&document, &core, "Pod").unwrap().object_field("spec").is_ok());
        assert!(OpenApiSchema::of_kind(&document, &core, "Node").is_none());
        assert!(OpenApiSchema::of_kind(&document, &"apps/v1".parse().unwrap(), "Pod").is_none());
        assert!(OpenApiSchema::named(&document, "v1.Node").is_none());
        assert!(OpenApiSchema::named(&Value::object(), "v1.Pod").is_none());
    }

    #[test]
    fn fields_are_followed_through_references() {
        let document: Value = DOCUMENT.parse().unwrap();
        let pod = OpenApiSchema::named(&document, "v1.Pod").unwrap();
        let containers = pod.object_field("spec").unwrap().schema.list_field("containers").unwrap();
        assert_eq!(containers.schema.list_field("args").unwrap().strategy, PatchStrategy::default());
        let unknown = containers.schema.object_field("missing").unwrap_err();
        assert_eq!(unknown.to_string(), "unable to find api field \"missing\"");
        for (field, reference) in [("lost", "#/components/schemas/nowhere"), ("far", "https://example.com/schema")] {
            assert_eq!(pod.object_field(field).unwrap_err(), SchemaError::Unresolved(reference.to_owned()));
        }
        assert!(matches!(pod.object_field("self"), Err(SchemaError::Unresolved(_))));
    }

    #[test]
    fn a_list_is_merged_only_where_its_patch_strategy_says_so() {
        let merging = |key: &str| Ok((MergeKind::Merge, false, Some(key.to_owned())));
        assert_eq!(list("containers"), merging("name"));
        assert_eq!(list("volumes"), Ok((MergeKind::Merge, true, Some("name".to_owned()))));
        assert_eq!(list("hosts"), merging("ip"));
        assert_eq!(list("ports"), Ok((MergeKind::Merge, false, None)));
        assert_eq!(list("claims"), Ok((MergeKind::ByType, false, None)));
    }

    #[test]
    fn extensions_of_a_wrong_type_are_refused() {
        assert_eq!(list("numbers").unwrap_err().to_string(), "\"x-kubernetes-patch-strategy\" is a number, expected a string");
        assert!(matches!(list("keys"), Err(SchemaError::BadExtension { extension: LIST_KEYS, .. })));
        assert!(matches!(list("both"), Err(SchemaError::UnknownStrategy(_))));
    }
}
