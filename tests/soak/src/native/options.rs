//! What `tools/soak` says in the environment.

use std::{env, path::PathBuf, str::FromStr, time::Duration};

use super::Fallible;

pub(super) struct Options {
    /// For how long parts are disturbed.
    pub(super) length: Duration,
    /// Changes a second.
    pub(super) rate: f64,
    /// What the order of everything follows from.
    pub(super) seed: u64,
    /// The program that runs control planes; `control-plane` lies beside it.
    pub(super) cluster: PathBuf,
    /// A folder that goes with the run.
    pub(super) dir: PathBuf,
    /// The page with its module.
    pub(super) page: PathBuf,
    /// The script that drives the browser.
    pub(super) driver: PathBuf,
    /// The file that the figures go to.
    pub(super) figures: PathBuf,
}

impl Options {
    pub(super) fn of_environment() -> Fallible<Self> {
        let minutes: f64 = number("MINUTES")?;
        if !(0.5..=1440.0).contains(&minutes) {
            return Err(format!("MINUTES={minutes}: say how many, from 0.5 to 1440"));
        }
        Ok(Self {
            length: Duration::from_secs_f64(minutes * 60.0),
            rate: number("RATE")?,
            seed: number("SEED")?,
            cluster: text("PORTHOLE_CLUSTER")?.into(),
            dir: text("SOAK_DIR")?.into(),
            page: text("SOAK_PAGE")?.into(),
            driver: text("SOAK_DRIVER")?.into(),
            figures: text("SOAK_FIGURES")?.into(),
        })
    }
}

fn text(name: &str) -> Fallible<String> {
    env::var(name).map_err(|error| format!("{name}: {error}; start the soak with tools/soak"))
}

fn number<T: FromStr>(name: &str) -> Fallible<T> {
    let text = text(name)?;
    text.parse().map_err(|_no_reason| format!("{name}={text} is no number"))
}
