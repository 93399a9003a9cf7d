//! The order and the window of a table.

use std::{cmp::Ordering, sync::Arc};

use rustc_hash::FxHashMap;

use super::{ColumnRole, SortKey, ViewColumn, sort_key};
use crate::{
    informer::Change,
    store::{Indexer, Key},
    wire::TableRow,
};

/// The column a view is sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortOrder {
    /// Its heading.
    pub column: String,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// What a view shows of its rows, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// The column to sort by; `None` for namespace and name.
    pub sort: Option<SortOrder>,
    /// Words that a row must hold, in any of the cells that are shown, whatever their case.
    pub filter: String,
    /// Whether the columns for wide output are shown.
    pub wide: bool,
}

/// Rows in order. More than this share of changed rows, and sorting anew is quicker than moving each.
const REBUILD_SHARE: usize = 8;

/// A view of a store: the rows that pass, in order.
///
/// ```
/// use porthole_client_core::{
///     platform::WallTime,
///     store::{Entry, Indexer},
///     view::{Arrangement, TableView, view_columns},
///     wire::decode_list,
/// };
///
/// let table = br#"{"kind":"Table","columnDefinitions":[{"name":"Name","type":"string","format":"name"}],"rows":[
///     {"cells":["web-1"],"object":{"metadata":{"name":"web-1"}}},
///     {"cells":["web-0"],"object":{"metadata":{"name":"web-0"}}},
///     {"cells":["db-0"],"object":{"metadata":{"name":"db-0"}}}]}"#;
/// let list = decode_list(table, WallTime(0))?;
/// let columns = view_columns(&list.columns.unwrap_or_default(), false);
/// let (mut store, mut view) = (Indexer::default(), TableView::default());
/// for row in list.rows {
///     store.insert(Entry::of(row));
/// }
///
/// view.arrange(Arrangement { filter: "web".into(), ..Arrangement::default() }, &columns, &store);
/// let names: Vec<_> = view.window(0, 10).map(|(_, row)| row.name.as_str()).collect();
/// assert_eq!(names, ["web-0", "web-1"]);
/// # Ok::<(), porthole_client_core::wire::DecodeError>(())
/// ```
#[derive(Debug, Default)]
pub struct TableView {
    arrangement: Arrangement,
    words: Vec<String>,
    sort: Option<(ColumnRole, Option<usize>, bool)>,
    cells: Vec<usize>,
    order: Vec<Arc<Placed>>,
    places: FxHashMap<Key, Arc<Placed>>,
}

/// A row with what it is ordered by.
#[derive(Debug)]
struct Placed {
    sort: SortKey,
    key: Key,
    row: Arc<TableRow>,
}

impl TableView {
    /// Shows `store` by `arrangement`, over `columns`.
    pub fn arrange(&mut self, arrangement: Arrangement, columns: &[ViewColumn], store: &Indexer<TableRow>) {
        self.words = arrangement.filter.split_whitespace().map(str::to_lowercase).collect();
        self.sort = arrangement.sort.as_ref().and_then(|sort| {
            let column = columns.iter().find(|column| column.name == sort.column)?;
            Some((column.role, column.cell, sort.descending))
        });
        self.cells = columns.iter().filter(|column| arrangement.wide || !column.wide).filter_map(|column| column.cell).collect();
        self.arrangement = arrangement;
        self.rebuild(store);
    }

    /// How the view is arranged.
    #[must_use]
    pub fn arrangement(&self) -> &Arrangement {
        &self.arrangement
    }

    /// Takes in what changed in `store`.
    pub fn apply(&mut self, changes: &[Change<TableRow>], store: &Indexer<TableRow>) {
        if changes.len() > 32 && changes.len() > self.order.len() / REBUILD_SHARE {
            self.rebuild(store);
            return;
        }
        for change in changes {
            self.remove(change.key());
            if let Change::Added { key, object: row, .. } | Change::Updated { key, after: row, .. } = change
                && self.passes(row)
            {
                let placed = Arc::new(Placed { sort: self.sort_key(row), key: key.clone(), row: Arc::clone(row) });
                let at = self.order.partition_point(|other| self.compare(other, &placed).is_lt());
                self.places.insert(key.clone(), Arc::clone(&placed));
                self.order.insert(at, placed);
            }
        }
    }

    /// How many rows pass.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether none does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The rows from the one at `first` on, at most `count`.
    pub fn window(&self, first: usize, count: usize) -> impl Iterator<Item = (&Key, &Arc<TableRow>)> {
        self.order.iter().skip(first).take(count).map(|placed| (&placed.key, &placed.row))
    }

    /// Where the row of this key is.
    #[must_use]
    pub fn position(&self, key: &Key) -> Option<usize> {
        let placed = self.places.get(key)?;
        self.order.binary_search_by(|other| self.compare(other, placed)).ok()
    }

    fn rebuild(&mut self, store: &Indexer<TableRow>) {
        self.order = store
            .iter_unsorted()
            .filter(|(_, row)| self.passes(row))
            .map(|(key, row)| Arc::new(Placed { sort: self.sort_key(row), key: key.clone(), row: Arc::clone(row) }))
            .collect();
        let mut order = std::mem::take(&mut self.order);
        order.sort_unstable_by(|a, b| self.compare(a, b));
        self.places = order.iter().map(|placed| (placed.key.clone(), Arc::clone(placed))).collect();
        self.order = order;
    }

    fn remove(&mut self, key: &Key) {
        if let Some(at) = self.position(key) {
            self.order.remove(at);
        }
        self.places.remove(key);
    }

    fn sort_key(&self, row: &TableRow) -> SortKey {
        self.sort.map_or(SortKey::Missing, |(role, cell, _)| sort_key(row, role, cell))
    }

