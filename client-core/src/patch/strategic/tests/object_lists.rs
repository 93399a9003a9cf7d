//! Lists of objects that are merged by their names.

use super::table::Case;

const EMPTY: Case = Case::EMPTY;

/// The two items whose order most of the cases have to say.
macro_rules! in_order {
    ($items:literal) => {
        concat!("{$setElementOrder/containers:[{name:a},{name:b}],containers:[", $items, "]}")
    };
}

pub(super) const CASES: &[Case] = &[
    Case {
        what: "a deletion in what is wanted is obeyed where it is made and says nothing later",
        original: "{name:web}",
        modified: "{name:web,containers:[{name:new},{$patch:delete,name:gone}]}",
        two_way: "{containers:[{name:new},{$patch:delete,name:gone}]}",
        two_way_result: "{name:web,containers:[{name:new}]}",
        current: "{name:web,containers:[{name:old}]}",
        three_way: "{$setElementOrder/containers:[{name:new},{name:gone}],containers:[{name:new}]}",
        result: "{name:web,containers:[{name:new},{name:old}]}",
        ..EMPTY
    },
    Case {
        what: "new items come where they are wanted, others' fields stay",
        original: "{containers:[{name:a},{name:b,image:v2}]}",
        modified: "{containers:[{name:d,image:v4},{name:a},{name:b,image:v2},{name:c,image:v3}]}",
        two_way: concat!(
            "{$setElementOrder/containers:[{name:d},{name:a},{name:b},{name:c}],",
            "containers:[{name:d,image:v4},{name:c,image:v3}]}"
        ),
        current: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y}]}",
        result: "{containers:[{name:d,image:v4},{name:a,tier:x},{name:b,image:v2,tier:y},{name:c,image:v3}]}",
        ..EMPTY
    },
    Case {
        what: "an item is new and the one others changed is set back",
        original: "{containers:[{name:a},{name:b,image:v2}]}",
        modified: "{containers:[{name:a},{name:b,image:v2},{name:c,image:v3}]}",
        two_way: "{$setElementOrder/containers:[{name:a},{name:b},{name:c}],containers:[{name:c,image:v3}]}",
        current: "{containers:[{name:a,tier:x},{name:b,image:v9,tier:y}]}",
        three_way: concat!(
            "{$setElementOrder/containers:[{name:a},{name:b},{name:c}],",
            "containers:[{name:b,image:v2},{name:c,image:v3}]}"
        ),
        result: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y},{name:c,image:v3}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "the first item gets a field",
        original: "{containers:[{name:a},{name:b,image:v2}]}",
        modified: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:v1}"),
        current: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y}]}",
        result: "{containers:[{name:a,image:v1,tier:x},{name:b,image:v2,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "the last item gets a field",
        original: "{containers:[{name:a,image:v1},{name:b}]}",
        modified: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        two_way: in_order!("{name:b,image:v2}"),
        current: "{containers:[{name:a,image:v1,tier:x},{name:b,tier:y}]}",
        result: "{containers:[{name:a,image:v1,tier:x},{name:b,image:v2,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "an item gets a field, and the one others took away comes back",
        original: "{containers:[{name:a},{name:b,image:v2}]}",
        modified: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:v1}"),
        current: "{containers:[{name:a,tier:x},{name:c,image:v2,tier:y}]}",
        three_way: in_order!("{name:a,image:v1},{name:b,image:v2}"),
        result: "{containers:[{name:a,image:v1,tier:x},{name:b,image:v2},{name:c,image:v2,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a field that the server has already is not sent",
        original: "{containers:[{name:a},{name:b,image:v2}]}",
        modified: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:v1}"),
        current: "{containers:[{name:a,image:v1,tier:x},{name:b,image:v2,tier:y}]}",
        three_way: "{}",
        result: "{containers:[{name:a,image:v1,tier:x},{name:b,image:v2,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "an item that the server has already is not sent",
        original: "{containers:[{name:a,image:v1},{name:b}]}",
        modified: "{containers:[{name:a,image:v1},{name:b},{name:c}]}",
        two_way: "{$setElementOrder/containers:[{name:a},{name:b},{name:c}],containers:[{name:c}]}",
        current: "{containers:[{name:a,image:v1,tier:x},{name:b},{name:c}]}",
        three_way: "{}",
        result: "{containers:[{name:a,image:v1,tier:x},{name:b},{name:c}]}",
        ..EMPTY
    },
    Case {
        what: "of two fields the server has one already and the other was changed",
        original: "{containers:[{name:a},{name:b,image:v2}]}",
        modified: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:v1}"),
        current: "{containers:[{name:a,image:v1,tier:x},{name:b,image:v9,tier:y}]}",
        three_way: in_order!("{name:b,image:v2}"),
        result: "{containers:[{name:a,image:v1,tier:x},{name:b,image:v2,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a field of an item changes",
        original: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        modified: "{containers:[{name:a,image:v3},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:v3}"),
        current: "{containers:[{name:a,image:v1,tier:x},{name:b,image:v2,tier:y}]}",
        result: "{containers:[{name:a,image:v3,tier:x},{name:b,image:v2,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "a field of an item changes that others changed, too",
        original: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        modified: "{containers:[{name:a,image:v3},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:v3}"),
        current: "{containers:[{name:a,image:v9,tier:x},{name:b,image:v2,tier:y}]}",
        result: "{containers:[{name:a,image:v3,tier:x},{name:b,image:v2,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "an item is deleted",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[{name:b}]}",
        two_way: "{$setElementOrder/containers:[{name:b}],containers:[{name:a,$patch:delete}]}",
        current: "{containers:[{name:a},{name:b,tier:y}]}",
        result: "{containers:[{name:b,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "an item is deleted that others changed",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[{name:b}]}",
        two_way: "{$setElementOrder/containers:[{name:b}],containers:[{name:a,$patch:delete}]}",
        current: "{containers:[{name:a,tier:x},{name:b,tier:y}]}",
        result: "{containers:[{name:b,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "an item is deleted that is gone already",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[{name:b}]}",
        two_way: "{$setElementOrder/containers:[{name:b}],containers:[{name:a,$patch:delete}]}",
        current: "{containers:[{name:b,tier:y}]}",
        result: "{containers:[{name:b,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "an item is deleted that is gone already, and the one others took away comes back",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[{name:b}]}",
        two_way: "{$setElementOrder/containers:[{name:b}],containers:[{name:a,$patch:delete}]}",
        current: "{containers:[{name:c,tier:x}]}",
        three_way: "{$setElementOrder/containers:[{name:b}],containers:[{name:b},{name:a,$patch:delete}]}",
        result: "{containers:[{name:b},{name:c,tier:x}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "one item is deleted and one new, behind the one of others",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[{name:b},{name:c}]}",
        two_way: "{$setElementOrder/containers:[{name:b},{name:c}],containers:[{name:c},{name:a,$patch:delete}]}",
        current: "{containers:[{name:a},{name:b,tier:y},{name:d,tier:z}]}",
        result: "{containers:[{name:b,tier:y},{name:d,tier:z},{name:c}]}",
        ..EMPTY
    },
    Case {
        what: "one item is deleted and one new, and the one others took away comes back",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[{name:b},{name:c}]}",
        two_way: "{$setElementOrder/containers:[{name:b},{name:c}],containers:[{name:c},{name:a,$patch:delete}]}",
        current: "{containers:[{name:a,tier:x},{name:d,tier:z}]}",
        three_way: concat!(
            "{$setElementOrder/containers:[{name:b},{name:c}],",
            "containers:[{name:b},{name:c},{name:a,$patch:delete}]}"
        ),
        result: "{containers:[{name:d,tier:z},{name:b},{name:c}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a field of an item is removed",
        original: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        modified: "{containers:[{name:a},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:null}"),
        current: "{containers:[{name:a,image:v1,tier:x},{name:b,image:v2,tier:y}]}",
        result: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "a field of an item is removed that others changed",
        original: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        modified: "{containers:[{name:a},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:null}"),
        current: "{containers:[{name:a,image:v9,tier:x},{name:b,image:v2}]}",
        result: "{containers:[{name:a,tier:x},{name:b,image:v2}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a field of an item is removed that is gone already",
        original: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        modified: "{containers:[{name:a},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:null}"),
        current: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y}]}",
        result: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "a field of an item is removed that is gone already, and the one others took away comes back",
        original: "{containers:[{name:a,image:v1},{name:b,image:v2}]}",
        modified: "{containers:[{name:a},{name:b,image:v2}]}",
        two_way: in_order!("{name:a,image:null}"),
        current: "{containers:[{name:a,tier:x},{name:b,tier:y}]}",
        three_way: in_order!("{name:a,image:null},{name:b,image:v2}"),
        result: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
];

