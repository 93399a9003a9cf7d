//! What stays as it is through a case: what is followed, how, and on which server.

use proptest::prelude::*;

use crate::reflector::Following;

/// A scenario.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each of its parts varies by itself")]
pub(super) struct Scenario {
    pub(super) form: FormName,
    pub(super) host: Host,
    pub(super) whole: bool,
    pub(super) queue: QueueName,
    pub(super) following: Following,
    pub(super) first_list: First,
    pub(super) page_size: Option<u32>,
    pub(super) retries_internal_errors: bool,
    pub(super) selects: bool,
    pub(super) identity: Identities,
    pub(super) chunks: bool,
    pub(super) watch_cache: bool,
    /// Whether the server knows how to stream a list.
    pub(super) streams_lists: bool,
    pub(super) objects: usize,
    pub(super) end: End,
    pub(super) seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormName {
    Typed,
    Compact,
    Unstructured,
    Metadata,
    Table,
}

/// Who made the informer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    /// The test.
    Alone,
    /// A factory, which keeps it for so many seconds.
    Factory(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueueName {
    Fifo,
    FifoAtomic,
    FifoOneByOne,
    Delta,
    DeltaWithoutReplaced,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    Any,
    MostRecent,
    /// Of just the version that the server is at.
    Exact,
    /// Of one that it has forgotten.
    Forgotten,
}

/// What is known of who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identities {
    /// It is taken for the same; no other comes.
    Same,
    /// Each says who it is.
    Known,
    /// It may not be known.
    Unknown,
}

/// How a case ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Drop,
    Stop,
    /// The factory is shut down; an informer by itself is stopped.
    ShutDown,
}

pub(super) fn scenarios() -> impl Strategy<Value = Scenario> {
    use FormName::{Compact, Metadata, Table, Typed, Unstructured};
    use QueueName::{Delta, DeltaWithoutReplaced, Fifo, FifoAtomic, FifoOneByOne};
    let form = prop_oneof![2 => Just(Typed), 1 => Just(Compact), 1 => Just(Unstructured), 1 => Just(Metadata), 2 => Just(Table)];
    let host = prop_oneof![
        4 => Just(Host::Alone),
        1 => Just(Host::Factory(0)),
        1 => Just(Host::Factory(40)),
        1 => Just(Host::Factory(u64::MAX)),
    ];
    let queue = prop_oneof![Just(Fifo), Just(FifoAtomic), Just(FifoOneByOne), Just(Delta), Just(DeltaWithoutReplaced)];
    let following = prop_oneof![6 => Just(Following::WatchList), 3 => Just(Following::Watch), 1 => Just(Following::List)];
    let first_list =
        prop_oneof![3 => Just(First::Any), 1 => Just(First::MostRecent), 1 => Just(First::Exact), 1 => Just(First::Forgotten)];
    let page_size = prop_oneof![1 => Just(None), 2 => Just(Some(1)), 1 => Just(Some(3))];
    let identity = prop_oneof![1 => Just(Identities::Same), 2 => Just(Identities::Known), 1 => Just(Identities::Unknown)];
    let end = prop_oneof![Just(End::Drop), Just(End::Stop), Just(End::ShutDown)];
    let usually = || prop::bool::weighted(0.8);
    let how = (form, host, any::<bool>(), queue, following, first_list, page_size, any::<bool>());
    let on_what =
        (prop::bool::weighted(0.3), identity, any::<bool>(), usually(), usually(), 0..super::cluster::OBJECTS, end, any::<u64>());
    (how, on_what).prop_map(|(how, on_what)| {
        let (form, host, whole, queue, following, first_list, page_size, retries_internal_errors) = how;
        let (selects, identity, chunks, watch_cache, streams_lists, objects, end, seed) = on_what;
        Scenario {
            form,
            host,
            whole,
            queue,
            following,
            first_list,
            page_size,
            retries_internal_errors,
            selects,
            identity,
            chunks,
            watch_cache,
            streams_lists,
            objects,
            end,
            seed,
        }
    })
}
