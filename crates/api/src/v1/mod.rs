//! The endpoints: a folder a resource, a file an endpoint, named by its verb.

pub mod change_requests;
pub mod comments;
pub mod computed;
pub mod content;
pub mod files;
pub mod imports;
pub mod openapi_specs;
pub mod organizations;
pub mod spaces;
