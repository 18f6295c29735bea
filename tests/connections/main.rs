//! The accept loop and its limits, met by clients that behave well, badly, or in many at once.

#[path = "../common/mod.rs"]
mod common;

mod bad_clients;
mod bodies;
mod crowds;
mod descriptors;
mod ending;
mod framing;
mod raw;
mod server;
