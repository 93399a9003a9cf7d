//! Quantities: amounts of processor, memory and the like, after apimachinery's `pkg/api/resource`.
//!
//! The grammar is the one that apimachinery documents for `Quantity`:
//!
//! ```text
//! quantity     = [sign] number suffix
//! number       = digits | digits "." digits | digits "." | "." digits
//! sign         = "+" | "-"
//! suffix       = binary | decimal | exponent
//! binary       = "Ki" | "Mi" | "Gi" | "Ti" | "Pi" | "Ei"
//! decimal      = "n" | "u" | "m" | "" | "k" | "M" | "G" | "T" | "P" | "E"
//! exponent     = ("e" | "E") [sign] digits
//! ```
//!
//! Guarantees:
//!
//! - [`Quantity`] is exact: no float stands between its text and its value. It has up to 37 digits, from one nano up; what is
//!   finer is rounded away from zero, and a value in a binary suffix ends at 2^63 - 1, as in apimachinery.
//! - A canonical text is printed as it was parsed; any other text is printed as the canonical one of the same value.
//! - [`parse_quantity`] reads the same grammar to a float, for ordering a column; [`Quantity`] and it share one scanner.
//!
//! apimachinery's scanner also takes texts without a digit (`.`, `-`, `m`) and calls them zero. They are refused here: its
//! documented grammar has no such number.

mod decimal;
mod parse;
mod print;
mod scan;
mod value;
mod wire;

#[cfg(test)]
mod tests;

pub use parse::ParseQuantityError;
pub use scan::{QuantityFormat, parse_quantity};
pub use value::Quantity;
