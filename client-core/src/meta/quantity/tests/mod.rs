//! Quantities against the tables of apimachinery's `pkg/api/resource` tests, and laws over random ones.

mod arithmetic;
mod laws;
mod number;
mod order;
mod parse;
mod print;
mod wire;
