//! Changes and removal of members.

use diesel::prelude::*;
use quire_database::functions::{array_remove, cardinality};
use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::{ADMINISTRATOR, Administrators, Membership};
use quire_domain::webhooks::EventKind;
use uuid::Uuid;

use super::ShownMember;
use crate::lookup::{Authorized, OfOrganization};
use crate::operations::webhooks::Event;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{api_tokens, organization_members, organizations};
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Returns the event about a member with this role. A guest has no role.
pub(crate) fn member_event(kind: EventKind, user: UserId, role: Option<Role>) -> Event {
    Event::new(kind).with("userId", user).with_some("role", role.map(Role::as_str))
}

impl Tx<'_> {
    /// Locks an organization until the transaction ends, before any of its spaces. Decisions that depend on all of its
    /// members, such as the rule that one of them is an administrator, are thus made by one transaction at a time.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization no longer exists.
    pub fn lock_organization_of<T: OfOrganization>(&mut self, inside: &Authorized<T>) -> Result<()> {
        self.lock_organization(inside.organization())
    }

    /// See [`Tx::lock_organization_of`].
    pub(crate) fn lock_organization(&mut self, organization: OrganizationId) -> Result<()> {
        let locked: Option<Uuid> = organizations::table
            .find(organization)
            .for_no_key_update()
            .select(organizations::id)
            .get_result(self.connection)
            .optional()?;
        locked.map(drop).ok_or(Error::NotFound)
    }

    /// Changes the role of a member. The organization must be locked.
    ///
    /// # Errors
    /// 409 if the organization would have no administrator.
    pub fn set_member_role(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: &ShownMember,
        role: Option<Role>,
    ) -> Result<()> {
        self.require_administrator_after(
            organization.id,
            member.id,
            Membership::of_member(role, member.disabled),
        )?;
        diesel::update(organization_members::table.find((organization.id, member.id)))
            .set((
                organization_members::role.eq(role.map(Role::rank)),
                // The role is now set by a person. Claim rules change only roles that they set themselves.
                organization_members::rule_role.eq(None::<i16>),
            ))
            .execute(self.connection)?;
        self.emit(organization.id, member_event(EventKind::MemberUpdated, member.id, role))
    }

    /// Sets whether a member may sign in with single sign-on.
    pub fn set_member_sso(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: &ShownMember,
    ) -> Result<()> {
        diesel::update(organization_members::table.find((organization.id, member.id)))
            .set(organization_members::sso.eq(true))
            .execute(self.connection)?;
        Ok(())
    }

    /// Removes a member with its grants, its team memberships and its tokens for only this organization. Other tokens
    /// lose access to it. The organization must be locked.
    ///
    /// # Errors
    /// 409 if the organization would have no administrator.
    pub fn remove_member(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: &ShownMember,
    ) -> Result<()> {
        self.end_membership(organization.id, member.id)
    }

    /// See [`Tx::remove_member`].
    pub(crate) fn end_membership(&mut self, organization: OrganizationId, member: UserId) -> Result<()> {
        self.require_administrator_after(organization, member, Membership::Outsider)?;
        let id = organization;
        diesel::delete(organization_members::table.find((id, member))).execute(self.connection)?;
        let tokens = || {
            api_tokens::table
                .filter(api_tokens::user_id.eq(member))
                .filter(api_tokens::organizations.assume_not_null().contains(vec![Some(id)]))
        };
        let of_this_alone = cardinality(api_tokens::organizations.assume_not_null()).eq(1);
        diesel::delete(tokens().filter(of_this_alone)).execute(self.connection)?;
        diesel::update(tokens())
            .set(api_tokens::organizations.eq(array_remove(api_tokens::organizations, id)))
            .execute(self.connection)?;
        self.emit(organization, Event::new(EventKind::MemberRemoved).with("userId", member))
    }

    /// Disables or enables a member. Returns whether the member exists. The organization must be locked.
    ///
    /// # Errors
    /// 409 if the organization would have no administrator.
    pub(crate) fn set_member_disabled(
        &mut self,
        organization: OrganizationId,
        user: UserId,
        disabled: bool,
    ) -> Result<bool> {
        if disabled {
            self.require_administrator_after(organization, user, Membership::Disabled)?;
        }
        let changed = diesel::update(organization_members::table.find((organization, user)))
            .set(organization_members::disabled.eq(disabled))
            .execute(self.connection)?;
        Ok(changed > 0)
    }

    /// Refuses a change of a membership after which the organization would have no administrator. The organization must
    /// be locked.
    fn require_administrator_after(
        &mut self,
        organization: OrganizationId,
        member: UserId,
        after: Membership,
    ) -> Result<()> {
        match self.has_administrator_after(organization, member, after)? {
            true => Ok(()),
            false => Err(Error::refused(Reason::LastAdmin, Reason::LastAdmin.message())),
        }
    }

    /// Returns whether the organization has an administrator after a change of a membership. The organization must be
    /// locked.
    pub(crate) fn has_administrator_after(
        &mut self,
        organization: OrganizationId,
        member: UserId,
        after: Membership,
    ) -> Result<bool> {
        let counted: Vec<bool> = organization_members::table
            .filter(organization_members::organization_id.eq(organization))
            .filter(organization_members::role.eq(ADMINISTRATOR.rank()))
            .filter(organization_members::disabled.eq(false))
            .order(organization_members::user_id.ne(member))
            .limit(2)
            .select(organization_members::user_id.eq(member))
            .load(self.connection)?;
        let others = counted.iter().filter(|is_member| !**is_member).count();
        let others = u64::try_from(others).unwrap_or(u64::MAX);
        let administrators = Administrators { includes_member: counted.contains(&true), others };
        Ok(administrators.allow_change_to(after))
    }
}

impl SystemTx<'_> {
    /// Disables or enables a member, for the command line. Returns whether the member exists.
    ///
    /// # Errors
    /// 409 if the organization would have no administrator.
    pub fn disable_member(
        &mut self,
        organization: OrganizationId,
        user: UserId,
        disabled: bool,
    ) -> Result<bool> {
        self.lock_organization(organization)?;
        self.set_member_disabled(organization, user, disabled)
    }
}
