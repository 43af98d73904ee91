#![doc = include_str!("../README.md")]

mod hashing;
pub mod oidc;
pub mod passkey;
pub mod saml;
mod strength;
pub mod totp;

pub use hashing::{HashError, hash, verify};
pub use strength::is_guessable;
