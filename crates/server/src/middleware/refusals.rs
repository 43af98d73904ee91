//! Audit log entries of refused administrative requests.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;

use super::scope::RequestScope;
use crate::state::State;

/// Writes an audit log entry for an administrative request that was answered with 403. It uses its own transaction,
/// because that of the request was rolled back. [`quire_storage::Tx::audit_refusal`] bounds the entries per actor.
///
/// # Errors
/// Errors of the inner services.
pub async fn note_refusal<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let response = next.call(request).await?;
    if response.status() != StatusCode::FORBIDDEN {
        return Ok(response);
    }
    let refusal = RequestScope::current().refusal();
    if let (Some((change, actor, tenant)), Some(state)) = (refusal, response.request().app_data::<State>()) {
        let state = state.clone();
        let written = state.transact_apart(move |tx| tx.audit_refusal(&change, actor, tenant));
        // A failure does not change the response, because the refused request had no effect.
        if let Err(error) = written.await {
            log::warn!("a refused attempt could not be recorded in the audit log: {error:?}");
        }
    }
    Ok(response)
}
