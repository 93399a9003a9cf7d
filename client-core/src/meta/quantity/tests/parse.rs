//! What texts are quantities, and which.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::super::{
    Quantity,
    QuantityFormat::{self, BinarySi, DecimalExponent, DecimalSi},
};

/// Text, the value as mantissa and power of ten, and the format it is remembered in.
type Row = (&'static str, i64, i32, QuantityFormat);

const KI: i64 = 1024;

const PLAIN: [Row; 31] = [
    ("0", 0, 0, DecimalSi),
    ("0n", 0, 0, DecimalSi),
    ("0u", 0, 0, DecimalSi),
    ("0m", 0, 0, DecimalSi),
    ("0k", 0, 0, DecimalSi),
    ("0T", 0, 0, DecimalSi),
    ("0Ki", 0, 0, BinarySi),
    ("0Ti", 0, 0, BinarySi),
    ("1", 1, 0, DecimalSi),
    ("1Ki", KI, 0, BinarySi),
    ("8Ki", 8 * KI, 0, BinarySi),
    ("7Mi", 7 * KI * KI, 0, BinarySi),
    ("6Gi", 6 * KI * KI * KI, 0, BinarySi),
    ("5Ti", 5 * KI * KI * KI * KI, 0, BinarySi),
    ("100Ti", 100 * KI * KI * KI * KI, 0, BinarySi),
    ("4Pi", 4 * KI * KI * KI * KI * KI, 0, BinarySi),
    ("3Ei", 3 * KI * KI * KI * KI * KI * KI, 0, BinarySi),
    ("5n", 5, -9, DecimalSi),
    ("4u", 4, -6, DecimalSi),
    ("3m", 3, -3, DecimalSi),
    ("9", 9, 0, DecimalSi),
    ("8k", 8, 3, DecimalSi),
    ("50k", 5, 4, DecimalSi),
    ("7M", 7, 6, DecimalSi),
    ("6G", 6, 9, DecimalSi),
    ("5T", 5, 12, DecimalSi),
    ("300T", 3, 14, DecimalSi),
    ("2P", 2, 15, DecimalSi),
    ("1E", 1, 18, DecimalSi),
    ("12E", 12, 18, DecimalSi),
    ("2728711509333m", 2_728_711_509_333, -3, DecimalSi),
];

const EXPONENTS: [Row; 17] = [
    ("1E-3", 1, -3, DecimalExponent),
    ("1e3", 1, 3, DecimalExponent),
    ("1E6", 1, 6, DecimalExponent),
    ("1e9", 1, 9, DecimalExponent),
    ("1E12", 1, 12, DecimalExponent),
    ("1e13", 1, 13, DecimalExponent),
    ("1e14", 1, 14, DecimalExponent),
    ("1E18", 1, 18, DecimalExponent),
    ("1e500", 1, 500, DecimalExponent),
    ("0.5e0", 5, -1, DecimalExponent),
    ("0.5e-1", 5, -2, DecimalExponent),
    ("0.5e-2", 5, -3, DecimalExponent),
    ("1.2e3", 12, 2, DecimalExponent),
    ("1.3E+6", 13, 5, DecimalExponent),
    ("1.40e9", 14, 8, DecimalExponent),
    ("1.53E12", 153, 10, DecimalExponent),
    ("1.7E18", 17, 17, DecimalExponent),
];

const FRACTIONS: [Row; 28] = [
    ("100.035k", 100_035, 0, DecimalSi),
    ("0.001", 1, -3, DecimalSi),
    ("0.0005k", 5, -1, DecimalSi),
    ("0.005", 5, -3, DecimalSi),
    ("0.05", 5, -2, DecimalSi),
    ("0.5", 5, -1, DecimalSi),
    ("0.00050k", 5, -1, DecimalSi),
    ("0.00500", 5, -3, DecimalSi),
    ("0.50000", 5, -1, DecimalSi),
    ("10.035M", 10_035, 3, DecimalSi),
    ("9.01", 901, -2, DecimalSi),
    ("8.1k", 81, 2, DecimalSi),
    ("7.123456M", 7_123_456, 0, DecimalSi),
    ("6.987654321G", 6_987_654_321, 0, DecimalSi),
    ("5.444T", 5444, 9, DecimalSi),
    ("300.2T", 3002, 11, DecimalSi),
    ("2.5P", 25, 14, DecimalSi),
    ("1.01E", 101, 16, DecimalSi),
    ("100.035Ki", 10_243_584, -2, BinarySi),
    ("0.5Mi", KI * KI / 2, 0, BinarySi),
    ("0.05Gi", 536_870_912, -1, BinarySi),
    ("0.025Ti", 274_877_906_944, -1, BinarySi),
    (".001", 1, -3, DecimalSi),
    (".0001k", 100, -3, DecimalSi),
    ("1.", 1, 0, DecimalSi),
    ("1.G", 1, 9, DecimalSi),
    ("1.Gi", KI * KI * KI, 0, BinarySi),
    ("000000000000000000000000000000000000000000001.50", 15, -1, DecimalSi),
];

const ROUNDED: [Row; 20] = [
    ("3.001n", 4, -9, DecimalSi),
    ("0.1n", 1, -9, DecimalSi),
    ("0.9n", 1, -9, DecimalSi),
    ("1.1E-9", 2, -9, DecimalExponent),
    ("0.5e-9", 1, -9, DecimalExponent),
    ("1e-500", 1, -9, DecimalExponent),
    ("0e-500", 0, 0, DecimalExponent),
    ("0.0000000001", 1, -9, DecimalSi),
    ("0.00000000050", 1, -9, DecimalSi),
    ("0.00000012345", 124, -9, DecimalSi),
    ("0.00000012354", 124, -9, DecimalSi),
    ("1.000000000000000000000000000000000000000000000000001", 1_000_000_001, -9, DecimalSi),
    ("0.000000000001Ki", 2, -9, DecimalSi),
    ("0.5Ki", 512, 0, BinarySi),
    ("0.0005Ki", 512, -3, DecimalSi),
    ("0.0000000000000000000000000000000000000000000000000001Ei", 1, -9, DecimalSi),
    ("0.00000000000000000000000000000000000000000Ei", 0, 0, BinarySi),
    ("9Ei", i64::MAX, 0, BinarySi),
    ("9223372036854775807Ki", i64::MAX, 0, BinarySi),
    ("99999999999999999999999999999999999999999999.5Mi", i64::MAX, 0, BinarySi),
];

#[track_caller]
fn assert_reads(text: &str, value: i64, scale: i32, format: QuantityFormat) {
    let read: Quantity = text.parse().unwrap();
    assert_eq!(read, Quantity::from_scaled(value, scale), "{text}");
    assert_eq!(read.format(), format, "{text}");
}

#[test]
fn a_text_is_the_value_it_names_whatever_its_sign() {
    for (text, value, scale, format) in [&PLAIN[..], &EXPONENTS, &FRACTIONS, &ROUNDED].concat() {
        assert_reads(text, value, scale, format);
        assert_reads(&format!("+{text}"), value, scale, format);
        assert_reads(&format!("-{text}"), -value, scale, format);
    }
}

#[test]
fn texts_outside_the_grammar_are_refused() {
    let wrong = [
        "",
        "Non-Numeric",
        "aoeu",
        "1.1.M",
        "1+1.0M",
        "0.1mi",
        "0.1am",
        ".5i",
        "1i",
        "-3.01i",
        "-3.01e-",
        "1e",
        "1Kib",
        "1KI",
        "1ki",
        "1K",
        "1 Gi",
        "1,5",
        "0x10",
        "1_000",
        "+-1",
        "--1",
        "1e99999999999",
        "٣",
        " 1",
        "1 ",
        "\u{a0}1",
        // apimachinery reads these as zero; its documented grammar wants a digit.
        ".",
        "-",
        "+",
        "-.",
        "m",
        "Ki",
        "e3",
    ];
    for text in wrong {
        let error = text.parse::<Quantity>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("\"{text}\" is not a quantity: expected")), "{error}");
    }
}

