//! How to find the events about an object.

use thiserror::Error;

use super::ObjectReference;
use crate::{
    meta::GroupVersion,
    selector::{FieldSelector, SelectorError},
};

/// Why there is no selector for events.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EventSelectorError {
    /// It is not known what the fields of these events are called.
    #[error("there are no events of version {0}: expected v1 or events.k8s.io/v1")]
    UnknownVersion(GroupVersion),
    /// The reference has what cannot be selected by.
    #[error("the object cannot be selected by")]
    Selector(#[from] SelectorError),
}

/// The field selector for lists and watches of the events of version `events` that are about `regarding`, as far as that says
/// what it is: by its name, kind, group and version, and uid (client-go `tools/events/helper.go`, `GetFieldSelector`).
///
/// ```
/// use porthole_client_core::events::{EventApi, ObjectReference, regarding_selector};
///
/// let regarding = ObjectReference { kind: "Pod".into(), name: "web-0".into(), ..ObjectReference::default() };
/// let selector = regarding_selector(&EventApi::CoreV1.group_version(), &regarding)?;
/// assert_eq!(selector.to_string(), "involvedObject.kind=Pod,involvedObject.name=web-0");
/// # Ok::<(), porthole_client_core::events::EventSelectorError>(())
/// ```
///
/// # Errors
/// Where the version is none of events.
pub fn regarding_selector(events: &GroupVersion, regarding: &ObjectReference) -> Result<FieldSelector, EventSelectorError> {
    let object = match (events.group.as_str(), events.version.as_str()) {
        ("", "v1") => "involvedObject",
        ("events.k8s.io", "v1" | "v1beta1") => "regarding",
        _ => return Err(EventSelectorError::UnknownVersion(events.clone())),
    };
    let fields = [
        ("name", regarding.name.as_str()),
        ("kind", &regarding.kind),
        ("apiVersion", &regarding.api_version),
        ("uid", regarding.uid.as_str()),
    ];
    let said = fields.into_iter().filter(|(_, value)| !value.is_empty());
    Ok(FieldSelector::all_equal(said.map(|(field, value)| (format!("{object}.{field}"), value)))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn deployment() -> ObjectReference {
        ObjectReference {
            kind: "Deployment".into(),
            name: "test-deployment".into(),
            api_version: "apps/v1".into(),
            uid: "2c55cad7-ee4e-11e9-abe1-525400e7bc6b".into(),
            ..ObjectReference::default()
        }
    }

    #[test]
    fn the_fields_of_events_are_called_as_their_version_has_them() {
        for (version, object) in
            [("events.k8s.io/v1beta1", "regarding"), ("events.k8s.io/v1", "regarding"), ("v1", "involvedObject")]
        {
            let version = version.parse().unwrap();
            let selector = regarding_selector(&version, &deployment()).unwrap();
            let wanted = format!(
                "{object}.apiVersion=apps/v1,{object}.kind=Deployment,{object}.name=test-deployment,\
                 {object}.uid=2c55cad7-ee4e-11e9-abe1-525400e7bc6b"
            );
            assert_eq!(selector.to_string(), wanted);
            assert!(regarding_selector(&version, &ObjectReference::default()).unwrap().is_everything());
        }
        for unknown in ["v1alpha1", "v2", "events.k8s.io/v2", "apps/v1"] {
            let unknown: GroupVersion = unknown.parse().unwrap();
            let error = regarding_selector(&unknown, &deployment()).unwrap_err();
            assert_eq!(error, EventSelectorError::UnknownVersion(unknown.clone()));
            assert!(error.to_string().contains(&unknown.to_string()));
        }
    }
}
