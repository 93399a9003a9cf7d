//! How long large tables take; not run by itself: `cargo test --profile native -- --ignored --nocapture large_tables`.

use std::time::Instant;

use crate::{
    platform::{Chance, WallTime},
    store::{Entry, Indexer},
    view::{
        Arrangement, SortOrder, TableView,
        testing::{columns, entry, updated},
    },
    wire::TableRow,
};

#[test]
#[ignore = "a measurement"]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a measurement")]
fn large_tables_are_sorted_and_filtered_within_a_frame_or_a_few() {
    let mut chance = Chance(1);
    let mut store: Indexer<TableRow> = Indexer::default();
    for at in 0..100_000 {
        let tail: String = (0..5).map(|_| chance.of(&["b", "c", "d", "f", "2", "4", "7", "x", "z"])).collect();
        let name = format!("{}-7d9f8c6b5-{tail}{at}", chance.of(&["web-frontend", "checkout-service", "db", "payments-worker"]));
        let count = chance.below(5000).to_string();
        let age = format!("{}h", chance.below(900));
        let status = chance.of(&["Running", "Running", "Running", "Pending", "CrashLoopBackOff"]);
        store.insert(entry(&name, chance.of(&["shop", "bank"]), &["1/1", status, &count, &age, "10.0.0.1", "node-17"]));
    }
    let columns = columns(&["Name", "Ready", "Status", "Count", "Age", "IP", "Node"]);
    let mut view = TableView::default();
    let mut time = |what: &str, sort: &[&str], filter: &str| {
        let sort = sort.iter().map(|column| SortOrder { column: (*column).into(), descending: false }).collect();
        let arrangement = Arrangement { sort, filter: filter.into(), shown: None };
        let begin = Instant::now();
        view.arrange(arrangement, &columns, store.iter_unsorted(), WallTime(1_000_000));
        println!("{what}: {:?}, {} rows", begin.elapsed(), view.len());
    };
    time("first", &[], "");
    time("namespace and name", &[], "");
    time("name", &["Name"], "");
    time("number", &["Count"], "");
    time("status", &["Status"], "");
    time("status, count", &["Status", "Count"], "");
    time("age", &["Age"], "");
    time("word in a cell", &["Count"], "crash");
    time("word in none", &["Count"], "nowhere");
    time("regular expression", &["Count"], "/crash.*off$/");
    time("comparison", &["Count"], "count>4900");
    time("age below", &["Count"], "age<20h");
    time("number again", &["Count"], "");
    let rows: Vec<_> = store.iter_unsorted().map(|(key, row)| (key.clone(), row.clone())).take(10_000).collect();
    for batch in [1, 16, 100, 10_000] {
        let changes: Vec<_> = rows[..batch]
            .iter()
            .map(|(key, row)| {
                let mut after = (**row).clone();
                after.cells[3] = crate::wire::Cell::Text(chance.below(5000).to_string().into());
                let before = Entry { key: key.clone(), object: row.clone() };
                updated(&before, &Entry::of(after))
            })
            .collect();
        let begin = Instant::now();
        view.apply(&changes, WallTime(1_000_000));
        println!("{batch} changes: {:?}", begin.elapsed());
    }
}
