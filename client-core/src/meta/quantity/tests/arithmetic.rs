//! Sums, differences and products.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::super::{
    Quantity,
    QuantityFormat::{self, BinarySi, DecimalExponent, DecimalSi},
};

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap()
}

fn new(value: i64, format: QuantityFormat) -> Quantity {
    Quantity::new(value, format)
}

#[test]
fn a_sum_is_written_as_its_left_side_is() {
    for (left, right, expected) in [
        (new(10, DecimalSi), Quantity::from_scaled(1, 1), new(20, DecimalSi)),
        (new(10, DecimalSi), new(1, BinarySi), new(11, DecimalSi)),
        (new(10, BinarySi), new(1, DecimalSi), new(11, BinarySi)),
        (Quantity::default(), new(50, DecimalSi), new(50, DecimalSi)),
        (new(50, DecimalSi), Quantity::default(), new(50, DecimalSi)),
        (Quantity::default(), Quantity::default(), new(0, DecimalSi)),
    ] {
        let sum = left + right;
        assert_eq!((sum, sum.format()), (expected, expected.format()), "{left} + {right}");
    }
}

#[test]
fn a_difference_is_written_as_its_left_side_is() {
    for (left, right, expected) in [
        (new(10, DecimalSi), Quantity::from_scaled(1, 1), new(0, DecimalSi)),
        (new(10, DecimalSi), new(1, BinarySi), new(9, DecimalSi)),
        (new(10, BinarySi), new(1, DecimalSi), new(9, BinarySi)),
        (Quantity::default(), new(50, DecimalSi), new(-50, DecimalSi)),
        (new(50, DecimalSi), Quantity::default(), new(50, DecimalSi)),
        (Quantity::default(), Quantity::default(), new(0, DecimalSi)),
    ] {
        let difference = left - right;
        assert_eq!((difference, difference.format()), (expected, expected.format()), "{left} - {right}");
    }
}

#[test]
fn adding_to_or_with_zero_keeps_the_suffix() {
    for text in ["100m", "1Gi", "12e6"] {
        assert_eq!((quantity(text) + quantity("0")).to_string(), text);
        assert_eq!((quantity("0") + quantity(text)).to_string(), text);
        let sum: Quantity = [quantity(text); 2].into_iter().sum();
        assert_eq!((sum - quantity(text)).to_string(), text, "a sum begins with zero");
    }
}

#[test]
fn subtracting_zero_or_from_zero_keeps_the_suffix() {
    for text in ["100m", "1Gi", "12e6"] {
        assert_eq!((quantity(text) - quantity("0")).to_string(), text);
        assert_eq!((quantity("0") - quantity(text)).to_string(), format!("-{text}"));
    }
}

#[test]
fn a_negative_is_as_far_from_zero_on_the_other_side() {
    for (value, negative) in [(0, 0), (10, -10), (-10, 10), (i64::MAX, -i64::MAX)] {
        for format in [BinarySi, DecimalSi, DecimalExponent] {
            assert_eq!(-new(value, format), new(negative, format));
            assert_eq!((-new(value, format)).format(), format);
        }
    }
    assert_eq!((-new(i64::MIN, DecimalSi)).to_string(), "9223372036854775808", "which is no i64");
}

#[test]
fn negating_writes_a_minus_and_leaves_the_original() {
    for (value, scale, text) in [(901, -2, "-9010m"), (-901, -2, "9010m"), (1024, 0, "-1024")] {
        let original = Quantity::from_scaled(value, scale);
        let negative = -original;
        assert_ne!(negative, original);
        assert_eq!(negative.to_string(), text);
    }
}

