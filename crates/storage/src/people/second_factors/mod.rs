//! Second factors of users: an authenticator app, and recovery codes in case it is lost.

use std::collections::HashMap;

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, SmallInt, Timestamptz, Uuid as SqlUuid};
use quire_database::{Seal, sql_files};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::UserId;
use rand::RngExt as _;
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;

use crate::lookup::Actor;
use crate::people::user_sessions::{Browser, ProvenFactor, StartedSession};
use crate::schema::{api_tokens, passkeys, recovery_codes, totp_secrets};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, to_timestamp};

/// Number of recovery codes of a user.
pub const RECOVERY_CODES: usize = 10;

/// Length of a secret in bytes, as recommended by RFC 4226.
const SECRET_LENGTH: usize = 20;
/// Deployment key that seals secrets.
const SEAL: &str = "second factors";
/// Length of a recovery code in characters: 80 bits.
const CODE_LENGTH: usize = 16;
/// Characters of recovery codes, without similar-looking ones.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

sql_files! {
    StartTotp(SqlUuid, Binary, Timestamptz) = "start.sql";
    IsBoundToProvider(SqlUuid, SmallInt, Bool) -> Bool = "is_bound_to_provider.sql";
    AcceptStep(SqlUuid, BigInt) = "accept_step.sql";
    UseRecoveryCode(SqlUuid, Binary, Timestamptz) = "use_recovery_code.sql";
    Forget(SqlUuid) = "forget.sql";
    AddRecoveryCodes(SqlUuid, Array<Binary>) = "add_recovery_codes.sql";
}

/// Outcome of a first factor.
pub enum FirstFactor {
    /// The user is signed in.
    SignedIn(StartedSession),
    /// The user has a second factor, and must prove it to sign in.
    NeedsCode(UserId),
    /// An organization of the user enforces single sign-on.
    NeedsProvider(UserId),
}

/// Second factor of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondFactor {
    /// Time from which sign-ins require a code; `None` before the first correct code.
    pub confirmed_at: Option<Timestamp>,
    /// Number of unused recovery codes.
    pub codes_left: i64,
}

/// Verified code of a second factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AcceptedCode {
    /// Code of the app, by its time step.
    Step(i64),
    /// Recovery code.
    Recovery(String),
}

/// Returns the hash of a recovery code. Case, spaces and hyphens are ignored.
fn hash_of(code: &str) -> Vec<u8> {
    let canonical: String = code
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect();
    Sha256::digest(canonical.as_bytes()).to_vec()
}

/// Returns a new recovery code, in groups of four.
fn recovery_code() -> String {
    let mut random = rand::rng();
    let characters: Vec<char> = (0..CODE_LENGTH)
        .filter_map(|_| ALPHABET.get(random.random_range(0..ALPHABET.len())).map(|byte| char::from(*byte)))
        .collect();
    characters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

impl Reader<'_> {
    /// Returns the second factor of a user. Takes two statements.
    pub fn second_factor(&mut self, user: UserId) -> Result<Option<SecondFactor>> {
        let found: Option<Option<OffsetDateTime>> = totp_secrets::table
            .find(user)
            .select(totp_secrets::confirmed_at)
            .get_result(self.connection)
            .optional()?;
        let codes_left = recovery_codes::table
            .filter(recovery_codes::user_id.eq(user))
            .filter(recovery_codes::used_at.is_null())
            .count()
            .get_result(self.connection)?;
        let factor = |confirmed_at: Option<OffsetDateTime>| {
            Ok(SecondFactor { confirmed_at: confirmed_at.map(to_timestamp).transpose()?, codes_left })
        };
        found.map(factor).transpose()
    }

    /// Returns the secret of a user's app, confirmed or not.
    pub fn totp_secret(&mut self, user: UserId) -> Result<Option<Vec<u8>>> {
        let sealed: Option<Vec<u8>> = totp_secrets::table
            .find(user)
            .select(totp_secrets::secret)
            .get_result(self.connection)
            .optional()?;
        let Some(sealed) = sealed else { return Ok(None) };
        let key = self.known_deployment_key(SEAL)?;
        let key =
            key.ok_or_else(|| Error::corrupt("a second factor has no key", anyhow::anyhow!("{user}")))?;
        Seal::new(key).open(&user.to_string(), &sealed).map(Some)
    }

    /// Returns whether a user has an authenticator app or a passkey. Takes two statements.
    pub fn has_any_factor(&mut self, user: UserId) -> Result<bool> {
        let own = passkeys::table.filter(passkeys::user_id.eq(user));
        let has_passkey: bool = diesel::select(exists(own)).get_result(self.connection)?;
        Ok(has_passkey || self.has_second_factor(user)?)
    }

    /// Returns whether sign-ins of a user require a code.
    fn has_second_factor(&mut self, user: UserId) -> Result<bool> {
        let confirmed = totp_secrets::table.find(user).filter(totp_secrets::confirmed_at.is_not_null());
        Ok(diesel::select(exists(confirmed)).get_result(self.connection)?)
    }
}

