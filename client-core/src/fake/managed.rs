//! Who set which fields: `metadata.managedFields`, kept as the server keeps it (apimachinery `util/managedfields`,
//! structured-merge-diff `merge/update.go`).

use super::{
    ownership::{compare, fields_of, merged, with_named_parents, without},
    shape::Shape,
};
use crate::{
    json::{Map, Value},
    meta::{Cause, Status},
    patch::{FieldSet, ManagedFieldsOperation, PathElement},
};

/// Who writes, and to what.
#[derive(Clone, Copy)]
pub(super) struct Writer<'w> {
    pub(super) manager: &'w str,
    pub(super) api_version: &'w str,
    pub(super) subresource: &'w str,
    pub(super) now: &'w str,
    pub(super) shape: Shape<'w>,
    /// Whether objects of the resource always have a `spec` and a `status`, as those of the server's own types do.
    pub(super) typed: bool,
    /// Whether `status` is written on its own.
    pub(super) has_status: bool,
}

#[derive(Clone, Debug)]
struct Entry {
    manager: String,
    operation: String,
    api_version: String,
    subresource: String,
    time: String,
    set: FieldSet,
}

impl Entry {
    fn is_of(&self, writer: &Writer<'_>, operation: ManagedFieldsOperation) -> bool {
        self.manager == writer.manager
            && self.operation == operation.as_str()
            && self.subresource == writer.subresource
            && (operation == ManagedFieldsOperation::Apply || self.api_version == writer.api_version)
    }

    fn new(writer: &Writer<'_>, operation: ManagedFieldsOperation, set: FieldSet) -> Self {
        Self {
            manager: writer.manager.to_owned(),
            operation: operation.as_str().to_owned(),
            api_version: writer.api_version.to_owned(),
            subresource: writer.subresource.to_owned(),
            time: writer.now.to_owned(),
            set,
        }
    }

    /// How a conflict names it.
    fn words(&self) -> String {
        let mut words = format!("{:?}", self.manager);
        if !self.subresource.is_empty() {
            words = format!("{words} with subresource {:?}", self.subresource);
        }
        if self.operation == ManagedFieldsOperation::Update.as_str() {
            words = format!("{words} using {}", self.api_version);
        }
        words
    }
}

fn read(object: &Value) -> Vec<Entry> {
    let entries = object.nested(&["metadata", "managedFields"]).ok().flatten().and_then(Value::as_array);
    let text = |entry: &Value, name: &str| entry.field(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let read = |entry: &Value| {
        let set = FieldSet::read(entry.field("fieldsV1")?).ok()?;
        Some(Entry {
            manager: text(entry, "manager"),
            operation: text(entry, "operation"),
            api_version: text(entry, "apiVersion"),
            subresource: text(entry, "subresource"),
            time: text(entry, "time"),
            set,
        })
    };
    entries.into_iter().flatten().filter_map(read).collect()
}

/// Writes the entries into an object, those without fields left out.
fn write(object: &mut Value, mut entries: Vec<Entry>) {
    entries.retain(|entry| !entry.set.is_empty());
    entries.sort_by(|left, right| {
        let key = |entry: &Entry| {
            (
                entry.operation.clone(),
                entry.time.clone(),
                entry.manager.clone(),
                entry.api_version.clone(),
                entry.subresource.clone(),
            )
        };
        key(left).cmp(&key(right))
    });
    let written: Vec<Value> = entries
        .into_iter()
        .map(|entry| {
            let mut fields = Map::new();
            let texts = [
                ("manager", entry.manager),
                ("operation", entry.operation),
                ("apiVersion", entry.api_version),
                ("time", entry.time),
                ("fieldsType", "FieldsV1".to_owned()),
                ("subresource", entry.subresource),
            ];
            for (name, text) in texts {
                if !text.is_empty() {
                    fields.insert(name.to_owned(), text.into());
                }
            }
            fields.insert("fieldsV1".to_owned(), entry.set.to_value());
            Value::Object(fields)
        })
        .collect();
    if written.is_empty() {
        object.remove_nested(&["metadata", "managedFields"]);
    } else if let Some(meta) = object.as_object_mut().and_then(|fields| fields.get_mut("metadata")).and_then(Value::as_object_mut)
    {
        meta.insert("managedFields".to_owned(), Value::Array(written));
    }
}

/// The metadata that nobody owns (`stripMeta`).
const UNOWNED: [&str; 9] = [
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
];

/// The object as far as its fields are owned.
fn owned_part(object: &Value, writer: &Writer<'_>, complete: bool) -> Value {
    let mut part = object.clone();
    if let Some(fields) = part.as_object_mut() {
        fields.remove("apiVersion");
        fields.remove("kind");
        if complete {
            fields.entry("metadata".to_owned()).or_insert_with(Value::object);
            if writer.typed {
                for name in ["spec", "status"] {
                    fields.entry(name.to_owned()).or_insert_with(Value::object);
                }
            }
        }
        if let Some(meta) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
            for name in UNOWNED {
                meta.remove(name);
            }
            if meta.is_empty() && !complete {
                fields.remove("metadata");
            }
        }
    }
    part
}

