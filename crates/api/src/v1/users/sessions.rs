//! The caller's sessions in browsers.

use quire_domain::sessions::Session;
use quire_storage::people::tokens::Revocation;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const SESSIONS: Resource = Tag::User.at("/v1/user/sessions", None);
    const SESSION: Resource = Tag::User.at("/v1/user/sessions/{sessionId}", Some(Object::Session));
    vec![
        Route::get(SESSIONS, SignedIn, "List the current user's sessions", list_sessions)
            .query::<PageQuery>()
            .lists::<Session>(),
        Route::delete(SESSION, SignedIn, "End a session", delete_session).answers_nothing(),
    ]
}

const LIST: &str = "own sessions";

async fn list_sessions(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<SessionId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let (slice, token) = state.read(caller, move |reader| Ok(reader.own_sessions(after, limit)?)).await?;
    list.respond(&request, slice, |session| session.id, |session| Ok(present::session(session, token)))
}

async fn delete_session(
    Caller(caller): Caller,
    Path(session): Path<SessionId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let actor = tx.own_actor()?;
            match tx.revoke_own_session(actor, session)? {
                Revocation::Done => Ok(()),
                Revocation::Stronger => Err(ApiError::new(Reason::Forbidden)
                    .with_message("A restricted API token cannot end sessions.")),
            }
        })
        .await?;
    Ok(respond::no_content())
}
