//! Sign-ins of people identified by a provider.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::sign_in::SignInProblem;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::UsableProvider;
use crate::Result;
use crate::people::claim_rules::RuledSignIn;
use crate::people::user_sessions::{Browser, ProvenFactor, StartedSession};
use crate::transaction::Tx;

sql_files! {
    FindIdentity(SqlUuid, SqlUuid, Text) -> (SqlUuid, Bool, Bool, Nullable<Bool>) = "find_identity.sql";
    FindByEmail(SqlUuid, Text) -> (SqlUuid, Bool, Bool, Nullable<Bool>) = "find_by_email.sql";
    Connect(SqlUuid, SqlUuid, Text, SqlUuid, Bool, Timestamptz) = "connect.sql";
    JoinTeam(SqlUuid, SqlUuid, SqlUuid) = "join_team.sql";
    IsOnlyOrganization(SqlUuid) -> Bool = "is_only_organization.sql";
}

/// Outcome of a proof by a provider.
pub type Outcome<T> = std::result::Result<T, SignInProblem>;

/// Person identified by a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Identifier of the person at the provider.
    pub subject: String,
    /// Address that the provider has verified, in its canonical form.
    pub verified_email: Option<String>,
    /// `true` if the provider has verified a second factor.
    pub has_second_factor: bool,
    /// Name of a new account.
    pub display_name: String,
    /// Claims about the person, to which the provider's claim rules apply.
    pub claims: Map<String, Value>,
}

/// User of an identity or an address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundUser {
    pub(crate) user: UserId,
    /// `true` if the user connected the identity, or has verified the address.
    pub(crate) is_sure: bool,
    /// `true` if the user is a member of another organization.
    is_elsewhere: bool,
    /// `true` if the user is a disabled member of the provider's organization; `None` if not a member.
    pub(crate) disabled: Option<bool>,
}

/// Settings of a provider for people who join through it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joining {
    pub(crate) organization: OrganizationId,
    /// `true` if the organization is blocked, so that no one can join it.
    pub(crate) is_blocked: bool,
    pub(crate) default_role: Option<Role>,
}

/// User at the first sign-in with a provider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstUser {
    pub(crate) user: UserId,
    /// `true` if the user was not a member before.
    pub(crate) has_joined: bool,
}

impl UsableProvider {
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

impl FoundUser {
    /// Returns the user of an identity, if the identity may sign the user in.
    pub(crate) fn of_identity(self) -> Outcome<UserId> {
        match self {
            Self { disabled: Some(true), .. } => Err(SignInProblem::Disabled),
            found if found.is_elsewhere && !found.is_sure => Err(SignInProblem::Account),
            found => Ok(found.user),
        }
    }
}

impl From<(Uuid, bool, bool, Option<bool>)> for FoundUser {
    fn from((user, is_sure, is_elsewhere, disabled): (Uuid, bool, bool, Option<bool>)) -> Self {
        Self { user: UserId::from_uuid(user), is_sure, is_elsewhere, disabled }
    }
}

impl Tx<'_> {
    /// Signs in the user of an identity. At the first sign-in, the user is found by the verified address, or created,
    /// and joins the provider's organization. The provider's claim rules are applied at each sign-in.
    ///
    /// A provider is trusted only for its own organization. So by address alone, it does not sign in a user who is a
    /// member of another organization (docs/adr/0043-openid-connect.md).
    pub fn sign_in_with_oidc(
        &mut self,
        provider: &UsableProvider,
        person: &Person,
        browser: &Browser,
    ) -> Result<Outcome<StartedSession>> {
        let mut known = self.oidc_user(provider, &person.subject)?;
        if known.is_none() {
            // The lock serializes concurrent first sign-ins.
            self.lock_organization(provider.organization)?;
            known = self.oidc_user(provider, &person.subject)?;
        }
        let user = match known {
            Some(found) => found.of_identity(),
            None => self.first_oidc_sign_in(provider, person)?,
        };
        match user {
            Ok(user) => {
                self.apply_claim_rules(provider.ruled(person), user)?;
                let proven = match person.has_second_factor {
                    true => ProvenFactor::Provider(provider.organization),
                    false => ProvenFactor::None,
                };
                Ok(Ok(self.sign_in(user, browser, proven)?))
            }
            Err(problem) => Ok(Err(problem)),
        }
    }