/// The fields of `set` that a writer can own: of the status, or of the rest.
fn ownable(set: &FieldSet, writer: &Writer<'_>) -> FieldSet {
    let mut kept = FieldSet::default();
    for (element, member, below) in set.entries() {
        let name = element.to_string();
        let own = match (writer.has_status, writer.subresource) {
            (true, "status") => name == "f:status",
            (true, _) => name != "f:status",
            (false, _) => true,
        };
        if !own {
            continue;
        }
        if member && name != "f:metadata" {
            kept.insert([element.clone()]);
        }
        add_all(below, &mut vec![element.clone()], &mut kept);
    }
    kept
}

fn add_all(set: &FieldSet, path: &mut Vec<PathElement>, kept: &mut FieldSet) {
    for (element, member, below) in set.entries() {
        path.push(element.clone());
        if member {
            kept.insert(path.clone());
        }
        add_all(below, path, kept);
        path.pop();
    }
}

/// Writes into `new` who owns what after an update from `live`: what was changed belongs to the writer (`Update`).
pub(super) fn track_update(live: &Value, new: &mut Value, writer: &Writer<'_>) {
    let named = read(new);
    let mut entries = if named.is_empty() { read(live) } else { named };
    // Of an object whose fields nobody owns nobody comes to own them before it is applied (`skipnonapplied.go`).
    if entries.is_empty() && live.as_object().is_some_and(|fields| !fields.is_empty()) {
        return write(new, entries);
    }
    let comparison = compare(&owned_part(live, writer, true), &owned_part(new, writer, true), writer.shape);
    let changed = ownable(&comparison.modified.union(&comparison.added), writer);
    for entry in &mut entries {
        entry.set = entry.set.difference(&changed).difference(&comparison.removed);
    }
    let taken = changed;
    if !taken.is_empty() {
        match entries.iter_mut().find(|entry| entry.is_of(writer, ManagedFieldsOperation::Update)) {
            Some(entry) => {
                entry.set = entry.set.union(&taken);
                writer.now.clone_into(&mut entry.time);
            }
            None => entries.push(Entry::new(writer, ManagedFieldsOperation::Update, taken)),
        }
    }
    write(new, entries);
}

/// `live` with `config` applied to it, and who owns what then (`Apply`).
///
/// # Errors
/// A conflict, where others own fields that would change and `force` is not set.
pub(super) fn apply(live: &Value, config: &Value, writer: &Writer<'_>, force: bool) -> Result<Value, Status> {
    let mut entries = read(live);
    if entries.is_empty() {
        let empty = owned_part(&Value::object(), writer, true);
        let owned = ownable(&compare(&empty, &owned_part(live, writer, true), writer.shape).added, writer);
        let before = Writer { manager: "before-first-apply", ..*writer };
        entries.push(Entry::new(&before, ManagedFieldsOperation::Update, owned));
    }
    let set = ownable(&fields_of(&owned_part(config, writer, false), writer.shape), writer);
    let mut new = merged(live, config, writer.shape, true);
    let mine = entries.iter().position(|entry| entry.is_of(writer, ManagedFieldsOperation::Apply));
    let last = mine.map(|at| entries.remove(at));
    if let Some(last) = &last {
        // All that the configuration has stays, its name too, which nobody owns.
        new = pruned(&new, &last.set, &fields_of(config, writer.shape), &entries, writer);
    }
    let comparison = compare(&owned_part(live, writer, true), &owned_part(&new, writer, true), writer.shape);
    let changed = ownable(&comparison.modified.union(&comparison.added), writer);
    let removed = ownable(&comparison.removed, writer);
    let conflicts: Vec<(&Entry, FieldSet)> = entries
        .iter()
        .map(|entry| (entry, entry.set.intersection(&changed)))
        .filter(|(_, conflict)| !conflict.is_empty())
        .collect();
    if !force && !conflicts.is_empty() {
        return Err(refused(&conflicts));
    }
    for entry in &mut entries {
        entry.set = entry.set.difference(&changed).difference(&removed);
    }
    let mut entry = Entry::new(writer, ManagedFieldsOperation::Apply, set);
    if unmanaged(live) == unmanaged(&new) {
        // An apply that changes no value leaves its time as it was; a new one has none then.
        entry.time = last.map(|last| last.time).unwrap_or_default();
    }
    entries.push(entry);
    write(&mut new, entries);
    Ok(new)
}

