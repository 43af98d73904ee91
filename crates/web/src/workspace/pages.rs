//! Loading of a page of a space, of a change request or of a revision.

use std::collections::{BTreeSet, HashMap, HashSet};

use quire_content::computed::document_at;
use quire_content::page_body::{cover, layout};
use quire_content::reading::{Evaluation, Expressions, ReaderForm};
use quire_content::rendering::{Targets, apis};
use quire_domain::ids::SpaceId;
use quire_domain::revisions::PageLayout;
use quire_markup::{ContentRef, Document};
use quire_render::{ApiPiece, References, Resolved, Resolver as _, references};
use quire_revision::{DocumentId, PageNode, PageType};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::content::change_requests::ChangeRequestRecord;
use quire_storage::content::store::{ContentPoint as _, ContentSelector};
use quire_storage::lookup::Credentials;

use super::comments::{Threads, Wanted};
use super::content::{Content, Opened, address_of, open};
use crate::reader::Cover;
use crate::reader::cover::pictures;
use crate::site::{find, is_blank, listed};
use crate::state::Web;

/// Page to show.
pub(super) struct Reading {
    pub(super) content: Content,
    pub(super) page: PageNode,
    pub(super) layout: PageLayout,
    pub(super) document: Document,
    /// Part of a specification that a computed page shows instead of a document.
    pub(super) piece: Option<ApiPiece>,
    pub(super) resolved: Resolved,
    pub(super) cover: Option<Cover>,
    /// Comments on the page. `None` for earlier revisions.
    pub(super) threads: Option<Threads>,
    /// Open change requests that change the page, and such drafts of the caller, newest first. Only for a page of a
    /// space.
    pub(super) changes: Vec<ChangeRequestRecord>,
}

/// Result of loading a path.
pub(super) enum Found {
    Page(Box<Reading>),
    /// The page has another address.
    Moved(String),
    /// A space without pages.
    Empty(Box<Content>),
}

/// Expressions for members, who have no claims of visitors and see all conditional parts.
struct NoClaims;

