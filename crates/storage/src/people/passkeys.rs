//! Passkeys of users, and the challenges between the two steps of a registration or sign-in.

use std::time::Duration;

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_database::violated_key;
use quire_domain::bounds::PASSKEYS_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{PasskeyChallengeId, PasskeyId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Actor;
use crate::people::second_factors::FirstFactor;
use crate::people::user_sessions::Browser;
use crate::schema::{passkey_challenges, passkeys};
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, to_timestamp};

/// Name of the unique key on credential ids.
const CREDENTIAL: &str = "passkeys_credential";

/// Passkey in the form that its user sees.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = passkeys, check_for_backend(Pg))]
pub struct OwnPasskey {
    /// Id.
    pub id: PasskeyId,
    /// Name.
    pub name: String,
    /// Time of the registration.
    pub created_at: Timestamp,
    /// Time of the last sign-in.
    pub last_used_at: Option<Timestamp>,
}

/// Passkey in the form that verifies a sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInPasskey {
    /// Id.
    pub id: PasskeyId,
    /// User.
    pub user: UserId,
    /// Public key with its signature counter.
    pub public_key: String,
}

impl Reader<'_> {
    /// Returns the actor's passkeys, newest first. Takes three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_passkeys(&mut self, after: Option<PasskeyId>, limit: u16) -> Result<Slice<OwnPasskey>> {
        let user = self.own_actor()?.user;
        let items = passkeys::table
            .filter(passkeys::user_id.eq(user))
            .filter(passkeys::id.lt(page_end(after)))
            .order(passkeys::id.desc())
            .limit(fetch_limit(limit))
            .select(OwnPasskey::as_select())
            .load(self.connection)?;
        let total = self.count_passkeys(user)?;
        Ok(Slice::cut(items, limit, total))
    }

    fn count_passkeys(&mut self, user: UserId) -> Result<i64> {
        let own = passkeys::table.filter(passkeys::user_id.eq(user));
        Ok(own.count().get_result(self.connection)?)
    }

    /// Returns a passkey of the actor.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn own_passkey(&mut self, actor: Actor, id: PasskeyId) -> Result<OwnPasskey> {
        let own =
            passkeys::table.find(id).filter(passkeys::user_id.eq(actor.user)).select(OwnPasskey::as_select());
        own.get_result(self.connection).optional()?.ok_or(Error::NotFound)
    }

    /// Returns the ids of the credentials of the actor's passkeys.
    pub fn own_credentials(&mut self, actor: Actor) -> Result<Vec<Vec<u8>>> {
        Ok(passkeys::table
            .filter(passkeys::user_id.eq(actor.user))
            .select(passkeys::credential_id)
            .load(self.connection)?)
    }
}

