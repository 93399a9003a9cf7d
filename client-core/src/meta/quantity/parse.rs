//! From a quantity's text to its value.

use std::str::FromStr;

use thiserror::Error;

use super::{
    Quantity,
    decimal::{DIGITS, Decimal},
    scan::{QuantityFormat, Scanned, scan},
};

/// The finest step that a text can name.
const NANO: i64 = -9;
/// Where quantities with a binary suffix end.
const BINARY_LIMIT: i128 = i64::MAX as i128;
const NANOS: i128 = 1_000_000_000;

/// A text that is no quantity.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{0}\" is not a quantity: expected a number with one suffix at most, such as \"500m\", \"1.5Gi\" or \"2e3\"")]
pub struct ParseQuantityError(String);

/// Reads the grammar of the module, as apimachinery's `ParseQuantity` does, with these limits:
///
/// - What is finer than one nano is rounded away from zero: `0.1n` is `1n`.
/// - In a binary suffix the magnitude ends at 2^63 - 1.
/// - A value between 0 and 1 in a binary suffix is remembered as a decimal one.
/// - A value has 37 digits at most; those beyond are rounded away from zero. (apimachinery keeps them.)
///
/// # Errors
///
/// Where the text does not follow the grammar: an empty one, one with white space, one without a digit.
impl FromStr for Quantity {
    type Err = ParseQuantityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Scanned { negative, number, format, exponent } = scan(text).ok_or_else(|| ParseQuantityError(text.to_owned()))?;
        let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
        let binary = format == QuantityFormat::BinarySi;
        let amount =
            if binary { binary_amount(integer, fraction, exponent) } else { decimal_amount(integer, fraction, exponent) };
        let below_one = amount > Decimal::default() && amount < Decimal::new(1, 0);
        let format = if binary && below_one { QuantityFormat::DecimalSi } else { format };
        Ok(Self::of(if negative { amount.negated() } else { amount }, format))
    }
}

/// `integer.fraction × 10^exponent`.
fn decimal_amount(integer: &str, fraction: &str, exponent: i32) -> Decimal {
    let digits = integer.bytes().chain(fraction.bytes()).skip_while(|digit| *digit == b'0');
    let count = length(digits.clone().count());
    let last = i64::from(exponent) - length(fraction.len());
    let last_kept = last.max(NANO).max(last + count - i64::from(DIGITS));
    let kept = count - (last_kept - last);
    let (mut mantissa, mut more) = (0_i128, false);
    for (place, digit) in (0_i64..).zip(digits) {
        if place < kept {
            mantissa = mantissa * 10 + i128::from(digit - b'0');
        } else {
            more |= digit != b'0';
        }
    }
    Decimal::new(mantissa + i128::from(more), last_kept)
}

/// `integer.fraction × 2^exponent`, to the next nano, and not above the limit.
fn binary_amount(integer: &str, fraction: &str, exponent: i32) -> Decimal {
    let factor = 1_u64 << exponent;
    // The fraction is multiplied as on paper, from its last digit on, so that it can be of any length.
    let (mut carry, mut nanos, mut more) = (0_u64, 0_i128, false);
    for (place, digit) in fraction.bytes().enumerate().rev() {
        let product = u64::from(digit - b'0') * factor + carry;
        carry = product / 10;
        match u32::try_from(place) {
            Ok(place @ 0..9) => nanos += i128::from(product % 10) * 10_i128.pow(8 - place),
            _ => more |= !product.is_multiple_of(10),
        }
    }
    let integer = integer.trim_start_matches('0');
    // What does not fit is above the limit whatever its suffix.
    let integer = if integer.is_empty() { 0 } else { integer.parse().unwrap_or(u64::MAX) };
    let whole = i128::from(integer) * i128::from(factor) + i128::from(carry);
    if whole >= BINARY_LIMIT {
        return Decimal::new(BINARY_LIMIT, 0);
    }
    Decimal::new(whole * NANOS + nanos + i128::from(more), NANO)
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