#[test]
fn more_digits_than_it_can_hold_are_rounded_away_from_zero() {
    let ones = "1".repeat(50);
    let expected = format!("{}2{}", "1".repeat(36), "0".repeat(13)).parse::<Quantity>().unwrap();
    assert_eq!(ones.parse::<Quantity>().unwrap(), expected);
    assert_eq!(format!("-{ones}").parse::<Quantity>().unwrap(), -expected);
    let nines = "9".repeat(38).parse::<Quantity>().unwrap();
    assert_eq!(nines, format!("1{}", "0".repeat(38)).parse().unwrap());
}

#[test]
fn the_limit_of_binary_quantities_is_met_to_the_nano() {
    for (text, expected) in [
        ("9007199254740991.9990234375Ki", "9223372036854775807e0"),
        ("9007199254740991.9990234374Ki", "9223372036854775806.9999999e0"),
        ("7.9999999999999999991326382620115964528390666237100958824157714843Ei", "9223372036854775807e0"),
        ("8Ei", "9223372036854775807e0"),
        ("-8Ei", "-9223372036854775807e0"),
    ] {
        let read: Quantity = text.parse().unwrap();
        assert!(read <= Quantity::from(i64::MAX) && read >= Quantity::from(-i64::MAX), "{text}");
        let distance = (read - expected.parse().unwrap()).as_f64().abs();
        assert!(distance < 1e-6, "{text} is {distance} away");
    }
}
