//! Sign-ins of people identified by a SAML provider.

use std::time::{Duration, SystemTime};

use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{SamlProviderId, UserId};
use quire_domain::sign_in::SignInProblem;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

use super::UsableSamlProvider;
use crate::people::claim_rules::RuledSignIn;
use crate::people::oidc::{FirstUser, FoundUser, Joining, Outcome, Person};
use crate::people::user_sessions::{Browser, ProvenFactor, StartedSession};
use crate::people::users::random_secret;
use crate::schema::{saml_messages, saml_sign_ins};
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Maximum duration of a sign-in at a provider.
const LIFE: Duration = Duration::from_secs(10 * 60);

sql_files! {
    Begin(SqlUuid, SqlUuid, Binary, Text, Timestamptz) = "begin.sql";
    SweepSignIns(SqlUuid, SqlUuid, Timestamptz) = "sweep_sign_ins.sql";
    SweepMessages(SqlUuid, SqlUuid, Timestamptz) = "sweep_messages.sql";
    FindRequest(SqlUuid, SqlUuid, Binary, Timestamptz) -> Text = "find_request.sql";
    UseMessage(SqlUuid, SqlUuid, Binary, Timestamptz) = "use_message.sql";
    Identify(SqlUuid, SqlUuid, Binary, Jsonb, Timestamptz) = "identify.sql";
    Take(SqlUuid, SqlUuid, Binary, Timestamptz) -> Nullable<Jsonb> = "take.sql";
    FindIdentity(SqlUuid, SqlUuid, Text) -> (SqlUuid, Bool, Bool, Nullable<Bool>) = "find_identity.sql";
    Connect(SqlUuid, SqlUuid, Text, SqlUuid, Bool, Timestamptz) = "connect.sql";
    JoinTeam(SqlUuid, SqlUuid, SqlUuid) = "join_team.sql";
    Disconnect(SqlUuid, SqlUuid) = "disconnect.sql";
}

/// Person in the response of a provider, stored between the request that brings the response and the one that signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPerson {
    /// Identifier of the person at the provider.
    pub subject: String,
    /// E-mail address stated by the provider.
    pub email: Option<String>,
    /// Name of the person.
    pub name: Option<String>,
    /// `NameID` and attributes.
    pub claims: Map<String, Value>,
}

/// Messages of a response that must not be accepted again, each with the time after which it is refused as expired.
pub type SignedMessages = Vec<(String, SystemTime)>;

impl UsableSamlProvider {
    /// Returns the sign-in of a person in the form for the provider's claim rules.
    fn ruled<'a>(&'a self, person: &'a Person) -> RuledSignIn<'a> {
        RuledSignIn {
            organization: self.organization,
            rules: &self.claim_rules,
            default_role: self.default_role,
            claims: &person.claims,
        }
    }
}

