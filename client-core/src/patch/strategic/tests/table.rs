//! One fact about the making and applying of patches, and the test of all of them.

use super::{
    fields,
    notation::doc,
    object_lists, object_orders, retain_keys, retain_keys_lists, scalar_lists,
    workload::{Check, Hand, against_both},
};
use crate::{
    json::Value,
    patch::{
        ThreeWay,
        strategic::{OnConflict, PatchSchema, apply, create_three_way, create_two_way},
    },
};

/// Documents in the notation of [`doc`], and the patches between them. What is left out is as its neighbour.
pub(super) struct Case {
    /// What it shows.
    pub(super) what: &'static str,
    /// What was applied last.
    pub(super) original: &'static str,
    /// What is applied now.
    pub(super) modified: &'static str,
    /// The patch from `original` to `modified`.
    pub(super) two_way: &'static str,
    /// What `two_way` makes of `original`; left out: `modified`.
    pub(super) two_way_result: &'static str,
    /// What the server has; left out: `original`.
    pub(super) current: &'static str,
    /// The patch of all three; left out: `two_way`.
    pub(super) three_way: &'static str,
    /// What `three_way` makes of `current`; left out: `modified`.
    pub(super) result: &'static str,
    /// Whether the patch overwrites what others changed.
    pub(super) conflict: bool,
}

impl Case {
    /// A case that says nothing.
    pub(super) const EMPTY: Self = Self {
        what: "",
        original: "",
        modified: "",
        two_way: "",
        two_way_result: "",
        current: "",
        three_way: "",
        result: "",
        conflict: false,
    };
}

fn or<'a>(text: &'a str, other: &'a str) -> Value {
    doc(if text.is_empty() { other } else { text })
}

impl Check for Case {
    fn against(&self, schema: &impl PatchSchema) {
        let what = self.what;
        let applied = |document: &Value, patch: &Value| {
            let mut document = document.clone();
            apply(&mut document, patch, schema).unwrap_or_else(|error| panic!("{what}: {error}"));
            document.to_string()
        };
        let (original, modified, current) = (doc(self.original), doc(self.modified), or(self.current, self.original));

        let two_way = create_two_way(&original, &modified, schema, &[]).unwrap();
        assert_eq!(two_way.to_string(), doc(self.two_way).to_string(), "{what}: the patch of two");
        assert_eq!(applied(&original, &two_way), or(self.two_way_result, self.modified).to_string(), "{what}: its result");

        let documents = ThreeWay { original: &original, modified: &modified, current: &current };
        let three_way = create_three_way(documents, schema, OnConflict::Overwrite, &[]).unwrap();
        assert_eq!(three_way.to_string(), or(self.three_way, self.two_way).to_string(), "{what}: the patch of three");
        assert_eq!(applied(&current, &three_way), or(self.result, self.modified).to_string(), "{what}: its result");
        match create_three_way(documents, schema, OnConflict::Fail, &[]) {
            Ok(patch) => assert!(!self.conflict && patch == three_way, "{what}: no conflict was found"),
            Err(error) => assert!(self.conflict && error.is_conflict(), "{what}: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn patches_are_made_and_applied_as_apimachinery_does_it() {
        let tables = [
            fields::CASES,
            object_lists::CASES,
            object_lists::NESTED,
            object_lists::SIDECARS,
            object_orders::CASES,
            scalar_lists::CASES,
            scalar_lists::ORDERS,
            retain_keys::CASES,
            retain_keys::NESTED,
            retain_keys_lists::CASES,
            retain_keys_lists::ITEMS,
        ];
        for case in tables.into_iter().flatten() {
            assert!(!case.two_way.is_empty(), "{}", case.what);
            against_both(case);
        }
        assert!(tables.into_iter().flatten().count() >= 120, "a case was lost");
        for not_an_object in ["[]", "1", "text"].map(doc) {
            let object = Value::object();
            for (original, modified) in [(&not_an_object, &object), (&object, &not_an_object)] {
                assert!(create_two_way(original, modified, &Hand::Workload, &[]).is_err());
                assert!(apply(&mut original.clone(), modified, &Hand::Workload).is_err());
            }
        }
    }
}
