//! What the server says of itself: its version, its groups and their resources (apiserver `endpoints/discovery`).

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::{resource::ResourceDefinition, state::object};
use crate::{
    json::{Map, Value},
    meta::GroupVersion,
};

/// The version that the server says it is of.
pub(super) fn version() -> Value {
    object([
        ("major", "1".into()),
        ("minor", "36".into()),
        ("gitVersion", "v1.36.3".into()),
        ("gitCommit", "fake".into()),
        ("gitTreeState", "clean".into()),
        ("buildDate", "1970-01-01T00:00:00Z".into()),
        ("goVersion", "none".into()),
        ("compiler", "rustc".into()),
        ("platform", "fake/fake".into()),
    ])
}

/// The groups in the order they were registered, each with its versions.
fn groups(definitions: &[ResourceDefinition], core: bool) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for GroupVersion { group, version } in definitions.iter().map(|definition| &definition.group_version) {
        if group.is_empty() != core {
            continue;
        }
        match groups.iter_mut().find(|(name, _)| name == group) {
            Some((_, versions)) if versions.contains(version) => {}
            Some((_, versions)) => versions.push(version.clone()),
            None => groups.push((group.clone(), vec![version.clone()])),
        }
    }
    groups
}

/// `/api` of a client that knows no aggregated discovery.
pub(super) fn core_versions(definitions: &[ResourceDefinition]) -> Value {
    let versions: Vec<String> = groups(definitions, true).into_iter().flat_map(|(_, versions)| versions).collect();
    object([("kind", "APIVersions".into()), ("apiVersion", "v1".into()), ("versions", versions.into())])
}

/// `/apis` of a client that knows no aggregated discovery.
pub(super) fn group_list(definitions: &[ResourceDefinition]) -> Value {
    let groups: Vec<Value> = groups(definitions, false).iter().map(|(name, versions)| group_value(name, versions)).collect();
    object([("kind", "APIGroupList".into()), ("apiVersion", "v1".into()), ("groups", Value::Array(groups))])
}

/// `/apis/<group>`.
pub(super) fn group(definitions: &[ResourceDefinition], name: &str) -> Option<Value> {
    let (name, versions) = groups(definitions, false).into_iter().find(|(group, _)| group == name)?;
    let mut found = group_value(&name, &versions);
    if let Some(fields) = found.as_object_mut() {
        fields.insert("kind".to_owned(), "APIGroup".into());
        fields.insert("apiVersion".to_owned(), "v1".into());
    }
    Some(found)
}

fn group_value(name: &str, versions: &[String]) -> Value {
    let version =
        |version: &String| object([("groupVersion", format!("{name}/{version}").into()), ("version", version.as_str().into())]);
    let preferred = versions.first().map_or(Value::Null, version);
    object([
        ("name", name.into()),
        ("versions", Value::Array(versions.iter().map(version).collect())),
        ("preferredVersion", preferred),
    ])
}

/// `/api/<version>` and `/apis/<group>/<version>`.
pub(super) fn resource_list(definitions: &[ResourceDefinition], wanted: &GroupVersion) -> Option<Value> {
    let mut resources = Vec::new();
    for definition in definitions.iter().filter(|definition| definition.group_version == *wanted) {
        let mut fields = described(definition);
        fields.insert("name".to_owned(), definition.plural.as_str().into());
        fields.insert("singularName".to_owned(), definition.singular.as_str().into());
        fields.insert("namespaced".to_owned(), definition.namespaced.into());
        fields.insert("kind".to_owned(), definition.kind.as_str().into());
        resources.push(Value::Object(fields));
        for (name, kind, group_version) in subresources(definition) {
            let mut fields = Map::new();
            fields.insert("name".to_owned(), format!("{}/{name}", definition.plural).into());
            fields.insert("singularName".to_owned(), "".into());
            fields.insert("namespaced".to_owned(), definition.namespaced.into());
            fields.insert("kind".to_owned(), kind.into());
            fields.insert("verbs".to_owned(), vec!["get", "patch", "update"].into());
            if let Some(GroupVersion { group, version }) = group_version {
                fields.insert("group".to_owned(), group.into());
                fields.insert("version".to_owned(), version.into());
            }
            resources.push(Value::Object(fields));
        }
    }
    (!resources.is_empty()).then(|| {
        object([
            ("kind", "APIResourceList".into()),
            ("apiVersion", "v1".into()),
            ("groupVersion", wanted.to_string().into()),
            ("resources", Value::Array(resources)),
        ])
    })
}

