//! Links and backlinks, of a space's current content and of a change request's.

pub mod of_content;
pub mod of_page;
pub mod to_file;
pub mod to_page;

use quire_domain::Organization;
use quire_domain::ids::PageId;
use quire_domain::links::{BrokenContextQuery, LinkList, LinkQuery};
use quire_domain::list::{List, PageQuery};
use quire_domain::policy::Action;
use quire_revision::{EntryId, Tree};
use quire_storage::Reader;
use quire_storage::links::{LinkCursor, LinkFilter, LinkSlice, LinksIn, LinksOf};
use quire_storage::lookup::{Authorized, ContentAt, Credentials, OrganizationRecord};

use super::content::path::ContentPath;
use crate::error::{ApiError, ApiResult};
use crate::present::{self, LinkView};
use crate::state::{ServerState, State};

/// Content whose links are listed.
struct Searched {
    path: ContentPath,
    content: Authorized<ContentAt>,
    tree: Tree,
    organization: Authorized<OrganizationRecord>,
}

impl Searched {
    fn look_up(reader: &mut Reader<'_>, path: ContentPath) -> ApiResult<Self> {
        let (content, tree) = reader.content_with_tree(path.space(), path.selector())?;
        // A caller who may see a space belongs to its organization.
        let organization =
            reader.organization(content.space.organization)?.authorize(Action::ViewOrganization)?;
        Ok(Self { path, content, tree, organization })
    }

    fn view<'a>(&'a self, state: &'a ServerState) -> ApiResult<LinkView<'a>> {
        let Self { path, content, tree, organization } = self;
        let organization: Organization =
            present::organization(&state.urls, organization.clone().into_inner())?;
        let space = present::space(&state.urls, &content.space, content.role());
        let change_request = content.change_request.as_ref();
        let change_request =
            change_request.map(|record| present::change_request(&state.urls, record, content.space.head));
        Ok(LinkView { content: path.view(state, content, tree), organization, space, change_request })
    }

    /// Names the content for cursors, without its revision, so that cursors stay valid after an edit.
    fn name(path: ContentPath) -> String {
        path.location()
    }
}

/// Lists the links of all content or of one page.
async fn links(
    caller: Credentials,
    path: ContentPath,
    page: Option<PageId>,
    LinkQuery { status }: LinkQuery,
    BrokenContextQuery { broken_context }: BrokenContextQuery,
    query: &PageQuery,
    state: &State,
) -> ApiResult<LinkList> {
    let list = Searched::name(path);
    let name = format!("links of {list} {page:?} {status:?} {broken_context:?}");
    let after: Option<LinkCursor> = present::cursor(&name, query.page.as_deref())?;
    let (limit, app) = (query.limit(), state.urls.base().to_owned());
    let (searched, slice) = state
        .read(caller, move |reader| {
            let searched = Searched::look_up(reader, path)?;
            let of = match page {
                None => LinksOf::Content,
                Some(page) => LinksOf::Page(searched.tree.page(page).ok_or_else(ApiError::not_found)?.id),
            };
            let filter = LinkFilter { of, status, context: broken_context };
            let Searched { content, tree, organization, .. } = &searched;
            let path = LinksIn { content, organization, tree, app: &app };
            let slice = reader.content_links(path, filter, after, limit)?;
            Ok((searched, slice))
        })
        .await?;
    let view = searched.view(state)?;
    let LinkSlice { links, stats, external } = slice;
    let List { next, count, items } =
        present::list(&name, links, |link| link.cursor, |link| Ok(view.link(&link, &external)))?;
    Ok(LinkList { next, count, items, stats })
}

/// Lists the locations that link to a page or file.
async fn backlinks(
    caller: Credentials,
    path: ContentPath,
    to: EntryId,
    query: &PageQuery,
    state: &State,
) -> ApiResult<List<quire_domain::links::ContentLocation>> {
    let name = format!("backlinks of {to:?} in {}", Searched::name(path));
    let after: Option<LinkCursor> = present::cursor(&name, query.page.as_deref())?;
    let limit = query.limit();
    let (searched, slice) = state
        .read(caller, move |reader| {
            let searched = Searched::look_up(reader, path)?;
            searched.tree.entry(to).ok_or_else(ApiError::not_found)?;
            let slice = reader.backlinks(&searched.content, &searched.tree, to, after, limit)?;
            Ok((searched, slice))
        })
        .await?;
    let view = searched.view(state)?;
    present::list(
        &name,
        slice,
        |link| link.cursor,
        |link| view.backlink(&link).ok_or_else(|| ApiError::internal(anyhow::anyhow!("{link:?} is nowhere"))),
    )
}
