//! `POST …/permissions`

use actix_web::HttpResponse;
use quire_domain::error::{FieldError, Reason};
use quire_domain::permissions::PermissionGrant;

use super::target::{GrantTarget, Intent};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::respond;
use crate::state::State;

/// Grants a role to users and teams atomically, replacing earlier grants. `null` revokes the grants.
pub async fn grant_role<P: GrantTarget>(
    Caller(caller): Caller,
    Path(container): Path<P>,
    Json(body): Json<PermissionGrant>,
    state: State,
) -> ApiResult<HttpResponse> {
    let PermissionGrant { users, teams, role } = body;
    let names_no_grantee = users.is_none() && teams.is_none();
    let (users, teams) = (users.unwrap_or_default(), teams.unwrap_or_default());
    state
        .transact(caller, move |tx| {
            let opened = container.open(tx, Intent::Change)?;
            if names_no_grantee {
                return Err(ApiError::invalid_field("users", "is required if `teams` is absent"));
            }
            let unknown = tx.grant(opened.shared(), &users, &teams, role)?;
            let users = unknown.users.iter().map(|index| FieldError {
                field: format!("users[{index}]"),
                message: "is not a member of the organization".to_owned(),
            });
            let teams = unknown.teams.iter().map(|index| FieldError {
                field: format!("teams[{index}]"),
                message: "is not a team of the organization".to_owned(),
            });
            let details: Vec<_> = users.chain(teams).collect();
            if details.is_empty() {
                return Ok(());
            }
            Err(ApiError::new(Reason::InvalidBody).with_details(details))
        })
        .await?;
    Ok(respond::no_content())
}
