//! Changes to the caller's own user, for the API and for pages.

use actix_web::HttpRequest;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::patch::Patch;
use quire_domain::policy::OwnAction;
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::people::passwords::{OwnAccount, UserChanges};

use crate::error::{ApiError, ApiResult};
use crate::second_factor::is_recent;
use crate::sign_in::count_try;
use crate::state::State;

/// Requested changes. Absent fields are not changed.
#[derive(Clone, Default)]
pub struct OwnUserUpdate {
    /// New name.
    pub display_name: Option<String>,
    /// URL of the new photo.
    pub photo_url: Patch<String>,
    /// New password.
    pub password: Option<String>,
    /// Current password.
    pub current_password: Option<String>,
}

/// Changes the name, the photo and the password of the caller if `check` allows it. A new password ends all other
/// sessions of the user.
///
/// # Errors
/// 400 with the name of the field, for a password that is easy to guess or a wrong current password; 403 for a
/// restricted token, and for a user without a password whose sign-in is not recent; 429 for too many attempts.
pub async fn update(
    state: &State,
    request: &HttpRequest,
    caller: Credentials,
    update: OwnUserUpdate,
    check: impl FnOnce(&mut Tx<'_>) -> ApiResult<()> + Send + 'static,
) -> ApiResult<()> {
    let (account, now) = state.read(caller, |reader| Ok((reader.own_account()?, reader.now()))).await?;
    if !account.limits.allow_own(OwnAction::ChangeUser) {
        return Err(ApiError::new(Reason::Forbidden));
    }
    let OwnUserUpdate { display_name, photo_url, password, current_password } = update;
    let password_hash = match password {
        None => None,
        Some(password) => {
            prove(state, request, &account, current_password, now).await?;
            let words = [Some(account.display_name.as_str()), account.email.as_deref()];
            check_strength("password", &password, &words.into_iter().flatten().collect::<Vec<_>>())?;
            Some(state.hash_password(password).await?)
        }
    };
    let photo_url = match photo_url {
        Patch::Keep => None,
        Patch::Clear => Some(None),
        Patch::Set(url) => Some(Some(url)),
    };
    let changes = UserChanges { display_name, photo_url, password_hash };
    let change = move |tx: &mut Tx<'_>| {
        tx.lock_own_user(account.actor)?;
        check(tx)?;
        Ok(tx.update_own_user(&account, &changes)?)
    };
    state.transact(caller, change).await
}

/// Refuses a password that is easy to guess. `own_words` are names and addresses of the user.
///
/// # Errors
/// 400 with the name of the field.
pub fn check_strength(field: &str, password: &str, own_words: &[&str]) -> ApiResult<()> {
    match quire_auth::is_guessable(password, own_words) {
        true => Err(ApiError::invalid_field(field, "is too easy to guess")),
        false => Ok(()),
    }
}

/// Checks that the user made the request: by the current password, or for a user without one by a recent sign-in.
async fn prove(
    state: &State,
    request: &HttpRequest,
    account: &OwnAccount,
    current_password: Option<String>,
    now: Timestamp,
) -> ApiResult<()> {
    const FIELD: &str = "currentPassword";
    if account.password_hash.is_none() {
        return match account.proven_at.is_some_and(|at| is_recent(at, now)) {
            true => Ok(()),
            false => Err(ApiError::new(Reason::Forbidden)
                .with_message("Sign in again to set a password: the sign-in is older than 10 minutes.")),
        };
    }
    let Some(current) = current_password else {
        return Err(ApiError::invalid_field(FIELD, "is required to change the password"));
    };
    count_try(state, request, &account.actor.user.to_string())?;
    match state.verify_password(current, account.password_hash.clone()).await? {
        true => Ok(()),
        false => Err(ApiError::invalid_field(FIELD, "is not the password of the user")),
    }
}
