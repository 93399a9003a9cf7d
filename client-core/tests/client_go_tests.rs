//! The tables in `docs/client-go-tests` say which test here holds the behaviour of which test of client-go. They are held to
//! their word: each test they name exists, none answers for more than three of client-go's, and few do not apply.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The most tests of client-go that one test here may answer for.
const MOST_FOR_ONE: usize = 3;
/// The most rows in a hundred that may not apply.
const MOST_PERCENT: usize = 15;

struct Row {
    go: String,
    held_by: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/client-go-tests")
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found
}

/// Every row, named with the Go file above it.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for file in files(&folder(), "md") {
        let mut heading = String::new();
        for line in fs::read_to_string(&file).unwrap().lines() {
            if let Some(title) = line.strip_prefix("## ") {
                title.trim().clone_into(&mut heading);
            }
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let (Some(go), Some(held_by)) = (cells.next(), cells.next()) else { continue };
            if go.starts_with("Test") && line.starts_with('|') {
                rows.push(Row { go: format!("{heading} {go}"), held_by: held_by.to_owned() });
            }
        }
    }
    assert!(!rows.is_empty(), "there is no row in {}", folder().display());
    rows
}

fn applies(row: &Row) -> bool {
    !row.held_by.starts_with('–')
}

/// The tests of this crate, as `cargo test` names them; those of `tests/` and `examples/` begin with their file.
fn existing() -> BTreeSet<String> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    for (root, prefix) in [("src", ""), ("tests", "tests/"), ("examples", "examples/")] {
        let root = crate_folder.join(root);
        for file in files(&root, "rs") {
            let relative = file.strip_prefix(&root).unwrap().with_extension("");
            let mut module: Vec<_> = relative.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            module.pop_if(|last| last == "mod" || last == "lib");
            let mut pending = false;
            for line in fs::read_to_string(&file).unwrap().lines() {
                let text = line.trim();
                if line == "mod tests {" {
                    module.push("tests".to_owned());
                } else if text == "#[test]" || text.starts_with("#[tokio::test") {
                    pending = true;
                } else if pending && let Some(rest) = text.strip_prefix("async ").unwrap_or(text).strip_prefix("fn ") {
                    let name = rest.split('(').next().unwrap().to_owned();
                    found.insert(format!("{prefix}{}::{name}", module.join("::")));
                    pending = false;
                }
            }
        }
    }
    found
}

#[test]
fn every_test_that_a_table_names_exists() {
    let existing = existing();
    let missing: Vec<_> =
        rows().into_iter().filter(|row| applies(row) && !existing.contains(row.held_by.trim_matches('`'))).collect();
    let words: Vec<_> = missing.iter().map(|row| format!("{} ← {}", row.held_by, row.go)).collect();
    assert!(words.is_empty(), "no such tests:\n{}", words.join("\n"));
}

#[test]
fn no_test_answers_for_more_than_three_of_client_gos() {
    let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows().into_iter().filter(applies) {
        answers.entry(row.held_by).or_default().push(row.go);
    }
    let many: Vec<_> = answers.into_iter().filter(|(_, rows)| rows.len() > MOST_FOR_ONE).collect();
    assert!(many.is_empty(), "{many:#?}");
}

#[test]
fn few_tests_of_client_go_do_not_apply_and_each_says_why() {
    let rows = rows();
    let not: Vec<_> = rows.iter().filter(|row| !applies(row)).collect();
    assert!(not.len() * 100 <= rows.len() * MOST_PERCENT, "{} of {} do not apply", not.len(), rows.len());
    for row in not {
        assert!(row.held_by.starts_with("– because ") && row.held_by.len() > 20, "{} does not say why", row.go);
    }
}

#[test]
fn no_test_of_client_go_has_two_rows() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        assert!(seen.insert(row.go.clone()), "{} has two rows", row.go);
    }
}
