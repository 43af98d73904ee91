//! Passkeys: sign-ins with passkeys, and management of the caller's passkeys.

use actix_web::HttpRequest;
use quire_auth::passkey::{Assertion, Ceremony, LIFE, PasskeyError, RelyingParty};
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{PasskeyChallengeId, PasskeyId, UserId};
use quire_domain::policy::OwnAction;
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::people::passkeys::OwnPasskey;
use quire_storage::people::second_factors::FirstFactor;
use quire_storage::people::user_sessions::StartedSession;
use serde_json::{Map, Value};

use crate::error::{ApiError, ApiResult};
use crate::middleware::scope::RequestScope;
use crate::second_factor::require_recent_session;
use crate::sign_in::{browser, count_start, count_try};
use crate::state::{ServerState, State};

/// Challenge with the options for an authenticator.
pub struct Challenge {
    /// Id of the challenge, for the second step.
    pub id: PasskeyChallengeId,
    /// Time until which the second step is accepted.
    pub expires_at: Timestamp,
    /// Options for `navigator.credentials`.
    pub options: Map<String, Value>,
}

impl ServerState {
    /// Returns whether browsers support passkeys for the base URL.
    #[must_use]
    pub fn offers_passkeys(&self) -> bool {
        self.relying_party.is_some()
    }

    fn relying_party(&self) -> ApiResult<RelyingParty> {
        self.relying_party.clone().ok_or_else(|| {
            ApiError::new(Reason::Conflict).with_message(
                "Passkeys require a base URL with HTTPS and a host name, or the host `localhost`.",
            )
        })
    }
}

/// Starts a sign-in with a passkey. The response does not depend on any account.
///
/// # Errors
/// 409 if the deployment has no passkeys, 429 for too many attempts.
pub async fn start_sign_in(state: &State, request: &HttpRequest) -> ApiResult<Challenge> {
    let party = state.relying_party()?;
    count_start(state, request)?;
    let ceremony = party.start_sign_in(&[]).map_err(ApiError::internal)?;
    state.transact(Credentials::ANONYMOUS, move |tx| put(tx, None, ceremony)).await
}

/// Signs in the user of a passkey with the response of an authenticator. Unknown passkeys, unknown challenges and wrong
/// signatures have the same error.
///
/// # Errors
/// 400 for a malformed response of an authenticator; 401 for a refused one, and if an organization of the user enforces
/// single sign-on; 409 if the deployment has no passkeys; 429 for too many attempts.
pub async fn sign_in(
    state: &State,
    request: &HttpRequest,
    challenge: PasskeyChallengeId,
    credential: &Map<String, Value>,
) -> ApiResult<StartedSession> {
    let party = state.relying_party()?;
    let answer = Assertion::read(&bytes(credential)?).map_err(invalid)?;
    count_try(state, request, &format!("passkey {:?}", answer.credential_id()))?;
    let (browser, entry) = (browser(request), RequestScope::current().pending());
    let sign_in = move |tx: &mut Tx<'_>| {
        let ceremony = tx.take_passkey_challenge(challenge, None)?;
        let passkey = tx.passkey_to_sign_in(answer.credential_id())?;
        if let (Some(ceremony), Some(passkey)) = (ceremony, &passkey)
            && answer.names(*passkey.user.as_uuid())
        {
            match party.finish_sign_in(&ceremony, &answer, &passkey.public_key) {
                Ok(key) => {
                    let factor = tx.sign_in_with_passkey(passkey, &key, &browser)?;
                    if let (FirstFactor::NeedsProvider(user), Some(entry)) = (&factor, &entry) {
                        tx.note_refused_sign_in(Some(*user), entry)?;
                    }
                    return Ok(Some(factor));
                }
                Err(PasskeyError::State(error)) => return Err(ApiError::internal(error)),
                Err(_) => {}
            }
        }
        // A refusal does not roll back the transaction, which has consumed the challenge.
        if let Some(entry) = &entry {
            tx.note_refused_sign_in(passkey.map(|passkey| passkey.user), entry)?;
        }
        Ok(None)
    };
    match state.transact(Credentials::ANONYMOUS, sign_in).await? {
        Some(FirstFactor::SignedIn(session)) => Ok(session),
        Some(FirstFactor::NeedsProvider(_)) => Err(ApiError::new(Reason::SingleSignOnRequired)),
        Some(FirstFactor::NeedsCode(_)) | None => Err(ApiError::new(Reason::WrongPasskey)),
    }
}

