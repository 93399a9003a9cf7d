//! Operations that follow each other: one by itself, or some that bring about what chance alone brings about too seldom.

use proptest::{prelude::*, strategy::Union};

use super::{
    operation::{Colour, Operation, operations},
    trouble::{Refusal, Target, Trouble, Upset, classes, errors},
};

/// Past the time in which a second try is not made without delay.
const A_WHILE: Operation = Operation::Pass { milliseconds: 6_000 };

/// One operation, or a few.
pub(super) fn acts() -> impl Strategy<Value = Vec<Operation>> {
    Union::new_weighted(vec![
        (70, operations().prop_map(|operation| vec![operation]).boxed()),
        (9, in_a_streamed_list().boxed()),
        (3, other_columns_in_a_streamed_list().boxed()),
        (6, at_the_question_who_answers().boxed()),
        (8, between_pages().boxed()),
        (10, at_the_opening_of_a_watch().boxed()),
        (4, Just(a_bookmark_that_comes_twice()).boxed()),
        (5, Just(a_line_that_is_lost()).boxed()),
        (2, errors_in_a_row().boxed()),
        (1, while_an_informer_lingers().boxed()),
    ])
}

/// What the outside says to an exchange that is under way.
fn words() -> impl Strategy<Value = Vec<Operation>> {
    prop::sample::select(vec![
        vec![Operation::Retry, Operation::Woken, Operation::Resume],
        vec![Operation::Suspend],
        vec![Operation::Suspend, Operation::Turns(3), Operation::Woken, Operation::Retry, Operation::Resume],
        vec![Operation::Woken, Operation::Retry, Operation::Resume, Operation::Turns(3), Operation::Suspend],
    ])
}

/// A list that is streamed, and does not come to its end.
fn streamed_list() -> Vec<Operation> {
    let lost = Operation::Trouble(Target::Watch, Trouble::LoseBookmark);
    let expired = Operation::Upset(Upset::Error(Refusal::Expired));
    let write = Operation::Write { object: 0, colour: Colour::Red };
    vec![Operation::Settle, A_WHILE, Operation::Rest, write, lost, expired, Operation::Rest]
}

fn in_a_streamed_list() -> impl Strategy<Value = Vec<Operation>> {
    let then = prop_oneof![
        5 => errors().prop_map(|upset| vec![Operation::Upset(upset)]),
        1 => Just(vec![Operation::Upset(Upset::GarbageLine), Operation::Rest, Operation::Upset(Upset::Break)]),
        1 => Just(vec![Operation::EndWatches]),
        1 => Just(vec![Operation::Pass { milliseconds: 16_000 }, Operation::Woken]),
        1 => Just(vec![Operation::NextTimer, Operation::Rest, Operation::NextTimer]),
        1 => Just(vec![Operation::Write { object: 1, colour: Colour::Red }]),
        4 => words(),
    ];
    then.prop_map(|then| [streamed_list(), then, vec![Operation::Rest]].concat())
}

/// Rows of a list that is streamed do not fit the columns that it began with.
fn other_columns_in_a_streamed_list() -> impl Strategy<Value = Vec<Operation>> {
    prop::sample::select(vec![(1, 2), (2, 3), (3, 1)]).prop_map(|(first, second)| {
        let write = |object| Operation::Write { object, colour: Colour::Red };
        let then = vec![Operation::Columns(first), write(1), Operation::Columns(second), write(2), Operation::Rest];
        [streamed_list(), then].concat()
    })
}

/// The end of a list that is streamed is said twice.
fn a_bookmark_that_comes_twice() -> Vec<Operation> {
    let twice = Operation::Trouble(Target::Watch, Trouble::DuplicateBookmark);
    vec![twice, Operation::Upset(Upset::Error(Refusal::Gone)), Operation::Rest]
}

/// What a line said is not known, so that the next watch does not go on from where the last one was.
fn a_line_that_is_lost() -> Vec<Operation> {
    vec![Operation::Upset(Upset::GarbageLine), Operation::Rest, A_WHILE, Operation::Upset(Upset::Break), Operation::Rest]
}

