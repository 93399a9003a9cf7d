//! The quantity itself.

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
    iter::Sum,
    ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign},
};

use super::{decimal::Decimal, scan::QuantityFormat};

/// An exact amount of something, with the way it is written: `500m`, `1536Mi`, `2e3` (apimachinery `resource.Quantity`).
///
/// Quantities are equal and ordered by their value: `1Gi` equals `1024Mi`, and `1000m` equals `1`. In JSON a quantity is a text;
/// numbers, `null` and an empty text (both of which are zero) are read too.
///
/// ```
/// use porthole_client_core::meta::Quantity;
///
/// let requested: Quantity = "1.5Gi".parse()?;
/// assert_eq!(requested.to_string(), "1536Mi");
/// assert_eq!(requested.value(), 1_610_612_736);
///
/// let half: Quantity = "512Mi".parse()?;
/// assert_eq!((requested + half).to_string(), "2Gi");
/// assert!("128Mi".parse::<Quantity>()? < half);
/// # Ok::<(), porthole_client_core::meta::ParseQuantityError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Quantity {
    amount: Decimal,
    format: QuantityFormat,
}

impl Quantity {
    pub(super) fn of(amount: Decimal, format: QuantityFormat) -> Self {
        Self { amount, format }
    }

    pub(super) fn amount(&self) -> Decimal {
        self.amount
    }

    /// `value` (apimachinery `NewQuantity`).
    #[must_use]
    pub fn new(value: i64, format: QuantityFormat) -> Self {
        Self::of(Decimal::new(value.into(), 0), format)
    }

    /// `value` thousandths (apimachinery `NewMilliQuantity`).
    #[must_use]
    pub fn from_milli(value: i64, format: QuantityFormat) -> Self {
        Self::of(Decimal::new(value.into(), -3), format)
    }

    /// `value × 10^scale`, a decimal quantity (apimachinery `NewScaledQuantity`). A scale below -9 is kept, but its text is read
    /// back rounded up to one nano.
    #[must_use]
    pub fn from_scaled(value: i64, scale: i32) -> Self {
        Self::of(Decimal::new(value.into(), scale.into()), QuantityFormat::DecimalSi)
    }

    /// How it is written.
    #[must_use]
    pub fn format(&self) -> QuantityFormat {
        self.format
    }

    /// The same value, written another way.
    #[must_use]
    pub fn with_format(self, format: QuantityFormat) -> Self {
        Self { format, ..self }
    }

    /// Makes it `value`, written as it was (apimachinery `Set`).
    pub fn set(&mut self, value: i64) {
        self.set_scaled(value, 0);
    }

    /// Makes it `value` thousandths, written as it was (apimachinery `SetMilli`).
    pub fn set_milli(&mut self, value: i64) {
        self.set_scaled(value, -3);
    }

    /// Makes it `value × 10^scale`, written as it was (apimachinery `SetScaled`).
    pub fn set_scaled(&mut self, value: i64, scale: i32) {
        self.amount = Decimal::new(value.into(), scale.into());
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.signum() == 0
    }

    /// -1, 0 or 1 as it is below, at or above zero (apimachinery `Sign`).
    #[must_use]
    pub fn signum(&self) -> i32 {
        match self.amount.mantissa().cmp(&0) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }
    }

    /// Its value where that is whole and fits (apimachinery `AsInt64`, which also says no to some values that are whole).
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.amount.integer().and_then(|whole| whole.try_into().ok())
    }

    /// Its value, rounded away from zero; the nearest `i64` where it does not fit, where apimachinery's `Value` overflows.
    #[must_use]
    pub fn value(&self) -> i64 {
        self.scaled_value(0)
    }

    /// Its value in thousandths, rounded away from zero; the nearest `i64` where it does not fit (apimachinery `MilliValue`).
    #[must_use]
    pub fn milli_value(&self) -> i64 {
        self.scaled_value(-3)
    }

    /// Its value in steps of `10^scale`, rounded away from zero; the nearest `i64` where it does not fit (apimachinery
    /// `ScaledValue`, which rounds some negative values towards zero).
    #[must_use]
    pub fn scaled_value(&self, scale: i32) -> i64 {
        self.amount.scaled(scale.into())
    }

    /// The same in whole steps of `10^scale`, rounded away from zero (apimachinery `RoundUp`). It equals what it was made from
    /// where nothing had to be rounded.
    #[must_use]
    pub fn rounded_up(self, scale: i32) -> Self {
        Self { amount: self.amount.rounded_up(scale.into()), ..self }
    }

    /// The nearest float (apimachinery `AsFloat64Slow`); infinite where there is none.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        self.amount.float()
    }
}

impl From<i64> for Quantity {
    fn from(value: i64) -> Self {
        Self::new(value, QuantityFormat::DecimalSi)
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.amount == other.amount
    }
}

impl Eq for Quantity {}

impl Hash for Quantity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.amount.hash(state);
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.amount.cmp(&other.amount)
    }
}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The sum is written as the left one is, or as the right one where the left one is zero. It is exact up to 37 digits; those
/// beyond are rounded away from zero.
impl Add for Quantity {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let format = if self.is_zero() { other.format } else { self.format };
        Self::of(self.amount.plus(other.amount), format)
    }
}

impl AddAssign for Quantity {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Written and rounded as a sum is.
impl Sub for Quantity {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl SubAssign for Quantity {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Quantity {
    type Output = Self;

    fn neg(self) -> Self {
        Self { amount: self.amount.negated(), ..self }
    }
}

/// Exact up to 37 digits; those beyond are rounded away from zero.
impl Mul<i64> for Quantity {
    type Output = Self;

    fn mul(self, factor: i64) -> Self {
        Self { amount: self.amount.times(factor), ..self }
    }
}

impl Sum for Quantity {
    fn sum<I: Iterator<Item = Self>>(quantities: I) -> Self {
        quantities.fold(Self::default(), Add::add)
    }
}
