//! Which objects a controller manages.

use std::sync::Arc;

use futures::future::join_all;

use super::ClaimError;
use crate::{
    json::Value,
    meta::{OwnerReference, Uid},
    object::{Object, controller_of},
    patch::Patch,
    rest::ApiError,
};

/// What an owner has to do about an object that it may manage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Nothing: it manages it.
    Keep,
    /// Nobody manages it, and it is one of those that it wants.
    Adopt,
    /// It manages it, and does not want it any more.
    Release,
    /// Nothing: it is none of its own.
    Leave,
}

/// What `owner` has to do about `object`, which `is_wanted` or not (Kubernetes `pkg/controller/controller_ref_manager.go`,
/// `ClaimObject`). An owner that is being deleted keeps what it has, and takes and releases nothing; an object that is being
/// deleted is not adopted.
///
/// ```
/// use porthole_client_core::{controller::{Claim, claim}, object::Unstructured};
///
/// let set: Unstructured = r#"{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"namespace":"shop","name":"web","uid":"1"}}"#.parse()?;
/// let orphan: Unstructured = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"shop","name":"web-x"}}"#.parse()?;
/// assert_eq!(claim(&set, &orphan, true), Claim::Adopt);
/// assert_eq!(claim(&set, &orphan, false), Claim::Leave);
/// # Ok::<(), porthole_client_core::object::ParseObjectError>(())
/// ```
#[must_use]
pub fn claim(owner: &impl Object, object: &impl Object, is_wanted: bool) -> Claim {
    let ends = owner.deletion_timestamp().is_some();
    match controller_of(object) {
        Some(reference) if reference.uid.as_str() != owner.uid() => Claim::Leave,
        Some(_) if is_wanted => Claim::Keep,
        Some(_) if ends => Claim::Leave,
        Some(_) => Claim::Release,
        None if ends || !is_wanted || object.deletion_timestamp().is_some() => Claim::Leave,
        None if !owner.namespace().is_empty() && owner.namespace() != object.namespace() => Claim::Leave,
        None => Claim::Adopt,
    }
}

/// The patch that makes `reference` the one that manages `object`. It fails where it is another object by now, or another
/// manages it (`ownerRefControllerPatch`). Kinds that Kubernetes itself has take it.
#[must_use]
pub fn adoption(reference: &OwnerReference, object: &impl Object) -> Patch {
    let flag = |flag: Option<bool>| flag.map_or(Value::Null, Value::from);
    let reference = Value::from_iter([
        ("apiVersion", Value::from(reference.api_version.as_str())),
        ("kind", reference.kind.as_str().into()),
        ("name", reference.name.as_str().into()),
        ("uid", reference.uid.as_str().into()),
        ("controller", flag(reference.controller)),
        ("blockOwnerDeletion", flag(reference.block_owner_deletion)),
    ]);
    owners_patch(object, reference)
}

/// The patch that takes this owner from those of `object`. It fails where it is another object by now
/// (`GenerateDeleteOwnerRefStrategicMergeBytes`). Kinds that Kubernetes itself has take it.
#[must_use]
pub fn release(owner: &Uid, object: &impl Object) -> Patch {
    let reference = Value::from_iter([("$patch", Value::from("delete")), ("uid", owner.as_str().into())]);
    owners_patch(object, reference)
}

fn owners_patch(object: &impl Object, reference: Value) -> Patch {
    let metadata = Value::from_iter([("uid", Value::from(object.uid())), ("ownerReferences", vec![reference].into())]);
    Patch::Strategic(Value::from_iter([("metadata", metadata)]))
}

