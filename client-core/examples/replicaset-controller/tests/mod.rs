//! The controller on a server in memory.

mod claiming;
mod cluster;
mod managing;
mod simulation;
mod status;
mod watching;
