//! Structure of a site: sections, section groups and site spaces.

use std::collections::BTreeMap;

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "postgres")]
use diesel::prelude::{AsChangeset, Queryable, Selectable};
use serde::{Deserialize, Serialize};
#[cfg(feature = "postgres")]
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use super::{Customization, Site};
use crate::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId, SpaceId};
use crate::localized::{self, Localized};
use crate::object::{PublishedSiteTag, SiteSectionGroupTag, SiteSectionTag, SiteSpaceTag};
use crate::patch::{self, Patch};
#[cfg(feature = "postgres")]
use crate::schema::{site_section_groups, site_sections, site_spaces};
use crate::spaces::Space;
#[cfg(feature = "postgres")]
use crate::stored::Json;
use crate::{bounds, list, text_checks, texts};

/// Stored fields of a section, which responses contain unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable))]
#[serde(rename_all = "camelCase")]
pub struct SiteSectionFacts {
    /// Id of the section.
    pub id: SiteSectionId,
    /// Title of the section, 2 to 128 characters.
    pub title: String,
    /// Titles in other languages, by the codes of the languages.
    #[schema(value_type = BTreeMap<crate::translations::Language, String>, required = false)]
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Json<Option<Value>>))]
    pub localized_title: Option<Localized>,
    /// Description of the section.
    pub description: Option<String>,
    /// Descriptions in other languages.
    #[schema(value_type = BTreeMap<crate::translations::Language, String>, required = false)]
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Json<Option<Value>>))]
    pub localized_description: Option<Localized>,
    /// `true` for the default section of the site.
    pub default: bool,
    /// Path of the section on the site.
    pub path: String,
    /// JavaScript expression over `visitor.claims`. Only visitors for whom it is true see the section. Absent: all
    /// visitors do.
    pub condition: Option<String>,
    /// Id of the group that contains the section. Absent outside groups.
    pub section_group: Option<SiteSectionGroupId>,
    /// `true` for a part that visitors do not see yet.
    #[serde(default)]
    pub draft: bool,
    /// Icon name of the section.
    pub icon: Option<String>,
}

/// A section of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSection {
    /// Always `site-section`.
    pub object: SiteSectionTag,
    /// Facts of the section.
    #[serde(flatten)]
    pub facts: SiteSectionFacts,
    /// Site spaces of the section.
    pub site_spaces: Vec<SiteSpace>,
    /// URLs of the section.
    pub urls: PublishedAt,
}

/// Site space: a space on a site.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSpace {
    /// Always `site-space`.
    pub object: SiteSpaceTag,
    /// Id of the site space.
    pub id: SiteSpaceId,
    /// Path of the site space in its section, or on a site without sections.
    pub path: String,
    /// Id of the section that contains the site space. Absent on a site without sections.
    pub section: Option<SiteSectionId>,
    /// Space.
    pub space: Space,
    /// Title of the space.
    pub title: String,
    /// Titles in other languages, by the codes of the languages.
    #[schema(value_type = BTreeMap<crate::translations::Language, String>, required = false)]
    pub localized_title: Option<Localized>,
    /// `true` for the default site space of the section, or of a site without sections.
    pub default: bool,
    /// `true` for a part that visitors do not see yet.
    #[serde(default)]
    pub draft: bool,
    /// `true` for a part that menus leave out. Visitors with its URL see it.
    #[serde(default)]
    pub hidden: bool,
    /// JavaScript expression over `visitor.claims`. Only visitors for whom it is true see the site space. Absent: all
    /// visitors do.
    pub condition: Option<String>,
    /// `true` if the site's type includes advanced customization.
    pub has_advanced_customization_feature: bool,
    /// URLs of the site space.
    pub urls: PublishedAt,
}

/// Stored fields of a section group, which responses contain unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable))]
#[cfg_attr(feature = "postgres", diesel(table_name = site_section_groups, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct SiteSectionGroupFacts {
    /// Id of the group.
    pub id: SiteSectionGroupId,
    /// Title of the section group.
    pub title: String,
    /// Titles in other languages, by the codes of the languages.
    #[schema(value_type = BTreeMap<crate::translations::Language, String>, required = false)]
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Json<Option<Value>>))]
    pub localized_title: Option<Localized>,
    /// `true` for a part that visitors do not see yet.
    #[serde(default)]
    pub draft: bool,
    /// Icon name of the section group.
    pub icon: Option<String>,
}

/// Section group: a menu of sections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteSectionGroup {
    /// Always `site-section-group`.
    pub object: SiteSectionGroupTag,
    /// Facts of the group.
    #[serde(flatten)]
    pub facts: SiteSectionGroupFacts,
    /// Parts of the group: its sections.
    #[serde(default)]
    pub children: Vec<SiteSection>,
    /// Sections of the group.
    pub sections: Vec<SiteSection>,
}

