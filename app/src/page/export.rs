//! Taking rows along: as a file, or in the clipboard; and the kubectl command that shows the same.

use super::{nav::thousands, session::Session};
use crate::{
    bridge::ExportFormat,
    table::Selection,
    ui::{PickItem, PickList},
};

/// What is to be done with rows once the core has written them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    File,
    Clipboard,
}

/// Each way: what it is called, the format, and where it goes.
const WAYS: &[(&str, ExportFormat, Destination)] = &[
    ("CSV of the columns, as a file", ExportFormat::Csv, Destination::File),
    ("JSON of the objects, as a file", ExportFormat::Json, Destination::File),
    ("YAML of the objects, as a file", ExportFormat::Yaml, Destination::File),
    ("Names, as a file", ExportFormat::Names, Destination::File),
    ("Copy the names", ExportFormat::Names, Destination::Clipboard),
    ("Copy the columns as CSV", ExportFormat::Csv, Destination::Clipboard),
    ("Copy the objects as YAML", ExportFormat::Yaml, Destination::Clipboard),
    ("Copy the objects as JSON", ExportFormat::Json, Destination::Clipboard),
];
const COMMAND: &str = "Copy the kubectl command that shows the same";

/// The list.
pub(super) fn list(session: Session) -> PickList {
    PickList::new(
        "Export",
        "A format",
        "What is selected, or else all rows that match.",
        move |typed| {
            let words = typed.trim().to_ascii_lowercase();
            let selected = session.table.selected.with(Selection::len);
            let detail = if selected > 0 {
                format!("{selected} selected")
            } else {
                format!("{} that match", thousands(session.table.matched.get()))
            };
            let ways = WAYS.iter().map(|(title, _, _)| (*title, detail.clone(), ""));
            ways.chain([(COMMAND, session.command(), "C")])
                .filter(|(title, _, _)| title.to_ascii_lowercase().contains(&words))
                .map(|(title, detail, key)| PickItem {
                    id: title.to_owned(),
                    title: title.to_owned(),
                    detail,
                    key,
                    ..PickItem::default()
                })
                .collect()
        },
        move |item, _| {
            session.close_dialog();
            match WAYS.iter().find(|(title, _, _)| *title == item.id) {
                Some(&(_, format, destination)) => session.export(format, destination),
                None => session.copy(&session.command(), "the command"),
            }
        },
    )
}

/// The end of a file's name, and its type.
pub(crate) fn file_type(format: ExportFormat) -> (&'static str, &'static str) {
    match format {
        ExportFormat::Csv => ("csv", "text/csv"),
        ExportFormat::Json => ("json", "application/json"),
        ExportFormat::Yaml => ("yaml", "application/yaml"),
        ExportFormat::Names => ("txt", "text/plain"),
    }
}
