//! Signing in and out.

pub mod oidc;
pub mod password;
pub mod sign_out;
