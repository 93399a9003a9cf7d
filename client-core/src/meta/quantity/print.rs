//! The canonical text of a quantity.

use std::fmt;

use super::{
    Quantity,
    scan::{QuantityFormat, SUFFIXES},
};

/// The canonical text, as apimachinery's `Quantity.CanonicalizeBytes` has it: nothing is lost, there is no fraction, the suffix
/// is as large as it can be, and only a minus is written as a sign. A binary quantity that is not whole or is below 1024 is
/// written as a decimal one.
///
/// Where no suffix is large or small enough, an exponent is written: `1000E` prints as `1e21`. (apimachinery leaves the suffix
/// out there, which names another value. It also prints some texts that are not canonical, such as `007`, as they were read.)
impl fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return formatter.write_str("0");
        }
        let amount = self.amount();
        if self.format() == QuantityFormat::BinarySi
            && let Some(whole) = amount.integer().filter(|whole| whole.unsigned_abs() >= 1024)
        {
            return write_binary(whole, formatter);
        }
        // In steps of a thousand.
        let exponent = amount.scale().div_euclid(3) * 3;
        let zeros = match amount.scale() - exponent {
            0 => "",
            1 => "0",
            _ => "00",
        };
        write!(formatter, "{}{zeros}", amount.mantissa())?;
        let decimal = self.format() != QuantityFormat::DecimalExponent;
        match SUFFIXES.iter().find(|(_, format, power)| *format == QuantityFormat::DecimalSi && i64::from(*power) == exponent) {
            Some((suffix, ..)) if decimal || exponent == 0 => formatter.write_str(suffix),
            _ => write!(formatter, "e{exponent}"),
        }
    }
}

fn write_binary(whole: i128, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let suffixes = SUFFIXES.iter().filter(|(_, format, _)| *format == QuantityFormat::BinarySi);
    let (mut number, mut suffix) = (whole, "");
    for (larger, ..) in suffixes {
        if number % 1024 != 0 {
            break;
        }
        (number, suffix) = (number / 1024, larger);
    }
    write!(formatter, "{number}{suffix}")
}
