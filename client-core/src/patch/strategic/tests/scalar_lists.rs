//! Lists of scalars that are merged.

use super::table::Case;

const EMPTY: Case = Case::EMPTY;

pub(super) const CASES: &[Case] = &[
    Case {
        what: "an item is deleted, that of others stays",
        original: "{finalizers:[a,b,c]}",
        modified: "{finalizers:[a,b]}",
        two_way: "{$setElementOrder/finalizers:[a,b],$deleteFromPrimitiveList/finalizers:[c]}",
        current: "{finalizers:[a,b,c,d]}",
        result: "{finalizers:[a,b,d]}",
        ..EMPTY
    },
    Case {
        what: "an item that is there twice is deleted once for all",
        original: "{finalizers:[a,b,c,c]}",
        modified: "{finalizers:[a,b]}",
        two_way: "{$setElementOrder/finalizers:[a,b],$deleteFromPrimitiveList/finalizers:[c]}",
        current: "{finalizers:[a,b,c,c,d]}",
        result: "{finalizers:[a,b,d]}",
        ..EMPTY
    },
    Case {
        what: "an item is deleted and one added that the server has already",
        original: "{finalizers:[a,b,c]}",
        modified: "{finalizers:[a,b,d]}",
        two_way: "{$setElementOrder/finalizers:[a,b,d],$deleteFromPrimitiveList/finalizers:[c],finalizers:[d]}",
        current: "{finalizers:[a,b,c,d]}",
        three_way: "{$setElementOrder/finalizers:[a,b,d],$deleteFromPrimitiveList/finalizers:[c]}",
        ..EMPTY
    },
    Case {
        what: "an item is added before that of others",
        original: "{finalizers:[a,b]}",
        modified: "{finalizers:[a,b,c]}",
        two_way: "{$setElementOrder/finalizers:[a,b,c],finalizers:[c]}",
        current: "{finalizers:[a,b,d]}",
        result: "{finalizers:[a,b,c,d]}",
        ..EMPTY
    },
    Case {
        what: "an item that the server has already is not sent",
        original: "{finalizers:[a,b]}",
        modified: "{finalizers:[a,b,c]}",
        two_way: "{$setElementOrder/finalizers:[a,b,c],finalizers:[c]}",
        current: "{finalizers:[a,b,c]}",
        three_way: "{}",
        ..EMPTY
    },
];

pub(super) const ORDERS: &[Case] = &[
    Case {
        what: "a new item comes first, that of others keeps its place",
        original: "{finalizers:[a,b]}",
        modified: "{finalizers:[c,a,b]}",
        two_way: "{$setElementOrder/finalizers:[c,a,b],finalizers:[c]}",
        current: "{finalizers:[a,theirs,b]}",
        result: "{finalizers:[c,a,theirs,b]}",
        ..EMPTY
    },
    Case {
        what: "the last item is deleted and the others turned round",
        original: "{finalizers:[a,b,c]}",
        modified: "{finalizers:[b,a]}",
        two_way: "{$setElementOrder/finalizers:[b,a],$deleteFromPrimitiveList/finalizers:[c]}",
        ..EMPTY
    },
    Case {
        what: "a new number comes first",
        original: "{finalizers:[1,2]}",
        modified: "{finalizers:[3,1,2]}",
        two_way: "{$setElementOrder/finalizers:[3,1,2],finalizers:[3]}",
        ..EMPTY
    },
    Case {
        what: "new items come between and behind",
        original: "{finalizers:[1,2]}",
        modified: "{finalizers:[1,4,2,3]}",
        two_way: "{$setElementOrder/finalizers:[1,4,2,3],finalizers:[4,3]}",
        ..EMPTY
    },
    Case {
        what: "an item between is deleted and the others turned round",
        original: "{finalizers:[a,c,b]}",
        modified: "{finalizers:[b,a]}",
        two_way: "{$setElementOrder/finalizers:[b,a],$deleteFromPrimitiveList/finalizers:[c]}",
        current: "{finalizers:[a,b,c]}",
        ..EMPTY
    },
    Case {
        what: "an item is new, one is deleted and the others are turned round",
        original: "{finalizers:[a,c,b]}",
        modified: "{finalizers:[d,b,a]}",
        two_way: "{$setElementOrder/finalizers:[d,b,a],$deleteFromPrimitiveList/finalizers:[c],finalizers:[d]}",
        current: "{finalizers:[a,b,c]}",
        ..EMPTY
    },
    Case {
        what: "nothing but the order changes",
        original: "{finalizers:[a,c,d,b]}",
        modified: "{finalizers:[d,b,c,a]}",
        two_way: "{$setElementOrder/finalizers:[d,b,c,a]}",
        ..EMPTY
    },
    Case {
        what: "the order changes, an item of others behind all stays behind",
        original: "{finalizers:[a,c,d,b]}",
        modified: "{finalizers:[d,b,c,a]}",
        two_way: "{$setElementOrder/finalizers:[d,b,c,a]}",
        current: "{finalizers:[a,c,d,b,theirs]}",
        result: "{finalizers:[d,b,c,a,theirs]}",
        ..EMPTY
    },
    Case {
        what: "the order changes, an item of others between stays between",
        original: "{finalizers:[a,b,c,d]}",
        modified: "{finalizers:[b,a,d,c]}",
        two_way: "{$setElementOrder/finalizers:[b,a,d,c]}",
        current: "{finalizers:[a,b,theirs,c,d]}",
        result: "{finalizers:[b,a,theirs,d,c]}",
        ..EMPTY
    },
    Case {
        what: "the order changes, several items of others between keep theirs",
        original: "{finalizers:[a,b,c,d]}",
        modified: "{finalizers:[b,a,d,c]}",
        two_way: "{$setElementOrder/finalizers:[b,a,d,c]}",
        current: "{finalizers:[a,b,z,x,y,c,d]}",
        result: "{finalizers:[b,a,z,x,y,d,c]}",
        ..EMPTY
    },
    Case {
        what: "items that are there twice stand together where the first of them is wanted",
        original: "{finalizers:[a,b,c,b,d]}",
        modified: "{finalizers:[b,a,d,c,b]}",
        two_way: "{$setElementOrder/finalizers:[b,a,d,c,b]}",
        two_way_result: "{finalizers:[b,b,a,d,c]}",
        result: "{finalizers:[b,b,a,d,c]}",
        ..EMPTY
    },
    Case {
        what: "an unsorted list that is sorted is a change",
        original: "{finalizers:[c,a,b]}",
        modified: "{finalizers:[a,b,c]}",
        two_way: "{$setElementOrder/finalizers:[a,b,c]}",
        ..EMPTY
    },
    Case {
        what: "an unsorted list that stays is none",
        original: "{name:x,finalizers:[c,a,b]}",
        modified: "{name:y,finalizers:[c,a,b]}",
        two_way: "{name:y}",
        ..EMPTY
    },
];
