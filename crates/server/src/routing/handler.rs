//! Handlers with erased argument types.

use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::{Error, FromRequest, Handler, HttpRequest, HttpResponse, Responder};
use futures_util::future::LocalBoxFuture;

/// Handler with erased argument types, so that one table can hold all handlers. All server threads share the table.
pub struct BoxedHandler(
    Box<dyn Fn(ServiceRequest) -> LocalBoxFuture<'static, ServiceResponse> + Send + Sync>,
);

impl BoxedHandler {
    /// Boxes a handler. Arguments are extracted in order, and the first error is the response.
    pub fn new<F, Args>(handler: F) -> Self
    where
        F: Handler<Args> + Send + Sync,
        Args: Arguments + 'static,
        F::Output: Responder + 'static,
    {
        Self(Box::new(move |request| {
            let handler = handler.clone();
            Box::pin(async move {
                let (request, mut payload) = request.into_parts();
                let response = match Args::extract(&request, &mut payload).await {
                    Ok(arguments) => handler.call(arguments).await.respond_to(&request).map_into_boxed_body(),
                    Err(error) => HttpResponse::from_error(error),
                };
                ServiceResponse::new(request, response)
            })
        }))
    }

    pub(super) fn answer(&self, request: ServiceRequest) -> LocalBoxFuture<'static, ServiceResponse> {
        (self.0)(request)
    }
}

/// Arguments of a handler, a tuple of extractors. Unlike in actix, they are extracted sequentially, which takes a third
/// of the code: there are about as many tuples as handlers.
pub trait Arguments: Sized {
    /// Extracts the arguments in order. The first error is returned.
    fn extract(request: &HttpRequest, payload: &mut Payload) -> impl Future<Output = Result<Self, Error>>;
}

macro_rules! impl_arguments {
    ($($argument:ident)*) => {
        impl<$($argument: FromRequest),*> Arguments for ($($argument,)*) {
            #[allow(unused_variables, reason = "a handler without arguments uses neither")]
            async fn extract(request: &HttpRequest, payload: &mut Payload) -> Result<Self, Error> {
                Ok(($($argument::from_request(request, payload).await.map_err(Into::<Error>::into)?,)*))
            }
        }
    };
}

impl_arguments!();
impl_arguments!(A);
impl_arguments!(A B);
impl_arguments!(A B C);
impl_arguments!(A B C D);
impl_arguments!(A B C D E);
impl_arguments!(A B C D E F);
impl_arguments!(A B C D E F G);
impl_arguments!(A B C D E F G H);
