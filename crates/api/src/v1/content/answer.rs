//! Responses to reads of content. The caller is authorized first, then the entity tag is computed, and only then is
//! content loaded.

use quire_content::computed::{Computed, Expansions, document_at, expand};
use quire_content::reading::{Evaluation, ReaderForm};
use quire_domain::documents::DocumentJson;
use quire_markup::Document;
use quire_revision::{PageNode, Tree};
use quire_storage::content::store::{ContentHead, ContentPoint};

use super::path::ContentPath;
use crate::prelude::*;
use crate::present::ContentView;
use crate::respond::{Conditional, ContentAnswer, ContentTag};
use crate::visitors::{Claims, Readable, readable_head};

/// Request for a part of content that depends only on the revision, the request and the versions of specifications.
#[derive(Clone, Debug)]
pub(super) struct ContentRequest {
    pub(super) caller: Reading,
    pub(super) path: ContentPath,
    /// `true` if the response contains Git locations.
    pub(super) git: bool,
    /// `true` if computed pages replace their placeholders.
    pub(super) computed: bool,
}

/// Inputs of a part.
pub(super) struct Source<'a, 'r> {
    pub(super) reader: &'a mut Reader<'r>,
    pub(super) content: &'a Authorized<ContentHead>,
    pub(super) tree: &'a Tree,
    pub(super) computed: &'a Arc<Computed>,
    pub(super) view: ContentView<'a>,
    /// Claims of a visitor; `None` for a user with a role.
    pub(super) claims: Option<&'a Claims>,
}

/// Responds with the part that `find` returns, presented by `make`; 404 if it returns `None`.
///
/// The body comes from the cache, or is built on a blocking thread.
pub(super) async fn answer<F, R: Serialize>(
    asked: ContentRequest,
    request: &HttpRequest,
    api: &Api,
    find: impl Fn(&Tree) -> Option<F> + Send + 'static,
    make: impl Fn(Source<'_, '_>, F) -> ApiResult<R> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let state = api.state.clone();
    let make = move |source: Source<'_, '_>, found, tag: &ContentTag| {
        ContentAnswer::new(&state.answers, tag, &make(source, found)?)
    };
    respond_with(asked, request, api, find, make).await
}

/// Responds as [`answer`] does; `make` returns the response with the given entity tag.
pub(super) async fn respond_with<F>(
    asked: ContentRequest,
    request: &HttpRequest,
    api: &Api,
    find: impl Fn(&Tree) -> Option<F> + Send + 'static,
    make: impl Fn(Source<'_, '_>, F, &ContentTag) -> ApiResult<ContentAnswer> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let ContentRequest { caller, path, git, computed } = asked;
    let asked = (path.space(), path.selector());
    let Readable { content, claims } = readable_head(&api.state, &caller, asked).await?;
    let conditional = Conditional::of(request).read_as(claims.as_ref().map(Claims::digest).as_deref());
    let expansions = api.expansions_if(computed);
    if expansions.as_ref().is_none_or(|expansions| expansions.is_plain(content.root)) {
        let tag = conditional.tag(content.revision, "");
        if let Some(known) = conditional.answer(&api.state.answers, &tag) {
            return known.respond();
        }
    }
    let state = api.state.clone();
    let load = move |reader: &mut Reader<'_>| {
        let (tree, computed) = expanded(reader, &content, expansions.as_ref())?;
        let tag = conditional.tag(content.revision, computed.versions());
        if let Some(known) = conditional.answer(&state.answers, &tag) {
            return Ok(known);
        }
        let found = find(&tree).ok_or_else(ApiError::not_found)?;
        if conditional.has(&tag) {
            return Ok(ContentAnswer::not_modified(&tag));
        }
        let view = path.view_of_head(&state, &content, &tree).with_git(git).with_computed(&computed);
        let (content, tree, computed, claims) = (&content, &tree, &computed, claims.as_ref());
        make(Source { reader, content, tree, computed, view, claims }, found, &tag)
    };
    api.state.read(caller.credentials(), load).await?.respond()
}

/// Returns the tree of content, with computed pages expanded if requested. `expansions` caches them.
pub(super) fn expanded(
    reader: &mut Reader<'_>,
    content: &Authorized<impl ContentPoint>,
    expansions: Option<&Expansions>,
) -> ApiResult<(Tree, Arc<Computed>)> {
    let tree = reader.tree(content)?;
    Ok(match expansions {
        Some(_) => expand(reader, content.specs(), tree, expansions)?,
        None => (tree, Arc::default()),
    })
}

/// Returns the stored or computed document of a page; `None` if it has none.
pub(super) fn document_of(source: &mut Source<'_, '_>, page: &PageNode) -> ApiResult<Option<DocumentJson>> {
    let Source { reader, content, computed, .. } = source;
    Ok(match (page.document, computed.page(page.id)) {
        // A missing document of a page is a fault of the service, not of the caller.
        (Some(id), _) => Some(reader.document(content, id).map_err(ApiError::internal)?),
        (None, Some((pages, index))) => {
            Some(document_at(reader, content.specs(), pages, index)?.to_canonical_json().into())
        }
        (None, None) => None,
    })
}

/// Evaluates a document for its reader. Users have no claims, so conditions that need one are false. Visitors never get
/// parts of a document whose conditions they do not meet.
pub(super) fn reader_document(
    source: &mut Source<'_, '_>,
    document: Option<&DocumentJson>,
    mut form: ReaderForm,
) -> ApiResult<Document> {
    let Source { reader, content, tree, claims, .. } = source;
    if claims.is_some() && form.evaluation == Evaluation::None {
        form.evaluation = Evaluation::Conditions;
    }
    let evaluator = claims.map_or_else(|| Claims::default().evaluator(), Claims::evaluator);
    Ok(form.of(reader, content, tree, document, &evaluator)?)
}