/// Starts the registration of a passkey of the caller.
///
/// # Errors
/// 403 for an API token, and for a session without a recent proof of identity; 409 if the deployment has no passkeys,
/// or the caller has too many.
pub async fn start_registration(state: &State, caller: Credentials) -> ApiResult<Challenge> {
    let party = state.relying_party();
    let start = move |tx: &mut Tx<'_>| {
        let account = tx.own_account()?;
        require_recent_session(tx, &account)?;
        let party = party?;
        let known = tx.start_passkey(account.actor)?;
        let user = account.actor.user;
        let name = account.email.as_deref().unwrap_or(&account.display_name);
        let ceremony = party.start_registration(*user.as_uuid(), name, &account.display_name, &known);
        put(tx, Some(user), ceremony.map_err(ApiError::internal)?)
    };
    state.transact(caller, start).await
}

/// Registers a passkey of the caller.
///
/// # Errors
/// 400 with the name `challenge` or `credential`; 403 and 409 as for [`start_registration`], and 409 for a passkey that
/// is already registered.
pub async fn register(
    state: &State,
    caller: Credentials,
    challenge: PasskeyChallengeId,
    name: String,
    credential: &Map<String, Value>,
) -> ApiResult<OwnPasskey> {
    let party = state.relying_party();
    let answer = bytes(credential)?;
    let register = move |tx: &mut Tx<'_>| {
        let account = tx.own_account()?;
        require_recent_session(tx, &account)?;
        let party = party?;
        let ceremony = tx.take_passkey_challenge(challenge, Some(account.actor.user))?;
        let ceremony = ceremony.ok_or_else(|| {
            ApiError::invalid_field("challenge", "is unknown, was already used, or has expired")
        })?;
        let key = party.finish_registration(&ceremony, &answer).map_err(invalid)?;
        Ok(tx.create_passkey(account.actor, &name, (&key.id, &key.key))?)
    };
    state.transact(caller, register).await
}

/// Renames a passkey of the caller, if `check` accepts its current state.
///
/// # Errors
/// 403 for a restricted token, 404 for a passkey that the caller does not have.
pub async fn rename(
    state: &State,
    caller: Credentials,
    id: PasskeyId,
    name: String,
    check: impl FnOnce(OwnPasskey) -> ApiResult<()> + Send + 'static,
) -> ApiResult<OwnPasskey> {
    let rename = move |tx: &mut Tx<'_>| {
        let account = tx.own_account()?;
        if !account.limits.allow_own(OwnAction::ChangeUser) {
            return Err(ApiError::new(Reason::Forbidden));
        }
        check(tx.own_passkey(account.actor, id)?)?;
        Ok(tx.rename_passkey(account.actor, id, &name)?)
    };
    state.transact(caller, rename).await
}

/// Removes a passkey of the caller.
///
/// # Errors
/// 403 as for [`start_registration`], 404 for a passkey that the caller does not have.
pub async fn remove(state: &State, caller: Credentials, id: PasskeyId) -> ApiResult<()> {
    let remove = move |tx: &mut Tx<'_>| {
        let account = tx.own_account()?;
        let _ = tx.own_passkey(account.actor, id)?;
        require_recent_session(tx, &account)?;
        Ok(tx.remove_passkey(account.actor, id)?)
    };
    state.transact(caller, remove).await
}

/// Stores the challenge of a ceremony.
fn put(tx: &mut Tx<'_>, user: Option<UserId>, ceremony: Ceremony) -> ApiResult<Challenge> {
    let Ceremony { options, state } = ceremony;
    let (id, expires_at) = tx.put_passkey_challenge(user, &state, LIFE)?;
    let Value::Object(options) = options else {
        return Err(ApiError::internal(anyhow::anyhow!("the options of a ceremony are no object")));
    };
    Ok(Challenge { id, expires_at, options })
}

fn bytes(credential: &Map<String, Value>) -> ApiResult<Vec<u8>> {
    serde_json::to_vec(credential).map_err(ApiError::internal)
}

fn invalid(error: PasskeyError) -> ApiError {
    match error {
        PasskeyError::TooLong => ApiError::invalid_field("credential", "is too long"),
        PasskeyError::Malformed(_) => {
            ApiError::invalid_field("credential", "is not a response of an authenticator")
        }
        PasskeyError::Refused(_) => ApiError::invalid_field("credential", "does not match the challenge"),
        PasskeyError::State(error) => ApiError::internal(error),
    }
}
