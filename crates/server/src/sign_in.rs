//! Sign-ins with a password or a link by mail, for the API and for pages.

use std::fmt::Display;

use actix_web::http::header;
use actix_web::{HttpMessage as _, HttpRequest};
use quire_domain::error::Reason;
use quire_domain::ids::{InviteId, TokenId, UserId};
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::people::mails::{LinkPurpose, NewMail};
use quire_storage::people::oidc::OwnProvider;
use quire_storage::people::second_factors::FirstFactor;
use quire_storage::people::user_sessions::Browser;

use crate::error::{ApiError, ApiResult};
use crate::middleware::observe::ClientAddress;
use crate::middleware::rate_limit::subscriber;
use crate::middleware::scope::RequestScope;
use crate::session_cookie;
use crate::state::{ServerState, State};

impl ServerState {
    /// Hashes a new password.
    ///
    /// # Errors
    /// 503 if too many passwords are being hashed.
    pub async fn hash_password(&self, password: String) -> ApiResult<String> {
        let turn = self.passwords.turn().await?;
        self.compute(move |_| {
            let hash = quire_auth::hash(&password);
            drop(turn);
            hash.map_err(ApiError::internal)
        })
        .await
    }

    /// Verifies a password against a hash. Without a hash, it does the same work.
    ///
    /// # Errors
    /// 503 if too many passwords are being hashed.
    pub(crate) async fn verify_password(&self, password: String, hash: Option<String>) -> ApiResult<bool> {
        let turn = self.passwords.turn().await?;
        self.compute(move |_| {
            let matches = quire_auth::verify(&password, hash.as_deref());
            drop(turn);
            Ok(matches)
        })
        .await
    }
}

/// Counts an attempt to prove an account user's identity. `account` is an e-mail address or a user id.
///
/// # Errors
/// 429 above five attempts per minute for an account, or twenty for a client address.
pub(crate) fn count_try(state: &ServerState, request: &HttpRequest, account: &str) -> ApiResult<()> {
    let address = request.extensions().get::<ClientAddress>().and_then(|address| address.0);
    match state.rate_limits.count_sign_in(account, address.map(subscriber)) {
        Some(wait) => Err(ApiError::rate_limited(wait)),
        None => Ok(()),
    }
}

/// Counts the start of a sign-in at a provider as an attempt from the client address.
///
/// # Errors
/// 429 above twenty attempts per minute.
pub fn count_start(state: &ServerState, request: &HttpRequest) -> ApiResult<()> {
    let address = request.extensions().get::<ClientAddress>().and_then(|address| address.0);
    match address.and_then(|address| state.rate_limits.count_address_signing_in(subscriber(address))) {
        Some(wait) => Err(ApiError::rate_limited(wait)),
        None => Ok(()),
    }
}

/// Returns the URL that connects an identity of a provider to the user of the session, and then redirects to a page. It
/// is signed, so that pages of other sites cannot make a browser connect the attacker's identity.
#[must_use]
pub fn connection_url(
    state: &ServerState,
    session: TokenId,
    provider: &OwnProvider,
    next: Option<&str>,
) -> String {
    let signature = state.signer.sign(&connection(session, provider.id));
    let next = next.map(|next| format!("&next={next}")).unwrap_or_default();
    let start = state.urls.start_of_sign_in(provider.protocol, provider.id);
    format!("{start}?purpose=connect&signature={signature}{next}")
}

/// Returns the signed text of a URL that connects an identity.
#[must_use]
pub fn connection(session: TokenId, provider: impl Display) -> String {
    format!("connect {provider} in the session {session}")
}

/// Returns the browser of a request, as stored in a session.
#[must_use]
pub fn browser(request: &HttpRequest) -> Browser {
    let user_agent = request.headers().get(header::USER_AGENT);
    Browser {
        user_agent: user_agent.map(|name| String::from_utf8_lossy(name.as_bytes()).replace('\0', "")),
        address: request.extensions().get::<ClientAddress>().and_then(|address| address.0),
        session: session_cookie::credentials(request),
    }
}

