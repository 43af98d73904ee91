//! Acceptance of e-mail invites: by the user with the invited address, by any user with the secret, or with the secret and a
//! new account.

use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::error::Reason;
use quire_domain::ids::{InviteId, OrganizationId, UserId};
use quire_domain::policy::{Action, Membership, OwnAction, grants_sso};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::accept::refused;
use crate::lookup::{Actor, ActorColumns, actor_columns, joined_membership, role_from_rank, valid_token};
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

/// The label of a token that comes with an account.
const TOKEN_LABEL: &str = "e-mail invite";

/// A new account that was made by accepting an e-mail invite.
pub struct Registered {
    /// The organization that it joined.
    pub organization: OrganizationId,
    /// The user.
    pub user: UserId,
    /// Its first token, in clear; only the hash is stored.
    pub token: String,
}

macro_rules! invite_columns {
    () => {
        "i.organization_id, i.email, i.role AS invite_role, i.sso, o.blocked_reason IS NOT NULL AS is_blocked"
    };
}

statements! {
    // The row lock serializes concurrent acceptance; the loser finds no row. An invite to another address without the right secret
    // is absent, so that both cases answer the same 404.
    FindAcceptable = concat!(
        "SELECT ", actor_columns!(), ", ", invite_columns!(), ", m.role AS member_role, m.disabled AS member_disabled, \
           coalesce(lower(u.email) = lower(i.email), false) AS is_theirs \
         FROM api_tokens t JOIN users u ON u.id = t.user_id \
         JOIN email_invites i ON t.organizations IS NULL OR i.organization_id = ANY (t.organizations) \
         JOIN organizations o ON o.id = i.organization_id \
         LEFT JOIN organization_members m ON m.organization_id = i.organization_id AND m.user_id = t.user_id \
         WHERE ", valid_token!(), " AND i.id = $3 AND i.expires_at > $2 AND (i.secret_hash = $4 OR lower(u.email) = lower(i.email)) \
         FOR UPDATE OF i"
    );
    FindBySecret = concat!(
        "SELECT ", invite_columns!(), " FROM email_invites i JOIN organizations o ON o.id = i.organization_id \
         WHERE i.id = $1 AND i.expires_at > $2 AND i.secret_hash = $3 FOR UPDATE OF i"
    );
    UseUp = "DELETE FROM email_invites WHERE organization_id = $1 AND id = $2";
}

#[derive(QueryableByName)]
struct InviteColumns {
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = Nullable<SmallInt>)]
    invite_role: Option<i16>,
    #[diesel(sql_type = Bool)]
    sso: bool,
    #[diesel(sql_type = Bool)]
    is_blocked: bool,
}

#[derive(QueryableByName)]
struct PersonColumns {
    #[diesel(sql_type = Nullable<SmallInt>)]
    member_role: Option<i16>,
    #[diesel(sql_type = Nullable<Bool>)]
    member_disabled: Option<bool>,
    #[diesel(sql_type = Bool)]
    is_theirs: bool,
}

impl PersonColumns {
    /// The actor's membership in the organization that invites.
    fn membership(&self) -> Result<Membership> {
        joined_membership(self.member_role, self.member_disabled)
    }
}

/// SHA-256 of a secret, the form in which it is stored.
pub(super) fn secret_hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

impl Tx<'_> {
    /// Accepts an e-mail invite for the actor and deletes it.
    pub(super) fn accept_email_invite(
        &mut self,
        invite: InviteId,
        secret: Option<&str>,
    ) -> Result<OrganizationId> {
        let row: Option<(ActorColumns, InviteColumns, PersonColumns)> = FindAcceptable::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*invite.as_uuid()),
            val::<Nullable<Binary>, _>(secret.map(secret_hash)),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((actor, found, person)) = row else { return self.not_found() };
        let actor = self.seen(actor)?;
        let organization = OrganizationId::from_uuid(found.organization_id);
        self.reach(organization, None);
        if !actor.token_allows_own(OwnAction::AcceptInvite) || !person.membership()?.may_accept_invites() {
            return Err(Error::Forbidden { action: Action::VisitOrganization });
        }
        let sso = grants_sso(found.sso, person.is_theirs);
        self.use_up(invite, &found, actor.user, sso)?;
        Ok(organization)
    }

    /// Creates an account with a token for the bearer of an invite's secret, and accepts the invite with it. An existing account
    /// with the invited address makes no difference. The new account has no address: the secret proves that its bearer is invited,
    /// not that the address is theirs.
    ///
    /// # Errors
    /// 404 without such an invite or with a wrong secret; 403 while the organization is blocked.
    pub fn register_with_invite(
        &mut self,
        invite: InviteId,
        secret: &str,
        display_name: Option<&str>,
    ) -> Result<Registered> {
        let found: Option<InviteColumns> = FindBySecret::bind((
            val::<SqlUuid, _>(*invite.as_uuid()),
            self.now_bind(),
            val::<Binary, _>(secret_hash(secret)),
        ))
        .get_result(self.connection)
        .optional()?;
        let found = found.ok_or(Error::NotFound)?;
        let organization = OrganizationId::from_uuid(found.organization_id);
        self.reach(organization, None);
        let local_part = found.email.split('@').next().unwrap_or_default();
        let user = self.create_user(None, display_name.unwrap_or(local_part))?;
        self.note_made("user", user);
        let issued = self.issue_token(user, TOKEN_LABEL, false, None)?;
        self.seen = Some(Actor { user, token: issued.id, read_only: false });
        // The new account has no address.
        let sso = grants_sso(found.sso, false);
        self.use_up(invite, &found, user, sso)?;
        Ok(Registered { organization, user, token: issued.token })
    }

    fn use_up(&mut self, invite: InviteId, found: &InviteColumns, user: UserId, sso: bool) -> Result<()> {
        if found.is_blocked {
            return Err(refused(Reason::OrganizationBlocked));
        }
        UseUp::bind((val::<SqlUuid, _>(found.organization_id), val::<SqlUuid, _>(*invite.as_uuid())))
            .execute(self.connection)?;
        let organization = OrganizationId::from_uuid(found.organization_id);
        self.join(organization, user, role_from_rank(found.invite_role)?, sso)
    }
}
