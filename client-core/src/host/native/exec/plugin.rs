//! One credential plugin: when it may run, what it is told, and how long its answer holds.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures::{channel::oneshot, lock::Mutex as AsyncMutex};

use super::{
    CallOutcome, ExecError, ExecEvent, ExecHost,
    command::{Call, Outcome, look_path, run},
    credential::{Credentials, VERSIONS, request, response},
};
use crate::{
    config::{ExecCluster, ExecConfig, InteractiveMode, PluginPolicy},
    platform::{Instant, Platform},
};

/// How often an install hint is told within [`HINT_INTERVAL`]: often enough for a person, not for a log.
const HINT_TIMES: usize = 10;
/// See [`HINT_TIMES`].
const HINT_INTERVAL: Duration = Duration::from_hours(1);

/// A credential plugin, shared by all transports whose configurations describe it alike (client-go
/// `plugin/pkg/client/auth/exec/exec.go`, `Authenticator`). It runs once at a time, when there are no credentials, when
/// they have expired, or when the server did not accept them.
pub(in crate::host::native) struct Plugin {
    config: ExecConfig,
    cluster: Option<ExecCluster>,
    host: Arc<ExecHost>,
    platform: Arc<dyn Platform>,
    cached: Mutex<Option<Arc<Credentials>>>,
    running: Arc<AsyncMutex<()>>,
    hints: Mutex<Sometimes>,
}

impl Plugin {
    /// # Errors
    /// Where the version is not spoken or the policy could be misread.
    pub(in crate::host::native) fn new(
        config: ExecConfig,
        cluster: Option<ExecCluster>,
        host: Arc<ExecHost>,
        platform: Arc<dyn Platform>,
    ) -> Result<Self, ExecError> {
        if !VERSIONS.contains(&config.api_version.as_str()) {
            return Err(ExecError::Version { command: config.command, version: config.api_version });
        }
        config.plugin_policy.validate()?;
        let hints = Mutex::new(Sometimes::new(HINT_TIMES, HINT_INTERVAL));
        Ok(Self { config, cluster, host, platform, cached: Mutex::default(), running: Arc::default(), hints })
    }

    /// Whether this is the plugin that a configuration describes.
    pub(in crate::host::native) fn is(&self, config: &ExecConfig, cluster: Option<&ExecCluster>) -> bool {
        self.config == *config && self.cluster.as_ref() == cluster
    }

