//! Signing in and out.

pub mod oidc;
pub mod passkey;

use actix_web::ResponseError as _;
use quire_domain::second_factors::{CodeProof, SessionConfirmation};
use quire_domain::sign_in::{
    PasswordReset, PasswordSignIn, SignInLinkProof, SignInLinkPurpose, SignInLinkRequest,
};
use quire_domain::users::CurrentUser;
use quire_server::second_factor;
use quire_storage::people::mails::LinkPurpose;
use quire_storage::people::second_factors::FirstFactor;

use crate::prelude::*;
use crate::{own_user, session_cookie, sign_in};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post(
            Tag::User.at("/v1/auth/password", None),
            Public,
            "Sign in with a password",
            sign_in_with_password,
        )
        .body::<PasswordSignIn>()
        .answers::<CurrentUser>(200),
        Route::post(Tag::User.at("/v1/auth/link", None), Public, "Mail a link to sign in", mail_sign_in_link)
            .body::<SignInLinkRequest>()
            .answers_nothing()
            .finds_by_input()
            .unaudited("it only mails a link, and must not show whether there is an account"),
        Route::post(
            Tag::User.at("/v1/auth/link/verify", None),
            Public,
            "Sign in with a link",
            sign_in_with_link,
        )
        .body::<SignInLinkProof>()
        .answers::<CurrentUser>(200),
        Route::post(
            Tag::User.at("/v1/auth/reset", None),
            Public,
            "Set a new password with a link",
            reset_password,
        )
        .body::<PasswordReset>()
        .answers::<CurrentUser>(200),
        Route::post(
            Tag::User.at("/v1/auth/code", None),
            Public,
            "Sign in with a second factor",
            sign_in_with_code,
        )
        .body::<CodeProof>()
        .answers::<CurrentUser>(200),
        Route::post(
            Tag::User.at("/v1/auth/confirm", None),
            SignedIn,
            "Prove again who the user is",
            confirm_session,
        )
        .body::<SessionConfirmation>()
        .answers_nothing(),
        Route::post(Tag::User.at("/v1/auth/sign-out", None), SignedIn, "Sign out", sign_out)
            .answers_nothing(),
    ]
}

/// Responds with the user and the cookie of the session. A user with a second factor gets 401 and a cookie for the next
/// step. The session secret is only in the cookie.
pub(super) async fn respond_to(state: &State, factor: FirstFactor) -> ApiResult<HttpResponse> {
    let session = match factor {
        FirstFactor::SignedIn(session) => session,
        FirstFactor::NeedsProvider(_) => return Err(ApiError::new(Reason::SingleSignOnRequired)),
        FirstFactor::NeedsCode(user) => {
            let mut response = ApiError::new(Reason::SecondFactorRequired).error_response();
            second_factor::remember(state, &mut response, user)?;
            return Ok(response);
        }
    };
    let (user, created_at) = state.read(session.credentials(), |reader| Ok(reader.own_user()?)).await?;
    let mut response = respond::changed(&present::current_user(&state.urls, &user, created_at))?;
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    Ok(response)
}

async fn sign_in_with_password(
    Json(body): Json<PasswordSignIn>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let PasswordSignIn { email, password } = body;
    let (email, password) = (email.into_text()?, password.into_text()?);
    let factor = sign_in::with_password(&state, &request, email, password).await?;
    respond_to(&state, factor).await
}

async fn mail_sign_in_link(
    Json(body): Json<SignInLinkRequest>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let SignInLinkRequest { email, purpose } = body;
    let purpose = match purpose {
        SignInLinkPurpose::SignIn => LinkPurpose::SignIn,
        SignInLinkPurpose::PasswordReset => LinkPurpose::PasswordReset,
    };
    sign_in::mail_link(&state, &request, purpose, email.into_text()?).await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn sign_in_with_link(
    Json(body): Json<SignInLinkProof>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (secret, browser) = (body.secret.into_text()?, sign_in::browser(&request));
    let sign_in = move |tx: &mut Tx<'_>| Ok(tx.sign_in_with_link(&secret, &browser)?);
    let factor = sign_in::transact(&state, sign_in).await?;
    respond_to(&state, factor.ok_or_else(|| ApiError::new(Reason::WrongLink))?).await
}

async fn reset_password(
    Json(body): Json<PasswordReset>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (secret, password) = (body.secret.into_text()?, body.password.into_text()?);
    let asked = secret.clone();
    let link = state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.sign_in_link(&asked)?)).await?;
    // Hashing a password takes long, so it happens only for usable links.
    let link = link.filter(|link| link.is_usable).ok_or_else(|| ApiError::new(Reason::WrongLink))?;
    own_user::check_strength("password", &password, &[link.display_name.as_str()])?;
    let (hash, browser) = (state.hash_password(password).await?, sign_in::browser(&request));
    let set = move |tx: &mut Tx<'_>| Ok(tx.reset_password(&secret, &hash, &browser)?);
    let factor = sign_in::transact(&state, set).await?;
    respond_to(&state, factor.ok_or_else(|| ApiError::new(Reason::WrongLink))?).await
}

async fn sign_in_with_code(
    Json(body): Json<CodeProof>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let code = body.code.into_text()?;
    let session = second_factor::sign_in(&state, &request, &code).await?;
    let (user, created_at) = state.read(session.credentials(), |reader| Ok(reader.own_user()?)).await?;
    let mut response = respond::changed(&present::current_user(&state.urls, &user, created_at))?;
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    second_factor::forget(&state, &mut response);
    Ok(response)
}

async fn confirm_session(
    Caller(caller): Caller,
    Json(body): Json<SessionConfirmation>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let SessionConfirmation { password, code } = body;
    second_factor::confirm(&state, &request, caller, password.into_text()?, code.into_text()?).await?;
    Ok(respond::no_content())
}

async fn sign_out(Caller(caller): Caller, state: State) -> ApiResult<HttpResponse> {
    let ended = state
        .transact(caller, |tx| {
            let actor = tx.own_actor()?;
            Ok(tx.sign_out(actor)?)
        })
        .await?;
    let mut response = respond::no_content();
    if ended {
        session_cookie::add(&mut response, &session_cookie::remove(&state.settings.base_url));
    }
    Ok(response)
}
