//! The accept loop and its limits, under clients that behave well, badly, or come in crowds.

mod bad_clients;
mod bodies;
mod crowds;
mod descriptors;
mod ending;
mod framing;
mod framing_cases;
mod resets;
