//! Links and backlinks, of a space's current content and of a change request's.

use std::cell::RefCell;
use std::collections::HashMap;

use quire_content::reading::Expressions as _;
use quire_domain::Organization;
use quire_domain::links::{BrokenContextQuery, ContentLocation, LinkList, LinkQuery};
use quire_domain::list::List;
use quire_revision::{EntryId, Tree};
use quire_storage::content::links::{LinkCursor, LinkFilter, LinkSlice, LinkVisitor, LinksIn, LinksOf};
use quire_storage::content::store::ContentAt;
use quire_storage::people::organizations::OrganizationRecord;
use quire_storage::sites::SharedSpace;
use quire_storage::sites::published::PublishedSite;

use crate::prelude::*;
use crate::present::LinkView;
use crate::v1::content::path::ContentPath;
use crate::v1::urls::site_of_space;
use crate::visitors::{Claims, Readable, readable_content_on_site};

/// Routes of links, below the path of content.
macro_rules! content_links {
    ($routes:ident, $base:literal, $to_page:literal, $to_file:literal) => {
        $routes.extend([
            Route::get(
                Tag::Content.at(concat!($base, "/page/{pageId}/backlinks"), None),
                Needs(Action::ViewSpace),
                "List backlinks of a page",
                list_page_backlinks,
            )
            .operation($to_page)
            .query::<PageQuery>()
            .lists::<ContentLocation>(),
            Route::get(
                Tag::Content.at(concat!($base, "/files/{fileId}/backlinks"), None),
                Needs(Action::ViewSpace),
                "List backlinks of a file",
                list_file_backlinks,
            )
            .operation($to_file)
            .query::<PageQuery>()
            .lists::<ContentLocation>(),
        ]);
    };
}

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    let view = Needs(Action::ViewSpace);
    let mut routes = vec![
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/links", None),
            view,
            "List the links of a space",
            list_space_links,
        )
        .query::<PageQuery>()
        .query::<LinkQuery>()
        .answers::<LinkList>(200)
        .for_visitors(),
        Route::get(
            Tag::ChangeRequests.at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/links", None),
            view,
            "List the links of a change request",
            list_change_request_links,
        )
        .query::<PageQuery>()
        .query::<LinkQuery>()
        .query::<BrokenContextQuery>()
        .answers::<LinkList>(200),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/content/page/{pageId}/links", None),
            view,
            "List the links of a page",
            list_page_links,
        )
        .operation("listPageLinksInSpace")
        .query::<PageQuery>()
        .query::<LinkQuery>()
        .answers::<LinkList>(200)
        .for_visitors(),
        Route::get(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/links",
                None,
            ),
            view,
            "List the links of a page",
            list_change_request_page_links,
        )
        .operation("listPageLinksInChangeRequest")
        .query::<PageQuery>()
        .query::<LinkQuery>()
        .answers::<LinkList>(200),
    ];
    content_links!(
        routes,
        "/v1/spaces/{spaceId}/content",
        "listSpacePageBacklinks",
        "listSpaceFileBacklinks"
    );
    content_links!(
        routes,
        "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content",
        "listChangeRequestPageBacklinks",
        "listChangeRequestFileBacklinks"
    );
    routes
}

/// Content whose links are listed.
struct Searched {
    path: ContentPath,
    content: Authorized<ContentAt>,
    tree: Tree,
    organization: Authorized<OrganizationRecord>,
    visitor: Option<SearchedByVisitor>,
}

/// Content as a visitor of a site sees it.
struct SearchedByVisitor {
    claims: Claims,
    space: SharedSpace,
    site: Option<Arc<PublishedSite>>,
}

impl Searched {
    /// Looks content up for a user with a role on its space.
    fn of_user(reader: &mut Reader<'_>, path: ContentPath) -> ApiResult<Self> {
        let (content, tree) = reader.content_with_tree(path.space(), path.selector())?;
        // A user with a role on a space belongs to its organization.
        let organization =
            reader.organization(content.space.organization)?.authorize(Action::ViewOrganization)?;
        Ok(Self { path, content, tree, organization, visitor: None })
    }

    /// Looks content up for a user with a role on its space, or a visitor of a site that shows it.
    fn look_up(
        reader: &mut Reader<'_>,
        caller: &Reading,
        path: ContentPath,
        state: &ServerState,
    ) -> ApiResult<Self> {
        let at = (path.space(), path.selector());
        let (Readable { content, claims }, space) = readable_content_on_site(reader, caller, at)?;
        let tree = reader.tree(&content)?;
        let Some((claims, space)) = claims.zip(space) else {
            let organization =
                reader.organization(content.space.organization)?.authorize(Action::ViewOrganization)?;
            return Ok(Self { path, content, tree, organization, visitor: None });
        };
        let site = site_of_space(reader, caller, &content.space, state)?;
        let organization = reader.visited_organization(&content)?;
        let visitor = Some(SearchedByVisitor { claims, space, site });
        Ok(Self { path, content, tree, organization, visitor })
    }

