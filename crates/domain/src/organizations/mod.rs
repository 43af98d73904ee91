//! Organizations, the owners of all other resources.

mod bodies;

use serde::{Deserialize, Deserializer, Serialize};
use serde_with::{apply, skip_serializing_none};

pub use self::bodies::{OrganizationCreate, OrganizationUpdate};
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::error::path;
use crate::ids::{OrganizationId, SiteId};
use crate::merge_rules::MergeRules;
use crate::object::{OrganizationTag, SubdomainTag};
use crate::policy::{Action, Membership};
use crate::role::Role;

/// An organization.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Organization {
    /// Always `organization`.
    pub object: OrganizationTag,
    /// Id of the organization.
    pub id: OrganizationId,
    /// Name of the organization, 2 to 255 characters.
    pub title: String,
    /// Creation time.
    pub created_at: Timestamp,
    /// E-mail domains of the organization's people.
    pub email_domains: Vec<String>,
    /// Label below the service's domain, under which public content is served. Absent if not set.
    pub hostname: Option<String>,
    /// Type of the organization.
    #[serde(rename = "type")]
    pub organization_type: OrganizationType,
    /// Intended use of the service.
    pub use_case: Option<OrganizationUseCase>,
    /// Type of community.
    pub community_type: Option<CommunityType>,
    /// Role of new members; `null` for guests.
    #[serialize_always]
    #[serde_with(skip_apply)]
    pub default_role: Option<Role>,
    /// Content shown first in the app.
    pub default_content: Option<DefaultContent>,
    /// `true` if single sign-on is enforced.
    pub sso: Option<bool>,
    /// `true` if members who act by sessions need a second factor.
    pub second_factor_required: bool,
    /// `true` if AI features are enabled.
    pub ai: Option<bool>,
    /// `true` if invite links are enabled.
    pub invite_links: bool,
    /// Plan of the organization.
    pub plan: Plan,
    /// State of billing. Visible to administrators only.
    pub billing: Option<Billing>,
    /// Rules that change requests of spaces with inherited rules must meet to be merged. `none` for users who are not
    /// members.
    pub merge_rules: MergeRules,
    /// URLs of the organization.
    pub urls: OrganizationUrls,
    /// State of the trial.
    pub trial: Trial,
    /// Custom host name.
    pub custom_hostname: Option<String>,
    /// Block of the organization. Absent if the organization is not blocked.
    pub blocked: Option<Blocked>,
    /// Deprecated. Always `true`.
    #[serde(rename = "internal_isOnNewTrial")]
    pub internal_is_on_new_trial: Option<bool>,
    /// Pending billing migration. Absent if there is nothing to migrate. Visible to callers who may see `billing`.
    #[serde(rename = "internal_billingMigration")]
    pub internal_billing_migration: Option<BillingMigration>,
    /// Permissions of the caller on the organization.
    pub permissions: OrganizationPermissions,
}

/// Type of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum OrganizationType {
    /// A business.
    Business,
    /// A community.
    Community,
}

/// Intended use of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it, and the reference says no more")]
pub enum OrganizationUseCase {
    InternalDocs,
    DocsSite,
    AudienceControlledSite,
    ProductDocs,
    TeamKnowledgeBase,
    DesignSystem,
    OpenSourceDocs,
    Notes,
    Other,
}

/// Type of a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CommunityType {
    /// A non-profit.
    NonProfit,
    /// An open-source project.
    OpenSource,
    /// A school or university.
    Education,
}

/// Content shown first in the app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum DefaultContent {
    /// Site.
    Site {
        /// Id of the site.
        site: SiteId,
    },
}

/// By hand, because serde's derived code for tagged enums loses the path of an error.
impl<'de> Deserialize<'de> for DefaultContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Kind {
            Site,
        }
        #[derive(Deserialize)]
        struct Keys {
            #[serde(rename = "type")]
            kind: Kind,
            site: SiteId,
        }
        let object = serde_json::Value::Object(serde_json::Map::deserialize(deserializer)?);
        let Keys { kind: Kind::Site, site } = serde_path_to_error::deserialize(object)
            .map_err(|error| path::with_path(&error.path().to_string(), &error.inner().to_string()))
            .map_err(serde::de::Error::custom)?;
        Ok(Self::Site { site })
    }
}

/// Plan of an organization. A self-hosted service sends no bills; the names are those of the API reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it, and the reference says no more")]
pub enum Plan {
    #[serde(rename = "free_2024")]
    Free2024,
    #[serde(rename = "plus_2024")]
    Plus2024,
    #[serde(rename = "pro_2024")]
    Pro2024,
    #[serde(rename = "enterprise_2024")]
    Enterprise2024,
    #[serde(rename = "community_2024")]
    Community2024,
    Free,
    Plus,
    Pro,
    Team,
    Business,
    Legacy,
    Startup,
    Enterprise,
    Community,
    #[serde(rename = "team_oct_2019_free")]
    TeamOct2019Free,
    #[serde(rename = "team_dec_2021")]
    TeamDec2021,
    #[serde(rename = "business_dec_2021")]
    BusinessDec2021,
}

