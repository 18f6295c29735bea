//! Encrypted connections, with HTTP/2 and HTTP/1.1: what they answer, under clients that behave well and
//! under the attacks that are known.

mod attacks;
mod ending;
mod frames;
mod handshakes;
mod program;
mod requests;
