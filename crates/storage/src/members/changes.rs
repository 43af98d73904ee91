//! Members that change and leave.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, SmallInt, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::{ADMINISTRATOR, Administrators, Membership};
use quire_domain::webhooks::EventKind;

use super::MemberRecord;
use crate::lookup::{Authorized, OfOrganization, OrganizationRecord};
use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::webhooks::Event;
use crate::{Error, Result};

statements! {
    LockOrganization = "SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE";
    CountAdministrators = "SELECT count(*) FILTER (WHERE user_id = $2) AS itself, count(*) FILTER (WHERE user_id <> $2) AS others \
                           FROM organization_members WHERE organization_id = $1 AND role = $3 AND NOT disabled";
    SetRole = "UPDATE organization_members SET role = $3 WHERE organization_id = $1 AND user_id = $2";
    SetSso = "UPDATE organization_members SET sso = true WHERE organization_id = $1 AND user_id = $2";
    RemoveMember = "DELETE FROM organization_members WHERE organization_id = $1 AND user_id = $2";
    RemoveTokens = "DELETE FROM api_tokens WHERE user_id = $2 AND $1 = ANY (organizations) AND cardinality(organizations) = 1";
    LimitTokens = "UPDATE api_tokens SET organizations = array_remove(organizations, $1) WHERE user_id = $2 AND $1 = ANY (organizations)";
    SetDisabled = "UPDATE organization_members SET disabled = $3 WHERE organization_id = $1 AND user_id = $2";
}

/// Numbers of active administrators.
#[derive(QueryableByName)]
struct AdministratorsRow {
    #[diesel(sql_type = BigInt)]
    itself: i64,
    #[diesel(sql_type = BigInt)]
    others: i64,
}

/// What became of a member, whose role this is now; a guest has none.
pub(crate) fn member_event(kind: EventKind, user: UserId, role: Option<Role>) -> Event {
    Event::new(kind).with("userId", user).with_some("role", role.map(Role::as_str))
}

impl Tx<'_> {
    /// Locks an organization until the transaction ends, before any of its spaces: what depends on all of its members, as the
    /// rule that one administrates it does, is decided by one transaction at a time.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone.
    pub fn lock_organization_of<T: OfOrganization>(&mut self, inside: &Authorized<T>) -> Result<()> {
        self.lock_organization(inside.organization())
    }

    /// As [`Tx::lock_organization_of`].
    pub(crate) fn lock_organization(&mut self, organization: OrganizationId) -> Result<()> {
        let locked =
            LockOrganization::bind((val::<SqlUuid, _>(*organization.as_uuid()),)).execute(self.connection)?;
        if locked == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Gives a member another role. The organization must be locked.
    ///
    /// # Errors
    /// 409 when it would be left without an administrator.
    pub fn set_member_role(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: &MemberRecord,
        role: Option<Role>,
    ) -> Result<()> {
        self.require_administrator_after(
            organization.id,
            member.id,
            Membership::of_member(role, member.disabled),
        )?;
        SetRole::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(*member.id.as_uuid()),
            val::<Nullable<SmallInt>, _>(role.map(Role::rank)),
        ))
        .execute(self.connection)?;
        self.emit(organization.id, member_event(EventKind::MemberUpdated, member.id, role))
    }

    /// Lets a member log in with single sign-on.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn set_member_sso(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: &MemberRecord,
    ) -> Result<()> {
        SetSso::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(*member.id.as_uuid()),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Removes a member with its grants, its places in teams and its tokens for this organization alone; other tokens no
    /// longer reach it. The organization must be locked.
    ///
    /// # Errors
    /// 409 when it would be left without an administrator.
    pub fn remove_member(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: &MemberRecord,
    ) -> Result<()> {
        self.require_administrator_after(organization.id, member.id, Membership::Outsider)?;
        let ids = || (val::<SqlUuid, _>(*organization.id.as_uuid()), val::<SqlUuid, _>(*member.id.as_uuid()));
        RemoveMember::bind(ids()).execute(self.connection)?;
        RemoveTokens::bind(ids()).execute(self.connection)?;
        LimitTokens::bind(ids()).execute(self.connection)?;
        self.emit(organization.id, Event::new(EventKind::MemberRemoved).with("userId", member.id))
    }

    /// Refuses a change of a membership that leaves the organization without an administrator. The organization must be locked.
    fn require_administrator_after(
        &mut self,
        organization: OrganizationId,
        member: UserId,
        after: Membership,
    ) -> Result<()> {
        let counted: AdministratorsRow = CountAdministrators::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*member.as_uuid()),
            val::<SmallInt, _>(ADMINISTRATOR.rank()),
        ))
        .get_result(self.connection)?;
        let others = u64::try_from(counted.others).unwrap_or(0);
        let administrators = Administrators { includes_member: counted.itself > 0, others };
        if administrators.allow_change_to(after) {
            return Ok(());
        }
        Err(Error::refused(Reason::LastAdmin, Reason::LastAdmin.message()))
    }
}

impl SystemTx<'_> {
    /// Takes a member's access, or gives it back: what the command line does. Answers whether there is such a member.
    ///
    /// # Errors
    /// 409 when the organization would be left without an administrator.
    pub fn disable_member(
        &mut self,
        organization: OrganizationId,
        user: UserId,
        disabled: bool,
    ) -> Result<bool> {
        self.lock_organization(organization)?;
        if disabled {
            self.require_administrator_after(organization, user, Membership::Disabled)?;
        }
        let changed = SetDisabled::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*user.as_uuid()),
            val::<diesel::sql_types::Bool, _>(disabled),
        ))
        .execute(self.connection)?;
        Ok(changed > 0)
    }
}
