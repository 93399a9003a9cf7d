//! Fields of objects, lists that are replaced, and `null`.

use super::{table::Case, workload::against_both};

const EMPTY: Case = Case::EMPTY;

pub(super) const CASES: &[Case] = &[
    Case {
        what: "without an original all that is wanted is new, and what the server has already is not sent",
        original: "null",
        modified: "{name:web,image:v1}",
        two_way: "{name:web,image:v1}",
        current: "{name:web,tier:front}",
        three_way: "{image:v1}",
        result: "{name:web,image:v1,tier:front}",
        ..EMPTY
    },
    Case { what: "nothing changes nothing", original: "{name:web}", modified: "{name:web}", two_way: "{}", ..EMPTY },
    Case {
        what: "a field is added beside one that others added",
        original: "{name:web}",
        modified: "{name:web,image:v1}",
        two_way: "{image:v1}",
        current: "{name:web,tier:front}",
        result: "{name:web,image:v1,tier:front}",
        ..EMPTY
    },
    Case {
        what: "a field that others changed is set back",
        original: "{name:web}",
        modified: "{name:web,image:v1}",
        two_way: "{image:v1}",
        current: "{name:db,tier:front}",
        three_way: "{name:web,image:v1}",
        result: "{name:web,image:v1,tier:front}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "one field is added and another removed",
        original: "{name:web}",
        modified: "{image:v1}",
        two_way: "{name:null,image:v1}",
        current: "{name:web,tier:front}",
        result: "{image:v1,tier:front}",
        ..EMPTY
    },
    Case {
        what: "a field that others changed is removed",
        original: "{name:web}",
        modified: "{image:v1}",
        two_way: "{name:null,image:v1}",
        current: "{name:db,tier:front}",
        result: "{image:v1,tier:front}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a field of a field is removed",
        original: "{labels:{app:web,zone:a}}",
        modified: "{labels:{app:web}}",
        two_way: "{labels:{zone:null}}",
        current: "{labels:{app:web,zone:a,team:x}}",
        result: "{labels:{app:web,team:x}}",
        ..EMPTY
    },
    Case {
        what: "a field of a field is removed and the one others changed set back",
        original: "{labels:{app:web,zone:a}}",
        modified: "{labels:{app:web}}",
        two_way: "{labels:{zone:null}}",
        current: "{labels:{app:db,zone:a,team:x}}",
        three_way: "{labels:{app:web,zone:null}}",
        result: "{labels:{app:web,team:x}}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "all fields of ours are removed",
        original: "{name:web,image:v1}",
        modified: "{}",
        two_way: "{name:null,image:null}",
        current: "{name:web,image:v1,tier:front}",
        result: "{tier:front}",
        ..EMPTY
    },
    Case {
        what: "all fields of ours are removed, though others changed one",
        original: "{name:web,image:v1}",
        modified: "{}",
        two_way: "{name:null,image:null}",
        current: "{name:web,image:v2,tier:front}",
        result: "{tier:front}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "all fields are removed for one that others set to the same",
        original: "{name:web,image:v1}",
        modified: "{tier:front}",
        two_way: "{name:null,image:null,tier:front}",
        current: "{name:web,image:v1,tier:front}",
        three_way: "{name:null,image:null}",
        ..EMPTY
    },
    Case {
        what: "all fields are removed for one that others set to something else",
        original: "{name:web,image:v1}",
        modified: "{tier:front}",
        two_way: "{name:null,image:null,tier:front}",
        current: "{name:web,image:v1,tier:back}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a list that is not merged is replaced",
        original: "{args:[-a,-b]}",
        modified: "{args:[-b,-c]}",
        two_way: "{args:[-b,-c]}",
        ..EMPTY
    },
    Case {
        what: "a list that is not merged is replaced, though others changed it",
        original: "{args:[-a,-b]}",
        modified: "{args:[-b,-c]}",
        two_way: "{args:[-b,-c]}",
        current: "{args:[-a,-d]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "all items of a merging list are deleted one by one",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[]}",
        two_way: "{containers:[{name:a,$patch:delete},{name:b,$patch:delete}]}",
        ..EMPTY
    },
    Case {
        what: "all items of a merging list are deleted, though others changed them",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[]}",
        two_way: "{containers:[{name:a,$patch:delete},{name:b,$patch:delete}]}",
        current: "{containers:[{name:a,tier:x},{name:b,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "all items are deleted of a merging list that is empty already",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[]}",
        two_way: "{containers:[{name:a,$patch:delete},{name:b,$patch:delete}]}",
        current: "{containers:[]}",
        ..EMPTY
    },
    Case {
        what: "an empty merging list stays empty",
        original: "{containers:[]}",
        modified: "{containers:[]}",
        two_way: "{}",
        ..EMPTY
    },
    Case {
        what: "a null that is wanted removes what others set",
        original: "{name:web}",
        modified: "{name:db,image:v1,tier:null}",
        two_way: "{name:db,image:v1,tier:null}",
        two_way_result: "{name:db,image:v1}",
        current: "{name:app,tier:front}",
        result: "{name:db,image:v1}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a null that is wanted removes what was there",
        original: "{name:web,image:v1}",
        modified: "{name:db,image:null}",
        two_way: "{name:db,image:null}",
        two_way_result: "{name:db}",
        current: "{name:web,image:v1,tier:front}",
        result: "{name:db,tier:front}",
        ..EMPTY
    },
    Case {
        what: "an object that retains keys and has not changed is not in the patch of nothing",
        original: "{name:web,strategy:{name:rolling}}",
        modified: "{name:web,strategy:{name:rolling}}",
        two_way: "{}",
        current: "{name:web,image:v1,strategy:{name:rolling}}",
        result: "{name:web,image:v1,strategy:{name:rolling}}",
        ..EMPTY
    },
    Case {
        what: "an object that retains keys and has not changed is not in the patch of another field",
        original: "{name:web,strategy:{name:rolling}}",
        modified: "{name:web,image:v1,strategy:{name:rolling}}",
        two_way: "{image:v1}",
        current: "{name:web,tier:x,strategy:{name:rolling}}",
        result: "{name:web,image:v1,tier:x,strategy:{name:rolling}}",
        ..EMPTY
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_field_with_the_strategy_replace_is_sent_whole_where_it_changed() {
        against_both(&Case {
            what: "an object that is replaced keeps nothing, the rest is untouched",
            original: "{name:web,image:v1,template:{some:generic,yaml:inside,the:field}}",
            modified: "{name:web,image:v1,containers:[{name:a},{name:b}],template:{newly:made,yaml:inside}}",
            two_way: "{containers:[{name:a},{name:b}],template:{newly:made,yaml:inside}}",
            current: "{name:web,image:v1,containers:[{name:a},{name:b}],template:{some:generic,yaml:inside,the:field}}",
            three_way: "{template:{newly:made,yaml:inside}}",
            ..EMPTY
        });
        against_both(&Case {
            what: "an object is replaced beside a list that is merged",
            original: "{name:web,containers:[{name:a}],template:{some:generic,yaml:inside}}",
            modified: "{name:web,containers:[{name:a},{name:b}],template:{newly:made,yaml:inside}}",
            two_way: concat!(
                "{$setElementOrder/containers:[{name:a},{name:b}],containers:[{name:b}],",
                "template:{newly:made,yaml:inside}}"
            ),
            current: "{name:web,containers:[{name:a},{name:c}],template:{some:generic,yaml:inside}}",
            result: "{name:web,containers:[{name:a},{name:b},{name:c}],template:{newly:made,yaml:inside}}",
            ..EMPTY
        });
        against_both(&Case {
            what: "an object that would be replaced by the same is not sent",
            original: "{name:web,template:{yaml:inside}}",
            modified: "{name:db,template:{yaml:inside}}",
            two_way: "{name:db}",
            ..EMPTY
        });
    }
}