impl Tx<'_> {
    /// Stores a started sign-in for ten minutes, and removes expired sign-ins of the provider.
    pub fn begin_saml_sign_in(
        &mut self,
        provider: &UsableSamlProvider,
        state: &str,
        request_id: &str,
    ) -> Result<()> {
        let (organization, id) = (provider.organization, provider.id);
        let now = OffsetDateTime::from(self.now);
        SweepSignIns::bind((organization, id, now)).execute(self.connection)?;
        Begin::bind((organization, id, hash_of(state), request_id, now + LIFE)).execute(self.connection)?;
        Ok(())
    }

    /// Returns the id of the request of a started sign-in, unless a response was already accepted.
    pub fn saml_request(&mut self, provider: &UsableSamlProvider, state: &str) -> Result<Option<String>> {
        let (organization, id) = (provider.organization, provider.id);
        let key = (organization, id, hash_of(state), OffsetDateTime::from(self.now));
        Ok(FindRequest::bind(key).get_result(self.connection).optional()?)
    }

    /// Stores the person in a verified response, for the request of the browser that signs in. A request has one
    /// response, and each message is accepted once.
    pub fn identify_with_saml(
        &mut self,
        provider: &UsableSamlProvider,
        state: &str,
        person: &StoredPerson,
        messages: &SignedMessages,
    ) -> Result<Outcome<()>> {
        let (organization, id) = (provider.organization, provider.id);
        let now = OffsetDateTime::from(self.now);
        SweepMessages::bind((organization, id, now)).execute(self.connection)?;
        for (message, until) in messages {
            let row = (organization, id, hash_of(message), OffsetDateTime::from(*until));
            if UseMessage::bind(row).execute(self.connection)? == 0 {
                return Ok(Err(SignInProblem::Replay));
            }
        }
        let person = serde_json::to_value(person)
            .map_err(|error| Error::corrupt("a person cannot be written", error))?;
        let row = (organization, id, hash_of(state), person, now);
        let is_first = Identify::bind(row).execute(self.connection)? > 0;
        Ok(if is_first { Ok(()) } else { Err(SignInProblem::Replay) })
    }

    /// Ends a sign-in and returns the person in its response; `None` if there was no response, or after ten minutes.
    pub fn take_saml_sign_in(
        &mut self,
        provider: &UsableSamlProvider,
        state: &str,
    ) -> Result<Option<StoredPerson>> {
        let (organization, id) = (provider.organization, provider.id);
        let key = (organization, id, hash_of(state), OffsetDateTime::from(self.now));
        let taken: Option<Option<Value>> = Take::bind(key).get_result(self.connection).optional()?;
        let read = |person| {
            serde_json::from_value(person)
                .map_err(|error| Error::corrupt("the person of a sign-in is damaged", error))
        };
        taken.flatten().map(read).transpose()
    }

    /// Signs in the user of an identity. At the first sign-in, the user is found by the address, or created, and joins
    /// the provider's organization, with the same rules as for OpenID Connect (docs/adr/0052-saml.md).
    pub fn sign_in_with_saml(
        &mut self,
        provider: &UsableSamlProvider,
        person: &Person,
        browser: &Browser,
    ) -> Result<Outcome<StartedSession>> {
        let mut known = self.saml_user(provider, &person.subject)?;
        if known.is_none() {
            // The lock serializes concurrent first sign-ins.
            self.lock_organization(provider.organization)?;
            known = self.saml_user(provider, &person.subject)?;
        }
        let user = match known {
            Some(found) => found.of_identity(),
            None => self.first_saml_sign_in(provider, person)?,
        };
        match user {
            Ok(user) => {
                self.apply_claim_rules(provider.ruled(person), user)?;
                Ok(Ok(self.sign_in(user, browser, ProvenFactor::None)?))
            }
            Err(problem) => Ok(Err(problem)),
        }
    }

    /// Connects an identity to the actor's user, who is a member of the provider's organization.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] without a valid session.
    pub fn connect_saml(&mut self, provider: &UsableSamlProvider, subject: &str) -> Result<Outcome<()>> {
        let actor = self.own_actor()?;
        let concerned = self.organizations_of_token(actor.token)?;
        if !concerned.contains(&provider.organization) {
            return Ok(Err(SignInProblem::Disabled));
        }
        self.concern(concerned);
        let is_connected = self.put_saml_identity(provider, subject, actor.user, true)?;
        Ok(if is_connected { Ok(()) } else { Err(SignInProblem::Taken) })
    }

    /// Disconnects the actor's identities at a provider, if there are any.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the actor has none, and the provider belongs to none of the actor's organizations.
    pub fn disconnect_saml(&mut self, provider: SamlProviderId) -> Result<()> {
        let actor = self.own_actor()?;
        let concerned = self.organizations_of_token(actor.token)?;
        self.concern(concerned);
        let removed = Disconnect::bind((provider, actor.user)).execute(self.connection)?;
        if removed > 0 || self.has_own_provider(provider)? { Ok(()) } else { Err(Error::NotFound) }
    }

    fn saml_user(&mut self, provider: &UsableSamlProvider, subject: &str) -> Result<Option<FoundUser>> {
        let key = (provider.organization, provider.id, subject);
        let found: Option<(Uuid, bool, bool, Option<bool>)> =
            FindIdentity::bind(key).get_result(self.connection).optional()?;
        Ok(found.map(FoundUser::from))
    }

    fn first_saml_sign_in(
        &mut self,
        provider: &UsableSamlProvider,
        person: &Person,
    ) -> Result<Outcome<UserId>> {
        let UsableSamlProvider { organization, is_blocked, .. } = *provider;
        let default_role = provider.ruled(person).role_of_new_member();
        let first = self.first_user(Joining { organization, is_blocked, default_role }, person)?;
        let FirstUser { user, has_joined } = match first {
            Ok(first) => first,
            Err(problem) => return Ok(Err(problem)),
        };
        if has_joined {
            JoinTeam::bind((organization, provider.id, user)).execute(self.connection)?;
            self.remember_role_of_rule(provider.ruled(person), user)?;
        }
        self.put_saml_identity(provider, &person.subject, user, false)?;
        Ok(Ok(user))
    }

    /// Stores an identity of a user. Returns `false` if another user has it.
    fn put_saml_identity(
        &mut self,
        provider: &UsableSamlProvider,
        subject: &str,
        user: UserId,
        by_user: bool,
    ) -> Result<bool> {
        let (organization, id) = (provider.organization, provider.id);
        let row = (organization, id, subject, user, by_user, OffsetDateTime::from(self.now));
        Ok(Connect::bind(row).execute(self.connection)? > 0)
    }
}

/// Returns a random state of 256 bits, which identifies a sign-in (`RelayState`).
#[must_use]
pub fn random_state() -> String {
    random_secret("")
}

fn hash_of(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

impl SystemTx<'_> {
    /// Deletes expired sign-ins and used messages, and returns their number. There is no index by time alone: each
    /// sign-in removes the expired rows of its provider, so the tables only have rows of the last minutes.
    pub fn sweep_saml(&mut self) -> Result<usize> {
        let now = OffsetDateTime::from(self.now);
        let sign_ins = saml_sign_ins::table.filter(saml_sign_ins::expires_at.le(now));
        let messages = saml_messages::table.filter(saml_messages::expires_at.le(now));
        let swept = diesel::delete(sign_ins).execute(self.connection)?;
        Ok(swept.saturating_add(diesel::delete(messages).execute(self.connection)?))
    }
}
