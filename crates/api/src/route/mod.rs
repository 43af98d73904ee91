//! Routes as data, for the server, the OpenAPI document and the authorization tests.

mod operation;
mod resource;
mod shape;

use std::any::type_name_of_val;

use actix_web::http::Method;
use actix_web::{Handler, Responder};
use quire_domain::list::List;
use quire_domain::policy::{Action, OwnAction};
use quire_server::routing::{Arguments, BoxedHandler};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};

use operation::operation_id;
pub use resource::{Object, Resource, Tag};
pub use shape::{Content, MakeShape, Shape};

/// Callers that a route admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anyone, without a token.
    Public,
    /// Anyone with a valid token. The response depends on the user.
    SignedIn,
    /// Users for themselves, with a token whose limits allow the action.
    Own(OwnAction),
    /// Users who may do this action to the resource in the path, by role or relation.
    Needs(Action),
    /// Users who may do the first action to the resource in the path, and the second to its current or new parent.
    NeedsBoth(Action, Action),
    /// Users who may do the first action to the resource in the path, and the second to the resource that the body
    /// names.
    NeedsAlso(Action, Action),
    /// Users who may do this action to the resource that the body names.
    NeedsInBody(Action),
    /// Users who may do the actions that the keys of the body require. The first, weakest action is required in any
    /// case.
    NeedsByBody(&'static [Action]),
}

impl Access {
    /// Returns whether the route is for administrators, and possibly owners: the audit log records refused requests.
    #[must_use]
    pub fn is_administrative(self) -> bool {
        match self {
            Self::Public | Self::SignedIn | Self::Own(_) => false,
            Self::Needs(action) | Self::NeedsInBody(action) => action.is_administrative(),
            Self::NeedsBoth(first, second) | Self::NeedsAlso(first, second) => {
                first.is_administrative() || second.is_administrative()
            }
            Self::NeedsByBody(actions) => actions.iter().all(|action| action.is_administrative()),
        }
    }
}

/// Audit log entry of a completed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audit {
    /// Entry, in the first transaction of the handler.
    Recorded,
    /// No entry, for this reason.
    Unrecorded(&'static str),
}

/// Route of the API.
pub struct Route {
    /// HTTP method.
    pub method: Method,
    /// Path, with its parameters in braces.
    pub path: &'static str,
    /// Group in the documentation.
    pub tag: Tag,
    /// Object that audit log entries name. `None` if the path names none, for example because the route creates it.
    pub object: Option<Object>,
    /// Operation id, from which clients derive method names.
    pub operation: &'static str,
    /// Callers that the route admits.
    pub access: Access,
    /// `true` if the route also admits holders of a site token, for the content that their site shows.
    pub for_visitors: bool,
    /// Summary of at most eight words.
    pub summary: &'static str,
    queries: Vec<fn() -> Vec<Parameter>>,
    /// Accepted bodies. The shape states which of them are required.
    pub bodies: Vec<Content>,
    /// Status of a successful response.
    pub status: u16,
    /// Content of a successful response.
    pub answer: Option<Content>,
    /// `true` if the route creates a missing resource. It then responds with 201 and the same content.
    pub may_create: bool,
    /// `true` if the body or the query names a resource that may be absent. For public routes whose path names none.
    pub finds_by_input: bool,
    /// `true` if the state of the resource can refuse a read with 409. The documentation of writes always has 409.
    pub reads_may_conflict: bool,
    /// `true` if the route sends a request to another server, whose refusal is a 400.
    pub calls_other_server: bool,
    /// Content of a 202 response, if the route supports `Prefer: respond-async`.
    pub async_response: Option<MakeShape>,
    /// Audit log entry.
    pub audit: Audit,
    pub(crate) handler: BoxedHandler,
}

/// Handler that the threads of the server share.
pub trait RouteHandler<Args>: Handler<Args, Output: Responder + 'static> + Copy + Send + Sync {}

impl<F, Args> RouteHandler<Args> for F where F: Handler<Args, Output: Responder + 'static> + Copy + Send + Sync
{}

macro_rules! constructors {
    ($($name:ident = $method:ident;)*) => {
        $(
            #[doc = concat!("A route for ", stringify!($method), " whose success is 200 without a described body.")]
            /// Returns a route. Its operation id is the name of the handler in camel case.
            pub fn $name<Args: Arguments + 'static>(
                resource: Resource,
                access: Access,
                summary: &'static str,
                handler: impl RouteHandler<Args>,
            ) -> Self {
                let operation = operation_id(type_name_of_val(&handler));
                Self::new(Method::$method, resource, operation, access, summary, BoxedHandler::new(handler))
            }
        )*
    };
}

impl Route {
    constructors! {
        get = GET;
        post = POST;
        put = PUT;
        patch = PATCH;
        delete = DELETE;
    }