impl Expressions for NoClaims {
    fn holds(&self, _: &str) -> bool {
        true
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

/// Loads the page at a path. The empty path means the first page.
pub(super) fn load(
    reader: &mut Reader<'_>,
    web: &Web,
    caller: Credentials,
    (space, selector): (SpaceId, ContentSelector),
    path: &[String],
    comments: Wanted,
) -> ApiResult<Found> {
    let opened = open(reader, web, space, selector)?;
    let (tree, place) = (&opened.shown.tree, &opened.shown.place);
    let Some(page) = find(tree, path) else {
        if path.is_empty() {
            return Ok(Found::Empty(Box::new(opened.shown)));
        }
        return Ok(Found::Moved(former(reader, &opened, path)?));
    };
    let address = address_of(&opened.shown, page).ok_or_else(ApiError::not_found)?;
    let canonical = match tree.path_of(page.id) {
        _ if path.is_empty() => String::new(),
        found => found.unwrap_or_default(),
    };
    let is_there = page.page_type() == PageType::Document
        && canonical == path.join("/")
        && !(place.is_current() && !path.is_empty() && tree.is_home(page.id));
    if !is_there {
        return Ok(Found::Moved(address));
    }
    let page = page.clone();
    read(reader, web, caller, opened, page, comments).map(|reading| Found::Page(Box::new(reading)))
}

/// Returns the address of a page that was formerly at a path, or of the target of a former kind of address.
fn former(reader: &mut Reader<'_>, opened: &Opened, path: &[String]) -> ApiResult<String> {
    let Opened { content, computed, shown, .. } = opened;
    let id = match computed.formerly_at(&shown.tree, path) {
        Some(id) => Some(id),
        None => reader.page_formerly_at(content, &shown.tree, path)?,
    };
    let page = id.and_then(|id| shown.tree.page(id)).and_then(|page| address_of(shown, page));
    if let Some(address) = page {
        return Ok(address);
    }
    match path {
        [kind, key, rest @ ..] if kind == "change-requests" && shown.place.is_current() => {
            let rest: String = rest.iter().map(|part| format!("/{part}")).collect();
            Ok(shown.place.at(&format!("~/changes/{key}{rest}")))
        }
        _ => Err(ApiError::not_found()),
    }
}

fn read(
    reader: &mut Reader<'_>,
    web: &Web,
    caller: Credentials,
    opened: Opened,
    page: PageNode,
    comments: Wanted,
) -> ApiResult<Reading> {
    let Opened { content, computed, shown, .. } = &opened;
    let block = computed.page(page.id).and_then(|(pages, index)| pages.block(index));
    let is_piece = block.is_some();
    let document = match (block, page.document, computed.page(page.id)) {
        (Some(block), ..) => Document { nodes: vec![block], ..Document::default() },
        (None, None, Some((pages, index))) => document_at(reader, content.readable_specs(), pages, index)?,
        (None, id, _) => shown_document(reader, &opened, id)?,
    };
    let document = if is_blank(&document) { listed(&shown.tree, &page) } else { document };
    let mut threads = match shown.place.revision {
        None => Some(Threads::load(reader, content, Some(page.id), comments)?),
        Some(_) => None,
    };
    if let Some(threads) = &mut threads {
        threads.locate(&document);
    }
    let has_changes = shown.space.change_requests_open > 0 || shown.space.change_requests_draft > 0;
    let changes = match shown.place.is_current() && has_changes {
        true => reader.active_changes_of_page(content, page.id)?,
        false => Vec::new(),
    };
    let stored_cover = page.cover.as_deref().and_then(cover);
    let covers = stored_cover.iter().flat_map(pictures).flatten();
    let further = covers.chain(threads.iter().flat_map(Threads::references)).collect();
    let resolved = resolve(reader, web, caller, &opened, &document, further)?;
    let piece = resolved.apis.values().flat_map(HashMap::values).next().filter(|_| is_piece).cloned();
    let layout = page.layout.as_deref().map(layout).unwrap_or_default();
    let cover = stored_cover.and_then(|cover| Cover::of(&cover, &layout, |to| resolved.target(to).cloned()));
    let content = opened.shown;
    Ok(Reading { layout, content, page, document, piece, resolved, cover, threads, changes })
}

/// Returns a stored document with its reusable contents, as members see it. Its outermost blocks have keys.
pub(super) fn shown_document(
    reader: &mut Reader<'_>,
    opened: &Opened,
    id: Option<DocumentId>,
) -> ApiResult<Document> {
    let Opened { content, shown, .. } = opened;
    let stored = id.map(|id| reader.document(content, id)).transpose().map_err(ApiError::internal)?;
    let form = ReaderForm { evaluation: Evaluation::None, dereferenced: false, identified: true };
    let mut document = form.of(reader, content, &shown.tree, stored.as_ref(), &NoClaims)?;
    let keys = document.nodes.iter().filter_map(|block| block.key.clone()).collect();
    form.include(reader, content, &shown.tree, &mut document)?;
    name_included(&mut document, &keys);
    Ok(document)
}

/// Loads what a document refers to, and the targets of further references.
pub(super) fn resolve(
    reader: &mut Reader<'_>,
    web: &Web,
    caller: Credentials,
    opened: &Opened,
    document: &Document,
    further: BTreeSet<ContentRef>,
) -> ApiResult<Resolved> {
    let Opened { content, organization, computed, shown } = opened;
    let References { targets, apis: wanted, .. } = references(document);
    let apis = apis(reader, content.readable_specs(), computed, &wanted)?;
    let models = apis.values().flat_map(HashMap::values).flat_map(|piece| piece.pages.values());
    let models = models.map(|page| ContentRef::Page { page: page.clone(), space: None });
    let named: BTreeSet<ContentRef> = targets.into_iter().chain(models).chain(further).collect();
    let addresses = shown.place.addresses(&web.state.signer);
    let targets = Targets::new(&addresses, &web.expansions, shown.place.space, &shown.tree);
    let targets = targets.load(reader, caller, organization, content, named)?;
    Ok(Resolved { targets, apis, shows_all: true, ..Resolved::default() })
}

/// Sets the key of blocks from a reusable content to the key of the block that includes them. Only the first of them
/// gets it, since keys are unique.
fn name_included(document: &mut Document, keys: &HashSet<Box<str>>) {
    let mut named = HashSet::new();
    for block in &mut document.nodes {
        let Some(key) = block.key.take() else { continue };
        // The key of an included block starts with the key of the including block and a dot.
        let around = || key.match_indices('.').rev().find_map(|(end, _)| keys.get(key.get(..end)?));
        let own = keys.get(&key).or_else(around).cloned();
        block.key = own.filter(|own| named.insert(own.clone()));
    }
}

#[cfg(test)]
mod tests {
    use quire_markup::{StableRefs, parse};

    use super::*;

    #[test]
    fn included_blocks_have_the_key_of_the_block_that_includes_them() {
        let mut document = parse("One.\n\nTwo.\n\nThree.\n\nFour.", &StableRefs);
        for (block, key) in document.nodes.iter_mut().zip(["0", "1.0", "1.1", "a.b"]) {
            block.key = Some(key.into());
        }
        let keys = ["0", "1", "a.b"].map(Box::from).into_iter().collect();
        name_included(&mut document, &keys);
        let found: Vec<Option<&str>> = document.nodes.iter().map(|block| block.key.as_deref()).collect();
        assert_eq!(found, [Some("0"), Some("1"), None, Some("a.b")]);
    }
}
