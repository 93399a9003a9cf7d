//! How objects are deleted: `metav1.DeleteOptions`, which is a body and no query.

use serde::Serialize;

use crate::meta::{DeletionPropagation, ResourceVersion, Uid};

/// What must hold for the object to be deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preconditions {
    /// It is this very object, not another of the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<Uid>,
    /// It has not changed since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_version: Option<ResourceVersion>,
}

impl Preconditions {
    /// That it is this very object.
    #[must_use]
    pub fn uid(uid: impl Into<Uid>) -> Self {
        Self { uid: Some(uid.into()), resource_version: None }
    }
}

/// How an object is deleted. The default leaves all of it to the resource.
///
/// ```
/// use porthole_client_core::rest::DeleteOptions;
///
/// let body = serde_json::to_string(&DeleteOptions { grace_period_seconds: Some(0), ..DeleteOptions::default() });
/// assert_eq!(body.unwrap(), r#"{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeleteOptions {
    /// After how many seconds the object is gone at the latest; 0 for at once, `None` for what the resource has.
    pub grace_period_seconds: Option<u32>,
    /// What must hold.
    pub preconditions: Option<Preconditions>,
    /// What happens to what it owns; `None` for what the resource has.
    pub propagation: Option<DeletionPropagation>,
    /// Whether the server does all but delete.
    pub dry_run: bool,
}

impl DeleteOptions {
    /// The default, as a constant: a borrow of it outlives whatever it is handed to.
    pub const DEFAULT: Self = Self { grace_period_seconds: None, preconditions: None, propagation: None, dry_run: false };
}

impl Serialize for DeleteOptions {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Body<'a> {
            kind: &'static str,
            api_version: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            grace_period_seconds: Option<u32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            preconditions: Option<&'a Preconditions>,
            #[serde(skip_serializing_if = "Option::is_none")]
            propagation_policy: Option<DeletionPropagation>,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            dry_run: &'a [&'static str],
        }
        Body {
            kind: "DeleteOptions",
            api_version: "v1",
            grace_period_seconds: self.grace_period_seconds,
            preconditions: self.preconditions.as_ref(),
            propagation_policy: self.propagation,
            dry_run: if self.dry_run { &["All"] } else { &[] },
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_deletion_says_all_that_is_set_and_nothing_else() {
        let body = |options: &DeleteOptions| serde_json::to_string(options).unwrap();
        assert_eq!(body(&DeleteOptions::default()), r#"{"kind":"DeleteOptions","apiVersion":"v1"}"#);
        let options = DeleteOptions {
            grace_period_seconds: Some(30),
            preconditions: Some(Preconditions { uid: Some("u".into()), resource_version: Some("7".into()) }),
            propagation: Some(DeletionPropagation::Foreground),
            dry_run: true,
        };
        assert_eq!(
            body(&options),
            r#"{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":30,"preconditions":{"uid":"u","resourceVersion":"7"},"propagationPolicy":"Foreground","dryRun":["All"]}"#
        );
    }
}
