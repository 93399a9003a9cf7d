//! Equality and order, by value.

use std::{cmp::Ordering, collections::HashSet};

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::super::{Quantity, QuantityFormat};

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap()
}

#[track_caller]
fn assert_order(left: Quantity, right: Quantity, expected: Ordering) {
    assert_eq!(left.cmp(&right), expected, "{left} and {right}");
    assert_eq!(right.cmp(&left), expected.reverse(), "{right} and {left}");
    assert_eq!(left == right, expected.is_eq(), "{left} and {right}");
    assert_eq!((-left).cmp(&-right), expected.reverse(), "-{left} and -{right}");
}

#[test]
fn quantities_compare_by_value_whatever_their_suffix() {
    for (left, right, expected) in [
        ("0", "0", Ordering::Equal),
        ("0", "-0Ki", Ordering::Equal),
        ("0", "10", Ordering::Less),
        ("0", "-10", Ordering::Greater),
        ("100m", "50m", Ordering::Greater),
        ("50m", "100m", Ordering::Less),
        ("10000T", "100Gi", Ordering::Greater),
        ("1024Mi", "1Gi", Ordering::Equal),
        ("1000m", "1", Ordering::Equal),
        ("1e3", "1k", Ordering::Equal),
        ("128Mi", "10Gi", Ordering::Less),
        ("1E", "1E3", Ordering::Greater),
        ("1E", "1Ei", Ordering::Less),
        ("500k", "500", Ordering::Greater),
        ("1e500", "9e499", Ordering::Greater),
    ] {
        assert_order(quantity(left), quantity(right), expected);
    }
}

#[test]
fn quantities_compare_exactly_to_the_last_digit_at_any_scale() {
    let exa = 1_000_000_000_000_000_000;
    for ((left, left_scale), (right, right_scale), expected) in [
        ((901, -2), (901, -2), Ordering::Equal),
        ((90, -1), (901, -2), Ordering::Less),
        ((901, -2), (900, -2), Ordering::Greater),
        ((0, 1), (0, -1), Ordering::Equal),
        ((800, -3), (1, 0), Ordering::Less),
        ((800, -3), (79, -2), Ordering::Greater),
        ((i64::MAX, 0), (1, -1), Ordering::Greater),
        ((i64::MAX, 1), (1, 0), Ordering::Greater),
        ((i64::MAX, 1), (1, 1), Ordering::Greater),
        ((i64::MAX, 1), (0, 1), Ordering::Greater),
        ((i64::MAX, -16), (1, 3), Ordering::Less),
        ((i64::MIN, 0), (0, 0), Ordering::Less),
        ((i64::MIN, -18), (-1, 0), Ordering::Less),
        ((i64::MIN, -19), (-1, 0), Ordering::Greater),
        ((exa, -17), (1, 1), Ordering::Equal),
        ((exa, -17), (-10, 0), Ordering::Greater),
        ((-exa, -17), (-10, 0), Ordering::Equal),
        ((exa, -17), (1, 0), Ordering::Greater),
        ((exa + 1, -17), (1, 1), Ordering::Greater),
        ((exa - 1, -17), (1, 1), Ordering::Less),
        ((1, i32::MAX), (i64::MAX, i32::MIN), Ordering::Greater),
    ] {
        assert_order(Quantity::from_scaled(left, left_scale), Quantity::from_scaled(right, right_scale), expected);
    }
}

#[test]
fn equal_quantities_are_one_in_a_set() {
    let texts = ["1Gi", "1024Mi", "1073741824", "1073741824000m", "1.073741824e9"];
    let set: HashSet<Quantity> = texts.map(quantity).into();
    assert_eq!(set.len(), 1);
    assert_eq!(Quantity::new(5, QuantityFormat::BinarySi), Quantity::new(5, QuantityFormat::DecimalExponent));
}
