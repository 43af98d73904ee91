//! Where sections, site spaces and groups are moved to.

use serde::{Deserialize, Serialize};

use crate::features::{ToSchema, Validate};
use crate::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId};
use crate::object::{SiteSectionTag, SiteSpaceTag};
use crate::positions::Wanted;
use crate::strict;

/// Declares the body of a move: its position names siblings by pointers.
macro_rules! moves {
    ($($(#[doc = $doc:literal])* $body:ident, $position:ident: $pointer:ident => $key:ty;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
        #[serde(default)]
        pub struct $body {
            /// Where it goes; the end when absent.
            #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
            #[schema(nullable = false)]
            pub position: Option<$position>,
        }

        /// A place beside others. Without any it is the end.
        #[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(default)]
        pub struct $position {
            /// What shall follow.
            #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
            #[schema(nullable = false)]
            pub before: Option<$pointer>,
            /// What it shall follow.
            #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
            #[schema(nullable = false)]
            pub after: Option<$pointer>,
        }

        impl $body {
            /// Where it is wanted.
            #[must_use]
            pub fn wanted(self) -> Wanted<$key> {
                let $position { before, after } = self.position.unwrap_or_default();
                Wanted { before: before.map(Into::into), after: after.map(Into::into) }
            }
        }
    )*};
}

moves! {
    /// Request body to move a section of a site.
    SectionMove, SectionPosition: SectionPointer => SiteSectionId;
    /// Request body to move a site space.
    SiteSpaceMove, SiteSpacePosition: SiteSpacePointer => SiteSpaceId;
    /// Request body to move a group of sections.
    GroupMove, GroupPosition: GroupPointer => Sibling;
}

/// A section of the same site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionPointer {
    /// Always `site-section`.
    #[serde(rename = "type")]
    pub kind: SiteSectionTag,
    /// Id of the section.
    pub site_section: SiteSectionId,
}

impl From<SectionPointer> for SiteSectionId {
    fn from(pointer: SectionPointer) -> Self {
        pointer.site_section
    }
}

/// A site space of the same site and section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSpacePointer {
    /// Always `site-space`.
    #[serde(rename = "type")]
    pub kind: SiteSpaceTag,
    /// Id of the site space.
    pub site_space: SiteSpaceId,
}

impl From<SiteSpacePointer> for SiteSpaceId {
    fn from(pointer: SiteSpacePointer) -> Self {
        pointer.site_space
    }
}

/// What stands beside a group: another group, or a section outside of all groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GroupPointer {
    /// Which of the two it is.
    #[serde(rename = "type")]
    pub kind: SiblingKind,
    /// Id of the group pointer.
    pub id: SiteSectionId,
}

/// What stands at the top of a site's structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SiblingKind {
    /// A section.
    SiteSection,
    /// A group.
    SiteSectionGroup,
}

/// A group, or a section outside of all groups, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sibling {
    /// A section.
    Section(SiteSectionId),
    /// A group.
    Group(SiteSectionGroupId),
}

impl From<GroupPointer> for Sibling {
    fn from(pointer: GroupPointer) -> Self {
        match pointer.kind {
            SiblingKind::SiteSection => Self::Section(pointer.id),
            SiblingKind::SiteSectionGroup => {
                Self::Group(SiteSectionGroupId::from_uuid(*pointer.id.as_uuid()))
            }
        }
    }
}
