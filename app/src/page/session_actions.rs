//! What a person does with a session: say, copy, select, take along, delete.

use porthole_client_core::meta::GroupResource;

use super::{
    command,
    dialogs::Dialog,
    export::{Destination, file_type},
    keys,
    resource_label::label,
    session::Session,
};
use crate::{
    bridge::{Choice, ClusterPhase, ExportFormat, Problem, RowName, ToCore},
    route::OwnPage,
    session::{preferences::Zone, store},
    ui,
};

impl Session {
    /// What is on screen, in a word or two.
    pub(super) fn title(self) -> String {
        let (page, resource) = self.route.with(|route| (route.page, route.resource.clone()));
        match (page, resource) {
            (Some(OwnPage::Settings), _) => "Settings".to_owned(),
            (Some(OwnPage::Activity), _) => "Activity".to_owned(),
            (None, None) => String::new(),
            (None, Some(resource)) => {
                let known = self.catalog.with(|catalog| catalog.as_ref().and_then(|catalog| catalog.find(&resource).map(label)));
                known.unwrap_or(resource.resource)
            }
        }
    }

    /// What the cluster is called: as its person says, or by the first part of its identity.
    pub(super) fn cluster_name(self) -> String {
        let name = self.mark.with(|mark| mark.name.clone());
        self.cluster.with(|cluster| match (&cluster.phase, &cluster.id) {
            (ClusterPhase::Asking, _) => "connecting".to_owned(),
            (ClusterPhase::Away(_), None) => "no cluster".to_owned(),
            (_, Some(_)) if !name.is_empty() => name,
            (_, Some(id)) => format!("cluster {}", id.as_str().split('-').next().unwrap_or_default()),
            (ClusterPhase::Here, None) => "cluster".to_owned(),
        })
    }

    /// Whether times are written in UTC.
    pub(super) fn is_utc(self) -> bool {
        self.preferences.with(|preferences| preferences.zone == Zone::Utc)
    }

    /// The kubectl command that shows what is on screen.
    pub(super) fn command(self) -> String {
        let spec = self.spec();
        let namespaced = spec.as_ref().and_then(|spec| {
            self.catalog.with_untracked(|catalog| catalog.as_ref()?.find(&spec.resource).map(|found| found.namespaced))
        });
        spec.map(|spec| command::of_spec(&spec, namespaced.unwrap_or(true))).unwrap_or_default()
    }

    /// Says what was done, to eyes and ears, for a while.
    pub(super) fn say(self, text: String) {
        self.said.set(text);
        self.silence.after(std::time::Duration::from_secs(5), move || self.said.set(String::new()));
    }

    /// Closes what is open over the page. The focus goes to what the keys are for.
    pub(super) fn close_dialog(self) {
        if self.dialog.with_untracked(Option::is_some) {
            self.dialog.set(None);
            ui::close_modal();
            keys::focus_main(self);
        }
    }

    /// Puts a text into the clipboard; `what` is what it is called.
    pub(super) fn copy(self, text: &str, what: &str) {
        let what = what.to_owned();
        ui::copy(text, move |done| {
            self.say(if done { format!("Copied: {what}") } else { format!("The browser did not allow to copy {what}.") });
        });
    }

    /// Remembers that a person was here.
    pub(super) fn visited(self, hash: &str) {
        let hash = hash.to_owned();
        // What is typed on the way to a filter is no place.
        self.visiting.after(std::time::Duration::from_secs(2), move || {
            let known = self.cluster.with_untracked(|cluster| cluster.phase == ClusterPhase::Here);
            if known && self.route.with_untracked(|route| route.page.is_none()) {
                self.recent.set(store::remember_recent(self.cluster_id().as_ref(), &hash));
            }
        });
    }

    /// Selects all rows that match.
    pub(super) fn select_all(self) {
        self.choose(Choice::All, false);
    }

    /// Selects what is not selected, of the rows that match.
    pub(super) fn invert_selection(self) {
        self.choose(Choice::All, true);
    }

    /// Selects the rows from one to another.
    pub(super) fn select_between(self, from: u64, to: u64) {
        self.choose(Choice::Between(from, to), false);
    }

    fn choose(self, rows: Choice, invert: bool) {
        self.inverting.set(invert);
        self.send(&ToCore::Choose { view: self.table.view(), rows });
    }

    /// The core says which rows these are.
    pub(super) fn chosen(self, rows: Vec<RowName>) {
        let invert = self.inverting.get_untracked();
        self.inverting.set(false);
        self.table.take_selection(rows, invert);
    }

    /// Asks the core for what is selected, or for all rows that match, as a text.
    pub(super) fn export(self, format: ExportFormat, destination: Destination) {
        self.destination.set(destination);
        let selected = self.table.selected_numbers();
        self.say("The rows are being written …".to_owned());
        self.send(&ToCore::Export { view: self.table.view(), rows: (!selected.is_empty()).then_some(selected), format });
    }

    /// The core has written them.
    pub(super) fn exported(self, format: ExportFormat, answer: Result<String, Problem>) {
        let text = match answer {
            Ok(text) => text,
            Err(problem) => {
                self.say(String::new());
                self.notice(format!("The rows could not be exported: {}", problem.message));
                return;
            }
        };
        if self.destination.get_untracked() == Destination::Clipboard {
            self.copy(&text, &format!("{} lines", text.lines().count()));
            return;
        }
        let (end, kind) = file_type(format);
        let resource =
            self.route.with_untracked(|route| route.resource.as_ref().map(GroupResource::to_string).unwrap_or_default());
        let name = format!("{resource}.{end}");
        match ui::download(&name, kind, &text) {
            Ok(()) => self.say(format!("Saved as {name}")),
            Err(error) => self.notice(format!("The browser could not save {name}: {error:?}")),
        }
    }

    /// Asks whether what is selected, or the row under the cursor, is to be deleted.
    pub(super) fn ask_deletion(self) {
        if self.mark.with_untracked(|mark| mark.read_only) {
            self.say("This cluster is set to read-only here; @ changes that.".to_owned());
            return;
        }
        let rows = self.table.selected_or_cursor();
        if rows.is_empty() {
            self.say("No row is selected: j and k choose one, Space selects more.".to_owned());
        } else {
            self.dialog.set(Some(Dialog::Delete(rows.into())));
        }
    }

    /// What came of a deletion.
    pub(super) fn deleted(self, done: u32, left: u32, failed: Vec<(String, Problem)>) {
        for (name, problem) in failed {
            self.notice(format!("{name} was not deleted: {}", problem.message));
        }
        self.say(if left > 0 { format!("{done} deleted, {left} to go") } else { format!("{done} deleted") });
    }
}
