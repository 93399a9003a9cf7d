//! Who manages an object (apimachinery `apis/meta/v1/controller_ref.go`).

use super::Object;
use crate::meta::{GroupVersionKind, OwnerReference};

/// A reference to `owner`, of kind `kind`, as the one that manages an object (`NewControllerRef`).
///
/// ```
/// use porthole_client_core::object::{Object as _, Unstructured, controller_reference, is_controlled_by};
///
/// let owner: Unstructured = r#"{"apiVersion":"v1","kind":"A","metadata":{"name":"a","uid":"1"}}"#.parse()?;
/// let mut owned: Unstructured = r#"{"apiVersion":"v1","kind":"B","metadata":{"name":"b"}}"#.parse()?;
/// let reference = controller_reference(&owner, &owner.group_version_kind());
/// owned.edit_metadata(|metadata| metadata.owner_references.push(reference));
/// assert!(is_controlled_by(&owned, &owner));
/// # Ok::<(), porthole_client_core::object::ParseObjectError>(())
/// ```
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{meta::ObjectMeta, object::PartialObjectMetadata};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn kind() -> GroupVersionKind {
        GroupVersionKind::new("group", "v1", "Kind")
    }

    fn object(uid: &str, owners: &[OwnerReference]) -> PartialObjectMetadata {
        let metadata =
            ObjectMeta { name: "name".into(), uid: uid.into(), owner_references: owners.to_vec(), ..ObjectMeta::default() };
        PartialObjectMetadata::new(metadata)
    }

    #[test]
    fn a_reference_says_all_of_its_owner_and_that_it_manages() {
        let reference = controller_reference(&object("uid1", &[]), &kind());
        let wanted = OwnerReference {
            api_version: "group/v1".into(),
            kind: "Kind".into(),
            name: "name".into(),
            uid: "uid1".into(),
            controller: Some(true),
            block_owner_deletion: Some(true),
        };
        assert_eq!(reference, wanted);
        assert_eq!(controller_reference(&object("u", &[]), &GroupVersionKind::new("", "v1", "Pod")).api_version, "v1");
    }

    #[test]
    fn the_one_that_manages_is_found_among_other_owners() {
        let controller = OwnerReference { block_owner_deletion: None, ..controller_reference(&object("uid1", &[]), &kind()) };
        let other = |controller| OwnerReference { name: "owner".into(), controller, ..OwnerReference::default() };
        assert_eq!(controller_of(&object("uid1", &[])), None);
        assert_eq!(controller_of(&object("uid1", &[other(Some(false)), other(None)])), None);
        let owned = object("uid2", &[other(Some(false)), controller.clone(), other(None)]);
        assert_eq!(controller_of(&owned), Some(controller));
    }

    #[test]
    fn an_object_is_managed_by_its_owner_and_not_by_the_owners_of_that() {
        let first = object("uid1", &[]);
        let second = object("uid2", &[controller_reference(&first, &kind())]);
        let third = object("uid3", &[controller_reference(&second, &kind())]);
        assert!(is_controlled_by(&second, &first) && is_controlled_by(&third, &second));
        assert!(!is_controlled_by(&third, &first) && !is_controlled_by(&first, &first));
    }
}
