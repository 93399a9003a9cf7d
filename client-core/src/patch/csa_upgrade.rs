//! From client-side to server-side apply (client-go `util/csaupgrade`): what a client owned by updates, its applies own.
//!
//! Guarantees: entries that are not concerned, and whatever else stands in an entry, stay as they are; where there is
//! nothing to do nothing is written.

use super::{FieldSet, JsonPatch, ManagedFieldsOperation, Operation, PatchError};
use crate::json::Value;

/// The entries of `managedFields` with this operation that own all of `fields`. An entry whose fields cannot be read
/// owns nothing (`FindFieldsOwners`).
#[must_use]
pub fn find_owners<'v>(managed_fields: &'v [Value], operation: ManagedFieldsOperation, fields: &FieldSet) -> Vec<&'v Value> {
    let owns = |entry: &&Value| {
        text(entry, "operation") == operation.as_str() && fields_of(entry).is_ok_and(|owned| fields.difference(&owned).is_empty())
    };
    managed_fields.iter().filter(owns).collect()
}

/// Whose updates become whose applies. The information which fields the client owned by updates is lost with it.
///
/// ```
/// use porthole_client_core::{json::Value, patch::CsaUpgrade};
///
/// let mut object: Value = r#"{"metadata":{"managedFields":[
///     {"manager":"kubectl-client-side-apply","operation":"Update","fieldsV1":{"f:data":{"f:key":{}}}}]}}"#.parse()?;
/// let upgrade =
///     CsaUpgrade { csa_managers: &["kubectl-client-side-apply"], ssa_manager: "kubectl", subresource: None };
/// upgrade.apply(&mut object)?;
/// let entry = r#"{"fieldsV1":{"f:data":{"f:key":{}}},"manager":"kubectl","operation":"Apply"}"#;
/// assert!(object.to_string().contains(entry));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CsaUpgrade<'a> {
    /// The field managers of the updates, such as `kubectl-client-side-apply`.
    pub csa_managers: &'a [&'a str],
    /// The field manager of the applies.
    pub ssa_manager: &'a str,
    /// The subresource whose entries are meant, such as `status`; `None` for the object itself.
    pub subresource: Option<&'a str>,
}

