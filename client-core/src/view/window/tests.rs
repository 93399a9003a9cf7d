use super::*;
use crate::{
    store::Entry,
    view::{
        SortOrder,
        testing::{added, columns, deleted, entry, key, updated},
    },
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const NOW: WallTime = WallTime(1_000_000);

fn row(name: &str, status: &str) -> Entry<TableRow> {
    entry(name, "", &[status])
}

/// A window of five rows on `r-0` to `r-9`, as the page has it.
fn window() -> Window {
    let mut window = Window::new(ViewWindow { count: 5, ..ViewWindow::default() });
    let rows: Vec<_> = (0..10).map(|at| row(&format!("r-{at}"), "Running")).collect();
    let pairs = rows.iter().map(|entry| (&entry.key, &entry.object));
    window.arrange(Arrangement::default(), Some(columns(&["Name", "Status"])), pairs, NOW);
    let patch = window.patch(NOW);
    assert!(patch.reset && patch.columns.is_some());
    assert_eq!((patch.order, patch.rows.len(), patch.matched), (vec![1, 2, 3, 4, 5], 5, 10));
    window
}

fn names(patch: &WindowPatch) -> Vec<(String, bool)> {
    patch.rows.iter().map(|row| (row.name.clone(), row.gone)).collect()
}

#[test]
fn only_what_changed_is_sent() {
    let mut window = window();
    assert_eq!(window.patch(NOW), WindowPatch { order: vec![1, 2, 3, 4, 5], matched: 10, ..WindowPatch::default() });
    window.take_in(
        &[updated(&row("r-1", ""), &row("r-1", "Failed")), updated(&row("r-8", ""), &row("r-8", "Failed"))],
        true,
        NOW,
    );
    let patch = window.patch(NOW);
    assert_eq!((names(&patch), patch.order), (vec![("r-1".to_owned(), false)], vec![1, 2, 3, 4, 5]));
    assert!(window.show(ViewWindow { first: 2, count: 5, anchor: None, ..ViewWindow::default() }));
    assert!(!window.show(ViewWindow { first: 2, count: 5, anchor: None, ..ViewWindow::default() }));
    let patch = window.patch(NOW);
    assert_eq!(
        (names(&patch), patch.order, patch.first),
        (vec![("r-5".to_owned(), false), ("r-6".to_owned(), false)], vec![3, 4, 5, 6, 7], 2)
    );
}

#[test]
fn new_columns_send_all_rows_again() {
    let mut window = window();
    let row = row("r-1", "Running");
    window.arrange(Arrangement::default(), Some(columns(&["Name"])), [(&row.key, &row.object)].into_iter(), NOW);
    let patch = window.patch(NOW);
    assert_eq!(
        (patch.columns.map(|columns| columns.len()), patch.rows.len(), patch.order, patch.reset),
        (Some(2), 1, vec![2], false)
    );
}

#[test]
fn a_row_says_what_its_object_is_known_by() {
    let mut window = window();
    let mut object = (*row("r-0", "Failed").object).clone();
    object.created = Some(WallTime(5));
    let entry = Entry::of(object);
    window.take_in(&[updated(&row("r-0", ""), &entry)], true, NOW);
    let patch = window.patch(NOW);
    assert_eq!((patch.rows[0].uid.as_deref(), patch.rows[0].created), (Some("uid-r-0"), Some(WallTime(5))));
}

#[test]
fn a_row_is_the_same_to_the_page_for_as_long_as_its_object_is() {
    let mut window = window();
    let mut other = (*row("r-2", "Running").object).clone();
    other.uid = Some("another".into());
    window.take_in(&[updated(&row("r-2", ""), &Entry::of(other))], true, NOW);
    let patch = window.patch(NOW);
    assert_eq!((patch.order, patch.removed), (vec![1, 2, 6, 4, 5], vec![3]));
}

#[test]
fn objects_that_come_are_fresh_once() {
    let mut window = window();
    window.take_in(&[added(&row("r-00", ""))], true, NOW);
    window.take_in(&[added(&row("q", ""))], false, NOW);
    let fresh = |patch: &WindowPatch| patch.rows.iter().filter(|row| row.fresh).map(|row| row.name.clone()).collect::<Vec<_>>();
    assert_eq!(fresh(&window.patch(NOW)), ["r-00"]);
    assert!(fresh(&window.patch(NOW)).is_empty());
}

#[test]
fn rows_that_were_deleted_stay_for_a_second_where_they_were() {
    let mut window = window();
    window.take_in(&[deleted(&row("r-1", "")), deleted(&row("r-3", "")), deleted(&row("r-9", ""))], true, NOW);
    let patch = window.patch(NOW);
    assert_eq!((patch.order.clone(), patch.matched), (vec![1, 2, 3, 4, 5, 6, 7], 7));
    assert_eq!(
        names(&patch),
        [("r-1".to_owned(), true), ("r-3".to_owned(), true), ("r-5".to_owned(), false), ("r-6".to_owned(), false)]
    );
    assert_eq!(patch.removed, [2, 4]);
    assert_eq!(window.next_change(), Some(WallTime(NOW.0 + 1000)));
    // Others that move take them along.
    window.take_in(&[added(&row("r-00", ""))], true, WallTime(NOW.0 + 500));
    let patch = window.patch(WallTime(NOW.0 + 999));
    assert_eq!((patch.order.clone(), names(&patch)), (vec![1, 8, 2, 3, 4, 5, 6], vec![("r-00".to_owned(), false)]));
    let patch = window.patch(WallTime(NOW.0 + 1000));
    assert_eq!((patch.order, patch.removed.len(), window.next_change()), (vec![1, 8, 3, 5, 6], 0, None));
}

#[test]
fn a_row_that_has_gone_makes_way_for_another_of_its_name_and_for_another_order() {
    let mut window = window();
    window.take_in(&[deleted(&row("r-1", "")), deleted(&row("r-2", ""))], true, NOW);
    window.take_in(&[added(&row("r-1", ""))], true, NOW);
    let patch = window.patch(NOW);
    assert_eq!(patch.order, [1, 6, 3, 4, 5, 7]);
    let rows: Vec<_> = window.table().window(0, 99).map(|(key, row)| (key.clone(), Arc::clone(row))).collect();
    let sort = vec![SortOrder { column: "Name".into(), descending: true }];
    window.arrange(Arrangement { sort, ..Arrangement::default() }, None, rows.iter().map(|(key, row)| (key, row)), NOW);
    assert!(window.patch(NOW).rows.iter().all(|row| !row.gone));
    assert_eq!(window.next_change(), None);
}

#[test]
fn rows_that_have_gone_are_few_and_can_be_done_without() {
    let mut window = Window::new(ViewWindow { count: 500, ..ViewWindow::default() });
    let rows: Vec<_> = (0..500).map(|at| row(&format!("r-{at}"), "")).collect();
    window.arrange(Arrangement::default(), Some(columns(&["Name"])), rows.iter().map(|entry| (&entry.key, &entry.object)), NOW);
    window.patch(NOW);
    window.take_in(&rows.iter().map(deleted).collect::<Vec<_>>(), true, NOW);
    let patch = window.patch(NOW);
    assert_eq!((patch.order.len(), patch.removed.len(), patch.matched), (MOST_GONE, 500, 0));
    // A clock that goes back does not keep them for ever.
    assert_eq!(window.patch(WallTime(0)).order.len(), 0);

    let mut window = self::window();
    window.hide_gone(true);
    window.take_in(&[deleted(&row("r-1", ""))], true, NOW);
    assert_eq!((window.patch(NOW).order, window.next_change()), (vec![1, 3, 4, 5, 6], None));
}

#[test]
fn a_row_that_only_no_longer_passes_does_not_linger() {
    let mut window = window();
    let rows: Vec<_> = (0..3).map(|at| row(&format!("r-{at}"), "Running")).collect();
    let filter = "status:run".to_owned();
    let pairs = rows.iter().map(|entry| (&entry.key, &entry.object));
    window.arrange(Arrangement { filter, ..Arrangement::default() }, None, pairs, NOW);
    window.patch(NOW);
    window.take_in(&[updated(&rows[1], &row("r-1", "Failed"))], true, NOW);
    let patch = window.patch(NOW);
    assert_eq!((patch.order, patch.removed.len()), (vec![1, 3], 0));
}

#[test]
fn the_anchor_says_where_its_row_is_now() {
    let mut window = window();
    window.show(ViewWindow { first: 2, count: 5, anchor: Some(3), ..ViewWindow::default() });
    assert_eq!(window.patch(NOW).anchor, Some((3, 2)));
    window.take_in(&[added(&row("a", "")), added(&row("b", ""))], true, NOW);
    assert_eq!(window.patch(NOW).anchor, Some((3, 4)));
    window.take_in(&[deleted(&row("r-2", ""))], true, NOW);
    assert_eq!(window.patch(NOW).anchor, None);
}

#[test]
fn the_window_follows_its_anchor_wherever_it_goes() {
    let mut window = window();
    window.show(ViewWindow { first: 1, count: 3, anchor: None, ..ViewWindow::default() });
    let order = window.patch(NOW).order;
    window.show(ViewWindow { first: 1, count: 3, anchor: Some(order[1]), offset: 1 });
    let many: Vec<_> = (0..50).map(|at| added(&row(&format!("a-{at}"), ""))).collect();
    window.take_in(&many, true, NOW);
    let patch = window.patch(NOW);
    assert_eq!((patch.first, patch.order), (51, order), "the same rows, fifty further down");
}

#[test]
fn a_window_past_the_end_shows_the_last_rows() {
    let mut window = window();
    window.show(ViewWindow { first: 99, count: 4, anchor: None, ..ViewWindow::default() });
    let patch = window.patch(NOW);
    assert_eq!((patch.first, patch.order.len()), (6, 4));
    window.show(ViewWindow { first: 0, count: 99, anchor: None, ..ViewWindow::default() });
    assert_eq!((window.patch(NOW).first, window.patch(NOW).order.len()), (0, 10));
    let mut empty = Window::new(ViewWindow::default());
    assert_eq!(empty.patch(NOW).order.len(), 0);
}

#[test]
fn rows_are_selected_by_number_wherever_they_are() {
    let mut window = window();
    let all = window.all_numbers();
    assert_eq!(all, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(window.rows_between(4, 2), [2, 3, 4]);
    assert_eq!(window.rows_between(8, 8), [8]);
    assert!(window.rows_between(4, 99).is_empty());
    window.take_in(&[deleted(&row("r-8", ""))], true, NOW);
    let keys: Vec<_> = window.keys_of(&[2, 9, 77, 10]).map(Key::as_str).collect();
    assert_eq!(keys, ["r-1", "r-9"]);
    // Not in the window, but the page may have selected it.
    assert_eq!(window.patch(NOW).removed, [9]);
    assert_eq!(window.table().position(&key("r-9")), Some(8));
}
