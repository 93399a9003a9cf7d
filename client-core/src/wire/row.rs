//! A row of a table as an object, as far as it is one.

use std::borrow::Cow;

use super::TableRow;
use crate::{
    meta::{GroupVersion, GroupVersionKind, ObjectMeta, Timestamp},
    object::Object,
};

/// What a row does not carry is empty: its kind, its labels and owners, and when its deletion began.
impl Object for TableRow {
    fn group_version_kind(&self) -> GroupVersionKind {
        GroupVersion::new("", "").with_kind("")
    }

    fn metadata(&self) -> Cow<'_, ObjectMeta> {
        Cow::Owned(ObjectMeta {
            name: self.name.clone(),
            namespace: self.namespace.clone().unwrap_or_default(),
            uid: self.uid.clone().unwrap_or_default(),
            resource_version: self.resource_version.clone(),
            creation_timestamp: self.creation_timestamp(),
            ..ObjectMeta::default()
        })
    }

    fn set_metadata(&mut self, metadata: ObjectMeta) {
        self.name = metadata.name;
        self.namespace = Some(metadata.namespace).filter(|namespace| !namespace.is_empty());
        self.uid = Some(metadata.uid).filter(|uid| !uid.is_empty());
        self.resource_version = metadata.resource_version;
        self.created = metadata.creation_timestamp.map(Timestamp::wall_time);
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }

    fn namespace(&self) -> &str {
        self.namespace.as_ref().map_or("", |namespace| namespace.as_str())
    }

    fn uid(&self) -> &str {
        self.uid.as_ref().map_or("", |uid| uid.as_str())
    }

    fn resource_version(&self) -> &str {
        self.resource_version.as_str()
    }

    fn creation_timestamp(&self) -> Option<Timestamp> {
        self.created.map(Timestamp::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{platform::WallTime, wire::decode_list};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn row(object: &str) -> TableRow {
        let text = format!(r#"{{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[{{"cells":["a"],"object":{object}}}]}}"#);
        decode_list(text.as_bytes(), WallTime(0)).unwrap().rows.remove(0)
    }

    #[test]
    fn a_row_is_an_object_as_far_as_it_carries_one() {
        let mut row = row(
            r#"{"metadata":{"name":"a","namespace":"b","uid":"c","resourceVersion":"7","creationTimestamp":"2026-11-30T01:50:31Z","labels":{"l":"1"}}}"#,
        );
        assert_eq!((row.name(), row.namespace(), row.uid(), row.resource_version()), ("a", "b", "c", "7"));
        assert_eq!(row.creation_timestamp().unwrap().to_string(), "2026-11-30T01:50:31Z");
        assert!(row.labels().is_empty() && row.owner_references().is_empty() && row.deletion_timestamp().is_none());
        assert_eq!(row.group_version_kind().kind, "");
        let (before, metadata) = (row.clone(), row.metadata().into_owned());
        row.set_metadata(metadata);
        assert_eq!(row, before);
        row.set_metadata(ObjectMeta::default());
        assert_eq!((&row.namespace, &row.uid, row.created), (&None, &None, None));
        assert_eq!((row.name(), row.namespace(), row.uid(), row.resource_version()), ("", "", "", ""));
    }
}
