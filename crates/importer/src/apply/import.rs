//! The steps of an import: pages first, then files, reusable contents, and the text of the pages.

use std::collections::HashSet;

use quire_domain::ids::PageId;
use quire_markup::{ContentRef, rewrite_refs, slugify};
use quire_revision::{
    BlobHash, Dimensions, DocumentId, FileNode, GitBlob, MAX_PAGE_DEPTH, PageKind, PageNode, PageType,
    Position, ReusableContentNode, Tree, TreeError,
};
use serde_json::{Value, json};

use super::documents::{Documents, Owner, RewrittenDocument};
use super::error::PlacementError;
use super::reconcile::Former;
use super::rows::Rows;
use crate::page_layout;
use crate::plan::{self, PlannedDocument, PlannedFile, PlannedPage, PlannedReusableContent};
use crate::report;
use crate::stable_ids::StableIds;

pub(super) struct Import<'r, 'f> {
    pub(super) tree: Tree,
    /// The content that is replaced; `None` if the plan is added to it.
    pub(super) former: Option<Former<'f>>,
    pub(super) documents: Documents<'r>,
    pub(super) used: Vec<DocumentId>,
    pub(super) blobs: Vec<(BlobHash, u64)>,
    pub(super) stable_ids: StableIds,
    pub(super) rows: Rows,
    pub(super) now: i64,
}

/// Returns the error for the first of these pages, or a page below it, that is too deep. It names a file, because
/// titles of folder pages may not occur in the source.
fn too_deep(pages: &[PlannedPage]) -> PlacementError {
    let file = pages.iter().find_map(|page| page.source_path.as_deref());
    let title = pages.first().map(|page| page.title.as_str());
    let path = report::shown(file.or(title).unwrap_or_default(), report::PATH_MAX).into_owned();
    PlacementError::TooDeep { path, limit: MAX_PAGE_DEPTH }
}

impl Import<'_, '_> {
    /// Adds pages first: a page's id depends on its position, and its document on the ids of linked pages.
    pub(super) fn place_pages(
        &mut self,
        pages: &[PlannedPage],
        into: Option<PageId>,
        replaced: Option<PageId>,
    ) -> Result<(), PlacementError> {
        for (at, page) in pages.iter().enumerate().filter(|(_, page)| Some(page.id) != replaced) {
            self.place_page(page, into).map_err(|error| match error {
                TreeError::TooDeep(_) => too_deep(pages.get(at..).unwrap_or_default()),
                error => error.into(),
            })?;
        }
        Ok(())
    }

    /// Inserts the files and the reusable contents that the plan of some changed pages does not have.
    pub(super) fn insert_kept(&mut self) -> Result<(), TreeError> {
        let Some((files, contents)) = self.former.as_ref().map(Former::kept) else { return Ok(()) };
        let there = self.tree.files().filter_map(|file| Some(file.git.as_ref()?.path.clone()));
        let there: HashSet<String> = there.collect();
        let is_there = |file: &FileNode| file.git.as_ref().is_some_and(|git| there.contains(&git.path));
        for file in files.into_iter().filter(|file| !is_there(file)) {
            if self.tree.file(file.id).is_none() {
                self.blobs.push((file.blob, file.size));
                self.tree.insert_file(file.clone())?;
            }
        }
        for content in contents {
            if self.tree.reusable_content(content.id).is_none() {
                self.used.extend(content.document);
                self.tree.insert_reusable_content(content.clone())?;
            }
        }
        Ok(())
    }

    pub(super) fn insert_reusable_content(
        &mut self,
        content: &PlannedReusableContent,
    ) -> Result<(), PlacementError> {
        let document = self.store(Owner::ReusableContent(content.id), &content.document)?;
        let git = self.git(&content.source_path);
        let inserted = self.tree.insert_reusable_content(ReusableContentNode {
            id: self.stable_ids.reusable_content(content.id),
            title: content.title.clone(),
            document,
            created_at: Some(self.now),
            updated_at: Some(self.now),
            git,
        });
        Ok(inserted?)
    }

