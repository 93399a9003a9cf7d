//! The one scanner of quantities: number and suffix, for [`Quantity`](super::Quantity) and for ordering.

use serde::{Deserialize, Serialize};

/// The three ways of writing a quantity (apimachinery `resource.Format`). A quantity remembers the one it was read in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum QuantityFormat {
    /// Powers of 1024: `12Mi` is 12 × 2^20.
    #[serde(rename = "BinarySI")]
    BinarySi,
    /// Powers of 1000: `12M` is 12 × 10^6.
    #[default]
    #[serde(rename = "DecimalSI")]
    DecimalSi,
    /// An exponent: `12e6`.
    DecimalExponent,
}

/// Each suffix with the exponent of its base: of 2 where the format is binary, of 10 where it is decimal.
pub(super) const SUFFIXES: [(&str, QuantityFormat, i32); 16] = [
    ("", QuantityFormat::DecimalSi, 0),
    ("m", QuantityFormat::DecimalSi, -3),
    ("Ki", QuantityFormat::BinarySi, 10),
    ("Mi", QuantityFormat::BinarySi, 20),
    ("Gi", QuantityFormat::BinarySi, 30),
    ("Ti", QuantityFormat::BinarySi, 40),
    ("Pi", QuantityFormat::BinarySi, 50),
    ("Ei", QuantityFormat::BinarySi, 60),
    ("n", QuantityFormat::DecimalSi, -9),
    ("u", QuantityFormat::DecimalSi, -6),
    ("k", QuantityFormat::DecimalSi, 3),
    ("M", QuantityFormat::DecimalSi, 6),
    ("G", QuantityFormat::DecimalSi, 9),
    ("T", QuantityFormat::DecimalSi, 12),
    ("P", QuantityFormat::DecimalSi, 15),
    ("E", QuantityFormat::DecimalSi, 18),
];

/// A quantity's text in its parts.
pub(super) struct Scanned<'a> {
    pub(super) negative: bool,
    /// Digits, with at most one dot and at least one digit.
    pub(super) number: &'a str,
    pub(super) format: QuantityFormat,
    /// The exponent of 2 where the format is binary, else of 10.
    pub(super) exponent: i32,
}

/// The parts of `text`, or `None` where it does not follow the grammar.
pub(super) fn scan(text: &str) -> Option<Scanned<'_>> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = unsigned.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(unsigned.len());
    let (number, suffix) = unsigned.split_at_checked(end)?;
    let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (integer.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let (format, exponent) = match SUFFIXES.iter().find(|(known, ..)| *known == suffix) {
        Some((_, format, exponent)) => (*format, *exponent),
        None => (QuantityFormat::DecimalExponent, suffix.strip_prefix(['e', 'E'])?.parse().ok()?),
    };
    Some(Scanned { negative: text.starts_with('-'), number, format, exponent })
}

/// The value of a quantity such as `500m`, `1.5Gi` or `2e3`, or `None` where the text is no quantity.
///
/// The result is a float, exact enough to order a column by; the digits themselves stay in the cell. It is neither rounded up nor
/// capped as a [`Quantity`](super::Quantity) is.
#[must_use]
pub fn parse_quantity(text: &str) -> Option<f64> {
    let Scanned { negative, number, format, exponent } = scan(text)?;
    let base: f64 = if format == QuantityFormat::BinarySi { 2.0 } else { 10.0 };
    let number = number.parse::<f64>().ok()?;
    // Up to 10^22 a power of ten is exact as a float, its inverse is not: dividing rounds once.
    let value = if exponent < 0 { number / base.powi(exponent.saturating_neg()) } else { number * base.powi(exponent) };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn quantities_order_by_value_whatever_their_suffix() {
        let ordered = [
            "-1E",
            "-1",
            "0",
            "1n",
            "2u",
            "80m",
            "100m",
            "0.5",
            "1",
            "500k",
            "1e6",
            "128Mi",
            "2728711509333m",
            "10Gi",
            "1T",
            "1Ti",
            "1P",
            "1Pi",
            "1E",
            "1Ei",
        ];
        let values = ordered.map(|text| parse_quantity(text).unwrap());
        assert!(values.is_sorted_by(|left, right| left < right), "{values:?}");
        assert_eq!(parse_quantity("2728711509333m"), Some(2_728_711_509.333));
        assert_eq!(parse_quantity("1E3"), Some(1000.0));
        assert_eq!(parse_quantity("1e3"), Some(1000.0));
        assert_eq!(parse_quantity("1E"), Some(1e18));
        assert_eq!(parse_quantity("+5"), Some(5.0));
        assert_eq!(parse_quantity("-1.5Ki"), Some(-1536.0));
        assert_eq!(parse_quantity("3e-2147483648"), Some(0.0));
    }

    #[test]
    fn other_texts_are_no_quantities() {
        for text in
            ["", ".", "-", "-.", "m", "1x", "1 Gi", "Gi1", "1.2.3", "1..", "1ee3", "1e", "1e3.5", "1m3", "0x1", "inf", "NaN"]
        {
            assert_eq!(parse_quantity(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_text_splits_into_sign_number_and_suffix() {
        for (text, negative, number, format, exponent) in [
            ("0.025Ti", false, "0.025", QuantityFormat::BinarySi, 40),
            ("1.025Ti", false, "1.025", QuantityFormat::BinarySi, 40),
            ("-1.025Ti", true, "1.025", QuantityFormat::BinarySi, 40),
            ("1E-3", false, "1", QuantityFormat::DecimalExponent, -3),
            ("+.5E", false, ".5", QuantityFormat::DecimalSi, 18),
            ("7.", false, "7.", QuantityFormat::DecimalSi, 0),
        ] {
            let scanned = scan(text).unwrap();
            assert_eq!(
                (scanned.negative, scanned.number, scanned.format, scanned.exponent),
                (negative, number, format, exponent),
                "{text}"
            );
        }
        // apimachinery reads these two as zero; its documented grammar wants a digit.
        for text in [".", "-."] {
            assert!(scan(text).is_none(), "{text:?}");
        }
    }
}
