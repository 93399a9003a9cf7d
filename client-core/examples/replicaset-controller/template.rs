//! The pods that a set makes (Kubernetes `pkg/controller/controller_utils.go`, `GetPodFromTemplate`).

use porthole_client_core::{
    k8s_openapi::{
        api::{apps::v1::ReplicaSet, core::v1::Pod},
        apimachinery::pkg::apis::meta::v1::ObjectMeta,
    },
    meta::OwnerReference,
    object::Object as _,
    platform::Platform,
};

/// A pod of `set` that has no name yet.
pub(crate) fn pod_of(set: &ReplicaSet, reference: OwnerReference) -> Pod {
    let template = set.spec.as_ref().and_then(|spec| spec.template.clone()).unwrap_or_default();
    let theirs = template.metadata.unwrap_or_default();
    let metadata = ObjectMeta {
        namespace: set.metadata.namespace.clone(),
        labels: theirs.labels,
        annotations: theirs.annotations,
        finalizers: theirs.finalizers,
        ..ObjectMeta::default()
    };
    let mut pod = Pod { metadata, spec: template.spec, status: None };
    pod.edit_metadata(|metadata| {
        metadata.owner_references = vec![reference];
        // What a server would make the name of, for people who look.
        metadata.generate_name = prefix(set.name());
    });
    pod
}

/// A name for a pod of a set: what a server makes of `generateName`, made here so that a pod can be asked for by it
/// (apiserver `pkg/storage/names/generate.go`). A long one loses the end of the set's name.
pub(crate) fn pod_name(set: &str, platform: &dyn Platform) -> String {
    /// No vowels, so that there are no words, and nothing that is easily mistaken.
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    const SUFFIX: usize = 5;
    const LONGEST: usize = 63;
    let mut prefix = prefix(set);
    // It is of ASCII.
    prefix.truncate(LONGEST - SUFFIX);
    let letter = || {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "27 letters")]
        let index = (platform.random() * LETTERS.len() as f64) as usize;
        char::from(LETTERS.get(index).copied().unwrap_or(b'b'))
    };
    let suffix: String = (0..SUFFIX).map(|_| letter()).collect();
    prefix + &suffix
}

fn prefix(set: &str) -> String {
    [set, "-"].concat()
}
