//! Faults on demand: what a test wants to go wrong, and when.

use std::time::Duration;

use http::Method;

use crate::{meta::Status, transport::Request};

/// What goes wrong with a request.
///
/// Some of them can hit one request together, such as a [`Delay`](Self::Delay) and a [`Refuse`](Self::Refuse).
///
#[cfg_attr(feature = "test-util", doc = "```")]
#[cfg_attr(not(feature = "test-util"), doc = "```ignore")]
/// use std::{sync::Arc, time::Duration};
/// use futures::FutureExt as _;
/// use porthole_client_core::{
///     fake::{FakeApiServer, Fault, FaultKind},
///     meta::Status,
///     platform::{FakePlatform, ready},
///     transport::{Request, Response, Transport, TransportError, read_to_end},
/// };
///
/// let platform = FakePlatform::default();
/// let server = FakeApiServer::new(Arc::new(platform.clone()));
/// let list = || server.send(Request::read("/api/v1/namespaces"));
/// // The next list, as this fault lets it be.
/// let with = |kind: FaultKind| {
///     server.faults().add(Fault::new(kind).once());
///     list()
/// };
/// let body = |response: Response| ready(read_to_end(response.body));
/// let whole = body(ready(list())?)?.len();
///
/// // The body breaks off, or ends as if it were whole, or nothing more comes.
/// assert!(matches!(body(ready(with(FaultKind::CutAfter(10)))?), Err(TransportError::Broken { .. })));
/// assert_eq!(body(ready(with(FaultKind::EndAfter(10)))?)?.len(), 10);
/// let stalled = ready(with(FaultKind::StallAfter(10)))?;
/// assert!(read_to_end(stalled.body).now_or_never().is_none());
///
/// // The answer is late, or never comes.
/// let mut late = with(FaultKind::Delay(Duration::from_secs(5)));
/// assert!((&mut late).now_or_never().is_none());
/// platform.advance(Duration::from_secs(5));
/// assert_eq!(body(ready(late)?)?.len(), whole);
/// assert!(with(FaultKind::Hang).now_or_never().is_none());
///
/// // It is another answer: a refusal, one of the test's own, or one of a proxy that stands in between.
/// for status in [Status::too_many_requests("slow down", 1), Status::internal_error("oh"), Status::service_unavailable("no")] {
///     let code = status.code;
///     assert_eq!(ready(with(FaultKind::Refuse(Box::new(status))))?.status, code);
/// }
/// assert_eq!(ready(with(FaultKind::Answer(|_request| (418, "{}".to_owned()))))?.status, 418);
/// let page = ready(with(FaultKind::ContentType("text/html".to_owned())))?;
/// assert_eq!(page.headers["content-type"], "text/html");
///
/// // There is no connection, or it is lost before the answer comes.
/// assert!(matches!(ready(with(FaultKind::Unreachable)), Err(TransportError::Unreachable { .. })));
/// assert!(matches!(ready(with(FaultKind::ResetBeforeAnswer)), Err(TransportError::Lost { .. })));
/// assert!(matches!(ready(with(FaultKind::ResetAfterDone)), Err(TransportError::Lost { .. })));
///
/// // The bookmark at the end of the initial events of a watch comes twice, or not at all.
/// let watch = "/api/v1/pods?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
/// for (kind, bookmarks) in [(FaultKind::DuplicateBookmark, 2), (FaultKind::LoseBookmark, 0)] {
///     server.faults().add(Fault::new(kind).on_query("watch=").once());
///     let response = ready(server.send(Request::read(watch)))?;
///     server.end_watches();
///     let text = String::from_utf8_lossy(&body(response)?).into_owned();
///     assert_eq!(text.matches("BOOKMARK").count(), bookmarks);
/// }
/// # Ok::<(), TransportError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FaultKind {
    /// The body of the answer breaks off after so many bytes.
    CutAfter(usize),
    /// The body of the answer ends after so many bytes, as if it were whole.
    EndAfter(usize),
    /// Nothing comes after so many bytes of the body of the answer, and the connection stays.
    StallAfter(usize),
    /// The answer comes so much later. The request is done at once.
    Delay(Duration),
    /// Every bookmark of the watch comes twice.
    DuplicateBookmark,
    /// No bookmark of the watch comes, the end of the initial events among them.
    LoseBookmark,
    /// The answer says it is of another content type.
    ContentType(String),
    /// The request is refused, and not done. A delay that the Status suggests is also the `Retry-After`. A watch that is
    /// refused as [expired](Status::expired) has a 410 as its answer; one from a version that the server
    /// [forgot](super::FakeApiServer::compact) has it as its first event, as real servers have it today.
    Refuse(Box<Status>),
    /// The request is answered by this function in place of the server.
    Answer(fn(&Request) -> (u16, String)),
    /// The connection breaks before the answer comes. The request is not done.
    ResetBeforeAnswer,
    /// The connection breaks before the answer comes. The request is done.
    ResetAfterDone,
    /// The server cannot be reached.
    Unreachable,
    /// No answer comes. The request is not done.
    Hang,
}

