//! Which view gets which stream.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use porthole_client_core::{
    clients::TableClient,
    informer::{Selection, TableInformer, TableNews},
    platform::WallTime,
    reflector::Following,
    rest::ResourcePath,
};

use super::{following::CoreIdentity, live_view::LiveView, server::Core, stream::StreamKey};
use crate::bridge::{ClusterPhase, ClusterView, Problem, ViewHealth, ViewSpec, ViewWindow};

/// A view, and whether its tab is hidden.
type Placed = (bool, Rc<RefCell<LiveView>>);

/// How a view without a stream is, since when, and why.
type NoStream = (ViewHealth, WallTime, Option<Problem>);

impl Core {
    pub(super) fn subscribe(&self, tab: u32, number: u32, spec: ViewSpec, window: ViewWindow, resumed: bool) {
        let view = Rc::new(RefCell::new(LiveView::new(spec, window, resumed, self.0.platform.wall_time())));
        let before = self.0.tabs.borrow_mut().get_mut(&tab).and_then(|tab| tab.views.insert(number, view));
        if let Some(before) = before {
            self.detach(&before);
        }
        self.admit();
        self.poke();
    }

    pub(super) fn arrange(&self, tab: u32, number: u32, spec: ViewSpec) {
        let Some(view) = self.view(tab, number) else { return };
        match self.0.streams.borrow().of_view(&view) {
            Some(stream) => {
                let wall = self.0.platform.wall_time();
                stream.informer.read(|state| view.borrow_mut().arrange(spec, state.rows, wall));
            }
            None => view.borrow_mut().set_spec(spec),
        }
        self.flush_now();
    }

    pub(super) fn view(&self, tab: u32, number: u32) -> Option<Rc<RefCell<LiveView>>> {
        self.0.tabs.borrow().get(&tab)?.views.get(&number).cloned()
    }

    pub(super) fn all_views(&self) -> Vec<Rc<RefCell<LiveView>>> {
        self.0.tabs.borrow().values().flat_map(|tab| tab.views.values().cloned()).collect()
    }

    pub(super) fn detach(&self, view: &Rc<RefCell<LiveView>>) {
        self.0.streams.borrow_mut().detach(view, self.0.platform.now());
    }

    /// Gives every view its stream, those of visible tabs first; a view for which none is left waits.
    pub(super) fn admit(&self) {
        let views: Vec<_> = {
            let tabs = self.0.tabs.borrow();
            tabs.values().flat_map(|tab| tab.views.values().map(|view| (!tab.visible, Rc::clone(view)))).collect()
        };
        for turn in [false, true] {
            for (hidden, view) in views.iter().filter(|(hidden, _)| *hidden == turn) {
                self.admit_one(view, *hidden, &views);
            }
        }
    }

    fn admit_one(&self, view: &Rc<RefCell<LiveView>>, hidden: bool, all: &[Placed]) {
        let wall = self.0.platform.wall_time();
        let Some(wanted) = self.wanted(view) else { return };
        let (key, following) = match wanted {
            Ok(wanted) => wanted,
            Err((state, since, problem)) => {
                // What is shown of a resource that is gone stays; its own watch says so.
                if self.0.streams.borrow().of_view(view).is_none() {
                    view.borrow_mut().set_health(state, since, problem);
                }
                return;
            }
        };
        let attached = self.0.streams.borrow().of_view(view).map(|stream| stream.key == key);
        match attached {
            Some(true) => return,
            // The server prefers another version by now.
            Some(false) => {
                self.detach(view);
                view.borrow_mut().restart(wall);
            }
            None => {}
        }
        view.borrow_mut().set_namespaced(key.namespaced);
        if self.0.streams.borrow().find(&key).is_none() {
            let path = match ResourcePath::collection(&key.resource, key.namespace.as_ref()) {
                Ok(path) => path,
                Err(error) => {
                    let problem = Problem { code: 0, message: error.to_string() };
                    view.borrow_mut().set_health(ViewHealth::Refused, wall, Some(problem));
                    return;
                }
            };
            if !self.make_room(hidden, all) {
                view.borrow_mut().set_health(ViewHealth::Waiting, wall, None);
                return;
            }
            let check = Arc::new(CoreIdentity(self.clone()));
            let informer =
                TableInformer::start(TableClient::new(self.0.client.clone(), path), Selection::default(), following, check);
            self.0.streams.borrow_mut().add(key.clone(), informer);
        }
        let subscription = self.0.streams.borrow().find(&key).map(|stream| {
            let (core, view) = (self.clone(), Rc::clone(view));
            stream.informer.subscribe(move |news: TableNews<'_>| {
                view.borrow_mut().take_in(&news, core.0.platform.now(), core.0.platform.wall_time());
                core.poke();
            })
        });
        if let Some(subscription) = subscription {
            self.0.streams.borrow_mut().attach(&key, Rc::clone(view), subscription);
        }
    }

    /// Which stream a view is to have and how it is followed, or why there is none; `None` for a view of nothing.
    fn wanted(&self, view: &Rc<RefCell<LiveView>>) -> Option<Result<(StreamKey, Following), NoStream>> {
        let spec = view.borrow().spec().cloned()?;
        let wall = self.0.platform.wall_time();
        let catalog = self.0.catalog.borrow();
        let Some(catalog) = &*catalog else {
            // Nothing is known of the cluster: the view waits for it, and says what it waits for.
            return Some(Err(match &*self.0.cluster.borrow() {
                ClusterView { phase: ClusterPhase::Away(problem), since, .. } => {
                    (ViewHealth::Loading, *since, Some(problem.clone()))
                }
                _ => (ViewHealth::Loading, wall, None),
            }));
        };
        let Some(resource) = catalog.find(&spec.resource) else {
            let message = format!("the server has no resource \"{}\"", spec.resource);
            return Some(Err((ViewHealth::Refused, wall, Some(Problem { code: 404, message }))));
        };
        let following = if resource.has("watch") { Following::WatchList } else { Following::List };
        let namespace = spec.namespaces.first().cloned().filter(|_| resource.namespaced);
        let key = StreamKey { resource: resource.identity.clone(), namespaced: resource.namespaced, namespace };
        Some(Ok((key, following)))
    }

    /// Makes room for a stream: by ending one nobody reads, or, for a tab that is seen, one that only hidden
    /// tabs read.
    fn make_room(&self, hidden: bool, all: &[Placed]) -> bool {
        if self.0.streams.borrow_mut().make_room() {
            return true;
        }
        if hidden {
            return false;
        }
        let is_hidden = |view: &Rc<RefCell<LiveView>>| all.iter().any(|(hidden, other)| *hidden && Rc::ptr_eq(view, other));
        let readers: Option<Vec<_>> = {
            let streams = self.0.streams.borrow();
            let unseen = streams.iter().find(|stream| stream.readers.iter().all(|reader| is_hidden(&reader.view)));
            unseen.map(|stream| stream.readers.iter().map(|reader| Rc::clone(&reader.view)).collect())
        };
        for view in readers.iter().flatten() {
            self.detach(view);
            view.borrow_mut().restart(self.0.platform.wall_time());
        }
        self.0.streams.borrow_mut().make_room()
    }
}
