//! What the page knows of the table it shows: the rows of its window, and the slots that show them.

use std::{ops::Deref, sync::Arc};

use leptos::prelude::*;
use porthole_client_core::{
    platform::WallTime,
    view::{CellView, SortOrder, ViewColumn},
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    layout::{self, Drawn},
    selection::Selection,
};
use crate::{
    bridge::{HealthView, RowView, ViewPatch, ViewWindow},
    route::ColumnChoice,
    ui::Live,
};

/// Rows kept ready above and below what is seen.
const OVERSCAN: u32 = 12;
/// The most rows that are ever in the document.
const MOST_SLOTS: u32 = 190;
/// Seconds that the strip of changes goes back.
pub(crate) const STRIP_SECONDS: usize = 120;

/// A place for a row in the document. The row at index `i` is in slot `i` modulo the number of slots, so that
/// scrolling by one row touches one slot.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    /// Which row it shows.
    pub(crate) index: Live<u32>,
    /// The row; `None` hides the slot.
    pub(crate) row: Live<Option<Arc<RowView>>>,
    /// The cells that have just changed, as bits, and how often any did.
    pub(crate) flash: Live<(u64, u32)>,
}

impl Slot {
    fn new() -> Self {
        Self { index: Live::new(0), row: Live::new(None), flash: Live::new((0, 0)) }
    }
}