/// Keeps, adopts and releases `objects`, as [`claim`] says of each; gives back those that are managed now, and what failed
/// (`PodControllerRefManager.ClaimPods`). What failed is to be tried again, from newer objects.
///
/// `may_adopt` is waited for once before anything is adopted, and only then; where it fails nothing is. It asks the server
/// whether the owner is still there, since a cache may not know yet that it is not: [`recheck`] says so. `patch` sends a patch for an
/// object. An object that is gone by now is passed over.
pub async fn claim_all<T: Object, F: Future<Output = Result<(), ApiError>>>(
    owner: &impl Object,
    reference: &OwnerReference,
    objects: impl IntoIterator<Item = Arc<T>>,
    is_wanted: impl Fn(&T) -> bool,
    may_adopt: impl Future<Output = Result<(), ClaimError>>,
    patch: impl Fn(Arc<T>, Patch) -> F,
) -> (Vec<Arc<T>>, Vec<ClaimError>) {
    let (mut claimed, mut orphans, mut unwanted, mut failed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for object in objects {
        match claim(owner, &*object, is_wanted(&object)) {
            Claim::Keep => claimed.push(object),
            Claim::Adopt => orphans.push(object),
            Claim::Release => {
                let released = patch(Arc::clone(&object), release(&reference.uid, &*object));
                unwanted.push(async move { (object, released.await) });
            }
            Claim::Leave => {}
        }
    }
    for (object, released) in join_all(unwanted).await {
        match released {
            // It has no owners any more, or is another one by now.
            Err(error) if !error.is_not_found() && !error.is_invalid() => {
                failed.push(ClaimError::Release { object: object.name().into(), source: error });
            }
            _ => {}
        }
    }
    if orphans.is_empty() {
        return (claimed, failed);
    }
    if let Err(error) = may_adopt.await {
        failed.push(error);
        return (claimed, failed);
    }
    let adoptions = orphans.into_iter().map(|object| {
        let adopted = patch(Arc::clone(&object), adoption(reference, &*object));
        async move { (object, adopted.await) }
    });
    for (object, adopted) in join_all(adoptions).await {
        match adopted {
            Ok(()) => claimed.push(object),
            Err(error) if error.is_not_found() => {}
            Err(error) => failed.push(ClaimError::Adopt { object: object.name().into(), source: error }),
        }
    }
    (claimed, failed)
}

/// Whether an owner may still adopt: `fresh` is what the server has by its name (`RecheckDeletionTimestamp`).
///
/// # Errors
/// Where there is no telling, it is another one by now, or is being deleted.
pub fn recheck<T: Object>(owner: &T, fresh: Result<&T, ApiError>) -> Result<(), ClaimError> {
    let name = || owner.name().into();
    let fresh = fresh.map_err(|source| ClaimError::Owner { owner: name(), source })?;
    if fresh.uid() != owner.uid() {
        return Err(ClaimError::Replaced { owner: name() });
    }
    match fresh.deletion_timestamp() {
        Some(_) => Err(ClaimError::Deleted { owner: name() }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures::future::ready;

    use super::*;
    use crate::{
        meta::{GroupVersionKind, ObjectMeta, Status, StatusReason, Timestamp},
        object::{PartialObjectMetadata, controller_reference},
        platform::ready as done,
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn named(name: &str, labels: &str, owner: Option<&PartialObjectMetadata>, ends: bool) -> PartialObjectMetadata {
        let reference = |owner| controller_reference(owner, &kind());
        let metadata = ObjectMeta {
            namespace: "shop".into(),
            name: name.into(),
            uid: ["uid-", name].concat().into(),
            labels: [("app".to_owned(), labels.to_owned())].into(),
            owner_references: owner.map(reference).into_iter().collect(),
            deletion_timestamp: ends.then(|| Timestamp::from_unix(1, 0)),
            ..ObjectMeta::default()
        };
        PartialObjectMetadata::new(metadata)
    }

    fn kind() -> GroupVersionKind {
        GroupVersionKind::new("apps", "v1", "ReplicaSet")
    }

    fn refused(code: u16, reason: StatusReason) -> ApiError {
        ApiError::Refused(Box::new(Status::failure(code, reason, "no")))
    }

    /// The names of those that are claimed, what is patched, and how often it was asked whether to adopt.
    struct Outcome {
        claimed: Vec<String>,
        failed: Vec<String>,
        patches: Vec<String>,
        asked: usize,
    }

    fn claimed(
        owner: &PartialObjectMetadata,
        objects: Vec<PartialObjectMetadata>,
        answers: &[(&str, ApiError)],
        adopts: bool,
    ) -> Outcome {
        let (patches, asked) = (Mutex::new(Vec::new()), Mutex::new(0));
        let may_adopt = async {
            *asked.lock().unwrap() += 1;
            if adopts { Ok(()) } else { Err(ClaimError::Deleted { owner: owner.name().into() }) }
        };
        let patch = |object: Arc<PartialObjectMetadata>, patch: Patch| {
            let body = String::from_utf8(patch.body().unwrap().to_vec()).unwrap();
            patches.lock().unwrap().push(format!("{} {body}", object.name()));
            let answer = answers.iter().find(|(name, _)| *name == object.name());
            ready(answer.map_or(Ok(()), |(_, error)| Err(error.clone())))
        };
        let is_wanted = |object: &PartialObjectMetadata| object.labels().get("app").is_some_and(|app| app == "web");
        let reference = controller_reference(owner, &kind());
        let objects = objects.into_iter().map(Arc::new);
        let (claimed, failed) = done(claim_all(owner, &reference, objects, is_wanted, may_adopt, patch));
        Outcome {
            claimed: claimed.iter().map(|object| object.name().to_owned()).collect(),
            failed: failed.iter().map(ToString::to_string).collect(),
            patches: patches.into_inner().unwrap(),
            asked: asked.into_inner().unwrap(),
        }
    }

    #[test]
    fn an_owner_keeps_its_own_adopts_orphans_and_releases_what_it_does_not_want() {
        let (set, other) = (named("set", "", None, false), named("other", "", None, false));
        let objects = vec![
            named("own", "web", Some(&set), false),
            named("orphan", "web", None, false),
            named("unwanted", "db", Some(&set), false),
            named("foreign", "web", Some(&other), false),
            named("orphan-that-ends", "web", None, true),
            named("orphan-of-no-interest", "db", None, false),
            named("own-that-ends", "web", Some(&set), true),
        ];
        let outcome = claimed(&set, objects, &[], true);
        assert_eq!(outcome.claimed, ["own", "own-that-ends", "orphan"]);
        assert_eq!((outcome.failed.len(), outcome.asked), (0, 1));
        assert_eq!(
            outcome.patches,
            [
                r#"unwanted {"metadata":{"ownerReferences":[{"$patch":"delete","uid":"uid-set"}],"uid":"uid-unwanted"}}"#,
                r#"orphan {"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","blockOwnerDeletion":true,"controller":true,"kind":"ReplicaSet","name":"set","uid":"uid-set"}],"uid":"uid-orphan"}}"#,
            ]
        );
    }

    #[test]
    fn an_owner_that_is_being_deleted_keeps_what_it_has_and_changes_nothing() {
        let set = named("set", "", None, true);
        let objects = vec![
            named("own", "web", Some(&set), false),
            named("orphan", "web", None, false),
            named("unwanted", "db", Some(&set), false),
        ];
        let outcome = claimed(&set, objects, &[], true);
        assert_eq!((outcome.claimed, outcome.patches, outcome.asked), (vec!["own".to_owned()], vec![], 0));
    }

    #[test]
    fn nothing_is_adopted_by_an_owner_that_the_server_says_is_gone_and_the_server_is_asked_once() {
        let set = named("set", "", None, false);
        let objects = || {
            let orphan = |name| named(name, "web", None, false);
            vec![named("own", "web", Some(&set), false), orphan("a"), orphan("b"), named("unwanted", "db", Some(&set), false)]
        };
        let outcome = claimed(&set, objects(), &[], false);
        assert_eq!((outcome.claimed, outcome.asked), (vec!["own".to_owned()], 1));
        assert_eq!(outcome.failed, ["set is being deleted, and adopts nothing"]);
        assert_eq!(outcome.patches.len(), 1, "it is still released: {:?}", outcome.patches);
        assert_eq!(claimed(&set, vec![named("own", "web", Some(&set), false)], &[], true).asked, 0);
        assert_eq!(claimed(&set, objects(), &[], true).asked, 1);
    }

    #[test]
    fn an_object_that_is_gone_is_passed_over_and_other_failures_are_told_each() {
        let set = named("set", "", None, false);
        let objects = || {
            let unwanted = |name| named(name, "db", Some(&set), false);
            let orphan = |name| named(name, "web", None, false);
            vec![unwanted("u1"), unwanted("u2"), unwanted("u3"), orphan("o1"), orphan("o2"), orphan("o3")]
        };
        let conflict = || refused(409, StatusReason::CONFLICT);
        let answers = [
            ("u1", refused(404, StatusReason::NOT_FOUND)),
            ("u2", refused(422, StatusReason::INVALID)),
            ("u3", conflict()),
            ("o1", refused(404, StatusReason::NOT_FOUND)),
            ("o2", refused(422, StatusReason::INVALID)),
        ];
        let outcome = claimed(&set, objects(), &answers, true);
        assert_eq!(outcome.claimed, ["o3"]);
        assert_eq!(outcome.failed, ["u3 cannot be released", "o2 cannot be adopted"]);
    }

    #[test]
    fn an_orphan_of_another_namespace_is_left_alone_unless_the_owner_is_of_none() {
        let mut owner = named("set", "", None, false);
        let mut orphan = named("orphan", "web", None, false);
        orphan.edit_metadata(|metadata| metadata.namespace = "db".into());
        assert_eq!(claim(&owner, &orphan, true), Claim::Leave);
        owner.edit_metadata(|metadata| metadata.namespace = "".into());
        assert_eq!(claim(&owner, &orphan, true), Claim::Adopt);
    }

    #[test]
    fn an_owner_may_adopt_while_the_server_has_it_and_does_not_delete_it() {
        let set = named("set", "", None, false);
        assert!(recheck(&set, Ok(&set)).is_ok());
        let ending = named("set", "", None, true);
        assert_eq!(recheck(&set, Ok(&ending)).unwrap_err().to_string(), "set is being deleted, and adopts nothing");
        let mut another = set.clone();
        another.edit_metadata(|metadata| metadata.uid = "2".into());
        assert_eq!(recheck(&set, Ok(&another)).unwrap_err().to_string(), "set is gone, and another has its name");
        let error = recheck(&set, Err(refused(500, StatusReason::INTERNAL_ERROR))).unwrap_err();
        assert_eq!(error.to_string(), "there is no telling whether set is still there");
    }
}
