//! Signing in with a passkey.

pub mod sign_in;
pub mod start;
