//! Bad days of the whole shop: the catalogue fails, renders hang, crowds arrive, memory and disk run
//! out, and shoppers notice as little as can be.

#[path = "../common/mod.rs"]
mod common;

mod catalogue;
mod crowds;
mod days;
mod rendering;
mod state;
