//! Members that change and leave.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, SmallInt, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::webhooks::EventKind;

use super::MemberRecord;
use crate::list::CountRow;
use crate::lookup::{Authorized, OfOrganization, OrganizationRecord};
use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::webhooks::Event;
use crate::{Error, Result};

statements! {
    LockOrganization = "SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE";
    CountOtherAdmins = "SELECT count(*) AS total FROM organization_members \
                        WHERE organization_id = $1 AND role = 6 AND NOT disabled AND user_id <> $2";
    SetRole = "UPDATE organization_members SET role = $3 WHERE organization_id = $1 AND user_id = $2";
    SetSso = "UPDATE organization_members SET sso = true WHERE organization_id = $1 AND user_id = $2";
    RemoveMember = "DELETE FROM organization_members WHERE organization_id = $1 AND user_id = $2";
    RemoveTokens = "DELETE FROM api_tokens WHERE user_id = $2 AND $1 = ANY (organizations) AND cardinality(organizations) = 1";
    LimitTokens = "UPDATE api_tokens SET organizations = array_remove(organizations, $1) WHERE user_id = $2 AND $1 = ANY (organizations)";
    SetDisabled = "UPDATE organization_members SET disabled = $3 WHERE organization_id = $1 AND user_id = $2";
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
        if role != Some(Role::Admin) {
            self.require_other_admin(organization.id, member)?;
        }
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
        self.require_other_admin(organization.id, member)?;
        let ids = || (val::<SqlUuid, _>(*organization.id.as_uuid()), val::<SqlUuid, _>(*member.id.as_uuid()));
        RemoveMember::bind(ids()).execute(self.connection)?;
        RemoveTokens::bind(ids()).execute(self.connection)?;
        LimitTokens::bind(ids()).execute(self.connection)?;
        self.emit(organization.id, Event::new(EventKind::MemberRemoved).with("userId", member.id))
    }

    fn require_other_admin(&mut self, organization: OrganizationId, member: &MemberRecord) -> Result<()> {
        if member.role != Some(Role::Admin) || member.disabled {
            return Ok(());
        }
        let others: CountRow = CountOtherAdmins::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*member.id.as_uuid()),
        ))
        .get_result(self.connection)?;
        if others.total == 0 { Err(last_admin()) } else { Ok(()) }
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
        let others: CountRow = CountOtherAdmins::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*user.as_uuid()),
        ))
        .get_result(self.connection)?;
        if disabled && others.total == 0 {
            return Err(last_admin());
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

fn last_admin() -> Error {
    Error::refused(Reason::LastAdmin, Reason::LastAdmin.message())
}
