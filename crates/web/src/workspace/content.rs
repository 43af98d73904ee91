//! Content of a space, a change request or a revision, as pages show it.

use std::sync::Arc;

use actix_web::HttpRequest;
use maud::{Markup, html};
use quire_content::computed::{Computed, expand};
use quire_domain::change_requests::Status;
use quire_domain::ids::{PageId, SpaceId};
use quire_domain::policy::Action;
use quire_revision::{PageNode, PageType};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::content::change_requests::ChangeRequestRecord;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::content::store::{ContentAt, ContentPoint as _, ContentSelector};
use quire_storage::lookup::Authorized;
use quire_storage::people::organizations::OrganizationRecord;

use super::requests::parameter;
use super::rights::Rights;
use super::shell::{Crumb, Frame, Watched};
use super::tree::{ContentAddress, Marks};
use crate::site::SpaceTree;
use crate::state::Web;

/// Content of a space, change request or revision, with the frame of its pages.
pub(super) struct Content {
    pub(super) frame: Frame,
    pub(super) place: ContentAddress,
    pub(super) space: SpaceRecord,
    pub(super) change: Option<ChangeRequestRecord>,
    pub(super) tree: SpaceTree,
    /// Changes of the change request to pages.
    pub(super) marks: Marks,
    pub(super) rights: Rights,
}

/// Content from a lookup, with its expanded tree.
pub(super) struct Opened {
    pub(super) content: Authorized<ContentAt>,
    pub(super) organization: Authorized<OrganizationRecord>,
    pub(super) computed: Arc<Computed>,
    pub(super) shown: Content,
}

impl Content {
    /// Returns links to the space, and to the change request of the content.
    pub(super) fn crumbs(&self) -> Vec<Crumb> {
        let space = Crumb { title: self.space.title.clone(), href: self.place.of_space() };
        let change = self.change.as_ref();
        let change =
            change.map(|change| Crumb { title: format!("#{}", change.number), href: self.place.root() });
        std::iter::once(space).chain(change).collect()
    }

    /// Returns the content that a page watches for changes.
    pub(super) fn watched(&self, page: Option<PageId>) -> Watched {
        let Self { space, change, .. } = self;
        Watched {
            space: space.id,
            change_request: change.as_ref().map(|change| change.id),
            revision: change.as_ref().map_or(space.head, |change| change.head),
            comments_open: change.as_ref().map_or(space.comments_open, |change| {
                u64::try_from(change.comments_open).unwrap_or_default()
            }),
            page,
        }
    }
}

/// Returns the selector of the content in the query: a change request, or the space.
pub(super) fn selector(request: &HttpRequest) -> ApiResult<ContentSelector> {
    let change = parameter(request, "change").map(|key| key.parse()).transpose();
    let change = change.map_err(|()| ApiError::not_found())?;
    Ok(change.map_or(ContentSelector::Space, ContentSelector::ChangeRequest))
}

/// Looks up content for a member with a role on the space. Sends five statements, one more for a change request, and
/// those that load a tree outside the cache.
pub(super) fn open(
    reader: &mut Reader<'_>,
    web: &Web,
    space: SpaceId,
    selector: ContentSelector,
) -> ApiResult<Opened> {
    let content = reader.content(space, selector)?.authorize(Action::ViewSpace)?;
    let organization =
        reader.organization(content.space.organization)?.authorize(Action::ViewOrganization)?;
    let tree = reader.tree(&content)?;
    let marks = match &content.change_request {
        Some(_) => Marks::between(&reader.tree_before(&content)?, &tree),
        None => Marks::default(),
    };
    let (tree, computed) = expand(reader, content.readable_specs(), tree, Some(&web.expansions))?;
    let frame = Frame::load(reader, web, Some((organization.id, organization.title.clone())))?;
    let change = content.change_request.clone();
    let shown = Content {
        place: ContentAddress {
            prefix: frame.prefix.clone(),
            space,
            change: change.as_ref().map(|change| change.number),
            revision: match selector {
                ContentSelector::Revision(id) => Some(id),
                _ => None,
            },
        },
        frame,
        space: content.space.clone(),
        change,
        tree: SpaceTree::new(tree),
        marks,
        rights: Rights::of(&content),
    };
    Ok(Opened { content, organization, computed, shown })
}

/// Returns the address of a page. A group has the address of its first page. `None` for a page without an address.
pub(super) fn address_of(content: &Content, page: &PageNode) -> Option<String> {
    let Content { tree, place, .. } = content;
    let page = match page.page_type() {
        PageType::Document => page,
        PageType::Group => tree.descendants(page.id).find(|below| below.page_type() == PageType::Document)?,
        PageType::Link | PageType::Computed => return None,
    };
    if place.is_current() && tree.is_home(page.id) {
        return Some(place.root());
    }
    Some(place.at(&tree.path_of(page.id)?))
}

/// Returns the subject of a change request, or a placeholder text.
pub(super) fn subject(change: &ChangeRequestRecord) -> &str {
    Some(change.subject.as_str()).filter(|subject| !subject.trim().is_empty()).unwrap_or("Without a subject")
}

/// Returns icon, CSS class and name of a status.
pub(super) fn status_of(status: Status) -> (&'static str, &'static str, &'static str) {
    match status {
        Status::Draft => ("pencil", "draft", "Draft"),
        Status::Open => ("git-pull-request", "open", "Open"),
        Status::Archived => ("x", "draft", "Archived"),
        Status::Merged => ("git-merge", "merged", "Merged"),
    }
}

/// Returns the label of a change request's status.
pub(super) fn status(frame: &Frame, status: Status) -> Markup {
    let (icon, class, name) = status_of(status);
    html! { span class={ "pill " (class) } { (frame.icon(icon, "")) (name) } }
}

/// Returns whether a change request can be edited, reviewed and merged.
pub(super) fn is_active(change: &ChangeRequestRecord) -> bool {
    matches!(change.status, Status::Draft | Status::Open)
}

/// Returns whether the caller may edit the content.
pub(super) fn can_edit(content: &Content) -> bool {
    content.rights.edits && content.change.as_ref().is_none_or(is_active)
}