/// What goes wrong in the midst of the watches that are open; see [`FakeApiServer::disturb_watches`](super::FakeApiServer::disturb_watches).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Disturbance {
    /// The connection breaks.
    Break,
    /// The server reports an error and ends the watch.
    Error(Box<Status>),
    /// A line comes that the server did not mean.
    Line(String),
    /// Nothing more comes, and the connection stays.
    Stall,
}

/// A fault and the requests it is for: without more said, all of them.
///
/// ```
/// use http::Method;
/// use porthole_client_core::{
///     fake::{Fault, FaultKind},
///     meta::Status,
/// };
///
/// let busy = FaultKind::Refuse(Box::new(Status::too_many_requests("slow down", 1)));
/// let second_list_of_pods = Fault::new(busy).on_method(Method::GET).on_path("/pods").after(1).times(1);
/// # drop(second_list_of_pods);
/// ```
#[derive(Clone, Debug)]
pub struct Fault {
    kind: FaultKind,
    method: Option<Method>,
    path: Option<String>,
    query: Option<String>,
    skipped: usize,
    left: usize,
}

impl Fault {
    /// This fault, for every request.
    #[must_use]
    pub const fn new(kind: FaultKind) -> Self {
        Self { kind, method: None, path: None, query: None, skipped: 0, left: usize::MAX }
    }

    /// Only for requests of this method.
    #[must_use]
    pub fn on_method(mut self, method: Method) -> Self {
        self.method = Some(method);
        self
    }

    /// Only for requests whose path, without its query, ends with this.
    #[must_use]
    pub fn on_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Only for requests whose query has this in it, such as `watch=`.
    #[must_use]
    pub fn on_query(mut self, query: impl Into<String>) -> Self {
        self.query = Some(query.into());
        self
    }

    /// Not for the first so many of these requests.
    #[must_use]
    pub const fn after(mut self, count: usize) -> Self {
        self.skipped = count;
        self
    }

    /// For so many of these requests, and then no more.
    #[must_use]
    pub const fn times(mut self, count: usize) -> Self {
        self.left = count;
        self
    }

    /// For one of these requests, and then no more.
    #[must_use]
    pub const fn once(self) -> Self {
        self.times(1)
    }

    fn is_for(&self, request: &Request) -> bool {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        self.method.as_ref().is_none_or(|method| *method == request.method)
            && self.path.as_ref().is_none_or(|ending| path.ends_with(ending.as_str()))
            && self.query.as_ref().is_none_or(|part| query.contains(part.as_str()))
    }
}

/// The faults that are still to come.
#[derive(Default)]
pub(super) struct FaultScript(Vec<Fault>);

impl FaultScript {
    pub(super) fn add(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// What goes wrong with this request: every fault that is for it counts one.
    pub(super) fn strike(&mut self, request: &Request) -> Vec<FaultKind> {
        let mut struck = Vec::new();
        for fault in self.0.iter_mut().filter(|fault| fault.is_for(request)) {
            if fault.skipped > 0 {
                fault.skipped -= 1;
            } else if fault.left > 0 {
                fault.left -= 1;
                struck.push(fault.kind.clone());
            }
        }
        self.0.retain(|fault| fault.left > 0);
        struck
    }
}

/// What goes wrong inside of a watch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StreamFaults {
    pub(super) loses_bookmark: bool,
    pub(super) doubles_bookmark: bool,
}

impl StreamFaults {
    pub(super) fn of(struck: &[FaultKind]) -> Self {
        Self {
            loses_bookmark: struck.iter().any(|kind| matches!(kind, FaultKind::LoseBookmark)),
            doubles_bookmark: struck.iter().any(|kind| matches!(kind, FaultKind::DuplicateBookmark)),
        }
    }
}
