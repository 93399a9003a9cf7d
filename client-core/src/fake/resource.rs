//! What the fake server knows of a resource.

use crate::{
    json::Value,
    meta::{GroupKind, GroupResource, GroupVersion, GroupVersionResource},
};

/// A resource of a [`FakeApiServer`](super::FakeApiServer): what discovery says of it and how its objects behave.
///
/// ```
/// use porthole_client_core::fake::{Column, ResourceDefinition};
///
/// let widgets = ResourceDefinition::custom("example.com", "v1", "widgets", "Widget")
///     .with_status()
///     .with_short_names(["wd"])
///     .with_column(Column::new("Size", "integer", ".spec.size"));
/// assert_eq!(widgets.singular, "widget");
/// assert!(widgets.namespaced);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that a resource has or has not, as discovery lists them")]
pub struct ResourceDefinition {
    /// Group and version.
    pub group_version: GroupVersion,
    /// The name in paths, such as `pods`.
    pub plural: String,
    /// The name of one, such as `pod`.
    pub singular: String,
    /// The kind of the objects, such as `Pod`.
    pub kind: String,
    /// Other names that people type.
    pub short_names: Vec<String>,
    /// The groups of resources this is in, such as `all`.
    pub categories: Vec<String>,
    /// Whether objects stand in namespaces.
    pub namespaced: bool,
    /// What can be done with it, as discovery lists it; another verb is answered with 405.
    pub verbs: Vec<String>,
    /// Whether `status` is written on its own. Writes of the object then leave it alone.
    pub has_status: bool,
    /// Whether there is a `scale`.
    pub has_scale: bool,
    /// Whether `metadata.generation` counts the changes of everything but `metadata` and `status`.
    pub has_generation: bool,
    /// The columns of a table, after the name; without any there is the age.
    pub columns: Vec<Column>,
    /// Fields that field selectors may ask for beside the name and the namespace, such as `spec.nodeName`.
    pub selectable_fields: Vec<String>,
    /// The `OpenAPI` schema of an object: what it does not describe is dropped, and its list types count when an object is
    /// applied.
    pub schema: Option<Value>,
    /// The fields of an object beside `metadata`, where there is no schema: others are dropped. Empty: all are kept.
    pub fields: Vec<String>,
    /// Whether this is a resource as custom resource definitions make them: no strategic merge patches, no update without a
    /// version, items of lists with their kind.
    pub custom: bool,
    /// How long an object that runs on a node stays after it was deleted; pods have this.
    pub grace_period: Option<u32>,
    /// Whether lists and watches are served from a cache, as those of all resources but events are. Without one, a list is
    /// always of the last version, its limit counts whatever version is asked for, and a watch says nothing of how far it is.
    pub watch_cache: bool,
    /// Whether the answer to a deletion is the object and no `Status`.
    pub returns_deleted: bool,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// The type: `string`, `integer`, `boolean`, `date`.
    pub kind: String,
    /// Where the value is: `.spec.size`. At the end, `|length` counts the fields or items that are there. A `date` is written as
    /// an age.
    pub path: String,
    /// 0 for a column that is always shown.
    pub priority: i32,
}

impl Column {
    /// A column that is always shown.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: impl Into<String>, path: impl Into<String>) -> Self {
        Self { name: name.into(), kind: kind.into(), path: path.into(), priority: 0 }
    }

    /// The same, shown only where there is room.
    #[must_use]
    pub const fn wide(mut self) -> Self {
        self.priority = 1;
        self
    }
}

const VERBS: [&str; 8] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

impl ResourceDefinition {
    /// A resource in namespaces, with every verb, as the server's own are.
    #[must_use]
    pub fn built_in(group: &str, version: &str, plural: &str, kind: &str) -> Self {
        Self {
            group_version: GroupVersion::new(group, version),
            plural: plural.to_owned(),
            singular: kind.to_ascii_lowercase(),
            kind: kind.to_owned(),
            short_names: Vec::new(),
            categories: Vec::new(),
            namespaced: true,
            verbs: VERBS.map(str::to_owned).to_vec(),
            has_status: false,
            has_scale: false,
            has_generation: false,
            columns: Vec::new(),
            selectable_fields: Vec::new(),
            schema: None,
            fields: Vec::new(),
            custom: false,
            grace_period: None,
            watch_cache: true,
            returns_deleted: false,
        }
    }

