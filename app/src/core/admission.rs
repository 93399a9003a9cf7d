//! Which view gets which stream.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use porthole_client_core::{
    clients::TableClient,
    informer::{Selection, TableInformer, TableNews},
    json::JsonPath,
    platform::WallTime,
    reflector::Following,
    rest::ResourcePath,
    wire::ProjectedColumn,
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
        let has_rows = self.0.streams.borrow().of_view(&view).next().is_some();
        if has_rows {
            view.borrow_mut().arrange(spec, self.0.platform.wall_time());
        } else {
            view.borrow_mut().set_spec(spec);
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
        let (keys, following) = match wanted {
            Ok(wanted) => wanted,
            Err((state, since, problem)) => {
                // What is shown of a resource that is gone stays; its own watch says so.
                if self.0.streams.borrow().of_view(view).next().is_none() {
                    view.borrow_mut().set_health(state, since, problem);
                }
                return;
            }
        };
        if self.has_what_it_wants(view, &keys, following) {
            return;
        }
        let had_some = self.0.streams.borrow().of_view(view).next().is_some();
        if had_some {
            // The server prefers another version by now, or a connection is free for what was listed only.
            self.detach(view);
            view.borrow_mut().restart(wall);
        }
        for (place, key) in keys.into_iter().enumerate() {
            view.borrow_mut().set_namespaced(key.namespaced);
            if let Err((state, problem)) = self.run(&key, place, following, hidden, all) {
                view.borrow_mut().set_health(state, wall, problem);
                return;
            }
            let subscription = self.0.streams.borrow().find(&key).map(|stream| {
                let (core, view) = (self.clone(), Rc::clone(view));
                stream.informer.subscribe(move |news: TableNews<'_>| {
                    view.borrow_mut().take_in(place, &news, core.0.platform.now(), core.0.platform.wall_time());
                    core.poke();
                })
            });
            if let Some(subscription) = subscription {
                self.0.streams.borrow_mut().attach(&key, Rc::clone(view), subscription);
            }
        }
    }

    /// Whether a view reads all that it is to read, as well as there is room for.
    fn has_what_it_wants(&self, view: &Rc<RefCell<LiveView>>, keys: &[StreamKey], following: Following) -> bool {
        let streams = self.0.streams.borrow();
        let mut read = 0;
        let mut holding = 0;
        for stream in streams.of_view(view) {
            if !keys.contains(&stream.key) {
                return false;
            }
            read += 1;
            holding += usize::from(stream.holds_connection);
        }
        let could_hold = following == Following::WatchList && holding < read && holding < streams.most().1 && streams.has_room();
        read == keys.len() && !could_hold
    }

    /// Makes the stream of this key run. Of several that a view wants, those for which there is no connection list now and then.
    fn run(
        &self,
        key: &StreamKey,
        place: usize,
        following: Following,
        hidden: bool,
        all: &[Placed],
    ) -> Result<(), (ViewHealth, Option<Problem>)> {
        if self.0.streams.borrow().find(key).is_some() {
            return Ok(());
        }
        let path = ResourcePath::collection(&key.resource, key.namespace.as_ref())
            .map_err(|error| (ViewHealth::Refused, Some(Problem { code: 0, message: error.to_string() })))?;
        let may_hold = place < self.0.streams.borrow().most().1 && self.make_room(hidden, all);
        if !may_hold && place == 0 {
            return Err((ViewHealth::Waiting, None));
        }
        let following = if may_hold { following } else { Following::List };
        let identity = Arc::new(CoreIdentity(self.clone()));
        let tables = TableClient::new(self.0.client.clone(), path);
        let informer = TableInformer::start(tables, key.selection.clone(), following, identity);
        self.0.streams.borrow_mut().add(key.clone(), informer, may_hold);
        Ok(())
    }

    /// Which streams a view is to have and how they are followed, or why there are none; `None` for a view of nothing.
    fn wanted(&self, view: &Rc<RefCell<LiveView>>) -> Option<Result<(Vec<StreamKey>, Following), NoStream>> {
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
        let refused = |code, message| Some(Err((ViewHealth::Refused, wall, Some(Problem { code, message }))));
        let Some(resource) = catalog.find(&spec.resource) else {
            return refused(404, format!("the server has no resource \"{}\"", spec.resource));
        };
        let identity = match &spec.version {
            None => resource.identity.clone(),
            Some(version) => match catalog.find_version(&spec.resource, version) {
                Some(identity) => identity,
                None => return refused(404, format!("the server has no version \"{version}\" of \"{}\"", spec.resource)),
            },
        };
        let selection = match selection(&spec) {
            Ok(selection) => selection,
            Err(message) => return refused(0, message),
        };
        let following = if resource.has("watch") { Following::WatchList } else { Following::List };
        let key = |namespace| StreamKey {
            resource: identity.clone(),
            namespaced: resource.namespaced,
            namespace,
            selection: selection.clone(),
        };
        let keys = if resource.namespaced && !spec.namespaces.is_empty() {
            spec.namespaces.into_iter().map(|namespace| key(Some(namespace))).collect()
        } else {
            vec![key(None)]
        };
        Some(Ok((keys, following)))
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

/// The part of a collection that is asked for, and what is shown of it beside the server's columns.
fn selection(spec: &ViewSpec) -> Result<Selection, String> {
    let (label_selector, field_selector) = spec.selectors();
    let column = |(name, path): &(String, String)| match JsonPath::parse(path) {
        Ok(path) => Ok(ProjectedColumn { name: name.clone(), path }),
        Err(error) => Err(format!("the column \"{name}\" cannot be shown: {error}")),
    };
    let projection = spec.projection.iter().map(column).collect::<Result<Vec<_>, _>>()?.into();
    Ok(Selection { label_selector, field_selector, projection })
}
