use std::cmp::Ordering;

use crate::{
    platform::{Chance, WallTime},
    store::Entry,
    view::{
        Arrangement, ColumnRole, SortOrder, TableView, ViewColumn,
        order::natural,
        testing::{added, columns, entry},
    },
    wire::TableRow,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn sorted(role: ColumnRole, texts: &[&str], descending: bool) -> Vec<String> {
    let mut columns: Vec<ViewColumn> = columns(&["Name", "Value"]);
    columns[2].role = role;
    // Many of each, so that whole runs are equal.
    let rows: Vec<_> = (0..texts.len() * 20)
        .map(|at| {
            let text = texts[at % texts.len()];
            entry(&format!("n-{at}"), "", &[text])
        })
        .collect();
    let sort = vec![SortOrder { column: "Value".into(), descending }];
    let mut view = TableView::default();
    let pairs = rows.iter().map(|entry| (&entry.key, &entry.object));
    view.arrange(Arrangement { sort, ..Arrangement::default() }, &columns, pairs, WallTime(0));
    let mut values: Vec<_> = view.window(0, usize::MAX).map(|(_, row)| row.cells[1].to_string()).collect();
    assert_eq!(values.len(), texts.len() * 20);
    values.dedup();
    values
}

#[track_caller]
fn stays(role: ColumnRole, texts: &[&str]) {
    let mut mixed = texts.to_vec();
    mixed.reverse();
    assert_eq!(sorted(role, &mixed, false), texts);
    assert_eq!(sorted(role, texts, true), mixed);
}

#[test]
fn quantities_are_ordered_by_value() {
    stays(ColumnRole::Text, &["-1", "0", "80m", "100m", "0.5", "1", "500k", "128Mi", "2728711509333m", "10Gi", "1E"]);
}

#[test]
fn ages_are_ordered_by_length_and_unknown_ones_come_last_both_ways() {
    stays(ColumnRole::Since, &["5m30s", "2d2h", "10d", "100d", "300d", "1y"]);
    stays(ColumnRole::Duration, &["5m30s", "2d2h", "10d", "100d", "300d", "1y"]);
    assert_eq!(sorted(ColumnRole::Since, &["<invalid>", "5s", "1y"], true), ["1y", "5s", "<invalid>"]);
    assert_eq!(sorted(ColumnRole::Text, &["", "5", "x"], true), ["x", "5", ""]);
    assert_eq!(sorted(ColumnRole::Text, &["<none>", "x", "5"], false), ["5", "x", "<none>"]);
}

#[test]
fn counts_ratios_percentages_and_remarks_are_ordered_by_value() {
    stays(ColumnRole::Ready, &["0/1", "1/1", "1/2", "2/2", "10/10"]);
    stays(ColumnRole::Text, &["0", "2 (3h ago)", "9", "9 (40s ago)", "9 (5m ago)", "10 (5m ago)"]);
    stays(ColumnRole::Text, &["5%", "40%", "100%"]);
    stays(ColumnRole::Text, &["false", "true"]);
}

#[test]
fn versions_and_addresses_are_ordered_by_their_parts() {
    stays(ColumnRole::Text, &["v1.9.0", "v1.10.0-rc.1", "v1.10.0-rc.2", "v1.10.0-rc.10", "v1.10.0", "v1.36.3"]);
    stays(ColumnRole::Text, &["10.0.0.9", "10.0.0.10", "10.0.12.1", "192.168.0.1", "fd00::9", "fd00::a", "fd00::1f", "fd00::20"]);
}

#[test]
fn texts_are_ordered_with_their_digits_by_value_and_without_their_case() {
    let long = "x".repeat(40);
    let (a, b, c) = (format!("{long}-2"), format!("{long}-10"), format!("{long}y"));
    stays(ColumnRole::Text, &["node-1", "Node-2", "node-2-b", "node-10", &a, &b, &c, "Äpfel", "äpfel-2", "Яблоко"]);
    let digits = ["7".repeat(8), "1".repeat(9), "2".repeat(10), "1".repeat(300), "2".repeat(300)].map(|run| format!("x{run}y"));
    stays(ColumnRole::Text, &digits.each_ref().map(String::as_str));
}

/// What `natural` says, said in another way: parts of digits and single letters.
fn parts(text: &str) -> Vec<(char, usize, String)> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let run: String = rest.chars().take_while(char::is_ascii_digit).collect();
            rest = &rest[run.len()..];
            let run = run.trim_start_matches('0').to_owned();
            // Digits are between the same signs as a single digit is.
            parts.push(('0', run.len(), run));
        } else {
            rest = &rest[first.len_utf8()..];
            parts.push((first.to_lowercase().next().unwrap(), 0, String::new()));
        }
    }
    parts
}

#[test]
fn the_natural_order_is_one_of_letters_and_of_runs_of_digits() {
    let mut chance = Chance(9);
    let texts: Vec<_> =
        (0..400).map(|_| chance.text(&["a", "B", "b", "-", "0", "1", "9", "12345678", "ä", "Ω", "名", ".", "~"], 12)).collect();
    for left in &texts {
        for right in &texts {
            assert_eq!(natural(left, right), parts(left).cmp(&parts(right)), "{left} {right}");
        }
    }
    assert_eq!(natural("", "a"), Ordering::Less);
}

#[test]
fn several_columns_count_one_after_another() {
    let columns = columns(&["Name", "Status", "Count"]);
    let rows: Vec<Entry<TableRow>> = vec![
        entry("a", "n", &["Running", "1"]),
        entry("b", "n", &["Running", "10"]),
        entry("c", "n", &["Pending", "2"]),
        entry("d", "m", &["running", "10"]),
        entry("e", "m", &["<none>", "3"]),
    ];
    let order = |column: &str, descending| SortOrder { column: column.into(), descending };
    let names = |sort: Vec<SortOrder>| {
        let mut view = TableView::default();
        view.arrange(Arrangement { sort, ..Arrangement::default() }, &columns, std::iter::empty(), WallTime(0));
        view.apply(&rows.iter().map(added).collect::<Vec<_>>(), WallTime(0));
        view.window(0, 9).map(|(_, row)| row.name.to_string()).collect::<Vec<_>>().concat()
    };
    assert_eq!(names(vec![]), "deabc");
    assert_eq!(names(vec![order("Status", false), order("Count", true)]), "cdbae");
    assert_eq!(names(vec![order("Status", true), order("Count", false)]), "adbce");
    assert_eq!(names(vec![order("There is none", true), order("Name", true)]), "edcba");
}
