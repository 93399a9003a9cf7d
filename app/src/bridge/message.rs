//! What is said.

pub(crate) use porthole_client_core::view::{RowView, ViewWindow};
use porthole_client_core::{
    discovery::Catalog,
    meta::{ClusterId, GroupResource, Namespace},
    platform::WallTime,
    view::{Query, SortOrder, ViewColumn},
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
    /// Look for objects whose names hold this, in what is cached; with `everywhere`, ask for one of exactly this name
    /// in all kinds that are not.
    Find { text: String, everywhere: bool },
    /// Whether to tell of what is alive, once a second.
    Activity(bool),
    /// Whether nothing of the cluster may be changed.
    ReadOnly(bool),
    /// Tell which rows these are, for the selection.
    Choose { view: u32, rows: Choice },
    /// Write rows as a text.
    Export { view: u32, rows: Option<Vec<u64>>, format: ExportFormat },
    /// Delete the objects of these rows.
    Delete { view: u32, rows: Vec<u64> },
    /// Ask again for what failed in discovery, and nothing else.
    RetryDiscovery,
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
    /// Objects that were found, besides those told before; `left` says how many kinds are still to be asked.
    Found { text: String, objects: Vec<FoundObject>, left: Option<u32> },
    /// What is alive.
    Activity(ActivityView),
    /// How many objects there are of each resource that is followed in all namespaces.
    Counts(Vec<(String, u32)>),
    /// The rows that were asked for.
    Chosen { view: u32, rows: Vec<RowName> },
    /// The rows as a text, or why not.
    Exported { format: ExportFormat, answer: Result<String, Problem> },
    /// What came of a deletion: how many are done, how many are left, and what failed.
    Deleted { done: u32, left: u32, failed: Vec<(String, Problem)> },
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
    /// The version; `None` for the one that the server prefers.
    pub(crate) version: Option<String>,
    /// The namespaces; none for all.
    pub(crate) namespaces: Vec<Namespace>,
    /// The columns to sort by, the first first.
    pub(crate) sort: Vec<SortOrder>,
    /// What is looked for.
    pub(crate) filter: String,
    /// The headings that are shown; `None` for the server's choice.
    pub(crate) shown: Option<Vec<String>>,
    /// Whether that is the choice for wide output.
    pub(crate) wide: bool,
    /// Columns beside the server's: their headings and paths.
    pub(crate) projection: Vec<(String, String)>,
}

impl ViewSpec {
    /// The selectors in what is looked for, which the server applies: of labels, and of fields.
    pub(crate) fn selectors(&self) -> (Option<String>, Option<String>) {
        // One that cannot be read is the fault of the whole filter, which the view tells; meanwhile nothing is selected.
        Query::parse(&self.filter).map(|query| (query.label_selector(), query.field_selector())).unwrap_or_default()
    }

    /// Whether both are of the same collections, whatever is selected of them.
    pub(crate) fn is_same_place(&self, other: &Self) -> bool {
        self.resource == other.resource && self.version == other.version && self.namespaces == other.namespaces
    }

    /// Whether both show rows that the server answers with alike.
    pub(crate) fn has_same_rows(&self, other: &Self) -> bool {
        self.is_same_place(other) && self.projection == other.projection && self.selectors() == other.selectors()
    }
}

/// Which rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Choice {
    /// All that match.
    All,
    /// Those from one to another, in their order.
    Between(u64, u64),
    /// Those of these objects, where they are still there: a new core has other numbers.
    Named(Vec<RowName>),
}

/// A row, and what tells its object from all others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowName {
    pub(crate) id: u64,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) uid: Option<String>,
}

/// As what rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ExportFormat {
    Csv,
    Json,
    Yaml,
    Names,
}

/// An object that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FoundObject {
    pub(crate) resource: GroupResource,
    pub(crate) namespace: Option<Namespace>,
    pub(crate) name: String,
}

/// What is alive in the core, and what it has asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ActivityView {
    pub(crate) informers: Vec<InformerActivity>,
    /// Requests: those that are open, then the latest.
    pub(crate) requests: Vec<RequestActivity>,
    /// How many requests there were, and how many of them failed.
    pub(crate) asked: u32,
    pub(crate) failed: u32,
    /// All bytes that were received.
    pub(crate) bytes: u64,
    /// How many tabs the core serves.
    pub(crate) tabs: u32,
    /// How many streams there may be at once.
    pub(crate) most_streams: u32,
}

/// An informer that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InformerActivity {
    /// What it follows: the resource with its version.
    pub(crate) resource: String,
    pub(crate) namespace: Option<Namespace>,
    /// What is selected of it.
    pub(crate) selector: String,
    pub(crate) state: ViewHealth,
    pub(crate) objects: u32,
    pub(crate) bytes: u64,
    pub(crate) events: u64,
    pub(crate) lists: u32,
    pub(crate) watches: u32,
    pub(crate) readers: u32,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RequestActivity {
    pub(crate) method: String,
    pub(crate) path: String,
    /// The code of the answer; 0 where there was none.
    pub(crate) code: u16,
    pub(crate) began: WallTime,
    /// Milliseconds until the first byte, and in all; `None` where it has not come.
    pub(crate) first_byte: Option<u32>,
    pub(crate) whole: Option<u32>,
    pub(crate) bytes: u64,
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
    /// Rows that are no more.
    pub(crate) removed: Vec<u64>,
    /// What is wrong with what is looked for.
    pub(crate) fault: Option<String>,
    /// How many rows came, changed and went.
    pub(crate) changes: [u32; 3],
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
    use porthole_client_core::view::CellView;

    use super::*;

    #[test]
    fn a_message_arrives_as_it_was_sent() {
        let patch = ViewPatch {
            order: vec![7],
            rows: vec![RowView {
                id: 7,
                name: "名前".into(),
                cells: vec![CellView::Since { at: WallTime(-5), before: "9 (".into(), after: " ago)".into() }],
                uid: Some("u-1".into()),
                created: Some(WallTime(5)),
                fresh: true,
                ..RowView::default()
            }],
            removed: vec![3],
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
