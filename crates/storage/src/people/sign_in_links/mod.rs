//! Single-use sign-in links.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::UserId;
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Result;
use crate::people::second_factors::FirstFactor;
use crate::people::user_sessions::Browser;
use crate::people::users::random_secret;
use crate::schema::{api_tokens, sign_in_links, users};
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};

/// Lifetime of a link.
pub const LIFE: Duration = Duration::from_secs(15 * 60);

/// Prefix of the secret of a mailed link, for secret scanners.
const PREFIX: &str = "ql_";
/// Prefix of the secret of an operator's link, which can sign in even if single sign-on is enforced.
const OPERATOR_PREFIX: &str = "qo_";
/// Time for which an expired link is reported as expired instead of unknown.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

sql_files! {
    CreateLink(Binary, SqlUuid, Timestamptz, Timestamptz) = "create.sql";
    FindLink(Binary, Timestamptz) -> (Text, Bool) = "find.sql";
    UseLink(Binary, Timestamptz) -> SqlUuid = "use_once.sql";
    SweepLinks(Timestamptz) = "sweep.sql";
}

/// Link in the form that its page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInLink {
    /// Name of the user.
    pub display_name: String,
    /// `false` if the link was used or has expired.
    pub is_usable: bool,
}

fn hash_of(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

impl Reader<'_> {
    /// Returns the link with this secret; `None` if it is unknown or expired more than a day ago.
    pub fn sign_in_link(&mut self, secret: &str) -> Result<Option<SignInLink>> {
        let now = OffsetDateTime::from(self.now);
        let found: Option<(String, bool)> =
            FindLink::bind((hash_of(secret), now)).get_result(self.connection).optional()?;
        Ok(found.map(|(display_name, is_usable)| SignInLink { display_name, is_usable }))
    }
}

impl Tx<'_> {
    /// Consumes a link and signs in its user, unless the user has a second factor. Returns `None` if the link cannot be
    /// used.
    pub fn sign_in_with_link(&mut self, secret: &str, browser: &Browser) -> Result<Option<FirstFactor>> {
        let now = OffsetDateTime::from(self.now);
        let user: Option<Uuid> =
            UseLink::bind((hash_of(secret), now)).get_result(self.connection).optional()?;
        user.map(|user| self.after_link(UserId::from_uuid(user), secret, browser)).transpose()
    }

    fn after_link(&mut self, user: UserId, secret: &str, browser: &Browser) -> Result<FirstFactor> {
        match secret.starts_with(OPERATOR_PREFIX) {
            true => self.after_sure_factor(user, browser),
            false => self.after_first_factor(user, browser),
        }
    }

    /// Consumes a link, sets a new password of its user, and signs in the user like [`Tx::sign_in_with_link`]. Ends all
    /// other sessions and links of the user. Returns `None` if the link cannot be used.
    pub fn reset_password(
        &mut self,
        secret: &str,
        password_hash: &str,
        browser: &Browser,
    ) -> Result<Option<FirstFactor>> {
        let now = OffsetDateTime::from(self.now);
        let user: Option<Uuid> =
            UseLink::bind((hash_of(secret), now)).get_result(self.connection).optional()?;
        let Some(user) = user else { return Ok(None) };
        diesel::update(users::table.find(user))
            .set(users::password_hash.eq(password_hash))
            .execute(self.connection)?;
        let sessions = api_tokens::table
            .filter(api_tokens::user_id.eq(user))
            .filter(api_tokens::session_ends_at.is_not_null());
        diesel::delete(sessions).execute(self.connection)?;
        let links = sign_in_links::table
            .filter(sign_in_links::user_id.eq(user))
            .filter(sign_in_links::used_at.is_null());
        diesel::update(links).set(sign_in_links::used_at.eq(now)).execute(self.connection)?;
        let user = UserId::from_uuid(user);
        let factor = self.after_link(user, secret, browser)?;
        self.record_created("user", user);
        Ok(Some(factor))
    }
}

impl SystemTx<'_> {
    /// Creates a link to mail to a user, and returns its secret.
    pub fn create_sign_in_link(&mut self, user: UserId) -> Result<String> {
        self.create_link(user, PREFIX)
    }

    /// Creates an operator's link for a user, and returns its secret.
    pub fn create_operator_link(&mut self, user: UserId) -> Result<String> {
        self.create_link(user, OPERATOR_PREFIX)
    }

    fn create_link(&mut self, user: UserId, prefix: &str) -> Result<String> {
        let secret = random_secret(prefix);
        let now = OffsetDateTime::from(self.now);
        CreateLink::bind((hash_of(&secret), user, now, now + LIFE)).execute(self.connection)?;
        Ok(secret)
    }

    /// Deletes links that expired more than a day ago, and returns their number.
    pub fn sweep_sign_in_links(&mut self) -> Result<usize> {
        let before = OffsetDateTime::from(self.now) - KEPT;
        Ok(SweepLinks::bind((before,)).execute(self.connection)?)
    }
}
