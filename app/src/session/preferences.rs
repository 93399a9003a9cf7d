//! What a person has set: for the page, and for each cluster.

use serde::{Deserialize, Serialize};

/// Which colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Theme {
    /// What the system prefers.
    #[default]
    System,
    Dark,
    Light,
}

/// How high a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Density {
    #[default]
    Compact,
    Comfortable,
}

impl Density {
    /// The height of a row in pixels; the style sheet has the same.
    pub(crate) fn row_height(self) -> f64 {
        match self {
            Self::Compact => 28.0,
            Self::Comfortable => 34.0,
        }
    }
}

/// In which zone times are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Zone {
    /// That of this machine.
    #[default]
    Local,
    Utc,
}

/// What is set for the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Preferences {
    pub(crate) theme: Theme,
    pub(crate) density: Density,
    pub(crate) zone: Zone,
    /// Whether nothing new is remembered: where a person was, and how tables were laid out.
    pub(crate) forgetful: bool,
}

/// The colours that a cluster can have, as the style sheet names them.
pub(crate) const COLOURS: [&str; 8] = ["brass", "blue", "green", "teal", "violet", "pink", "orange", "red"];

/// What a person says of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ClusterMark {
    /// What they call it; empty where they have not said.
    pub(crate) name: String,
    /// One of [`COLOURS`], by number.
    pub(crate) colour: usize,
    /// Whether each change is to be asked for once more.
    pub(crate) production: bool,
    /// Whether nothing may be changed.
    pub(crate) read_only: bool,
}

impl ClusterMark {
    /// The name of its colour.
    pub(crate) fn colour_name(&self) -> &'static str {
        COLOURS.get(self.colour).copied().unwrap_or("brass")
    }
}

/// A view that a person gave a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedView {
    pub(crate) name: String,
    /// Where it is, as the hash of an address.
    pub(crate) hash: String,
}
