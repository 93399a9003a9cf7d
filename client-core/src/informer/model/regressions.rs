//! Cases that once went wrong, by what was wrong with them.

use super::{
    cluster::Flaw,
    operation::{Colour, Manner, Operation},
    run::play,
    scenario::{End, First, FormName, Host, Identities, QueueName, Scenario},
    trouble::{Refusal, Target, Trouble},
};
use crate::reflector::Following;

fn scenario() -> Scenario {
    Scenario {
        form: FormName::Typed,
        host: Host::Alone,
        whole: false,
        queue: QueueName::Fifo,
        following: Following::WatchList,
        first_list: First::Any,
        page_size: None,
        retries_internal_errors: false,
        selects: false,
        identity: Identities::Same,
        chunks: false,
        watch_cache: true,
        streams_lists: true,
        objects: 3,
        end: End::Drop,
        seed: 0,
    }
}

#[test]
fn a_collection_that_is_listed_in_pages_now_and_then_is_as_new_as_its_last_list() {
    let write = Operation::Write { object: 0, colour: Colour::Red };
    let forbidden = Operation::Trouble(Target::Watch, Trouble::Refuse(Refusal::Forbidden));
    for (following, operations) in
        [(Following::List, vec![Operation::Rest, write]), (Following::Watch, vec![forbidden, Operation::Rest, write])]
    {
        for page_size in [None, Some(1), Some(3)] {
            for watch_cache in [true, false] {
                play(&Scenario { following, page_size, watch_cache, ..scenario() }, &operations).unwrap();
            }
        }
    }
}

#[test]
fn a_handler_is_told_of_an_object_of_another_cluster_whatever_its_version() {
    for seed in 0..40 {
        let scenario = Scenario { identity: Identities::Unknown, seed, ..scenario() };
        for writes in 0..4 {
            let write = Operation::Write { object: 0, colour: Colour::Red };
            let mut operations = vec![Operation::Handler(Manner::Function)];
            operations.extend(vec![write; writes]);
            operations.extend([Operation::Settle, Operation::ReplaceCluster]);
            play(&scenario, &operations).unwrap();
        }
    }
}

#[test]
fn columns_that_change_are_noticed_by_whatever_row_comes_first() {
    let write = |object| Operation::Write { object, colour: Colour::Red };
    let table = Scenario { form: FormName::Table, ..scenario() };
    for first in [write(0), write(8), Operation::Delete { object: 0 }, Operation::Recreate { object: 0, colour: Colour::Blue }] {
        for following in [Following::WatchList, Following::Watch] {
            let operations = [Operation::Rest, Operation::Columns(2), first, Operation::Rest, Operation::Settle];
            play(&Scenario { following, ..table.clone() }, &operations).unwrap();
        }
    }
    // Those that come and go before a list can tell are noticed again when they come for good.
    let back_and_forth =
        [Operation::Rest, Operation::EndWatches, Operation::Rest, Operation::Columns(2), write(0), Operation::Turns(1)];
    let then = [Operation::Columns(1), Operation::Settle, Operation::Columns(2), write(1), Operation::Settle];
    play(&table, &[&back_and_forth[..], &then].concat()).unwrap();
}

#[test]
fn an_object_that_cannot_be_read_is_known_as_such_in_every_form() {
    for form in [FormName::Typed, FormName::Compact, FormName::Unstructured, FormName::Metadata, FormName::Table] {
        for flaw in [Flaw::Data, Flaw::Labels] {
            let unreadable = Operation::WriteUnreadable { object: 0, flaw };
            let readable = Operation::Write { object: 0, colour: Colour::Red };
            for whole in [true, false] {
                let operations = [unreadable, Operation::Settle, readable, Operation::Settle, unreadable, Operation::Settle];
                play(&Scenario { form, whole, ..scenario() }, &operations).unwrap();
            }
        }
    }
}

#[test]
fn a_handler_that_was_taken_off_hears_nothing_though_the_informer_is_gone() {
    for manner in [Manner::Function, Manner::Methods, Manner::Panicking, Manner::Resync(1)] {
        let operations = [Operation::Settle, Operation::Handler(manner), Operation::RemoveHandler(0), Operation::LetGo];
        for host in [Host::Alone, Host::Factory(0), Host::Factory(40)] {
            play(&Scenario { host, ..scenario() }, &operations).unwrap();
        }
    }
}

#[test]
fn a_list_in_place_of_one_that_broke_off_is_not_older() {
    let write = Operation::Write { object: 0, colour: Colour::Red };
    for following in [Following::WatchList, Following::Watch] {
        for first_list in [First::Any, First::MostRecent, First::Exact, First::Forgotten] {
            for (target, trouble) in [
                (Target::Watch, Trouble::LoseBookmark),
                (Target::Watch, Trouble::CutAfter(900)),
                (Target::List, Trouble::CutAfter(900)),
                (Target::List, Trouble::StallAfter(900)),
            ] {
                let operations =
                    [Operation::Subscribe, write, Operation::Trouble(target, trouble), Operation::Rest, write, Operation::Settle];
                play(&Scenario { following, first_list, ..scenario() }, &operations).unwrap();
            }
        }
    }
}
