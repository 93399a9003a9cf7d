//! Columns of text, as kubectl prints them.

/// Prints the rows, each column three spaces wider than its widest cell, and six at least (cli-runtime `tabwriter.go`).
#[expect(clippy::print_stdout, reason = "a program for a terminal")]
pub(crate) fn print(rows: &[Vec<String>]) {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(row.len().max(widths.len()), 6);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (cell.chars().count() + 3).max(*width);
        }
    }
    for row in rows {
        let (last, others) = row.split_last().map_or(("", &row[..]), |(last, others)| (last, others));
        let padded = others.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        println!("{}{last}", padded.collect::<String>());
    }
}
