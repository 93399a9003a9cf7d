//! Who manages an object (apimachinery `apis/meta/v1/controller_ref.go`).

use super::Object;
use crate::meta::{GroupVersionKind, OwnerReference};

/// A reference to `owner`, of kind `kind`, as the one that manages an object (`NewControllerRef`).
#[must_use]
pub fn controller_reference(owner: &impl Object, kind: &GroupVersionKind) -> OwnerReference {
    OwnerReference {
        api_version: kind.group_version.to_string(),
        kind: kind.kind.clone(),
        name: owner.name().into(),
        uid: owner.uid().into(),
        controller: Some(true),
        block_owner_deletion: Some(true),
    }
}

/// The reference to the one that manages `object` (`GetControllerOf`).
#[must_use]
pub fn controller_of(object: &impl Object) -> Option<OwnerReference> {
    object.owner_references().into_iter().find(|reference| reference.controller == Some(true))
}

/// Whether `owner` manages `object`, by its id (`IsControlledBy`).
#[must_use]
pub fn is_controlled_by(object: &impl Object, owner: &impl Object) -> bool {
    controller_of(object).is_some_and(|reference| reference.uid.as_str() == owner.uid())
}
