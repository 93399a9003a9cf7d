//! What holds for every quantity, tried on random ones.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::super::{
    Quantity,
    QuantityFormat::{BinarySi, DecimalExponent, DecimalSi},
};
use crate::platform::Chance;

const ROUNDS: usize = 3000;

/// A number of any size, not negative.
fn number(chance: &mut Chance) -> i64 {
    let bits = chance.below(64);
    i64::try_from(chance.next() >> 1 >> bits).unwrap()
}

fn scale(chance: &mut Chance, least: i32, most: i32) -> i32 {
    least + i32::try_from(chance.below(u64::try_from(most - least + 1).unwrap())).unwrap()
}

/// A quantity of a form that occurs: binary ones are whole, decimal ones have steps down to one nano.
fn any(chance: &mut Chance) -> Quantity {
    let mut value = number(chance);
    if chance.percent(30) {
        value = -value;
    }
    match chance.below(4) {
        0 => Quantity::new(value, BinarySi),
        1 => Quantity::new((value % 1024) << (10 * chance.below(5)), BinarySi),
        2 => Quantity::from_scaled(value, scale(chance, -9, 9)),
        _ => Quantity::from_scaled(value % 1000, scale(chance, -9, 18)).with_format(DecimalExponent),
    }
}

#[test]
fn a_canonical_text_is_printed_as_it_was_parsed() {
    let mut chance = Chance(1);
    for _ in 0..ROUNDS {
        let text = any(&mut chance).to_string();
        assert_eq!(text.parse::<Quantity>().unwrap().to_string(), text);
    }
}

#[test]
fn what_is_printed_is_read_back_as_the_same_value() {
    let mut chance = Chance(2);
    for _ in 0..ROUNDS {
        let made = any(&mut chance);
        for format in [BinarySi, DecimalSi, DecimalExponent] {
            let text = made.with_format(format).to_string();
            // Only the limit of 2^63 - 1 is in the way of large ones with a binary suffix.
            if text.ends_with('i') && made.as_i64().is_none() {
                continue;
            }
            assert_eq!(text.parse::<Quantity>().unwrap(), made, "{text}");
        }
    }
}

#[test]
fn a_quantity_survives_json() {
    let mut chance = Chance(3);
    for _ in 0..ROUNDS {
        let made = any(&mut chance);
        let json = serde_json::to_string(&made).unwrap();
        assert_eq!(serde_json::from_str::<Quantity>(&json).unwrap(), made, "{json}");
    }
}

/// The digits of `|value| × 10^scale` in steps of one nano, for comparing without this module's arithmetic.
fn nanos(value: i64, scale: i32) -> (usize, String) {
    let digits = format!("{}{}", value.unsigned_abs(), "0".repeat(usize::try_from(scale + 9).unwrap()));
    let digits = digits.trim_start_matches('0').to_owned();
    (digits.len(), digits)
}

#[test]
fn the_order_is_that_of_exact_arithmetic() {
    let mut chance = Chance(4);
    for round in 0..ROUNDS {
        let (left, left_scale) = (number(&mut chance), scale(&mut chance, -9, 18));
        // Every other pair is close: the same digits, or one more, at another scale.
        let (right, right_scale) = if round % 2 == 0 {
            (number(&mut chance), scale(&mut chance, -9, 18))
        } else {
            let shift = u32::try_from(scale(&mut chance, 0, 5)).unwrap();
            let near = (left / 10_i64.pow(shift)).saturating_add(i64::try_from(chance.below(2)).unwrap());
            (near, (left_scale + i32::try_from(shift).unwrap()).min(18))
        };
        let expected = nanos(left, left_scale).cmp(&nanos(right, right_scale));
        let (a, b) = (Quantity::from_scaled(left, left_scale), Quantity::from_scaled(right, right_scale));
        assert_eq!(a.cmp(&b), expected, "{left}e{left_scale} and {right}e{right_scale}");
        assert_eq!((-a).cmp(&-b), expected.reverse(), "-{left}e{left_scale} and -{right}e{right_scale}");
        assert!(-a <= b, "-{left}e{left_scale} and {right}e{right_scale}");
    }
}

#[test]
fn a_text_with_a_binary_suffix_is_its_number_times_the_power_of_two() {
    let mut chance = Chance(5);
    for _ in 0..ROUNDS {
        let (suffix, power) =
            [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)][usize::try_from(chance.below(6)).unwrap()];
        // Up to 2^62, with up to fifteen digits of fraction.
        let whole = i64::try_from(chance.below(1 << (62 - power))).unwrap();
        let places = u32::try_from(chance.below(16)).unwrap();
        let fraction = i64::try_from(chance.below(10_u64.pow(places))).unwrap();
        let text = if places == 0 {
            format!("{whole}{suffix}")
        } else {
            format!("{whole}.{fraction:0width$}{suffix}", width = places as usize)
        };
        // The fraction in steps of one nano, rounded up.
        let scaled = i128::from(fraction) << power;
        let (times, by) = (10_i128.pow(9_u32.saturating_sub(places)), 10_i128.pow(places.saturating_sub(9)));
        let steps = (scaled * times + by - 1) / by;
        let giga = 1_000_000_000;
        let expected = Quantity::from(whole << power)
            + Quantity::from_scaled(i64::try_from(steps / giga).unwrap(), 0)
            + Quantity::from_scaled(i64::try_from(steps % giga).unwrap(), -9);
        assert_eq!(text.parse::<Quantity>().unwrap(), expected, "{text}");
    }
}

#[track_caller]
fn cancels(chance: &mut Chance, mut scale: impl FnMut(&mut Chance) -> i32, bits: u32) {
    let numbers: Vec<_> = (0..100).map(|_| (i64::try_from(chance.next() >> (64 - bits)).unwrap(), scale(chance))).collect();
    let scaled = || numbers.iter().map(|(number, scale)| Quantity::from_scaled(*number, *scale));
    let mut left: Quantity = scaled().sum();
    assert!(!left.is_zero());
    for quantity in scaled() {
        left -= quantity;
    }
    assert!(left.is_zero(), "{left} is left");
}

#[test]
fn sums_and_differences_cancel() {
    let mut chance = Chance(6);
    for scale in -10..=10 {
        cancels(&mut chance, |_| scale, 63);
    }
}

#[test]
fn sums_and_differences_cancel_across_scales() {
    let mut chance = Chance(7);
    for _ in 0..20 {
        // From nano to giga: sums of up to 37 digits.
        cancels(&mut chance, |chance| scale(chance, -9, 9), 56);
    }
}

#[test]
fn two_minuses_are_none() {
    let mut chance = Chance(8);
    for _ in 0..ROUNDS {
        let made = any(&mut chance);
        assert_eq!(-(-made), made);
        assert_eq!((-made).signum(), -made.signum());
        assert!((made + -made).is_zero());
    }
}

#[test]
fn every_format_keeps_the_value() {
    let mut chance = Chance(9);
    for _ in 0..ROUNDS {
        let made = any(&mut chance);
        for format in [BinarySi, DecimalSi, DecimalExponent] {
            let other = made.with_format(format);
            assert_eq!((other, other.format()), (made, format));
        }
    }
}
