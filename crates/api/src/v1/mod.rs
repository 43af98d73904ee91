//! The endpoints: a folder a resource, a file an endpoint, named by its verb.

pub mod change_requests;
pub mod comments;
pub mod content;
pub mod files;
pub mod imports;
pub mod organizations;
pub mod site_structure;
pub mod sites;
pub mod spaces;
