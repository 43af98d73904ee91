//! Links of a published page for search engines.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{PageId, SpaceId};
use crate::object::PageRefTag;

/// Links of a page for search engines.
#[serde_with::skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MetaLinks {
    /// The page that search engines should list: the page itself. Absent for a page on no published site.
    #[schema(nullable = false)]
    pub canonical: Option<PageRef>,
    /// The same page in the other languages of its section, in the order of the site spaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub alternates: Vec<PageRef>,
}

/// Reference to a page of a space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PageRef {
    /// Always `page`.
    pub kind: PageRefTag,
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub page: PageId,
    /// Space of the page.
    pub space: SpaceId,
}