/// The table: a pointer to signals that live as long as the page.
#[derive(Clone, Copy)]
pub(crate) struct TableModel(&'static TableSignals);

impl Deref for TableModel {
    type Target = TableSignals;

    fn deref(&self) -> &TableSignals {
        self.0
    }
}

/// What a table is made of.
pub(crate) struct TableSignals {
    pub(crate) columns: Live<Vec<ViewColumn>>,
    /// Those of them that are drawn, in their order.
    pub(crate) drawn: Live<Vec<Drawn>>,
    /// What a person chose of them, and whether the server's for wide output are among them.
    chosen: Live<(Option<Vec<ColumnChoice>>, bool)>,
    /// The height of a row in pixels; the style sheet has the same.
    pub(crate) row_height: Live<f64>,
    /// The columns that the rows are sorted by, the first first.
    pub(crate) sort: Live<Vec<SortOrder>>,
    /// Whether times are written in UTC.
    pub(crate) utc: Live<bool>,
    /// The widest text of each column so far, in characters.
    pub(crate) widths: Live<Vec<u16>>,
    pub(crate) total: Live<u32>,
    pub(crate) matched: Live<u32>,
    /// How many rows are drawn: those that match, and those that are gone and stay for a moment.
    pub(crate) length: Live<u32>,
    pub(crate) health: Live<HealthView>,
    /// What is wrong with what is looked for.
    pub(crate) fault: Live<Option<String>>,
    pub(crate) selected: Live<Selection>,
    pub(crate) slots: Live<Vec<Slot>>,
    /// The row that the keyboard is on, and where it was last.
    pub(crate) cursor: Live<Option<u64>>,
    pub(crate) cursor_index: Live<u32>,
    /// Where the grid is to be scrolled to, in pixels; each value is carried out once.
    pub(crate) scroll_to: Live<Option<f64>>,
    /// Rows that came, changed and went, second by second, the latest last.
    pub(crate) strip: Live<Vec<[u32; 3]>>,
    window: Live<Window>,
    /// Who owns the slots: they outlive the effect in which the grid turned out to need them.
    owner: Live<Owner>,
}

#[derive(Default)]
struct Window {
    /// Which view the patches are of.
    view: u32,
    first: u32,
    order: Vec<u64>,
    rows: FxHashMap<u64, Arc<RowView>>,
    /// What was asked for last.
    asked: ViewWindow,
    /// The first row that is seen, how many are, and the pixels scrolled.
    top: u32,
    seen: u32,
    scrolled: f64,
    /// The row that stays in its place, and where it was.
    anchor: Option<(u64, u32)>,
    /// Whether the cursor is where no row has come yet.
    cursor_waits: bool,
    /// Changes of this second.
    second: [u32; 3],
}

impl TableModel {
    pub(crate) fn new() -> Self {
        let signals = TableSignals {
            columns: Live::new(Vec::new()),
            drawn: Live::new(Vec::new()),
            chosen: Live::new((None, false)),
            row_height: Live::new(28.0),
            sort: Live::new(Vec::new()),
            utc: Live::new(false),
            widths: Live::new(Vec::new()),
            total: Live::new(0),
            matched: Live::new(0),
            length: Live::new(0),
            health: Live::new(HealthView::default()),
            fault: Live::new(None),
            selected: Live::new(Selection::default()),
            slots: Live::new(Vec::new()),
            cursor: Live::new(None),
            cursor_index: Live::new(0),
            scroll_to: Live::new(None),
            strip: Live::new(vec![[0; 3]; STRIP_SECONDS]),
            window: Live::new(Window { seen: 40, ..Window::default() }),
            owner: Live::new(Owner::current().unwrap_or_default()),
        };
        Self(Box::leak(Box::new(signals)))
    }

    /// Forgets what was shown; the patches of `view` are what counts from here on.
    pub(crate) fn begin(self, view: u32, now: WallTime) {
        self.window.update_untracked(|window| {
            *window = Window { view, seen: window.seen, ..Window::default() };
        });
        self.columns.set(Vec::new());
        self.drawn.set(Vec::new());
        self.widths.set(Vec::new());
        self.fault.set(None);
        self.clear_selection();
        self.total.set(0);
        self.matched.set(0);
        self.length.set(0);
        self.health.set(HealthView { since: now, ..HealthView::default() });
        self.cursor.set(None);
        self.cursor_index.set(0);
        self.scroll_to.set(Some(0.0));
        self.strip.set(vec![[0; 3]; STRIP_SECONDS]);
        for slot in self.slots.get_untracked() {
            slot.row.set(None);
        }
    }

    /// Draws these columns; `None` and `wide` as in a route.
    pub(crate) fn choose_columns(self, chosen: Option<Vec<ColumnChoice>>, wide: bool) {
        self.chosen.set((chosen, wide));
        self.draw_columns();
    }

    /// Makes rows this high, in pixels. What is at the top stays there.
    pub(crate) fn set_row_height(self, height: f64) {
        let before = self.row_height.get_untracked();
        if (before - height).abs() > 0.1 {
            let scrolled = self.window.with_untracked(|window| window.scrolled);
            self.row_height.set(height);
            self.scroll_to.set(Some(scrolled / before * height));
        }
    }

    /// How wide a column is drawn, in pixels.
    pub(crate) fn drawn_width(self, column: &str) -> u16 {
        let at = self.drawn.with_untracked(|drawn| drawn.iter().position(|drawn| drawn.column.name == column)).unwrap_or(0);
        let cell = document().query_selector(&format!(".th > [data-column='{at}']")).ok().flatten();
        cell.and_then(|cell| u16::try_from(cell.client_width()).ok()).unwrap_or(80)
    }

    fn draw_columns(self) {
        let drawn = self.columns.with_untracked(|columns| {
            self.chosen.with_untracked(|(chosen, wide)| layout::drawn(columns, chosen.as_deref(), *wide))
        });
        self.drawn.set_changed(drawn);
    }

    /// The number of the view that is shown.
    pub(crate) fn view(self) -> u32 {
        self.window.with_untracked(|window| window.view)
    }

    /// The part of the view to ask for: what is seen and some around it.
    pub(crate) fn wanted(self) -> ViewWindow {
        self.window.with_untracked(|window| {
            let first = window.top.saturating_sub(OVERSCAN);
            let offset = window.anchor.map_or(0, |(_, place)| place.saturating_sub(first));
            ViewWindow { first, count: window.seen + 2 * OVERSCAN, anchor: window.anchor.map(|(id, _)| id), offset }
        })
    }

    /// Takes in where the grid is scrolled to; gives back the window to ask for, where it is another.
    pub(crate) fn scrolled(self, top: f64, height: f64) -> Option<ViewWindow> {
        let row_height = self.row_height.get_untracked();
        self.window.update_untracked(|window| {
            window.scrolled = top;
            window.top = to_index(top / row_height);
            window.seen = (to_index(height / row_height) + 2).min(MOST_SLOTS - 2 * OVERSCAN);
            window.hold();
        });
        let count = self.window.with_untracked(|window| window.seen) + 2 * OVERSCAN;
        if self.slots.with_untracked(Vec::len) < to_usize(count) {
            let owner = self.owner.get_untracked();
            owner.with(|| self.slots.update(|slots| slots.resize_with(to_usize(count), Slot::new)));
        }
        self.lay_out();
        let wanted = self.wanted();
        let changed = self.window.with_untracked(|window| window.asked != wanted);
        changed.then(|| {
            self.window.update_untracked(|window| window.asked = wanted);
            wanted
        })
    }

    /// Takes in a patch.
    pub(crate) fn apply(self, patch: ViewPatch) {
        if patch.only_health {
            self.health.set_changed(patch.health);
            return;
        }
        let mut flashes = FxHashMap::default();
        let mut scroll = None;
        let row_height = self.row_height.get_untracked();
        // Rows of another core have other numbers: the cursor finds its row by name.
        let cursor = patch.reset.then(|| self.cursor_name()).flatten();
        if let Some(columns) = patch.columns {
            self.widths.set(columns.iter().map(layout::heading).collect());
            self.columns.set(columns);
            self.draw_columns();
            self.window.update_untracked(|window| window.rows.clear());
        }
        self.window.update_untracked(|window| {
            if patch.reset {
                window.rows.clear();
                window.anchor = None;
            }
            for row in patch.rows {
                let row = Arc::new(row);
                if let Some(before) = window.rows.insert(row.id, Arc::clone(&row)) {
                    flashes.insert(row.id, changed_cells(&before, &row));
                } else if row.fresh {
                    flashes.insert(row.id, u64::MAX);
                }
            }
            window.first = patch.first;
            window.order = patch.order;
            let kept: FxHashSet<u64> = window.order.iter().copied().collect();
            window.rows.retain(|id, _| kept.contains(id));
            for (total, some) in window.second.iter_mut().zip(patch.changes) {
                *total += some;
            }
            if let Some((id, before)) = window.anchor
                && let Some(after) =
                    window.place_of(id).or(patch.anchor.filter(|(other, _)| *other == id).map(|(_, place)| place))
                && before != after
            {
                window.anchor = Some((id, after));
                window.scrolled += (f64::from(after) - f64::from(before)) * row_height;
                window.top = to_index(window.scrolled / row_height);
                scroll = Some(window.scrolled);
            }
            // Rows that the page scrolled to before it had them.
            if window.anchor.is_none() {
                window.hold();
            }
        });
        self.total.set_changed(patch.total);
        let gone = self.window.with_untracked(|window| window.rows.values().filter(|row| row.gone).count());
        self.matched.set_changed(patch.matched);
        self.length.set_changed(patch.matched + to_u32(gone));
        self.health.set_changed(patch.health);
        self.fault.set_changed(patch.fault);
        self.unselect(&patch.removed);
        if patch.reset {
            self.cursor.set(cursor.and_then(|(namespace, name)| {
                self.window.with_untracked(|window| {
                    window.rows.values().find(|row| row.namespace == namespace && row.name == name).map(|row| row.id)
                })
            }));
        }
        self.measure();
        self.lay_out();
        if scroll.is_some() {
            self.scroll_to.set(scroll);
        }
        self.flash(&flashes);
        self.follow_cursor();
    }

    /// Ends a second of the strip.
    pub(crate) fn tick(self) {
        let mut second = [0; 3];
        self.window.update_untracked(|window| second = std::mem::take(&mut window.second));
        let quiet = second == [0; 3] && self.strip.with_untracked(|strip| strip.iter().all(|bar| *bar == [0; 3]));
        if !quiet {
            self.strip.update(|strip| {
                strip.remove(0);
                strip.push(second);
            });
        }
    }

    /// Moves the cursor by so many rows, and the grid with it.
    pub(crate) fn move_cursor(self, by: i64) {
        let matched = i64::from(self.matched.get_untracked());
        if matched == 0 {
            return;
        }
        let from = if self.cursor.get_untracked().is_none() && by.abs() == 1 {
            i64::from(self.window.with_untracked(|window| window.top)) - by.max(0)
        } else {
            i64::from(self.cursor_index.get_untracked())
        };
        let to = from.saturating_add(by).clamp(0, matched - 1);
        let to = u32::try_from(to).unwrap_or(0);
        self.set_cursor(to);
        let (top, seen) = self.window.with_untracked(|window| (window.scrolled, window.seen));
        let row_height = self.row_height.get_untracked();
        let place = f64::from(to) * row_height;
        let height = f64::from(seen.saturating_sub(3)) * row_height;
        if place < top {
            self.scroll_to.set(Some(place));
        } else if place > top + height {
            self.scroll_to.set(Some(place - height));
        }
    }

    /// Puts the cursor on the row at `index`.
    pub(crate) fn set_cursor(self, index: u32) {
        self.cursor_index.set(index);
        let id = self.window.with_untracked(|window| window.id_at(index));
        // A row that has yet to come gets the cursor when it does.
        self.window.update_untracked(|window| window.cursor_waits = id.is_none());
        self.cursor.set(id);
    }

    /// How many rows are seen at once.
    pub(crate) fn page_size(self) -> u32 {
        self.window.with_untracked(|window| window.seen.saturating_sub(4).max(1))
    }

    /// The row that the cursor is on, where it is there.
    pub(crate) fn cursor_row(self) -> Option<Arc<RowView>> {
        let id = self.cursor.get_untracked()?;
        self.window.with_untracked(|window| window.rows.get(&id).cloned())
    }

    /// The namespace and name of the row that the cursor is on.
    fn cursor_name(self) -> Option<(String, String)> {
        let id = self.cursor.get_untracked()?;
        self.window.with_untracked(|window| window.rows.get(&id).map(|row| (row.namespace.clone(), row.name.clone())))
    }

    /// The cursor stays on its row when the row moves; one that was set before its row came gets it.
    fn follow_cursor(self) {
        let index = self.cursor_index.get_untracked();
        match self.cursor.get_untracked() {
            Some(id) => {
                let place = self.window.with_untracked(|window| window.place_of(id));
                if let Some(place) = place.filter(|place| *place != index) {
                    self.cursor_index.set(place);
                }
            }
            None if self.window.with_untracked(|window| window.cursor_waits) => self.set_cursor(index),
            None => {}
        }
    }

    /// Puts the rows of the window into their slots.
    fn lay_out(self) {
        let slots = self.slots.get_untracked();
        let matched = self.length.get_untracked();
        self.window.with_untracked(|window| {
            let first = window.top.saturating_sub(OVERSCAN);
            for offset in 0..to_u32(slots.len()) {
                let index = first + offset;
                let Some(slot) = slots.get(to_usize(index) % slots.len().max(1)) else { continue };
                let row = window.id_at(index).filter(|_| index < matched).and_then(|id| window.rows.get(&id)).cloned();
                let same = slot.row.with_untracked(|before| match (before, &row) {
                    (Some(before), Some(row)) => Arc::ptr_eq(before, row),
                    (None, None) => true,
                    _ => false,
                });
                if slot.index.get_untracked() != index {
                    slot.index.set(index);
                    slot.flash.set((0, 0));
                }
                if !same {
                    slot.row.set(row);
                }
            }
        });
    }

    fn flash(self, flashes: &FxHashMap<u64, u64>) {
        if flashes.is_empty() {
            return;
        }
        for slot in self.slots.get_untracked() {
            let mask = slot.row.with_untracked(|row| row.as_ref().and_then(|row| flashes.get(&row.id)).copied());
            if let Some(mask) = mask.filter(|mask| *mask != 0) {
                slot.flash.update(|(bits, count)| {
                    *bits = mask;
                    *count += 1;
                });
            }
        }
    }

    /// Lets columns grow to the widest of what they show; they do not shrink, so nothing jumps.
    fn measure(self) {
        let mut widths = self.widths.get_untracked();
        let mut grown = false;
        self.window.with_untracked(|window| {
            for row in window.rows.values() {
                for (width, cell) in widths.iter_mut().zip(&row.cells) {
                    let characters = match cell {
                        CellView::Text(text) => layout::characters(text),
                        // An age has at most seven characters.
                        CellView::Since { before, after, .. } => layout::characters(before) + layout::characters(after) + 6,
                    };
                    if characters > *width {
                        *width = characters;
                        grown = true;
                    }
                }
            }
        });
        if grown {
            self.widths.set(widths);
        }
    }
}

impl Window {
    /// At the top new rows are to be seen; further down what is read is to stay where it is.
    fn hold(&mut self) {
        // What stands there already is held, also where its row is on its way.
        if self.top == 0 || self.anchor.is_none_or(|(_, place)| place != self.top) {
            self.anchor = (self.top > 0).then(|| self.id_at(self.top).map(|id| (id, self.top))).flatten();
        }
    }

    /// Where the row of this number is, if it is in the window.
    fn place_of(&self, id: u64) -> Option<u32> {
        let at = self.order.iter().position(|other| *other == id)?;
        Some(self.first + to_u32(at))
    }

    fn id_at(&self, index: u32) -> Option<u64> {
        self.order.get(to_usize(index.checked_sub(self.first)?)).copied()
    }
}

/// The cells that differ, as bits. An age that goes on is no change; one that starts anew is.
fn changed_cells(before: &RowView, after: &RowView) -> u64 {
    let mut bits = 0;
    for (at, (old, new)) in before.cells.iter().zip(&after.cells).enumerate().take(63) {
        let same = match (old, new) {
            (CellView::Since { at: old, before: x, .. }, CellView::Since { at: new, before: y, .. }) => {
                x == y && (*new - *old).abs() < 60_000
            }
            _ => old == new,
        };
        if !same {
            bits |= 1 << at;
        }
    }
    bits
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rows by pixels: whole, and far below 2^32")]
fn to_index(rows: f64) -> u32 {
    rows.max(0.0) as u32
}

fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
