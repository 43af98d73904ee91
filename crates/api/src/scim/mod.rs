//! SCIM 2.0 at `/scim/v2/{organizationId}`: identity providers create, change and deactivate the users and teams of an
//! organization.
//!
//! Requests and responses have the forms of RFC 7643 and RFC 7644, which the service describes itself, so they are not
//! in the OpenAPI document. Decision 46 has the reasons.

mod discovery;
mod error;
mod groups;
mod query;
mod request;
mod respond;
mod search;
mod users;

use actix_web::http::Method;
use quire_server::ServerState;
use quire_server::audit_rule::Recording;
use quire_server::routing::{Arguments, BoxedHandler, Ending, Endpoint};
use quire_storage::door::TypedDoor;

use crate::prelude::*;
use crate::route::RouteHandler;

pub(crate) use error::{ScimError, ScimResult};

/// Access to storage with SCIM errors.
struct Door<'a>(&'a ServerState);

fn door(state: &ServerState) -> Door<'_> {
    Door(state)
}

impl TypedDoor<ScimError> for Door<'_> {
    type Door = ServerState;

    fn door(&self) -> &ServerState {
        self.0
    }
}

/// Returns the base URL of the service of an organization.
pub(crate) fn service(urls: &Urls, organization: OrganizationId) -> String {
    urls.app(format_args!("scim/v2/{organization}"))
}

/// Returns the routes. Unknown paths get SCIM errors, too.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    const USERS: &str = "/scim/v2/{organizationId}/Users";
    const USER: &str = "/scim/v2/{organizationId}/Users/{userId}";
    const GROUPS: &str = "/scim/v2/{organizationId}/Groups";
    const GROUP: &str = "/scim/v2/{organizationId}/Groups/{teamId}";
    vec![
        reads("/scim/v2/{organizationId}/ServiceProviderConfig", discovery::get_configuration),
        reads("/scim/v2/{organizationId}/ResourceTypes", discovery::list_resource_types),
        reads("/scim/v2/{organizationId}/ResourceTypes/{name}", discovery::get_resource_type),
        reads("/scim/v2/{organizationId}/Schemas", discovery::list_schemas),
        reads("/scim/v2/{organizationId}/Schemas/{name}", discovery::get_schema),
        searches("/scim/v2/{organizationId}/.search", search::search),
        searches("/scim/v2/{organizationId}/Users/.search", users::search),
        searches("/scim/v2/{organizationId}/Groups/.search", groups::search),
        reads(USERS, users::list),
        writes(USERS, Method::POST, "createScimUser", users::create),
        reads(USER, users::get),
        writes(USER, Method::PUT, "replaceScimUser", users::replace),
        writes(USER, Method::PATCH, "updateScimUser", users::update),
        writes(USER, Method::DELETE, "deleteScimUser", users::delete),
        reads(GROUPS, groups::list),
        writes(GROUPS, Method::POST, "createScimGroup", groups::create),
        reads(GROUP, groups::get),
        writes(GROUP, Method::PUT, "replaceScimGroup", groups::replace),
        writes(GROUP, Method::PATCH, "updateScimGroup", groups::update),
        writes(GROUP, Method::DELETE, "deleteScimGroup", groups::delete),
        Endpoint {
            path: "/scim/v2/{organizationId}/{rest}",
            ending: Ending::Rest,
            method: None,
            recording: None,
            handler: BoxedHandler::new(discovery::unknown_path),
        },
    ]
}

fn reads<Args: Arguments + 'static>(path: &'static str, handler: impl RouteHandler<Args>) -> Endpoint {
    let handler = BoxedHandler::new(handler);
    Endpoint { path, ending: Ending::Exact, method: Some(Method::GET), recording: None, handler }
}

/// Returns the endpoint of a search request, which is a POST without changes.
fn searches<Args: Arguments + 'static>(path: &'static str, handler: impl RouteHandler<Args>) -> Endpoint {
    Endpoint { method: Some(Method::POST), ..reads(path, handler) }
}

fn writes<Args: Arguments + 'static>(
    path: &'static str,
    method: Method,
    operation: &'static str,
    handler: impl RouteHandler<Args>,
) -> Endpoint {
    Endpoint {
        path,
        ending: Ending::Exact,
        method: Some(method),
        recording: Some(Recording { operation, object: None, when_done: true, when_refused: false }),
        handler: BoxedHandler::new(handler),
    }
}
