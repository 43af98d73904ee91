//! SCIM 2.0 (RFC 7643, RFC 7644): users and groups as identity providers send and read them, and the token of an
//! organization for it.

mod access;
mod filter;
mod group;
mod patch;
mod problem;
mod schemas;
mod search;
mod user;
mod value;

pub use access::{Scim, ScimToken, ScimTokenCreate, ScimUrls};
pub use filter::Filter;
pub use group::{GroupInput, ScimGroup};
pub use patch::apply;
pub use problem::{ScimProblem, ScimType};
pub use schemas::{
    GROUP_SCHEMA, Kind, LIST_SCHEMA, USER_SCHEMA, resource_types, schemas, service_provider_configuration,
};
pub use search::SearchRequest;
pub use user::{ScimAttributes, ScimEmail, ScimName, ScimUser, UserInput};
pub use value::{Meta, Reference};