    /// Connects an identity to the actor's user, who is a member of the provider's organization.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error) without a valid session.
    pub fn connect_oidc(&mut self, provider: &UsableProvider, subject: &str) -> Result<Outcome<()>> {
        let actor = self.own_actor()?;
        let concerned = self.organizations_of_token(actor.token)?;
        if !concerned.contains(&provider.organization) {
            return Ok(Err(SignInProblem::Disabled));
        }
        self.concern(concerned);
        let is_connected = self.put_identity(provider, subject, actor.user, true)?;
        Ok(if is_connected { Ok(()) } else { Err(SignInProblem::Taken) })
    }

    /// Returns whether an organization is the only one of the deployment.
    pub(crate) fn is_only_organization(&mut self, organization: OrganizationId) -> Result<bool> {
        Ok(IsOnlyOrganization::bind((organization,)).get_result(self.connection)?)
    }

    /// Returns the user of an address if the organization's identity provider may know about the user. The existence of
    /// accounts outside of the organization is not revealed to it, unless the organization is the only one.
    pub(crate) fn user_of_address(
        &mut self,
        organization: OrganizationId,
        email: &str,
        is_only: bool,
    ) -> Result<Option<FoundUser>> {
        let found: Option<(Uuid, bool, bool, Option<bool>)> =
            FindByEmail::bind((organization, email)).get_result(self.connection).optional()?;
        Ok(found.map(FoundUser::from).filter(|found| is_only || found.disabled.is_some()))
    }

    fn oidc_user(&mut self, provider: &UsableProvider, subject: &str) -> Result<Option<FoundUser>> {
        let key = (provider.organization, provider.id, subject);
        let found: Option<(Uuid, bool, bool, Option<bool>)> =
            FindIdentity::bind(key).get_result(self.connection).optional()?;
        Ok(found.map(FoundUser::from))
    }

    /// Returns the user of a person who signs in with a provider for the first time: the one with the verified address,
    /// or a new one. The user joins the organization, but not the provider's team.
    pub(crate) fn first_user(&mut self, joining: Joining, person: &Person) -> Result<Outcome<FirstUser>> {
        let Some(email) = &person.verified_email else { return Ok(Err(SignInProblem::Email)) };
        let is_only = self.is_only_organization(joining.organization)?;
        let found = self.user_of_address(joining.organization, email, is_only)?;
        let user = match found {
            Some(FoundUser { disabled: Some(true), .. }) => return Ok(Err(SignInProblem::Disabled)),
            Some(found) if found.is_elsewhere || !found.is_sure => return Ok(Err(SignInProblem::Account)),
            Some(FoundUser { user, disabled: Some(false), .. }) => {
                return Ok(Ok(FirstUser { user, has_joined: false }));
            }
            _ if joining.is_blocked => return Ok(Err(SignInProblem::Blocked)),
            Some(found) => found.user,
            None => {
                // A verified address grants access in other organizations, which the provider must not be able to do.
                let address = is_only.then_some(email.as_str());
                let user = self.create_user(address, &person.display_name)?;
                self.record_created("user", user);
                user
            }
        };
        self.join(joining.organization, user, joining.default_role, true)?;
        Ok(Ok(FirstUser { user, has_joined: true }))
    }

    fn first_oidc_sign_in(&mut self, provider: &UsableProvider, person: &Person) -> Result<Outcome<UserId>> {
        let UsableProvider { organization, is_blocked, .. } = *provider;
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
        self.put_identity(provider, &person.subject, user, false)?;
        Ok(Ok(user))
    }

    /// Stores an identity of a user. Returns `false` if another user has it.
    fn put_identity(
        &mut self,
        provider: &UsableProvider,
        subject: &str,
        user: UserId,
        by_user: bool,
    ) -> Result<bool> {
        let (organization, id) = (provider.organization, provider.id);
        let row = (organization, id, subject, user, by_user, self.now);
        Ok(Connect::bind(row).execute(self.connection)? > 0)
    }
}