/// State of billing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Billing {
    /// Billing interval.
    pub interval: BillingInterval,
    /// End of the paid period; `null` if it is renewed.
    #[schema(required)]
    pub end_date: Option<Timestamp>,
    /// `true` if the last payment failed.
    pub has_payment_failed: bool,
    /// `true` if the plan ends with the paid period.
    pub is_scheduled_to_cancel: bool,
}

/// Billing interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BillingInterval {
    /// Monthly.
    Monthly,
    /// Yearly.
    Yearly,
}

/// State of a trial.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trial {
    /// Status of the trial.
    pub status: TrialStatus,
    /// Number of trials that the organization has used.
    #[serde(default)]
    #[schema(required)]
    pub count: u32,
    /// End of the trial, in the future or past.
    pub end_date: Option<Timestamp>,
    /// Decision at the end of the trial.
    pub decision: Option<TrialDecision>,
}

/// Status of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TrialStatus {
    /// A trial is not possible.
    NotApplicable,
    /// Not started.
    None,
    /// In progress.
    Active,
    /// Ended with a decision.
    Ended,
    /// Ended without a decision.
    Expired,
}

impl TrialStatus {
    /// Returns the minimum number of trials that an organization with this status has used.
    #[must_use]
    pub const fn least_count(self) -> u32 {
        match self {
            Self::NotApplicable | Self::None => 0,
            Self::Active | Self::Ended | Self::Expired => 1,
        }
    }
}

/// Decision at the end of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TrialDecision {
    /// Downgrade to a lesser plan.
    Downgrade,
}

/// URLs of an organization.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationUrls {
    /// URL of the organization in this API.
    pub location: String,
    /// URL of the organization in the app.
    pub app: String,
    /// Logo of the organization.
    #[schema(nullable = false)]
    pub logo: Option<String>,
}

/// Block of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Blocked {
    /// Reason of the block.
    pub reason: BlockReason,
}

/// Reason of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BlockReason {
    /// Suspected security problem.
    Security,
}

/// Migration to another billing system.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BillingMigration {
    /// Time by which the organization must migrate.
    pub deadline: Option<Timestamp>,
    /// Discount for migrating, 0 to 100 percent.
    pub discount_percent: Option<f64>,
    /// Time until which the discount is valid.
    pub discount_end_date: Option<Timestamp>,
}

/// Label below the service's domain, with its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subdomain {
    /// Always `subdomain`.
    pub object: SubdomainTag,
    /// The label.
    pub subdomain: String,
    /// Owner of the label.
    pub target: SubdomainTarget,
    /// `true` if content is served under the label. `false` while the organization is blocked.
    pub is_active: bool,
}

/// Owner of a subdomain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SubdomainTarget {
    /// Organization.
    Organization {
        /// Id of the organization.
        organization: OrganizationId,
    },
}

/// Organizations with a given e-mail domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationsByDomain {
    /// Organizations that the caller may find.
    pub organizations: Vec<Organization>,
}

/// Permissions of the caller on an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationPermissions {
    /// `true` if the caller may see the organization.
    pub view: bool,
    /// `true` if the caller may open the organization in the app.
    pub access: bool,
    /// `true` if the caller may change its settings, members and teams.
    pub admin: bool,
    /// `true` if the caller owns one of its teams.
    pub own_team: bool,
    /// `true` if the caller may create spaces and collections at its root.
    pub create_content: bool,
    /// `true` if the caller may add OpenAPI specifications.
    #[serde(rename = "createOpenAPISpec")]
    pub create_open_api_spec: bool,
    /// `true` if the caller may see the state of billing.
    pub view_billing: bool,
    /// `true` if the caller may list its members.
    pub list_members: bool,
    /// `true` if the caller may list its teams.
    pub list_teams: bool,
    /// `true` if the caller may list its integrations.
    pub list_integrations: bool,
    /// `true` if the caller may list the integrations that are installed on it.
    pub list_installations: bool,
    /// `true` if the caller may install integrations on it.
    pub install_integration: bool,
}

impl OrganizationPermissions {
    /// Returns the permissions of a user with this membership. `own_team` is true for an owner of one of its teams.
    pub fn of(membership: Membership, own_team: bool) -> Self {
        Self {
            view: membership.allows(Action::ViewOrganization),
            access: membership.allows(Action::ViewOrganization),
            admin: membership.allows(Action::AdministerOrganization),
            own_team,
            create_content: membership.allows(Action::CreateContent),
            create_open_api_spec: membership.allows(Action::CreateOpenApiSpec),
            view_billing: membership.allows(Action::ViewBilling),
            list_members: membership.allows(Action::ListMembers),
            list_teams: membership.allows(Action::ListTeams),
            list_integrations: membership.allows(Action::ListIntegrations),
            list_installations: membership.allows(Action::ListIntegrations),
            install_integration: membership.allows(Action::AdministerOrganization),
        }
    }
}