impl Tx<'_> {
    /// Signs in a user who has proven a first factor, unless the user has a second factor, or an organization of the
    /// user enforces single sign-on.
    pub(crate) fn after_first_factor(&mut self, user: UserId, browser: &Browser) -> Result<FirstFactor> {
        match self.is_bound_to_provider(user, false)? {
            true => Ok(FirstFactor::NeedsProvider(user)),
            false => self.after_sure_factor(user, browser),
        }
    }

    /// Signs in a user who has proven all factors at once, unless an organization of the user enforces single sign-on.
    pub(crate) fn after_all_factors(&mut self, user: UserId, browser: &Browser) -> Result<FirstFactor> {
        match self.is_bound_to_provider(user, true)? {
            true => Ok(FirstFactor::NeedsProvider(user)),
            false => Ok(FirstFactor::SignedIn(self.sign_in(user, browser, ProvenFactor::Here)?)),
        }
    }

    /// Returns whether an organization of a user enforces single sign-on for the user.
    pub(crate) fn is_bound_to_provider(&mut self, user: UserId, has_proven_second: bool) -> Result<bool> {
        let bound = IsBoundToProvider::bind((user, Role::Admin.rank(), has_proven_second));
        Ok(bound.get_result(self.connection)?)
    }

    /// Signs in a user who has proven a first factor that is exempt from enforced single sign-on, unless the user has a
    /// second factor.
    pub(crate) fn after_sure_factor(&mut self, user: UserId, browser: &Browser) -> Result<FirstFactor> {
        match self.has_second_factor(user)? {
            true => Ok(FirstFactor::NeedsCode(user)),
            false => Ok(FirstFactor::SignedIn(self.sign_in(user, browser, ProvenFactor::None)?)),
        }
    }

    /// Signs in a user with a second factor. Returns `None` for a code that was already used.
    pub fn sign_in_with_code(
        &mut self,
        user: UserId,
        code: &AcceptedCode,
        browser: &Browser,
    ) -> Result<Option<StartedSession>> {
        match self.use_code(user, code)? {
            true => self.sign_in(user, browser, ProvenFactor::Here).map(Some),
            false => Ok(None),
        }
    }

    /// Consumes a code. Returns `false` for a code that was already used, and for an unknown recovery code.
    pub fn use_code(&mut self, user: UserId, code: &AcceptedCode) -> Result<bool> {
        let used = match code {
            AcceptedCode::Step(step) => AcceptStep::bind((user, *step)).execute(self.connection)?,
            AcceptedCode::Recovery(code) => {
                UseRecoveryCode::bind((user, hash_of(code), self.now)).execute(self.connection)?
            }
        };
        Ok(used > 0)
    }

    /// Creates a secret for the actor's app. It takes effect once a code confirms it.
    ///
    /// # Errors
    /// 409 if the actor already has a second factor.
    pub fn start_totp(&mut self, actor: Actor) -> Result<[u8; SECRET_LENGTH]> {
        self.concern_own(actor)?;
        let secret: [u8; SECRET_LENGTH] = rand::rng().random();
        let sealed = self.seal(SEAL)?.seal(&actor.user.to_string(), &secret)?;
        let row = (actor.user, sealed, self.now);
        match StartTotp::bind(row).execute(self.connection)? {
            0 => Err(Error::refused(Reason::Conflict, "A second factor is already set up. Remove it first.")),
            _ => Ok(secret),
        }
    }

    /// Confirms the secret of the actor's app with the step of a code, and returns new recovery codes. Returns `None`
    /// for a code that was already used, and for a secret that is already confirmed.
    pub fn confirm_totp(&mut self, actor: Actor, step: i64) -> Result<Option<Vec<String>>> {
        self.concern_own(actor)?;
        if !self.use_code(actor.user, &AcceptedCode::Step(step))? {
            return Ok(None);
        }
        let secret = totp_secrets::table.find(actor.user).filter(totp_secrets::confirmed_at.is_null());
        let confirmed =
            diesel::update(secret).set(totp_secrets::confirmed_at.eq(self.now)).execute(self.connection)?;
        if confirmed == 0 {
            return Ok(None);
        }
        // Keyed by hash, because equal codes would be one row. They are as unlikely as a guessed code.
        let codes: HashMap<Vec<u8>, String> = std::iter::repeat_with(recovery_code)
            .take(RECOVERY_CODES)
            .map(|code| (hash_of(&code), code))
            .collect();
        let (hashes, codes): (Vec<Vec<u8>>, Vec<String>) = codes.into_iter().unzip();
        AddRecoveryCodes::bind((actor.user, hashes)).execute(self.connection)?;
        self.note_factor(actor)?;
        Ok(Some(codes))
    }

    /// Removes the second factor of the actor with its recovery codes.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the actor has no second factor.
    pub fn remove_totp(&mut self, actor: Actor) -> Result<()> {
        self.concern_own(actor)?;
        match diesel::delete(totp_secrets::table.find(actor.user)).execute(self.connection)? {
            0 => Err(Error::NotFound),
            _ => self.forget_factor(actor),
        }
    }

    /// Records that the user of the actor's session has proven a second factor.
    pub fn note_factor(&mut self, actor: Actor) -> Result<()> {
        diesel::update(api_tokens::table.find(actor.token))
            .set(api_tokens::second_factor.eq(true))
            .execute(self.connection)?;
        Ok(())
    }

    /// Marks the sessions of the actor's user as without a second factor, if the last one was removed.
    pub(crate) fn forget_factor(&mut self, actor: Actor) -> Result<()> {
        Forget::bind((actor.user,)).execute(self.connection)?;
        Ok(())
    }

    /// Records that the user of the actor's session has proven their identity.
    pub fn confirm_session(&mut self, actor: Actor) -> Result<()> {
        self.concern_own(actor)?;
        diesel::update(api_tokens::table.find(actor.token))
            .set(api_tokens::confirmed_at.eq(self.now))
            .execute(self.connection)?;
        Ok(())
    }

    /// Selects the audit logs of the actor's organizations for the entry of this request.
    pub(crate) fn concern_own(&mut self, actor: Actor) -> Result<()> {
        let concerned = self.organizations_of_token(actor.token)?;
        self.concern(concerned);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_is_read_as_people_write_it() {
        let code = recovery_code();
        assert_eq!(code.len(), CODE_LENGTH + 3, "{code}");
        assert_ne!(code, recovery_code());
        assert_eq!(hash_of(&code), hash_of(&format!(" {} ", code.to_uppercase().replace('-', " "))));
        assert_ne!(hash_of(&code), hash_of("abcd"));
    }
}
