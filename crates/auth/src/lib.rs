#![doc = include_str!("../README.md")]

mod hashing;
mod strength;

pub use hashing::{HashError, hash, verify};
pub use strength::is_guessable;
