//! What stands where on a site: sections, groups of sections, and spaces.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Customization, Site};
use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId, SpaceId};
use crate::object::{PublishedSiteTag, SiteSectionGroupTag, SiteSectionTag, SiteSpaceTag};
use crate::patch::{self, Patch};
use crate::spaces::Space;
use crate::{bounds, list, text, texts};

/// A section of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSection {
    /// Always `site-section`.
    pub object: SiteSectionTag,
    /// Id of the section.
    pub id: SiteSectionId,
    /// Title of the section, 2 to 128 characters.
    pub title: String,
    /// Description of the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Whether it is the site's default section.
    pub default: bool,
    /// Path of the section on the site.
    pub path: String,
    /// CEL expression over `visitor.claims`. Only visitors for whom it is true see the section. Absent: all visitors do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub condition: Option<String>,
    /// The group that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub section_group: Option<SiteSectionGroupId>,
    /// The spaces that stand in it.
    pub site_spaces: Vec<SiteSpace>,
    /// URLs of the section.
    pub urls: PublishedAt,
    /// Icon name of the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<String>,
}

/// A space's place on a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSpace {
    /// Always `site-space`.
    pub object: SiteSpaceTag,
    /// Id of the site space.
    pub id: SiteSpaceId,
    /// Path of the site space in its section, or on a site without sections.
    pub path: String,
    /// The section that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub section: Option<SiteSectionId>,
    /// The space.
    pub space: Space,
    /// The space's title.
    pub title: String,
    /// Whether it is the default of its section, or of a site without sections.
    pub default: bool,
    /// CEL expression over `visitor.claims`. Only visitors for whom it is true see the site space. Absent: all visitors do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub condition: Option<String>,
    /// Whether the site's type brings advanced customization.
    pub has_advanced_customization_feature: bool,
    /// URLs of the site space.
    pub urls: PublishedAt,
}

/// A group of sections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSectionGroup {
    /// Always `site-section-group`.
    pub object: SiteSectionGroupTag,
    /// Id of the group.
    pub id: SiteSectionGroupId,
    /// Title of the section group.
    pub title: String,
    /// The sections in it.
    pub sections: Vec<SiteSection>,
    /// Icon name of the section group.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<String>,
}

/// URLs of a part of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PublishedAt {
    /// For the site's audience. Absent while the site isn't published.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub published: Option<String>,
}

/// All that stands on a site, in its order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum SiteStructure {
    /// Sections and groups of them.
    Sections {
        /// The sections and groups.
        structure: Vec<StructureItem>,
    },
    /// Spaces alone.
    SiteSpaces {
        /// The spaces.
        structure: Vec<SiteSpace>,
    },
}

/// A section, or a group of sections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum StructureItem {
    /// A section outside of all groups.
    Section(SiteSection),
    /// A group.
    Group(SiteSectionGroup),
}

/// What a renderer of a site needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PublishedSite {
    /// Always `published-content-site`.
    pub object: PublishedSiteTag,
    /// The site.
    pub site: Site,
    /// What stands on it, as far as the visitor may see.
    pub structure: SiteStructure,
    /// How it looks.
    pub customizations: PublishedCustomizations,
    /// Scripts of integrations that pages load. There are none as long as scripts are stored and not run.
    pub scripts: Vec<SiteScript>,
}

/// A script of an integration that the pages of a site load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteScript {
    /// Address of the script.
    #[schema(format = "uri")]
    pub script: String,
    /// Content security policy that the script needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub content_security_policy: Option<String>,
    /// True for a script that sets cookies.
    pub cookies: bool,
}

/// How a site looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedCustomizations {
    /// The site's settings.
    pub site: Customization,
    /// The settings of single site spaces, by their ids, where they differ: none can be set here.
    pub site_spaces: BTreeMap<SiteSpaceId, Customization>,
}

/// Who asks for what is published.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct VisitorQuery {
    /// The key of a share link of the site.
    #[validate(custom(function = "texts::ShareKey::check"))]
    #[param(value_type = String, max_length = 100, required = false, nullable = false)]
    pub share_key: Option<texts::ShareKey>,
    /// What the organization says about the visitor: a JSON Web Token, signed with HS256 and the organization's visitor key. Its claims are
    /// `visitor.claims` of conditions, on sites with adaptive content. It stands in for an API token.
    #[validate(custom(function = "texts::VisitorToken::check"))]
    #[param(value_type = String, max_length = 4096, required = false, nullable = false)]
    pub jwt_token: Option<texts::VisitorToken>,
    /// What the visitor says about itself, as a JSON object: `visitor.claims.unsigned` of conditions, on sites with adaptive content.
    #[validate(custom(function = "texts::VisitorClaims::check"))]
    #[param(value_type = String, max_length = 4096, required = false, nullable = false)]
    pub claims: Option<texts::VisitorClaims>,
}