/// URLs of a part of a site.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PublishedAt {
    /// URL for visitors of the site. Absent while the site is not published.
    #[schema(nullable = false)]
    pub published: Option<String>,
}

/// Structure of a site, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum SiteStructure {
    /// Site with sections.
    Sections {
        /// Sections and section groups.
        structure: Vec<StructureItem>,
    },
    /// Site without sections.
    SiteSpaces {
        /// Site spaces.
        structure: Vec<SiteSpace>,
    },
}

/// Section or section group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum StructureItem {
    /// Section outside all groups.
    Section(SiteSection),
    /// Section group.
    Group(SiteSectionGroup),
}

/// Published content of a site, for a renderer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PublishedSite {
    /// Always `published-content-site`.
    pub object: PublishedSiteTag,
    /// Site.
    pub site: Site,
    /// Structure that the visitor may see.
    pub structure: SiteStructure,
    /// Appearance of the site.
    pub customizations: PublishedCustomizations,
    /// Scripts of integrations that pages load. Always empty, because scripts are not run.
    pub scripts: Vec<SiteScript>,
}

/// Script of an integration that the pages of a site load.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteScript {
    /// URL of the script.
    #[schema(format = "uri")]
    pub script: String,
    /// Content security policy of the script.
    #[schema(nullable = false)]
    pub content_security_policy: Option<String>,
    /// `true` for a script that sets cookies.
    pub cookies: bool,
}

/// Appearance of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedCustomizations {
    /// Settings of the site.
    pub site: Customization,
    /// Effective settings of the site spaces with overrides, by site space id. Other site spaces use `site`.
    pub site_spaces: BTreeMap<SiteSpaceId, Customization>,
}

/// Credentials of a visitor.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct VisitorQuery {
    /// Key of a share link of the site.
    #[validate(custom(function = "texts::ShareKey::check"))]
    #[param(value_type = String, max_length = 100, required = false, nullable = false)]
    pub share_key: Option<texts::ShareKey>,
    /// Visitor token, instead of an API token: a JSON Web Token signed with HS256 and the organization's visitor key.
    /// On sites with adaptive content, its claims are `visitor.claims` in conditions.
    #[validate(custom(function = "texts::VisitorToken::check"))]
    #[param(value_type = String, max_length = 4096, required = false, nullable = false)]
    pub jwt_token: Option<texts::VisitorToken>,
    /// Unsigned claims of the visitor, as a JSON object. On sites with adaptive content, they are
    /// `visitor.claims.unsigned` in conditions.
    #[validate(custom(function = "texts::VisitorClaims::check"))]
    #[param(value_type = String, max_length = 4096, required = false, nullable = false)]
    pub claims: Option<texts::VisitorClaims>,
}

/// Credentials for a space that is shared by a link.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ShareKeyQuery {
    /// Key of a share link of a site that contains the space.
    #[validate(custom(function = "texts::ShareKey::check"))]
    #[param(value_type = String, max_length = 100, required = false, nullable = false)]
    pub share_key: Option<texts::ShareKey>,
}

/// Query parameters of a list of site spaces.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct SiteSpaceListQuery {
    /// Cursor: `next.page` of the previous page. Returns the first page if absent.
    #[validate(custom(function = "text_checks::no_nul"))]
    #[param(nullable = false)]
    pub page: Option<String>,
    /// Maximum number of items per page.
    #[serde(deserialize_with = "list::limit")]
    #[validate(custom(function = "list::limit_in_bounds"))]
    #[param(schema_with = list::limit_schema, required = false)]
    pub limit: Option<u64>,
    /// Returns only default (`true`) or other (`false`) site spaces.
    #[param(nullable = false)]
    pub default: Option<bool>,
}

/// Request body to add a section to a site.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionCreate {
    /// Id of the first space in the section.
    pub space_id: SpaceId,
    /// Title of the section. Default: the title of the space.
    #[validate(custom(function = "texts::NewSectionTitle::check"))]
    #[schema(value_type = Option<texts::NewSectionTitle>)]
    pub title: Option<texts::NewSectionTitle>,
    /// Icon name of the section. Absent or `null`: no icon.
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    pub icon: Option<texts::Icon>,
    /// `true` for a part that visitors do not see yet.
    #[serde(default)]
    #[schema(default = false, required = false)]
    pub draft: bool,
}

