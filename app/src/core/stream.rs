//! Which informers run: connections are a budget.
//!
//! A browser keeps six connections to a host. Each informer holds one for its stream; two stay free for requests.
//! What no visible tab shows gives its stream back, the longest idle first.

use std::{cell::RefCell, rc::Rc};

use porthole_client_core::{
    informer::TableInformer,
    meta::{GroupVersionResource, Namespace},
    platform::Instant,
};

use super::live_view::LiveView;

/// How many streams run at most.
pub(super) const MOST_STREAMS: usize = 4;
/// How many of them may be kept although nobody looks, for a quick way back.
const MOST_IDLE: usize = 2;

/// What tells one informer from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StreamKey {
    pub(super) resource: GroupVersionResource,
    /// Whether its objects belong to namespaces.
    pub(super) namespaced: bool,
    pub(super) namespace: Option<Namespace>,
}

/// A running informer and the views that read it.
pub(super) struct Stream {
    pub(super) key: StreamKey,
    pub(super) informer: TableInformer,
    pub(super) readers: Vec<Reader>,
    /// When the last reader left.
    idle_since: Option<Instant>,
}

/// A view that reads a stream.
pub(super) struct Reader {
    pub(super) view: Rc<RefCell<LiveView>>,
    pub(super) subscription: u64,
}

/// The informers that run.
#[derive(Default)]
pub(super) struct Streams(Vec<Stream>);

impl Streams {
    /// The stream of this key.
    pub(super) fn find(&self, key: &StreamKey) -> Option<&Stream> {
        self.0.iter().find(|stream| stream.key == *key)
    }

    /// The stream that `view` reads.
    pub(super) fn of_view(&self, view: &Rc<RefCell<LiveView>>) -> Option<&Stream> {
        self.0.iter().find(|stream| stream.readers.iter().any(|reader| Rc::ptr_eq(&reader.view, view)))
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Stream> {
        self.0.iter()
    }

    /// Lets `view` read the stream of `key`.
    pub(super) fn attach(&mut self, key: &StreamKey, view: Rc<RefCell<LiveView>>, subscription: u64) {
        if let Some(stream) = self.0.iter_mut().find(|stream| stream.key == *key) {
            stream.idle_since = None;
            stream.readers.push(Reader { view, subscription });
        }
    }

    /// Adds a running informer.
    pub(super) fn add(&mut self, key: StreamKey, informer: TableInformer) {
        self.0.push(Stream { key, informer, readers: Vec::new(), idle_since: None });
    }

    /// Takes `view` off whatever it reads, and ends what has been idle for too long a list.
    pub(super) fn detach(&mut self, view: &Rc<RefCell<LiveView>>, now: Instant) {
        for stream in &mut self.0 {
            let Some(at) = stream.readers.iter().position(|reader| Rc::ptr_eq(&reader.view, view)) else { continue };
            let reader = stream.readers.swap_remove(at);
            if stream.informer.unsubscribe(reader.subscription) == 0 {
                stream.idle_since = Some(now);
            }
        }
        while self.0.iter().filter(|stream| stream.idle_since.is_some()).count() > MOST_IDLE {
            self.end_longest_idle();
        }
    }

    /// Makes room for one more stream; gives back whether there is any.
    pub(super) fn make_room(&mut self) -> bool {
        while self.0.len() >= MOST_STREAMS {
            if !self.end_longest_idle() {
                return false;
            }
        }
        true
    }

    /// Ends all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    fn end_longest_idle(&mut self) -> bool {
        let idle = self.0.iter().enumerate().filter_map(|(at, stream)| stream.idle_since.map(|since| (since, at)));
        match idle.min() {
            Some((_, at)) => {
                self.0.swap_remove(at);
                true
            }
            None => false,
        }
    }
}
