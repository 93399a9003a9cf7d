//! Making quantities of numbers, and numbers of quantities.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::super::{
    Quantity,
    QuantityFormat::{BinarySi, DecimalExponent, DecimalSi},
};

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap()
}

#[test]
fn a_scaled_number_is_its_value_times_a_power_of_ten() {
    for (value, scale, text) in
        [(1, 0, "1"), (1, 1, "10"), (5, 2, "500"), (8, 3, "8000"), (2, 0, "2"), (1, -1, "0.1"), (3, -2, "0.03"), (4, -3, "0.004")]
    {
        assert_eq!(Quantity::from_scaled(value, scale), quantity(text));
    }
}

#[test]
fn numbers_beyond_an_i64_are_exact_at_every_scale() {
    let above = Quantity::from(i64::MAX) + Quantity::from(1);
    let below = Quantity::from(i64::MIN) - Quantity::from(1);
    for (value, texts) in [
        (above, ["922337203685477580.8", "9223372036854775808", "92233720368547758080", "922337203685477580800"]),
        (below, ["-922337203685477580.9", "-9223372036854775809", "-92233720368547758090", "-922337203685477580900"]),
    ] {
        let [tenth, one, ten, hundred] = texts.map(quantity);
        assert_eq!((tenth * 10, one, ten, hundred), (value, value, value * 10, value * 100));
        assert_eq!(one.as_i64(), None);
    }
}

#[test]
fn milli_values_are_written_and_set_alike() {
    for (value, format, text, exact) in [
        (1, DecimalSi, "1m", true),
        (1000, DecimalSi, "1", true),
        (1_234_000, DecimalSi, "1234", true),
        (1024, BinarySi, "1024m", false),
        (1_000_000, DecimalExponent, "1e3", true),
        (1024 * 1024, BinarySi, "1048576m", false),
    ] {
        assert_eq!(Quantity::from_milli(value, format).to_string(), text);
        let mut set = Quantity::new(0, format);
        set.set_milli(value);
        assert_eq!(set.to_string(), text);
        let read = quantity(text);
        assert_eq!(read.milli_value(), value);
        assert_eq!(read.format() == format, exact, "{text}");
    }
}

#[test]
fn values_are_written_and_set_alike() {
    for (value, format, text) in [
        (1, DecimalSi, "1"),
        (1000, DecimalSi, "1k"),
        (1_234_000, DecimalSi, "1234k"),
        (1024, BinarySi, "1Ki"),
        (1_000_000, DecimalExponent, "1e6"),
        (1024 * 1024, BinarySi, "1Mi"),
    ] {
        assert_eq!(Quantity::new(value, format).to_string(), text);
        let mut set = Quantity::new(0, format);
        set.set(value);
        assert_eq!(set.to_string(), text);
        assert_eq!(quantity(text).value(), value);
    }
}

#[test]
fn scaled_values_are_written_and_set_alike() {
    for (value, scale, text) in [
        (1, -9, "1n"),
        (1000, -9, "1u"),
        (1, -6, "1u"),
        (1000, -6, "1m"),
        (1, -3, "1m"),
        (1000, -3, "1"),
        (1, 0, "1"),
        (0, -9, "0"),
        (0, -3, "0"),
        (0, 0, "0"),
    ] {
        let made = Quantity::from_scaled(value, scale);
        assert_eq!(made.to_string(), text);
        assert_eq!(quantity(text).scaled_value(scale), value);
        let mut set = quantity("7");
        set.set_scaled(value, scale);
        assert_eq!(set, made);
    }
}

#[test]
fn a_value_is_told_at_any_scale() {
    for (scale, at, expected) in [
        (-9, -9, 1),
        (-9, -6, 1),
        (-9, -3, 1),
        (-9, 0, 1),
        (-6, -9, 1000),
        (-6, -6, 1),
        (-6, 0, 1),
        (-3, -9, 1_000_000),
        (-3, -6, 1000),
        (-3, -3, 1),
        (-3, 0, 1),
        (0, -9, 1_000_000_000),
        (0, -6, 1_000_000),
        (0, -3, 1000),
        (0, 0, 1),
        (2, -2, 10_000),
    ] {
        assert_eq!(Quantity::from_scaled(1, scale).scaled_value(at), expected, "1e{scale} at {at}");
        assert_eq!(Quantity::from_scaled(-1, scale).scaled_value(at), -expected, "-1e{scale} at {at}");
    }
}

