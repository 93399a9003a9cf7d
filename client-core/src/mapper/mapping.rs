//! A resource and the kind of its objects (apimachinery `meta/interfaces.go`).

use crate::meta::{GroupVersionKind, GroupVersionResource};

/// What the objects of a resource belong to (apimachinery `RESTScope`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// To namespaces.
    Namespaced,
    /// To the whole cluster (apimachinery `RESTScopeRoot`).
    Cluster,
}

/// Where objects of a kind are, and what the objects at a place are (apimachinery `RESTMapping`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RestMapping {
    /// Where they are.
    pub resource: GroupVersionResource,
    /// What they are.
    pub kind: GroupVersionKind,
    /// What they belong to.
    pub scope: Scope,
}

impl RestMapping {
    /// Whether the objects belong to namespaces.
    #[must_use]
    pub fn is_namespaced(&self) -> bool {
        self.scope == Scope::Namespaced
    }
}
