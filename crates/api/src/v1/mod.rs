//! The endpoints: a folder a resource, a file an endpoint, named by its verb.

pub mod imports;
pub mod content;
pub mod organizations;
pub mod spaces;
