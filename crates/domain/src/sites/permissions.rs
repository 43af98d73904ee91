//! Permissions on sites.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::policy::{Action, allows};
use crate::role::Role;

/// Level of members of the organization on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SiteDefaultLevel {
    /// Level of the organization.
    Inherit,
}

/// Permissions of the caller on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SitePermissions {
    /// `true` if the caller may see the settings of the site.
    pub view: bool,
    /// `true` if the caller may open the site in the app.
    pub access: bool,
    /// `true` if the caller may change the site and its structure.
    pub edit: bool,
    /// `true` if the caller may create sites in the organization.
    pub create: bool,
    /// `true` if the caller may publish and delete the site.
    pub admin: bool,
    /// `true` if the caller may install integrations on the site.
    pub install_integration: bool,
    /// `true` if the caller may see the schema of visitors' claims.
    pub view_adaptive_schema: bool,
    /// `true` if the caller may change the schema of visitors' claims.
    pub edit_adaptive_schema: bool,
}

impl SitePermissions {
    /// Returns the permissions of a member with this role in the organization; `None` for other callers.
    #[must_use]
    pub fn of(role: Option<Role>) -> Self {
        let view = allows(role, Action::ViewOrganizationContent);
        let manage = allows(role, Action::ManageSites);
        Self {
            view,
            access: view,
            edit: manage,
            create: manage,
            admin: manage,
            install_integration: manage,
            view_adaptive_schema: view,
            edit_adaptive_schema: manage,
        }
    }
}