/// Lists inside of the items.
pub(super) const NESTED: &[Case] = &[
    Case {
        what: "a list inside of an item that is not merged is replaced",
        original: "{containers:[{name:a,rules:[{name:r},{name:s,image:v2}]},{name:b}]}",
        modified: "{containers:[{name:a,rules:[{name:r,image:v1}]},{name:b}]}",
        two_way: in_order!("{name:a,rules:[{name:r,image:v1}]}"),
        current: "{containers:[{name:a,tier:x,rules:[{name:r},{name:s,image:v2}]},{name:b,tier:y}]}",
        result: "{containers:[{name:a,tier:x,rules:[{name:r,image:v1}]},{name:b,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "a list inside of an item that is not merged is replaced, though others changed a value in it",
        original: "{containers:[{name:a,rules:[{name:r},{name:s,image:v2}]},{name:b}]}",
        modified: "{containers:[{name:a,rules:[{name:r,image:v1}]},{name:b}]}",
        two_way: in_order!("{name:a,rules:[{name:r,image:v1}]}"),
        current: "{containers:[{name:a,tier:x,rules:[{name:r,image:v9}]},{name:b,tier:y}]}",
        result: "{containers:[{name:a,tier:x,rules:[{name:r,image:v1}]},{name:b,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a list inside of an item that is not merged is replaced, though others took an item out of it",
        original: "{containers:[{name:a,rules:[{name:r},{name:s,image:v2}]},{name:b}]}",
        modified: "{containers:[{name:a,rules:[{name:r,image:v1}]},{name:b}]}",
        two_way: in_order!("{name:a,rules:[{name:r,image:v1}]}"),
        current: "{containers:[{name:a,tier:x,rules:[{name:s,image:v2}]},{name:b,tier:y}]}",
        result: "{containers:[{name:a,tier:x,rules:[{name:r,image:v1}]},{name:b,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "an item of a list inside of an item gets a field",
        original: "{containers:[{name:a,containers:[{name:p},{name:q,image:v2}]},{name:b}]}",
        modified: "{containers:[{name:a,containers:[{name:p,image:v1},{name:q,image:v2}]},{name:b}]}",
        two_way: in_order!("{name:a,$setElementOrder/containers:[{name:p},{name:q}],containers:[{name:p,image:v1}]}"),
        current: "{containers:[{name:a,tier:x,containers:[{name:p},{name:q,image:v2}]},{name:b,tier:y}]}",
        result: "{containers:[{name:a,tier:x,containers:[{name:p,image:v1},{name:q,image:v2}]},{name:b,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "an item of a list inside of an item gets a field that others set, too",
        original: "{containers:[{name:a,containers:[{name:p},{name:q,image:v2}]},{name:b}]}",
        modified: "{containers:[{name:a,containers:[{name:p,image:v1},{name:q,image:v2}]},{name:b}]}",
        two_way: in_order!("{name:a,$setElementOrder/containers:[{name:p},{name:q}],containers:[{name:p,image:v1}]}"),
        current: concat!(
            "{containers:[{name:a,tier:x,containers:[{name:p,image:v8,tier:s},{name:q,image:v9,tier:t}]},",
            "{name:b,tier:y}]}"
        ),
        three_way: in_order!(
            "{name:a,$setElementOrder/containers:[{name:p},{name:q}],containers:[{name:p,image:v1},{name:q,image:v2}]}"
        ),
        result: concat!(
            "{containers:[{name:a,tier:x,containers:[{name:p,image:v1,tier:s},{name:q,image:v2,tier:t}]},",
            "{name:b,tier:y}]}"
        ),
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "an item of a list inside of an item gets a field, and comes back as others took it away",
        original: "{containers:[{name:a,containers:[{name:p},{name:q,image:v2}]},{name:b}]}",
        modified: "{containers:[{name:a,containers:[{name:p,image:v1},{name:q,image:v2}]},{name:b}]}",
        two_way: in_order!("{name:a,$setElementOrder/containers:[{name:p},{name:q}],containers:[{name:p,image:v1}]}"),
        current: "{containers:[{name:a,tier:x,containers:[{name:q,image:v2,tier:t}]},{name:b,tier:y}]}",
        result: "{containers:[{name:a,tier:x,containers:[{name:p,image:v1},{name:q,image:v2,tier:t}]},{name:b,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "an item of a list inside of an item gets a field and another place, and comes back",
        original: "{containers:[{name:a,containers:[{name:p},{name:q,image:v2}]},{name:b}]}",
        modified: "{containers:[{name:a,containers:[{name:q,image:v2},{name:p,image:v1}]},{name:b}]}",
        two_way: in_order!("{name:a,$setElementOrder/containers:[{name:q},{name:p}],containers:[{name:p,image:v1}]}"),
        current: "{containers:[{name:a,tier:x,containers:[{name:q,image:v2,tier:t}]},{name:b,tier:y}]}",
        result: "{containers:[{name:a,tier:x,containers:[{name:q,image:v2,tier:t},{name:p,image:v1}]},{name:b,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
];

/// Lists whose schema does not say that they are lists.
pub(super) const SIDECARS: &[Case] = &[
    Case {
        what: "a sidecar is new between those of others",
        original: "{sidecars:[{name:a}]}",
        modified: "{sidecars:[{name:a},{name:b}]}",
        two_way: "{$setElementOrder/sidecars:[{name:a},{name:b}],sidecars:[{name:b}]}",
        current: "{sidecars:[{name:a,tier:x},{name:c}]}",
        result: "{sidecars:[{name:a,tier:x},{name:b},{name:c}]}",
        ..EMPTY
    },
    Case {
        what: "a sidecar is new and the one others took away comes back",
        original: "{sidecars:[{name:a}]}",
        modified: "{sidecars:[{name:a},{name:b}]}",
        two_way: "{$setElementOrder/sidecars:[{name:a},{name:b}],sidecars:[{name:b}]}",
        current: "{sidecars:[{name:c}]}",
        three_way: "{$setElementOrder/sidecars:[{name:a},{name:b}],sidecars:[{name:a},{name:b}]}",
        result: "{sidecars:[{name:a},{name:b},{name:c}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a sidecar of a sidecar gets a field",
        original: "{sidecars:[{name:a,sidecars:[{name:p},{name:q,image:v2}]},{name:b}]}",
        modified: "{sidecars:[{name:a,sidecars:[{name:p,image:v1},{name:q,image:v2}]},{name:b}]}",
        two_way: concat!(
            "{$setElementOrder/sidecars:[{name:a},{name:b}],sidecars:[{name:a,",
            "$setElementOrder/sidecars:[{name:p},{name:q}],sidecars:[{name:p,image:v1}]}]}"
        ),
        current: "{sidecars:[{name:a,tier:x,sidecars:[{name:p,tier:s},{name:q,image:v2,tier:t}]},{name:b,tier:y}]}",
        result: concat!(
            "{sidecars:[{name:a,tier:x,sidecars:[{name:p,image:v1,tier:s},{name:q,image:v2,tier:t}]},",
            "{name:b,tier:y}]}"
        ),
        ..EMPTY
    },
    Case {
        what: "a sidecar of a sidecar gets a field that others set, too",
        original: "{sidecars:[{name:a,sidecars:[{name:p},{name:q,image:v2}]},{name:b}]}",
        modified: "{sidecars:[{name:a,sidecars:[{name:p,image:v1},{name:q,image:v2}]},{name:b}]}",
        two_way: concat!(
            "{$setElementOrder/sidecars:[{name:a},{name:b}],sidecars:[{name:a,",
            "$setElementOrder/sidecars:[{name:p},{name:q}],sidecars:[{name:p,image:v1}]}]}"
        ),
        current: "{sidecars:[{name:a,tier:x,sidecars:[{name:p,image:v9},{name:q,image:v2,tier:t}]},{name:b,tier:y}]}",
        result: "{sidecars:[{name:a,tier:x,sidecars:[{name:p,image:v1},{name:q,image:v2,tier:t}]},{name:b,tier:y}]}",
        conflict: true,
        ..EMPTY
    },
];