    /// Returns a route that responds with 200, without a described body.
    fn new(
        method: Method,
        resource: Resource,
        operation: &'static str,
        access: Access,
        summary: &'static str,
        handler: BoxedHandler,
    ) -> Self {
        let audit = if method == Method::GET { Audit::Unrecorded("it only reads") } else { Audit::Recorded };
        Self {
            method,
            path: resource.path,
            tag: resource.tag,
            object: resource.object,
            operation,
            access,
            for_visitors: false,
            summary,
            queries: Vec::new(),
            bodies: Vec::new(),
            status: 200,
            answer: None,
            may_create: false,
            finds_by_input: false,
            reads_may_conflict: false,
            calls_other_server: false,
            async_response: None,
            audit,
            handler,
        }
    }

    /// Sets the operation id, for a handler that serves several routes.
    #[must_use]
    pub fn operation(mut self, id: &'static str) -> Self {
        self.operation = id;
        self
    }

    /// Adds query parameters.
    #[must_use]
    pub fn query<Q: IntoParams>(mut self) -> Self {
        self.queries.push(|| Q::into_params(|| Some(ParameterIn::Query)));
        self
    }

    /// Returns the descriptions of the query parameters.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        self.queries.iter().flat_map(|make| make()).collect()
    }

    /// Sets a JSON body.
    #[must_use]
    pub fn body<B: ToSchema>(mut self) -> Self {
        self.bodies.push(Content::Json(Shape::of::<B>));
        self
    }

    /// Adds a form (`multipart/form-data`) whose parts are the keys of this shape.
    #[must_use]
    pub fn form<F: ToSchema>(mut self) -> Self {
        self.bodies.push(Content::Form(Shape::of::<F>));
        self
    }

    /// Adds a body of this media type, which the handler reads as bytes.
    #[must_use]
    pub fn body_media(mut self, media: &'static str) -> Self {
        self.bodies.push(Content::Media(media));
        self
    }

    /// Sets the status and JSON shape of the response.
    #[must_use]
    pub fn answers<A: ToSchema>(mut self, status: u16) -> Self {
        self.status = status;
        self.answer = Some(Content::Json(Shape::of::<A>));
        self
    }

    /// Sets a response with 200 and a list of these items.
    #[must_use]
    pub fn lists<T: ToSchema>(mut self) -> Self
    where
        List<T>: ToSchema,
    {
        self.answer = Some(Content::Json(Shape::of_list::<T>));
        self
    }

    /// Sets a response with 200 and an array of these items without an envelope.
    #[must_use]
    pub fn answers_array<T: ToSchema>(mut self) -> Self {
        self.answer = Some(Content::Json(Shape::of_array::<T>));
        self
    }

    /// Sets the status 201 instead of 200.
    #[must_use]
    pub fn created(mut self) -> Self {
        self.status = 201;
        self
    }

    /// Adds a response with 201 for a resource that the route creates.
    #[must_use]
    pub fn may_create(mut self) -> Self {
        self.may_create = true;
        self
    }

    /// Adds 404 for a resource that the body or the query names.
    #[must_use]
    pub fn finds_by_input(mut self) -> Self {
        self.finds_by_input = true;
        self
    }

    /// Adds 409 to a route that only reads.
    #[must_use]
    pub fn reads_may_conflict(mut self) -> Self {
        self.reads_may_conflict = true;
        self
    }

    /// Adds 400 for a server that does not answer, or refuses.
    #[must_use]
    pub fn calls_other_server(mut self) -> Self {
        self.calls_other_server = true;
        self
    }

    /// Admits visitors of published sites.
    #[must_use]
    pub fn for_visitors(mut self) -> Self {
        self.for_visitors = true;
        self
    }

    /// Sets the media type of the response.
    #[must_use]
    pub fn answers_media(mut self, media: &'static str) -> Self {
        self.answer = Some(Content::Media(media));
        self
    }

    /// Adds a response with 202 and JSON of this shape for callers that send `Prefer: respond-async`.
    #[must_use]
    pub fn async_response<A: ToSchema>(mut self) -> Self {
        self.async_response = Some(Shape::of::<A>);
        self
    }

    /// Sets a response with 204 and no content.
    #[must_use]
    pub fn answers_nothing(mut self) -> Self {
        self.status = 204;
        self.answer = None;
        self
    }

    /// Sets a response with 202 and no content, for work that continues after the response.
    #[must_use]
    pub fn accepts(mut self) -> Self {
        self.status = 202;
        self.answer = None;
        self
    }

    /// Sets a response with 205 and no content, as clients of some operations expect it.
    #[must_use]
    pub fn resets(mut self) -> Self {
        self.status = 205;
        self.answer = None;
        self
    }

    /// Sets a response with 303 and no content, which sends a browser to another page.
    #[must_use]
    pub fn redirects(mut self) -> Self {
        self.status = 303;
        self.answer = None;
        self
    }

    /// Records the route in the audit log although it only reads, because it exports content in bulk. Its handler must
    /// run a transaction.
    #[must_use]
    pub fn audited(mut self) -> Self {
        self.audit = Audit::Recorded;
        self
    }

    /// Excludes the route from the audit log, for this reason.
    #[must_use]
    pub fn unaudited(mut self, reason: &'static str) -> Self {
        self.audit = Audit::Unrecorded(reason);
        self
    }
}
