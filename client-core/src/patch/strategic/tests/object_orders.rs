//! The order of lists of objects.

use super::table::Case;

const EMPTY: Case = Case::EMPTY;

pub(super) const CASES: &[Case] = &[
    Case {
        what: "a new item comes first",
        original: "{containers:[{name:a},{name:b,image:v2}]}",
        modified: "{containers:[{name:c,image:v3},{name:a},{name:b,image:v2}]}",
        two_way: "{$setElementOrder/containers:[{name:c},{name:a},{name:b}],containers:[{name:c,image:v3}]}",
        current: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y}]}",
        result: "{containers:[{name:c,image:v3},{name:a,tier:x},{name:b,image:v2,tier:y}]}",
        ..EMPTY
    },
    Case {
        what: "new items come between and behind",
        original: "{containers:[{name:a},{name:b,image:v2}]}",
        modified: "{containers:[{name:a},{name:d,image:v4},{name:b,image:v2},{name:c,image:v3}]}",
        two_way: concat!(
            "{$setElementOrder/containers:[{name:a},{name:d},{name:b},{name:c}],",
            "containers:[{name:d,image:v4},{name:c,image:v3}]}"
        ),
        current: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y}]}",
        result: "{containers:[{name:a,tier:x},{name:d,image:v4},{name:b,image:v2,tier:y},{name:c,image:v3}]}",
        ..EMPTY
    },
    Case {
        what: "an item is deleted and the others turned round",
        original: "{containers:[{name:a},{name:c,image:v3},{name:b,image:v2}]}",
        modified: "{containers:[{name:b,image:v2},{name:a}]}",
        two_way: "{$setElementOrder/containers:[{name:b},{name:a}],containers:[{name:c,$patch:delete}]}",
        current: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y},{name:c,image:v3}]}",
        result: "{containers:[{name:b,image:v2,tier:y},{name:a,tier:x}]}",
        ..EMPTY
    },
    Case {
        what: "an item changes and all are turned round",
        original: "{containers:[{name:a},{name:c,image:v3},{name:b,image:v2}]}",
        modified: "{containers:[{name:b,image:v2},{name:c,image:v4},{name:a}]}",
        two_way: "{$setElementOrder/containers:[{name:b},{name:c},{name:a}],containers:[{name:c,image:v4}]}",
        current: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y},{name:c,image:v3}]}",
        result: "{containers:[{name:b,image:v2,tier:y},{name:c,image:v4},{name:a,tier:x}]}",
        ..EMPTY
    },
    Case {
        what: "an item is new, one is deleted and the others are turned round",
        original: "{containers:[{name:a},{name:c,image:v3},{name:b,image:v2}]}",
        modified: "{containers:[{name:d,image:v4},{name:b,image:v2},{name:a}]}",
        two_way: concat!(
            "{$setElementOrder/containers:[{name:d},{name:b},{name:a}],",
            "containers:[{name:d,image:v4},{name:c,$patch:delete}]}"
        ),
        current: "{containers:[{name:a,tier:x},{name:b,image:v2,tier:y},{name:c,image:v3}]}",
        result: "{containers:[{name:d,image:v4},{name:b,image:v2,tier:y},{name:a,tier:x}]}",
        ..EMPTY
    },
    Case {
        what: "nothing but the order changes",
        original: "{containers:[{name:a},{name:c,image:v3},{name:d},{name:b}]}",
        modified: "{containers:[{name:d},{name:b},{name:c,image:v3},{name:a}]}",
        two_way: "{$setElementOrder/containers:[{name:d},{name:b},{name:c},{name:a}]}",
        current: "{containers:[{name:a,tier:x},{name:c,image:v3},{name:d},{name:b}]}",
        result: "{containers:[{name:d},{name:b},{name:c,image:v3},{name:a,tier:x}]}",
        ..EMPTY
    },
    Case {
        what: "the order changes, an item of others behind all stays behind",
        original: "{containers:[{name:a},{name:c,image:v3},{name:d},{name:b}]}",
        modified: "{containers:[{name:d},{name:b},{name:c,image:v3},{name:a}]}",
        two_way: "{$setElementOrder/containers:[{name:d},{name:b},{name:c},{name:a}]}",
        current: "{containers:[{name:a,tier:x},{name:c,image:v3},{name:d},{name:b},{name:theirs}]}",
        result: "{containers:[{name:d},{name:b},{name:c,image:v3},{name:a,tier:x},{name:theirs}]}",
        ..EMPTY
    },
    Case {
        what: "the order changes, an item of others between stays between",
        original: "{containers:[{name:a},{name:b},{name:c},{name:d}]}",
        modified: "{containers:[{name:b},{name:a},{name:d},{name:c}]}",
        two_way: "{$setElementOrder/containers:[{name:b},{name:a},{name:d},{name:c}]}",
        current: "{containers:[{name:a,tier:x},{name:b},{name:theirs},{name:c},{name:d}]}",
        result: "{containers:[{name:b},{name:a,tier:x},{name:theirs},{name:d},{name:c}]}",
        ..EMPTY
    },
    Case {
        what: "the order changes, several items of others between keep theirs",
        original: "{containers:[{name:a},{name:b},{name:c},{name:d}]}",
        modified: "{containers:[{name:b},{name:a},{name:d},{name:c}]}",
        two_way: "{$setElementOrder/containers:[{name:b},{name:a},{name:d},{name:c}]}",
        current: "{containers:[{name:a},{name:b},{name:z},{name:x},{name:y},{name:c},{name:d}]}",
        result: "{containers:[{name:b},{name:a},{name:z},{name:x},{name:y},{name:d},{name:c}]}",
        ..EMPTY
    },
    Case {
        what: "items that share a name stand together where the first of them is wanted",
        original: "{containers:[{name:a},{name:b,image:v1},{name:c},{name:b,image:v2},{name:d}]}",
        modified: "{containers:[{name:b,image:v1},{name:a},{name:d},{name:c},{name:b,image:v2}]}",
        two_way: "{$setElementOrder/containers:[{name:b},{name:a},{name:d},{name:c},{name:b}]}",
        two_way_result: "{containers:[{name:b,image:v1},{name:b,image:v2},{name:a},{name:d},{name:c}]}",
        result: "{containers:[{name:b,image:v1},{name:b,image:v2},{name:a},{name:d},{name:c}]}",
        ..EMPTY
    },
    Case {
        what: "one list loses an item while another is turned round",
        original: "{containers:[{name:a,image:v1},{name:b,image:v2}],sidecars:[{name:c,image:v3},{name:d,image:v4}]}",
        modified: "{containers:[{name:b,image:v2}],sidecars:[{name:d,image:v4},{name:c,image:v3}]}",
        two_way: concat!(
            "{$setElementOrder/containers:[{name:b}],$setElementOrder/sidecars:[{name:d},{name:c}],",
            "containers:[{$patch:delete,name:a}]}"
        ),
        ..EMPTY
    },
    Case {
        what: "deletions come behind all, those that were wanted too, which say nothing later",
        original: "{containers:[{name:a},{name:b}]}",
        modified: "{containers:[{$patch:delete,name:gone},{name:new},{name:b}]}",
        two_way: concat!(
            "{$setElementOrder/containers:[{name:gone},{name:new},{name:b}],",
            "containers:[{name:new},{$patch:delete,name:gone},{$patch:delete,name:a}]}"
        ),
        two_way_result: "{containers:[{name:new},{name:b}]}",
        current: "{containers:[{name:a},{name:gone},{name:b}]}",
        three_way: concat!(
            "{$setElementOrder/containers:[{name:gone},{name:new},{name:b}],",
            "containers:[{name:new},{$patch:delete,name:a}]}"
        ),
        result: "{containers:[{name:gone},{name:new},{name:b}]}",
        ..EMPTY
    },
];
