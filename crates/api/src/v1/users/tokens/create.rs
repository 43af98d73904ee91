//! `POST /v1/user/tokens`

use actix_web::HttpResponse;
use quire_domain::error::{FieldError, Reason};
use quire_domain::policy::{Limits, OwnAction};
use quire_domain::tokens::ApiTokenCreate;
use quire_server::second_factor::require_recent_proof;
use quire_storage::tokens::Unissued;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json};
use crate::state::State;
use crate::{present, respond};

/// Creates a token of the caller, with at most the permissions of the token used. Only this response contains the
/// secret.
pub async fn create_api_token(
    Caller(caller): Caller,
    Json(body): Json<ApiTokenCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let ApiTokenCreate { label, read_only, organizations, expires_at } = body;
    let label = label.into_text()?;
    let limits = Limits { read_only, organizations, expires_at };
    let (token, issued) = state
        .transact(caller, move |tx| {
            let actor = tx.actor()?;
            if !actor.token_allows_own(OwnAction::IssueToken) {
                return Err(ApiError::new(Reason::Forbidden));
            }
            require_recent_proof(tx)?;
            if limits.expires_at.is_some_and(|expires_at| expires_at <= tx.now()) {
                return Err(ApiError::invalid_field("expiresAt", "must be in the future"));
            }
            tx.issue_own_token(actor, &label, &limits)?.map_err(refusal)
        })
        .await?;
    let location = state.urls.api(format_args!("user/tokens/{}", token.id));
    respond::created(&location, &present::api_token(token, Some(issued.token)))
}

fn refusal(why: Unissued) -> ApiError {
    match why {
        Unissued::Stronger => ApiError::new(Reason::Forbidden)
            .with_message("A token can only create tokens with at most its own permissions."),
        Unissued::UnknownOrganizations(indexes) => {
            let details = indexes.into_iter().map(|index| FieldError {
                field: format!("organizations[{index}]"),
                message: "is not an organization of the user".to_owned(),
            });
            ApiError::new(Reason::InvalidBody).with_details(details.collect())
        }
    }
}
