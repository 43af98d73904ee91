//! Applies the changes of a content write to a tree: a pure function, all or nothing.
//!
//! [`ReadChanges`] are changes with parsed bodies; parsing is slow and needs no tree. [`apply`] applies them to a tree in
//! one walk over the documents. Changes are applied in order. Documents are inserted last, when all pages have their
//! places, so that a document may link to a page that a later change adds or moves.

mod blocks;
mod bodies;
mod files;
mod links;
mod metadata;
mod names;
mod pages;
mod past;
mod place;
mod problems;
mod read;
mod reusable_contents;
mod revert;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use quire_domain::clock::{IdGenerator, Timestamp};
use quire_domain::content::ContentChange;
use quire_domain::error::FieldError;
use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_revision::{DocumentId, Tree};
use serde_json::Value;

use self::bodies::Body;
use self::names::Names;
pub use self::past::{Past, PastNeeds};
use self::problems::Problems;
pub use self::read::ReadChanges;
use super::attachments::Attachments;

/// What changes need beside the tree.
pub struct Context<'a> {
    /// When they are made.
    pub now: Timestamp,
    /// Where the ids of what they add come from.
    pub ids: &'a dyn IdGenerator,
    /// The bytes of the files they add, which are stored already.
    pub attachments: &'a Attachments,
    /// The states they take content back to.
    pub past: &'a Past,
}

/// What came of the changes.
#[derive(Debug)]
pub struct Applied {
    /// The content. Equal to what it was when the changes changed nothing.
    pub tree: Tree,
    /// The documents of the content that may be new, each once, with its id.
    pub documents: Vec<(DocumentId, Value)>,
    /// The files that were added, in the order of the changes.
    pub files: Vec<FileId>,
}

/// The content after the changes.
///
/// # Errors
/// What is wrong with the first change that doesn't fit, each with its path in the body: `changes[2].slug`.
pub fn apply(
    before: &Tree,
    changes: &ReadChanges,
    context: &Context<'_>,
) -> Result<Applied, Vec<FieldError>> {
    let names = changes.names().and_then(|names| names.check(before).map(|()| names));
    let mut editor = Editor {
        context,
        before,
        tree: before.clone(),
        names: names.map_err(Problems::into_fields)?,
        bodies: BTreeMap::new(),
        touched: BTreeSet::new(),
        files: Vec::new(),
    };
    for (index, change) in changes.iter().cloned().enumerate() {
        editor
            .apply(index, change, changes.body(index))
            .map_err(|problems| problems.below(&format!("changes[{index}]")).into_fields())?;
    }
    Ok(editor.finish())
}

/// Whose document a body becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Page(PageId),
    ReusableContent(ReusableContentId),
}

/// A tree on its way from one state to the next.
struct Editor<'a> {
    context: &'a Context<'a>,
    before: &'a Tree,
    tree: Tree,
    names: &'a Names,
    /// The documents to put in at the end.
    bodies: BTreeMap<Owner, Body>,
    /// What may have changed, to be stamped with the time if it did.
    touched: BTreeSet<Owner>,
    files: Vec<FileId>,
}

impl Editor<'_> {
    fn apply(
        &mut self,
        index: usize,
        change: ContentChange,
        body: Result<Option<&Body>, Problems>,
    ) -> Result<(), Problems> {
        match change {
            ContentChange::UpdatePage(change) => self.update_page(*change, body),
            ContentChange::InsertPage(change) => self.insert_page(*change, body),
            ContentChange::DeletePage(change) => self.delete_page(&change),
            ContentChange::RevertPage(change) => self.revert_page(&change),
            ContentChange::InsertFiles(change) => self.insert_files(index, change),
            ContentChange::InsertGroup(change) => self.insert_group(*change),
            ContentChange::InsertLink(change) => self.insert_link(*change),
            ContentChange::InsertComputed(change) => self.insert_computed(*change),
            ContentChange::UpdateFile(change) => self.update_file(change),
            ContentChange::DeleteFiles(change) => self.delete_files(&change),
            ContentChange::InsertReusableContent(change) => self.insert_reusable_content(change, body),
            ContentChange::UpdateReusableContent(change) => self.update_reusable_content(change, body),
            ContentChange::DeleteReusableContent(change) => self.delete_reusable_content(&change),
        }
    }

    fn finish(mut self) -> Applied {
        let documents = self.put_documents_in();
        self.stamp();
        Applied { tree: self.tree, documents, files: self.files }
    }

    /// Notes the time on what is different from before, and on nothing else: a change that changes nothing leaves no trace.
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
