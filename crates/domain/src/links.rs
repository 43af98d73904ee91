//! Links and backlinks of content.

use serde::{Deserialize, Serialize};

use crate::change_requests::ChangeRequest;
use crate::collections::Collection;
use crate::features::{IntoParams, ToSchema, Validate};
use crate::list::NextPage;
use crate::openapi_specs::OpenApiSpec;
use crate::organizations::Organization;
use crate::revisions::{File, Page, ReusableContent};
use crate::spaces::Space;
use crate::users::User;

/// What became of what a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LinkStatus {
    /// It is there; what other services serve is taken to be.
    Ok,
    /// It does not exist in the revision.
    Broken,
    /// It is a URL of this deployment's own app or API, where a reference to content would follow what it means.
    InApp,
}

/// How much content needs what it links to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LinkRelation {
    /// It leads there.
    Reference,
    /// It shows it: an image, a file, reusable content.
    DependsOn,
}

/// A reference, with every place in one page or reusable content where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// What became of what it leads to.
    pub status: LinkStatus,
    /// How much the content needs it.
    pub relation: LinkRelation,
    /// What it leads to. Absent when that is not there or may not be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub target_reference: Option<ContentLocation>,
    /// Where it stands: the first 100 places.
    pub location_references: Vec<ContentLocation>,
}

/// How many links there are, whatever the list was asked to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkStats {
    /// In all.
    pub total: u64,
    /// Those that lead nowhere.
    pub broken: BrokenLinks,
}

/// How many links lead nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrokenLinks {
    /// In all.
    pub total: u64,
    /// Those that the change request broke or brought; left out in content of no change request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub change_request: Option<u64>,
}

/// A page of a list of links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LinkList {
    /// How to get the next page. Absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next: Option<NextPage>,
    /// How many links match in all.
    pub count: u64,
    /// The links of this page.
    pub items: Vec<Link>,
    /// How many links there are.
    pub stats: LinkStats,
}

/// A place in an organization's content, or outside of it. Pages stand here without those below them: their `pages` are empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ContentLocation {
    /// A URL.
    Url(UrlLocation),
    /// A page, or a place in it.
    Page(Box<PageLocation>),
    /// A file.
    File(Box<FileLocation>),
    /// A reusable content.
    ReusableContent(Box<ReusableContentLocation>),
    /// A space.
    Space(Box<SpaceLocation>),
    /// A user.
    User(UserLocation),
    /// A collection.
    Collection(Box<CollectionLocation>),
    /// An OpenAPI specification.
    #[serde(rename = "openapi")]
    OpenApi(Box<OpenApiLocation>),
}

/// A URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UrlLocation {
    /// The URL, as it was written.
    pub url: String,
}

/// A page, or a place in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageLocation {
    /// The organization that owns the space.
    pub organization: Organization,
    /// The space.
    pub space: Space,
    /// The page, without those below it.
    pub page: Page,
    /// Version of the content. Absent for the space's main content.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_context: Option<VersionContext>,
    /// The place in the page. Absent when the page itself is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub internal_location: Option<InternalLocation>,
}

/// A file of a space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileLocation {
    /// The organization that owns the space.
    pub organization: Organization,
    /// The space.
    pub space: Space,
    /// The file.
    pub file: File,
    /// Version of the content. Absent for the space's main content.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_context: Option<VersionContext>,
}

/// A reusable content of a space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReusableContentLocation {
    /// The organization that owns the space.
    pub organization: Organization,
    /// The space.
    pub space: Space,
    /// The reusable content.
    pub reusable_content: ReusableContent,
    /// Version of the content. Absent for the space's main content.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_context: Option<VersionContext>,
}

/// A space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpaceLocation {
    /// The organization that owns it.
    pub organization: Organization,
    /// The space.
    pub space: Space,
}

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserLocation {
    /// The user.
    pub user: User,
}

/// A collection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CollectionLocation {
    /// The organization that owns it.
    pub organization: Organization,
    /// The collection.
    pub collection: Collection,
}

/// An OpenAPI specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPILocation)]
pub struct OpenApiLocation {
    /// The organization that owns it.
    pub organization: Organization,
    /// The specification.
    #[serde(rename = "openAPISpec")]
    pub openapi_spec: OpenApiSpec,
}

/// The version of a space's content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum VersionContext {
    /// The working copy of a change request.
    ChangeRequest {
        /// The change request.
        #[serde(rename = "changeRequest")]
        change_request: Box<ChangeRequest>,
    },
}

/// A place in a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum InternalLocation {
    /// What an anchor names.
    Anchor {
        /// The anchor.
        anchor: String,
    },
    /// A node of the page's document.
    Node {
        /// The node's key, or its place such as `0.2`.
        node: String,
    },
}

/// Which links a list shows.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct LinkQuery {
    /// Only links with this status.
    #[param(inline, nullable = false)]
    pub status: Option<LinkStatus>,
}

/// Whose fault a broken link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BrokenContext {
    /// The change request broke or brought it.
    ChangeRequest,
    /// The space had it before.
    Space,
}

/// Which broken links of a change request a list shows.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct BrokenContextQuery {
    /// Only broken links, of this origin.
    #[param(inline, nullable = false)]
    pub broken_context: Option<BrokenContext>,
}
