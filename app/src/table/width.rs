//! How wide columns are: by what they hold, and steady.

use porthole_client_core::view::{ColumnRole, ViewColumn};

/// The most characters a column grows to by itself; the name takes what is left.
const MOST: u16 = 46;

/// Characters a column needs for its heading.
pub(crate) fn heading(column: &ViewColumn) -> u16 {
    // The mark of the sorted column stands beside the name.
    characters(&column.name) + 2
}

/// Characters a cell needs.
pub(crate) fn characters(text: &str) -> u16 {
    u16::try_from(text.chars().count()).unwrap_or(u16::MAX)
}

/// The columns as a CSS grid: the state bar, the cursor's mark, and a track for each column that is shown; and the
/// least width of it all, in pixels. Each row is a grid of its own, so no track may depend on what is in it. Tracks give
/// way down to a share of what they want, names last.
pub(crate) fn template(columns: &[ViewColumn], widths: &[u16], shown: impl Fn(&ViewColumn) -> bool) -> (String, u32) {
    let mut template = String::from("3px 20px");
    let mut least = 23;
    for (column, width) in columns.iter().zip(widths).filter(|(column, _)| shown(column)) {
        // 7.8 px a character of 13 px type, and the padding of the cell.
        let pixels = |characters: u16| u32::from(characters) * 39 / 5 + 18;
        let wanted = pixels((*width).min(MOST));
        let (narrowest, share) = match column.role {
            ColumnRole::Name => (pixels((*width).clamp(12, 30)), (*width).clamp(16, 60)),
            // Beside the count stand bricks.
            ColumnRole::Ready => (wanted + 66, 0),
            ColumnRole::Status => (wanted + 16, 0),
            ColumnRole::Number | ColumnRole::Age | ColumnRole::Since | ColumnRole::Duration => (wanted, 0),
            _ => (wanted.min(110), (*width).min(MOST)),
        };
        least += narrowest;
        if share == 0 {
            template.extend([" ", &narrowest.to_string(), "px"]);
        } else {
            template.extend([" minmax(", &narrowest.to_string(), "px,", &share.to_string(), "fr)"]);
        }
    }
    (template, least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_column_has_no_track() {
        let column =
            |name: &str, role, wide| ViewColumn { name: name.into(), description: String::new(), role, wide, cell: None };
        let columns = [column("Name", ColumnRole::Name, false), column("Node", ColumnRole::Text, true)];
        let (narrow, least) = template(&columns, &[20, 8], |column| !column.wide);
        let (wide, more) = template(&columns, &[20, 8], |_| true);
        assert_eq!((narrow.matches("minmax").count(), wide.matches("minmax").count()), (1, 2));
        assert!(least < more);
    }
}
