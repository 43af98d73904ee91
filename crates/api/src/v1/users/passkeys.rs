//! The caller's passkeys.

use quire_domain::passkeys::{Passkey, PasskeyChallenge, PasskeyCreate, PasskeyUpdate};
use quire_server::passkeys;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const PASSKEYS: Resource = Tag::User.at("/v1/user/passkeys", None);
    const PASSKEY: Resource = Tag::User.at("/v1/user/passkeys/{passkeyId}", Some(Object::Passkey));
    vec![
        Route::get(PASSKEYS, SignedIn, "List the current user's passkeys", list_passkeys)
            .query::<PageQuery>()
            .lists::<Passkey>(),
        Route::post(
            Tag::User.at("/v1/user/passkeys/start", None),
            SignedIn,
            "Start to register a passkey",
            start_passkey,
        )
        .answers::<PasskeyChallenge>(200),
        Route::post(PASSKEYS, SignedIn, "Register a passkey", create_passkey)
            .body::<PasskeyCreate>()
            .answers::<Passkey>(201),
        Route::patch(PASSKEY, Own(OwnAction::ChangeUser), "Rename a passkey", update_passkey)
            .body::<PasskeyUpdate>()
            .answers::<Passkey>(200),
        Route::delete(PASSKEY, SignedIn, "Remove a passkey", delete_passkey).answers_nothing(),
    ]
}

const LIST: &str = "own passkeys";

async fn list_passkeys(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<PasskeyId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let slice = state.read(caller, move |reader| Ok(reader.own_passkeys(after, limit)?)).await?;
    list.respond(&request, slice, |passkey| passkey.id, |passkey| Ok(present::passkey(passkey)))
}

async fn start_passkey(Caller(caller): Caller, state: State) -> ApiResult<HttpResponse> {
    let challenge = passkeys::start_registration(&state, caller).await?;
    respond::changed(&present::passkey_challenge(challenge))
}

async fn create_passkey(
    Caller(caller): Caller,
    Json(body): Json<PasskeyCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let PasskeyCreate { challenge, name, credential } = body;
    let passkey = passkeys::register(&state, caller, challenge, name.into_text()?, &credential).await?;
    let location = state.urls.api(format_args!("user/passkeys/{}", passkey.id));
    respond::created(&location, &present::passkey(passkey))
}

async fn update_passkey(
    Caller(caller): Caller,
    Path(id): Path<PasskeyId>,
    Json(PasskeyUpdate { name }): Json<PasskeyUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let check = move |passkey| if_match.check(&present::passkey(passkey));
    let passkey = passkeys::rename(&state, caller, id, name.into_text()?, check).await?;
    respond::changed(&present::passkey(passkey))
}

async fn delete_passkey(
    Caller(caller): Caller,
    Path(id): Path<PasskeyId>,
    state: State,
) -> ApiResult<HttpResponse> {
    passkeys::remove(&state, caller, id).await?;
    Ok(respond::no_content())
}