/// The object without the word of who owns what. A list in another order is another list, though its fields are the same.
fn unmanaged(object: &Value) -> Value {
    let mut object = object.clone();
    object.remove_nested(&["metadata", "managedFields"]);
    object
}

/// The merged object without what the manager applied last time, is not in the `set` of now, and nobody else owns (`prune`).
fn pruned(merged: &Value, last: &FieldSet, set: &FieldSet, others: &[Entry], writer: &Writer<'_>) -> Value {
    let shape = writer.shape;
    let whole = |value: &Value| with_named_parents(&fields_of(value, shape), shape);
    let cut = |value: &Value, set: &FieldSet| without(value, set, shape, true).unwrap_or_else(Value::object);
    let last = with_named_parents(last, shape);
    let managed = others.iter().fold(set.clone(), |all, entry| all.union(&entry.set));
    let all = whole(merged);
    let first = cut(merged, &last);
    let kept = whole(&first).union(&with_named_parents(&managed, shape));
    let second = cut(merged, &all.difference(&kept));
    cut(merged, &all.difference(&whole(&second)).intersection(&last))
}

fn refused(conflicts: &[(&Entry, FieldSet)]) -> Status {
    let mut causes = Vec::new();
    let mut words = Vec::new();
    let mut sorted: Vec<_> = conflicts.iter().collect();
    sorted.sort_by_key(|(entry, _)| entry.manager.clone());
    for (entry, set) in sorted {
        words.push(format!("conflicts with {}:", entry.words()));
        let mut paths = Vec::new();
        path_texts(set, "", &mut paths);
        for field in paths {
            words.push(format!("- {field}"));
            let message = format!("conflict with {}", entry.words());
            causes.push(Cause { reason: "FieldManagerConflict".to_owned(), message, field });
        }
    }
    let message = match causes.as_slice() {
        [only] => format!("Apply failed with 1 conflict: {}: {}", only.message, only.field),
        several => format!("Apply failed with {} conflicts: {}", several.len(), words.join("\n")),
    };
    Status::apply_conflict(causes, message)
}

/// Paths as a conflict names them: `.spec.ports[port=80,protocol="TCP"].name`.
fn path_texts(set: &FieldSet, prefix: &str, paths: &mut Vec<String>) {
    let mut inner = Vec::new();
    for (element, member, below) in set.entries() {
        let text = element.to_string();
        let step = match text.split_once(':') {
            Some(("f", name)) => format!(".{name}"),
            Some(("v", value)) => format!("[={value}]"),
            Some(("k", fields)) => {
                let fields: Option<Map> = fields.parse::<Value>().ok().and_then(|fields| fields.as_object().cloned());
                let pairs = fields.into_iter().flatten().map(|(name, value)| format!("{name}={value}"));
                format!("[{}]", pairs.collect::<Vec<_>>().join(","))
            }
            Some((_, index)) => format!("[{index}]"),
            None => text,
        };
        let path = format!("{prefix}{step}");
        if member {
            paths.push(path.clone());
        }
        inner.push((path, below));
    }
    // As Go's sets are walked: all members of a level before what is below them.
    for (path, below) in inner {
        path_texts(below, &path, paths);
    }
}
