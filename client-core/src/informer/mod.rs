//! One cache, many readers: a collection of the server, kept as it is there, and whoever wants to know it or to hear what changes
//! (client-go `tools/cache/shared_informer.go`, `informers`, `dynamic/dynamicinformer`, `metadata/metadatainformer`).
//!
//! A [`SharedInformer`] follows an [`ObjectSource`] in any form of objects, a [`TableInformer`] the server's own table. A
//! [`SharedInformerFactory`] makes one of each for all who ask. They are read by [`Lister`]s and indexes, and tell
//! [handlers](EventHandler) and [`ChangeStream`]s, each at its own pace, and [readers](Reader), in their own turn.
//!
//! # The contract
//!
//! Each sentence names the test that holds it, in `informer/tests`.
//!
//! Of the cache:
//!
//! - It comes to have what the server has, whatever happens to connections, answers and watches on the way, unless the informer is
//!   stopped or the server is not there any more. `the_cache_comes_to_have_what_the_server_has`
//! - An object goes through some of its states in their order, and never back. It may skip some.
//!   `an_object_goes_through_some_of_its_states_in_their_order_and_never_back`
//! - Where lists are taken in [whole](Intake::whole), which they are unless something else is said, all of the cache is what the
//!   server had at one moment. `a_cache_that_takes_lists_in_whole_is_what_the_server_had_at_one_moment_and_never_goes_back`
//! - So is each answer of it; one that is [taken in as it comes](Intake::as_they_come) is between two moments until its list is
//!   whole. `two_readers_never_wait_for_each_other_and_every_query_is_of_one_moment`
//! - An object that was given out stays as it was. `who_holds_an_object_holds_it_as_it_was`
//! - Its version never goes back, and a deletion moves it too. `the_version_of_the_cache_never_goes_back`,
//!   `the_version_of_the_cache_follows_what_comes_and_what_goes`
//! - Objects are told from one another by namespace and name. Of one that was deleted and made again while nothing was heard it
//!   is told that it changed; the uids before and after tell.
//!   `what_was_deleted_and_made_again_unseen_is_told_as_one_that_changed`
//! - One that cannot be read is not there, is [named](SharedInformer::faults), and hinders no other.
//!   `of_several_events_those_that_can_be_read_are_told_and_the_others_are_named`
//!
//! Of who is told:
//!
//! - The cache and its indexes have a change before any reader hears of it; they may have later ones when a handler does.
//!   `the_cache_has_a_change_before_any_reader_hears_of_it`
//! - Each handler is told one change after the other, those of one object in their order, and none twice. Handlers among
//!   themselves have no order. `each_handler_is_told_the_changes_of_one_object_in_their_order_and_none_twice`
//! - A late handler is told what is there before anything newer.
//!   `a_late_handler_is_told_what_is_there_before_anything_newer`
//! - `is_in_initial_list` is told of what was there before the cache or the handler was, first, and of nothing after it.
//!   `is_in_initial_list_is_told_of_what_was_there_before_the_cache_and_of_nothing_after_it`
//! - A handler [has synced](HandlerRegistration::has_synced) only after it handled all of that. The informer has before.
//!   `a_handler_has_synced_only_after_it_handled_the_first_list`
//! - A slow handler hinders no other and misses nothing. What waits for it is kept without a limit, so it is to hand on what takes
//!   long. `a_slow_handler_hinders_no_other_and_misses_nothing`
//! - Natively, a handler that panics loses the change it panicked on, pauses for a second, and loses nothing else. In a browser
//!   a panic ends the program. `a_handler_that_panics_loses_the_change_it_panicked_on_and_nothing_else`
//! - What was taken off is told no more, not even what was on its way. `what_was_taken_off_is_told_no_more`
//! - A reader may ask anything of the informer from within; what changes it is done after its turn.
//!   `a_reader_may_call_the_informer_from_within`
//! - Who asked for resyncs is told of each object again about once a period, by the cache alone; who did not is never told what did
//!   not change. `each_handler_hears_of_all_again_after_its_own_period_and_one_without_a_period_never`
//!
//! Of its end:
//!
//! - After a stop nothing is asked or taken in; what is open is aborted; what was told is still handled.
//!   `after_a_stop_nothing_is_asked_or_taken_in_and_what_was_told_is_still_handled`
//! - An informer that nobody has any more ends as if it was stopped. A handler that has one keeps it alive.
//!   `an_informer_that_nobody_has_any_more_ends`
//! - One that was stopped takes no handler and does not start again.
//!   `a_stopped_informer_takes_no_handler_and_says_why`, `a_stopped_informer_says_so_and_was_started`
//!
//! It does not promise that all states of an object are seen, that changes of different objects come in the order in which they
//! happened, that what is told of a deletion that went unseen is the last state, or that a resync finds anything out. A reader is
//! called while the informer waits: it is to be quick; natively, one that panics is called no more. A panic of a transform ends the
//! informer.
//!
//! # Where it differs from client-go
//!
//! - That something was deleted which the cache never had is told to nobody.
//! - What a list brings again as it was is told to nobody; there, to those whose resync is due just then.
//! - A handler that panicked comes to have synced; there it never does.
//! - A handler asks for resyncs itself; there it has the period of the informer unless it says otherwise.
//! - Who stops an informer, or lets go of the last handle of one, aborts its request; there it runs on in the background.
//! - Lists can be taken in as they come; there only whole.

mod change;
mod changes;
mod consistency;
mod error;
mod factory;
mod faults;
mod gather;
mod handler;
mod handler_funcs;
mod intake;
pub(crate) mod latch;
mod lister;
pub(crate) mod lock;
#[cfg(test)]
#[cfg(all(feature = "typed", not(target_family = "wasm")))]
mod model;
mod object_source;
mod options;
mod process;
mod reader;
mod resync;
mod selection;
mod shared;
mod statistics;
pub mod synctrack;
mod table;
mod table_source;
mod table_state;
#[cfg(test)]
mod tests;
mod turn;
mod wait;

pub use change::Change;
pub use changes::ChangeStream;
pub use consistency::{ConsistencyError, Difference, check_consistency};
pub use error::InformerError;
pub use factory::{FactoryOptions, InformerHandle, InformerKey, SharedInformerFactory};
pub use handler::{EventHandler, Filtering};
pub use handler_funcs::HandlerFuncs;
pub use intake::Intake;
pub use lister::{Lister, NamespaceLister};
pub use object_source::ObjectSource;
pub use options::{InformerOptions, WatchErrorHandler};
pub use reader::{News, Reader};
pub use selection::{IdentityCheck, SameCluster, Selection};
pub use shared::{HandlerRegistration, SharedInformer};
pub use statistics::InformerStatistics;
pub use table::TableInformer;
pub use table_state::{TableHandler, TableNews, TableState};
pub use wait::{CacheSync, NotSynced, wait_for_sync};
