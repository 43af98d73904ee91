//! Lookups of organizations.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::merge_rules::MergeRules;
use quire_domain::policy::{Action, Membership};
use serde_json::Value;

use crate::Result;
use crate::diesel_types::Json;
use crate::lookup::{ActorRow, Found, Guarded, OfOrganization};
use crate::transaction::Reader;
use crate::views::{Access, RequiresFactor, organization_access};

/// Stored organization, with facts that depend on the actor.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = organization_access, check_for_backend(Pg))]
pub struct OrganizationRecord {
    /// Id.
    pub id: OrganizationId,
    /// Title.
    pub title: String,
    /// Name under which its public content is served.
    pub hostname: Option<String>,
    /// `business` or `community`.
    #[diesel(column_name = type_)]
    pub kind: String,
    /// Purpose of using Quire.
    pub use_case: Option<String>,
    /// Kind of community.
    pub community_type: Option<String>,
    /// E-mail domains whose users can find the organization.
    pub email_domains: Vec<String>,
    /// Role of new members; `None` for guests.
    pub default_role: Option<Role>,
    /// Content that the app shows first.
    pub default_content: Option<Value>,
    /// `true` if single sign-on is enforced.
    pub sso: bool,
    /// `true` if sessions of members need a second factor.
    #[diesel(
        select_expression = RequiresFactor(organization_access::id),
        select_expression_type = RequiresFactor<organization_access::id>,
    )]
    pub second_factor_required: bool,
    /// `true` if AI features are enabled.
    pub ai: bool,
    /// `true` if invite links are enabled.
    pub invite_links: bool,
    /// Plan.
    pub plan: String,
    /// Billing data set by the deployment's administrator.
    pub billing: Option<Value>,
    /// Pending migration to another billing system, set by the deployment's administrator.
    pub billing_migration: Option<Value>,
    /// Trial, set by the deployment's administrator.
    pub trial: Value,
    /// URL of the logo.
    pub logo: Option<String>,
    /// Custom hostname.
    pub custom_hostname: Option<String>,
    /// Reason of the block; `None` if the organization is not blocked.
    pub blocked_reason: Option<String>,
    /// Text search configuration of the content.
    pub search_language: String,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// Merge rules; `None` without rules.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub merge_rules: Option<MergeRules>,
    /// `true` if the actor is a member. Other users see the organization only in the search for organizations to join.
    pub is_member: bool,
    /// Role of the actor; `None` for a guest.
    pub member_role: Option<Role>,
    /// `true` if the actor owns a team of the organization.
    pub owns_team: bool,
}

impl OrganizationRecord {
    /// Returns the actor's membership. A disabled member counts as an outsider here.
    #[must_use]
    pub fn membership(&self) -> Membership {
        if self.is_member { Membership::active(self.member_role) } else { Membership::Outsider }
    }

    /// Returns the site that the app shows first.
    #[must_use]
    pub fn first_site(&self) -> Option<SiteId> {
        self.default_content.as_ref()?.get("site")?.as_str()?.parse().ok()
    }

    /// Returns whether the organization is blocked. A blocked organization and its content are read-only.
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

    /// Only members find an organization. Their membership decides which actions are allowed, also for guests.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }
}

impl Reader<'_> {
    /// Returns an organization to one of its members. Takes one statement.
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

    /// Records the organization and the actor of a lookup.
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
