//! The number inside a quantity: a decimal of up to 37 digits.
//!
//! An `i128` and a power of ten hold every value that the grammar names: the largest one with a binary suffix has 28 digits down
//! to one nano. apimachinery goes on in numbers without limit; here what is beyond 37 digits is rounded away from zero, as the
//! grammar rounds what is below one nano.

use std::cmp::Ordering;

/// How many digits a mantissa has at most. Two mantissas' sum, and one times ten, fit an `i128`.
pub(super) const DIGITS: u32 = 37;

/// `mantissa × 10^scale`. The mantissa has no factor ten, and zero has scale 0: equal values have equal fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Decimal {
    mantissa: i128,
    scale: i64,
}

impl Decimal {
    /// `mantissa × 10^scale`, rounded away from zero where it has too many digits.
    pub(super) fn new(mantissa: i128, scale: i64) -> Self {
        let excess = digits(mantissa).saturating_sub(DIGITS);
        let (mut mantissa, _) = divide(mantissa, i64::from(excess));
        if mantissa == 0 {
            return Self::default();
        }
        let mut scale = scale + i64::from(excess);
        while mantissa % 10 == 0 {
            mantissa /= 10;
            scale += 1;
        }
        Self { mantissa, scale }
    }

    pub(super) fn mantissa(self) -> i128 {
        self.mantissa
    }

    pub(super) fn scale(self) -> i64 {
        self.scale
    }

    /// How many steps of `10^scale` it is, rounded away from zero, and whether that is exact; `None` where they do not fit.
    fn steps(self, scale: i64) -> Option<(i128, bool)> {
        if self.scale < scale || self.mantissa == 0 {
            return Some(divide(self.mantissa, scale.saturating_sub(self.scale)));
        }
        let factor = 10_i128.checked_pow(u32::try_from(self.scale - scale).ok()?)?;
        Some((self.mantissa.checked_mul(factor)?, true))
    }

    /// How many steps of `10^scale` it is, rounded away from zero; the nearest `i64` where they do not fit one.
    pub(super) fn scaled(self, scale: i64) -> i64 {
        let limit = if self.mantissa < 0 { i64::MIN } else { i64::MAX };
        self.steps(scale).and_then(|(steps, _)| i64::try_from(steps).ok()).unwrap_or(limit)
    }

    /// Itself as a whole number, where it is one and fits.
    pub(super) fn integer(self) -> Option<i128> {
        self.steps(0).filter(|(_, exact)| *exact).map(|(steps, _)| steps)
    }

    /// Itself in whole steps of `10^scale`, rounded away from zero.
    pub(super) fn rounded_up(self, scale: i64) -> Self {
        if self.scale >= scale {
            return self;
        }
        Self::new(divide(self.mantissa, scale - self.scale).0, scale)
    }

    pub(super) fn negated(self) -> Self {
        Self { mantissa: -self.mantissa, ..self }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let (coarse, fine) = if self.scale >= other.scale { (self, other) } else { (other, self) };
        if coarse.mantissa == 0 {
            return fine;
        }
        let gap = coarse.scale - fine.scale;
        let room = DIGITS - digits(coarse.mantissa);
        let widened = u32::try_from(gap).map_or(room, |gap| gap.min(room));
        let left = coarse.mantissa * 10_i128.pow(widened);
        // Not exact only where the two are more than 37 digits apart.
        let dropped = gap - i64::from(widened);
        Self::new(left + divide(fine.mantissa, dropped).0, fine.scale + dropped)
    }

    pub(super) fn times(self, factor: i64) -> Self {
        // In two halves, each of which fits an `i128` when multiplied.
        let half = 10_i128.pow(DIGITS / 2);
        let factor = i128::from(factor);
        let high = Self::new(self.mantissa / half * factor, self.scale + i64::from(DIGITS / 2));
        high.plus(Self::new(self.mantissa % half * factor, self.scale))
    }

    /// The nearest float; infinite where there is none.
    pub(super) fn float(self) -> f64 {
        // The standard library reads decimals exactly.
        format!("{}e{}", self.mantissa, self.scale).parse().unwrap_or(f64::NAN)
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = self.mantissa.signum();
        let order = |decimal: &Self| i64::from(digits(decimal.mantissa)) + decimal.scale;
        let by_order = if sign < 0 { order(other).cmp(&order(self)) } else { order(self).cmp(&order(other)) };
        // Where the first digits stand in the same place, both have at most 37 digits when written to the finer scale.
        let finer = self.scale.min(other.scale);
        sign.cmp(&other.mantissa.signum())
            .then(if sign == 0 { Ordering::Equal } else { by_order })
            .then_with(|| self.steps(finer).cmp(&other.steps(finer)))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// How many digits a number has; none where it is zero.
fn digits(number: i128) -> u32 {
    number.unsigned_abs().checked_ilog10().map_or(0, |power| power + 1)
}

/// `number ÷ 10^places`, rounded away from zero, and whether that is exact.
fn divide(number: i128, places: i64) -> (i128, bool) {
    let Some(divisor) = u32::try_from(places).ok().and_then(|places| 10_i128.checked_pow(places)) else {
        return (number.signum(), number == 0);
    };
    let (quotient, exact) = (number / divisor, number % divisor == 0);
    (if exact { quotient } else { quotient + number.signum() }, exact)
}
