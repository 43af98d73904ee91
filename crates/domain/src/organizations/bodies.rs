//! Request bodies to create and update organizations.

#[cfg(feature = "postgres")]
use diesel::prelude::AsChangeset;
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use super::{CommunityType, DefaultContent, OrganizationType, OrganizationUseCase};
use crate::merge_rules::{self, MergeRules};
use crate::patch::{self, Patch};
use crate::role::Role;
#[cfg(feature = "postgres")]
use crate::schema::organizations;
use crate::{bounds, texts};

/// Request body to create an organization.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationCreate {
    /// Title of the organization.
    #[validate(custom(function = "texts::OrganizationTitle::check"))]
    pub title: texts::OrganizationTitle,
    /// E-mail domains of the organization's people, such as `example.com`. At most 100.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::EmailDomain::check_list::<0, { bounds::EMAIL_DOMAINS_MAX }>"))]
    #[schema(value_type = Vec<texts::EmailDomain>, required = false, max_items = 100)]
    pub email_domains: Option<Vec<texts::EmailDomain>>,
    /// Label below the service's domain, under which public content is served.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SubdomainLabel::check"))]
    #[schema(value_type = texts::SubdomainLabel, required = false)]
    pub hostname: Option<texts::SubdomainLabel>,
    /// Type of the organization. Default: `business`.
    #[serde(default, rename = "type", deserialize_with = "patch::present")]
    pub organization_type: Option<OrganizationType>,
    /// Intended use of the service.
    #[serde(default, deserialize_with = "patch::present")]
    pub use_case: Option<OrganizationUseCase>,
    /// Type of community. Only for communities.
    #[serde(default, deserialize_with = "patch::present")]
    pub community_type: Option<CommunityType>,
    /// Role of new members; `null` for guests. Default: `read`.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub default_role: Patch<Role>,
}

/// Request body to update an organization. Absent keys leave their values unchanged.
// The changeset leaves out fields that can be removed, which `Patch::assign` writes, and fields that depend on others.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = organizations))]
#[serde(rename_all = "camelCase", default)]
pub struct OrganizationUpdate {
    /// Title of the organization.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::OrganizationTitle::check"))]
    #[schema(value_type = texts::OrganizationTitle, required = false)]
    pub title: Option<texts::OrganizationTitle>,
    /// E-mail domains of the organization's people, such as `example.com`. At most 100. Replaces the previous list.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::EmailDomain::check_list::<0, { bounds::EMAIL_DOMAINS_MAX }>"))]
    #[schema(value_type = Vec<texts::EmailDomain>, required = false, max_items = 100)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub email_domains: Option<Vec<texts::EmailDomain>>,
    /// Label below the service's domain, under which public content is served. `null` removes it.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::SubdomainLabel::check"))]
    #[schema(value_type = Option<texts::SubdomainLabel>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub hostname: Patch<texts::SubdomainLabel>,
    /// Role of new members; `null` for guests.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub default_role: Patch<Role>,
    /// Content shown first in the app. `null` removes it.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<DefaultContent>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub default_content: Patch<DefaultContent>,
    /// URL of the logo. `null` removes it.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub logo: Patch<texts::Url>,
    /// `true` to enforce single sign-on.
    #[serde(deserialize_with = "patch::present")]
    pub sso: Option<bool>,
    /// `true` to require a second factor of members who act by sessions. Requires a second factor of the caller.
    #[serde(deserialize_with = "patch::present")]
    pub second_factor_required: Option<bool>,
    /// `true` to enable AI features.
    #[serde(deserialize_with = "patch::present")]
    pub ai: Option<bool>,
    /// `true` to enable invite links.
    #[serde(deserialize_with = "patch::present")]
    pub invite_links: Option<bool>,
    /// Rules that change requests of spaces with inherited rules must meet to be merged. Users that they name must be
    /// members of the organization.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "merge_rules::check_of_organization"))]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub merge_rules: Option<MergeRules>,
}
