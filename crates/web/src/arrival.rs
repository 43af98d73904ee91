//! Requests to the host name of a site.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::guard::GuardContext;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

use crate::state::WebData;

/// Host name of a site, stored in the extensions of a request to it.
#[derive(Clone, Debug)]
pub(crate) struct SiteHost(pub(crate) String);

/// Stores the host name of a site in a request to it. Only the header `Host` counts, which a reverse proxy must pass
/// on.
///
/// # Errors
/// The errors of the inner services.
pub async fn find_host<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if let Some(web) = request.app_data::<WebData>().cloned()
        && let Some(host) = web.hosts.foreign(&request)
        && web.hosts.has(&web.state, &host).await
    {
        request.extensions_mut().insert(SiteHost(host));
    }
    next.call(request).await
}

/// Returns whether a request is to the host name of a site.
pub(crate) fn is_at_site(context: &GuardContext<'_>) -> bool {
    context.req_data().contains::<SiteHost>()
}
