//! Requests whose outcome has to be known.
//!
//! Where the connection breaks, or a server that is about to go answers, nobody knows whether a request was done. A controller that
//! takes it for failed makes one pod too many under another name; one that takes it for done waits for what never comes. So
//! each pod gets its name here, and a request is sent again, for the same pod, until somebody knows.

use std::{sync::Arc, time::Duration};

use porthole_client_core::{
    clients::ResourceClient,
    flowcontrol::BackoffSteps,
    k8s_openapi::api::core::v1::Pod,
    object::{Object as _, controller_of},
    platform::{Instant, Platform},
    rest::{ApiError, DeleteOptions, GetOptions, Preconditions, WriteOptions},
};

/// How long to wait before the next try: a tenth of a second, growing to five.
const DELAYS: BackoffSteps = BackoffSteps {
    duration: Duration::from_millis(100),
    factor: 2.0,
    jitter: 0.2,
    steps: u32::MAX,
    cap: Some(Duration::from_secs(5)),
};

/// How long to try for: so long expectations wait as well.
const PATIENCE: Duration = Duration::from_secs(300);

/// How many names are tried where one is taken (apiserver `maxNameGenerationCreateAttempts`).
const NAMES: usize = 8;

/// Makes `pod`, under a name that `name` gives, and a next one where that is taken. The pod that is there in the end.
///
/// # Errors
/// What the server says no with; or what went wrong last, where nobody has known for five minutes.
pub(crate) async fn create(
    platform: &Arc<dyn Platform>,
    pods: &ResourceClient<Pod>,
    mut pod: Pod,
    mut name: impl FnMut() -> String,
) -> Result<Pod, ApiError> {
    pod.metadata.name = Some(name());
    let (mut doubt, mut names) = (Doubt::new(platform), 1);
    loop {
        let error = match pods.create(&pod, &WriteOptions::DEFAULT).await {
            Ok(made) => return Ok(made),
            Err(error) => error,
        };
        if is_uncertain(&error) {
            doubt.begin();
        } else if !doubt.is_there() {
            if !error.is_already_exists() || names == NAMES {
                return Err(error);
            }
            (pod.metadata.name, names) = (Some(name()), names + 1);
            continue;
        } else {
            // Refused now; it may have been made before.
            match pods.get(pod.name(), &GetOptions::DEFAULT).await {
                Ok(there) if controller_of(&there) == controller_of(&pod) => return Ok(there),
                Ok(_) => {
                    pod.metadata.name = Some(name());
                    doubt = Doubt::new(platform);
                    continue;
                }
                Err(missing) if missing.is_not_found() && !error.is_already_exists() => return Err(error),
                Err(_) => {}
            }
        }
        if !doubt.wait().await {
            return Err(error);
        }
    }
}

/// Deletes this very pod. Whether it was there.
///
/// # Errors
/// As [`create`].
pub(crate) async fn delete(platform: &Arc<dyn Platform>, pods: &ResourceClient<Pod>, pod: &Pod) -> Result<bool, ApiError> {
    let options = DeleteOptions { preconditions: Some(Preconditions::uid(pod.uid())), ..DeleteOptions::DEFAULT };
    let mut doubt = Doubt::new(platform);
    loop {
        let error = match pods.delete(pod.name(), &options).await {
            Ok(_) => return Ok(true),
            // Another one has its name by now.
            Err(error) if error.is_not_found() || error.is_conflict() => return Ok(doubt.is_there()),
            Err(error) => error,
        };
        if is_uncertain(&error) {
            doubt.begin();
        } else if !doubt.is_there() {
            return Err(error);
        }
        if !doubt.wait().await {
            return Err(error);
        }
    }
}

/// Whether what was asked may have been done all the same.
fn is_uncertain(error: &ApiError) -> bool {
    match error.last() {
        // With 4xx a server says that it has not begun.
        ApiError::Refused(status) => status.code >= 500,
        ApiError::Transport(_) | ApiError::Unreadable { .. } | ApiError::TimedOut { .. } => true,
        _ => false,
    }
}

/// That a request may have been done, and for how long that is borne.
struct Doubt<'a> {
    platform: &'a Arc<dyn Platform>,
    delays: BackoffSteps,
    since: Option<Instant>,
}

impl<'a> Doubt<'a> {
    fn new(platform: &'a Arc<dyn Platform>) -> Self {
        Self { platform, delays: DELAYS, since: None }
    }

    fn begin(&mut self) {
        self.since.get_or_insert_with(|| self.platform.now());
    }

    fn is_there(&self) -> bool {
        self.since.is_some()
    }

    /// Waits until the next try; false where there is to be none.
    async fn wait(&mut self) -> bool {
        let delay = self.delays.step(self.platform.random());
        if self.since.is_none_or(|since| self.platform.now().since(since) + delay > PATIENCE) {
            return false;
        }
        self.platform.sleep(delay).await;
        true
    }
}
