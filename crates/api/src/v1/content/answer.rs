//! Answers to reads of content: the caller is authorized, then the entity tag is found, and only then is anything
//! loaded.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use quire_content::computed::{Computed, Expansions, expand};
use quire_domain::policy::Action;
use quire_revision::Tree;
use quire_storage::Reader;
use quire_storage::lookup::{
    Authorized, ContentHead, ContentKey, ContentPoint, ContentSelector, Credentials,
};
use serde::Serialize;

use super::path::ContentPath;
use crate::api::Api;
use crate::error::{ApiError, ApiResult};
use crate::present::ContentView;
use crate::respond::{Conditional, ContentAnswer};
use crate::state::ServerState;

/// A read of a part of content that follows from the revision, the request and the versions of specifications alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) caller: Credentials,
    pub(super) place: ContentPath,
    /// The answer contains the location of items in Git.
    pub(super) git: bool,
    /// Computed pages replace their placeholders.
    pub(super) computed: bool,
}

/// Inputs of a part.
pub(super) struct Source<'a, 'r> {
    pub(super) reader: &'a mut Reader<'r>,
    pub(super) content: &'a Authorized<ContentHead>,
    pub(super) tree: &'a Tree,
    pub(super) computed: &'a Computed,
    pub(super) view: ContentView<'a>,
}

/// Answers the part that `find` finds in the tree, as `make` presents it. A part that is `None` is 404.
///
/// The body is taken from the cache of answers, or made and written on a thread that may block.
pub(super) async fn answer<F, R: Serialize>(
    asked: Asked,
    request: &HttpRequest,
    api: &Api,
    find: impl Fn(&Tree) -> Option<F> + Send + 'static,
    make: impl Fn(Source<'_, '_>, F) -> ApiResult<R> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let Asked { caller, place, git, computed } = asked;
    let content = authorized(&api.state, caller, place).await?;
    let conditional = Conditional::of(request);
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
        let view = place.view_of_head(&state, &content, &tree).with_git(git).with_computed(&computed);
        let part = make(Source { reader, content: &content, tree: &tree, computed: &computed, view }, found)?;
        ContentAnswer::new(&state.answers, &tag, &part)
    };
    api.state.read(caller, load).await?.respond()
}

/// Looks up content that the caller may view.
///
/// # Errors
/// 401; 404 when there is no such content or the caller may not see it.
pub(super) async fn authorized(
    state: &ServerState,
    caller: Credentials,
    place: ContentPath,
) -> ApiResult<Authorized<ContentHead>> {
    let key = |revision| ContentKey { credentials: caller, space: place.space(), revision };
    let found = match place.selector() {
        ContentSelector::Space => state.content_head(key(None)).await?,
        ContentSelector::Revision(revision) => state.content_head(key(Some(revision))).await?,
        change_request @ ContentSelector::ChangeRequest(_) => {
            let look = move |reader: &mut Reader<'_>| Ok(reader.content_head(place.space(), change_request)?);
            state.read(caller, look).await?
        }
    };
    Ok(found.authorize(Action::ViewSpace)?)
}

/// Returns the tree of content, in which computed pages are expanded if they are asked for: with `expansions`, those of
/// earlier requests.
///
/// # Errors
/// When a statement fails.
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
