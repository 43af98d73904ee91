//! Sections and spaces of a site, read with a fixed number of statements.

mod groups;
mod sections;
mod spaces;

use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId};
use quire_domain::localized::Localized;
use serde_json::Value;

use crate::content::spaces::SpaceRecord;
use crate::diesel_types::Json;
use crate::schema::site_section_groups;

/// A section as it is stored.
#[derive(Clone, Debug, Queryable)]
pub struct SectionRecord {
    /// Its id.
    pub id: SiteSectionId,
    /// The group that it belongs to.
    pub group: Option<SiteSectionGroupId>,
    /// Its title.
    pub title: String,
    /// Titles in other languages.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub localized_title: Option<Localized>,
    /// Its description.
    pub description: Option<String>,
    /// Descriptions in other languages.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub localized_description: Option<Localized>,
    /// Its path on the site.
    pub path: String,
    /// Path of its address below the root of the site; empty for the default section.
    pub site_path: String,
    /// Condition on the visitors who see it.
    pub condition: Option<String>,
    /// The name of its icon.
    pub icon: Option<String>,
    /// Visitors do not see it.
    pub draft: bool,
    /// Visitors do not see its group.
    pub in_draft: bool,
    /// True for the site's default section.
    pub is_default: bool,
    /// Orders the sections of a site.
    pub order_key: String,
}

/// A space on a site as it is stored.
#[derive(Clone, Debug, Queryable)]
pub struct SiteSpaceRecord {
    /// Its id.
    pub id: SiteSpaceId,
    /// The section that it belongs to.
    pub section: Option<SiteSectionId>,
    /// Its path below the root of the site, without the default section and the default space.
    pub site_path: String,
    /// Its path in its section, or on the site.
    pub path: String,
    /// Titles of its space in other languages.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub localized_title: Option<Localized>,
    /// Condition on the visitors who see it.
    pub condition: Option<String>,
    /// Visitors do not see it.
    pub draft: bool,
    /// Menus leave it out.
    pub hidden: bool,
    /// True for the default of its section, or of a site without sections.
    pub is_default: bool,
    /// Orders the spaces of a site.
    pub order_key: String,
    /// The reader's role on the space.
    pub role: Option<Role>,
    /// The space.
    pub space: SpaceRecord,
}

/// A group of sections as it is stored.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = site_section_groups, check_for_backend(diesel::pg::Pg))]
pub struct GroupRecord {
    /// Its id.
    pub id: SiteSectionGroupId,
    /// Its title.
    pub title: String,
    /// Titles in other languages.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub localized_title: Option<Localized>,
    /// The name of its icon.
    pub icon: Option<String>,
    /// Visitors do not see it.
    pub draft: bool,
    /// Orders the groups of a site among each other and among sections.
    pub position: String,
}

/// A section with the spaces in it, as far as the reader may see them.
#[derive(Clone, Debug)]
pub struct Section {
    /// The section.
    pub section: SectionRecord,
    /// The spaces.
    pub site_spaces: Vec<SiteSpaceRecord>,
}

/// A group with its sections.
#[derive(Clone, Debug)]
pub struct Group {
    /// The group.
    pub group: GroupRecord,
    /// The sections.
    pub sections: Vec<Section>,
}
