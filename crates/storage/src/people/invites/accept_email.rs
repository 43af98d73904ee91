//! Acceptance of e-mail invites: by the user with the invited address, by any user with the secret, or with the secret
//! and a new account.

use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{InviteId, OrganizationId, UserId};
use quire_domain::policy::{Action, OwnAction, grants_sso};
use sha2::{Digest as _, Sha256};

use super::accept::refused;
use crate::lookup::{Actor, ActorRow, ActorTypes, joined_membership};
use crate::operations::audit::Change;
use crate::people::user_sessions::{Browser, ProvenFactor, StartedSession};
use crate::schema::email_invites;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Label of the token of a new account.
const TOKEN_LABEL: &str = "e-mail invite";

/// New account, created by accepting an e-mail invite.
pub struct Registered {
    /// Organization that the user joined.
    pub organization: OrganizationId,
    /// User.
    pub user: UserId,
    /// First token in plain text; only its hash is stored.
    pub token: String,
}

/// SQL types of a [`FoundInvite`].
type InviteTypes = (SqlUuid, Text, Nullable<SmallInt>, Bool, Bool);

sql_files! {
    FindAcceptable(Binary, Timestamptz, SqlUuid, Nullable<Binary>)
        -> (ActorTypes, InviteTypes, Nullable<SmallInt>, Nullable<Bool>, Bool) = "find_acceptable.sql";
    ShowInvite(SqlUuid, Timestamptz, Binary) -> (Text, Text) = "show.sql";
    FindBySecret(SqlUuid, Timestamptz, Binary) -> InviteTypes = "find_by_secret.sql";
    InsertRefused(SqlUuid, SqlUuid, Text, Text, Text, Text, Nullable<Text>, Text, Timestamptz) = "insert_refused.sql";
}

/// E-mail invite that the request may accept, locked until the transaction ends.
#[derive(Queryable)]
struct FoundInvite {
    organization: OrganizationId,
    email: String,
    role: Option<Role>,
    sso: bool,
    organization_is_blocked: bool,
}

/// Actor, invite, role and state of the actor's membership, and whether the invited address is the actor's.
type AcceptableRow = (ActorRow, FoundInvite, Option<i16>, Option<bool>, bool);

/// Returns the SHA-256 of a secret, which is its stored form.
pub(crate) fn secret_hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

/// E-mail invite in the form that its page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownInvite {
    /// Title of the organization.
    pub organization_title: String,
    /// Invited address.
    pub email: String,
}

impl Reader<'_> {
    /// Returns a pending e-mail invite to the bearer of its secret.
    pub fn show_email_invite(&mut self, invite: InviteId, secret: &str) -> Result<Option<ShownInvite>> {
        let found: Option<(String, String)> = ShowInvite::bind((invite, self.now, secret_hash(secret)))
            .get_result(self.connection)
            .optional()?;
        Ok(found.map(|(organization_title, email)| ShownInvite { organization_title, email }))
    }
}

