//! A model of all that can happen to an informer: random operations and random faults, in any interleaving, over the whole way
//! from bytes to handlers, on the API server in memory and a clock that only the test moves.
//!
//! It holds that a cache ends equal to a fresh list, that what every handler was told is a legal history, that a gap shows, and
//! that nothing is left behind; and that every transition of the reflector, every operation and every fault really occurred.
//! `make model` runs it for as long as is wanted.

mod act;
mod cluster;
mod expected;
mod form;
mod identity;
mod indexes;
mod operation;
mod perform;
mod readers;
mod recorder;
mod regressions;
mod rest;
mod run;
mod scenario;
mod settle;
mod tally;
mod trouble;
mod wire;
mod world;
