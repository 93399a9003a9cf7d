//! What is said.

use porthole_client_core::{
    discovery::Catalog,
    meta::{ClusterId, GroupResource, Namespace},
    platform::WallTime,
    view::{CellView, ViewColumn},
};
use serde::{Deserialize, Serialize};

/// From a page to the core.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ToCore {
    /// The first word of a page.
    Hello {
        /// The name of the lock that the tab holds while it lives.
        lock: String,
        /// What the page has stored.
        known: Option<KnownCluster>,
    },
    /// Show this; the view's number is of the page's choice.
    /// With `resumed` the page shows the rows of an earlier core, and keeps them until the whole list is there.
    Subscribe { view: u32, spec: ViewSpec, window: ViewWindow, resumed: bool },
    /// Show the view another way: other sorting, other filter.
    Arrange { view: u32, spec: ViewSpec },
    /// Show another part of the view.
    Window { view: u32, window: ViewWindow },
    /// Stop showing the view.
    Unsubscribe { view: u32 },
    /// Ask which namespaces there are.
    Namespaces,
    /// Ask the server again now, whatever it said last.
    Retry,
    /// The host slept, or came back online.
    Woken,
    /// Whether the tab can be seen.
    Visible(bool),
    /// Are you there?
    Ping(u32),
    /// The tab is closing.
    Goodbye,
}

/// From the core to a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ToPage {
    /// The first word of the core.
    Welcome,
    /// Which cluster there is, and how it is.
    Cluster(ClusterView),
    /// What the cluster has.
    Catalog(Catalog),
    /// The namespaces, or why they may not be known.
    Namespaces(Result<Vec<Namespace>, Problem>),
    /// What changed in a view.
    View { view: u32, patch: ViewPatch },
    /// A warning of the server.
    Warning(String),
    /// I am.
    Pong(u32),
    /// The core has failed and is gone; why.
    Died(String),
}

/// A cluster as a page remembers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KnownCluster {
    pub(crate) id: ClusterId,
    pub(crate) catalog: Catalog,
}

/// What a view shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ViewSpec {
    pub(crate) resource: GroupResource,
    /// One namespace; `None` for all.
    pub(crate) namespace: Option<Namespace>,
    /// The column to sort by.
    pub(crate) sort: Option<String>,
    pub(crate) descending: bool,
    pub(crate) filter: String,
    /// Whether the columns for wide output are shown.
    pub(crate) wide: bool,
}

/// The part of a view that a page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ViewWindow {
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// The row that shall stay where it is on the screen.
    pub(crate) anchor: Option<u64>,
}

/// What changed in a view since the last patch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ViewPatch {
    /// Whether only the health is to be taken over: nothing is known of the rows yet.
    pub(crate) only_health: bool,
    /// Whether nothing of earlier patches holds any more.
    pub(crate) reset: bool,
    /// The columns, where they are others now.
    pub(crate) columns: Option<Vec<ViewColumn>>,
    /// How many rows there are.
    pub(crate) total: u32,
    /// How many pass the filter.
    pub(crate) matched: u32,
    /// The place of the first row in `order`.
    pub(crate) first: u32,
    /// The rows of the window by number, in order.
    pub(crate) order: Vec<u64>,
    /// Those of them that are new to the page or have changed.
    pub(crate) rows: Vec<RowView>,
    /// The anchor of the window, and where it is now. The page may have chosen another since.
    pub(crate) anchor: Option<(u64, u32)>,
    /// How the watch is.
    pub(crate) health: HealthView,
    /// How many rows came, changed and went.
    pub(crate) changes: [u32; 3],
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowView {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) cells: Vec<CellView>,
    pub(crate) deleting: bool,
    /// What is wrong with the row.
    pub(crate) fault: Option<String>,
    /// Whether the object has just come to be.
    pub(crate) fresh: bool,
}

/// How a view's watch is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HealthView {
    pub(crate) state: ViewHealth,
    /// When the state began.
    pub(crate) since: WallTime,
    /// When the server was last heard.
    pub(crate) heard: Option<WallTime>,
    /// Whether a whole list has been seen.
    pub(crate) synced: bool,
    /// What is wrong.
    pub(crate) problem: Option<Problem>,
}

/// The state of a view's watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ViewHealth {
    #[default]
    Loading,
    Live,
    /// The resource cannot be watched, so it is listed now and then.
    Polling,
    Reconnecting,
    Refused,
    /// All connections are taken by what other tabs show.
    Waiting,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Problem {
    /// The code of the server's answer; 0 where there was none.
    pub(crate) code: u16,
    /// In words.
    pub(crate) message: String,
}

/// Which cluster there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClusterView {
    /// Its identity; `None` where it may not be read.
    pub(crate) id: Option<ClusterId>,
    /// The server's version.
    pub(crate) version: Option<String>,
    pub(crate) phase: ClusterPhase,
    /// When the phase began.
    pub(crate) since: WallTime,
}

impl ClusterView {
    /// Whether `id` is another cluster's for certain: an identity that may not be read (any more) is not another one.
    pub(crate) fn differs_from(&self, id: Option<&ClusterId>) -> bool {
        self.id.as_ref().zip(id).is_some_and(|(ours, theirs)| ours != theirs)
    }
}

/// How the cluster is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ClusterPhase {
    /// It has not answered yet.
    #[default]
    Asking,
    /// It answers.
    Here,
    /// It does not.
    Away(Problem),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_arrives_as_it_was_sent() {
        let patch = ViewPatch {
            order: vec![7],
            rows: vec![RowView {
                id: 7,
                name: "名前".into(),
                namespace: String::new(),
                cells: vec![CellView::Since { at: WallTime(-5), before: "9 (".into(), after: " ago)".into() }],
                deleting: false,
                fault: None,
                fresh: true,
            }],
            ..ViewPatch::default()
        };
        let bytes = postcard::to_allocvec(&ToPage::View { view: 3, patch: patch.clone() }).unwrap();
        let ToPage::View { view: 3, patch: arrived } = postcard::from_bytes(&bytes).unwrap() else { panic!("another message") };
        assert_eq!(arrived, patch);
    }

    #[test]
    fn bytes_of_another_build_are_an_error_and_no_panic() {
        assert!(postcard::from_bytes::<ToPage>(&[99, 1, 2, 3]).is_err());
        assert!(postcard::from_bytes::<ToCore>(&[]).is_err());
    }
}
