//! Objects whose patch names all fields that stay.

use super::table::Case;

const EMPTY: Case = Case::EMPTY;

pub(super) const CASES: &[Case] = &[
    Case {
        what: "what the server filled in goes",
        original: "{}",
        modified: "{strategy:{tier:front}}",
        two_way: "{strategy:{tier:front}}",
        current: "{strategy:{image:v1}}",
        three_way: "{strategy:{$retainKeys:[tier],tier:front}}",
        ..EMPTY
    },
    Case {
        what: "another variant is chosen than others chose",
        original: "{}",
        modified: "{strategy:{name:recreate,tier:front}}",
        two_way: "{strategy:{name:recreate,tier:front}}",
        current: "{strategy:{name:rolling,image:v1}}",
        three_way: "{strategy:{$retainKeys:[name,tier],name:recreate,tier:front}}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a field is added",
        original: "{strategy:{name:rolling}}",
        modified: "{strategy:{name:rolling,image:v1}}",
        two_way: "{strategy:{$retainKeys:[image,name],image:v1}}",
        ..EMPTY
    },
    Case {
        what: "a field is added and that of others goes",
        original: "{strategy:{name:rolling}}",
        modified: "{strategy:{name:rolling,image:v1}}",
        two_way: "{strategy:{$retainKeys:[image,name],image:v1}}",
        current: "{strategy:{name:rolling,tier:x}}",
        ..EMPTY
    },
    Case {
        what: "a field is removed",
        original: "{strategy:{name:rolling,image:v1}}",
        modified: "{strategy:{name:rolling}}",
        two_way: "{strategy:{$retainKeys:[name],image:null}}",
        ..EMPTY
    },
    Case {
        what: "a field is removed and that of others goes",
        original: "{strategy:{name:rolling,image:v1}}",
        modified: "{strategy:{name:rolling}}",
        two_way: "{strategy:{$retainKeys:[name],image:null}}",
        current: "{strategy:{name:rolling,image:v1,tier:x}}",
        ..EMPTY
    },
    Case {
        what: "nothing changes but that of others goes",
        original: "{strategy:{name:rolling,image:v1}}",
        modified: "{strategy:{name:rolling,image:v1}}",
        two_way: "{}",
        current: "{strategy:{name:rolling,image:v1,tier:x}}",
        three_way: "{strategy:{$retainKeys:[image,name]}}",
        ..EMPTY
    },
    Case {
        what: "a null that is wanted is not retained",
        original: "{strategy:{name:rolling,tier:x}}",
        modified: "{strategy:{name:recreate,image:null}}",
        two_way: "{strategy:{$retainKeys:[name],name:recreate,image:null,tier:null}}",
        two_way_result: "{strategy:{name:recreate}}",
        current: "{strategy:{name:rolling,tier:x,image:v1}}",
        result: "{strategy:{name:recreate}}",
        conflict: true,
        ..EMPTY
    },
];

