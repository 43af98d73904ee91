//! Application of the changes of a content write to a tree: a pure function, all or nothing.
//!
//! [`ReadChanges`] are changes with parsed bodies; parsing is slow and needs no tree. [`draft`] applies them to a tree
//! in one walk over the documents. [`replay`] applies them to another tree with the documents of the draft. Changes are
//! applied in order. Documents are inserted last, after all pages have their positions, so that a document may link to
//! a page that a later change adds or moves.

mod blocks;
mod bodies;
mod body;
mod conversion;
mod documents;
mod editor;
mod files;
mod links;
mod location;
mod metadata;
mod names;
mod pages;
mod past;
mod problems;
mod read;
mod resolved;
mod reusable_contents;
mod revert;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use quire_domain::content::ContentChange;
use quire_domain::error::FieldError;
use quire_domain::ids::FileId;
use quire_revision::{DocumentId, Tree};
use quire_storage::content::store::AnalyzedDocument;

use self::body::Body;
pub use self::body::check_document;
pub use self::conversion::{Converted, convert};
pub use self::editor::Context;
use self::editor::Editor;
pub use self::past::{Past, PastNeeds};
use self::problems::Problems;
pub use self::read::ReadChanges;
pub use self::resolved::Resolved;
use self::resolved::{Documents, Owner};

/// Result of applying changes. `D` is the form of the documents.
#[derive(Debug)]
pub struct Applied<D = AnalyzedDocument> {
    /// Resulting content. Equal to the input if the changes had no effect.
    pub tree: Tree,
    /// Documents of the content that may be new, each once.
    pub documents: Vec<D>,
    /// Added files in the order of the changes.
    pub files: Vec<FileId>,
}

/// Changes applied to one tree, with the data to [`replay`] them on another tree.
#[derive(Debug)]
pub struct Drafted {
    /// Resulting content, or the errors of the first invalid change.
    pub applied: Result<Applied, Vec<FieldError>>,
    /// Documents, and the lookups that they depend on.
    pub resolved: Resolved,
}

/// Applies changes to a tree. Errors name the path in the body, such as `changes[2].slug`.
#[must_use]
pub fn draft(before: &Tree, changes: &ReadChanges, context: &Context<'_>) -> Drafted {
    let (applied, documents) = run(before, changes, context, Documents::draft());
    let (resolved, mut made) = documents.into_drafted();
    Drafted { applied: applied.map(|applied| applied.map(|id| made.remove(&id))), resolved }
}

/// Applies drafted changes to another tree without creating documents. Returns `None` if the result needs a document
/// that the draft lacks.
///
/// # Errors
/// The errors of [`draft`].
pub fn replay(
    before: &Tree,
    changes: &ReadChanges,
    context: &Context<'_>,
    resolved: &Resolved,
) -> Result<Option<Applied<DocumentId>>, Vec<FieldError>> {
    let (applied, documents) = run(before, changes, context, Documents::replay(resolved));
    if documents.are_outdated() { Ok(None) } else { applied.map(Some) }
}

fn run<'a>(
    before: &'a Tree,
    changes: &'a ReadChanges,
    context: &'a Context<'a>,
    documents: Documents<'a>,
) -> (Result<Applied<DocumentId>, Vec<FieldError>>, Documents<'a>) {
    let names = match changes.names().and_then(|names| names.check(before).map(|()| names)) {
        Ok(names) => names,
        Err(problems) => return (Err(problems.into_fields()), documents),
    };
    let mut editor = Editor {
        context,
        changes,
        before,
        tree: before.clone(),
        names,
        documents,
        bodies: BTreeMap::new(),
        touched: BTreeSet::new(),
        files: Vec::new(),
    };
    let applied = editor.apply_all().map_err(Problems::into_fields);
    (applied, editor.documents)
}

impl<D> Applied<D> {
    fn map<E>(self, document: impl FnMut(D) -> Option<E>) -> Applied<E> {
        let Self { tree, documents, files } = self;
        Applied { tree, documents: documents.into_iter().filter_map(document).collect(), files }
    }
}

impl Editor<'_> {
    fn apply_all(&mut self) -> Result<Applied<DocumentId>, Problems> {
        let changes = self.changes;
        for (index, change) in changes.iter().cloned().enumerate() {
            self.apply(index, change, changes.body(index))
                .map_err(|problems| problems.below(&format!("changes[{index}]")))?;
        }
        let documents = self.put_documents_in()?.into_iter().collect();
        self.stamp();
        Ok(Applied { tree: self.tree.clone(), documents, files: std::mem::take(&mut self.files) })
    }

    fn apply(
        &mut self,
        index: usize,
        change: ContentChange,
        body: Result<Option<&Body>, Problems>,
    ) -> Result<(), Problems> {
        match change {
            ContentChange::UpdatePage(change) => self.update_page(index, *change, body),
            ContentChange::InsertPage(change) => self.insert_page(index, *change, body),
            ContentChange::DeletePage(change) => self.delete_page(&change),
            ContentChange::RevertPage(change) => self.revert_page(&change),
            ContentChange::InsertFiles(change) => self.insert_files(index, change),
            ContentChange::InsertGroup(change) => self.insert_group(index, *change),
            ContentChange::InsertLink(change) => self.insert_link(index, *change),
            ContentChange::InsertComputed(change) => self.insert_computed(index, *change),
            ContentChange::UpdateFile(change) => self.update_file(change),
            ContentChange::ReplaceFile(change) => self.replace_file(change),
            ContentChange::DeleteFiles(change) => self.delete_files(&change),
            ContentChange::InsertReusableContent(change) => self.insert_reusable_content(index, change, body),
            ContentChange::UpdateReusableContent(change) => self.update_reusable_content(index, change, body),
            ContentChange::DeleteReusableContent(change) => self.delete_reusable_content(&change),
        }
    }

    /// Sets the modification time of everything that differs. A change without effect therefore leaves no trace.
    fn stamp(&mut self) {
        let now = self.context.now.millis();
        for owner in std::mem::take(&mut self.touched) {
            match owner {
                Owner::Page(id) => {
                    let Some(mut page) = self.tree.page(id).cloned() else { continue };
                    if self.before.page(id) != Some(&page) {
                        page.updated_at = Some(now);
                        self.replace_page(page);
                    }
                }
                Owner::ReusableContent(id) => {
                    let Some(mut content) = self.tree.reusable_content(id).cloned() else { continue };
                    if self.before.reusable_content(id) != Some(&content) {
                        content.updated_at = Some(now);
                        self.replace_reusable_content(content);
                    }
                }
            }
        }
    }
}
