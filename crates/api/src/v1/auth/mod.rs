//! Signing in and out.

pub mod code;
pub mod confirm;
pub mod oidc;
pub mod password;
pub mod sign_out;
