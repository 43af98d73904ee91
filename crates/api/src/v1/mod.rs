//! The endpoints: a folder a resource, a file an endpoint, named by its verb.

pub mod audit;
pub mod change_requests;
pub mod collections;
pub mod comments;
pub mod computed;
pub mod content;
pub mod files;
pub mod imports;
pub mod links;
pub mod openapi_specs;
pub mod organizations;
pub mod pdf;
pub mod placement;
pub mod reviews;
pub mod site_structure;
pub mod sites;
pub mod spaces;
pub mod webhooks;
