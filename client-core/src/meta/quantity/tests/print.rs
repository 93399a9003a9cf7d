//! The canonical text.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::super::{
    Quantity,
    QuantityFormat::{self, BinarySi, DecimalExponent, DecimalSi},
};

fn quantity(value: i64, scale: i32, format: QuantityFormat) -> Quantity {
    Quantity::from_scaled(value, scale).with_format(format)
}

const MI: i64 = 1024 * 1024;

#[test]
fn a_quantity_is_written_with_the_largest_suffix_that_leaves_no_fraction() {
    for (value, scale, format, canonical, alternate) in [
        (1024 * MI, 0, BinarySi, "1Gi", "1024Mi"),
        (300 * MI, 0, BinarySi, "300Mi", "307200Ki"),
        (6 * 1024, 0, BinarySi, "6Ki", "6144e0"),
        (1001 * 1024 * MI, 0, BinarySi, "1001Gi", "1025024Mi"),
        (MI * MI, 0, BinarySi, "1Ti", "1024Gi"),
        (5, 0, BinarySi, "5", "5000m"),
        (500, -3, BinarySi, "500m", "0.5"),
        (1025, 0, BinarySi, "1025", "1025000m"),
        (1_234_567, -3, BinarySi, "1234567m", "1234.567"),
        (1, 9, DecimalSi, "1G", "1000M"),
        (1000, 6, DecimalSi, "1G", "0.001T"),
        (1_000_000_000, 0, DecimalSi, "1G", "1000000k"),
        (1, -3, DecimalSi, "1m", "1000u"),
        (80, -3, DecimalSi, "80m", ".08"),
        (1080, -3, DecimalSi, "1080m", "1.08"),
        (108, -2, DecimalSi, "1080m", "1080000000n"),
        (10800, -4, DecimalSi, "1080m", "1080000u"),
        (300, 6, DecimalSi, "300M", "0.3G"),
        (1, 12, DecimalSi, "1T", "1000G"),
        (1_234_567, 6, DecimalSi, "1234567M", "1.234567T"),
        (3, 3, DecimalSi, "3k", "3000"),
        (0, 0, DecimalSi, "0", "-0n"),
        (0, 0, BinarySi, "0", "0Ki"),
        (0, 0, DecimalExponent, "0", "00"),
        (1, 9, DecimalExponent, "1e9", ".001e12"),
        (1, -3, DecimalExponent, "1e-3", "0.001e0"),
        (1, -9, DecimalExponent, "1e-9", "1000e-12"),
        (80, -3, DecimalExponent, "80e-3", "0.08e0"),
        (300, 6, DecimalExponent, "300e6", "3e8"),
        (3, 4, DecimalExponent, "30e3", "3e4"),
        (1, -9, DecimalSi, "1n", "0.001u"),
        (108, -8, DecimalSi, "1080n", "1.08u"),
        (10800, -10, DecimalSi, "1080n", "0.00108m"),
        (1080, -6, DecimalSi, "1080u", "1.08m"),
    ] {
        let made = quantity(value, scale, format);
        assert_eq!(made.to_string(), canonical);
        assert_eq!(canonical.parse::<Quantity>().unwrap(), made);
        let alternate = alternate.parse::<Quantity>().unwrap().with_format(format);
        assert_eq!(alternate.to_string(), canonical);
        let negative = if value == 0 { "0".to_owned() } else { format!("-{canonical}") };
        assert_eq!((-made).to_string(), negative);
    }
}

#[test]
fn a_text_is_written_again_in_its_canonical_form() {
    for (text, canonical) in [
        ("1Ki", "1Ki"),
        ("1Mi", "1Mi"),
        ("1Gi", "1Gi"),
        ("1024Mi", "1Gi"),
        ("1000M", "1G"),
        (".001Ki", "1024m"),
        (".000001Ki", "1024u"),
        (".000000001Ki", "1024n"),
        (".000000000001Ki", "2n"),
        ("1.5", "1500m"),
        ("1.5Gi", "1536Mi"),
        ("0.5Ki", "512"),
        ("1000Ki", "1000Ki"),
        ("9Ei", "9223372036854775807"),
        ("12E6", "12e6"),
    ] {
        assert_eq!(text.parse::<Quantity>().unwrap().to_string(), canonical, "{text}");
        assert_eq!(format!("-{text}").parse::<Quantity>().unwrap().to_string(), format!("-{canonical}"), "-{text}");
    }
}

#[test]
fn zero_is_written_without_a_suffix() {
    for text in ["0", "0n", "0Ki", "0e7", "-0", "00.000E"] {
        assert_eq!(text.parse::<Quantity>().unwrap().to_string(), "0", "{text}");
    }
    let mut nothing: Quantity = "1000m".parse().unwrap();
    nothing -= Quantity::from(1);
    assert_eq!(nothing.to_string(), "0");
}

#[test]
fn a_binary_quantity_that_would_lose_digits_is_written_as_a_decimal_one() {
    for (value, scale, text) in [
        (1024, -3, "1024m"),
        (MI, -3, "1048576m"),
        (1023, 0, "1023"),
        (1000, 0, "1k"),
        (1024, 0, "1Ki"),
        (-1024, 0, "-1Ki"),
        (10245, -1, "1024500m"),
    ] {
        assert_eq!(quantity(value, scale, BinarySi).to_string(), text);
    }
}

#[test]
fn where_no_suffix_is_large_or_small_enough_there_is_an_exponent() {
    for (value, scale, format, text) in [
        (1000, 18, DecimalSi, "1e21"),
        (1, 500, DecimalSi, "100e498"),
        (1, -12, DecimalSi, "1e-12"),
        (5, -10, DecimalSi, "500e-12"),
        (1, 500, BinarySi, "100e498"),
        (1 << 60, 2, BinarySi, "100Ei"),
    ] {
        assert_eq!(quantity(value, scale, format).to_string(), text);
    }
    let mut large: Quantity = "7Ei".parse().unwrap();
    large = large * 1024;
    assert_eq!(large.to_string(), "7168Ei", "there is no suffix above Ei");
}
