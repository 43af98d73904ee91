//! Handlers without the types of their arguments.

use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{Error, FromRequest, Handler, HttpResponse, Responder};
use futures_util::future::LocalBoxFuture;

/// Handler with erased argument types, so that one table holds all handlers and every thread of the server shares it.
pub struct BoxedHandler(
    Box<dyn Fn(ServiceRequest) -> LocalBoxFuture<'static, ServiceResponse> + Send + Sync>,
);

impl BoxedHandler {
    /// Boxes a handler as actix would: arguments are extracted in order, and the first error is the response.
    pub fn new<F, Args>(handler: F) -> Self
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self(Box::new(move |request| {
            let handler = handler.clone();
            Box::pin(async move {
                let (request, mut payload) = request.into_parts();
                let response = match Args::from_request(&request, &mut payload).await {
                    Ok(arguments) => handler.call(arguments).await.respond_to(&request).map_into_boxed_body(),
                    Err(error) => HttpResponse::from_error(Into::<Error>::into(error)),
                };
                ServiceResponse::new(request, response)
            })
        }))
    }

    pub(super) async fn answer(&self, request: ServiceRequest) -> ServiceResponse {
        (self.0)(request).await
    }
}