/// Starts a session for an e-mail address and password, unless the user has a second factor. Responses, statements and
/// work are the same for addresses with and without an account.
///
/// # Errors
/// 401 for a wrong address or password, 429 for too many attempts.
pub async fn with_password(
    state: &State,
    request: &HttpRequest,
    email: String,
    password: String,
) -> ApiResult<FirstFactor> {
    count_try(state, request, &email)?;
    let account = state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.account(&email)?)).await?;
    let (user, hash) = account.map(|account| (account.user, account.password_hash)).unzip();
    let hash = hash.flatten();
    let matches = state.verify_password(password, hash.clone()).await?;
    if let (true, Some(user), Some(hash)) = (matches, user, hash) {
        let browser = browser(request);
        let sign_in = move |tx: &mut Tx<'_>| Ok(tx.sign_in_with_password(user, &hash, &browser)?);
        let factor = transact(state, sign_in).await?;
        return factor.ok_or_else(|| ApiError::new(Reason::WrongPassword));
    }
    note_refused(state, user).await?;
    Err(ApiError::new(Reason::WrongPassword))
}

/// Runs the transaction of a first factor. A refusal by enforced single sign-on is written to the audit logs of the
/// user's organizations. It does not roll back the transaction, which has consumed a sign-in link.
///
/// # Errors
/// Errors of `sign_in`; 503 as for other transactions.
pub async fn transact(
    state: &State,
    sign_in: impl FnOnce(&mut Tx<'_>) -> ApiResult<Option<FirstFactor>> + Send + 'static,
) -> ApiResult<Option<FirstFactor>> {
    let entry = RequestScope::current().pending();
    let sign_in = move |tx: &mut Tx<'_>| {
        let factor = sign_in(tx)?;
        if let (Some(FirstFactor::NeedsProvider(user)), Some(entry)) = (&factor, &entry) {
            tx.note_refused_sign_in(Some(*user), entry)?;
        }
        Ok(factor)
    };
    state.transact(Credentials::ANONYMOUS, sign_in).await
}

/// Runs the transaction that creates an account with an e-mail invite. A refusal after the secret was accepted is
/// written to the organization's audit log, in a transaction of its own.
///
/// # Errors
/// Errors of `join`; 503 as for other transactions.
pub async fn with_invite<T: Send + 'static>(
    state: &State,
    (invite, secret): (InviteId, String),
    join: impl FnOnce(&mut Tx<'_>) -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let joined = state.transact(Credentials::ANONYMOUS, join).await;
    let is_refused = joined.as_ref().is_err_and(|error| {
        matches!(error.reason(), Reason::SingleSignOnRequired | Reason::OrganizationBlocked)
    });
    if let Some(change) = RequestScope::current().pending().filter(|_| is_refused) {
        let note = move |tx: &mut Tx<'_>| tx.note_refused_invite((invite, &secret), &change);
        if let Err(error) = state.transact_apart(note).await {
            log::warn!("a refused attempt could not be recorded in the audit log: {error:?}");
        }
    }
    joined
}

/// Mails a sign-in link to the user with this address. The job that sends the mail looks up the user, so that
/// responses, statements and time are the same for addresses with and without an account.
///
/// # Errors
/// 404 if the deployment sends no mail, 429 for too many attempts.
pub async fn mail_link(
    state: &State,
    request: &HttpRequest,
    purpose: LinkPurpose,
    recipient: String,
) -> ApiResult<()> {
    if !state.settings.mail {
        return Err(ApiError::not_found());
    }
    count_try(state, request, &recipient)?;
    let post = move |tx: &mut Tx<'_>| Ok(tx.post_mails(vec![NewMail::Link { purpose, recipient }])?);
    state.transact(Credentials::ANONYMOUS, post).await
}

/// Writes a refused sign-in to the audit logs of the user's organizations.
pub(crate) async fn note_refused(state: &State, user: Option<UserId>) -> ApiResult<()> {
    let Some(change) = RequestScope::current().pending() else { return Ok(()) };
    let note = move |tx: &mut Tx<'_>| Ok(tx.note_refused_sign_in(user, &change)?);
    state.transact(Credentials::ANONYMOUS, note).await
}
