//! Merging lists are sorted at any depth, but not below a list that is not merged.

use super::{
    notation::doc,
    workload::{Check, against_both},
};
use crate::patch::strategic::{PatchSchema, sort_merging_lists};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

struct Sorted(&'static str, &'static str);

impl Check for Sorted {
    fn against(&self, schema: &impl PatchSchema) {
        let mut document = doc(self.0);
        sort_merging_lists(&mut document, schema).unwrap();
        assert_eq!(document.to_string(), doc(self.1).to_string(), "{}", self.0);
    }
}

#[test]
fn merging_lists_are_sorted_by_their_keys() {
    for (unsorted, sorted) in [
        ("{containers:[{name:a},{name:c},{name:b}]}", "{containers:[{name:a},{name:b},{name:c}]}"),
        ("{sidecars:[{name:a},{name:c},{name:b}]}", "{sidecars:[{name:a},{name:b},{name:c}]}"),
        (
            "{containers:[{name:b,rules:[{name:z},{name:x}]},{name:a,rules:[{name:y},{name:x}]}]}",
            "{containers:[{name:a,rules:[{name:y},{name:x}]},{name:b,rules:[{name:z},{name:x}]}]}",
        ),
        (
            "{containers:[{name:b,containers:[{name:z},{name:x}]},{name:a,containers:[{name:y},{name:x}]}]}",
            "{containers:[{name:a,containers:[{name:x},{name:y}]},{name:b,containers:[{name:x},{name:z}]}]}",
        ),
        (
            "{rules:[{name:b,containers:[{name:z},{name:x}]},{name:a,containers:[{name:y},{name:x}]}]}",
            "{rules:[{name:b,containers:[{name:z},{name:x}]},{name:a,containers:[{name:y},{name:x}]}]}",
        ),
        (
            "{containers:[{containers:[{containers:[{name:b},{name:a}]}]}]}",
            "{containers:[{containers:[{containers:[{name:a},{name:b}]}]}]}",
        ),
        (
            "{containers:[{name:b,finalizers:[1,3,2]},{name:a,finalizers:[2,1,2]}]}",
            "{containers:[{name:a,finalizers:[1,2]},{name:b,finalizers:[1,2,3]}]}",
        ),
        (
            "{sidecars:[{name:b,finalizers:[x,z,y]},{name:a,finalizers:[y,x]}]}",
            "{sidecars:[{name:a,finalizers:[x,y]},{name:b,finalizers:[x,y,z]}]}",
        ),
        ("{args:[b,a],finalizers:[],labels:{z:x,a:y}}", "{args:[b,a],finalizers:[],labels:{z:x,a:y}}"),
        // In a patch the order of an order stays.
        (
            "{strategy:{$retainKeys:[b,a],$deleteFromPrimitiveList/finalizers:[d,c],$setElementOrder/finalizers:[f,e]}}",
            "{strategy:{$retainKeys:[a,b],$deleteFromPrimitiveList/finalizers:[c,d],$setElementOrder/finalizers:[f,e]}}",
        ),
    ] {
        against_both(&Sorted(unsorted, sorted));
    }
}

struct Refused(&'static str, &'static str);

impl Check for Refused {
    fn against(&self, schema: &impl PatchSchema) {
        let mut document = doc(self.0);
        let error = sort_merging_lists(&mut document, schema).unwrap_err().to_string();
        assert!(error.contains(self.1), "{}: {error}", self.0);
        assert_eq!(document, doc(self.0));
    }
}

#[test]
fn what_cannot_be_sorted_stays_as_it_is() {
    for (document, words) in [
        ("{strategy:{$retainKeys:a}}", "\"$retainKeys\" in .strategy is no list"),
        ("{deep:{a:{}}}", "cannot tell how to merge .deep"),
        ("{containers:[{name:a},b]}", "the items of .containers are not all of one type"),
        ("{finalizers:[{name:a}]}", "names no merge key for the items of .finalizers"),
        ("[]", ". is a list, expected an object"),
    ] {
        against_both(&Refused(document, words));
    }
}
