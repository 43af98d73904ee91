//! Second factors: the second step of a sign-in, and the proof of identity that some actions require.

use std::time::{Duration, SystemTime};

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_auth::totp;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::UserId;
use quire_storage::lookup::Credentials;
use quire_storage::people::passwords::OwnAccount;
use quire_storage::people::second_factors::AcceptedCode;
use quire_storage::people::user_sessions::StartedSession;
use quire_storage::{Reader, Tx};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, ApiResult};
use crate::session_cookie;
use crate::sign_in::{browser, count_try, note_refused};
use crate::state::{ServerState, State};

/// Time limit for the second step of a sign-in, and validity of a proof of identity.
const RECENT: Duration = Duration::from_secs(10 * 60);
/// Prefix of the signed text, so that signatures for other purposes are not accepted.
const SIGNED: &str = "first factor of ";
/// Digits of an app's code.
const DIGITS: usize = 6;

/// First factor that a browser has proven, as stored in its cookie.
#[derive(Serialize, Deserialize)]
struct FirstStep {
    user: UserId,
    at: Timestamp,
}

/// Adds the cookie of a browser that has proven the first factor of a user.
///
/// # Errors
/// A user id that cannot be serialized.
pub fn remember(state: &State, response: &mut HttpResponse, user: UserId) -> ApiResult<()> {
    let step = FirstStep { user, at: state.storage.clock().now() };
    let encoded = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&step).map_err(ApiError::internal)?);
    let signature = state.signer.sign(&format!("{SIGNED}{encoded}"));
    session_cookie::add(response, &set_cookie(state, &format!("{encoded}.{signature}"), RECENT.as_secs()));
    Ok(())
}

/// Removes the cookie of the first step.
pub fn forget(state: &State, response: &mut HttpResponse) {
    session_cookie::add(response, &set_cookie(state, "", 0));
}

/// Returns the user whose first factor the browser of a request has proven.
#[must_use]
pub fn first_step(state: &State, request: &HttpRequest) -> Option<UserId> {
    let name = name(state);
    let values = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
    let pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(found, _)| *found == name).find_map(|(_, value)| read(state, value))
}

fn read(state: &State, value: &str) -> Option<UserId> {
    let (encoded, signature) = value.split_once('.')?;
    if !state.signer.verify(&format!("{SIGNED}{encoded}"), signature) {
        return None;
    }
    let step: FirstStep = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(encoded).ok()?).ok()?;
    is_recent(step.at, state.storage.clock().now()).then_some(step.user)
}

/// Completes a sign-in with a code, for the user whose first factor the browser has proven.
///
/// # Errors
/// 401 without the first step and for a wrong code, 429 for too many attempts.
pub async fn sign_in(state: &State, request: &HttpRequest, code: &str) -> ApiResult<StartedSession> {
    let user = first_step(state, request).ok_or_else(|| {
        ApiError::new(Reason::Unauthenticated)
            .with_message("Complete the first step of the sign-in before you send a code.")
    })?;
    let browser = browser(request);
    let session = match accepted(state, request, user, code).await? {
        Some(code) => {
            let sign_in = move |tx: &mut Tx<'_>| Ok(tx.sign_in_with_code(user, &code, &browser)?);
            state.transact(Credentials::ANONYMOUS, sign_in).await?
        }
        None => None,
    };
    match session {
        Some(session) => Ok(session),
        None => {
            note_refused(state, Some(user)).await?;
            Err(ApiError::new(Reason::WrongCode))
        }
    }
}

/// Counts an attempt, and returns the code if it may be correct. Recovery codes are looked up when they are used.
async fn accepted(
    state: &State,
    request: &HttpRequest,
    user: UserId,
    code: &str,
) -> ApiResult<Option<AcceptedCode>> {
    count_try(state, request, &user.to_string())?;
    let digits: String = code.chars().filter(|character| !character.is_whitespace()).collect();
    if digits.len() != DIGITS {
        return Ok(Some(AcceptedCode::Recovery(code.to_owned())));
    }
    let find = move |reader: &mut Reader<'_>| Ok(reader.totp_secret(user)?);
    let Some(secret) = state.read(Credentials::ANONYMOUS, find).await? else { return Ok(None) };
    step_of(state, &secret, &digits).map(|step| step.map(AcceptedCode::Step))
}

/// Returns the time step of an app's code.
fn step_of(state: &State, secret: &[u8], code: &str) -> ApiResult<Option<i64>> {
    let millis = u64::try_from(state.storage.clock().now().millis()).unwrap_or(0);
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
    let step = totp::step_of(secret, code, now).map_err(ApiError::internal)?;
    Ok(step.and_then(|step| i64::try_from(step).ok()))
}

/// Verifies the identity of a session's user again, with the password or a code.
///
/// # Errors
/// 400 with the name of the missing or wrong field, 403 for an API token, 429 for too many attempts.
pub async fn confirm(
    state: &State,
    request: &HttpRequest,
    caller: Credentials,
    password: Option<String>,
    code: Option<String>,
) -> ApiResult<()> {
    let account = state.read(caller, |reader| Ok(reader.own_account()?)).await?;
    if account.proven_at.is_none() {
        return Err(of_token());
    }
    let actor = account.actor;
    if let Some(code) = code {
        let accepted = accepted(state, request, actor.user, code.trim()).await?;
        let accepted = accepted.ok_or_else(|| ApiError::invalid_field("code", "is wrong"))?;
        state
            .transact(caller, move |tx| {
                let is_right = tx.use_code(actor.user, &accepted)?;
                if is_right {
                    tx.confirm_session(actor)?;
                    tx.note_factor(actor)?;
                }
                Ok(is_right)
            })
            .await?
            .then_some(())
            .ok_or_else(|| ApiError::invalid_field("code", "is wrong, or was already used"))
    } else if let Some(password) = password {
        count_try(state, request, &actor.user.to_string())?;
        if !state.verify_password(password, account.password_hash).await? {
            return Err(ApiError::invalid_field("password", "is not the password of the user"));
        }
        state.transact(caller, move |tx| Ok(tx.confirm_session(actor)?)).await
    } else {
        Err(ApiError::invalid_field("password", "is required if there is no code"))
    }
}

