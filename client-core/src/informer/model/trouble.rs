//! What goes wrong with requests, with watches and with the question who answers.

use std::time::Duration;

use proptest::prelude::*;

use crate::{
    fake::{Disturbance, FaultKind},
    meta::{GroupResource, Status, StatusReason},
};

/// Which request a fault waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    List,
    Watch,
    Identity,
}

/// What goes wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    CutAfter(usize),
    EndAfter(usize),
    StallAfter(usize),
    Delay(u64),
    DuplicateBookmark,
    LoseBookmark,
    ContentType,
    Refuse(Refusal),
    AnswerOfProxy,
    ResetBeforeAnswer,
    ResetAfterDone,
    Unreachable,
    Hang,
}

/// A refusal, as an answer or in the midst of a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Expired,
    Gone,
    TooManyRequests,
    TooManyRequestsForAWhile,
    Internal,
    Unavailable,
    VersionTooLarge,
    StoreRead,
    Forbidden,
    Unauthorized,
    NotFound,
    NoStreamedLists,
    BadRequest,
}

/// What happens in the midst of open watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Upset {
    Break,
    Stall,
    GarbageLine,
    EmptyLine,
    Error(Refusal),
}

impl Refusal {
    pub(super) const ALL: [Self; 13] = [
        Self::Expired,
        Self::Gone,
        Self::TooManyRequests,
        Self::TooManyRequestsForAWhile,
        Self::Internal,
        Self::Unavailable,
        Self::VersionTooLarge,
        Self::StoreRead,
        Self::Forbidden,
        Self::Unauthorized,
        Self::NotFound,
        Self::NoStreamedLists,
        Self::BadRequest,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::Gone => "gone",
            Self::TooManyRequests => "too many requests",
            Self::TooManyRequestsForAWhile => "too many requests for a while",
            Self::Internal => "internal error",
            Self::Unavailable => "unavailable",
            Self::VersionTooLarge => "version too large",
            Self::StoreRead => "storage read error",
            Self::Forbidden => "forbidden",
            Self::Unauthorized => "unauthorized",
            Self::NotFound => "not found",
            Self::NoStreamedLists => "no streamed lists",
            Self::BadRequest => "bad request",
        }
    }

    pub(super) fn status(self) -> Box<Status> {
        let maps = GroupResource { group: String::new(), resource: "configmaps".to_owned() };
        Box::new(match self {
            Self::Expired => Status::expired("too old resource version"),
            Self::Gone => Status::gone("the event in requested index is outdated"),
            Self::TooManyRequests => Status::too_many_requests("slow down", 0),
            Self::TooManyRequestsForAWhile => Status::too_many_requests("slow down", 17),
            Self::Internal => Status::internal_error("etcdserver: leader changed"),
            Self::Unavailable => Status::service_unavailable("not yet"),
            Self::VersionTooLarge => Status::timeout("Too large resource version: 9, current: 1", 1),
            Self::StoreRead => Status::failure(500, StatusReason::STORE_READ_ERROR, "data from the storage is not transformable"),
            Self::Forbidden => Status::forbidden(&maps, "", "no rights"),
            Self::Unauthorized => Status::unauthorized("who"),
            Self::NotFound => Status::not_found(&maps, ""),
            Self::NoStreamedLists => Status::failure(422, StatusReason::INVALID, "sendInitialEvents is forbidden for watch"),
            Self::BadRequest => Status::bad_request("what"),
        })
    }
}

impl Trouble {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::CutAfter(_) => "cut",
            Self::EndAfter(_) => "end early",
            Self::StallAfter(_) => "stall",
            Self::Delay(_) => "delay",
            Self::DuplicateBookmark => "duplicate bookmark",
            Self::LoseBookmark => "lose bookmark",
            Self::ContentType => "content type",
            Self::Refuse(_) => "refuse",
            Self::AnswerOfProxy => "answer of a proxy",
            Self::ResetBeforeAnswer => "reset before the answer",
            Self::ResetAfterDone => "reset after it was done",
            Self::Unreachable => "unreachable",
            Self::Hang => "hang",
        }
    }

    pub(super) fn fault(self) -> FaultKind {
        match self {
            Self::CutAfter(bytes) => FaultKind::CutAfter(bytes),
            Self::EndAfter(bytes) => FaultKind::EndAfter(bytes),
            Self::StallAfter(bytes) => FaultKind::StallAfter(bytes),
            Self::Delay(seconds) => FaultKind::Delay(Duration::from_secs(seconds)),
            Self::DuplicateBookmark => FaultKind::DuplicateBookmark,
            Self::LoseBookmark => FaultKind::LoseBookmark,
            Self::ContentType => FaultKind::ContentType("text/html".to_owned()),
            Self::Refuse(refusal) => FaultKind::Refuse(refusal.status()),
            Self::AnswerOfProxy => FaultKind::Answer(|_request| (502, "<html>Bad gateway</html>".to_owned())),
            Self::ResetBeforeAnswer => FaultKind::ResetBeforeAnswer,
            Self::ResetAfterDone => FaultKind::ResetAfterDone,
            Self::Unreachable => FaultKind::Unreachable,
            Self::Hang => FaultKind::Hang,
        }
    }

    /// Whether a watch of which this is true may have fallen silent without a sign.
    pub(super) const fn silences(self) -> bool {
        matches!(self, Self::StallAfter(_) | Self::LoseBookmark)
    }
}

