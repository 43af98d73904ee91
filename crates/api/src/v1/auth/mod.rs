//! Signing in and out.

pub mod code;
pub mod confirm;
mod first_factor;
pub mod link;
pub mod oidc;
pub mod passkey;
pub mod password;
pub mod reset;
pub mod sign_out;