    /// Credentials that hold now; runs the command where there are none.
    ///
    /// # Errors
    /// Where the command gives none.
    pub(in crate::host::native) async fn credentials(self: Arc<Self>) -> Result<Arc<Credentials>, ExecError> {
        if let Some(credentials) = self.current() {
            return Ok(credentials);
        }
        let one_at_a_time = Arc::clone(&self.running).lock_owned().await;
        if let Some(credentials) = self.current() {
            return Ok(credentials);
        }
        let command = self.config.command.clone();
        // The run goes on when the request that began it is dropped, and serves the next: a person may be typing. It has a thread
        // of its own, because a runtime that ends waits for its blocking tasks, and a plugin may never end.
        let (done, outcome) = oneshot::channel();
        let run = move || {
            let _until_it_ends = one_at_a_time;
            let outcome = self.ask().map(Arc::new);
            if let Ok(credentials) = &outcome {
                *self.cached.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(credentials));
            }
            // Who no longer listens asks again, and is served from what was kept.
            done.send(outcome).ok();
        };
        let failed = |message: String| ExecError::Start { command: command.clone(), message };
        std::thread::Builder::new().name("credential-plugin".to_owned()).spawn(run).map_err(|error| failed(error.to_string()))?;
        outcome.await.unwrap_or_else(|_panicked| Err(failed("what runs it panicked".to_owned())))
    }

    /// The server did not accept these: unless others were got meanwhile, the next request runs the command again.
    pub(in crate::host::native) fn reject(&self, refused: &Arc<Credentials>) {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.as_ref().is_some_and(|credentials| Arc::ptr_eq(credentials, refused)) {
            *cached = None;
        }
    }

    /// The credentials of the last run, whether they hold or not.
    pub(in crate::host::native) fn last(&self) -> Option<Arc<Credentials>> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn current(&self) -> Option<Arc<Credentials>> {
        let now = self.platform.wall_time();
        self.last().filter(|credentials| credentials.expires.is_none_or(|expires| now <= expires))
    }

    /// Runs the command. Blocks.
    fn ask(&self) -> Result<Credentials, ExecError> {
        let command = || self.config.command.clone();
        let interactive = self.is_interactive()?;
        let cluster = self.cluster.as_ref().filter(|_cluster| self.config.provide_cluster_info);
        let info = request(&self.config.api_version, cluster, interactive)
            .map_err(|error| ExecError::Start { command: command(), message: error.to_string() })?;
        let mut environment = self.host.environment();
        let path = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone());
        environment.extend(
            self.config
                .env
                .iter()
                .map(|variable| (OsString::from(variable.name.as_str()), OsString::from(variable.value.as_str()))),
        );
        environment.push((OsString::from("KUBERNETES_EXEC_INFO"), OsString::from(info)));

        let found = look_path(&self.config.command, path.as_ref());
        let allowed = self.check_policy(found.as_ref(), path.as_ref());
        self.host.tell(&ExecEvent::Policy { command: command(), allowed: allowed.is_ok() });
        allowed?;
        let Some(program) = found else {
            self.host.tell(&ExecEvent::Called { command: command(), exit_code: 1, outcome: CallOutcome::NotFound });
            return Err(ExecError::NotFound { command: command(), hint: self.install_hint() });
        };
        let call = Call { program, arguments: self.config.args.clone(), environment, interactive };
        let outcome = self.run(&call)?;
        response(&outcome.stdout, &self.config.api_version).map_err(|message| ExecError::Output { command: command(), message })
    }

    fn run(&self, call: &Call) -> Result<Outcome, ExecError> {
        let command = || self.config.command.clone();
        let ended = run(call, &|chunk| self.host.stderr(chunk));
        let (exit_code, outcome) = match &ended {
            Ok(Outcome { code: Some(0), .. }) => (0, CallOutcome::Succeeded),
            Ok(Outcome { code, .. }) => (code.unwrap_or(-1), CallOutcome::Failed),
            Err(_) => (1, CallOutcome::NotStarted),
        };
        self.host.tell(&ExecEvent::Called { command: command(), exit_code, outcome });
        match ended {
            Ok(ended) if exit_code == 0 => Ok(ended),
            Ok(ended) => Err(ExecError::Failed { command: command(), code: exit_code, stderr: ended.stderr }),
            Err(error) => Err(ExecError::Start { command: command(), message: error.to_string() }),
        }
    }

    /// Whether the command may read standard input.
    fn is_interactive(&self) -> Result<bool, ExecError> {
        let error = |reason: String| Err(ExecError::Interactive { command: self.config.command.clone(), reason });
        let unavailable = self.config.stdin_unavailable;
        match &self.config.interactive_mode {
            InteractiveMode::Never => Ok(false),
            InteractiveMode::IfAvailable => Ok(!unavailable && self.host.is_terminal()),
            InteractiveMode::Always if !self.host.is_terminal() => error("standard input is not a terminal".to_owned()),
            InteractiveMode::Always if unavailable => error(match self.config.stdin_unavailable_message.as_str() {
                "" => "standard input is unavailable".to_owned(),
                message => format!("standard input is unavailable: {message}"),
            }),
            InteractiveMode::Always => Ok(true),
            mode @ (InteractiveMode::Unset | InteractiveMode::Other(_)) => {
                error(format!("its interactiveMode is \"{}\", and must be Never, IfAvailable or Always", mode.as_str()))
            }
        }
    }

    /// Whether the policy lets the command run: an entry must name the same file.
    fn check_policy(&self, found: Option<&PathBuf>, path: Option<&OsString>) -> Result<(), ExecError> {
        let denied = |reason: String| Err(ExecError::Denied { command: self.config.command.clone(), reason });
        let list = match &self.config.plugin_policy {
            PluginPolicy::AllowAll => return Ok(()),
            PluginPolicy::DenyAll => return denied("the policy is DenyAll".to_owned()),
            PluginPolicy::Allowlist(list) => list,
        };
        let Some(found) = found else {
            return denied("it cannot be found, and so not be compared with the list of allowed plugins".to_owned());
        };
        let resolve = |entry: &String| look_path(entry, path).map(|file| clean_path(&file));
        let allowed: BTreeSet<String> = list.iter().filter_map(resolve).collect();
        if allowed.contains(&clean_path(found)) {
            return Ok(());
        }
        denied(format!("{} is not in the list of allowed plugins", found.display()))
    }

    fn install_hint(&self) -> Option<String> {
        let mut hints = self.hints.lock().unwrap_or_else(PoisonError::into_inner);
        hints.may_now(self.platform.now()).then(|| self.config.install_hint.clone())
    }
}

fn clean_path(file: &std::path::Path) -> String {
    crate::config::clean_path(&file.to_string_lossy())
}

/// Lets something happen so many times an interval.
struct Sometimes {
    times: usize,
    interval: Duration,
    count: usize,
    window: Option<Instant>,
}

impl Sometimes {
    fn new(times: usize, interval: Duration) -> Self {
        Self { times, interval, count: 0, window: None }
    }

    fn may_now(&mut self, now: Instant) -> bool {
        let start = *self.window.get_or_insert(now);
        if now.since(start) >= self.interval {
            self.window = Some(now);
            self.count = 0;
        }
        self.count += 1;
        self.count <= self.times
    }
}
