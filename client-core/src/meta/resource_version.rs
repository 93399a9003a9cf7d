//! The one place where resource versions have an order.

use std::cmp::Ordering;

use thiserror::Error;

use super::ResourceVersion;

/// A resource version without an order.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("resource version \"{0}\" has no order: expected a number without a leading zero")]
pub struct InvalidResourceVersion(ResourceVersion);

/// Which of two resource versions the server gave out first, after apimachinery's `pkg/util/resourceversion`.
///
/// Everywhere else a resource version is opaque: it is handed back to the server and compared for equality, and nothing in this
/// crate asks for its order. This is for callers who hold two versions of objects of the same resource and must know which is
/// newer, such as a cache that waits until it has seen a write. It says nothing about versions of different resources.
///
/// ```
/// use std::cmp::Ordering;
///
/// use porthole_client_core::meta::compare_resource_versions;
///
/// assert_eq!(compare_resource_versions(&"999".into(), &"1000".into())?, Ordering::Less);
/// assert!(compare_resource_versions(&"0".into(), &"1000".into()).is_err());
/// # Ok::<(), porthole_client_core::meta::InvalidResourceVersion>(())
/// ```
///
/// # Errors
///
/// Where either is not a whole number without leading zeros. `0` is none either: it means any version in a list or watch, and no
/// object has it. The number can be of any length.
pub fn compare_resource_versions(left: &ResourceVersion, right: &ResourceVersion) -> Result<Ordering, InvalidResourceVersion> {
    let (left, right) = (number(left)?, number(right)?);
    Ok(left.len().cmp(&right.len()).then_with(|| left.cmp(right)))
}

fn number(version: &ResourceVersion) -> Result<&str, InvalidResourceVersion> {
    let text = version.as_str();
    let is_number = !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(text).ok_or_else(|| InvalidResourceVersion(version.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn compare(left: &str, right: &str) -> Result<Ordering, InvalidResourceVersion> {
        compare_resource_versions(&left.into(), &right.into())
    }

    #[test]
    fn resource_versions_are_ordered_as_numbers_of_any_length() {
        let nines = "99999999999999999999999999999999999999999999999999";
        let more = "100000000000000000000000000000000000000000000000000";
        for (left, right, expected) in [
            ("100", "200", Some(Ordering::Less)),
            ("200", "100", Some(Ordering::Greater)),
            ("1", "1", Some(Ordering::Equal)),
            ("100", "100", Some(Ordering::Equal)),
            ("99", "100", Some(Ordering::Less)),
            ("100", "99", Some(Ordering::Greater)),
            (nines, more, Some(Ordering::Less)),
            (more, nines, Some(Ordering::Greater)),
            (nines, nines, Some(Ordering::Equal)),
            ("0", "1", None),
            ("0", "0", None),
            ("0100", "100", None),
            ("100", "", None),
            ("100a", "100", None),
        ] {
            assert_eq!(compare(left, right).ok(), expected, "{left} and {right}");
        }
    }

    #[test]
    fn what_is_not_a_number_has_no_order() {
        for wrong in ["0", "", "0100", "100a", "a100", "-1", "+1", " 1", "١"] {
            assert_eq!(compare(wrong, "100"), Err(InvalidResourceVersion(wrong.into())), "{wrong:?} on the left");
            assert_eq!(compare("100", wrong), Err(InvalidResourceVersion(wrong.into())), "{wrong:?} on the right");
            assert!(compare(wrong, wrong).is_err(), "{wrong:?} on both sides");
        }
        let message = compare("0100", "1").unwrap_err().to_string();
        assert!(message.contains("\"0100\""), "{message}");
    }
}
