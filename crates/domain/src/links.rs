//! Links and backlinks of content.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::change_requests::ChangeRequest;
use crate::collections::Collection;
use crate::list::NextPage;
use crate::openapi_specs::OpenApiSpec;
use crate::organizations::Organization;
use crate::revisions::{File, Page, ReusableContent};
use crate::spaces::Space;
use crate::users::User;

/// Status of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LinkStatus {
    /// The target exists. URLs outside this deployment are assumed to exist.
    Ok,
    /// The target does not exist in the revision.
    Broken,
    /// URL of this deployment's own app or API. A content reference would follow the target when it moves.
    InApp,
}

/// Kind of dependency between content and the target of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LinkRelation {
    /// Link to the target.
    Reference,
    /// Embedded target: an image, a file or reusable content.
    DependsOn,
}

/// Link, with its locations in one page or reusable content.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Status of the target.
    pub status: LinkStatus,
    /// Kind of dependency.
    pub relation: LinkRelation,
    /// Target of the link. Absent if it does not exist or the caller may not see it.
    #[schema(nullable = false)]
    pub target_reference: Option<ContentLocation>,
    /// Locations of the link, at most the first 100.
    pub location_references: Vec<ContentLocation>,
}

/// Numbers of links, independent of the filters of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkStats {
    /// Number of all links.
    pub total: u64,
    /// Numbers of broken links.
    pub broken: BrokenLinks,
}

/// Numbers of broken links.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrokenLinks {
    /// Number of all broken links.
    pub total: u64,
    /// Number of links that the change request broke or added broken. Absent outside change requests.
    #[schema(nullable = false)]
    pub change_request: Option<u64>,
}

/// Page of a list of links.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LinkList {
    /// Cursor of the next page. Absent on the last page.
    #[schema(nullable = false)]
    pub next: Option<NextPage>,
    /// Number of links that match the filters.
    pub count: u64,
    /// Links on this page.
    pub items: Vec<Link>,
    /// Numbers of all links.
    pub stats: LinkStats,
}

/// Location in an organization's content, or a URL. Pages have empty `pages` here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ContentLocation {
    /// URL.
    Url(UrlLocation),
    /// Page, or location in a page.
    Page(Box<PageLocation>),
    /// File.
    File(Box<FileLocation>),
    /// Reusable content.
    ReusableContent(Box<ReusableContentLocation>),
    /// Space.
    Space(Box<SpaceLocation>),
    /// User.
    User(UserLocation),
    /// Collection.
    Collection(Box<CollectionLocation>),
    /// OpenAPI specification.
    #[serde(rename = "openapi")]
    OpenApi(Box<OpenApiLocation>),
}

/// URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UrlLocation {
    /// URL as written in the content.
    pub url: String,
}

/// Page, or location in a page.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageLocation {
    /// Organization that owns the space.
    pub organization: Organization,
    /// Space of the page.
    pub space: Space,
    /// Page, without its subpages.
    pub page: Page,
    /// Version of the content. Absent for the space's main content.
    pub version_context: Option<VersionContext>,
    /// Location in the page. Absent for the page as a whole.
    pub internal_location: Option<InternalLocation>,
}

/// File of a space.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileLocation {
    /// Organization that owns the space.
    pub organization: Organization,
    /// Space of the file.
    pub space: Space,
    /// File.
    pub file: File,
    /// Version of the content. Absent for the space's main content.
    #[schema(nullable = false)]
    pub version_context: Option<VersionContext>,
}

/// Reusable content of a space.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReusableContentLocation {
    /// Organization that owns the space.
    pub organization: Organization,
    /// Space of the reusable content.
    pub space: Space,
    /// Reusable content.
    pub reusable_content: ReusableContent,
    /// Version of the content. Absent for the space's main content.
    #[schema(nullable = false)]
    pub version_context: Option<VersionContext>,
}

/// Space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpaceLocation {
    /// Organization that owns the space.
    pub organization: Organization,
    /// Space.
    pub space: Space,
}

/// User.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserLocation {
    /// User.
    pub user: User,
}

/// Collection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CollectionLocation {
    /// Organization that owns the collection.
    pub organization: Organization,
    /// Collection.
    pub collection: Collection,
}

/// OpenAPI specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPILocation)]
pub struct OpenApiLocation {
    /// Organization that owns the specification.
    pub organization: Organization,
    /// OpenAPI specification.
    #[serde(rename = "openAPISpec")]
    pub openapi_spec: OpenApiSpec,
}

/// Version of a space's content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum VersionContext {
    /// Content of a change request.
    ChangeRequest {
        /// Change request.
        #[serde(rename = "changeRequest")]
        change_request: Box<ChangeRequest>,
    },
}

/// Location in a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum InternalLocation {
    /// Target of an anchor.
    Anchor {
        /// Name of the anchor.
        anchor: String,
    },
    /// Node of the page's document.
    Node {
        /// Key of the node, or its index path, such as `0.2`.
        node: String,
    },
}

/// Filter of a list of links.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct LinkQuery {
    /// Returns only links with this status.
    #[param(inline, nullable = false)]
    pub status: Option<LinkStatus>,
}

/// Origin of a broken link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BrokenContext {
    /// The change request broke the link or added it broken.
    ChangeRequest,
    /// The link is broken in the space, too.
    Space,
}

/// Filter of the broken links of a change request.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct BrokenContextQuery {
    /// Returns only broken links with this origin.
    #[param(inline, nullable = false)]
    pub broken_context: Option<BrokenContext>,
}