/// Request body to update a section. Absent keys leave their values unchanged.
// The changeset leaves out fields that can be removed, which `Patch::assign` writes, and fields that depend on others.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = site_sections))]
#[serde(rename_all = "camelCase", default)]
pub struct SectionUpdate {
    /// Title of the section.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SiteTitle::check"))]
    #[schema(value_type = texts::SiteTitle, required = false)]
    pub title: Option<texts::SiteTitle>,
    /// Titles in other languages, by the codes of the languages. `null` removes them.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "localized::check::<texts::kinds::LocalizedTitle>"))]
    #[schema(value_type = Option<BTreeMap<crate::translations::Language, texts::LocalizedTitle>>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub localized_title: Patch<Localized>,
    /// Path of the section, unique on the site.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SitePath::check"))]
    #[schema(value_type = texts::SitePath, required = false)]
    pub path: Option<texts::SitePath>,
    /// Id of the default site space of the section.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub default_site_space: Option<SiteSpaceId>,
    /// JavaScript expression over `visitor.claims`. Only visitors for whom it is true see the section; `null` for all
    /// visitors.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Condition::check"))]
    #[schema(value_type = Option<texts::Condition>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub condition: Patch<texts::Condition>,
    /// Icon name of the section. `null` removes it.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub icon: Patch<texts::Icon>,
    /// Description of the section. `null` or empty removes it.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::SectionDescription::check"))]
    #[schema(value_type = Option<texts::SectionDescription>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub description: Patch<texts::SectionDescription>,
    /// Descriptions in other languages. `null` removes them.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "localized::check::<texts::kinds::SectionDescription>"))]
    #[schema(value_type = Option<BTreeMap<crate::translations::Language, texts::SectionDescription>>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub localized_description: Patch<Localized>,
    /// `true` for a part that visitors do not see yet.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub draft: Option<bool>,
}

/// Request body to add a space to a site.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSpaceCreate {
    /// Id of the space.
    pub space_id: SpaceId,
    /// Id of the section. Default: the default section, or the site itself if it has no sections.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub section_id: Option<SiteSectionId>,
    /// `true` for a part that visitors do not see yet.
    #[serde(default)]
    #[schema(default = false, required = false)]
    pub draft: bool,
}

/// Request body to update a site space. Absent keys leave their values unchanged.
// The changeset leaves out fields that can be removed, which `Patch::assign` writes, and fields that depend on others.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = site_spaces))]
#[serde(rename_all = "camelCase", default)]
pub struct SiteSpaceUpdate {
    /// Titles of the space in other languages, by the codes of the languages. `null` removes them.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "localized::check::<texts::kinds::LocalizedTitle>"))]
    #[schema(value_type = Option<BTreeMap<crate::translations::Language, texts::LocalizedTitle>>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub localized_title: Patch<Localized>,
    /// Path of the site space, unique in its section or on a site without sections.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SitePath::check"))]
    #[schema(value_type = texts::SitePath, required = false)]
    pub path: Option<texts::SitePath>,
    /// JavaScript expression over `visitor.claims`. Only visitors for whom it is true see the site space; `null` for
    /// all visitors.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Condition::check"))]
    #[schema(value_type = Option<texts::Condition>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub condition: Patch<texts::Condition>,
    /// `true` for a part that visitors do not see yet.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub draft: Option<bool>,
    /// `true` for a part that menus leave out. Visitors with its URL see it.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub hidden: Option<bool>,
}

/// Request body to create a section group.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionGroupCreate {
    /// Title of the section group.
    #[validate(custom(function = "texts::SectionGroupTitle::check"))]
    pub title: texts::SectionGroupTitle,
    /// Icon name of the section group. Absent or `null`: no icon.
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    pub icon: Option<texts::Icon>,
    /// Ids of the sections of the group, at most 100.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "text_checks::count::<0, { bounds::SECTION_GROUP_SECTIONS_MAX }, _>"))]
    #[schema(nullable = false, max_items = 100)]
    pub sections: Option<Vec<SiteSectionId>>,
    /// `true` for a part that visitors do not see yet.
    #[serde(default)]
    #[schema(default = false, required = false)]
    pub draft: bool,
}

/// Request body to update a section group. Absent keys leave their values unchanged.
// The changeset leaves out fields that can be removed, which `Patch::assign` writes, and fields that depend on others.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = site_section_groups))]
#[serde(rename_all = "camelCase", default)]
pub struct SectionGroupUpdate {
    /// Title of the section group.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SectionGroupTitle::check"))]
    #[schema(value_type = texts::SectionGroupTitle, required = false)]
    pub title: Option<texts::SectionGroupTitle>,
    /// Titles in other languages, by the codes of the languages. `null` removes them.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "localized::check::<texts::kinds::LocalizedTitle>"))]
    #[schema(value_type = Option<BTreeMap<crate::translations::Language, texts::LocalizedTitle>>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub localized_title: Patch<Localized>,
    /// Icon name of the section group. `null` removes it.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub icon: Patch<texts::Icon>,
    /// `true` for a part that visitors do not see yet.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub draft: Option<bool>,
}

/// Request body to add a section to a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionInGroup {
    /// Id of the section.
    pub section_id: SiteSectionId,
}
