//! State of a content write while it is applied.

use std::collections::{BTreeMap, BTreeSet};

use quire_domain::clock::Timestamp;
use quire_domain::ids::FileId;
use quire_revision::Tree;

use super::names::Names;
use super::past::Past;
use super::read::ReadChanges;
use super::resolved::{Documents, Owner, Source};
use crate::attachments::Attachments;

/// Input of changes in addition to the tree.
pub struct Context<'a> {
    /// The time of the changes.
    pub now: Timestamp,
    /// The already stored bytes of added files.
    pub attachments: &'a Attachments,
    /// The states for reverts.
    pub past: &'a Past,
}

/// A document to insert into the tree when all pages have their positions.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) source: Source,
    pub(super) has_cover: bool,
}

impl Pending {
    pub(super) fn new(source: Source) -> Self {
        Self { source, has_cover: false }
    }
}

/// A tree under edit.
pub(super) struct Editor<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) changes: &'a ReadChanges,
    pub(super) before: &'a Tree,
    pub(super) tree: Tree,
    pub(super) names: &'a Names,
    pub(super) documents: Documents<'a>,
    /// The documents to insert at the end.
    pub(super) bodies: BTreeMap<Owner, Pending>,
    /// Pages and reusable contents that may have changed; those that did get a new modification time.
    pub(super) touched: BTreeSet<Owner>,
    pub(super) files: Vec<FileId>,
}
