//! An object of a type that is known only while a program runs.

use std::{any::Any, fmt};

use super::Object;

/// An [`Object`] behind a pointer: what a [`Scheme`](super::Scheme) reads (apimachinery `runtime.Object`). Every object that
/// can be cloned is one.
pub trait DynObject: Object + Any {
    /// A copy of it.
    fn clone_object(&self) -> Box<dyn DynObject>;
}

impl<K: Object + Clone> DynObject for K {
    fn clone_object(&self) -> Box<dyn DynObject> {
        Box::new(self.clone())
    }
}

impl dyn DynObject {
    /// Whether it is of the type `K`.
    #[must_use]
    pub fn is<K: Object>(&self) -> bool {
        (self as &dyn Any).is::<K>()
    }

    /// The object, where it is of the type `K`.
    #[must_use]
    pub fn downcast_ref<K: Object>(&self) -> Option<&K> {
        (self as &dyn Any).downcast_ref()
    }

    /// As `downcast_ref`, for changing it.
    pub fn downcast_mut<K: Object>(&mut self) -> Option<&mut K> {
        (self as &mut dyn Any).downcast_mut()
    }

    /// The object itself, where it is of the type `K`. Where it may not be, ask with `is` first: it is gone.
    #[must_use]
    pub fn downcast<K: Object>(self: Box<Self>) -> Option<K> {
        (self as Box<dyn Any>).downcast().ok().map(|object| *object)
    }
}

impl Clone for Box<dyn DynObject> {
    fn clone(&self) -> Self {
        (**self).clone_object()
    }
}

/// The name alone: an object may be a secret.
impl fmt::Debug for dyn DynObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}/{}", self.group_version_kind(), self.namespace(), self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        meta::ObjectMeta,
        object::{PartialObjectMetadata, Unstructured},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_object_of_any_type_is_used_copied_and_found_to_be_of_its_own() {
        let own = PartialObjectMetadata::new(ObjectMeta { name: "a".into(), ..ObjectMeta::default() });
        let mut object: Box<dyn DynObject> = Box::new(own.clone());
        let copy = object.clone();
        assert_eq!(format!("{object:?}"), "PartialObjectMetadata.meta.k8s.io, version v1 /a");
        assert!(object.is::<PartialObjectMetadata>() && !object.is::<Unstructured>());
        assert!(object.downcast_ref::<Unstructured>().is_none());
        object.downcast_mut::<PartialObjectMetadata>().unwrap().metadata.name = "b".into();
        assert_eq!((object.name(), copy.name()), ("b", "a"));
        assert!(object.downcast::<Unstructured>().is_none());
        assert_eq!(copy.downcast::<PartialObjectMetadata>(), Some(own));
    }
}