impl CsaUpgrade<'_> {
    /// Does it in an object, which then must be sent whole (`UpgradeManagedFields`).
    ///
    /// For each manager of updates: its fields in the version of the apply entry are added to that entry; where there is
    /// no apply entry its newest entry becomes one. All its other entries go.
    ///
    /// # Errors
    /// [`PatchError::ManagedFields`] where the fields of an entry cannot be read; the object is as it was.
    pub fn apply(&self, object: &mut Value) -> Result<(), PatchError> {
        let Some(entries) = self.upgraded(object)? else { return Ok(()) };
        if let Some(metadata) = object.as_object_mut().and_then(|object| object.get_mut("metadata")) {
            set(metadata, "managedFields", Value::Array(entries));
        }
        Ok(())
    }

    /// The patch that does it; `None` where there is nothing to do (`UpgradeManagedFieldsPatch`).
    ///
    /// It also replaces the resource version by itself, so that the server answers 409 where the object has changed. Not
    /// a `test`, whose failure is an invalid request.
    ///
    /// # Errors
    /// [`PatchError::ManagedFields`] where the fields of an entry cannot be read.
    pub fn patch(&self, object: &Value) -> Result<Option<JsonPatch>, PatchError> {
        let Some(entries) = self.upgraded(object)? else { return Ok(None) };
        let version = metadata(object, "resourceVersion").and_then(Value::as_str).unwrap_or_default();
        let replace = |field, value| Operation::Replace { path: ["metadata", field].into_iter().collect(), value };
        Ok(Some(JsonPatch(vec![
            replace("managedFields", Value::Array(entries)),
            replace("resourceVersion", Value::from(version)),
        ])))
    }

    /// The new entries; `None` where they are the old ones.
    fn upgraded(&self, object: &Value) -> Result<Option<Vec<Value>>, PatchError> {
        let Some(before) = metadata(object, "managedFields").and_then(Value::as_array) else { return Ok(None) };
        let mut entries = before.clone();
        for manager in self.csa_managers {
            self.upgrade(&mut entries, manager)?;
        }
        Ok((entries != *before).then_some(entries))
    }

    fn upgrade(&self, entries: &mut Vec<Value>, csa_manager: &str) -> Result<(), PatchError> {
        let is_csa = |entry: &Value| self.is(entry, csa_manager, ManagedFieldsOperation::Update);
        let ssa = entries.iter().position(|entry| self.is(entry, self.ssa_manager, ManagedFieldsOperation::Apply));
        // The newest entry comes first.
        let Some(index) = ssa.or_else(|| entries.iter().position(is_csa)) else { return Ok(()) };
        let mut target = entries.get(index).cloned().unwrap_or_default();
        if ssa.is_none() {
            set(&mut target, "manager", self.ssa_manager.into());
            set(&mut target, "operation", ManagedFieldsOperation::Apply.as_str().into());
        }
        let version = text(&target, "apiVersion").to_owned();
        let others = entries.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, entry)| entry);
        let mut csa = others.filter(|entry| is_csa(entry) && text(entry, "apiVersion") == version);
        if let Some(csa) = csa.next() {
            let union = fields_of(&target)?.union(&fields_of(csa)?);
            set(&mut target, "fieldsV1", union.to_value());
        }
        if let Some(entry) = entries.get_mut(index) {
            *entry = target;
        }
        entries.retain(|entry| !is_csa(entry));
        Ok(())
    }

    /// Whether the entry is that of this manager and operation, and of the subresource meant.
    fn is(&self, entry: &Value, manager: &str, operation: ManagedFieldsOperation) -> bool {
        text(entry, "manager") == manager
            && text(entry, "operation") == operation.as_str()
            && text(entry, "subresource") == self.subresource.unwrap_or_default()
    }
}

fn metadata<'v>(object: &'v Value, name: &str) -> Option<&'v Value> {
    object.field("metadata")?.field(name)
}

/// A text of an entry; one that is missing is empty.
fn text<'v>(entry: &'v Value, name: &str) -> &'v str {
    entry.field(name).and_then(Value::as_str).unwrap_or_default()
}

/// The fields of an entry.
fn fields_of(entry: &Value) -> Result<FieldSet, PatchError> {
    FieldSet::read(entry.field("fieldsV1").unwrap_or(&Value::Null))
}

