//! The endpoints: a folder a resource, a file an endpoint, named by its verb.

pub mod audit;
pub mod change_requests;
pub mod comments;
pub mod content;
pub mod files;
pub mod imports;
pub mod invites;
pub mod members;
pub mod organizations;
pub mod permissions;
pub mod spaces;
pub mod teams;
pub mod user;
