//! Sections and spaces of a site, read with a fixed number of statements.

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

/// A section with the spaces in it, as far as the reader may see them.
#[derive(Clone, Debug)]
pub struct Section {
    /// Facts that answers show as they are.
    pub facts: SiteSectionFacts,
    /// Path of its address below the root of the site; empty for the default section.
    pub site_path: String,
    /// Visitors do not see its group.
    pub in_draft: bool,
    /// Orders the sections of a site.
    pub order_key: String,
    /// The spaces.
    pub site_spaces: Vec<SiteSpaceRecord>,
}

impl Deref for Section {
    type Target = SiteSectionFacts;

    fn deref(&self) -> &SiteSectionFacts {
        &self.facts
    }
}

/// A group with its sections.
#[derive(Clone, Debug)]
pub struct Group {
    /// Facts that answers show as they are.
    pub facts: SiteSectionGroupFacts,
    /// Orders the groups of a site among each other and among sections.
    pub position: String,
    /// The sections.
    pub sections: Vec<Section>,
}

impl Deref for Group {
    type Target = SiteSectionGroupFacts;

    fn deref(&self) -> &SiteSectionGroupFacts {
        &self.facts
    }
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
