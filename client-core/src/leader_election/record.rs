//! What a lease says of its leader.

use serde::{Deserialize, Serialize};

use crate::meta::{MicroTime, null_is_default};

/// What a lease says of its leader: the `spec` of a `Lease` of `coordination.k8s.io/v1` (client-go
/// `tools/leaderelection/resourcelock`, `LeaderElectionRecord`, and its conversions in `leaselock.go`).
///
/// ```
/// use porthole_client_core::leader_election::LeaderElectionRecord;
///
/// let record: LeaderElectionRecord = serde_json::from_str(r#"{"holderIdentity":"web-0","leaseDurationSeconds":15}"#)?;
/// assert_eq!((record.holder_identity.as_str(), record.leader_transitions), ("web-0", 0));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LeaderElectionRecord {
    /// Who leads; empty where nobody does, and anybody may take the lease at once.
    #[serde(deserialize_with = "null_is_default")]
    pub holder_identity: String,
    /// For how long others leave the lease alone after they saw it change.
    #[serde(deserialize_with = "null_is_default")]
    pub lease_duration_seconds: i32,
    /// Since when it leads, by its own clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acquire_time: Option<MicroTime>,
    /// When it last renewed the lease, by its own clock. Nobody compares it with another clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renew_time: Option<MicroTime>,
    /// How often the lease changed hands.
    #[serde(rename = "leaseTransitions", deserialize_with = "null_is_default")]
    pub leader_transitions: i32,
    /// How the control plane picks the leader; empty where it does not.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub strategy: String,
    /// Whom the control plane would rather have: the leader is to give the lease up. Empty where it may stay.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub preferred_holder: String,
}

impl LeaderElectionRecord {
    /// The names of its fields, as they are written.
    pub(super) const FIELDS: [&str; 7] =
        ["holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions", "strategy", "preferredHolder"];
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const WHOLE: &str = r#"{"holderIdentity":"foo","leaseDurationSeconds":10,"acquireTime":"2026-03-01T12:00:00.250000Z","renewTime":"2026-03-01T12:00:05.000001Z","leaseTransitions":1,"strategy":"OldestEmulationVersion","preferredHolder":"bar"}"#;

    #[test]
    fn a_record_is_written_as_the_spec_of_the_lease_that_it_was_read_from() {
        let record: LeaderElectionRecord = serde_json::from_str(WHOLE).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), WHOLE);
        let plain = r#"{"holderIdentity":"foo","leaseDurationSeconds":10,"leaseTransitions":1}"#;
        let record: LeaderElectionRecord = serde_json::from_str(plain).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), plain);
    }

    #[test]
    fn each_field_of_a_record_has_its_place_in_a_lease() {
        let record = LeaderElectionRecord {
            holder_identity: "foo".to_owned(),
            lease_duration_seconds: 10,
            acquire_time: "2026-03-01T12:00:00.25Z".parse().ok(),
            renew_time: "2026-03-01T12:00:05.000001Z".parse().ok(),
            leader_transitions: 1,
            strategy: "OldestEmulationVersion".to_owned(),
            preferred_holder: "bar".to_owned(),
        };
        assert_eq!(serde_json::to_string(&record).unwrap(), WHOLE);
        assert_eq!(serde_json::from_str::<LeaderElectionRecord>(WHOLE).unwrap(), record);
        let written: crate::json::Map = serde_json::from_str(WHOLE).unwrap();
        assert!(written.keys().all(|field| LeaderElectionRecord::FIELDS.contains(&field.as_str())));
    }

    #[test]
    fn what_a_lease_does_not_say_or_says_with_null_is_empty() {
        let nulls = r#"{"holderIdentity":null,"leaseDurationSeconds":null,"acquireTime":null,"renewTime":null,
            "leaseTransitions":null,"strategy":null,"preferredHolder":null,"later":1}"#;
        for text in ["{}", nulls] {
            let record: LeaderElectionRecord = serde_json::from_str(text).unwrap();
            assert_eq!(record, LeaderElectionRecord::default());
        }
    }
}
