//! The accept loop and its limits, under clients that behave well, badly, or come in crowds.

mod bad_clients;
mod bodies;
mod descriptors;
mod ending;
mod framing_cases;
