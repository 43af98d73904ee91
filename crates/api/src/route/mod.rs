//! A route as data: what the server mounts, what the OpenAPI document says, and what the authorization tests walk.

mod object;
mod resource;
mod shape;
mod tag;

use actix_web::http::Method;
use actix_web::{FromRequest, Handler, Responder};
use quire_domain::list::List;
use quire_domain::policy::{Action, OwnAction};
use quire_server::routing::BoxedHandler;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};

pub use object::Object;
pub use resource::Resource;
pub use shape::{Content, MakeShape, Shape};
pub use tag::Tag;

/// Callers that a route admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anyone, without a token.
    Public,
    /// Anyone with a valid token; what is answered depends on whose it is.
    SignedIn,
    /// Users who do this for themselves, with a token whose limits allow it.
    Own(OwnAction),
    /// Users who may do this to what the path names, by their role or a relation.
    Needs(Action),
    /// Users who may do the first to what the path names, and the second to its present or new parent.
    NeedsBoth(Action, Action),
    /// Users who may do the first to what the path names, and the second to what the body names.
    NeedsAlso(Action, Action),
    /// Users who may do this to what the body names.
    NeedsInBody(Action),
    /// Users who may do those of these actions that the keys of the body ask for, to what the path names. Who may do
    /// the
    /// weakest, the first, is let in.
    NeedsByBody(&'static [Action]),
}

impl Access {
    /// True for a route of administrators, and perhaps of owners: a refused call leaves an entry in the audit log.
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

/// The entry of a route in the audit log, once its work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audit {
    /// An entry, in the first transaction that the handler runs.
    Recorded,
    /// Nothing, for this reason.
    Unrecorded(&'static str),
}

/// One route.
pub struct Route {
    /// The HTTP method.
    pub method: Method,
    /// The path, with its parameters in braces.
    pub path: &'static str,
    /// The group that the documentation shows it in.
    pub tag: Tag,
    /// The object that its entries in the audit log name, unless it makes one.
    pub object: Option<Object>,
    /// The operation's id: what clients call it.
    pub operation: &'static str,
    /// Callers that it admits.
    pub access: Access,
    /// One line about it.
    pub summary: &'static str,
    queries: Vec<fn() -> Vec<Parameter>>,
    /// Bodies that it takes. The shape states which of them are required.
    pub bodies: Vec<Content>,
    /// The status of success.
    pub status: u16,
    /// Content of a successful answer.
    pub answer: Option<Content>,
    /// True if it creates a missing resource, and then answers with 201 and the same content.
    pub makes: bool,
    /// What 202 answers, where a caller may prefer not to wait.
    pub later: Option<MakeShape>,
    /// The entry in the audit log.
    pub audit: Audit,
    pub(crate) handler: BoxedHandler,
}

/// A handler that the threads of the server share.
pub trait RouteHandler<Args>: Handler<Args, Output: Responder + 'static> + Copy + Send + Sync {}

impl<F, Args> RouteHandler<Args> for F where F: Handler<Args, Output: Responder + 'static> + Copy + Send + Sync
{}

macro_rules! constructors {
    ($($name:ident = $method:ident;)*) => {
        $(
            #[doc = concat!("A route for ", stringify!($method), " whose success is 200 without a described body.")]
            pub fn $name<Args: FromRequest + 'static>(
                resource: Resource,
                operation: &'static str,
                access: Access,
                summary: &'static str,
                handler: impl RouteHandler<Args>,
            ) -> Self {
                Self::new(Method::$method, resource, operation, access, summary, handler)
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

    /// A route whose success is 200 without a described body.
    fn new<Args: FromRequest + 'static>(
        method: Method,
        resource: Resource,
        operation: &'static str,
        access: Access,
        summary: &'static str,
        handler: impl RouteHandler<Args>,
    ) -> Self {
        let audit = if method == Method::GET { Audit::Unrecorded("it only reads") } else { Audit::Recorded };
        Self {
            method,
            path: resource.path,
            tag: resource.tag,
            object: resource.object,
            operation,
            access,
            summary,
            queries: Vec::new(),
            bodies: Vec::new(),
            status: 200,
            answer: None,
            makes: false,
            later: None,
            audit,
            handler: BoxedHandler::new(handler),
        }
    }

    /// With these query parameters, in addition to earlier ones.
    #[must_use]
    pub fn query<Q: IntoParams>(mut self) -> Self {
        self.queries.push(|| Q::into_params(|| Some(ParameterIn::Query)));
        self
    }

    /// Makes the descriptions of the query parameters.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        self.queries.iter().flat_map(|make| make()).collect()
    }

    /// With a JSON body.
    #[must_use]
    pub fn body<B: ToSchema>(mut self) -> Self {
        self.bodies.push(Content::Json(Shape::of::<B>));
        self
    }

    /// With a form (`multipart/form-data`) whose parts are the keys of this shape.
    #[must_use]
    pub fn form<F: ToSchema>(mut self) -> Self {
        self.bodies.push(Content::Form(Shape::of::<F>));
        self
    }

    /// Answered with this status and JSON of this shape.
    #[must_use]
    pub fn answers<A: ToSchema>(mut self, status: u16) -> Self {
        self.status = status;
        self.answer = Some(Content::Json(Shape::of::<A>));
        self
    }

    /// Answered with 200 and a list of these.
    #[must_use]
    pub fn lists<T: ToSchema>(mut self) -> Self
    where
        List<T>: ToSchema,
    {
        self.answer = Some(Content::Json(Shape::of_list::<T>));
        self
    }

    /// Answered with 200 and all of these, without an envelope.
    #[must_use]
    pub fn answers_array<T: ToSchema>(mut self) -> Self {
        self.answer = Some(Content::Json(Shape::of_array::<T>));
        self
    }

    /// Answered with 201 instead of 200.
    #[must_use]
    pub fn created(mut self) -> Self {
        self.status = 201;
        self
    }

    /// Answered with 201 instead when it made what wasn't there.
    #[must_use]
    pub fn or_created(mut self) -> Self {
        self.makes = true;
        self
    }

    /// Answered with this media type.
    #[must_use]
    pub fn answers_media(mut self, media: &'static str) -> Self {
        self.answer = Some(Content::Media(media));
        self
    }

    /// Answered with 202 and JSON of this shape when the caller prefers not to wait (`Prefer: respond-async`).
    #[must_use]
    pub fn or_later<A: ToSchema>(mut self) -> Self {
        self.later = Some(Shape::of::<A>);
        self
    }

    /// Answered with 204 and nothing.
    #[must_use]
    pub fn answers_nothing(mut self) -> Self {
        self.status = 204;
        self.answer = None;
        self
    }

    /// In the audit log although it only reads: it takes content away in bulk. Its handler runs a transaction.
    #[must_use]
    pub fn audited(mut self) -> Self {
        self.audit = Audit::Recorded;
        self
    }

    /// Not in the audit log, for this reason.
    #[must_use]
    pub fn unaudited(mut self, reason: &'static str) -> Self {
        self.audit = Audit::Unrecorded(reason);
        self
    }
}
