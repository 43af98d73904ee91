//! Reads of the sections and spaces of a site, with a fixed number of statements.

mod groups;
mod sections;
mod spaces;

use std::ops::Deref;

use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::ids::{SiteSectionId, SiteSpaceId};
use quire_domain::localized::Localized;
use quire_domain::sites::{SiteSectionFacts, SiteSectionGroupFacts};
use serde_json::Value;

use crate::content::spaces::SpaceRecord;
use crate::diesel_types::Json;

/// Section with its spaces that the reader may see.
#[derive(Clone, Debug)]
pub struct Section {
    /// Facts that responses show unchanged.
    pub facts: SiteSectionFacts,
    /// Path in URLs below the root of the site; empty for the default section.
    pub site_path: String,
    /// `true` if the group of the section is a draft, which visitors do not see.
    pub in_draft: bool,
    /// Sort key among the sections of a site.
    pub order_key: String,
    /// Spaces.
    pub site_spaces: Vec<SiteSpaceRecord>,
}

impl Deref for Section {
    type Target = SiteSectionFacts;

    fn deref(&self) -> &SiteSectionFacts {
        &self.facts
    }
}

/// Group with its sections.
#[derive(Clone, Debug)]
pub struct Group {
    /// Facts that responses show unchanged.
    pub facts: SiteSectionGroupFacts,
    /// Sort key among the groups and sections of a site.
    pub position: String,
    /// Sections.
    pub sections: Vec<Section>,
}

impl Deref for Group {
    type Target = SiteSectionGroupFacts;

    fn deref(&self) -> &SiteSectionGroupFacts {
        &self.facts
    }
}

/// Stored space on a site.
#[derive(Clone, Debug, Queryable)]
pub struct SiteSpaceRecord {
    /// Id.
    pub id: SiteSpaceId,
    /// Section of the space; `None` on a site without sections.
    pub section: Option<SiteSectionId>,
    /// Path in URLs below the root of the site, without the default section and the default space.
    pub site_path: String,
    /// Path in its section, or on the site.
    pub path: String,
    /// Titles of the space in other languages.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub localized_title: Option<Localized>,
    /// Condition on the visitors who see the space.
    pub condition: Option<String>,
    /// `true` if visitors do not see the space.
    pub draft: bool,
    /// `true` if menus leave the space out.
    pub hidden: bool,
    /// `true` for the default of its section, or of a site without sections.
    pub is_default: bool,
    /// Sort key among the spaces of a site.
    pub order_key: String,
    /// Role of the reader on the space.
    pub role: Option<Role>,
    /// Space.
    pub space: SpaceRecord,
}
