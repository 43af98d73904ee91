//! Lists of pages that are serialized while they are sent, because the tree of a large space takes tens of megabytes as
//! JSON.

use std::vec;

use actix_web::web::Bytes;
use quire_content::computed::Computed;
use quire_revision::Tree;
use quire_server::unread::PIECE;

use crate::prelude::*;
use crate::present::{ContentView, Viewed};

/// Minimum number of pages of a list that is serialized while it is sent.
pub(super) const IN_PARTS: usize = 2_000;
/// Start of the list in the JSON of a resource.
const PAGES: &[u8] = b"\"pages\":[";
/// End of a page that may have subpages. Subpages are the last key of a page.
const SUBPAGES: &[u8] = b"]}";

/// Returns the pages below a page in the order of the tree, each with its level. Levels count from 0.
pub(super) fn in_tree_order(tree: &Tree, parent: Option<PageId>, levels: usize) -> Vec<(PageId, usize)> {
    let mut found = Vec::new();
    let children = |parent, level| tree.children(parent).rev().map(move |page| (page.id, level));
    let mut pending: Vec<(PageId, usize)> = children(parent, 0).collect();
    while let Some((page, level)) = pending.pop() {
        found.push((page, level));
        let below = level.saturating_add(1);
        if below < levels {
            pending.extend(children(Some(page), below));
        }
    }
    found
}

/// JSON around a list of pages.
pub(super) struct Surroundings {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Surroundings {
    /// Returns the JSON around a list without a surrounding resource.
    pub(super) fn of_list() -> Self {
        Self { before: b"{\"pages\":[".to_vec(), after: SUBPAGES.to_vec() }
    }

    /// Returns the JSON around the list of a resource, whose list must be empty.
    ///
    /// # Errors
    /// A resource that cannot be written as JSON, or has no list of pages.
    pub(super) fn of_resource(resource: &impl Serialize) -> ApiResult<Self> {
        let mut before = serde_json::to_vec(resource).map_err(ApiError::internal)?;
        // Quotes are escaped in strings, so this finds only a key.
        let key = before.windows(PAGES.len()).position(|part| part == PAGES);
        let key = key.ok_or_else(|| ApiError::internal(anyhow::anyhow!("a resource without pages")))?;
        let after = before.split_off(key.saturating_add(PAGES.len()));
        Ok(Self { before, after })
    }
}

/// Parts of a list of pages. Each part has about the size that a connection buffers.
pub(super) struct PageParts {
    state: State,
    viewed: Viewed,
    tree: Tree,
    computed: Arc<Computed>,
    git: bool,
    surroundings: Surroundings,
    pages: vec::IntoIter<(PageId, usize)>,
    /// JSON that ends the pages that are still open.
    open: Vec<&'static [u8]>,
    is_begun: bool,
    is_ended: bool,
}

impl PageParts {
    pub(super) fn new(
        state: State,
        (viewed, tree, computed): (Viewed, Tree, Arc<Computed>),
        git: bool,
        (surroundings, pages): (Surroundings, Vec<(PageId, usize)>),
    ) -> Self {
        Self {
            state,
            viewed,
            tree,
            computed,
            git,
            surroundings,
            pages: pages.into_iter(),
            open: Vec::new(),
            is_begun: false,
            is_ended: false,
        }
    }

    fn part(&mut self) -> ApiResult<Bytes> {
        let view = ContentView::new(&self.state.urls, &self.state.signer, self.viewed, &self.tree);
        let view = view.with_git(self.git).with_computed(&self.computed);
        let mut part = Vec::with_capacity(2 * PIECE);
        if !self.is_begun {
            self.is_begun = true;
            part.append(&mut self.surroundings.before);
        }
        while part.len() < PIECE {
            let Some((id, level)) = self.pages.next() else {
                self.is_ended = true;
                while let Some(end) = self.open.pop() {
                    part.extend_from_slice(end);
                }
                part.append(&mut self.surroundings.after);
                break;
            };
            let is_after_another = self.open.len() > level;
            while self.open.len() > level
                && let Some(end) = self.open.pop()
            {
                part.extend_from_slice(end);
            }
            if is_after_another {
                part.push(b',');
            }
            let Some(node) = self.tree.page(id) else { continue };
            let start = part.len();
            serde_json::to_writer(&mut part, &view.page_alone(node)).map_err(ApiError::internal)?;
            let has_subpages = part.get(start..).is_some_and(|page| page.ends_with(b"\"pages\":[]}"));
            if has_subpages {
                part.truncate(part.len() - SUBPAGES.len());
            }
            self.open.push(if has_subpages { SUBPAGES } else { b"" });
        }
        Ok(part.into())
    }
}

impl Iterator for PageParts {
    type Item = ApiResult<Bytes>;

    fn next(&mut self) -> Option<ApiResult<Bytes>> {
        if self.is_ended {
            return None;
        }
        let part = self.part();
        self.is_ended |= part.is_err();
        Some(part)
    }
}
