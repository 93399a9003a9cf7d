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
    let (mantissa, shift) = mantissa(number);
    let value = if format == QuantityFormat::BinarySi {
        scale(mantissa as f64, shift) * 2_f64.powi(exponent)
    } else {
        scale(mantissa as f64, exponent.saturating_add(shift))
    };
    Some(if negative { -value } else { value })
}

/// Digits as a whole number, and the power of ten that it has to be multiplied by. The standard library reads to the last bit, for
/// which it has tables of 10 kB; the first eighteen digits are enough here.
fn mantissa(number: &str) -> (u64, i32) {
    let (mut whole, mut shift, mut after_dot) = (0_u64, 0_i32, false);
    for byte in number.bytes() {
        if byte == b'.' {
            after_dot = true;
            continue;
        }
        let fits = whole < 100_000_000_000_000_000;
        if fits {
            whole = whole * 10 + u64::from(byte - b'0');
        }
        shift += i32::from(!fits) - i32::from(after_dot);
    }
    (whole, shift)
}

/// `number` times this power of ten. Up to 10^22 a power of ten is exact as a float, its inverse is not: dividing rounds once.
fn scale(number: f64, power: i32) -> f64 {
    const LARGEST: i32 = 22;
    let (mut value, mut left) = (number, power.clamp(-400, 400));
    while left != 0 {
        let step = left.clamp(-LARGEST, LARGEST);
        if step < 0 {
            value /= 10_f64.powi(-step);
        } else {
            value *= 10_f64.powi(step);
        }
        left -= step;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::Chance;
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
    fn numbers_of_up_to_fifteen_digits_are_read_as_the_standard_library_reads_them() {
        let mut chance = Chance(5);
        for _ in 0..20_000 {
            let digits: String = (0..=chance.index(15)).map(|_| chance.of(&["0", "1", "3", "5", "7", "9"])).collect();
            let (whole, fraction) = digits.split_at(chance.index(digits.len() + 1));
            let number = if fraction.is_empty() || whole.is_empty() { digits.clone() } else { format!("{whole}.{fraction}") };
            assert_eq!(parse_quantity(&number), Some(number.parse().unwrap()), "{number}");
            let power = i32::try_from(chance.below(29)).unwrap() - 14;
            let power = power + i32::try_from(fraction.len()).unwrap_or(0).min(7);
            let text = format!("{number}e{power}");
            assert_eq!(parse_quantity(&text), Some(text.parse().unwrap()), "{text}");
        }
        for digits in [16, 19, 40, 300] {
            let text = format!("{}.5", "7".repeat(digits));
            let (ours, standard) = (parse_quantity(&text).unwrap(), text.parse::<f64>().unwrap());
            assert!((ours - standard).abs() / standard < 1e-14, "{text}");
        }
        assert_eq!(parse_quantity("1e400"), Some(f64::INFINITY));
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
