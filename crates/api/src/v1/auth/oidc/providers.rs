//! `GET /v1/auth/providers`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounded::IntoText as _;
use quire_domain::sign_in::{SignInProviders, SignInProvidersQuery};
use quire_storage::lookup::Credentials;

use crate::error::ApiResult;
use crate::extract::Query;
use crate::state::State;
use crate::{present, respond};

/// Lists the providers that a sign-in page offers to people with addresses of a domain. No account is looked up.
pub async fn list_sign_in_providers(
    Query(query): Query<SignInProvidersQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let domain = query.email_domain.into_text()?;
    let listed = state
        .read(Credentials::ANONYMOUS, move |reader| Ok(reader.sign_in_providers(domain.as_deref())?))
        .await?;
    let items = listed.into_iter().map(|provider| present::sign_in_provider(&state.urls, provider)).collect();
    respond::ok(&request, &SignInProviders { items })
}
