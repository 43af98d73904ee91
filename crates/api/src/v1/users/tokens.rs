//! The caller's API tokens.

use quire_domain::policy::Limits;
use quire_domain::tokens::{ApiToken, ApiTokenCreate};
use quire_server::second_factor::require_recent_proof;
use quire_storage::people::tokens::{Revocation, Unissued};

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const TOKENS: Resource = Tag::User.at("/v1/user/tokens", None);
    const TOKEN: Resource = Tag::User.at("/v1/user/tokens/{tokenId}", Some(Object::ApiToken));
    vec![
        Route::get(TOKENS, SignedIn, "List the current user's API tokens", list_api_tokens)
            .query::<PageQuery>()
            .lists::<ApiToken>(),
        Route::post(TOKENS, Own(OwnAction::IssueToken), "Create an API token", create_api_token)
            .body::<ApiTokenCreate>()
            .answers::<ApiToken>(201),
        Route::delete(TOKEN, SignedIn, "Revoke an API token", delete_api_token).answers_nothing(),
    ]
}

const LIST: &str = "own tokens";

async fn list_api_tokens(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<TokenId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let slice = state.read(caller, move |reader| Ok(reader.own_tokens(after, limit)?)).await?;
    list.respond(&request, slice, |token| token.id, |token| Ok(present::api_token(token, None)))
}

async fn create_api_token(
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
            .with_message("A token cannot create tokens with more permissions than its own."),
        Unissued::UnknownOrganizations(indexes) => {
            let details = indexes.into_iter().map(|index| FieldError {
                field: format!("organizations[{index}]"),
                message: "is not an organization of the user".to_owned(),
            });
            ApiError::new(Reason::InvalidBody).with_details(details.collect())
        }
    }
}

async fn delete_api_token(
    Caller(caller): Caller,
    Path(token): Path<TokenId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let actor = tx.own_actor()?;
            match tx.revoke_own_token(actor, token)? {
                Revocation::Done => Ok(()),
                Revocation::Stronger => Err(ApiError::new(Reason::Forbidden)
                    .with_message("A token cannot revoke other tokens with more permissions than its own.")),
            }
        })
        .await?;
    Ok(respond::no_content())
}
