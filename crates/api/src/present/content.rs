//! Content, files, imports and OpenAPI specifications.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_content::computed::Computed;
use quire_content::rendering::Addresses;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OpenApiSpecVersionId, PageId, RevisionId, SpaceId};
use quire_domain::imports::{Import, ImportProgress, ImportUrls};
use quire_domain::object::{ImportTag, OpenApiSpecTag, OpenApiSpecVersionTag};
use quire_domain::openapi_specs::{OpenApiSpecVersion, SpecPermissions, SpecUrls, SpecVersionUrls};
use quire_domain::policy::Action;
use quire_domain::revisions::{Dimensions, GitBlob, ReusableContent};
use quire_domain::sites::SiteVisibility;
use quire_domain::{File, OpenApiSpec};
use quire_revision::{FileNode, ReusableContentNode, Tree};
use quire_storage::content::imports::{ImportOrigin, ImportRecord};
use quire_storage::content::openapi_specs::OpenApiSpecRecord;
use quire_storage::content::spaces::SpaceOnSite;
use quire_storage::lookup::Authorized;

use super::user;
use crate::signing::UrlSigner;
use crate::urls::Urls;

pub use quire_server::files::FileAddress;

/// Characters that are not escaped in a path (RFC 3986, 3.3).
pub(super) const ESCAPED_IN_PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Presented content of a revision: the tree and the URLs of its items.
#[derive(Clone)]
pub struct ContentView<'a> {
    pub(super) urls: &'a Urls,
    pub(super) signer: &'a UrlSigner,
    pub(super) tree: &'a Tree,
    pub(super) space: SpaceId,
    /// URL of the content in the app.
    pub(super) app: String,
    /// URL of the content on a site. Only the current content of a space is published.
    pub(super) published: Option<String>,
    /// `true` if the published content is public.
    pub(super) is_public: bool,
    viewed: Viewed,
    with_git: bool,
    /// Sources of the computed pages of the tree.
    pub(super) computed: Option<&'a Computed>,
}

/// Kind of presented content. It alone determines the app URLs, so that a revision is always presented alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewed {
    /// Current content of a space.
    Space(SpaceId),
    /// Content of the change request with a number.
    ChangeRequest(SpaceId, i32),
    /// Revision.
    Revision(SpaceId, RevisionId),
}

impl<'a> ContentView<'a> {
    /// Returns the view of a tree as this content.
    #[must_use]
    pub fn new(urls: &'a Urls, signer: &'a UrlSigner, viewed: Viewed, tree: &'a Tree) -> Self {
        let (space, app) = match viewed {
            Viewed::Space(space) => (space, urls.app(format_args!("s/{space}"))),
            Viewed::ChangeRequest(space, number) => {
                (space, urls.app(format_args!("s/{space}/~/changes/{number}")))
            }
            Viewed::Revision(space, id) => (space, urls.app(format_args!("s/{space}/~/history/{id}"))),
        };
        Self {
            urls,
            signer,
            tree,
            space,
            app,
            published: None,
            is_public: false,
            with_git: true,
            computed: None,
            viewed,
        }
    }

    /// Returns the view of content whose space is on a site. Only current content is published.
    #[must_use]
    pub fn on_site(self, site: Option<&SpaceOnSite>) -> Self {
        let site = site.filter(|_| matches!(self.viewed, Viewed::Space(_)));
        Self {
            published: site.map(|site| self.urls.at_address(&site.address)),
            is_public: site.is_some_and(|site| site.visibility == SiteVisibility::Public),
            ..self
        }
    }

    /// Returns the URL of the content on a site, and whether it is public.
    #[must_use]
    pub fn site(&self) -> Option<(&str, bool)> {
        self.published.as_deref().map(|address| (address, self.is_public))
    }

    /// Returns the view with or without Git locations.
    #[must_use]
    pub fn with_git(self, with_git: bool) -> Self {
        Self { with_git, ..self }
    }

    /// Returns the view of a tree with computed pages.
    #[must_use]
    pub fn with_computed(self, computed: &'a Computed) -> Self {
        Self { computed: Some(computed), ..self }
    }

    /// Returns a file.
    #[must_use]
    pub fn file(&self, node: &FileNode) -> File {
        file(self.urls, self.signer, self.space, node, self.with_git)
    }

    /// Returns a reusable content.
    #[must_use]
    pub fn reusable_content(&self, node: &ReusableContentNode) -> ReusableContent {
        reusable_content(node, self.with_git)
    }

    /// Returns the app URL of a path.
    pub(super) fn app_path(&self, path: &str) -> String {
        format!("{}/{}", self.app, utf8_percent_encode(path, ESCAPED_IN_PATH))
    }

    /// Returns the app URL of a page; `None` for a page that is missing or has no path.
    pub(super) fn app_page(&self, id: PageId) -> Option<String> {
        self.tree.path_of(id).map(|path| self.app_path(&path))
    }

    /// Returns the app URL of an anchor of a page.
    pub(super) fn app_anchor(&self, id: PageId, anchor: &str) -> Option<String> {
        let anchor = utf8_percent_encode(anchor, ESCAPED_IN_PATH);
        self.app_page(id).map(|page| format!("{page}#{anchor}"))
    }

