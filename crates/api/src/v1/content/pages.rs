//! Pages of content.

use quire_content::page_body;
use quire_content::reading::ReaderForm;
use quire_domain::content::DeletedPage;
use quire_domain::documents::Format;
use quire_domain::meta_links::{MetaLinks, PageRef};
use quire_domain::object::{DeletedPageTag, PageRefTag};
use quire_domain::revisions::{Page, PageList};
use quire_revision::{PageNode, PageType, Tree};
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::content::store;
use quire_storage::content::store::DeletedPageKey;
use quire_storage::sites::published::PublishedSite;

use super::answer::{ContentRequest, Source, answer, document_of, expanded, reader_document, respond_with};
use super::page_parts::{IN_PARTS, PageParts, Surroundings, in_tree_order};
use super::path::ContentPath;
use super::query::{OnePageQuery, PagesQuery};
use crate::prelude::*;
use crate::respond::{ContentAnswer, ContentTag};
use crate::v1::urls::site_of_space;
use crate::visitors::{Readable, readable_content};

pub async fn list_pages(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Query(query): Query<PagesQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let levels = query.levels();
    let PagesQuery { parent, metadata: git, computed, .. } = query;
    let asked = ContentRequest { caller, path, git, computed };
    let state = api.state.clone();
    let make = move |source: Source<'_, '_>, (), tag: &ContentTag| {
        if parent.is_some_and(|parent| source.tree.page(parent).is_none()) {
            let message = "must be a page of this content".to_owned();
            let details = vec![FieldError { field: "parent".to_owned(), message }];
            return Err(ApiError::new(Reason::InvalidQuery).with_details(details));
        }
        let pages = in_tree_order(source.tree, parent, levels);
        if pages.len() < IN_PARTS {
            let nodes = pages.iter().filter_map(|(id, _)| source.tree.page(*id)).collect();
            let list = PageList { pages: source.view.pages_below(parent, nodes) };
            return ContentAnswer::new(&state.answers, tag, &list);
        }
        let viewed = path.viewed(source.content.change_request);
        let content = (viewed, source.tree.clone(), source.computed.clone());
        Ok(ContentAnswer::in_parts(
            tag,
            Box::new(PageParts::new(state.clone(), content, git, (Surroundings::of_list(), pages))),
        ))
    };
    respond_with(asked, &request, &api, |_| Some(()), make).await
}

/// Path parameters: the page of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageItem {
    pub(super) page_id: PageId,
}

pub async fn get_page(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(PageItem { page_id }): Path<PageItem>,
    Query(query): Query<OnePageQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    answer_page(caller, path, query, &request, &api, move |tree| tree.page(page_id)).await
}

/// Responds with the page that `find` returns, with its content in the requested format.
pub(super) async fn answer_page(
    caller: Reading,
    path: ContentPath,
    query: OnePageQuery,
    request: &HttpRequest,
    api: &Api,
    find: impl Fn(&Tree) -> Option<&PageNode> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let form = query.form();
    let OnePageQuery { format, metadata: git, computed, .. } = query;
    let asked = ContentRequest { caller, path, git, computed };
    let find = move |tree: &Tree| find(tree).cloned();
    answer(asked, request, api, find, move |source, page| present(source, &page, format, form)).await
}

fn present(mut source: Source<'_, '_>, page: &PageNode, format: Format, form: ReaderForm) -> ApiResult<Page> {
    let mut document = document_of(&mut source, page)?;
    if !form.is_stored() || source.claims.is_some() {
        document = Some(reader_document(&mut source, document.as_ref(), form)?.to_canonical_json().into());
    }
    let body = match (page.page_type(), format) {
        (PageType::Document, Format::Document) => Some(page_body::page_document(document)),
        (PageType::Document, Format::Markdown) => Some(page_body::page_markdown(page, document.as_ref())?),
        _ => None,
    };
    Ok(source.view.page(page, body))
}

/// Path parameters: slugs joined with `/`, which may be escaped.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PathItem {
    page_path: String,
}

pub async fn get_page_by_path(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(PathItem { page_path }): Path<PathItem>,
    Query(query): Query<OnePageQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    answer_page(caller, path, query, &request, &api, move |tree| {
        tree.page_by_path(page_path.strip_suffix('/').unwrap_or(&page_path))
    })
    .await
}

pub async fn list_deleted_pages(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<DeletedPageKey>::new(format!("deleted pages of {space}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            let tree = reader.tree(&content)?;
            Ok(reader.deleted_pages(&content, &tree, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, store::DeletedPage::key, |page| {
        Ok(DeletedPage {
            object: DeletedPageTag::Tag,
            id: page.id,
            title: page.title,
            revision: page.revision,
            deleted_at: page.deleted_at,
            deleted_by: page.deleted_by.map(|user| present::user(&state.urls, &user)),
        })
    })
}

pub async fn get_page_meta_links(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(PageItem { page_id }): Path<PageItem>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let (credentials, expansions, state) = (caller.credentials(), api.expansions_if(true), api.state.clone());
    let look = move |reader: &mut Reader<'_>| {
        let Readable { content, .. } = readable_content(reader, &caller, (path.space(), path.selector()))?;
        let (tree, _) = expanded(reader, &content, expansions.as_ref())?;
        let page = tree.page(page_id).ok_or_else(ApiError::not_found)?;
        if page.page_type() != PageType::Document {
            return Ok(MetaLinks::default());
        }
        match site_of_space(reader, &caller, &content.space, &state)? {
            Some(site) => meta_links(reader, &site, &content.space, (&tree, page_id)),
            None => Ok(MetaLinks::default()),
        }
    };
    respond::ok(&request, &api.state.read(credentials, look).await?)
}

fn meta_links(
    reader: &mut Reader<'_>,
    site: &PublishedSite,
    space: &SpaceRecord,
    (tree, page): (&Tree, PageId),
) -> ApiResult<MetaLinks> {
    let Some(own) = site.spaces.iter().find(|own| own.space == space.id) else {
        return Ok(MetaLinks::default());
    };
    let reference = |space, page| PageRef { kind: PageRefTag::Tag, page, space };
    let mut alternates = Vec::new();
    let path = tree.path_of(page);
    for variant in site.spaces_in(site.section_of(own)) {
        if variant.language.is_none() || variant.language == own.language || variant.space == own.space {
            continue;
        }
        let tree = reader.tree(&site.content(variant)?)?;
        // A duplicated variant has the same page ids; another variant may have the same paths.
        let same = tree.page(page).or_else(|| tree.page_by_path(path.as_deref()?));
        let same = same.filter(|page| page.page_type() == PageType::Document);
        alternates.extend(same.map(|page| reference(variant.space, page.id)));
    }
    Ok(MetaLinks { canonical: Some(reference(space.id, page)), alternates })
}