    fn list(
        &self,
        reader: &mut Reader<'_>,
        filter: LinkFilter,
        (after, limit): (Option<LinkCursor>, u16),
        app: &str,
    ) -> ApiResult<LinkSlice> {
        let Self { content, tree, organization, visitor, .. } = self;
        let evaluator = visitor.as_ref().map(|visitor| visitor.claims.evaluator());
        // The results are cached, because many blocks have the same condition.
        let known: RefCell<HashMap<String, bool>> = RefCell::default();
        let meets = |condition: &str| {
            let met = known.borrow().get(condition).copied();
            met.unwrap_or_else(|| {
                let met = evaluator.as_ref().is_some_and(|evaluator| evaluator.holds(condition));
                known.borrow_mut().insert(condition.to_owned(), met);
                met
            })
        };
        let site = |visitor: &SearchedByVisitor| visitor.site.clone();
        let site = visitor.as_ref().and_then(site);
        let visitor = visitor.as_ref().map(|_| LinkVisitor { site: site.as_deref(), meets: &meets });
        let links_in = LinksIn { content, organization, tree, app, visitor };
        Ok(reader.content_links(links_in, filter, after, limit)?)
    }

    fn view<'a>(&'a self, state: &'a ServerState) -> ApiResult<LinkView<'a>> {
        let Self { path, content, tree, organization, visitor } = self;
        let organization: Organization =
            present::organization(&state.urls, organization.clone().into_inner())?;
        let space = match visitor {
            Some(visitor) => present::visited_space(&state.urls, &visitor.space),
            None => present::space(&state.urls, &content.space, content.role()),
        };
        let change_request = content.change_request.as_ref();
        let change_request =
            change_request.map(|record| present::change_request(&state.urls, record, content.space.head));
        let (content, is_visitor) = (path.view(state, content, tree), visitor.is_some());
        Ok(LinkView { content, organization, space, change_request, is_visitor })
    }

    /// Returns the name of the content in cursors, without its revision, so that cursors stay valid after an edit.
    fn name(path: ContentPath) -> String {
        path.location()
    }
}

/// Lists the links of the whole content or of one page.
async fn links(
    caller: Reading,
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
    let (limit, app, of_reader) = (query.limit(), state.urls.base().to_owned(), state.clone());
    let (searched, slice) = state
        .read(caller.credentials(), move |reader| {
            let searched = Searched::look_up(reader, &caller, path, &of_reader)?;
            let of = match page {
                None => LinksOf::Content,
                Some(page) => LinksOf::Page(searched.tree.page(page).ok_or_else(ApiError::not_found)?.id),
            };
            let filter = LinkFilter { of, status, context: broken_context };
            let slice = searched.list(reader, filter, (after, limit), &app)?;
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
            let searched = Searched::of_user(reader, path)?;
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

/// Path parameters: the page of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageItem {
    page_id: PageId,
}

async fn list_page_backlinks(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(PageItem { page_id }): Path<PageItem>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    respond::ok(&request, &backlinks(caller, path, EntryId::Page(page_id), &query, &state).await?)
}

/// Path parameters: the file of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileItem {
    file_id: FileId,
}

async fn list_file_backlinks(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(FileItem { file_id }): Path<FileItem>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    respond::ok(&request, &backlinks(caller, path, EntryId::File(file_id), &query, &state).await?)
}

async fn list_space_links(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Query(page): Query<PageQuery>,
    Query(query): Query<LinkQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let context = BrokenContextQuery::default();
    respond::ok(&request, &links(caller, path, None, query, context, &page, &state).await?)
}

async fn list_change_request_links(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Query(page): Query<PageQuery>,
    Query(query): Query<LinkQuery>,
    Query(context): Query<BrokenContextQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let caller = Reading::User(caller);
    respond::ok(&request, &links(caller, path, None, query, context, &page, &state).await?)
}

async fn list_page_links(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(PageItem { page_id }): Path<PageItem>,
    Query(page): Query<PageQuery>,
    Query(query): Query<LinkQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let context = BrokenContextQuery::default();
    respond::ok(&request, &links(caller, path, Some(page_id), query, context, &page, &state).await?)
}

async fn list_change_request_page_links(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(PageItem { page_id }): Path<PageItem>,
    Query(page): Query<PageQuery>,
    Query(query): Query<LinkQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (caller, context) = (Reading::User(caller), BrokenContextQuery::default());
    respond::ok(&request, &links(caller, path, Some(page_id), query, context, &page, &state).await?)
}