/// Sets a field of an object.
fn set(entry: &mut Value, name: &str, value: Value) {
    if let Some(fields) = entry.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Map;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
    const DATA: &str = r#"{"f:data":{".":{},"f:key":{},"f:old":{}}}"#;

    /// An entry of `managedFields`.
    fn entry(manager: &str, operation: &str, version: &str, fields: &str) -> Value {
        let texts = [("manager", manager), ("operation", operation), ("apiVersion", version), ("fieldsType", "FieldsV1")];
        let mut entry: Map = texts.into_iter().map(|(name, text)| (name.to_owned(), Value::from(text))).collect();
        entry.insert("fieldsV1".to_owned(), fields.parse().unwrap());
        entry.insert("time".to_owned(), Value::from(format!("when {manager} wrote")));
        entry.into()
    }

    fn object(entries: Vec<Value>) -> Value {
        let mut object: Value =
            r#"{"kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"7"},"data":{"n":1e3}}"#.parse().unwrap();
        object.set_nested(&["metadata", "managedFields"], Value::Array(entries)).unwrap();
        object
    }

    /// The upgrade makes `after` of `before`, as a change and as a patch.
    fn holds(what: &str, upgrade: &CsaUpgrade<'_>, before: Vec<Value>, after: Vec<Value>) {
        let unchanged = before == after;
        let (mut object, after) = (object(before), object(after));
        let patch = upgrade.patch(&object).unwrap();
        let mut patched = object.clone();
        upgrade.apply(&mut object).unwrap();
        assert_eq!(object.to_string(), after.to_string(), "{what}");
        assert_eq!(patch.is_none(), unchanged, "{what}");
        if let Some(patch) = patch {
            patch.apply(&mut patched).unwrap();
            assert_eq!(patched.to_string(), after.to_string(), "{what}");
            let guard = r#"{"op":"replace","path":"/metadata/resourceVersion","value":"7"}]"#;
            assert!(serde_json::to_string(&patch).unwrap().ends_with(guard), "{what}");
        }
    }

    #[test]
    fn an_owner_has_the_operation_and_all_of_the_fields() {
        let annotation: &[&str] = &["metadata", "annotations", LAST_APPLIED];
        let both = format!(
            r#"{{"f:data":{{".":{{}},"f:key":{{}},"f:old":{{}}}},"f:metadata":{{"f:annotations":{{".":{{}},"f:{LAST_APPLIED}":{{}}}}}}}}"#
        );
        let annotated = format!(r#"{{"f:metadata":{{"f:annotations":{{"f:{LAST_APPLIED}":{{}}}}}}}}"#);
        let entries = [
            entry("client", "Update", "v1", &both),
            entry("server", "Apply", "v1", &both),
            entry("other", "Update", "v1", &annotated),
            entry("broken", "Update", "v1", r#"{"data":{}}"#),
            r#"{"manager":"empty","operation":"Update"}"#.parse().unwrap(),
        ];
        use ManagedFieldsOperation::{Apply, Update};
        for (operation, fields, owners) in [
            (Update, &[&["data"][..]][..], &["client"][..]),
            (Update, &[annotation], &["client", "other"]),
            (Apply, &[annotation], &["server"]),
            (Update, &[annotation, &["data", "key"]], &["client"]),
            (Update, &[annotation, &["data", "missing"]], &[]),
            (Apply, &[&["metadata", "annotations"], &["metadata"]], &[]),
            (Update, &[], &["client", "other"]),
        ] {
            let found = find_owners(&entries, operation, &FieldSet::of_fields(fields));
            let managers: Vec<&str> = found.into_iter().map(|entry| text(entry, "manager")).collect();
            assert_eq!(managers, owners, "{operation:?} {fields:?}");
        }
        assert!(find_owners(&[], Update, &FieldSet::default()).is_empty());
    }

    /// The entry under another manager.
    fn renamed(mut entry: Value, manager: &str) -> Value {
        set(&mut entry, "manager", manager.into());
        entry
    }

    /// The entry of a subresource.
    fn of_status(mut entry: Value) -> Value {
        set(&mut entry, "subresource", "status".into());
        entry
    }

    #[test]
    fn the_updates_of_a_client_become_its_applies() {
        let apply = |version, fields| entry("kubectl", "Apply", version, fields);
        let update = |version, fields| entry("client", "Update", version, fields);
        let kubectl = CsaUpgrade { csa_managers: &["client"], ssa_manager: "kubectl", subresource: None };

        let becomes = vec![renamed(entry("client", "Apply", "v1", DATA), "kubectl")];
        holds("an update becomes the apply where there is none", &kubectl, vec![update("v1", DATA)], becomes);

        let less = r#"{"f:data":{".":{},"f:key":{}}}"#;
        for (what, fields) in [("the same fields", DATA), ("fields the apply lacks", less)] {
            holds(what, &kubectl, vec![apply("v1", fields), update("v1", DATA)], vec![apply("v1", DATA)]);
        }

        let others = vec![
            apply("v5", DATA),
            update("v1", r#"{"f:data":{"f:b":{}}}"#),
            update("v2", r#"{"f:data":{"f:c":{}}}"#),
            update("v3", r#"{"f:data":{"f:d":{}}}"#),
        ];
        holds("updates of other versions are lost", &kubectl, others.clone(), vec![apply("v5", DATA)]);
        let mut matching = others;
        matching.insert(2, update("v5", r#"{"f:data":{"f:a":{}},"f:spec":{"k:{\"a\":1}":{}}}"#));
        let union = r#"{"f:data":{".":{},"f:a":{},"f:key":{},"f:old":{}},"f:spec":{"k:{\"a\":1}":{}}}"#;
        holds("the update of the same version is not", &kubectl, matching, vec![apply("v5", union)]);

        let nobody = CsaUpgrade { ssa_manager: "nobody", ..kubectl };
        holds("there is nothing to upgrade", &nobody, vec![apply("v5", DATA)], vec![apply("v5", DATA)]);

        let [first, second, third] =
            [r#"{"f:spec":{"f:a":{}}}"#, r#"{"f:status":{"f:b":{}}}"#, r#"{"f:spec":{".":{},"f:c":{}}}"#];
        let several = vec![apply("v1", first), entry("scheduler", "Update", "v1", second), update("v1", third)];
        let all = r#"{"f:spec":{".":{},"f:a":{},"f:c":{}},"f:status":{"f:b":{}}}"#;
        let managers = CsaUpgrade { csa_managers: &["scheduler", "client"], ..kubectl };
        holds("several managers, one apply", &managers, several.clone(), vec![apply("v1", all)]);
        let new = entry("client", "Apply", "v1", r#"{"f:spec":{".":{},"f:c":{}},"f:status":{"f:b":{}}}"#);
        let managers = CsaUpgrade { csa_managers: &["client", "scheduler"], ssa_manager: "new", subresource: None };
        holds("several managers, no apply yet", &managers, several, vec![apply("v1", first), renamed(new, "new")]);

        let others = [entry("browser", "Update", "v1", DATA), update("v1", DATA)];
        let status = |operation| of_status(entry("client", operation, "v1", r#"{"f:status":{"f:phase":{}}}"#));
        let [before, after] = ["Update", "Apply"].map(|operation| [&others[..], &[status(operation)]].concat());
        let of_status = CsaUpgrade { ssa_manager: "client", subresource: Some("status"), ..kubectl };
        holds("only the entries of the subresource", &of_status, before, after);
    }

    #[test]
    fn where_there_is_nothing_to_do_nothing_is_written() {
        let upgrade = CsaUpgrade { csa_managers: &["client"], ssa_manager: "kubectl", subresource: None };
        let spelled = r#"{"f:data":{"k:{\"b\": 1}":{},"x:future":{}}}"#;
        let entries = vec![entry("kubectl", "Apply", "v5", spelled), entry("other", "Update", "v5", DATA)];
        holds("fields are not spelled anew", &upgrade, entries.clone(), entries.clone());
        holds("no manager", &CsaUpgrade { csa_managers: &[], ..upgrade }, entries.clone(), entries);
        for text in ["{}", r#"{"metadata":{}}"#, r#"{"metadata":{"managedFields":null}}"#] {
            let mut object: Value = text.parse().unwrap();
            assert_eq!(upgrade.patch(&object), Ok(None));
            upgrade.apply(&mut object).unwrap();
            assert_eq!(object.to_string(), text);
        }
    }

    #[test]
    fn fields_that_cannot_be_read_are_an_error_and_change_nothing() {
        let entries = vec![entry("kubectl", "Apply", "v1", r#"{"f:a":1}"#), entry("client", "Update", "v1", DATA)];
        let mut object = object(entries);
        let before = object.clone();
        let upgrade = CsaUpgrade { csa_managers: &["client"], ssa_manager: "kubectl", subresource: None };
        let error = upgrade.apply(&mut object).unwrap_err();
        assert_eq!(error.to_string(), "\"f:a\" in the managed fields cannot be read: it is no object");
        assert_eq!(upgrade.patch(&object), Err(error));
        assert_eq!(object, before);
    }
}
