//! A guess, for who has no server to ask.

use crate::meta::{GroupVersionKind, GroupVersionResource};

/// What the resource of a kind might be called, plural and singular (apimachinery `UnsafeGuessKindToResource`).
///
/// It is a guess: a server may call a resource anything, and calls that of `Index` `indexes` or `indices`. It serves tests and
/// tables that are made up; Porthole never uses it, and nothing in this library does.
///
/// ```
/// use porthole_client_core::{mapper::unsafe_guess_kind_to_resource, meta::GroupVersionKind};
///
/// let (plural, singular) = unsafe_guess_kind_to_resource(&GroupVersionKind::new("a.io", "v1", "Policy"));
/// assert_eq!((plural.resource.as_str(), singular.resource.as_str()), ("policies", "policy"));
/// ```
#[must_use]
pub fn unsafe_guess_kind_to_resource(kind: &GroupVersionKind) -> (GroupVersionResource, GroupVersionResource) {
    let singular = kind.kind.to_ascii_lowercase();
    let plural = if singular.is_empty() || singular.ends_with("endpoints") {
        singular.clone()
    } else if let Some(stem) = singular.strip_suffix('y') {
        format!("{stem}ies")
    } else if singular.ends_with('s') {
        format!("{singular}es")
    } else {
        format!("{singular}s")
    };
    (kind.group_version.with_resource(plural), kind.group_version.with_resource(singular))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_plural_is_guessed_from_the_ending_of_the_kind() {
        for (kind, plural, singular) in [
            ("Pod", "pods", "pod"),
            ("ReplicationController", "replicationcontrollers", "replicationcontroller"),
            ("ImageRepository", "imagerepositories", "imagerepository"),
            ("miss", "misses", "miss"),
            ("lowercase", "lowercases", "lowercase"),
            ("Endpoints", "endpoints", "endpoints"),
            ("", "", ""),
        ] {
            let guessed = unsafe_guess_kind_to_resource(&GroupVersionKind::new("a.io", "v1", kind));
            let expected = [plural, singular].map(|name| GroupVersionResource::new("a.io", "v1", name));
            assert_eq!(<[_; 2]>::from(guessed), expected, "{kind}");
        }
    }
}
