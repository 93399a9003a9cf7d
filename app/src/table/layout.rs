//! Which columns are drawn, in which order, and how wide: by what they hold, or as a person wants it; and steady.

use porthole_client_core::view::{ColumnRole, ViewColumn};

use crate::route::ColumnChoice;

/// The most characters a column grows to by itself; the name takes what is left.
const MOST: u16 = 46;

/// A column that is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// Which of the view's columns it is.
    pub(crate) at: usize,
    pub(crate) column: ViewColumn,
    /// The width a person gave it, in pixels.
    pub(crate) width: Option<u16>,
}

/// The columns that are drawn: those that were chosen, as far as they are there; or the server's.
pub(crate) fn drawn(columns: &[ViewColumn], chosen: Option<&[ColumnChoice]>, wide: bool) -> Vec<Drawn> {
    let draw = |(at, column): (usize, &ViewColumn), width| Drawn { at, column: column.clone(), width };
    let of_server =
        || columns.iter().enumerate().filter(|(_, column)| wide || !column.wide).map(|found| draw(found, None)).collect();
    let Some(chosen) = chosen else { return of_server() };
    let found: Vec<_> = chosen
        .iter()
        .filter_map(|choice| {
            let found = columns.iter().enumerate().find(|(_, column)| column.name == choice.name)?;
            Some(draw(found, choice.width))
        })
        .collect();
    // A choice of columns that are all gone shows nothing.
    if found.is_empty() { of_server() } else { found }
}

/// Characters a column needs for its heading.
pub(crate) fn heading(column: &ViewColumn) -> u16 {
    // The mark of the sorted column stands beside the name.
    characters(&column.name) + 2
}

/// Characters a cell needs.
pub(crate) fn characters(text: &str) -> u16 {
    u16::try_from(text.chars().count()).unwrap_or(u16::MAX)
}

/// The columns as a CSS grid: the state bar, the mark, and a track for each column; and the least width of it all, in
/// pixels. Each row is a grid of its own, so no track may depend on what is in it. `widths` has the widest text of each of
/// the view's columns, in characters. Tracks give way down to a share of what they want, names last.
pub(crate) fn template(columns: &[Drawn], widths: &[u16]) -> (String, u32) {
    let mut template = String::from("3px 22px");
    let mut least = 25;
    let mut flexible = false;
    for Drawn { at, column, width } in columns {
        let characters = widths.get(*at).copied().unwrap_or(8);
        // 7.8 px a character of 13 px type, and the padding of the cell.
        let pixels = |characters: u16| u32::from(characters) * 39 / 5 + 18;
        let wanted = pixels(characters.min(MOST));
        let (narrowest, share) = match (width, column.role) {
            (Some(width), _) => (u32::from(*width), 0),
            (None, ColumnRole::Name) => (pixels(characters.clamp(12, 30)), characters.clamp(16, 60)),
            // Beside the count stand bricks.
            (None, ColumnRole::Ready) => (wanted + 66, 0),
            (None, ColumnRole::Status) => (wanted + 16, 0),
            (None, ColumnRole::Number | ColumnRole::Age | ColumnRole::Since | ColumnRole::Duration) => (wanted, 0),
            (None, _) => (wanted.min(110), characters.min(MOST)),
        };
        least += narrowest;
        flexible |= share > 0;
        if share == 0 {
            template.extend([" ", &narrowest.to_string(), "px"]);
        } else {
            template.extend([" minmax(", &narrowest.to_string(), "px,", &share.to_string(), "fr)"]);
        }
    }
    // Where every column has its width, what is left stays at the end.
    if !flexible {
        template.push_str(" 1fr");
    }
    (template, least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> [ViewColumn; 2] {
        [("Name", ColumnRole::Name, false), ("Node", ColumnRole::Text, true)].map(|(name, role, wide)| ViewColumn {
            name: name.into(),
            description: String::new(),
            role,
            wide,
            cell: None,
        })
    }

    fn names(drawn: &[Drawn]) -> Vec<&str> {
        drawn.iter().map(|drawn| drawn.column.name.as_str()).collect()
    }

    #[test]
    fn a_column_that_is_not_drawn_has_no_track() {
        let (narrow, least) = template(&drawn(&columns(), None, false), &[20, 8]);
        let (wide, more) = template(&drawn(&columns(), None, true), &[20, 8]);
        assert_eq!((narrow.matches("minmax").count(), wide.matches("minmax").count()), (1, 2));
        assert!(least < more);
    }

    #[test]
    fn chosen_columns_come_in_their_order_with_their_widths_and_those_that_are_gone_are_left_out() {
        let choice = |name: &str, width| ColumnChoice { name: name.into(), path: None, width };
        let chosen = [choice("Node", Some(90)), choice("Gone", None), choice("Name", Some(300))];
        let drawn_columns = drawn(&columns(), Some(&chosen), false);
        assert_eq!(names(&drawn_columns), ["Node", "Name"]);
        assert_eq!(template(&drawn_columns, &[20, 8]), ("3px 22px 90px 300px 1fr".to_owned(), 415));
        assert_eq!(names(&drawn(&columns(), Some(&[choice("Gone", None)]), false)), ["Name"]);
    }
}
