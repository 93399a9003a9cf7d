//! A candidate that the control plane can pick.

use std::{pin::pin, sync::Arc, time::Duration};

use futures::future::{Either, select};
use serde::{Deserialize, Serialize};

use crate::{
    clients::ResourceClient,
    controller::{Action, Controller, ControllerError, ReconcileError},
    informer::{Change, InformerOptions, Lister, ObjectSource, SameCluster, Selection, SharedInformer},
    json::{FieldError, Value},
    meta::{GroupVersionKind, GroupVersionResource, MicroTime, Namespace, ObjectMeta, ObjectName, null_is_default},
    object::{Object as _, Unstructured},
    platform::{MaybeSend, MaybeSync},
    rest::{ApiError, RequestError, RestClient, WriteOptions},
    selector::FieldSelector,
};

/// How often a candidate says that it is there, if nobody asks.
const PERIOD: Duration = Duration::from_secs(300);

const RENEW_TIME: [&str; 2] = ["spec", "renewTime"];
const PING_TIME: [&str; 2] = ["spec", "pingTime"];

/// What a candidate is, for the control plane to pick by (`coordination.k8s.io/v1beta1`, `LeaseCandidateSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LeaseCandidateSpec {
    /// The lease that it wants, in its own namespace.
    #[serde(deserialize_with = "null_is_default")]
    pub lease_name: String,
    /// The version of the program, such as `1.36.0`.
    #[serde(deserialize_with = "null_is_default")]
    pub binary_version: String,
    /// The version that it behaves like.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub emulation_version: String,
    /// How it wants the leader to be picked, such as `OldestEmulationVersion`.
    #[serde(deserialize_with = "null_is_default")]
    pub strategy: String,
}

/// Puts a program up as a candidate in an election that the control plane coordinates, and answers when that asks whether the
/// candidate is still there (client-go `tools/leaderelection/leasecandidate.go`, `LeaseCandidate`; an alpha feature of Kubernetes).
/// Beside it runs a [`LeaderElector`](super::LeaderElector) that is [coordinated](super::LeaderElectionOptions::coordinated), whose
/// identity is the name of the candidate.
#[derive(Clone, Debug)]
pub struct LeaseCandidate {
    client: ResourceClient<Unstructured>,
    namespace: Namespace,
    name: ObjectName,
    spec: LeaseCandidateSpec,
}

impl LeaseCandidate {
    /// The candidate `name`. Nothing is asked before it runs.
    #[must_use]
    pub fn new(
        client: RestClient,
        namespace: impl Into<Namespace>,
        name: impl Into<ObjectName>,
        spec: LeaseCandidateSpec,
    ) -> Self {
        let namespace = namespace.into();
        let candidates = GroupVersionResource::new("coordination.k8s.io", "v1beta1", "leasecandidates");
        let client = ResourceClient::namespaced(client, candidates, namespace.clone());
        Self { client, namespace, name: name.into(), spec }
    }

    /// Puts the candidate up, and renews it every five minutes and whenever the control plane asks, until `stop` ends. What fails is
    /// told to `failed`, and tried again later. Nothing is taken down at the end: candidates that are not renewed are, by the
    /// control plane.
    ///
    /// # Errors
    /// Where what the server has cannot be followed.
    pub async fn run<C>(
        &self,
        stop: impl Future<Output = C>,
        failed: impl Fn(&ReconcileError<ApiError>) + MaybeSend + MaybeSync + 'static,
    ) -> Result<C, ControllerError> {
        let platform = self.client.rest_client().platform();
        let field_selector = Some(FieldSelector::name(&self.name).to_string());
        let selection = Selection { field_selector, ..Selection::default() };
        let source = ObjectSource::<Unstructured>::new(self.client.clone(), selection, Arc::new(SameCluster));
        let informer = SharedInformer::new(Arc::clone(platform), source, InformerOptions::default());
        let controller = Controller::new(Arc::clone(platform));
        controller.watch("lease candidate", informer.clone(), |change| is_pinged(change).then_some(()))?;
        controller.queue().add(());
        informer.start();

        let lister = informer.lister(self.client.resource().group_resource());
        let own = self.clone();
        let renew = move |()| {
            let (own, lister) = (own.clone(), lister.clone());
            async move {
                own.ensure(&lister).await?;
                Ok(Action::RequeueAfter(PERIOD))
            }
        };
        let run = controller.run(1, renew, move |(), error| failed(error));
        let ended = match select(pin!(stop), pin!(run)).await {
            Either::Left((cause, _)) => Ok(cause),
            Either::Right((Err(error), _)) => Err(error),
            // Nobody stops the controller but the end of this.
            Either::Right((Ok(()), stop)) => Ok(stop.await),
        };
        informer.stop();
        ended
    }

    /// Makes the candidate where it is not there, and renews it where it is.
    async fn ensure(&self, candidates: &Lister<Unstructured>) -> Result<(), ApiError> {
        let now: MicroTime = self.client.rest_client().platform().wall_time().into();
        let unwritable = |error: FieldError| RequestError::Body { message: error.to_string() };
        let renewed = |mut candidate: Unstructured| -> Result<_, ApiError> {
            candidate.set_nested(&RENEW_TIME, now.to_string()).map_err(unwritable)?;
            Ok(candidate)
        };
        match candidates.namespace(self.namespace.clone()).get(self.name.as_str()) {
            Ok(known) => self.client.update(&renewed((*known).clone())?, &WriteOptions::default()).await?,
            Err(_not_there) => self.client.create(&renewed(self.made()?)?, &WriteOptions::default()).await?,
        };
        Ok(())
    }

    fn made(&self) -> Result<Unstructured, ApiError> {
        let mut candidate = Unstructured::new(&GroupVersionKind::new("coordination.k8s.io", "v1beta1", "LeaseCandidate"));
        let (name, namespace) = (self.name.clone(), self.namespace.clone());
        candidate.set_metadata(ObjectMeta { name, namespace, ..ObjectMeta::default() });
        let spec = Value::from_serialize(&self.spec).map_err(|error| RequestError::Body { message: error.to_string() })?;
        candidate.set_nested(&["spec"], spec).map_err(|error| RequestError::Body { message: error.to_string() })?;
        Ok(candidate)
    }
}

/// Whether the control plane asked after the candidate last said that it is there.
fn is_pinged(change: &Change<Unstructured>) -> bool {
    let Change::Updated { after, .. } = change else { return false };
    let time = |path: &[&str]| after.nested::<Option<MicroTime>>(path).ok().flatten().flatten();
    time(&PING_TIME).is_some_and(|pinged| time(&RENEW_TIME).is_none_or(|renewed| pinged > renewed))
}