/// The question who answers, before a watch, a streamed list or a list.
fn at_the_question_who_answers() -> impl Strategy<Value = Vec<Operation>> {
    let lost = Operation::Trouble(Target::List, Trouble::ResetBeforeAnswer);
    let refused = Operation::Trouble(Target::Watch, Trouble::Refuse(Refusal::BadRequest));
    let before = prop::sample::select(vec![
        vec![Operation::Upset(Upset::Break)],
        vec![Operation::Upset(Upset::Error(Refusal::StoreRead))],
        vec![Operation::Upset(Upset::Error(Refusal::StoreRead))],
        vec![lost, refused, Operation::Upset(Upset::Error(Refusal::Expired))],
        vec![lost, refused, Operation::Upset(Upset::Error(Refusal::Expired))],
    ]);
    (before, classes(), words(), any::<bool>()).prop_map(|(before, trouble, words, speaks)| {
        let trouble = Operation::Trouble(Target::Identity, trouble);
        let mut all = vec![Operation::Settle, A_WHILE, Operation::Rest, trouble];
        all.extend(before);
        all.extend([Operation::Rest, Operation::NextTimer, Operation::Rest]);
        if speaks {
            all.extend(words);
        }
        all.extend([Operation::NextTimer, Operation::Rest]);
        all
    })
}

/// A list in pages, of which the first or the second has trouble.
fn between_pages() -> impl Strategy<Value = Vec<Operation>> {
    let slow = prop_oneof![Just(Trouble::Hang), Just(Trouble::StallAfter(0)), Just(Trouble::Delay(5))];
    let trouble = prop_oneof![3 => classes(), 2 => slow];
    (trouble, words(), 0..3_u8, any::<bool>()).prop_map(|(trouble, words, then, second)| {
        let write = |object| Operation::Write { object, colour: Colour::Red };
        let mut all = vec![write(0), write(2), write(4), write(6), Operation::Settle, A_WHILE, Operation::Rest];
        if second {
            // The first page has none: a list knows no bookmarks.
            all.push(Operation::Trouble(Target::List, Trouble::LoseBookmark));
        }
        all.push(Operation::Trouble(Target::List, trouble));
        all.push(Operation::Trouble(Target::Watch, Trouble::Refuse(Refusal::BadRequest)));
        all.push(Operation::Upset(Upset::Error(Refusal::Expired)));
        all.extend([Operation::Rest, Operation::Rest]);
        match then {
            0 => all.extend([Operation::NextTimer, Operation::Rest, Operation::NextTimer]),
            1 => all.push(Operation::Pass { milliseconds: 61_000 }),
            _ => all.extend(words),
        }
        all.push(Operation::Rest);
        all
    })
}

/// A watch that is being opened, with a list in it or without.
fn at_the_opening_of_a_watch() -> impl Strategy<Value = Vec<Operation>> {
    let slow = prop_oneof![Just(Trouble::Hang), Just(Trouble::Delay(5))];
    let before = prop::sample::select(vec![Upset::Break, Upset::Error(Refusal::Expired), Upset::Error(Refusal::Expired)]);
    (before, prop_oneof![3 => classes(), 2 => slow], words(), any::<bool>()).prop_map(|(before, trouble, words, speaks)| {
        let trouble = Operation::Trouble(Target::Watch, trouble);
        let mut all = vec![Operation::Settle, A_WHILE, Operation::Rest, trouble, Operation::Upset(before), Operation::Rest];
        if speaks {
            all.extend(words);
        } else {
            all.push(Operation::Pass { milliseconds: 31_000 });
        }
        all.push(Operation::Rest);
        all
    })
}

/// Errors that a watch reports, one after the other.
fn errors_in_a_row() -> impl Strategy<Value = Vec<Operation>> {
    let refusals = vec![Refusal::BadRequest, Refusal::Unavailable, Refusal::Forbidden, Refusal::Internal];
    prop::sample::select(refusals).prop_map(|refusal| {
        let once = [Operation::Upset(Upset::Error(refusal)), Operation::Rest, Operation::NextTimer, Operation::Rest];
        [&[Operation::Settle][..], &once, &once, &once].concat()
    })
}

/// Somebody lets go of an informer, and another asks for it again.
fn while_an_informer_lingers() -> impl Strategy<Value = Vec<Operation>> {
    (0..60_000_u64).prop_map(|milliseconds| vec![Operation::LetGo, Operation::Pass { milliseconds }, Operation::AskAgain])
}
