//! The caller's identities at providers.

pub mod delete;
pub mod delete_saml;
pub mod list;
