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
    /// Time of the changes.
    pub now: Timestamp,
    /// Files of the changes, whose bytes are stored already.
    pub attachments: &'a Attachments,
    /// Past states for reverts.
    pub past: &'a Past,
}

/// Document to insert into the tree after all pages have their positions.
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

/// Tree during a write.
pub(super) struct Editor<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) changes: &'a ReadChanges,
    pub(super) before: &'a Tree,
    pub(super) tree: Tree,
    pub(super) names: &'a Names,
    pub(super) documents: Documents<'a>,
    /// Documents to insert at the end.
    pub(super) bodies: BTreeMap<Owner, Pending>,
    /// Pages and reusable contents that may have changed. If they did, they get a new modification time.
    pub(super) touched: BTreeSet<Owner>,
    pub(super) files: Vec<FileId>,
}
