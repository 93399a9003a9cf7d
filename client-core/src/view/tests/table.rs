use std::sync::Arc;

use crate::{
    platform::WallTime,
    store::{Entry, Indexer},
    view::{
        Arrangement, SortOrder, TableView,
        testing::{added, columns, deleted, entry, key, updated},
    },
    wire::TableRow,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn names(view: &TableView) -> Vec<&str> {
    view.window(0, usize::MAX).map(|(_, row)| row.name.as_str()).collect()
}

fn view(sort: Option<(&str, bool)>, filter: &str) -> TableView {
    let mut view = TableView::default();
    let sort = sort.map(|(column, descending)| SortOrder { column: column.into(), descending }).into_iter().collect();
    let arrangement = Arrangement { sort, filter: filter.into(), shown: None };
    view.arrange(arrangement, &columns(&["Name", "Status", "Age"]), std::iter::empty(), WallTime(0));
    for row in [row("b", "shop", "Running"), row("a", "shop", "Pending"), row("c", "bank", "Running")] {
        view.apply(&[added(&row)], WallTime(1_000_000));
    }
    view
}

fn row(name: &str, namespace: &str, status: &str) -> Entry<TableRow> {
    entry(name, namespace, &[status, "1m"])
}

#[test]
fn rows_come_by_namespace_and_name_where_nothing_else_is_asked() {
    assert_eq!(names(&view(None, "")), ["c", "a", "b"]);
}

#[test]
fn a_change_moves_its_row_to_where_it_belongs() {
    let mut view = view(Some(("Status", true)), "");
    assert_eq!(names(&view), ["c", "b", "a"]);
    view.apply(&[updated(&row("a", "shop", "Pending"), &row("a", "shop", "Unknown"))], WallTime(0));
    assert_eq!(names(&view), ["a", "c", "b"]);
    view.apply(&[deleted(&row("c", "bank", "Running")), deleted(&row("nobody", "bank", ""))], WallTime(0));
    assert_eq!(names(&view), ["a", "b"]);
    assert_eq!((view.position(&key("shop/b")), view.position(&key("bank/c"))), (Some(1), None));
}

#[test]
fn a_filter_follows_changes() {
    let mut view = view(None, "RUN shop");
    assert_eq!(names(&view), ["b"]);
    view.apply(&[updated(&row("a", "shop", "Pending"), &row("a", "shop", "Running"))], WallTime(0));
    assert_eq!(names(&view), ["a", "b"]);
    view.apply(&[updated(&row("b", "shop", "Running"), &row("b", "shop", "Failed"))], WallTime(0));
    assert_eq!((names(&view), view.len(), view.is_empty()), (vec!["a"], 1, false));
}

#[test]
fn a_view_over_several_stores_has_the_rows_of_all() {
    let stores = ["shop", "bank"].map(|namespace| {
        let mut store = Indexer::default();
        for name in ["b", "a"] {
            store.insert(row(name, namespace, "Running"));
        }
        store
    });
    let mut view = TableView::default();
    let rows = stores.iter().flat_map(Indexer::iter_unsorted);
    view.arrange(Arrangement::default(), &columns(&["Name", "Status", "Age"]), rows, WallTime(0));
    let keys: Vec<_> = view.window(1, 2).map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["bank/b", "shop/a"]);
    assert_eq!(view.window(9, 2).count(), 0);
}

#[test]
fn a_filter_that_makes_no_sense_leaves_the_one_before() {
    let mut view = view(None, "run");
    let row = row("b", "shop", "Running");
    let rows = || [(&row.key, &row.object)].into_iter();
    let columns = columns(&["Name", "Status", "Age"]);
    let arrangement = |filter: &str| Arrangement { filter: filter.into(), ..Arrangement::default() };
    view.arrange(arrangement("\"pend"), &columns, rows(), WallTime(0));
    assert_eq!((names(&view), view.problem().map(ToString::to_string)), (vec!["b"], Some("the quote has no end: add \"".into())));
    view.arrange(arrangement("pend"), &columns, rows(), WallTime(0));
    assert_eq!((names(&view).len(), view.problem()), (0, None));
}

#[test]
fn rows_come_and_go_as_time_passes() {
    let mut view = view(None, "age<5m");
    let (next, count) = (view.next_tick(), view.len());
    // They arrived at 1,000 s and were a minute old.
    assert_eq!((next, count), (Some(WallTime(1_240_000)), 3));
    assert!(!view.tick(WallTime(1_239_999)));
    let late = Entry::of(TableRow { arrived: WallTime(1_239_000), ..(*row("late", "shop", "Running").object).clone() });
    view.apply(&[added(&late)], WallTime(1_239_999));
    assert!(view.tick(WallTime(1_240_000)));
    assert_eq!((names(&view), view.next_tick()), (vec!["late"], Some(WallTime(1_479_000))));
    // A clock that goes back brings them again.
    assert!(view.tick(WallTime(1_100_000)));
    assert_eq!((view.len(), view.next_tick()), (4, Some(WallTime(1_240_000))));
    assert!(view.tick(WallTime(9_000_000)));
    assert_eq!((view.len(), view.next_tick()), (0, None));
    assert!(!view.tick(WallTime(9_000_001)));
}

#[test]
fn a_row_is_held_once_and_let_go_of() {
    let entry = row("z", "shop", "Running");
    let mut view = view(None, "run");
    view.apply(&[added(&entry)], WallTime(0));
    assert_eq!(Arc::strong_count(&entry.object), 2);
    let failed = row("z", "shop", "Failed");
    view.apply(&[updated(&entry, &failed)], WallTime(0));
    // Neither the one that is no more, nor the one that does not pass.
    assert_eq!((Arc::strong_count(&entry.object), Arc::strong_count(&failed.object)), (1, 1));
}
