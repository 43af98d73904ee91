//! `POST /v1/orgs/{organizationId}/ping`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::members::PingResult;
use quire_domain::policy::Action;
use quire_storage::members::Visit;
use serde::Serialize;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{jwt, respond};

/// Lifetime of claims in seconds.
const LIFETIME: i64 = 3_600;

/// Claims about a member for an organization's own services.
#[derive(Serialize)]
struct Claims {
    sub: Option<UserId>,
    email: Option<String>,
    name: Option<String>,
    organization: OrganizationId,
    teams: Vec<TeamId>,
    iat: i64,
    exp: i64,
}

/// Records the caller's activity and returns claims about the caller.
pub async fn update_organization_member_last_seen_at(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    state: State,
) -> ApiResult<HttpResponse> {
    let (visit, now) = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::VisitOrganization)?;
            Ok((tx.visit(&organization)?, tx.now()))
        })
        .await?;
    let Visit { user, teams, key } = visit;
    let iat = now.millis().div_euclid(1_000);
    let claims = Claims {
        sub: user.id(),
        email: user.email().map(str::to_owned),
        name: user.display_name().map(str::to_owned),
        organization: id,
        teams,
        iat,
        exp: iat.saturating_add(LIFETIME),
    };
    respond::changed(&PingResult { service_visitor_claims: jwt::sign_for_visitor(&key, &claims)? })
}
