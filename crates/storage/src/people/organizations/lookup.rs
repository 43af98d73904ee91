//! Organizations.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::OrganizationId;
use quire_domain::merge_rules::MergeRules;
use quire_domain::policy::{Action, Membership};
use serde_json::Value;

use crate::Result;
use crate::diesel_types::Json;
use crate::lookup::{ActorRow, Found, Guarded, OfOrganization};
use crate::transaction::Reader;
use crate::views::{Access, RequiresFactor, organization_access};

/// An organization as it is stored, with what depends on who looks at it.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = organization_access, check_for_backend(Pg))]
pub struct OrganizationRecord {
    /// Its id.
    pub id: OrganizationId,
    /// Its title.
    pub title: String,
    /// The name under which its public content is served.
    pub hostname: Option<String>,
    /// `business` or `community`.
    #[diesel(column_name = type_)]
    pub kind: String,
    /// Its purpose of using Quire.
    pub use_case: Option<String>,
    /// Kind of a community.
    pub community_type: Option<String>,
    /// E-mail domains whose people may find it.
    pub email_domains: Vec<String>,
    /// The role that new members get; `None`: guest.
    pub default_role: Option<Role>,
    /// Content that visitors of its hostname see.
    pub default_content: Option<Value>,
    /// Single sign-on is enforced.
    pub sso: bool,
    /// Members who act by sessions need a second factor.
    #[diesel(
        select_expression = RequiresFactor(organization_access::id),
        select_expression_type = RequiresFactor<organization_access::id>,
    )]
    pub second_factor_required: bool,
    /// AI features are enabled.
    pub ai: bool,
    /// Invite links are enabled.
    pub invite_links: bool,
    /// Its plan.
    pub plan: String,
    /// Its billing, as the deployment's admin stored it.
    pub billing: Option<Value>,
    /// The move to another system of billing that it has before it, as the deployment's admin stored it.
    pub billing_migration: Option<Value>,
    /// Its trial, as the deployment's admin stored it.
    pub trial: Value,
    /// The address of its logo.
    pub logo: Option<String>,
    /// A hostname of its own.
    pub custom_hostname: Option<String>,
    /// Why it is blocked, when it is.
    pub blocked_reason: Option<String>,
    /// The text search configuration of its content.
    pub search_language: String,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// Its rules for merging; `None`: none.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub merge_rules: Option<MergeRules>,
    /// The actor is one of its members. Others see it only in the search for an organization to join.
    pub is_member: bool,
    /// The actor's role in it; `None` for a guest.
    pub member_role: Option<Role>,
    /// The actor owns one of its teams.
    pub owns_team: bool,
}

impl OrganizationRecord {
    /// The actor's membership. A lookup that finds it for a disabled member takes the member for an outsider.
    #[must_use]
    pub fn membership(&self) -> Membership {
        if self.is_member { Membership::active(self.member_role) } else { Membership::Outsider }
    }

    /// Returns whether it is blocked. A blocked organization and its content are read-only.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.blocked_reason.is_some()
    }
}

impl OfOrganization for OrganizationRecord {
    fn organization(&self) -> OrganizationId {
        self.id
    }
}

impl Guarded for OrganizationRecord {
    const VIEW: Action = Action::ViewOrganization;

    /// Only members find an organization; what they may do, guests among them, follows from their membership.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }
}

impl Reader<'_> {
    /// Returns an organization to one of its members, with one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error), or [`Error::NotFound`](crate::Error) if it does not exist or the actor
    /// is not a member of it.
    pub fn organization(&mut self, id: OrganizationId) -> Result<Found<OrganizationRecord>> {
        let row: Option<(ActorRow, OrganizationRecord)> = organization_access::table
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::is_member)
            .filter(organization_access::id.eq(id))
            .select((organization_access::table::actor(), OrganizationRecord::as_select()))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, organization)) = row else { return self.not_found() };
        self.found_organization(actor, organization)
    }

    /// Notes the organization and the actor of a lookup.
    pub(crate) fn found_organization(
        &mut self,
        actor: ActorRow,
        value: OrganizationRecord,
    ) -> Result<Found<OrganizationRecord>> {
        self.record_tenant(value.id, None);
        Ok(Found {
            actor: self.record_actor(actor)?,
            role: value.member_role,
            blocked: value.is_blocked(),
            value,
        })
    }
}
