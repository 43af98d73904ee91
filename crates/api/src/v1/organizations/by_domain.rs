//! `GET /v1/email-domains/{emailDomain}/orgs`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::organizations::OrganizationsByDomain;
use quire_domain::texts::EmailDomain;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns the organizations with an e-mail domain, if the caller has an address in it or is a member.
pub async fn get_organizations_for_email_domain(
    Caller(caller): Caller,
    Path(domain): Path<String>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let domain = EmailDomain::new(domain).and_then(EmailDomain::into_text);
    let records = state
        .read(caller, move |reader| {
            reader.actor()?;
            // A malformed domain has no organizations and is not passed to the database.
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
