//! Sections and spaces of a published site.

use quire_domain::Role;
use quire_domain::ids::{RevisionId, SiteSectionGroupId, SiteSectionId, SiteSpaceId, SpaceId};
use quire_domain::localized::Localized;
use quire_domain::translations::Language;
use quire_revision::TreeHash;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Group of sections.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedGroup {
    /// Id of the group.
    pub id: SiteSectionGroupId,
    /// Title.
    pub title: String,
    /// Titles in other languages.
    pub localized_title: Option<Localized>,
    /// Name of the icon.
    pub icon: Option<String>,
}

/// Section of a published site.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedSection {
    /// Id of the section.
    pub id: SiteSectionId,
    /// Group that contains the section. The sections of a group are adjacent.
    pub group: Option<PublishedGroup>,
    /// Title.
    pub title: String,
    /// Titles in other languages.
    pub localized_title: Option<Localized>,
    /// Description.
    pub description: Option<String>,
    /// Descriptions in other languages.
    pub localized_description: Option<Localized>,
    /// Path on the site.
    pub path: String,
    /// Condition on the visitor's claims.
    pub condition: Option<String>,
    /// Name of the icon.
    pub icon: Option<String>,
    /// `true` for the default section of the site.
    #[serde(rename = "default")]
    pub is_default: bool,
}

/// Space on a published site, at its head.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedSpace {
    /// Id of the site space.
    pub id: SiteSpaceId,
    /// Section of the site space; `None` on a site without sections.
    pub section: Option<SiteSectionId>,
    /// Path in the section, or on a site without sections.
    pub path: String,
    /// Condition on the visitor's claims.
    pub condition: Option<String>,
    /// `true` for the default of the section, or of a site without sections.
    #[serde(rename = "default")]
    pub is_default: bool,
    /// `true` if menus leave the space out.
    pub hidden: bool,
    /// Settings that override those of the site; `None` also after a lookup that does not read them.
    pub customization: Option<Map<String, Value>>,
    /// Id of the space.
    pub space: SpaceId,
    /// Title of the space.
    pub title: String,
    /// Titles in other languages.
    pub localized_title: Option<Localized>,
    /// Emoji of the space; may be empty.
    pub emoji: String,
    /// Icon of the space.
    pub icon: Option<String>,
    /// Language of the content.
    pub language: Option<Language>,
    /// Head revision.
    pub revision: RevisionId,
    /// Root of the tree of the head revision.
    pub root: TreeHash,
    /// Role of the reader on the space; `None` for visitors.
    #[serde(deserialize_with = "role_of_rank")]
    pub role: Option<Role>,
    /// `true` if the reader sees only the location of the space, and not its content.
    #[serde(skip)]
    pub is_closed: bool,
}

fn role_of_rank<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Role>, D::Error> {
    let Some(rank) = Option::<i16>::deserialize(deserializer)? else { return Ok(None) };
    Role::from_rank(rank).map(Some).ok_or_else(|| D::Error::custom(format!("unknown rank {rank} of a role")))
}
