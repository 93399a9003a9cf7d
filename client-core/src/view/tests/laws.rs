use std::{cmp::Ordering, collections::BTreeMap, sync::Arc};

use crate::{
    informer::Change,
    platform::{Chance, WallTime},
    store::{Entry, Key},
    view::{
        Arrangement, CellReader, Query, SortOrder, TableView, Value, ViewColumn, ViewWindow, Window, WindowPatch,
        testing::{added, columns, deleted, updated},
    },
    wire::{Cell, TableRow},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

type Rows = BTreeMap<Key, Arc<TableRow>>;

fn table() -> Vec<ViewColumn> {
    columns(&["Name", "Status", "Ready", "Age", "Value", "Last Seen", "Version", "Duration", "Completions", "Wide Text"])
}

fn cell(chance: &mut Chance) -> Cell {
    const TEXTS: [&str; 32] = [
        "",
        " ",
        "<none>",
        "<unknown>",
        "Running",
        "running",
        "Pending",
        "CrashLoopBackOff",
        "Complete",
        "1/2",
        "2/2",
        "0/1",
        "5m",
        "10s",
        "2d2h",
        "3 (5m ago)",
        "3",
        "10",
        "500m",
        "1Gi",
        "40%",
        "5%",
        "v1.2.3",
        "v1.10.0-rc.1",
        "v1.10.0",
        "10.0.0.1",
        "10.0.0.12",
        "fd00::1",
        "true",
        "ÄPFEL-01",
        "äpfel-1",
        "a text that is longer than any key and then some 10",
    ];
    match chance.below(12) {
        0 => Cell::Null,
        1 => Cell::Integer(i64::try_from(chance.below(5)).unwrap() - 2),
        2 => Cell::Float(chance.of(&[0.5, -0.0, 1e30, -3.0])),
        3 => Cell::Bool(chance.percent(50)),
        _ => Cell::Text(chance.of(&TEXTS).into()),
    }
}

fn any_row(chance: &mut Chance, now: WallTime, same: bool) -> Entry<TableRow> {
    let cells = |chance: &mut Chance| {
        let count = if chance.percent(5) { chance.index(3) } else { 10 };
        (0..count).map(|_| if same { Cell::Text("x".into()) } else { cell(chance) }).collect()
    };
    Entry::of(TableRow {
        name: format!("{}-{}", chance.of(&["web", "Web", "db"]), chance.below(40)).into(),
        namespace: Some(chance.of(&["shop", "bank"]).into()).filter(|_| chance.percent(90)),
        uid: Some(chance.of(&["u-1", "u-2"]).into()),
        created: Some(now.before(std::time::Duration::from_secs(chance.below(400)))).filter(|_| chance.percent(70)),
        arrived: now,
        cells: cells(chance),
        ..TableRow::default()
    })
}

fn any_arrangement(chance: &mut Chance) -> Arrangement {
    const QUERIES: [&str; 24] = [
        "",
        "",
        "",
        "web",
        "!run",
        "status:running",
        "age<5m",
        "age>=3m",
        "!age<1m",
        "age=2m",
        "value>3",
        "value!=3",
        "ready<2",
        "ready<100%",
        "version>=1.3",
        "lastseen<6m",
        "duration>20s",
        "/^web-[0-3]/",
        "~wb",
        "ns:bank",
        "value=10.0.0.12",
        "~x wide:äpfel",
        "x>5",
        "\"a",
    ];
    let columns =
        ["Name", "Namespace", "Status", "Ready", "Age", "Value", "Last Seen", "Version", "Duration", "Wide Text", "None"];
    let sort = (0..chance.index(4)).map(|_| SortOrder { column: chance.of(&columns).into(), descending: chance.percent(50) });
    Arrangement {
        sort: sort.collect(),
        filter: [chance.of(&QUERIES), chance.of(&QUERIES)].join(" "),
        shown: chance.percent(30).then(|| vec!["Name".to_owned(), "Wide Text".to_owned()]),
    }
}

/// The order of two values, spelled out.
fn compare(left: Value<'_>, right: Value<'_>, texts: [&str; 2]) -> Ordering {
    fn rank(value: Value<'_>) -> u8 {
        match value {
            Value::Boolean(_) => 1,
            Value::Number(_) | Value::Ratio(..) | Value::Percentage(_) | Value::Count(..) => 2,
            Value::Time { .. } => 3,
            Value::Duration { .. } => 4,
            Value::Version(_) => 5,
            Value::Address(_) => 6,
            Value::Text(_) => 7,
            Value::Missing => 8,
        }
    }
    fn numbers(value: Value<'_>) -> (f64, u8, f64) {
        match value {
            Value::Number(number) | Value::Percentage(number) | Value::Count(number, None) => (number, 0, 0.0),
            Value::Count(number, Some(at)) => (number, 1, -(at.0 as f64)),
            Value::Ratio(part, whole) => (part, 2, whole),
            _ => unreachable!(),
        }
    }
    rank(left).cmp(&rank(right)).then_with(|| match (left, right) {
        (Value::Boolean(left), Value::Boolean(right)) => left.cmp(&right),
        (Value::Time { at: left, .. }, Value::Time { at: right, .. }) => right.cmp(&left),
        (Value::Duration { long: left, .. }, Value::Duration { long: right, .. }) => left.cmp(&right),
        (Value::Version(left), Value::Version(right)) => {
            left.cmp(&right).then_with(|| crate::view::order::natural(texts[0].trim(), texts[1].trim()))
        }
        (Value::Address(left), Value::Address(right)) => left.cmp(&right),
        (Value::Text(left), Value::Text(right)) => crate::view::order::natural(left, right),
        (Value::Missing, Value::Missing) => Ordering::Equal,
        (left, right) => numbers(left).partial_cmp(&numbers(right)).unwrap(),
    })
}

/// The keys that pass, in order: filtered and sorted anew, by comparing cell with cell. `filter` is the last one that made sense.
fn naive(rows: &Rows, arrangement: &Arrangement, filter: &str, columns: &[ViewColumn], now: WallTime) -> Vec<Key> {
    let filter = Query::parse(filter).unwrap().bind(columns, |column| arrangement.shows(column)).unwrap();
    let mut keys: Vec<_> = rows.iter().filter(|(_, row)| filter.passes(row, now)).collect();
    let mut sort = arrangement.sort.clone();
    sort.extend(["Namespace", "Name"].map(|column| SortOrder { column: column.into(), descending: false }));
    keys.sort_by(|(left_key, left), (right_key, right)| {
        for order in &sort {
            let Some(column) = columns.iter().find(|column| column.name == order.column) else { continue };
            let reader = CellReader::new(column, columns);
            let (ours, theirs) = (reader.value(left), reader.value(right));
            let by_value = compare(ours, theirs, [&reader.text(left), &reader.text(right)]);
            let missing = ours == Value::Missing || theirs == Value::Missing;
            let by_value = if order.descending && !missing { by_value.reverse() } else { by_value };
            if by_value.is_ne() {
                return by_value;
            }
        }
        left_key.cmp(right_key)
    });
    keys.into_iter().map(|(key, _)| key.clone()).collect()
}

fn any_change(chance: &mut Chance, rows: &mut Rows, now: WallTime, same: bool) -> Change<TableRow> {
    let entry = any_row(chance, now, same);
    if chance.percent(35) {
        // Often of what is not there.
        rows.remove(&entry.key);
        return deleted(&entry);
    }
    match rows.insert(entry.key.clone(), Arc::clone(&entry.object)) {
        Some(before) => updated(&Entry { key: entry.key.clone(), object: before }, &entry),
        None => added(&entry),
    }
}

/// What a page makes of patches.
#[derive(Default)]
struct Page {
    known: BTreeMap<u64, (String, bool)>,
}

impl Page {
    fn take(&mut self, patch: &WindowPatch) -> Vec<(u64, String, bool)> {
        for row in &patch.rows {
            let name = if row.namespace.is_empty() { row.name.clone() } else { [&row.namespace, "/", &row.name].concat() };
            self.known.insert(row.id, (name, row.gone));
        }
        self.known.retain(|id, _| patch.order.contains(id));
        // Whatever is in the order has been sent.
        patch.order.iter().map(|id| (*id, self.known[id].0.clone(), self.known[id].1)).collect()
    }
}

#[test]
fn whatever_happens_the_table_and_its_window_are_what_sorting_and_filtering_anew_gives() {
    let columns = table();
    let (mut shown, mut ticked) = (0, 0);
    for seed in 0..60 {
        let mut chance = Chance(seed);
        let same = seed % 10 == 0;
        let (mut rows, mut now) = (Rows::new(), WallTime(10_000_000));
        let (mut view, mut window, mut page) =
            (TableView::default(), Window::new(ViewWindow { count: 7, ..ViewWindow::default() }), Page::default());
        let mut arrangement = Arrangement::default();
        let mut filter = String::new();
        view.arrange(arrangement.clone(), &columns, rows.iter(), now);
        window.arrange(arrangement.clone(), Some(columns.clone()), rows.iter(), now);
        for _ in 0..60 {
            now.0 += i64::try_from(chance.below(40_000)).unwrap();
            if chance.percent(2) {
                now.0 -= 200_000;
            }
            ticked += usize::from(view.tick(now));
            match chance.below(10) {
                0 => {
                    arrangement = any_arrangement(&mut chance);
                    let good = Query::parse(&arrangement.filter)
                        .and_then(|query| query.bind(&columns, |column| arrangement.shows(column)))
                        .is_ok();
                    // A filter that makes no sense leaves the one before, bound to what was shown then.
                    if good {
                        filter.clone_from(&arrangement.filter);
                    } else {
                        arrangement.shown.clone_from(&view.arrangement().shown);
                    }
                    view.arrange(arrangement.clone(), &columns, rows.iter(), now);
                    window.arrange(arrangement.clone(), None, rows.iter(), now);
                    assert_eq!(view.problem().is_some(), !good);
                }
                1 => {
                    window.show(ViewWindow {
                        first: u32::try_from(chance.below(60)).unwrap(),
                        count: 7,
                        ..ViewWindow::default()
                    });
                }
                _ => {
                    let count = if chance.percent(30) { chance.index(60) } else { chance.index(4) };
                    let changes: Vec<_> = (0..count).map(|_| any_change(&mut chance, &mut rows, now, same)).collect();
                    view.apply(&changes, now);
                    window.take_in(&changes, true, now);
                }
            }
            assert!(!view.tick(now));
            let expected = naive(&rows, &arrangement, &filter, &columns, now);
            let keys: Vec<_> = view.window(0, usize::MAX).map(|(key, _)| key.clone()).collect();
            assert_eq!(keys, expected, "seed {seed}, {arrangement:?}");
            for (key, row) in view.window(0, usize::MAX) {
                assert!(Arc::ptr_eq(row, &rows[key]));
            }
            for (at, key) in keys.iter().enumerate() {
                assert_eq!(view.position(key), Some(at));
            }
            assert_eq!(view.position(&Key::new("nothing/here")), None);
            assert!(view.next_tick().is_none_or(|next| next > now));

            let patch = window.patch(now);
            let on_page = page.take(&patch);
            let live: Vec<_> = on_page.iter().filter(|(_, _, gone)| !gone).map(|(_, name, _)| name.as_str()).collect();
            let first = usize::try_from(patch.first).unwrap();
            let in_window: Vec<_> = expected.iter().skip(first).take(7).map(Key::as_str).collect();
            assert_eq!(live, in_window, "seed {seed}");
            assert_eq!(usize::try_from(patch.matched).unwrap(), expected.len());
            assert!(first == usize::try_from(window.range().first).unwrap() || first + 7 >= expected.len());
            for (id, name, gone) in &on_page {
                let key = window.keys_of(&[*id]).next();
                assert_eq!(key.map(Key::as_str), Some(name.as_str()).filter(|_| !gone));
            }
            shown += on_page.len();
            assert_eq!(window.all_numbers().len(), expected.len());
        }
    }
    assert!(shown > 10_000 && ticked > 20, "{shown} {ticked}");
}
