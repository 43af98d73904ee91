//! The bodies that make and change organizations.

use serde::{Deserialize, Serialize};

use super::{CommunityType, DefaultContent, OrganizationType, OrganizationUseCase};
use crate::features::{ToSchema, Validate};
use crate::patch::{self, Patch};
use crate::role::Role;
use crate::{bounds, texts};

/// Request body to create an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationCreate {
    /// Title of the organization.
    #[validate(custom(function = "texts::OrganizationTitle::check"))]
    pub title: texts::OrganizationTitle,
    /// The e-mail domains of its people.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::EmailDomain::check_list::<0, { bounds::EMAIL_DOMAINS_MAX }>"))]
    #[schema(value_type = Vec<texts::EmailDomain>, required = false, max_items = 100)]
    pub email_domains: Option<Vec<texts::EmailDomain>>,
    /// The label below the service's domain that its public content is served under.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SubdomainLabel::check"))]
    #[schema(value_type = texts::SubdomainLabel, required = false)]
    pub hostname: Option<texts::SubdomainLabel>,
    /// What kind of organization it is; a business when absent.
    #[serde(
        default,
        rename = "type",
        deserialize_with = "patch::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub organization_type: Option<OrganizationType>,
    /// What it will use the service for.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub use_case: Option<OrganizationUseCase>,
    /// What kind of community it is.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub community_type: Option<CommunityType>,
    /// The role of new members; `read` when absent, `null` for guests.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub default_role: Patch<Role>,
}

/// Request body to update an organization. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OrganizationUpdate {
    /// Title of the organization.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::OrganizationTitle::check"))]
    #[schema(value_type = texts::OrganizationTitle, required = false)]
    pub title: Option<texts::OrganizationTitle>,
    /// The e-mail domains of its people.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::EmailDomain::check_list::<0, { bounds::EMAIL_DOMAINS_MAX }>"))]
    #[schema(value_type = Vec<texts::EmailDomain>, required = false, max_items = 100)]
    pub email_domains: Option<Vec<texts::EmailDomain>>,
    /// The label below the service's domain that its public content is served under; `null` for none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::SubdomainLabel::check"))]
    #[schema(value_type = Option<texts::SubdomainLabel>)]
    pub hostname: Patch<texts::SubdomainLabel>,
    /// The role of new members; `null` for guests.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub default_role: Patch<Role>,
    /// What to show first; `null` for nothing.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<DefaultContent>)]
    pub default_content: Patch<DefaultContent>,
    /// Where its logo is; `null` for none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>)]
    pub logo: Patch<texts::Url>,
    /// Whether single sign-on is enforced.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sso: Option<bool>,
    /// Whether AI features are used.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ai: Option<bool>,
    /// Whether invite links work.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub invite_links: Option<bool>,
}
