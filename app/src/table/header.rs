//! The headings, which sort.

use leptos::prelude::*;
use porthole_client_core::view::{ColumnRole, ViewColumn};

use super::model::TableModel;
use crate::route::Route;

/// The headings of the table.
#[component]
pub(super) fn Header(model: TableModel, route: Memo<Route>, on_sort: Callback<String>) -> impl IntoView {
    let headings = move || {
        let wide = model.wide.get();
        let columns = model.columns.get().into_iter().filter(move |column| wide || !column.wide);
        columns.map(|column| heading(column, route, on_sort)).collect_view()
    };
    view! { <div class="tr th" role="row" aria-rowindex="1"><i></i><span class="mark"></span>{headings}</div> }
}

fn heading(column: ViewColumn, route: Memo<Route>, on_sort: Callback<String>) -> impl IntoView {
    let ViewColumn { name, description, role, .. } = column;
    let direction = {
        let name = name.clone();
        move || route.with(|route| (route.sort.as_deref() == Some(name.as_str())).then_some(route.descending))
    };
    let (of_class, of_mark) = (direction.clone(), direction.clone());
    let right = matches!(role, ColumnRole::Number | ColumnRole::Age | ColumnRole::Since | ColumnRole::Duration);
    let clicked = name.clone();
    view! {
        <span class=if right { "td r" } else { "td" } class:s=move || of_class().is_some() role="columnheader" title=description
            aria-sort=move || match direction() { None => "none", Some(false) => "ascending", Some(true) => "descending" }>
            <button type="button" tabindex="-1" on:click=move |_| on_sort.run(clicked.clone())>
                {name}
                <span class="dir" aria-hidden="true">{move || match of_mark() { None => "", Some(false) => " ↑", Some(true) => " ↓" }}</span>
            </button>
        </span>
    }
}
