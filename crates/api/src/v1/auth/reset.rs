//! `POST /v1/auth/reset`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::error::Reason;
use quire_domain::sign_in::PasswordReset;
use quire_storage::Tx;
use quire_storage::lookup::Credentials;

use super::first_factor;
use crate::error::{ApiError, ApiResult};
use crate::extract::Json;
use crate::state::State;
use crate::{own_user, sign_in};

/// Uses a link up, gives its user a new password, and signs the user in.
pub async fn reset_password(
    Json(body): Json<PasswordReset>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (secret, password) = (body.secret.into_text()?, body.password.into_text()?);
    let asked = secret.clone();
    let link = state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.sign_in_link(&asked)?)).await?;
    // A password is hashed for links that can be used only: it takes long.
    let link = link.filter(|link| link.is_usable).ok_or_else(|| ApiError::new(Reason::WrongLink))?;
    own_user::check_strength("password", &password, &[link.display_name.as_str()])?;
    let (hash, browser) = (state.hash_password(password).await?, sign_in::browser(&request));
    let set = move |tx: &mut Tx<'_>| {
        tx.reset_password(&secret, &hash, &browser)?.ok_or_else(|| ApiError::new(Reason::WrongLink))
    };
    let factor = state.transact(Credentials::ANONYMOUS, set).await?;
    first_factor::respond_to(&state, factor).await
}