/// What both forms say alike.
fn described(definition: &ResourceDefinition) -> Map {
    let mut fields = Map::new();
    fields.insert("verbs".to_owned(), definition.verbs.clone().into());
    if !definition.short_names.is_empty() {
        fields.insert("shortNames".to_owned(), definition.short_names.clone().into());
    }
    if !definition.categories.is_empty() {
        fields.insert("categories".to_owned(), definition.categories.clone().into());
    }
    fields
}

/// The subresources with their kinds, and the group and version of the kind where it is of another.
fn subresources(definition: &ResourceDefinition) -> Vec<(&'static str, &str, Option<GroupVersion>)> {
    let status = definition.has_status.then_some(("status", definition.kind.as_str(), None));
    let scale = definition.has_scale.then(|| ("scale", "Scale", Some(GroupVersion::new("autoscaling", "v1"))));
    status.into_iter().chain(scale).collect()
}

/// `/api` and `/apis` with all resources in one answer.
pub(super) fn aggregated(definitions: &[ResourceDefinition], core: bool, version: &str) -> Value {
    let items = groups(definitions, core).into_iter().map(|(name, versions)| {
        let versions = versions.iter().map(|version| {
            let of_version = |definition: &&ResourceDefinition| {
                definition.group_version.group == name && definition.group_version.version == *version
            };
            object([
                ("version", version.as_str().into()),
                ("resources", Value::Array(definitions.iter().filter(of_version).map(aggregated_resource).collect())),
                ("freshness", "Current".into()),
            ])
        });
        let versions = versions.collect();
        let meta = if core { Value::object() } else { object([("name", name.into())]) };
        object([("metadata", meta), ("versions", Value::Array(versions))])
    });
    object([
        ("kind", "APIGroupDiscoveryList".into()),
        ("apiVersion", format!("apidiscovery.k8s.io/{version}").into()),
        ("metadata", Value::object()),
        ("items", Value::Array(items.collect())),
    ])
}

fn aggregated_resource(definition: &ResourceDefinition) -> Value {
    let kind = |kind: &str, group_version: GroupVersion| {
        object([("group", group_version.group.into()), ("version", group_version.version.into()), ("kind", kind.into())])
    };
    let own = || definition.group_version.clone();
    let mut fields = described(definition);
    fields.insert("resource".to_owned(), definition.plural.as_str().into());
    fields.insert("responseKind".to_owned(), kind(&definition.kind, own()));
    fields.insert("scope".to_owned(), if definition.namespaced { "Namespaced" } else { "Cluster" }.into());
    fields.insert("singularResource".to_owned(), definition.singular.as_str().into());
    let subresources: Vec<Value> = subresources(definition)
        .into_iter()
        .map(|(name, sub_kind, group_version)| {
            object([
                ("subresource", name.into()),
                ("responseKind", kind(sub_kind, group_version.unwrap_or_else(own))),
                ("verbs", vec!["get", "patch", "update"].into()),
            ])
        })
        .collect();
    if !subresources.is_empty() {
        fields.insert("subresources".to_owned(), Value::Array(subresources));
    }
    Value::Object(fields)
}

/// The tag of an answer, which changes with what it says.
pub(super) fn etag(answer: &Value) -> String {
    let digest = Sha256::digest(answer.to_string().as_bytes());
    let hex = digest.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02X}"));
    format!("\"{hex}\"")
}

/// `/openapi/v3`: where the schemas would be. The fake server has none to give.
pub(super) fn openapi_index() -> Value {
    object([("paths", Value::Object(BTreeMap::new()))])
}
