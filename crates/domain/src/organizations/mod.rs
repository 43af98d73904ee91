//! Organizations, the owners of everything else.

mod bodies;

use serde::{Deserialize, Deserializer, Serialize};

pub use self::bodies::{OrganizationCreate, OrganizationUpdate};
use crate::features::ToSchema;

use crate::clock::Timestamp;
use crate::error::placed;
use crate::ids::{OrganizationId, SiteId};
use crate::object::{OrganizationTag, SubdomainTag};
use crate::policy::{Action, Membership};
use crate::role::Role;

/// An organization.
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
    /// The e-mail domains of its people.
    pub email_domains: Vec<String>,
    /// The default host name of its public content.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hostname: Option<String>,
    /// What kind of organization it is.
    #[serde(rename = "type")]
    pub organization_type: OrganizationType,
    /// What it uses the service for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub use_case: Option<OrganizationUseCase>,
    /// What kind of community it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub community_type: Option<CommunityType>,
    /// The role of new members; `null` for guests.
    pub default_role: Option<Role>,
    /// What to show first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub default_content: Option<DefaultContent>,
    /// Whether single sign-on is enforced.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sso: Option<bool>,
    /// Whether AI features are used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ai: Option<bool>,
    /// Whether invite links are enabled.
    pub invite_links: bool,
    /// The plan.
    pub plan: Plan,
    /// The state of billing; only administrators see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub billing: Option<Billing>,
    /// URLs of the organization.
    pub urls: OrganizationUrls,
    /// The state of the trial.
    pub trial: Trial,
    /// The custom host name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub custom_hostname: Option<String>,
    /// Why the organization is blocked. Absent when it isn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub blocked: Option<Blocked>,
    /// Deprecated: always `true`.
    #[serde(rename = "internal_isOnNewTrial", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub internal_is_on_new_trial: Option<bool>,
    /// The move to another system of billing that the organization has before it. Absent when there is none. Who sees `billing` sees it.
    #[serde(rename = "internal_billingMigration", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub internal_billing_migration: Option<BillingMigration>,
    /// Permissions of the caller on the organization.
    pub permissions: OrganizationPermissions,
}

/// What kind of organization it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum OrganizationType {
    /// A business.
    Business,
    /// A community.
    Community,
}

/// What an organization uses the service for.
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

/// What kind of community an organization is.
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

/// What to show first of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum DefaultContent {
    /// A site.
    Site {
        /// Id of the site.
        site: SiteId,
    },
}

/// Serde's own way to read a tagged enum forgets which key is wrong.
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
            .map_err(|error| placed::write(&error.path().to_string(), &error.inner().to_string()))
            .map_err(serde::de::Error::custom)?;
        Ok(Self::Site { site })
    }
}

/// The plan of an organization. A self-hosted service bills nobody; the names are the reference's.
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

/// The state of billing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Billing {
    /// How often the organization is billed.
    pub interval: BillingInterval,
    /// When the paid time ends; `null` when it goes on.
    #[schema(required)]
    pub end_date: Option<Timestamp>,
    /// Whether the last payment failed.
    pub has_payment_failed: bool,
    /// Whether the plan ends with the paid time.
    pub is_scheduled_to_cancel: bool,
}

/// How often an organization is billed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BillingInterval {
    /// Each month.
    Monthly,
    /// Each year.
    Yearly,
}

/// The state of the trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trial {
    /// Where the trial stands.
    pub status: TrialStatus,
    /// When it ends or ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub end_date: Option<Timestamp>,
    /// What was decided at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub decision: Option<TrialDecision>,
}

/// Where a trial stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TrialStatus {
    /// No trial is possible.
    NotApplicable,
    /// Not started.
    None,
    /// Running.
    Active,
    /// Finished and decided.
    Ended,
    /// Finished and undecided.
    Expired,
}

/// What was decided at the end of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TrialDecision {
    /// To take a lesser plan.
    Downgrade,
}

/// URLs of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationUrls {
    /// URL of the organization in this API.
    pub location: String,
    /// URL of the organization in the app.
    pub app: String,
    /// Logo of the organization.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub logo: Option<String>,
}

/// Why an organization is blocked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Blocked {
    /// The reason.
    pub reason: BlockReason,
}

/// The reason of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BlockReason {
    /// Its security is in doubt.
    Security,
}

/// A move to another system of billing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BillingMigration {
    /// Until when the organization has to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deadline: Option<Timestamp>,
    /// The discount that it gets for that, 0 to 100 per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub discount_percent: Option<f64>,
    /// Until when the discount holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub discount_end_date: Option<Timestamp>,
}

/// A label below the service's domain, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subdomain {
    /// Always `subdomain`.
    pub object: SubdomainTag,
    /// The label.
    pub subdomain: String,
    /// Whose it is.
    pub target: SubdomainTarget,
    /// Whether content is served below it: not while the organization is blocked.
    pub is_active: bool,
}

/// Whose a subdomain is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SubdomainTarget {
    /// An organization's.
    Organization {
        /// Id of the organization.
        organization: OrganizationId,
    },
}

/// The organizations of people with e-mail addresses in a domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationsByDomain {
    /// The organizations.
    pub organizations: Vec<Organization>,
}

/// Permissions of the caller on an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationPermissions {
    /// See it.
    pub view: bool,
    /// Change its settings, members and teams.
    pub admin: bool,
    /// Whether the caller owns one of its teams.
    pub own_team: bool,
    /// Make spaces and collections at its root.
    pub create_content: bool,
    /// Add OpenAPI specifications.
    #[serde(rename = "createOpenAPISpec")]
    pub create_open_api_spec: bool,
    /// See the state of billing.
    pub view_billing: bool,
    /// List its members.
    pub list_members: bool,
    /// List its teams.
    pub list_teams: bool,
    /// List its integrations.
    pub list_integrations: bool,
}

impl OrganizationPermissions {
    /// What somebody with this membership may do. `own_team` tells whether they own one of its teams.
    pub fn of(membership: Membership, own_team: bool) -> Self {
        Self {
            view: membership.allows(Action::ViewOrganization),
            admin: membership.allows(Action::AdministerOrganization),
            own_team,
            create_content: membership.allows(Action::CreateContent),
            create_open_api_spec: membership.allows(Action::CreateOpenApiSpec),
            view_billing: membership.allows(Action::ViewBilling),
            list_members: membership.allows(Action::ListMembers),
            list_teams: membership.allows(Action::ListTeams),
            list_integrations: membership.allows(Action::ListIntegrations),
        }
    }
}
