//! Signing in and out.

pub mod password;
pub mod sign_out;