impl Tx<'_> {
    /// Accepts an e-mail invite for the actor and deletes it. An invite to another address is not found without the
    /// right secret, so the response is 404 in either case.
    pub(super) fn accept_email_invite(
        &mut self,
        invite: InviteId,
        secret: Option<&str>,
    ) -> Result<OrganizationId> {
        let row: Option<AcceptableRow> = FindAcceptable::bind((
            self.credentials.token_hash.as_slice(),
            self.now,
            invite,
            secret.map(secret_hash),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((actor, found, role, disabled, has_address)) = row else { return self.not_found() };
        let actor = self.record_actor(actor)?;
        self.record_tenant(found.organization, None);
        let membership = joined_membership(role, disabled)?;
        if !actor.token_allows_own(OwnAction::AcceptInvite) || !membership.may_accept_invites() {
            return Err(Error::Forbidden { action: Action::VisitOrganization });
        }
        let sso = grants_sso(found.sso, has_address);
        self.use_up(invite, &found, actor.user, sso)?;
        Ok(found.organization)
    }

    /// Creates an account with a token for the bearer of an invite's secret, and accepts the invite with it, even if
    /// the invited address has an account. The new account has no address: the secret proves that its bearer is
    /// invited, not that the address is theirs.
    ///
    /// # Errors
    /// 404 if there is no such invite or the secret is wrong; 403 while the organization is blocked; 401 if it enforces
    /// single sign-on, because its provider creates the accounts.
    pub fn register_with_invite(
        &mut self,
        invite: InviteId,
        secret: &str,
        display_name: Option<&str>,
    ) -> Result<Registered> {
        let found = self.email_invite(invite, secret)?;
        let local_part = found.email.split('@').next().unwrap_or_default();
        let user = self.create_user(None, display_name.unwrap_or(local_part))?;
        self.record_created("user", user);
        let issued = self.issue_token(user, TOKEN_LABEL, false, None)?;
        self.actor = Some(Actor { user, token: issued.id, read_only: false, lacks_factor: false });
        // The new account has no verified address.
        let sso = grants_sso(found.sso, false);
        self.use_up(invite, &found, user, sso)?;
        self.refuse_bound(user)?;
        Ok(Registered { organization: found.organization, user, token: issued.token })
    }

    /// Like [`Tx::register_with_invite`], with a password instead of a token. The account signs in with the invited
    /// address, which is not verified.
    ///
    /// # Errors
    /// 409 if the address belongs to an account, whose user must accept the invite; 401 if the organization enforces
    /// single sign-on, because its provider creates the accounts.
    pub fn join_with_password(
        &mut self,
        (invite, secret): (InviteId, &str),
        display_name: &str,
        password_hash: &str,
        browser: &Browser,
    ) -> Result<StartedSession> {
        let found = self.email_invite(invite, secret)?;
        if self.has_account(&found.email)? {
            let message =
                "An account with the invited address already exists. Sign in to accept the invitation.";
            return Err(Error::refused(Reason::Conflict, message));
        }
        let user = self.create_user(None, display_name)?;
        self.set_first_password(user, password_hash, Some(&found.email))?;
        let sso = grants_sso(found.sso, false);
        self.use_up(invite, &found, user, sso)?;
        self.refuse_bound(user)?;
        let session = self.sign_in(user, browser, ProvenFactor::None)?;
        self.record_created("user", user);
        Ok(session)
    }

    /// Writes an entry to the organization's audit log that an e-mail invite with its secret created no account. The
    /// lock on the invite keeps two requests from writing the same entry.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the invite is no longer pending.
    pub fn note_refused_invite(&mut self, (invite, secret): (InviteId, &str), change: &Change) -> Result<()> {
        let found = self.email_invite(invite, secret)?;
        InsertRefused::bind((
            found.organization,
            self.storage.ids().uuid(),
            &*change.operation,
            change.method.as_str(),
            change.path.as_str(),
            invite.to_string(),
            change.address.map(|address| address.to_string()),
            change.request_id.as_str(),
            self.now,
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Refuses a new account that enforced single sign-on does not admit. The transaction is then rolled back.
    fn refuse_bound(&mut self, user: UserId) -> Result<()> {
        if !self.is_bound_to_provider(user, false)? {
            return Ok(());
        }
        let message =
            "The organization requires single sign-on. Sign in with it, then open the invitation again.";
        Err(Error::refused(Reason::SingleSignOnRequired, message))
    }

    /// Locks a pending e-mail invite with its secret.
    fn email_invite(&mut self, invite: InviteId, secret: &str) -> Result<FoundInvite> {
        let found: Option<FoundInvite> = FindBySecret::bind((invite, self.now, secret_hash(secret)))
            .get_result(self.connection)
            .optional()?;
        let found = found.ok_or(Error::NotFound)?;
        self.record_tenant(found.organization, None);
        Ok(found)
    }

    fn use_up(&mut self, invite: InviteId, found: &FoundInvite, user: UserId, sso: bool) -> Result<()> {
        if found.organization_is_blocked {
            return Err(refused(Reason::OrganizationBlocked));
        }
        let invite = email_invites::table.find((found.organization, invite));
        diesel::delete(invite).execute(self.connection)?;
        self.join(found.organization, user, found.role, sso)
    }
}
