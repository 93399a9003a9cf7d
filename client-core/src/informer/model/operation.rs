//! What can be done to an informer and to its server.

use proptest::{prelude::*, strategy::Union};

use super::{
    cluster::{Flaw, OBJECTS},
    trouble::{Target, Trouble, Upset, targets, troubles, upsets},
};

/// One step of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    // What happens on the server.
    Write {
        object: usize,
        colour: Colour,
    },
    WriteUnreadable {
        object: usize,
        flaw: Flaw,
    },
    Delete {
        object: usize,
    },
    Recreate {
        object: usize,
        colour: Colour,
    },
    WriteElsewhere,
    SendBookmarks,
    Columns(u8),
    // What goes wrong.
    EndWatches,
    Upset(Upset),
    Compact,
    CompactStates,
    Trouble(Target, Trouble),
    ReplaceCluster,
    // Time.
    Turns(u8),
    Rest,
    Pass {
        milliseconds: u64,
    },
    NextTimer,
    /// Everything goes well for a while: all is compared.
    Settle,
    // What the outside tells.
    Woken,
    Retry,
    Suspend,
    Resume,
    // Who listens.
    Subscribe,
    Unsubscribe(u8),
    Handler(Manner),
    RemoveHandler(u8),
    Stream,
    PollStream {
        stream: u8,
        most: u8,
    },
    DropStream(u8),
    AddIndex,
    // Who uses it.
    LetGo,
    AskAgain,
}

/// The label of an object. A selection asks for red ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Red,
    Blue,
    None,
}

/// How a handler goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// It is a function.
    Function,
    /// It is an `EventHandler`.
    Methods,
    /// It panics now and then.
    Panicking,
    /// It wants to hear of everything again, so many seconds after the last time.
    Resync(u64),
}

impl Colour {
    pub(super) const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Red => Some("red"),
            Self::Blue => Some("blue"),
            Self::None => None,
        }
    }
}

pub(super) fn operations() -> impl Strategy<Value = Operation> {
    let object = || 0..OBJECTS;
    let colour = || prop::sample::select(&[Colour::Red, Colour::Red, Colour::Blue, Colour::None][..]);
    let flaw = prop::sample::select(&[Flaw::Data, Flaw::Labels][..]);
    let which = || 0..4_u8;
    let manner = prop::sample::select(
        &[Manner::Function, Manner::Methods, Manner::Panicking, Manner::Resync(1), Manner::Resync(30), Manner::Resync(3600)][..],
    );
    let milliseconds =
        prop::sample::select(&[1, 100, 900, 1_100, 5_000, 11_000, 16_000, 31_000, 61_000, 125_000, 700_000, 7_200_000][..]);
    let just = |operation: Operation| Just(operation).boxed();
    Union::new_weighted(vec![
        (14, (object(), colour()).prop_map(|(object, colour)| Operation::Write { object, colour }).boxed()),
        (3, (object(), flaw).prop_map(|(object, flaw)| Operation::WriteUnreadable { object, flaw }).boxed()),
        (6, object().prop_map(|object| Operation::Delete { object }).boxed()),
        (3, (object(), colour()).prop_map(|(object, colour)| Operation::Recreate { object, colour }).boxed()),
        (2, just(Operation::WriteElsewhere)),
        (2, just(Operation::SendBookmarks)),
        (1, (1..=3_u8).prop_map(Operation::Columns).boxed()),
        (3, just(Operation::EndWatches)),
        (14, upsets().prop_map(Operation::Upset).boxed()),
        (3, just(Operation::Compact)),
        (2, just(Operation::CompactStates)),
        (14, (targets(), troubles()).prop_map(|(target, trouble)| Operation::Trouble(target, trouble)).boxed()),
        (2, just(Operation::ReplaceCluster)),
        (10, (1..6_u8).prop_map(Operation::Turns).boxed()),
        (8, just(Operation::Rest)),
        (8, milliseconds.prop_map(|milliseconds| Operation::Pass { milliseconds }).boxed()),
        (10, just(Operation::NextTimer)),
        (1, just(Operation::Settle)),
        (3, just(Operation::Woken)),
        (3, just(Operation::Retry)),
        (2, just(Operation::Suspend)),
        (3, just(Operation::Resume)),
        (4, just(Operation::Subscribe)),
        (5, which().prop_map(Operation::Unsubscribe).boxed()),
        (6, manner.prop_map(Operation::Handler).boxed()),
        (5, which().prop_map(Operation::RemoveHandler).boxed()),
        (6, just(Operation::Stream)),
        (8, (which(), 1..6_u8).prop_map(|(stream, most)| Operation::PollStream { stream, most }).boxed()),
        (6, which().prop_map(Operation::DropStream).boxed()),
        (1, just(Operation::AddIndex)),
        (1, just(Operation::LetGo)),
        (2, just(Operation::AskAgain)),
    ])
}

impl Operation {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Write { .. } => "write",
            Self::WriteUnreadable { flaw: Flaw::Data, .. } => "write unreadable data",
            Self::WriteUnreadable { flaw: Flaw::Labels, .. } => "write unreadable labels",
            Self::Delete { .. } => "delete",
            Self::Recreate { .. } => "delete and create again",
            Self::WriteElsewhere => "write elsewhere",
            Self::SendBookmarks => "send bookmarks",
            Self::Columns(_) => "change the columns",
            Self::EndWatches => "end watches",
            Self::Upset(_) => "disturb watches",
            Self::Compact => "compact",
            Self::CompactStates => "compact states",
            Self::Trouble(..) => "plan a fault",
            Self::ReplaceCluster => "replace the cluster",
            Self::Turns(_) => "turns",
            Self::Rest => "rest",
            Self::Pass { .. } => "pass time",
            Self::NextTimer => "next timer",
            Self::Settle => "settle",
            Self::Woken => "wake",
            Self::Retry => "retry",
            Self::Suspend => "suspend",
            Self::Resume => "resume",
            Self::Subscribe => "subscribe",
            Self::Unsubscribe(_) => "unsubscribe",
            Self::Handler(Manner::Function) => "add a function",
            Self::Handler(Manner::Methods) => "add a handler",
            Self::Handler(Manner::Panicking) => "add a handler that panics",
            Self::Handler(Manner::Resync(_)) => "add a handler with resync",
            Self::RemoveHandler(_) => "remove a handler",
            Self::Stream => "open a stream",
            Self::PollStream { .. } => "poll a stream",
            Self::DropStream(_) => "drop a stream",
            Self::AddIndex => "add an index",
            Self::LetGo => "let go",
            Self::AskAgain => "ask again",
        }
    }
}
