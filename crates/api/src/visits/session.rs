//! Session of the browser that visits a provider to connect or to test it.

use std::fmt::Display;

use actix_web::HttpRequest;
use quire_domain::ids::TokenId;
use quire_domain::sign_in::{VisitPurpose, VisitQuery};
use quire_server::{session_cookie, sign_in};
use quire_storage::Reader;

use crate::error::ApiResult;
use crate::state::State;

/// Returns the session of a request that may visit a provider for the purpose of the query. `may_test` refuses callers
/// who must not test the provider.
pub(crate) async fn session_for(
    state: &State,
    request: &HttpRequest,
    provider: impl Display,
    query: &VisitQuery,
    may_test: impl Fn(&mut Reader<'_>) -> ApiResult<()> + Send + 'static,
) -> ApiResult<Option<TokenId>> {
    let Some(caller) = session_cookie::credentials(request) else { return Ok(None) };
    let is_test = query.purpose == VisitPurpose::Test;
    let found = state
        .read(caller, move |reader| {
            if is_test {
                may_test(reader)?;
            }
            Ok(reader.own_actor()?.token)
        })
        .await;
    let session = match found {
        Ok(session) => session,
        Err(error) if error.reason().status() < 500 => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_signed = || {
        let signature = query.signature.as_deref();
        signature
            .is_some_and(|signature| state.signer.verify(&sign_in::connection(session, &provider), signature))
    };
    Ok((is_test || is_signed()).then_some(session))
}
