//! Requests whose outcome has to be known.
//!
//! Where the connection breaks, or a server that is about to go answers, nobody knows whether a request was done. A controller that
//! takes it for failed makes one pod too many under another name; one that takes it for done waits for what never comes. So
//! each pod gets its name here, and a request is sent again, for the same pod, until somebody knows.

use std::{sync::Arc, time::Duration};

use http::Method;
use porthole_client_core::{
    clients::ResourceClient,
    flowcontrol::BackoffSteps,
    k8s_openapi::api::core::v1::Pod,
    meta::Status,
    object::{Kind as _, Object as _, controller_of},
    platform::{Instant, Platform},
    rest::{ApiError, DeleteOptions, GetOptions, Preconditions},
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

/// How long an answer may take; one that does not come is lost.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

/// How long a pod may take to show after a server said that it failed to make it.
const SHOWN_BY: Duration = Duration::from_millis(300);

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
    let mut names = 0;
    loop {
        (pod.metadata.name, names) = (Some(name()), names + 1);
        match create_named(platform, pods, &pod).await {
            Err(error) if error.is_already_exists() && names < NAMES => {}
            outcome => return outcome,
        }
    }
}

/// Makes `pod` under the name that it has. Another pod that has it already exists.
async fn create_named(platform: &Arc<dyn Platform>, pods: &ResourceClient<Pod>, pod: &Pod) -> Result<Pod, ApiError> {
    let (mut doubt, mut missing) = (Doubt::new(platform), false);
    loop {
        let error = match post(pods, pod).await {
            Ok(made) => return Ok(made),
            Err(error) => error,
        };
        if is_lost(&error) {
            doubt.begin();
        } else if doubt.is_there() || is_failure(&error) {
            // It may have been made all the same. A server that failed knows at once, and is believed after a moment; whatever else
            // refuses, such as a quota that counts the pod in doubt, is believed the second time.
            let is_believed = missing || !doubt.is_there();
            if !doubt.is_there() {
                platform.sleep(SHOWN_BY).await;
            }
            match pods.get(pod.name(), &GetOptions::DEFAULT).await {
                Ok(there) if controller_of(&there) == controller_of(pod) => return Ok(there),
                // Another has the name, and that is what this says.
                Ok(_) => return Err(taken(pod)),
                Err(gone) if gone.is_not_found() && is_believed && !error.is_already_exists() => return Err(error),
                Err(gone) => missing = gone.is_not_found(),
            }
            doubt.begin();
        } else {
            return Err(error);
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
        let request = pods.object_request(Method::DELETE, pod.name()).json(&options).most_retries(0).timeout(ANSWER_LIMIT);
        let error = match request.send().await {
            Ok(_) => return Ok(true),
            // Another one has its name by now.
            Err(error) if error.is_not_found() || error.is_conflict() => return Ok(doubt.is_there()),
            Err(error) => error,
        };
        if is_lost(&error) {
            doubt.begin();
        } else if !doubt.is_there() {
            return Err(error);
        }
        if !doubt.wait().await {
            return Err(error);
        }
    }
}

/// One try, whose outcome hides none before it.
async fn post(pods: &ResourceClient<Pod>, pod: &Pod) -> Result<Pod, ApiError> {
    let request = pods.collection_request(Method::POST).accept_object::<Pod>().object(pod);
    request.most_retries(0).timeout(ANSWER_LIMIT).send().await?.read()
}

fn taken(pod: &Pod) -> ApiError {
    ApiError::Refused(Box::new(Status::already_exists(&Pod::resource().group_resource(), pod.name())))
}

/// Whether no answer came, or one of a server that gave up waiting itself: what was asked may be done, now or in a while.
fn is_lost(error: &ApiError) -> bool {
    match error.last() {
        ApiError::Refused(status) => status.code == 504,
        ApiError::Transport(_) | ApiError::Unreadable { .. } | ApiError::TimedOut { .. } => true,
        _ => false,
    }
}

/// Whether the server failed. Mostly it has not begun, such as where an admission webhook cannot be called; but it may have.
fn is_failure(error: &ApiError) -> bool {
    error.status().is_some_and(|status| status.code >= 500)
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
