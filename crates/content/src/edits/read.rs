//! Changes with parsed bodies.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use quire_domain::clock::IdGenerator;
use quire_domain::content::{ContentChange, RevertPage};
use quire_domain::documents::DocumentInput;
use quire_revision::EntryId;

use super::body::Body;
use super::names::{InsertedIds, Names};
use super::past;
use super::problems::Problems;

/// Changes of a write with parsed bodies. A parse error is reported when its change is applied, after errors in earlier
/// changes.
#[derive(Debug)]
pub struct ReadChanges {
    /// Changes with empty bodies.
    changes: Vec<ContentChange>,
    names: Result<Names, Problems>,
    inserted: InsertedIds,
    bodies: BTreeMap<usize, Result<Body, Problems>>,
}

/// Parser of a body.
type Reader = fn(&DocumentInput, &Names, &dyn Fn() -> bool) -> Result<Body, Problems>;

impl ReadChanges {
    /// Parses the bodies, and assigns ids to the names in the changes. Parsing is aborted once `is_late` returns true.
    #[must_use]
    pub fn read(mut changes: Vec<ContentChange>, ids: &dyn IdGenerator, is_late: &dyn Fn() -> bool) -> Self {
        let inserted = InsertedIds::assign(&changes, ids);
        let names = Names::collect(&changes, &inserted);
        let mut bodies = BTreeMap::new();
        for (index, change) in changes.iter_mut().enumerate() {
            let Some((input, read)) = take_body(change) else { continue };
            // Conflicting names refuse the whole write anyway.
            if let Ok(names) = &names {
                bodies.insert(index, read(&input, names, is_late));
            }
        }
        forget_bytes(&mut changes);
        Self { changes, names, inserted, bodies }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ContentChange> {
        self.changes.iter()
    }

    /// Returns the pages and reusable contents that the changes edit.
    pub(crate) fn edited(&self) -> BTreeSet<EntryId> {
        past::edited(&self.changes)
    }

    /// Returns the reverts among the changes.
    pub(crate) fn reverts(&self) -> impl Iterator<Item = &RevertPage> {
        self.changes.iter().filter_map(|change| match change {
            ContentChange::RevertPage(change) => Some(change),
            _ => None,
        })
    }

    pub(super) fn names(&self) -> Result<&Names, Problems> {
        self.names.as_ref().map_err(Clone::clone)
    }

    /// Returns the ids of inserted content.
    pub(super) fn inserted(&self) -> &InsertedIds {
        &self.inserted
    }

    /// Returns the body of the change with this index, if it has one.
    pub(super) fn body(&self, index: usize) -> Result<Option<&Body>, Problems> {
        self.bodies.get(&index).map(Result::as_ref).transpose().map_err(Clone::clone)
    }
}

/// Removes the bytes of files from the changes. They are stored before the changes are applied.
fn forget_bytes(changes: &mut [ContentChange]) {
    for change in changes {
        if let ContentChange::InsertFiles(change) = change {
            change.files.iter_mut().for_each(|file| file.base64 = None);
        }
    }
}

/// Removes the body of a change, and returns it with its parser.
fn take_body(change: &mut ContentChange) -> Option<(DocumentInput, Reader)> {
    const PAGE: Reader = Body::of_page;
    const REUSABLE_CONTENT: Reader = Body::of_reusable_content;
    let emptied = || DocumentInput::Markdown { markdown: String::new() };
    match change {
        ContentChange::InsertPage(change) => Some((mem::replace(&mut change.document, emptied()), PAGE)),
        ContentChange::UpdatePage(change) => Some((change.document.take()?, PAGE)),
        ContentChange::InsertReusableContent(change) => {
            Some((mem::replace(&mut change.document, emptied()), REUSABLE_CONTENT))
        }
        ContentChange::UpdateReusableContent(change) => Some((change.document.take()?, REUSABLE_CONTENT)),
        _ => None,
    }
}
