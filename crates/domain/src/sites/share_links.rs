//! Share links of sites.

#[cfg(feature = "postgres")]
use diesel::prelude::AsChangeset;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::ids::ShareLinkId;
use crate::object::ShareLinkTag;
#[cfg(feature = "postgres")]
use crate::schema::site_share_links;
use crate::{patch, texts};

/// Stored fields of a share link, with its key decrypted.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareLinkFacts {
    /// Id of the link.
    pub id: ShareLinkId,
    /// Creation time.
    pub created_at: Timestamp,
    /// Purpose of the share link.
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// Key of the link, which the query parameter `shareKey` takes.
    pub key: String,
    /// `true` if the link opens the site.
    pub active: bool,
}

/// Share link: a URL with a key that opens a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShareLink {
    /// Always `share-link`.
    pub object: ShareLinkTag,
    /// Facts of the link.
    #[serde(flatten)]
    pub facts: ShareLinkFacts,
    /// URLs of the share link.
    pub urls: ShareLinkUrls,
}

/// URLs of a share link.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShareLinkUrls {
    /// URL of the link in this API.
    pub location: String,
    /// URL that opens the site. Absent while the site is not published.
    #[schema(nullable = false)]
    pub published: Option<String>,
}

/// Request body to create a share link. Every key is optional.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct ShareLinkCreate {
    /// Purpose of the share link.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::ShareLinkName::check"))]
    #[schema(value_type = texts::ShareLinkName, required = false)]
    pub name: Option<texts::ShareLinkName>,
}

/// Request body to update a share link. Absent keys leave their values unchanged.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = site_share_links))]
#[serde(default)]
pub struct ShareLinkUpdate {
    /// Purpose of the share link.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::ShareLinkName::check"))]
    #[schema(value_type = texts::ShareLinkName, required = false)]
    pub name: Option<texts::ShareLinkName>,
    /// `true` if the link opens the site.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub active: Option<bool>,
}