#[test]
fn a_scaled_value_is_rounded_away_from_zero() {
    for (value, scale, at, expected) in [
        (1000, 0, 0, 1000),
        (1000, 0, 3, 1),
        (1000, -3, 0, 1),
        (999, -3, 0, 1),
        (500, -3, 0, 1),
        (499, -3, 0, 1),
        (1, -3, 0, 1),
        (1234, 0, 3, 2),
        (0, -3, 0, 0),
        (i64::MAX - 1, -1, 0, (i64::MAX - 1) / 10 + 1),
        (0, 0, -3, 0),
        (1, 0, -3, 1000),
        (1000, 3, -2, 100_000_000),
        (i64::MAX / 1000, 0, -3, i64::MAX / 1000 * 1000),
        (0, 0, i32::MIN, 0),
    ] {
        let made = Quantity::from_scaled(value, scale);
        assert_eq!(made.scaled_value(at), expected, "{value}e{scale} at {at}");
        assert_eq!((-made).scaled_value(at), -expected, "-{value}e{scale} at {at}");
    }
    let hundred_digits = Quantity::from_scaled(1, 100);
    assert_eq!(hundred_digits.scaled_value(100), 1);
}

#[test]
fn a_scaled_value_that_does_not_fit_is_the_nearest_i64() {
    for (value, scale, at, expected) in [
        (100, 0, 5, 1),
        (100, 1, 1, 100),
        (100, 5, 2, 100_000),
        (876, 30, 4, i64::MAX),
        (-876, 30, 4, i64::MIN),
        (93, -1, 0, 10),
        (100, -1, 0, 10),
        (-1932, 2, 4, -20),
        (-1900, 2, 4, -19),
        (1, i32::MAX, i32::MIN, i64::MAX),
        (1, i32::MIN, i32::MAX, 1),
    ] {
        assert_eq!(Quantity::from_scaled(value, scale).scaled_value(at), expected, "{value}e{scale} at {at}");
    }
    assert_eq!(Quantity::from(i64::MIN).milli_value(), i64::MIN);
}

#[test]
fn a_value_that_is_whole_and_fits_is_told_as_it_is() {
    for (value, scale, expected) in [
        (100, 0, Some(100)),
        (100, 1, Some(1000)),
        (100, -2, Some(1)),
        (100, -5, None),
        (100, 100, None),
        (0, 100, Some(0)),
        (i64::MIN, 0, Some(i64::MIN)),
        (i64::MAX, 1, None),
    ] {
        assert_eq!(Quantity::from_scaled(value, scale).as_i64(), expected, "{value}e{scale}");
    }
}

#[test]
fn rounding_up_goes_away_from_zero_and_shows_where_something_was_lost() {
    for (scale, expected, exact) in
        [(-3, "9.01", true), (-2, "9.01", true), (-1, "9.1", false), (0, "10", false), (1, "10", false), (2, "100", false)]
    {
        let original = quantity("9.01");
        let rounded = original.rounded_up(scale);
        assert_eq!(rounded, quantity(expected), "to {scale}");
        assert_eq!(rounded == original, exact, "to {scale}");
        assert_eq!((-original).rounded_up(scale), -rounded, "to {scale}");
    }
}

#[test]
fn rounding_to_a_power_of_ten_adds_one_where_digits_are_dropped() {
    for (value, places, expected) in [
        (1_234_567, 0, 1_234_567),
        (1_234_567, 1, 123_457),
        (1_234_567, 2, 12_346),
        (1_234_567, 3, 1235),
        (1_234_567, 4, 124),
        (1000, 1, 100),
        (1000, 3, 1),
        (1000, 4, 1),
        (0, 0, 0),
        (0, 2, 0),
    ] {
        let rounded = Quantity::from_scaled(expected, places);
        assert_eq!(Quantity::from(value).rounded_up(places), rounded, "{value} to {places}");
        assert_eq!(Quantity::from(-value).rounded_up(places), -rounded, "-{value} to {places}");
    }
}

#[test]
fn the_sign_is_that_of_the_value_at_any_scale() {
    for (value, scale, sign) in
        [(-50, 1, -1), (0, 1, 0), (300, 1, 1), (-50, -8, -1), (50, -8, 1), (0, -8, 0), (-50, 0, -1), (50, 0, 1), (0, 0, 0)]
    {
        let made = Quantity::from_scaled(value, scale);
        assert_eq!((made.signum(), made.is_zero()), (sign, sign == 0), "{value}e{scale}");
    }
}