impl Upset {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Break => "break",
            Self::Stall => "stall",
            Self::GarbageLine => "garbage line",
            Self::EmptyLine => "empty line",
            Self::Error(refusal) => refusal.name(),
        }
    }

    pub(super) fn disturbance(self) -> Disturbance {
        match self {
            Self::Break => Disturbance::Break,
            Self::Stall => Disturbance::Stall,
            Self::GarbageLine => Disturbance::Line("{\"type\":\"ADDED\",\"object\":{{{".to_owned()),
            Self::EmptyLine => Disturbance::Line(String::new()),
            Self::Error(refusal) => Disturbance::Error(refusal.status()),
        }
    }
}

fn refusals() -> impl Strategy<Value = Refusal> {
    prop::sample::select(&Refusal::ALL[..])
}

pub(super) fn troubles() -> impl Strategy<Value = Trouble> {
    let bytes = || prop_oneof![Just(0), 1..200_usize, 200..3000_usize];
    prop_oneof![
        1 => bytes().prop_map(Trouble::CutAfter),
        1 => bytes().prop_map(Trouble::EndAfter),
        1 => bytes().prop_map(Trouble::StallAfter),
        1 => prop::sample::select(&[1, 5, 29, 31, 59, 61][..]).prop_map(Trouble::Delay),
        2 => Just(Trouble::DuplicateBookmark),
        2 => Just(Trouble::LoseBookmark),
        1 => Just(Trouble::ContentType),
        6 => refusals().prop_map(Trouble::Refuse),
        1 => Just(Trouble::AnswerOfProxy),
        1 => Just(Trouble::ResetBeforeAnswer),
        1 => Just(Trouble::ResetAfterDone),
        1 => Just(Trouble::Unreachable),
        1 => Just(Trouble::Hang),
    ]
}

/// One of each class that makes a difference to who asked, each as often as the others.
pub(super) fn classes() -> impl Strategy<Value = Trouble> {
    let refusals = |some: &'static [Refusal]| prop::sample::select(some).prop_map(Trouble::Refuse);
    prop_oneof![
        2 => refusals(&[Refusal::Expired, Refusal::Gone, Refusal::VersionTooLarge]),
        2 => refusals(&[Refusal::TooManyRequests, Refusal::TooManyRequestsForAWhile, Refusal::Unavailable]),
        1 => Just(Trouble::AnswerOfProxy),
        2 => refusals(&[Refusal::Forbidden, Refusal::Unauthorized, Refusal::NotFound]),
        2 => refusals(&[Refusal::Internal, Refusal::StoreRead, Refusal::BadRequest]),
        2 => refusals(&[Refusal::NoStreamedLists]),
        2 => prop::sample::select(
            &[Trouble::ResetBeforeAnswer, Trouble::ResetAfterDone, Trouble::Unreachable, Trouble::CutAfter(0)][..]
        ),
        3 => prop::sample::select(&[Trouble::ContentType, Trouble::EndAfter(0), Trouble::EndAfter(20)][..]),
        4 => Just(Trouble::Hang),
    ]
}

/// One error of each class that a watch can report, each as often as the others.
pub(super) fn errors() -> impl Strategy<Value = Upset> {
    let some = |some: &'static [Refusal]| prop::sample::select(some).prop_map(Upset::Error);
    prop_oneof![
        some(&[Refusal::Expired, Refusal::Gone, Refusal::VersionTooLarge]),
        some(&[Refusal::TooManyRequests, Refusal::TooManyRequestsForAWhile]),
        some(&[Refusal::StoreRead]),
        some(&[Refusal::Internal]),
        some(&[
            Refusal::BadRequest,
            Refusal::Forbidden,
            Refusal::Unavailable,
            Refusal::NotFound,
            Refusal::Unauthorized,
            Refusal::NoStreamedLists
        ]),
    ]
}

pub(super) fn upsets() -> impl Strategy<Value = Upset> {
    prop_oneof![
        2 => Just(Upset::Break),
        1 => Just(Upset::Stall),
        1 => Just(Upset::GarbageLine),
        1 => Just(Upset::EmptyLine),
        6 => refusals().prop_map(Upset::Error),
    ]
}

pub(super) fn targets() -> impl Strategy<Value = Target> {
    prop_oneof![2 => Just(Target::List), 3 => Just(Target::Watch), 1 => Just(Target::Identity)]
}