/// Who asks for a space that is shared by a link.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ShareKeyQuery {
    /// The key of a share link of a site that the space stands on.
    #[validate(custom(function = "texts::ShareKey::check"))]
    #[param(value_type = String, max_length = 100, required = false, nullable = false)]
    pub share_key: Option<texts::ShareKey>,
}

/// The query parameters of a list of site spaces.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct SiteSpaceListQuery {
    /// Cursor: `next.page` of the previous page. Returns the first page if absent.
    #[validate(custom(function = "text::no_nul"))]
    #[param(nullable = false)]
    pub page: Option<String>,
    /// Maximum number of items per page.
    #[serde(deserialize_with = "list::limit")]
    #[validate(custom(function = "list::limit_in_bounds"))]
    #[param(schema_with = list::limit_schema, required = false)]
    pub limit: Option<u64>,
    /// Only defaults, or only the others.
    #[param(nullable = false)]
    pub default: Option<bool>,
}

/// Request body to add a section to a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionCreate {
    /// The space that stands in it first.
    pub space_id: SpaceId,
    /// Title of the section; the space's when absent or null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::NewSectionTitle::check"))]
    #[schema(value_type = Option<texts::NewSectionTitle>)]
    pub title: Option<texts::NewSectionTitle>,
    /// Icon name of the section; none when absent or null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    pub icon: Option<texts::Icon>,
}

/// Request body to update a section. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SectionUpdate {
    /// Title of the section.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SiteTitle::check"))]
    #[schema(value_type = texts::SiteTitle, required = false)]
    pub title: Option<texts::SiteTitle>,
    /// Path of the section, unique on the site.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SitePath::check"))]
    #[schema(value_type = texts::SitePath, required = false)]
    pub path: Option<texts::SitePath>,
    /// The space to show first.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub default_site_space: Option<SiteSpaceId>,
    /// CEL expression over `visitor.claims`. Only visitors for whom it is true see the section; `null` for all visitors.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Condition::check"))]
    #[schema(value_type = Option<texts::Condition>)]
    pub condition: Patch<texts::Condition>,
    /// Icon name of the section; `null` for none.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    pub icon: Patch<texts::Icon>,
    /// What it is about; `null` for nothing.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::SectionDescription::check"))]
    #[schema(value_type = Option<texts::SectionDescription>)]
    pub description: Patch<texts::SectionDescription>,
}

/// Request body to add a space to a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSpaceCreate {
    /// The space.
    pub space_id: SpaceId,
    /// The section; the default one, or the site itself without sections, when absent.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub section_id: Option<SiteSectionId>,
}

/// Request body to update a site space. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SiteSpaceUpdate {
    /// Path of the site space, unique in its section or on a site without sections.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SitePath::check"))]
    #[schema(value_type = texts::SitePath, required = false)]
    pub path: Option<texts::SitePath>,
    /// CEL expression over `visitor.claims`. Only visitors for whom it is true see the site space; `null` for all visitors.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Condition::check"))]
    #[schema(value_type = Option<texts::Condition>)]
    pub condition: Patch<texts::Condition>,
}

/// Request body to create a group of sections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionGroupCreate {
    /// Title of the section group.
    #[validate(custom(function = "texts::SectionGroupTitle::check"))]
    pub title: texts::SectionGroupTitle,
    /// Icon name of the section group; none when absent or null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    pub icon: Option<texts::Icon>,
    /// The sections to put into it.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "text::count::<0, { bounds::SECTION_GROUP_SECTIONS_MAX }, _>"))]
    #[schema(nullable = false, max_items = 100)]
    pub sections: Option<Vec<SiteSectionId>>,
}

/// Request body to update a group of sections. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SectionGroupUpdate {
    /// Title of the section group.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SectionGroupTitle::check"))]
    #[schema(value_type = texts::SectionGroupTitle, required = false)]
    pub title: Option<texts::SectionGroupTitle>,
    /// Icon name of the section group; `null` for none.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    pub icon: Patch<texts::Icon>,
}

/// The body that puts a section into a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionInGroup {
    /// The section.
    pub section_id: SiteSectionId,
}
