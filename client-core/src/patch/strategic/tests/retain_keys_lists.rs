//! Objects whose patch names all fields that stay, and lists of objects: in them, and of them.

use super::table::Case;

const EMPTY: Case = Case::EMPTY;

pub(super) const CASES: &[Case] = &[
    Case {
        what: "a field is added beside a merging list of objects, where the item of others stays",
        original: "{strategy:{name:rolling,containers:[{name:a},{name:b}]}}",
        modified: "{strategy:{name:rolling,image:v1,containers:[{name:a},{name:b}]}}",
        two_way: "{strategy:{$retainKeys:[containers,image,name],image:v1}}",
        current: "{strategy:{name:rolling,containers:[{name:a},{name:b},{name:theirs}]}}",
        three_way: concat!(
            "{strategy:{$retainKeys:[containers,image,name],",
            "$setElementOrder/containers:[{name:a},{name:b}],image:v1}}"
        ),
        result: "{strategy:{name:rolling,image:v1,containers:[{name:a},{name:b},{name:theirs}]}}",
        ..EMPTY
    },
    Case {
        what: "an item is added to a merging list of objects",
        original: "{strategy:{name:rolling,containers:[{name:a},{name:b}]}}",
        modified: "{strategy:{name:rolling,containers:[{name:a},{name:b},{name:c}]}}",
        two_way: concat!(
            "{strategy:{$retainKeys:[containers,name],",
            "$setElementOrder/containers:[{name:a},{name:b},{name:c}],containers:[{name:c}]}}"
        ),
        current: "{strategy:{name:rolling,containers:[{name:a},{name:b},{name:theirs}]}}",
        result: "{strategy:{name:rolling,containers:[{name:a},{name:b},{name:c},{name:theirs}]}}",
        ..EMPTY
    },
    Case {
        what: "an item of a merging list of objects changes",
        original: "{strategy:{name:rolling,containers:[{name:a},{name:b,image:v1}]}}",
        modified: "{strategy:{name:rolling,containers:[{name:a},{name:b,image:v2}]}}",
        two_way: concat!(
            "{strategy:{$retainKeys:[containers,name],",
            "$setElementOrder/containers:[{name:a},{name:b}],containers:[{name:b,image:v2}]}}"
        ),
        current: "{strategy:{name:rolling,containers:[{name:a},{name:b,image:v1},{name:theirs}]}}",
        result: "{strategy:{name:rolling,containers:[{name:a},{name:b,image:v2},{name:theirs}]}}",
        ..EMPTY
    },
    Case {
        what: "a merging list of objects is removed",
        original: "{strategy:{name:rolling,containers:[{name:a},{name:b}]}}",
        modified: "{strategy:{name:rolling,image:v1}}",
        two_way: "{strategy:{$retainKeys:[image,name],image:v1,containers:null}}",
        ..EMPTY
    },
    Case {
        what: "an item is deleted from a merging list of objects",
        original: "{strategy:{name:rolling,containers:[{name:a},{name:b}]}}",
        modified: "{strategy:{name:rolling,containers:[{name:a}]}}",
        two_way: concat!(
            "{strategy:{$retainKeys:[containers,name],",
            "$setElementOrder/containers:[{name:a}],containers:[{name:b,$patch:delete}]}}"
        ),
        current: "{strategy:{name:rolling,containers:[{name:a},{name:b},{name:theirs}]}}",
        result: "{strategy:{name:rolling,containers:[{name:a},{name:theirs}]}}",
        ..EMPTY
    },
];

/// The order and the patch of two volumes.
macro_rules! volumes {
    ($item:literal) => {
        concat!("{$setElementOrder/volumes:[{name:a},{name:b}],volumes:[", $item, "]}")
    };
}

/// Merging lists of such objects.
pub(super) const ITEMS: &[Case] = &[
    Case {
        what: "a field of others goes from an item that stays",
        original: "{volumes:[{name:a},{name:b,image:v1}]}",
        modified: "{volumes:[{name:a},{name:b,image:v1}]}",
        two_way: "{}",
        current: "{volumes:[{name:a},{name:b,image:v1,tier:x}]}",
        three_way: volumes!("{$retainKeys:[image,name],name:b}"),
        ..EMPTY
    },
    Case {
        what: "a field changes that others changed, and theirs goes",
        original: "{volumes:[{name:a},{name:b,image:old}]}",
        modified: "{volumes:[{name:a},{name:b,image:ours}]}",
        two_way: volumes!("{$retainKeys:[image,name],name:b,image:ours}"),
        current: "{volumes:[{name:a},{name:b,image:theirs,tier:x}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a field changes and that of others goes",
        original: "{volumes:[{name:a},{name:b,image:v1}]}",
        modified: "{volumes:[{name:a},{name:b,image:v2}]}",
        two_way: volumes!("{$retainKeys:[image,name],name:b,image:v2}"),
        current: "{volumes:[{name:a},{name:b,image:v1,tier:x}]}",
        ..EMPTY
    },
    Case {
        what: "a field changes back that others changed further, and theirs goes",
        original: "{volumes:[{name:a},{name:b,image:v2}]}",
        modified: "{volumes:[{name:a},{name:b,image:v1}]}",
        two_way: volumes!("{$retainKeys:[image,name],name:b,image:v1}"),
        current: "{volumes:[{name:a},{name:b,image:v3,tier:x}]}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a field is added",
        original: "{volumes:[{name:a},{name:b}]}",
        modified: "{volumes:[{name:a},{name:b,image:v1}]}",
        two_way: volumes!("{$retainKeys:[image,name],name:b,image:v1}"),
        ..EMPTY
    },
    Case {
        what: "a field is added and that of others goes",
        original: "{volumes:[{name:a},{name:b}]}",
        modified: "{volumes:[{name:a},{name:b,image:v1}]}",
        two_way: volumes!("{$retainKeys:[image,name],name:b,image:v1}"),
        current: "{volumes:[{name:a},{name:b,tier:x}]}",
        ..EMPTY
    },
    Case {
        what: "a field is removed",
        original: "{volumes:[{name:a},{name:b,image:v1}]}",
        modified: "{volumes:[{name:a},{name:b}]}",
        two_way: volumes!("{$retainKeys:[name],name:b,image:null}"),
        ..EMPTY
    },
    Case {
        what: "a field is removed and that of others goes",
        original: "{volumes:[{name:a},{name:b,image:v1}]}",
        modified: "{volumes:[{name:a},{name:b}]}",
        two_way: volumes!("{$retainKeys:[name],name:b,image:null}"),
        current: "{volumes:[{name:a},{name:b,image:v1,tier:x}]}",
        ..EMPTY
    },
];
