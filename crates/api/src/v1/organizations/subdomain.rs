//! `GET /v1/subdomains/{subdomain}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::object::SubdomainTag;
use quire_domain::organizations::{Subdomain, SubdomainTarget};
use quire_domain::texts::SubdomainLabel;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Returns the owner of a subdomain.
pub async fn get_subdomain(
    Caller(caller): Caller,
    Path(subdomain): Path<String>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let name = SubdomainLabel::new(subdomain.clone()).and_then(SubdomainLabel::into_text);
    let record = state
        .read(caller, move |reader| {
            reader.actor()?;
            let name = name.as_ref().map_err(|_| ApiError::not_found())?;
            Ok(reader.subdomain(name)?)
        })
        .await?;
    respond::ok(
        &request,
        &Subdomain {
            object: SubdomainTag::Tag,
            subdomain,
            target: SubdomainTarget::Organization { organization: record.organization },
            is_active: !record.is_blocked,
        },
    )
}
