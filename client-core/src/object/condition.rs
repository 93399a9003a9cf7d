//! What holds of an object (apimachinery `api/meta/conditions.go`).

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

use crate::meta::{Timestamp, null_is_default};

/// Whether a condition holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ConditionStatus(Cow<'static, str>);

impl ConditionStatus {
    /// It holds.
    pub const TRUE: Self = Self(Cow::Borrowed("True"));
    /// It does not.
    pub const FALSE: Self = Self(Cow::Borrowed("False"));
    /// Nobody knows.
    pub const UNKNOWN: Self = Self(Cow::Borrowed("Unknown"));

    /// The word of it; resources of others may have words of their own.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for ConditionStatus {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

impl fmt::Display for ConditionStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// `metav1.Condition`. [`set_condition`], [`find_condition`] and the others beside it are those of apimachinery's
/// `api/meta/conditions.go`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Condition {
    /// What it is about, such as `Ready`.
    #[serde(rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
    /// Whether it holds.
    #[serde(deserialize_with = "null_is_default")]
    pub status: ConditionStatus,
    /// The generation of the object it was found for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// When it last changed its status.
    pub last_transition_time: Option<Timestamp>,
    /// A machine's word on why.
    #[serde(deserialize_with = "null_is_default")]
    pub reason: String,
    /// A person's words on why.
    #[serde(deserialize_with = "null_is_default")]
    pub message: String,
}

/// Puts `condition` in place of the one of its type, or at the end. Its time becomes `now` where it has none and its status
/// is new; where the status stays, so does the time. Gives back whether anything changed (`SetStatusCondition`).
///
/// ```
/// use porthole_client_core::object::{Condition, ConditionStatus, condition_is, set_condition};
///
/// let mut conditions = Vec::new();
/// let ready = Condition { kind: "Ready".into(), status: ConditionStatus::TRUE, ..Condition::default() };
/// assert!(set_condition(&mut conditions, ready.clone(), "2026-11-30T00:00:00Z".parse()?));
/// assert!(!set_condition(&mut conditions, ready, "2026-11-30T00:01:00Z".parse()?));
/// assert!(condition_is(&conditions, "Ready", &ConditionStatus::TRUE));
/// # Ok::<(), porthole_client_core::meta::ParseTimestampError>(())
/// ```
pub fn set_condition(conditions: &mut Vec<Condition>, mut condition: Condition, now: Timestamp) -> bool {
    let Some(known) = conditions.iter_mut().find(|known| known.kind == condition.kind) else {
        condition.last_transition_time.get_or_insert(now);
        conditions.push(condition);
        return true;
    };
    if known.status == condition.status {
        condition.last_transition_time = known.last_transition_time;
    } else {
        condition.last_transition_time.get_or_insert(now);
    }
    if *known == condition {
        return false;
    }
    *known = condition;
    true
}

/// Takes the condition of type `kind` out; gives back whether there was one (`RemoveStatusCondition`).
pub fn remove_condition(conditions: &mut Vec<Condition>, kind: &str) -> bool {
    let before = conditions.len();
    conditions.retain(|condition| condition.kind != kind);
    conditions.len() != before
}

/// The condition of type `kind` (`FindStatusCondition`).
#[must_use]
pub fn find_condition<'a>(conditions: &'a [Condition], kind: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.kind == kind)
}