impl Tx<'_> {
    /// Stores a challenge: for a passkey that a user registers, or without a user for a sign-in. Returns its id and its
    /// expiry.
    pub fn put_passkey_challenge(
        &mut self,
        user: Option<UserId>,
        state: &str,
        life: Duration,
    ) -> Result<(PasskeyChallengeId, Timestamp)> {
        let id = self.storage.ids().uuid();
        let expires_at = OffsetDateTime::from(self.now) + life;
        diesel::insert_into(passkey_challenges::table)
            .values((
                passkey_challenges::id.eq(id),
                passkey_challenges::user_id.eq(user),
                passkey_challenges::state.eq(state),
                passkey_challenges::expires_at.eq(expires_at),
            ))
            .execute(self.connection)?;
        Ok((PasskeyChallengeId::from_uuid(id), to_timestamp(expires_at)?))
    }

    /// Consumes a challenge and returns the state of its ceremony. Returns `None` if it is unknown, was used, has
    /// expired, or was created for another user.
    pub fn take_passkey_challenge(
        &mut self,
        id: PasskeyChallengeId,
        user: Option<UserId>,
    ) -> Result<Option<String>> {
        let challenge = passkey_challenges::table
            .find(id)
            .filter(passkey_challenges::user_id.is_not_distinct_from(user))
            .filter(passkey_challenges::expires_at.gt(OffsetDateTime::from(self.now)));
        Ok(diesel::delete(challenge)
            .returning(passkey_challenges::state)
            .get_result(self.connection)
            .optional()?)
    }

    /// Returns and locks the passkey with a credential, so that each of its counters is accepted only once.
    pub fn passkey_to_sign_in(&mut self, credential: &[u8]) -> Result<Option<SignInPasskey>> {
        let row: Option<(Uuid, Uuid, String)> = passkeys::table
            .filter(passkeys::credential_id.eq(credential))
            .for_no_key_update()
            .select((passkeys::id, passkeys::user_id, passkeys::public_key))
            .get_result(self.connection)
            .optional()?;
        let found = |(id, user, public_key)| SignInPasskey {
            id: PasskeyId::from_uuid(id),
            user: UserId::from_uuid(user),
            public_key,
        };
        Ok(row.map(found))
    }

    /// Signs in the user of a passkey and stores the key with its new counter, unless an organization of the user
    /// enforces single sign-on.
    pub fn sign_in_with_passkey(
        &mut self,
        passkey: &SignInPasskey,
        public_key: &str,
        browser: &Browser,
    ) -> Result<FirstFactor> {
        diesel::update(passkeys::table.find(passkey.id))
            .set((
                passkeys::public_key.eq(public_key),
                passkeys::last_used_at.eq(OffsetDateTime::from(self.now)),
            ))
            .execute(self.connection)?;
        self.after_all_factors(passkey.user, browser)
    }

    /// Prepares the registration of a passkey. Returns the ids of the actor's existing credentials.
    ///
    /// # Errors
    /// 409 if the actor has the maximum number of passkeys.
    pub fn start_passkey(&mut self, actor: Actor) -> Result<Vec<Vec<u8>>> {
        self.require_capacity_for_passkey(actor)?;
        self.concern_own(actor)?;
        self.own_credentials(actor)
    }

    /// Registers a passkey of the actor: the public key of a credential, with its counter.
    ///
    /// # Errors
    /// 409 for a registered credential, and if the actor has the maximum number of passkeys.
    pub fn create_passkey(
        &mut self,
        actor: Actor,
        name: &str,
        (credential, public_key): (&[u8], &str),
    ) -> Result<OwnPasskey> {
        self.lock_own_user(actor)?;
        self.require_capacity_for_passkey(actor)?;
        let id = self.storage.ids().uuid();
        diesel::insert_into(passkeys::table)
            .values((
                passkeys::id.eq(id),
                passkeys::user_id.eq(actor.user),
                passkeys::credential_id.eq(credential),
                passkeys::name.eq(name),
                passkeys::public_key.eq(public_key),
                passkeys::created_at.eq(OffsetDateTime::from(self.now)),
            ))
            .execute(self.connection)
            .map_err(|error| match violated_key(&error) {
                Some(CREDENTIAL) => Error::refused(Reason::Conflict, "The passkey is already registered."),
                _ => error.into(),
            })?;
        let id = PasskeyId::from_uuid(id);
        self.concern_own(actor)?;
        self.record_created("passkey", id);
        self.note_factor(actor)?;
        self.own_passkey(actor, id)
    }

    fn require_capacity_for_passkey(&mut self, actor: Actor) -> Result<()> {
        if u64::try_from(self.count_passkeys(actor.user)?).unwrap_or(u64::MAX) < PASSKEYS_MAX {
            return Ok(());
        }
        let message = format!("You have {PASSKEYS_MAX} passkeys, which is the maximum. Remove one first.");
        Err(Error::refused(Reason::TooMany, message))
    }

    /// Renames a passkey of the actor.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn rename_passkey(&mut self, actor: Actor, id: PasskeyId, name: &str) -> Result<OwnPasskey> {
        self.concern_own(actor)?;
        let passkey = passkeys::table.find(id).filter(passkeys::user_id.eq(actor.user));
        diesel::update(passkey).set(passkeys::name.eq(name)).execute(self.connection)?;
        self.own_passkey(actor, id)
    }

    /// Removes a passkey of the actor.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn remove_passkey(&mut self, actor: Actor, id: PasskeyId) -> Result<()> {
        self.concern_own(actor)?;
        let passkey = passkeys::table.find(id).filter(passkeys::user_id.eq(actor.user));
        match diesel::delete(passkey).execute(self.connection)? {
            0 => Err(Error::NotFound),
            _ => self.forget_factor(actor),
        }
    }
}

impl SystemTx<'_> {
    /// Deletes the expired challenges and returns their number.
    pub fn sweep_passkey_challenges(&mut self) -> Result<usize> {
        let now = OffsetDateTime::from(self.now);
        let expired = passkey_challenges::table.filter(passkey_challenges::expires_at.le(now));
        Ok(diesel::delete(expired).execute(self.connection)?)
    }
}
