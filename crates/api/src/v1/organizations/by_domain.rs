//! `GET /v1/email-domains/{emailDomain}/orgs`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::organizations::OrganizationsByDomain;
use quire_domain::texts::EmailDomain;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// The organizations of people with e-mail addresses in a domain: those that the caller, too, has one in, or belongs
/// to.
pub async fn get_organizations_for_email_domain(
    Caller(caller): Caller,
    Path(domain): Path<String>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let domain = EmailDomain::new(domain.to_lowercase()).and_then(EmailDomain::into_text);
    let records = state
        .read(caller, move |reader| {
            reader.actor()?;
            // What is no domain has no organizations, and isn't shown to the database.
            let domain = domain.as_ref().map_err(|_| ApiError::not_found())?;
            Ok(reader.organizations_of_domain(domain)?)
        })
        .await?;
    let organizations = records
        .into_iter()
        .map(|record| present::organization(&state.urls, record))
        .collect::<ApiResult<_>>()?;
    respond::ok(&request, &OrganizationsByDomain { organizations })
}
