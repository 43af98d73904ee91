//! Moves of sections, site spaces and section groups.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::Validate;

use crate::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId};
use crate::object::{SiteSectionTag, SiteSpaceTag};
use crate::object_only;
use crate::positions::RequestedPosition;

/// Declares the request body of a move, whose position names siblings by pointers.
macro_rules! moves {
    ($($(#[doc = $doc:literal])* $body:ident, $position:ident: $pointer:ident => $key:ty;)*) => {$(
        $(#[doc = $doc])*
        #[skip_serializing_none]
        #[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
        #[serde(default)]
        pub struct $body {
            /// Position among the siblings. Default: the end.
            #[serde(deserialize_with = "object_only::present")]
            #[schema(nullable = false)]
            pub position: Option<$position>,
        }

        /// Position among siblings. Default: the end.
        #[skip_serializing_none]
        #[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(default)]
        pub struct $position {
            /// Sibling that follows.
            #[serde(deserialize_with = "object_only::present")]
            #[schema(nullable = false)]
            pub before: Option<$pointer>,
            /// Sibling that precedes.
            #[serde(deserialize_with = "object_only::present")]
            #[schema(nullable = false)]
            pub after: Option<$pointer>,
        }

        impl $body {
            /// Returns the requested position.
            #[must_use]
            pub fn wanted(self) -> RequestedPosition<$key> {
                let $position { before, after } = self.position.unwrap_or_default();
                RequestedPosition { before: before.map(Into::into), after: after.map(Into::into) }
            }
        }
    )*};
}

moves! {
    /// Request body to move a section.
    SectionMove, SectionPosition: SectionPointer => SiteSectionId;
    /// Request body to move a site space.
    SiteSpaceMove, SiteSpacePosition: SiteSpacePointer => SiteSpaceId;
    /// Request body to move a section group.
    GroupMove, GroupPosition: GroupPointer => Sibling;
}

/// Section of the same site.
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

/// Site space of the same site and section.
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

/// Sibling of a section group: another group, or a section outside all groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GroupPointer {
    /// Type of the sibling.
    #[serde(rename = "type")]
    pub kind: SiblingKind,
    /// Id of the section or group.
    pub id: SiteSectionId,
}

/// Type of an item at the top of a site's structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SiblingKind {
    /// Section.
    SiteSection,
    /// Section group.
    SiteSectionGroup,
}

/// Section group, or section outside all groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sibling {
    /// Section.
    Section(SiteSectionId),
    /// Section group.
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
