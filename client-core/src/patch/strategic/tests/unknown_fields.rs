//! Fields the schema does not know: fine as long as nobody has to look into them.

use super::{
    notation::doc,
    workload::{Check, against_both},
};
use crate::patch::{
    ThreeWay,
    strategic::{OnConflict, PatchSchema, apply, create_three_way, create_two_way},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Documents with unknown fields, the patch, and what it makes of the original and of what the server has.
struct Unknown {
    original: &'static str,
    current: &'static str,
    modified: &'static str,
    patch: &'static str,
    results: [&'static str; 2],
}

impl Check for Unknown {
    fn against(&self, schema: &impl PatchSchema) {
        let (original, current, modified) = (doc(self.original), doc(self.current), doc(self.modified));
        let documents = ThreeWay { original: &original, modified: &modified, current: &current };
        let two_way = create_two_way(&original, &modified, schema, &[]).unwrap();
        let three_way = create_three_way(documents, schema, OnConflict::Fail, &[]).unwrap();
        for (patch, document, result) in [(two_way, &original, self.results[0]), (three_way, &current, self.results[1])] {
            assert_eq!(patch.to_string(), doc(self.patch).to_string());
            let mut document = document.clone();
            apply(&mut document, &patch, schema).unwrap();
            assert_eq!(document.to_string(), doc(result).to_string());
        }
    }
}

/// A document that others did not change.
fn unchanged(original: &'static str, modified: &'static str, patch: &'static str, result: &'static str) {
    against_both(&Unknown { original, current: original, modified, patch, results: [result, result] });
}

#[test]
fn fields_that_the_schema_does_not_know_are_patched_as_long_as_nobody_looks_into_them() {
    unknown_fields_are_added_removed_and_left_alone();
    null_in_what_is_new_does_not_arrive_but_in_lists_it_does();
    a_change_inside_is_an_error_that_names_the_field();
}

fn unknown_fields_are_added_removed_and_left_alone() {
    const FULL: &str = "{list:[1,2,3],deep:{inner:true},name:a,flag:true}";
    unchanged(FULL, FULL, "{}", FULL);
    unchanged("{name:a}", FULL, "{list:[1,2,3],deep:{inner:true},flag:true}", FULL);
    unchanged(
        FULL,
        "{list:[1,2,3],deep:{inner:true},name:a,flag:false}",
        "{flag:false}",
        "{list:[1,2,3],deep:{inner:true},name:a,flag:false}",
    );
    unchanged(
        FULL,
        "{list:[1,2,3],deep:{inner:true},name:a,flag:true,new:[]}",
        "{new:[]}",
        "{list:[1,2,3],deep:{inner:true},name:a,flag:true,new:[]}",
    );
    against_both(&Unknown {
        original: "{name:a,flag:true,deep:{inner:true}}",
        current: FULL,
        modified: "{name:a}",
        patch: "{deep:null,flag:null}",
        results: ["{name:a}", "{list:[1,2,3],name:a}"],
    });
}

fn null_in_what_is_new_does_not_arrive_but_in_lists_it_does() {
    for (modified, result) in [
        ("{new:{key:null}}", "{new:{}}"),
        ("{new:{key:{some:x,none:null}}}", "{new:{key:{some:x}}}"),
        ("{new:{none:null,some:x}}", "{new:{some:x}}"),
        ("{new:[{inner:{some:x,none:null}}]}", "{new:[{inner:{some:x}}]}"),
        ("{new:[{inner:{none:null,other:null}}]}", "{new:[{inner:{}}]}"),
        ("{new:[a,null,b]}", "{new:[a,null,b]}"),
    ] {
        unchanged("{}", modified, modified, result);
    }
    // What was there before stays as it was.
    unchanged("{thing:null}", "{new:{a:5},thing:null}", "{new:{a:5}}", "{new:{a:5},thing:null}");
    unchanged(
        "{deep:{key:null},thing:null}",
        "{deep:{key:null},new:{a:5},thing:null}",
        "{new:{a:5}}",
        "{deep:{key:null},new:{a:5},thing:null}",
    );
}

/// A change inside of a field that the schema does not know.
struct Inside(&'static str, &'static str);

impl Check for Inside {
    fn against(&self, schema: &impl PatchSchema) {
        let (original, modified) = (doc(self.0), doc(self.1));
        let documents = ThreeWay { original: &original, modified: &modified, current: &original };
        for result in [
            create_two_way(&original, &modified, schema, &[]),
            create_three_way(documents, schema, OnConflict::Fail, &[]),
            apply(&mut original.clone(), &modified, schema).map(|()| original.clone()),
        ] {
            let error = result.unwrap_err().to_string();
            assert!(error.contains("unable to find api field"), "{error}");
        }
    }
}

fn a_change_inside_is_an_error_that_names_the_field() {
    against_both(&Inside("{name:a,deep:{inner:true}}", "{name:a,deep:{inner:false}}"));
    against_both(&Inside("{name:a,list:[1]}", "{name:a,list:[2]}"));
    against_both(&Inside("{config:{a:{b:{}}}}", "{config:{a:{b:{c:d}}}}"));
    against_both(&Inside("{containers:[{name:a,deep:{x:1}}]}", "{containers:[{name:a,deep:{x:2}}]}"));
}