    /// A total order: what is equal in the sorted column goes by namespace, name and key.
    fn compare(&self, a: &Placed, b: &Placed) -> Ordering {
        let descending = self.sort.is_some_and(|(_, _, descending)| descending);
        a.sort
            .compare(&b.sort, descending)
            .then_with(|| a.row.namespace.cmp(&b.row.namespace))
            .then_with(|| a.row.name.cmp(&b.row.name))
            .then_with(|| a.key.cmp(&b.key))
    }

    fn passes(&self, row: &TableRow) -> bool {
        self.words.iter().all(|word| {
            let holds = |text: &str| contains_ignoring_case(text, word);
            holds(row.name.as_str())
                || row.namespace.as_ref().is_some_and(|namespace| holds(namespace.as_str()))
                || self.cells.iter().filter_map(|cell| row.cells.get(*cell)).any(|cell| holds(&cell.to_string()))
        })
    }
}

/// Whether `text` holds the lower-case `word`, whatever the case of `text`.
fn contains_ignoring_case(text: &str, word: &str) -> bool {
    if text.is_ascii() {
        let (text, word) = (text.as_bytes(), word.as_bytes());
        return word.is_empty() || text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    }
    text.to_lowercase().contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        store::Entry,
        view::view_columns,
        wire::{Cell, Column},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn row(name: &str, namespace: &str, status: &str) -> TableRow {
        TableRow {
            uid: Some(format!("uid-{name}").into()),
            name: name.into(),
            namespace: Some(namespace.into()),
            cells: [name, status].map(|text| Cell::Text(text.into())).into(),
            ..TableRow::default()
        }
    }

    fn columns() -> Vec<ViewColumn> {
        let column = |name: &str, format: &str| Column {
            name: name.into(),
            kind: "string".into(),
            format: format.into(),
            description: String::new(),
            priority: 0,
        };
        view_columns(&[column("Name", "name"), column("Status", "")], true)
    }

    fn arrangement(sort: Option<(&str, bool)>, filter: &str) -> Arrangement {
        Arrangement {
            sort: sort.map(|(column, descending)| SortOrder { column: column.into(), descending }),
            filter: filter.into(),
            wide: false,
        }
    }

    fn names(view: &TableView) -> Vec<String> {
        view.window(0, usize::MAX).map(|(_, row)| row.name.to_string()).collect()
    }

    struct Bench {
        store: Indexer<TableRow>,
        view: TableView,
    }

    impl Bench {
        fn put(&mut self, row: TableRow) {
            let Entry { key, object } = Entry::of(row);
            let change = match self.store.insert(Entry { key: key.clone(), object: Arc::clone(&object) }) {
                Some(before) => Change::Updated { key, before, after: object },
                None => Change::Added { key, object, is_in_initial_list: false },
            };
            self.view.apply(&[change], &self.store);
        }

        fn take(&mut self, key: &str) {
            let gone =
                self.store.remove(key).map(|last| Change::Deleted { key: Key::new(key), last, is_final_state_unknown: false });
            self.view.apply(gone.as_slice(), &self.store);
        }
    }

    fn bench(arrangement: Arrangement) -> Bench {
        let mut bench = Bench { store: Indexer::default(), view: TableView::default() };
        bench.view.arrange(arrangement, &columns(), &bench.store);
        bench.put(row("b", "shop", "Running"));
        bench.put(row("a", "shop", "Pending"));
        bench.put(row("c", "bank", "Running"));
        bench
    }

    #[test]
    fn rows_come_by_namespace_and_name_where_nothing_else_is_asked() {
        assert_eq!(names(&bench(Arrangement::default()).view), ["c", "a", "b"]);
    }

    #[test]
    fn a_change_moves_its_row_to_where_it_belongs() {
        let mut bench = bench(arrangement(Some(("Status", true)), ""));
        assert_eq!(names(&bench.view), ["c", "b", "a"]);
        bench.put(row("a", "shop", "Unknown"));
        assert_eq!(names(&bench.view), ["a", "c", "b"]);
        bench.take("bank/c");
        assert_eq!(names(&bench.view), ["a", "b"]);
    }

    #[test]
    fn a_filter_looks_at_every_cell_and_follows_changes() {
        let mut bench = bench(arrangement(None, "RUN shop"));
        assert_eq!(names(&bench.view), ["b"]);
        bench.put(row("a", "shop", "Running"));
        assert_eq!(names(&bench.view), ["a", "b"]);
        bench.put(row("b", "shop", "Failed"));
        assert_eq!(names(&bench.view), ["a"]);
    }

    #[test]
    fn moving_rows_one_by_one_gives_what_sorting_anew_gives() {
        let mut bench = bench(arrangement(Some(("Status", false)), ""));
        let mut random = 7_u64;
        for step in 0..2000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let name = format!("pod-{}", (random >> 33) % 60);
            let status = ["Running", "Pending", "", "5", "10", "<none>", "v1.2.3"][usize::try_from((random >> 50) % 7).unwrap()];
            if random >> 62 == 0 {
                bench.take(&format!("n/{name}"));
            } else {
                bench.put(row(&name, "n", status));
            }
            if step % 50 == 0 {
                let mut anew = TableView::default();
                anew.arrange(bench.view.arrangement().clone(), &columns(), &bench.store);
                assert_eq!(names(&bench.view), names(&anew), "after {step} steps");
                let keys: Vec<_> = bench.view.window(0, usize::MAX).map(|(key, _)| key.clone()).collect();
                for (at, key) in keys.iter().enumerate() {
                    assert_eq!(bench.view.position(key), Some(at));
                }
            }
        }
    }
}