#[test]
fn a_power_of_ten_is_no_part_of_the_digits() {
    for (value, scale, text) in [(100, 0, "100"), (100, 1, "1k"), (100, -1, "10"), (10800, -10, "1080n")] {
        assert_eq!(Quantity::from_scaled(value, scale).to_string(), text);
    }
}

#[test]
fn factors_of_ten_and_of_1024_become_suffixes() {
    for (value, decimal, binary) in [
        (1, "1", "1"),
        (100, "100", "100"),
        (1_000_000, "1M", "1000000"),
        (1024, "1024", "1Ki"),
        (1_024_000, "1024k", "1000Ki"),
        (10 * 1024 * 1024, "10485760", "10Mi"),
    ] {
        assert_eq!(Quantity::new(value, DecimalSi).to_string(), decimal);
        assert_eq!(Quantity::new(value, BinarySi).to_string(), binary);
    }
}

#[test]
fn the_default_is_a_zero_that_can_do_everything() {
    let mut nothing = Quantity::default();
    assert_eq!((nothing.value(), nothing.milli_value(), nothing.as_i64(), nothing.signum()), (0, 0, Some(0), 0));
    assert_eq!((nothing.to_string(), serde_json::to_string(&nothing).unwrap()), ("0".to_owned(), "\"0\"".to_owned()));
    assert_eq!((nothing + nothing, -nothing, nothing * 5, nothing.rounded_up(3)), (nothing, nothing, nothing, nothing));
    nothing.set(5);
    assert_eq!(nothing.to_string(), "5");
}

#[test]
fn setting_a_copy_keeps_its_format_and_leaves_the_original() {
    for (text, set) in [("100m", "6144"), ("5Gi", "6Ki"), ("10e12", "6144")] {
        let original = quantity(text);
        let mut copy = original;
        copy.set(6144);
        assert_eq!((copy.to_string(), copy.format()), (set.to_owned(), original.format()));
        assert_eq!(original.to_string(), text);
    }
}

const FLOATS: [(i64, i32, f64); 13] = [
    (0, 0, 0.0),
    (1, 0, 1.0),
    (1024, 0, 1024.0),
    (8 * 1024, 0, 8192.0),
    (7 * 1024 * 1024, 0, 7_340_032.0),
    (7 * 1024 * 1024, 1, 73_400_320.0),
    (7 * 1024 * 1024, 4, 73_400_320_000.0),
    (7 * 1024 * 1024, 8, 734_003_200_000_000.0),
    (7 * 1024 * 1024, -1, 734_003.2),
    (7 * 1024 * 1024, -8, 0.073_400_32),
    (i64::MAX, 0, 9_223_372_036_854_775_807.0),
    (12, 18, 1.2e19),
    (12, 500, f64::INFINITY),
];

#[test]
fn the_float_of_a_quantity_is_the_nearest_one() {
    for (value, scale, float) in FLOATS {
        for format in [DecimalSi, BinarySi, DecimalExponent] {
            let made = Quantity::from_scaled(value, scale).with_format(format);
            assert_eq!((made.as_f64(), (-made).as_f64()), (float, -float), "{value}e{scale}");
        }
    }
}

#[test]
#[expect(clippy::float_cmp, reason = "the nearest float is one float")]
fn the_float_of_a_text_is_the_nearest_one() {
    for (text, float) in
        [("2Ki", 2048.0), ("1.1Ki", 1126.4), ("1Mi", 1_048_576.0), ("2Gi", 2_147_483_648.0), ("100m", 0.1), ("1n", 1e-9)]
    {
        assert_eq!(quantity(text).as_f64(), float, "{text}");
    }
}

#[test]
fn ordering_by_float_and_by_value_agree_to_fifteen_digits() {
    use crate::meta::parse_quantity;
    for text in ["2Ki", "1.1Ki", "1Mi", "2Gi", "0.5", "-1", "1E", "1E3", "500k", "2728711509333m", "12e-3", "1Ei", "-1.5Pi"] {
        let (exact, float) = (quantity(text).as_f64(), parse_quantity(text).unwrap());
        assert!((float / exact - 1.0).abs() < 1e-15, "{text}: {float} and {exact}");
    }
    for (value, scale, float) in FLOATS {
        let cheap = parse_quantity(&format!("{value}e{scale}")).unwrap();
        assert!(cheap.total_cmp(&float).is_eq() || (cheap / float - 1.0).abs() < 1e-15, "{value}e{scale}: {cheap} and {float}");
    }
}
