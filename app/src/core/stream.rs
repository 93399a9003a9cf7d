//! Which informers run: connections are a budget.
//!
//! A browser keeps six connections to a host. Each informer holds one for its stream; two stay free for requests.
//! What nobody looks at gives its stream back: after a while, or when another needs it, the longest idle first. What only
//! hidden tabs look at gives it back when a tab that is seen needs it.

use std::{cell::RefCell, rc::Rc, time::Duration};

use porthole_client_core::{
    informer::{Selection, TableInformer},
    meta::{GroupVersionResource, Namespace},
    platform::Instant,
};

use super::live_view::LiveView;

/// How many streams run at most.
const MOST_STREAMS: usize = 4;
/// How many of them may be kept although nobody looks, for a quick way back.
const MOST_IDLE: usize = 2;
/// For how long.
const IDLE_TIME: Duration = Duration::from_secs(60);
/// How many streams run where each tab has a core of its own: two tabs then leave two connections free as well.
const MOST_STREAMS_ALONE: usize = 2;

/// What tells one informer from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StreamKey {
    pub(super) resource: GroupVersionResource,
    /// Whether its objects belong to namespaces.
    pub(super) namespaced: bool,
    pub(super) namespace: Option<Namespace>,
    /// Which part of it, and what is shown beside the server's columns.
    pub(super) selection: Selection,
}

impl StreamKey {
    /// Whether all objects of the resource are followed.
    pub(super) fn is_whole(&self) -> bool {
        self.namespace.is_none() && self.selection.label_selector.is_none() && self.selection.field_selector.is_none()
    }
}

/// A running informer and the views that read it.
pub(super) struct Stream {
    pub(super) key: StreamKey,
    pub(super) informer: TableInformer,
    pub(super) readers: Vec<Reader>,
    /// Whether it holds a connection; otherwise it lists now and then.
    pub(super) holds_connection: bool,
    /// When the last reader left.
    idle_since: Option<Instant>,
}

/// A view that reads a stream.
pub(super) struct Reader {
    pub(super) view: Rc<RefCell<LiveView>>,
    pub(super) subscription: u64,
}

/// The informers that run.
pub(super) struct Streams {
    running: Vec<Stream>,
    most: usize,
    most_idle: usize,
}

impl Streams {
    /// None yet. `shared` says whether the core serves all tabs.
    pub(super) fn new(shared: bool) -> Self {
        let (most, most_idle) = if shared { (MOST_STREAMS, MOST_IDLE) } else { (MOST_STREAMS_ALONE, 0) };
        Self { running: Vec::new(), most, most_idle }
    }

    /// The stream of this key.
    pub(super) fn find(&self, key: &StreamKey) -> Option<&Stream> {
        self.running.iter().find(|stream| stream.key == *key)
    }

    /// The streams that `view` reads.
    pub(super) fn of_view(&self, view: &Rc<RefCell<LiveView>>) -> impl Iterator<Item = &Stream> {
        self.running.iter().filter(|stream| stream.readers.iter().any(|reader| Rc::ptr_eq(&reader.view, view)))
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Stream> {
        self.running.iter()
    }

    /// Lets `view` read the stream of `key`.
    pub(super) fn attach(&mut self, key: &StreamKey, view: Rc<RefCell<LiveView>>, subscription: u64) {
        if let Some(stream) = self.running.iter_mut().find(|stream| stream.key == *key) {
            stream.idle_since = None;
            stream.readers.push(Reader { view, subscription });
        }
    }

    /// Adds a running informer.
    pub(super) fn add(&mut self, key: StreamKey, informer: TableInformer, holds_connection: bool) {
        self.running.push(Stream { key, informer, readers: Vec::new(), holds_connection, idle_since: None });
    }

    /// How many connections there are for streams, and how many of them one view may hold: one is left for another.
    pub(super) fn most(&self) -> (usize, usize) {
        (self.most, self.most.saturating_sub(1).max(1))
    }

    /// Takes `view` off whatever it reads, and ends what has been idle for too long a list.
    pub(super) fn detach(&mut self, view: &Rc<RefCell<LiveView>>, now: Instant) {
        for stream in &mut self.running {
            let Some(at) = stream.readers.iter().position(|reader| Rc::ptr_eq(&reader.view, view)) else { continue };
            let reader = stream.readers.swap_remove(at);
            if stream.informer.unsubscribe(reader.subscription) == 0 {
                stream.idle_since = Some(now);
            }
        }
        while self.running.iter().filter(|stream| stream.idle_since.is_some()).count() > self.most_idle {
            self.end_longest_idle();
        }
    }

    /// Makes room for one more stream; gives back whether there is any.
    pub(super) fn make_room(&mut self) -> bool {
        while self.holding() >= self.most {
            if !self.end_longest_idle() {
                return false;
            }
        }
        true
    }

    /// Whether there is a free connection for one more.
    pub(super) fn has_room(&self) -> bool {
        self.holding() < self.most
    }

    fn holding(&self) -> usize {
        self.running.iter().filter(|stream| stream.holds_connection).count()
    }

    /// Ends what nobody has looked at for a while.
    pub(super) fn end_idle(&mut self, now: Instant) {
        self.running.retain(|stream| stream.idle_since.is_none_or(|since| now.since(since) < IDLE_TIME));
    }

    /// Ends all.
    pub(super) fn clear(&mut self) {
        self.running.clear();
    }

    fn end_longest_idle(&mut self) -> bool {
        let idle = self.running.iter().enumerate().filter_map(|(at, stream)| stream.idle_since.map(|since| (since, at)));
        match idle.min() {
            Some((_, at)) => {
                self.running.swap_remove(at);
                true
            }
            None => false,
        }
    }
}