/// Whether there is a condition of type `kind` with this status (`IsStatusConditionPresentAndEqual`).
#[must_use]
pub fn condition_is(conditions: &[Condition], kind: &str, status: &ConditionStatus) -> bool {
    find_condition(conditions, kind).is_some_and(|condition| condition.status == *status)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn at(second: u8) -> Timestamp {
        format!("2026-11-30T00:00:{second:02}Z").parse().unwrap()
    }

    fn ready(status: ConditionStatus, message: &str) -> Condition {
        Condition { kind: "Ready".into(), status, message: message.into(), ..Condition::default() }
    }

    #[test]
    fn the_time_of_a_condition_changes_with_its_status_alone() {
        let mut conditions = Vec::new();
        assert!(set_condition(&mut conditions, ready(ConditionStatus::FALSE, "a"), at(1)));
        assert!(set_condition(&mut conditions, ready(ConditionStatus::FALSE, "b"), at(2)));
        assert_eq!((conditions[0].last_transition_time, conditions[0].message.as_str()), (Some(at(1)), "b"));
        assert!(set_condition(&mut conditions, ready(ConditionStatus::TRUE, "b"), at(3)));
        assert_eq!(conditions[0].last_transition_time, Some(at(3)));
        assert!(!set_condition(&mut conditions, ready(ConditionStatus::TRUE, "b"), at(4)));
        assert_eq!((conditions.len(), conditions[0].last_transition_time), (1, Some(at(3))));
    }

    #[test]
    fn a_time_that_the_caller_gives_is_taken() {
        let mut conditions = Vec::new();
        let given = Condition { last_transition_time: Some(at(9)), ..ready(ConditionStatus::TRUE, "") };
        set_condition(&mut conditions, given, at(1));
        assert_eq!(conditions[0].last_transition_time, Some(at(9)));
        let other = Condition { last_transition_time: Some(at(8)), ..ready(ConditionStatus::FALSE, "") };
        set_condition(&mut conditions, other, at(1));
        assert_eq!(conditions[0].last_transition_time, Some(at(8)));
    }

    fn of(kind: &str) -> Condition {
        Condition { kind: kind.into(), ..Condition::default() }
    }

    #[test]
    fn a_condition_is_added_at_the_end_and_changed_in_its_place() {
        let mut conditions = vec![of("first"), of("third")];
        let full = |status, time| Condition {
            kind: "second".into(),
            status,
            observed_generation: Some(3),
            last_transition_time: Some(time),
            reason: "reason".into(),
            message: "message".into(),
        };
        assert!(set_condition(&mut conditions, full(ConditionStatus::FALSE, at(1)), at(9)));
        assert_eq!(conditions, [of("first"), of("third"), full(ConditionStatus::FALSE, at(1))]);
        conditions.swap(1, 2);
        assert!(set_condition(&mut conditions, full(ConditionStatus::TRUE, at(2)), at(9)));
        assert_eq!(conditions, [of("first"), full(ConditionStatus::TRUE, at(2)), of("third")]);
        // The status stays, and so does the time; the rest is taken.
        let newer = Condition { observed_generation: Some(4), ..full(ConditionStatus::TRUE, at(8)) };
        assert!(set_condition(&mut conditions, newer.clone(), at(9)));
        assert_eq!(conditions[1], Condition { last_transition_time: Some(at(2)), ..newer.clone() });
        assert!(!set_condition(&mut conditions, newer, at(9)));
    }

    #[test]
    fn a_condition_is_found_by_its_type() {
        let conditions = [of("first"), of("second")];
        assert_eq!(find_condition(&conditions, "second"), Some(&conditions[1]));
        assert_eq!(find_condition(&conditions, "Second"), None);
    }

    #[test]
    fn a_condition_is_removed_by_its_type() {
        let mut conditions = vec![of("first"), of("second"), of("third")];
        assert!(!remove_condition(&mut conditions, "fourth"));
        assert!(remove_condition(&mut conditions, "second") && !remove_condition(&mut conditions, "second"));
        assert_eq!(conditions, [of("first"), of("third")]);
        assert!(!remove_condition(&mut Vec::new(), "first"));
    }

    #[test]
    fn a_condition_is_read_with_nulls_and_written_with_its_time() {
        let text = r#"{"type":"Ready","status":null,"lastTransitionTime":null,"reason":null,"message":null}"#;
        let read: Condition = serde_json::from_slice(text.as_bytes()).unwrap();
        assert_eq!(read, of("Ready"));
        let written = serde_json::to_string(&Condition { last_transition_time: Some(at(1)), ..read }).unwrap();
        assert_eq!(
            written,
            r#"{"type":"Ready","status":"Unknown","lastTransitionTime":"2026-11-30T00:00:01Z","reason":"","message":""}"#
        );
    }

    #[test]
    fn a_condition_that_is_not_there_has_no_status() {
        let conditions = [ready(ConditionStatus::TRUE, "")];
        assert!(condition_is(&conditions, "Ready", &ConditionStatus::TRUE));
        assert!(!condition_is(&conditions, "Ready", &ConditionStatus::FALSE));
        assert!(!condition_is(&conditions, "Other", &ConditionStatus::UNKNOWN));
        assert!(condition_is(&[ready(ConditionStatus::FALSE, "")], "Ready", &ConditionStatus::FALSE));
        assert!(!condition_is(&[ready(ConditionStatus::UNKNOWN, "")], "Ready", &ConditionStatus::TRUE));
    }
}
