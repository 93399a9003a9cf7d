//! The native host on real sockets, files and processes of this machine.

mod certificates;
mod connections;
mod exec;
mod faults;
mod files;
mod policy;
mod proxies;
mod reconnecting;
mod redirects;
mod sockets;
mod support;
mod tokens;
