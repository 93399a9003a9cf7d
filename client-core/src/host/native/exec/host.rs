//! What plugins have of this process.

use std::{ffi::OsString, io::IsTerminal as _, io::Write as _, sync::Arc};

/// Something that happened to a plugin, for counting (client-go `plugin/pkg/client/auth/exec/metrics.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExecEvent {
    /// The policy was asked.
    Policy {
        /// The command.
        command: String,
        /// Whether it may run.
        allowed: bool,
    },
    /// It was run, or should have been.
    Called {
        /// The command.
        command: String,
        /// Its exit code; 1 where it could not be run, -1 where a signal ended it.
        exit_code: i32,
        /// What became of it.
        outcome: CallOutcome,
    },
}

/// What became of a run of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallOutcome {
    /// It ended well.
    Succeeded,
    /// It ended with another exit code than 0.
    Failed,
    /// There is no such command.
    NotFound,
    /// It could not be started.
    NotStarted,
}

type Variables = dyn Fn() -> Vec<(OsString, OsString)> + Send + Sync;
type Sink = dyn Fn(&[u8]) + Send + Sync;
type Observer = dyn Fn(&ExecEvent) + Send + Sync;

/// What plugins have of this process: its variables, its standard error, and whether a person sits at its standard input.
#[derive(Clone)]
pub struct ExecHost {
    variables: Arc<Variables>,
    is_terminal: Arc<dyn Fn() -> bool + Send + Sync>,
    stderr: Arc<Sink>,
    observer: Option<Arc<Observer>>,
}

impl Default for ExecHost {
    /// This process as it is.
    fn default() -> Self {
        Self {
            variables: Arc::new(|| std::env::vars_os().collect()),
            is_terminal: Arc::new(|| std::io::stdin().is_terminal()),
            stderr: Arc::new(|chunk| {
                // Whoever closed our standard error does not want to hear it.
                std::io::stderr().write_all(chunk).ok();
            }),
            observer: None,
        }
    }
}

impl ExecHost {
    /// The same with these variables in place of the process's.
    #[must_use]
    pub fn with_variables(self, variables: impl Fn() -> Vec<(OsString, OsString)> + Send + Sync + 'static) -> Self {
        Self { variables: Arc::new(variables), ..self }
    }

    /// The same, saying whether a person sits at standard input.
    #[must_use]
    pub fn with_terminal(self, is_terminal: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { is_terminal: Arc::new(is_terminal), ..self }
    }

    /// The same, handing what plugins say on standard error to `sink`.
    #[must_use]
    pub fn with_stderr(self, sink: impl Fn(&[u8]) + Send + Sync + 'static) -> Self {
        Self { stderr: Arc::new(sink), ..self }
    }

    /// The same, telling `observer` what happens to plugins.
    #[must_use]
    pub fn with_observer(self, observer: impl Fn(&ExecEvent) + Send + Sync + 'static) -> Self {
        Self { observer: Some(Arc::new(observer)), ..self }
    }

    pub(super) fn environment(&self) -> Vec<(OsString, OsString)> {
        (self.variables)()
    }

    pub(super) fn is_terminal(&self) -> bool {
        (self.is_terminal)()
    }

    pub(super) fn stderr(&self, chunk: &[u8]) {
        (self.stderr)(chunk);
    }

    pub(super) fn tell(&self, event: &ExecEvent) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }
}