/// Refuses a session whose user has not proven their identity within the last ten minutes. API tokens pass, because a
/// program has no further proof.
///
/// # Errors
/// 403.
fn require_recent(account: &OwnAccount, now: Timestamp) -> ApiResult<()> {
    match account.proven_at {
        Some(at) if !is_recent(at, now) => Err(ApiError::new(Reason::ConfirmationRequired)),
        _ => Ok(()),
    }
}

/// Refuses a transaction of a session whose user has not proven their identity within the last ten minutes, or that
/// lacks a second factor which its user has. Takes one statement.
///
/// # Errors
/// 403.
pub fn require_recent_proof(tx: &mut Tx<'_>) -> ApiResult<()> {
    let account = tx.own_account()?;
    require_proven_factor(tx, &account)?;
    require_recent(&account, tx.now())
}

/// Refuses a session without a second factor if its user has one: a password alone must not replace it.
fn require_proven_factor(reader: &mut Reader<'_>, account: &OwnAccount) -> ApiResult<()> {
    match account.actor.lacks_factor && reader.has_any_factor(account.actor.user)? {
        true => Err(ApiError::new(Reason::SecondFactorMissing)),
        false => Ok(()),
    }
}

/// Like [`require_recent`], and also refuses API tokens.
///
/// # Errors
/// 403.
pub(crate) fn require_recent_session(reader: &mut Reader<'_>, account: &OwnAccount) -> ApiResult<()> {
    if account.proven_at.is_none() {
        return Err(of_token());
    }
    require_proven_factor(reader, account)?;
    require_recent(account, reader.now())
}

/// Returns whether a proof of identity is recent enough.
#[must_use]
pub fn is_recent(at: Timestamp, now: Timestamp) -> bool {
    let longest = i64::try_from(RECENT.as_millis()).unwrap_or(i64::MAX);
    now.millis().saturating_sub(at.millis()) <= longest
}

fn of_token() -> ApiError {
    ApiError::new(Reason::Forbidden)
        .with_message("This requires a browser session. An API token is not accepted.")
}

fn set_cookie(state: &ServerState, value: &str, seconds: u64) -> String {
    let secure = if is_https(state) { "; Secure" } else { "" };
    format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}", name(state))
}

fn name(state: &ServerState) -> &'static str {
    if is_https(state) { "__Host-quire-step" } else { "quire-step" }
}

fn is_https(state: &ServerState) -> bool {
    state.settings.base_url.starts_with("https://")
}

/// New secret for an authenticator app, in the forms that apps accept.
pub struct StartedTotp {
    /// Base32 text to type in.
    pub text: String,
    /// URL for a QR code.
    pub url: String,
}

/// Creates a secret for the caller's app. It takes effect once a code confirms it.
///
/// # Errors
/// 403 for an API token, and for a session without a recent proof of identity; 409 if the user already has a second
/// factor.
pub async fn start(state: &State, caller: Credentials) -> ApiResult<StartedTotp> {
    let start = |tx: &mut Tx<'_>| {
        let account = tx.own_account()?;
        require_recent_session(tx, &account)?;
        let secret = tx.start_totp(account.actor)?;
        Ok((secret, account.email.unwrap_or(account.display_name)))
    };
    let (secret, account) = state.transact(caller, start).await?;
    let url = totp::url(&secret, &account).map_err(ApiError::internal)?;
    Ok(StartedTotp { text: totp::text(&secret).map_err(ApiError::internal)?, url })
}

/// Enables the caller's app with its first code. Returns the recovery codes.
///
/// # Errors
/// 400 for a wrong code; 403 as for [`start`]; 409 without a secret; 429 for too many attempts.
pub async fn enable(
    state: &State,
    request: &HttpRequest,
    caller: Credentials,
    code: &str,
) -> ApiResult<Vec<String>> {
    let find = |reader: &mut Reader<'_>| {
        let account = reader.own_account()?;
        require_recent_session(reader, &account)?;
        Ok((account.actor, reader.totp_secret(account.actor.user)?))
    };
    let (actor, secret) = state.read(caller, find).await?;
    count_try(state, request, &actor.user.to_string())?;
    let secret = secret.ok_or_else(|| {
        ApiError::new(Reason::Conflict).with_message("There is no secret to confirm. Create one first.")
    })?;
    let wrong = || ApiError::invalid_field("code", "is wrong");
    let digits: String = code.chars().filter(|character| !character.is_whitespace()).collect();
    let step = step_of(state, &secret, &digits)?.ok_or_else(wrong)?;
    let enable = move |tx: &mut Tx<'_>| Ok(tx.confirm_totp(actor, step)?);
    state.transact(caller, enable).await?.ok_or_else(wrong)
}

/// Removes the caller's second factor.
///
/// # Errors
/// 403 as for [`start`], 404 without a second factor.
pub async fn remove(state: &State, caller: Credentials) -> ApiResult<()> {
    let remove = |tx: &mut Tx<'_>| {
        let account = tx.own_account()?;
        require_recent_session(tx, &account)?;
        Ok(tx.remove_totp(account.actor)?)
    };
    state.transact(caller, remove).await
}
