//! The endpoints: a folder a resource, a file an endpoint, named by its verb.

pub mod audit;
pub mod change_requests;
pub mod collections;
pub mod comments;
pub mod computed;
pub mod content;
pub mod custom_fields;
pub mod files;
pub mod imports;
pub mod integrations;
pub mod invites;
pub mod links;
pub mod members;
pub mod openapi_specs;
pub mod organizations;
pub mod pdf;
pub mod permissions;
pub mod placement;
pub mod reviews;
pub mod saml;
pub mod spaces;
pub mod teams;
pub mod translations;
pub mod user;
pub mod webhooks;
