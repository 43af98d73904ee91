//! Names within one write. Its documents use them to refer to content that it adds.

use std::collections::HashMap;

use quire_domain::clock::IdGenerator;
use quire_domain::content::ContentChange;
use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_domain::texts::BatchName;
use quire_markup::ContentRef;
use quire_revision::Tree;
use uuid::Uuid;

use super::problems::Problems;

/// Target of a name. Its id is assigned before it is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Page(PageId),
    File(FileId),
    ReusableContent(ReusableContentId),
}

impl Named {
    /// Returns a reference to the target.
    pub(super) fn reference(self) -> ContentRef {
        match self {
            Self::Page(id) => ContentRef::Page { page: id.to_string(), space: None },
            Self::File(id) => ContentRef::File { file: id.to_string(), space: None },
            Self::ReusableContent(id) => {
                ContentRef::ReusableContent { reusable_content: id.to_string(), space: None }
            }
        }
    }
}

/// Ids of the pages, reusable contents and files that changes insert. They are assigned once, so that applying a write
/// to several trees inserts the same ids into each.
#[derive(Debug, Default)]
pub(super) struct InsertedIds(HashMap<(usize, usize), Uuid>);

impl InsertedIds {
    pub(super) fn assign(changes: &[ContentChange], ids: &dyn IdGenerator) -> Self {
        let inserted = |change: &ContentChange| match change {
            ContentChange::InsertPage(_)
            | ContentChange::InsertGroup(_)
            | ContentChange::InsertLink(_)
            | ContentChange::InsertComputed(_)
            | ContentChange::InsertReusableContent(_) => 1,
            ContentChange::InsertFiles(change) => change.files.len(),
            _ => 0,
        };
        let files = changes
            .iter()
            .enumerate()
            .flat_map(|(index, change)| (0..inserted(change)).map(move |part| (index, part)));
        Self(files.map(|file| (file, ids.uuid())).collect())
    }

    /// Returns the id of content that a change inserts. `part` is the index of a file, and 0 for other content.
    pub(super) fn get(&self, change: usize, part: usize) -> Uuid {
        self.0.get(&(change, part)).copied().unwrap_or_default()
    }
}

/// Names in a write.
#[derive(Debug, Default)]
pub(super) struct Names {
    named: HashMap<String, Named>,
    /// Names in order, each with its path in the request body.
    given: Vec<(String, String)>,
}

impl Names {
    /// Collects the names in the changes.
    pub(super) fn collect(changes: &[ContentChange], ids: &InsertedIds) -> Result<Self, Problems> {
        let mut names = Self::default();
        for (index, change) in changes.iter().enumerate() {
            let here = format!("changes[{index}]");
            let page = || Named::Page(PageId::from_uuid(ids.get(index, 0)));
            match change {
                ContentChange::InsertPage(change) => {
                    names.give(&here, change.reference.as_ref(), page)?;
                }
                ContentChange::InsertReusableContent(change) => {
                    let content = || Named::ReusableContent(ReusableContentId::from_uuid(ids.get(index, 0)));
                    names.give(&here, change.reference.as_ref(), content)?;
                }
                ContentChange::InsertFiles(change) => {
                    for (number, file) in change.files.iter().enumerate() {
                        let new = || Named::File(FileId::from_uuid(ids.get(index, number)));
                        names.give(&format!("{here}.files[{number}]"), file.reference.as_ref(), new)?;
                    }
                }
                _ => {}
            }
        }
        Ok(names)
    }

    fn give(
        &mut self,
        path: &str,
        name: Option<&BatchName>,
        new: impl FnOnce() -> Named,
    ) -> Result<(), Problems> {
        let Some(name) = name.map(BatchName::as_text).transpose()? else { return Ok(()) };
        if self.named.contains_key(name) {
            return Err(Problems::new("ref", "is used twice in these changes").below(path));
        }
        self.named.insert(name.to_owned(), new());
        self.given.push((name.to_owned(), path.to_owned()));
        Ok(())
    }

    /// Rejects a name that is the path of a page.
    pub(super) fn check(&self, before: &Tree) -> Result<(), Problems> {
        match self.given.iter().find(|(name, _)| before.page_by_path(name).is_some()) {
            Some((_, path)) => Err(Problems::new("ref", "is the path of a page").below(path)),
            None => Ok(()),
        }
    }

    /// Returns the target of a name.
    pub(super) fn get(&self, name: &str) -> Option<Named> {
        self.named.get(name).copied()
    }

    /// Returns a reference with an id instead of a name, or `None` if the reference has no name.
    pub(super) fn settle(&self, reference: &ContentRef) -> Option<ContentRef> {
        let page = |name: &str| match self.get(name)? {
            Named::Page(id) => Some(id.to_string()),
            Named::File(_) | Named::ReusableContent(_) => None,
        };
        match reference {
            ContentRef::Page { page: name, space: None } => {
                Some(ContentRef::Page { page: page(name)?, space: None })
            }
            ContentRef::Anchor { anchor, page: Some(name), space: None } => {
                Some(ContentRef::Anchor { anchor: anchor.clone(), page: Some(page(name)?), space: None })
            }
            ContentRef::File { file, space: None } => match self.get(file)? {
                named @ Named::File(_) => Some(named.reference()),
                Named::Page(_) | Named::ReusableContent(_) => None,
            },
            ContentRef::ReusableContent { reusable_content, space: None } => {
                match self.get(reusable_content)? {
                    named @ Named::ReusableContent(_) => Some(named.reference()),
                    Named::Page(_) | Named::File(_) => None,
                }
            }
            _ => None,
        }
    }
}
