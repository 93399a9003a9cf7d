//! What the words of a row say of its object's state.

use porthole_client_core::view::{CellView, ColumnRole, ViewColumn};

/// A state, as a class of the style sheet; each has a colour and a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// All is well.
    Good,
    /// On its way.
    Moving,
    /// Worth a look.
    Warning,
    /// Failed.
    Bad,
    /// Over.
    Done,
    /// A word that says nothing to us.
    Neutral,
}

impl State {
    /// Its class.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Moving => "go",
            Self::Warning => "warn",
            Self::Bad => "bad",
            Self::Done => "done",
            Self::Neutral => "",
        }
    }
}

/// The state of a row: what its status says, unless its counts say that something is missing.
pub(crate) fn row_state(cells: &[CellView], columns: &[ViewColumn], deleting: bool) -> State {
    if deleting {
        return State::Done;
    }
    let text = |wanted: fn(&ViewColumn) -> bool| {
        let at = columns.iter().position(wanted)?;
        match cells.get(at)? {
            CellView::Text(text) => Some(text.as_str()),
            CellView::Since { .. } => None,
        }
    };
    let counts = text(|column| column.role == ColumnRole::Ready && column.name == "Ready").and_then(count);
    let word = text(|column| column.role == ColumnRole::Status).map(word_state);
    match (word, counts) {
        (Some(State::Good), Some((ready, all))) if ready < all => State::Warning,
        (Some(state), _) => state,
        (None, Some((_, 0))) => State::Done,
        (None, Some((ready, all))) if ready >= all => State::Good,
        (None, Some((0, _))) => State::Bad,
        (None, Some(_)) => State::Warning,
        (None, None) => match text(|column| column.name == "Type") {
            Some("Warning") => State::Warning,
            _ => State::Neutral,
        },
    }
}

/// The state that a word of a status column names.
pub(crate) fn word_state(word: &str) -> State {
    // Nodes join several with commas; the worst counts.
    if word.contains(',') {
        return word.split(',').map(word_state).max_by_key(|state| severity(*state)).unwrap_or(State::Neutral);
    }
    let bare = word.strip_prefix("Init:").unwrap_or(word);
    match bare {
        "Running" | "Ready" | "Active" | "Bound" | "Available" | "Healthy" | "Established" => State::Good,
        "Completed" | "Complete" | "Succeeded" | "Terminating" | "Released" | "Inactive" => State::Done,
        "ContainerCreating" | "PodInitializing" | "Progressing" | "Creating" | "Updating" | "Deploying" | "Starting" => {
            State::Moving
        }
        "Pending" | "Unknown" | "SchedulingDisabled" | "SchedulingGated" | "Suspended" | "Degraded" | "Warning" => State::Warning,
        "NotReady" | "Failed" | "Evicted" | "OOMKilled" | "Lost" | "Unhealthy" | "ContainerCannotRun" | "DeadlineExceeded" => {
            State::Bad
        }
        _ if ["Err", "Error", "Invalid", "ExitCode:", "Signal:"].iter().any(|start| bare.starts_with(start)) => State::Bad,
        _ if ["BackOff", "Error", "Failed"].iter().any(|end| bare.ends_with(end)) => State::Bad,
        _ if word.starts_with("Init:") => State::Moving,
        _ => State::Neutral,
    }
}

/// `2/3` is two of three; anything else is no count.
pub(crate) fn count(text: &str) -> Option<(u32, u32)> {
    let (part, whole) = text.split_once('/')?;
    Some((part.parse().ok()?, whole.parse().ok()?))
}

fn severity(state: State) -> u8 {
    match state {
        State::Neutral => 0,
        State::Good => 1,
        State::Done => 2,
        State::Moving => 3,
        State::Warning => 4,
        State::Bad => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_state_people_expect_and_new_ones_have_none() {
        for (word, state) in [
            ("Running", State::Good),
            ("Init:0/2", State::Moving),
            ("Init:CrashLoopBackOff", State::Bad),
            ("Init:Error", State::Bad),
            ("Completed", State::Done),
            ("CrashLoopBackOff", State::Bad),
            ("ImagePullBackOff", State::Bad),
            ("ErrImagePull", State::Bad),
            ("CreateContainerConfigError", State::Bad),
            ("Unknown", State::Warning),
            ("Ready,SchedulingDisabled", State::Warning),
            ("NotReady,SchedulingDisabled", State::Bad),
            ("SomethingNew", State::Neutral),
            ("", State::Neutral),
        ] {
            assert_eq!(word_state(word), state, "{word}");
        }
    }

    #[test]
    fn a_row_that_runs_without_all_of_its_containers_is_worth_a_look() {
        let column =
            |name: &str, role| ViewColumn { name: name.into(), description: String::new(), role, wide: false, cell: None };
        let columns = [column("Ready", ColumnRole::Ready), column("Status", ColumnRole::Status)];
        let state =
            |ready: &str, status: &str| row_state(&[ready, status].map(|text| CellView::Text(text.into())), &columns, false);
        assert_eq!(state("2/2", "Running"), State::Good);
        assert_eq!(state("1/2", "Running"), State::Warning);
        assert_eq!(state("0/1", "Completed"), State::Done);
        assert_eq!(row_state(&[CellView::Text("0/3".into())], &columns[..1], false), State::Bad);
        assert_eq!(row_state(&[CellView::Text("0/0".into())], &columns[..1], false), State::Done);
    }
}