    pub(super) fn git(&self, git: Option<&quire_revision::GitBlob>) -> Option<GitBlob> {
        git.filter(|_| self.with_git).map(git_blob)
    }
}

/// URLs of the app, to which rendered documents link.
impl Addresses for ContentView<'_> {
    fn page(&self, space: Option<SpaceId>, path: &str) -> String {
        match space {
            None => self.app_path(path),
            Some(space) => {
                let path = utf8_percent_encode(path, ESCAPED_IN_PATH);
                self.urls.app(format_args!("s/{space}/{path}"))
            }
        }
    }

    fn space(&self, space: SpaceId) -> String {
        self.urls.app(format_args!("s/{space}"))
    }

    fn file(&self, space: SpaceId, file: &FileNode) -> String {
        super::file(self.urls, self.signer, space, file, false).download_url
    }
}

/// Returns a reusable content.
pub(super) fn reusable_content(node: &ReusableContentNode, with_git: bool) -> ReusableContent {
    ReusableContent {
        id: node.id,
        title: node.title.clone(),
        document: node.document,
        git: node.git.as_ref().filter(|_| with_git).map(git_blob),
    }
}

fn git_blob(git: &quire_revision::GitBlob) -> GitBlob {
    GitBlob { oid: git.oid.clone(), path: git.path.clone() }
}

/// Returns a file of a space.
#[must_use]
pub fn file(urls: &Urls, signer: &UrlSigner, space: SpaceId, node: &FileNode, with_git: bool) -> File {
    let address = FileAddress {
        space,
        blob: node.blob,
        name: node.name.clone(),
        content_type: node.content_type.clone(),
    };
    let git = node.git.as_ref().filter(|_| with_git);
    File {
        id: node.id,
        name: node.name.clone(),
        content_type: node.content_type.clone(),
        download_url: address.url(urls, signer),
        size: node.size,
        dimensions: node.dimensions.map(|size| Dimensions { width: size.width, height: size.height }),
        git: git.map(|git| GitBlob { oid: git.oid.clone(), path: git.path.clone() }),
    }
}

/// Returns an import.
#[must_use]
pub fn import(urls: &Urls, record: ImportRecord) -> Import {
    let location = urls.api(format_args!("spaces/{}/imports/{}", record.space, record.id));
    let (url, file_name) = match record.origin {
        ImportOrigin::Url(url) => (Some(url), None),
        ImportOrigin::Upload { file_name, .. } => (None, file_name),
    };
    Import {
        object: ImportTag::Tag,
        id: record.id,
        space: record.space,
        change_request: record.change_request,
        page: record.page,
        source: record.source,
        url,
        file_name,
        status: record.state,
        phase: record.phase,
        progress: ImportProgress { done: record.done, total: record.total },
        created_by: user(urls, &record.created_by),
        created_at: record.created_at,
        started_at: record.started_at,
        finished_at: record.finished_at,
        result: record.result,
        error: record.error,
        urls: ImportUrls { location },
    }
}

/// Returns a specification as a member of the organization sees it.
#[must_use]
pub fn openapi_spec(urls: &Urls, record: &Authorized<OpenApiSpecRecord>) -> OpenApiSpec {
    let (organization, slug) = (record.organization, &record.slug);
    OpenApiSpec {
        object: OpenApiSpecTag::Tag,
        id: record.id,
        created_at: record.created_at,
        updated_at: record.updated_at,
        slug: slug.clone(),
        source_url: record.source_url.clone(),
        processing_state: record.state,
        last_version: record.last_version,
        last_processed_at: record.last_processed_at,
        last_process_error_code: record.last_error,
        last_processed_error_count: record.last_error.is_some().into(),
        permissions: SpecPermissions {
            view: record.may(Action::ViewOrganizationContent),
            edit: record.may(Action::CreateOpenApiSpec),
        },
        urls: SpecUrls {
            location: urls.api(format_args!("orgs/{organization}/openapi/{slug}")),
            app: urls.app(format_args!("o/{organization}/openapi/{slug}")),
        },
    }
}

/// Returns a specification as a visitor of a site sees it, without its source and processing state.
#[must_use]
pub fn visited_openapi_spec(urls: &Urls, record: &Authorized<OpenApiSpecRecord>) -> OpenApiSpec {
    OpenApiSpec {
        source_url: None,
        last_process_error_code: None,
        last_processed_error_count: 0,
        ..openapi_spec(urls, record)
    }
}

/// Returns a version of a specification.
#[must_use]
pub fn openapi_spec_version(
    urls: &Urls,
    spec: &OpenApiSpecRecord,
    (id, created_at): (OpenApiSpecVersionId, Timestamp),
) -> OpenApiSpecVersion {
    let location = version_location(urls, spec, id);
    OpenApiSpecVersion {
        object: OpenApiSpecVersionTag::Tag,
        id,
        created_at,
        url: format!("{location}/content"),
        urls: SpecVersionUrls { location },
    }
}

/// Returns the API URL of a version.
#[must_use]
pub fn version_location(urls: &Urls, spec: &OpenApiSpecRecord, version: OpenApiSpecVersionId) -> String {
    urls.api(format_args!("orgs/{}/openapi/{}/versions/{version}", spec.organization, spec.slug))
}
