//! The endpoints: a folder a resource, a file an endpoint, named by its verb.

pub mod audit;
pub mod change_requests;
pub mod comments;
pub mod content;
pub mod custom_fields;
pub mod files;
pub mod imports;
pub mod integrations;
pub mod organizations;
pub mod saml;
pub mod spaces;
pub mod translations;
pub mod webhooks;
