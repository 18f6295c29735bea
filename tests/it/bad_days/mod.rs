//! Bad days of the whole shop: the catalogue fails, crowds arrive, the disk is full or damaged, and
//! shoppers see as little of it as possible. Renders that fail are in `engine/rendering.rs`.

mod catalogue;
mod crowds;
mod kills;
mod state;
mod state_directory;
