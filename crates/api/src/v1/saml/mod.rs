//! SAML providers and their login options.

mod certificate;
pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod logins;
pub mod update;
