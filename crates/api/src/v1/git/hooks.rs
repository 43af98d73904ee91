//! Webhooks of Git servers.

use actix_web::web::{BytesMut, Payload};
use quire_domain::git_installations::GitHookQuery;
use quire_server::extract::BodyDeadline;
use quire_server::hook_signatures::HookDelivery;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post(
            Tag::Spaces.at("/v1/git/hooks/{gitInstallationId}", None),
            Public,
            "Report a change of a Git repository",
            receive_git_hook,
        )
        .query::<GitHookQuery>()
        .body_media("application/json")
        .accepts()
        .unaudited("the synchronization has its own log"),
    ]
}

/// Maximum size of a delivery in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Fields of a push event that all hosts send.
#[derive(Deserialize)]
struct Push {
    #[serde(rename = "ref")]
    reference: String,
}

async fn receive_git_hook(
    Path(id): Path<GitInstallationId>,
    Query(query): Query<GitHookQuery>,
    request: HttpRequest,
    payload: Payload,
    state: State,
) -> ApiResult<HttpResponse> {
    let body = read(&state, payload).await?;
    let hook = state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.git_hook(id)?)).await?;
    let delivery = HookDelivery {
        headers: request.headers(),
        token: query.token.as_deref(),
        body: &body,
        now: state.storage.clock().now(),
    };
    // A wrong signature gets the same response as a connection that does not exist.
    let hook = hook.filter(|hook| delivery.is_made_with(&hook.secret)).ok_or_else(ApiError::not_found)?;
    state.count_hook(id)?;
    let push: Option<Push> = serde_json::from_slice(&body).ok();
    let is_of_branch = match (&push, &hook.reference) {
        (Some(push), Some(reference)) => push.reference == *reference,
        // An event of another kind, or a connection to the default branch, whose name is not known here.
        _ => true,
    };
    if is_of_branch {
        let request = move |tx: &mut quire_storage::Tx<'_>| Ok(tx.request_git_sync_by_hook(&hook)?);
        state.transact(Credentials::ANONYMOUS, request).await?;
    }
    Ok(HttpResponse::Accepted().finish())
}

/// Reads a body within the limits on size, time and memory.
async fn read(state: &State, mut payload: Payload) -> ApiResult<BytesMut> {
    let arrival = BodyDeadline::of(&state.settings, u64::try_from(MAX_BYTES).unwrap_or(u64::MAX));
    let mut room = state.bodies.of_unvouched_body();
    let mut body = BytesMut::new();
    while let Some(chunk) = arrival.next(&mut payload).await? {
        let chunk = chunk.map_err(|error| {
            ApiError::new(Reason::InvalidBody).with_message(format!("The body could not be read: {error}."))
        })?;
        if body.len().saturating_add(chunk.len()) > MAX_BYTES {
            return Err(ApiError::new(Reason::PayloadTooLarge)
                .with_message(format!("The body is larger than {MAX_BYTES} bytes.")));
        }
        room.take(chunk.len())?;
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