#[test]
fn a_product_is_exact_beyond_the_range_of_an_i64() {
    let (most, least) = (i64::MAX, i64::MIN);
    for (value, factor, expected, fits) in [
        (10, 10, "100", true),
        (10, 1, "10", true),
        (0, 50, "0", true),
        (50, 0, "0", true),
        (0, 0, "0", true),
        (10, -10, "-100", true),
        (-10, 1, "-10", true),
        (-50, 0, "0", true),
        (-50, -50, "2500", true),
        (most, 0, "0", true),
        (most, 1, "9223372036854775807", true),
        (most, -1, "-9223372036854775807", true),
        (most / 2, 2, "9223372036854775806", true),
        (most / -2, -2, "9223372036854775806", true),
        (most, 2, "18446744073709551614", false),
        (most, 10, "92233720368547758070", false),
        (most, -10, "-92233720368547758070", false),
        (least, 0, "0", true),
        (least, 1, "-9223372036854775808", true),
        (least, -1, "9223372036854775808", false),
        (least / 2, 2, "-9223372036854775808", true),
        (least / -2, -2, "-9223372036854775808", true),
        (least, 2, "-18446744073709551616", false),
        (least, 10, "-92233720368547758080", false),
        (least, -10, "92233720368547758080", false),
        (most, most, "85070591730234615847396907784232501249", false),
    ] {
        for format in [DecimalSi, BinarySi] {
            let product = new(value, format) * factor;
            if fits {
                assert_eq!((product, product.as_i64().is_some()), (quantity(expected), true), "{value} × {factor}");
            } else {
                assert_eq!(product, quantity(expected), "{value} × {factor}");
                assert_eq!(product.as_i64(), None, "{value} × {factor}");
            }
            assert_eq!(product.format(), format);
        }
    }
}

#[test]
fn a_product_keeps_its_scale() {
    for (value, scale, factor, expected) in [
        (100, 1, 1000, 100_000),
        (100, -1, 1000, 100_000),
        (-5, 2, 500, -2500),
        (-5, -2, 500, -2500),
        (1, 100, 10, 10),
        (1, -100, 10, 10),
    ] {
        assert_eq!(Quantity::from_scaled(value, scale) * factor, Quantity::from_scaled(expected, scale));
    }
}

#[test]
fn a_sum_of_different_scales_is_exact_beyond_the_range_of_an_i64() {
    for ((left, left_scale), (right, right_scale), expected) in [
        ((100, 1), (10, 2), "2e3"),
        ((100, 1), (1, 2), "11e2"),
        ((-5, 2), (50, 1), "0"),
        ((-5, 2), (5, 2), "0"),
        ((i64::MAX, -1), (1, -1), "922337203685477580800m"),
        ((i64::MAX, -1), (0, -1), "922337203685477580700m"),
        ((i64::MAX / 10, 1), (10, 0), "9223372036854775810"),
        ((100, 1), (1, 30), "1000000000000000000000000001000"),
    ] {
        let (left, right) = (Quantity::from_scaled(left, left_scale), Quantity::from_scaled(right, right_scale));
        assert_eq!(left + right, quantity(expected));
        assert_eq!(right + left, quantity(expected), "the other way around");
    }
}

#[test]
fn sums_say_where_they_leave_the_range_of_an_i64() {
    let (most, least) = (i64::MAX, i64::MIN);
    for (left, right, sum) in [
        (0, 0, Some(0)),
        (-1, 1, Some(0)),
        (2, 2, Some(4)),
        (-2, -2, Some(-4)),
        (least, -1, None),
        (least, 1, Some(least + 1)),
        (most, -1, Some(most - 1)),
        (most, 1, None),
        (least, most, Some(-1)),
        (most, most, None),
        (least, least, None),
        (-most, least, None),
        (-most, -most, None),
    ] {
        let (left, right) = (Quantity::from(left), Quantity::from(right));
        assert_eq!((left + right).as_i64(), sum, "{left} + {right}");
        assert_eq!((right + left).as_i64(), sum, "{right} + {left}");
    }
}

#[test]
fn products_say_where_they_leave_the_range_of_an_i64() {
    let (most, least) = (i64::MAX, i64::MIN);
    let numbers = [0, -1, 1, 2, -2, 10, -10, 100, 1000, most, least, -most];
    for left in numbers {
        for right in numbers {
            assert_eq!((Quantity::from(left) * right).as_i64(), left.checked_mul(right), "{left} × {right}");
        }
    }
}

#[test]
fn a_result_of_more_digits_than_it_can_hold_is_rounded_away_from_zero() {
    let (large, small) = (quantity("1e30"), quantity("1n"));
    assert_eq!(large + small, quantity("1000000000000000000000000000000.000001e0"), "40 digits apart");
    assert_eq!(-large - small, -(large + small));
    assert_eq!(small + large, large + small);
    let far = Quantity::from_scaled(1, i32::MAX) + Quantity::from_scaled(1, i32::MIN);
    assert!(far > Quantity::from_scaled(1, i32::MAX));
    assert_eq!(far + Quantity::default(), far);
    let digits = quantity("1111111111111111111111111111e0") * 1_111_111_111_111_111_111;
    assert!((digits.as_f64() / 1.234_567_901_234_567_9e45 - 1.0).abs() < 1e-15, "{digits}");
}
