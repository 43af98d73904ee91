//! Computed content.

use quire_content::computed::{Computed, PagePosition, SpecPages, document_at, resolve};
use quire_content::visible::shows_spec;
use quire_domain::computed::{
    ComputedDocumentRequest, ComputedRevision, ComputedRevisionRequest, DocumentSource, RevisionProps,
    RevisionSource,
};
use quire_domain::described::Document;
use quire_domain::documents::DocumentJson;
use quire_revision::{PageKind, Tree};
use quire_storage::content::store::ContentAt;

use crate::prelude::*;
use crate::present::{ContentView, Viewed};
use crate::v1::content::documents::DocumentQuery;
use crate::visitors::{Claims, Readable, readable_content};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    /// Reason for having no entry in the audit log.
    const READS: &str = "it reads with a request body and changes nothing";
    vec![
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/computed/document", None),
            Needs(Action::ViewSpace),
            "Get a computed document",
            get_computed_document,
        )
        .query::<DocumentQuery>()
        .body::<ComputedDocumentRequest>()
        .answers::<Document>(200)
        .unaudited(READS)
        .for_visitors(),
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/computed/revision", None),
            Needs(Action::ViewSpace),
            "Get computed pages",
            get_computed_revision,
        )
        .body::<ComputedRevisionRequest>()
        .answers::<ComputedRevision>(200)
        .unaudited(READS)
        .for_visitors(),
    ]
}

/// Returns the pages of a source if the caller may read the specification, or if the content of the space uses it. For
/// visitors, uses in parts whose conditions they do not meet do not count.
fn pages_of(
    reader: &mut Reader<'_>,
    (caller, space): (&Reading, SpaceId),
    source: RevisionSource,
    seed: &str,
) -> ApiResult<(Authorized<ContentAt>, SpecPages)> {
    let Readable { content, claims } = readable_content(reader, caller, (space, ContentSelector::Space))?;
    let name = source.dependencies.spec.reference.spec.clone();
    let pages = resolve(reader, content.specs(), vec![(source, seed.to_owned())])?.pop().flatten();
    if let Some(claims) = claims {
        let pages = pages.ok_or_else(ApiError::not_found)?;
        return match shows(reader, &content, &pages, &claims)? {
            true => Ok((content, pages)),
            false => Err(ApiError::not_found()),
        };
    }
    let pages = pages.ok_or_else(|| {
        ApiError::not_found().with_message(format!(
            "The OpenAPI specification `{name}` does not exist or has no processed version."
        ))
    })?;
    Ok((content, pages))
}

/// Returns whether the content shows the specification of these pages to a visitor.
fn shows(
    reader: &mut Reader<'_>,
    content: &Authorized<ContentAt>,
    pages: &SpecPages,
    claims: &Claims,
) -> ApiResult<bool> {
    let evaluator = claims.evaluator();
    let is_shown = |document: &_, names: &[String]| shows_spec(document, &evaluator, names);
    Ok(reader.shows_spec_to_visitor(content, &pages.spec, is_shown)?)
}

async fn get_computed_document(
    caller: Reading,
    Path(space): Path<SpaceId>,
    Query(_): Query<DocumentQuery>,
    Json(body): Json<ComputedDocumentRequest>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let seed = body.seed.into_text()?;
    let document: DocumentJson = state
        .read(caller.credentials(), move |reader| {
            let (content, mut pages) = pages_of(reader, (&caller, space), as_pages(&body.source), &seed)?;
            let index = pages.select(&body.source.props).ok_or_else(|| {
                let field =
                    if body.source.props.page.is_some() { "source.props.page" } else { "source.props.doc" };
                ApiError::invalid_field(field, "is not a document of the specification")
            })?;
            pages.props.models |= has_page_of_models(&reader.tree(&content)?, &seed);
            Ok(document_at(reader, content.specs(), &pages, index)?.to_canonical_json().into())
        })
        .await?;
    respond::ok(&request, &document)
}

/// Returns whether the placeholder with this seed has a page of the models. Model names then link to that page.
fn has_page_of_models(tree: &Tree, seed: &str) -> bool {
    tree.computed_pages().any(|page| match &page.kind {
        PageKind::Computed { source, seed: its } => {
            its == seed && source.pointer("/props/models") == Some(&Value::Bool(true))
        }
        _ => false,
    })
}

/// Converts the source of a document to a source of pages, which identifies the specification.
fn as_pages(source: &DocumentSource) -> RevisionSource {
    RevisionSource {
        computed_type: source.computed_type,
        dependencies: source.dependencies.clone(),
        props: RevisionProps::default(),
    }
}

async fn get_computed_revision(
    caller: Reading,
    Path(space): Path<SpaceId>,
    Json(body): Json<ComputedRevisionRequest>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let seed = body.seed.into_text()?;
    let (content, tree, computed) = state
        .read(caller.credentials(), move |reader| {
            let (content, pages) = pages_of(reader, (&caller, space), body.source.clone(), &seed)?;
            let (mut tree, mut computed) = (Tree::empty(), Computed::default());
            computed.put(&mut tree, pages, PagePosition::default()).map_err(ApiError::internal)?;
            Ok((content, tree, computed))
        })
        .await?;
    let view = ContentView::new(&state.urls, &state.signer, Viewed::Space(content.space.id), &tree)
        .on_site(content.space.site.as_ref());
    let pages = view.with_computed(&computed).pages();
    // A specification consists of text: it has no files and no reusable contents.
    respond::ok(&request, &ComputedRevision { pages, files: Vec::new(), reusable_contents: Vec::new() })
}
