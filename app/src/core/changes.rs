//! Changes that a page asks for.

use futures::{StreamExt as _, stream};
use porthole_client_core::{
    meta::{DeletionPropagation, GroupVersionResource, Namespace, ObjectName, Uid},
    rest::{ApiError, DeleteOptions, Preconditions},
};

use super::{cluster::problem, server::Core};
use crate::bridge::ToPage;

/// How many objects are changed at once: connections are a budget.
const AT_ONCE: usize = 2;

/// An object that is to be deleted.
pub(super) struct Target {
    pub(super) resource: GroupVersionResource,
    pub(super) namespace: Option<Namespace>,
    pub(super) name: ObjectName,
    pub(super) uid: Option<Uid>,
}

impl Core {
    /// Deletes these objects, and tells the tab how it goes. What was made anew under the same name meanwhile stays.
    pub(super) fn delete(&self, tab: u32, targets: Vec<Target>) {
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let (mut done, mut left) = (0, u32::try_from(targets.len()).unwrap_or(u32::MAX));
            let deletions: Vec<_> = targets
                .into_iter()
                .map(|target| {
                    let core = core.clone();
                    async move { (core.delete_one(&target).await, target) }
                })
                .collect();
            let mut answers = stream::iter(deletions).buffer_unordered(AT_ONCE);
            while let Some((answer, target)) = answers.next().await {
                left -= 1;
                let failed = match answer {
                    // It is gone already, which is what was wanted.
                    Err(error) if error.status().is_some_and(|status| status.code == 404) => Vec::new(),
                    Err(error) => vec![(target.name.to_string(), problem(&error))],
                    Ok(()) => Vec::new(),
                };
                done += u32::from(failed.is_empty());
                core.tell(tab, &ToPage::Deleted { done, left, failed });
            }
        }));
    }

    async fn delete_one(&self, target: &Target) -> Result<(), ApiError> {
        let options = DeleteOptions {
            preconditions: target.uid.clone().map(Preconditions::uid),
            propagation: Some(DeletionPropagation::Background),
            ..DeleteOptions::DEFAULT
        };
        let request = self.0.client.delete().resource(&target.resource).namespace_of(target.namespace.as_ref());
        request.name(&target.name).json(&options).send().await.map(drop)
    }
}