    /// Replaces the document of an existing page by a planned one.
    pub(super) fn replace_document(&mut self, planned: &PlannedPage) -> Result<(), PlacementError> {
        let mut page = self.page(planned.id)?;
        page.document = self.store_page(planned)?;
        page.updated_at = Some(self.now);
        Ok(self.tree.update_page(page)?)
    }

    fn store_page(&mut self, page: &PlannedPage) -> Result<Option<DocumentId>, PlacementError> {
        match &page.document {
            Some(document) => self.store(Owner::Page(page.id), document),
            None => Ok(None),
        }
    }

    /// Inserts an empty page at its position in the tree.
    fn place_page(&mut self, page: &PlannedPage, into: Option<PageId>) -> Result<(), TreeError> {
        let parent = page.parent.map(|parent| self.stable_ids.page(parent)).or(into);
        if let Some(kept) = self.kept_page(page) {
            self.stable_ids.is_page(page.id, kept.id);
            let position = self.next_position(page, parent);
            let slug = self.tree.free_slug(parent, &kept.slug);
            return self.tree.insert_page(PageNode { parent, position, slug, ..kept });
        }
        let (kind, slug) = match &page.kind {
            plan::PageKind::Document => (PageKind::Document, self.slug(page, parent)),
            plan::PageKind::Group => (PageKind::Group, self.slug(page, parent)),
            // The target is set once every page is in the tree.
            plan::PageKind::Link { .. } => (PageKind::Link { target: Value::Null }, String::new()),
            plan::PageKind::Computed { source, seed } => {
                let seed = seed.clone().unwrap_or_default();
                (PageKind::Computed { source: source.clone(), seed }, String::new())
            }
        };
        let name = match &page.kind {
            plan::PageKind::Computed { .. } => format!("computed\0{}", page.title),
            _ if slug.is_empty() => format!("link\0{}", page.title),
            _ => slug.clone(),
        };
        let id = self.identify(page.id, parent, (&slug, &name), kind.page_type());
        let kind = match kind {
            // As for a new placeholder without a seed.
            PageKind::Computed { source, seed } if seed.is_empty() => {
                PageKind::Computed { source, seed: id.to_string() }
            }
            kind => kind,
        };
        let position = self.next_position(page, parent);
        self.tree.insert_page(PageNode::new(id, parent, position, kind, page.title.clone(), slug))
    }

    fn next_position(&mut self, page: &PlannedPage, parent: Option<PageId>) -> Position {
        let position = self.rows.next(&self.tree, parent, page.parent);
        position.unwrap_or_else(|| self.tree.position_at(parent, None, None))
    }

    /// Returns the page that stays as it was when it was last synchronized, because its text did not change.
    fn kept_page(&self, page: &PlannedPage) -> Option<PageNode> {
        self.former.as_ref()?.kept_page(page.source_path.as_deref()?).cloned()
    }

    /// Returns the final id of a page: of one that is there, or a new one that follows from its position.
    fn identify(
        &mut self,
        planned: PageId,
        parent: Option<PageId>,
        (slug, name): (&str, &str),
        kind: PageType,
    ) -> PageId {
        let Self { tree, former, stable_ids, .. } = self;
        let there = former.as_ref().and_then(|former| former.page(planned, parent, slug, kind));
        if let Some(there) = there.filter(|there| tree.page(*there).is_none()) {
            stable_ids.is_page(planned, there);
            return there;
        }
        let is_taken = |id| {
            tree.page(id).is_some() || former.as_ref().is_some_and(|former| former.is_other_page(id, kind))
        };
        stable_ids.name_page(is_taken, planned, parent, name)
    }

    /// Returns the location of a source file in its repository.
    fn git(&self, path: &str) -> Option<GitBlob> {
        self.former.as_ref().and_then(|former| former.git(path))
    }

    fn slug(&self, page: &PlannedPage, parent: Option<PageId>) -> String {
        let wanted = page.slug.clone().unwrap_or_else(|| slugify(&page.title));
        self.tree.free_slug(parent, &wanted)
    }