    /// A resource in namespaces, with every verb, as a custom resource definition makes it.
    #[must_use]
    pub fn custom(group: &str, version: &str, plural: &str, kind: &str) -> Self {
        Self { custom: true, has_generation: true, ..Self::built_in(group, version, plural, kind) }
    }

    /// The same outside of namespaces.
    #[must_use]
    pub const fn cluster_wide(mut self) -> Self {
        self.namespaced = false;
        self
    }

    /// The same with a `status` that is written on its own.
    #[must_use]
    pub const fn with_status(mut self) -> Self {
        self.has_status = true;
        self
    }

    /// The same with a `scale`, whose replicas are `spec.replicas`.
    #[must_use]
    pub const fn with_scale(mut self) -> Self {
        self.has_scale = true;
        self
    }

    /// The same with a counted generation.
    #[must_use]
    pub const fn with_generation(mut self) -> Self {
        self.has_generation = true;
        self
    }

    /// The same with these verbs alone.
    #[must_use]
    pub fn with_verbs<'a>(mut self, verbs: impl IntoIterator<Item = &'a str>) -> Self {
        self.verbs = owned(verbs);
        self
    }

    /// The same with these short names.
    #[must_use]
    pub fn with_short_names<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.short_names = owned(names);
        self
    }

    /// The same in these categories.
    #[must_use]
    pub fn with_categories<'a>(mut self, categories: impl IntoIterator<Item = &'a str>) -> Self {
        self.categories = owned(categories);
        self
    }

    /// The same with one more column.
    #[must_use]
    pub fn with_column(mut self, column: Column) -> Self {
        self.columns.push(column);
        self
    }

    /// The same with fields that field selectors may ask for.
    #[must_use]
    pub fn with_selectable_fields<'a>(mut self, fields: impl IntoIterator<Item = &'a str>) -> Self {
        self.selectable_fields = owned(fields);
        self
    }

    /// The same with these fields beside `metadata`.
    #[must_use]
    pub fn with_fields<'a>(mut self, fields: impl IntoIterator<Item = &'a str>) -> Self {
        self.fields = owned(fields);
        self
    }

    /// The same with an `OpenAPI` schema, as custom resource definitions have it.
    #[must_use]
    pub fn with_schema(mut self, schema: Value) -> Self {
        self.schema = Some(schema);
        self
    }

    /// The same, whose objects stay for so many seconds after they were deleted, where they run on a node.
    #[must_use]
    pub const fn with_grace_period(mut self, seconds: u32) -> Self {
        self.grace_period = Some(seconds);
        self
    }

    /// The same, whose lists and watches come from the storage itself.
    #[must_use]
    pub const fn without_watch_cache(mut self) -> Self {
        self.watch_cache = false;
        self
    }

    /// The same, whose deletions are answered with the object.
    #[must_use]
    pub const fn returning_deleted(mut self) -> Self {
        self.returns_deleted = true;
        self
    }

    /// The resource with its version.
    #[must_use]
    pub fn resource(&self) -> GroupVersionResource {
        self.group_version.with_resource(self.plural.clone())
    }

    pub(super) fn group_resource(&self) -> GroupResource {
        GroupResource { group: self.group_version.group.clone(), resource: self.plural.clone() }
    }

    pub(super) fn group_kind(&self) -> GroupKind {
        GroupKind { group: self.group_version.group.clone(), kind: self.kind.clone() }
    }

    /// What a refused update names: custom resources have their plural where others have their kind.
    pub(super) fn invalid_kind(&self, of_resource: bool) -> GroupKind {
        if self.custom && of_resource { GroupKind { kind: self.plural.clone(), ..self.group_kind() } } else { self.group_kind() }
    }

    pub(super) fn has_verb(&self, verb: &str) -> bool {
        self.verbs.iter().any(|own| own == verb)
    }
}

fn owned<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    texts.into_iter().map(str::to_owned).collect()
}