/// What is in such objects is patched as anywhere.
pub(super) const NESTED: &[Case] = &[
    Case {
        what: "a field is added beside an object that stays",
        original: "{strategy:{name:rolling,labels:{app:web}}}",
        modified: "{strategy:{name:rolling,image:v1,labels:{app:web}}}",
        two_way: "{strategy:{$retainKeys:[image,labels,name],image:v1}}",
        ..EMPTY
    },
    Case {
        what: "a field is added to an object in it, where that of others stays",
        original: "{strategy:{name:rolling,image:v1,labels:{app:web}}}",
        modified: "{strategy:{name:rolling,image:v1,labels:{app:web,zone:a}}}",
        two_way: "{strategy:{$retainKeys:[image,labels,name],labels:{zone:a}}}",
        current: "{strategy:{name:rolling,image:v1,labels:{app:web,team:x}}}",
        result: "{strategy:{name:rolling,image:v1,labels:{app:web,zone:a,team:x}}}",
        ..EMPTY
    },
    Case {
        what: "a field is removed from an object in it",
        original: "{strategy:{name:rolling,image:v1,labels:{app:web,zone:a}}}",
        modified: "{strategy:{name:rolling,image:v1,labels:{app:web}}}",
        two_way: "{strategy:{$retainKeys:[image,labels,name],labels:{zone:null}}}",
        current: "{strategy:{name:rolling,image:v1,labels:{app:web,zone:a,team:x}}}",
        result: "{strategy:{name:rolling,image:v1,labels:{app:web,team:x}}}",
        ..EMPTY
    },
    Case {
        what: "a field of an object in it changes",
        original: "{strategy:{name:rolling,image:v1,labels:{app:web,zone:a}}}",
        modified: "{strategy:{name:rolling,image:v1,labels:{app:db,zone:a}}}",
        two_way: "{strategy:{$retainKeys:[image,labels,name],labels:{app:db}}}",
        current: "{strategy:{name:rolling,image:v1,labels:{app:web,zone:a,team:x}}}",
        result: "{strategy:{name:rolling,image:v1,labels:{app:db,zone:a,team:x}}}",
        ..EMPTY
    },
    Case {
        what: "a field of an object in it changes that others changed, too",
        original: "{strategy:{name:rolling,image:v1,labels:{app:old,zone:a}}}",
        modified: "{strategy:{name:rolling,image:v1,labels:{app:ours,zone:a}}}",
        two_way: "{strategy:{$retainKeys:[image,labels,name],labels:{app:ours}}}",
        current: "{strategy:{name:rolling,image:v1,labels:{app:theirs,zone:a,team:x}}}",
        result: "{strategy:{name:rolling,image:v1,labels:{app:ours,zone:a,team:x}}}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a list in it that is not merged is replaced",
        original: "{strategy:{name:rolling,image:v1,rules:[{name:a},{name:b}]}}",
        modified: "{strategy:{name:rolling,image:v1,rules:[{name:a},{name:c},{name:b}]}}",
        two_way: "{strategy:{$retainKeys:[image,name,rules],rules:[{name:a},{name:c},{name:b}]}}",
        ..EMPTY
    },
    Case {
        what: "a field is added beside a list that is not merged",
        original: "{strategy:{name:rolling,rules:[{name:a},{name:b}]}}",
        modified: "{strategy:{name:rolling,image:v1,rules:[{name:a},{name:b}]}}",
        two_way: "{strategy:{$retainKeys:[image,name,rules],image:v1}}",
        ..EMPTY
    },
    Case {
        what: "a field is added and a list that others changed is set back",
        original: "{strategy:{name:rolling,rules:[{name:a},{name:b}]}}",
        modified: "{strategy:{name:rolling,image:v1,rules:[{name:a},{name:b}]}}",
        two_way: "{strategy:{$retainKeys:[image,name,rules],image:v1}}",
        current: "{strategy:{name:rolling,rules:[{name:a},{name:b},{name:c}]}}",
        three_way: "{strategy:{$retainKeys:[image,name,rules],image:v1,rules:[{name:a},{name:b}]}}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a list in it that is not merged is removed",
        original: "{strategy:{name:rolling,rules:[{name:a},{name:b}]}}",
        modified: "{strategy:{name:rolling,image:v1}}",
        two_way: "{strategy:{$retainKeys:[image,name],image:v1,rules:null}}",
        ..EMPTY
    },
    Case {
        what: "a list in it that is not merged is removed, though others changed it",
        original: "{strategy:{name:rolling,rules:[{name:a},{name:b}]}}",
        modified: "{strategy:{name:rolling,image:v1}}",
        two_way: "{strategy:{$retainKeys:[image,name],image:v1,rules:null}}",
        current: "{strategy:{name:rolling,rules:[{name:a},{name:b},{name:c}]}}",
        conflict: true,
        ..EMPTY
    },
    Case {
        what: "a field is added beside a merging list of scalars, where the item of others stays",
        original: "{strategy:{name:rolling,finalizers:[a,b]}}",
        modified: "{strategy:{name:rolling,image:v1,finalizers:[a,b]}}",
        two_way: "{strategy:{$retainKeys:[finalizers,image,name],image:v1}}",
        current: "{strategy:{name:rolling,finalizers:[a,b,theirs]}}",
        three_way: "{strategy:{$retainKeys:[finalizers,image,name],$setElementOrder/finalizers:[a,b],image:v1}}",
        result: "{strategy:{name:rolling,image:v1,finalizers:[a,b,theirs]}}",
        ..EMPTY
    },
    Case {
        what: "an item is added to a merging list of scalars",
        original: "{strategy:{name:rolling,finalizers:[a,b]}}",
        modified: "{strategy:{name:rolling,finalizers:[a,b,d]}}",
        two_way: "{strategy:{$retainKeys:[finalizers,name],$setElementOrder/finalizers:[a,b,d],finalizers:[d]}}",
        current: "{strategy:{name:rolling,finalizers:[a,b,theirs]}}",
        result: "{strategy:{name:rolling,finalizers:[a,b,d,theirs]}}",
        ..EMPTY
    },
    Case {
        what: "an item is deleted from a merging list of scalars",
        original: "{strategy:{name:rolling,finalizers:[a,b,c]}}",
        modified: "{strategy:{name:rolling,finalizers:[a,c]}}",
        two_way: concat!(
            "{strategy:{$retainKeys:[finalizers,name],$setElementOrder/finalizers:[a,c],",
            "$deleteFromPrimitiveList/finalizers:[b]}}"
        ),
        current: "{strategy:{name:rolling,finalizers:[a,b,c,theirs]}}",
        result: "{strategy:{name:rolling,finalizers:[a,c,theirs]}}",
        ..EMPTY
    },
    Case {
        what: "an item is added to and one deleted from a merging list of scalars",
        original: "{strategy:{name:rolling,finalizers:[a,b,c]}}",
        modified: "{strategy:{name:rolling,finalizers:[a,c,e]}}",
        two_way: concat!(
            "{strategy:{$retainKeys:[finalizers,name],$setElementOrder/finalizers:[a,c,e],",
            "$deleteFromPrimitiveList/finalizers:[b],finalizers:[e]}}"
        ),
        current: "{strategy:{name:rolling,finalizers:[a,b,c,theirs]}}",
        result: "{strategy:{name:rolling,finalizers:[a,c,e,theirs]}}",
        ..EMPTY
    },
    Case {
        what: "a merging list of scalars is removed",
        original: "{strategy:{name:rolling,finalizers:[a,b,c]}}",
        modified: "{strategy:{name:rolling}}",
        two_way: "{strategy:{$retainKeys:[name],finalizers:null}}",
        ..EMPTY
    },
];