    /// Sets everything that the plan says about an already placed page.
    pub(super) fn fill_page(&mut self, page: &PlannedPage) -> Result<(), PlacementError> {
        let placed = self.page(page.id)?;
        if self.kept_page(page).is_some() {
            self.used.extend(placed.document);
            return Ok(());
        }
        let kind = match &page.kind {
            plan::PageKind::Link { target } => {
                PageKind::Link { target: serde_json::to_value(self.renamed(target)).unwrap_or_default() }
            }
            _ => placed.kind.clone(),
        };
        let cover = page.cover.as_ref();
        let cover = cover.map(|cover| json!({"ref": self.renamed(&cover.image), "yPos": cover.y_pos}));
        let document = self.store_page(page)?;
        let git = page.source_path.as_deref().and_then(|path| self.git(path));
        let updated = self.tree.update_page(PageNode {
            kind,
            emoji: page.emoji.clone(),
            icon: page.icon.clone(),
            description: page.description.clone(),
            link_title: page.link_title.clone(),
            hidden: page.hidden,
            no_index: page.no_index,
            no_robots_index: page.no_robots_index,
            cover: cover.map(Box::new),
            layout: page
                .layout
                .as_ref()
                .and_then(|layout| serde_json::to_value(page_layout::from_front_matter(layout)).ok())
                .map(Box::new),
            document,
            created_at: Some(self.now),
            updated_at: Some(self.now),
            git: git.map(Box::new),
            ..placed
        });
        Ok(updated?)
    }

    /// Returns the page of the tree for a planned page.
    fn page(&self, planned: PageId) -> Result<PageNode, TreeError> {
        let id = self.stable_ids.page(planned);
        self.tree.page(id).cloned().ok_or(TreeError::UnknownPage(id))
    }

    pub(super) fn insert_file(&mut self, file: &PlannedFile, blob: BlobHash) -> Result<(), TreeError> {
        let git = self.former.as_ref().and_then(|former| former.git_of_file(&file.source_path));
        let unchanged =
            self.former.as_ref().and_then(|former| former.unchanged_file(file.id, &file.source_path));
        if let Some(unchanged) = unchanged {
            let kept = FileNode { git, ..unchanged.clone() };
            self.blobs.push((kept.blob, kept.size));
            return self.tree.insert_file(kept);
        }
        let size = u64::try_from(file.content.len()).unwrap_or(u64::MAX);
        self.blobs.push((blob, size));
        self.tree.insert_file(FileNode {
            id: self.stable_ids.file(file.id),
            name: file.name.clone(),
            content_type: file.content_type.clone(),
            size,
            dimensions: file.dimensions.and_then(|dimensions| {
                Some(Dimensions {
                    width: u32::try_from(dimensions.width).ok()?,
                    height: u32::try_from(dimensions.height).ok()?,
                })
            }),
            blob,
            created_at: Some(self.now),
            git,
        })
    }

    /// Keeps a document for the commit. Returns `None` only in an outdated replay.
    fn store(
        &mut self,
        owner: Owner,
        planned: &PlannedDocument,
    ) -> Result<Option<DocumentId>, PlacementError> {
        let id = match &mut self.documents {
            Documents::Drafted { rewritten, make } => {
                let document = planned.read();
                let document = document.map_err(|error| PlacementError::Spool { cause: error.to_string() });
                let (mut document, mut references) = (document?, Vec::new());
                rewrite_refs(&mut document, &mut |planned| {
                    let last = self.stable_ids.renamed(planned);
                    references.extend(last.clone().map(|last| (planned.clone(), last)));
                    last
                });
                let id = make(document);
                rewritten.0.insert(owner, RewrittenDocument { id, references });
                Some(id)
            }
            Documents::Replayed { rewritten, outdated } => {
                let found = rewritten.find(owner, &self.stable_ids);
                *outdated |= found.is_none();
                found
            }
        };
        self.used.extend(id);
        Ok(id)
    }

    fn renamed(&self, reference: &ContentRef) -> ContentRef {
        self.stable_ids.renamed(reference).unwrap_or_else(|| reference.clone())
    }
}
