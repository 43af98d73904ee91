//! Commits, which move a head. Content changes in no other way.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::change_requests::Status;
use quire_domain::error::Reason;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId};
use quire_domain::revisions::RevisionType;
use quire_domain::spaces::EditMode;
use quire_domain::webhooks::EventKind;
use quire_revision::{Tree, TreeHash};
use serde_json::Value;
use uuid::Uuid;

use super::amending::{Amending, begun_at};
use super::{AnalyzedDocument, HeadPoint, ImportedCommits};
use crate::content::openapi_specs::ReadableSpecs;
use crate::content::spaces::Counts;
use crate::content::store::{ContentAt, RevisionRecord};
use crate::lookup::{Actor, Authorized};
use crate::operations::webhooks;
use crate::schema::{change_requests, revisions, spaces};
use crate::sites::purges::Purge;
use crate::transaction::Tx;
use crate::{Error, Result, parse_enum};

/// Owner of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadOf {
    /// Main content.
    Space,
    /// Change request.
    ChangeRequest(ChangeRequestId),
}

/// Key of the queue of a head's writers.
pub type HeadKey = (SpaceId, HeadOf);

/// Permission to write to a head, until it is dropped.
pub type Turn = quire_database::Turn<HeadKey>;

/// Head that is locked until the transaction ends.
#[derive(Clone, Debug)]
pub struct LockedHead {
    pub(crate) space: SpaceId,
    pub(crate) of: HeadOf,
    pub(crate) actor: Actor,
    /// Specifications that the actor's edits may show; `None` if the actor is not the author of the committed content.
    pub(super) specs: Option<ReadableSpecs>,
    /// Revision of the head.
    pub revision: RevisionRecord,
    /// Tree of the revision.
    pub tree: Tree,
}

impl LockedHead {
    /// Creates a locked head with its revision and tree.
    pub(crate) fn new(
        space: SpaceId,
        of: HeadOf,
        actor: Actor,
        (revision, tree): (RevisionRecord, Tree),
    ) -> Self {
        Self { space, of, actor, specs: None, revision, tree }
    }

    /// Returns the owner of the head.
    #[must_use]
    pub fn of(&self) -> HeadOf {
        self.of
    }

    /// Returns the head's point in history.
    #[must_use]
    pub fn point(&self) -> HeadPoint<'_> {
        HeadPoint { space: self.space, of: self.of, revision: &self.revision }
    }
}

/// New revision to commit.
#[derive(Debug)]
pub struct Commit<'a> {
    /// Operation that creates the revision.
    pub kind: RevisionType,
    /// Second parent after the head: for a merge, the head of the change request; for an update, the head of the space;
    /// for edits that are merged with an import, the head before the import.
    pub other_parent: Option<RevisionId>,
    /// Merged change request.
    pub merged_from: Option<ChangeRequestId>,
    /// Commits of an import. Their author becomes the author of the revision.
    pub imported: Option<&'a ImportedCommits>,
    /// Content.
    pub tree: &'a Tree,
    /// Effect of an edit on the head.
    pub amending: Amending,
    /// Documents of the content that may not be stored yet.
    pub documents: &'a [AnalyzedDocument],
    /// Root of the tree that was stored before the transaction, together with the documents.
    pub stored_ahead: Option<TreeHash>,
}

/// Change request, read under its lock.
pub(crate) struct LockedChangeRequest {
    pub(crate) status: Status,
    pub(crate) head: RevisionId,
    pub(crate) merge_base: RevisionId,
}

sql_files! {
    MoveHeadOfSpace(SqlUuid, SqlUuid, SqlUuid, Timestamptz, Integer, Integer) -> Bool
        = "move_head_of_space.sql";
    ReplaceHeadOfChangeRequest(SqlUuid, SqlUuid, SqlUuid, SqlUuid, Timestamptz, SqlUuid)
        = "replace_head_of_change_request.sql";
    MoveHeadOfChangeRequest(SqlUuid, SqlUuid, SqlUuid, SqlUuid, Timestamptz, SqlUuid)
        = "move_head_of_change_request.sql";
}

impl Authorized<ContentAt> {
    /// Returns the point in history at the time of the lookup.
    #[must_use]
    pub fn point(&self) -> HeadPoint<'_> {
        let of = match &self.change_request {
            None => HeadOf::Space,
            Some(change_request) => HeadOf::ChangeRequest(change_request.id),
        };
        HeadPoint { space: self.space.id, of, revision: &self.revision }
    }

    /// Returns the key of the head, for [`Storage::turn`](crate::Storage::turn).
    #[must_use]
    pub fn head_key(&self) -> HeadKey {
        (self.space.id, self.point().of())
    }

    /// Returns the content after its head was moved to a revision.
    #[must_use]
    pub fn moved_to(&self, revision: RevisionRecord) -> Self {
        self.clone().map(|at| {
            let ContentAt { mut space, mut change_request, specs, .. } = at;
            match &mut change_request {
                Some(change_request) => {
                    (change_request.head, change_request.updated_at) = (revision.id, revision.created_at);
                }
                None => (space.facts.head, space.facts.updated_at) = (revision.id, revision.created_at),
            }
            ContentAt { space, change_request, revision, specs }
        })
    }

    /// Checks early, with the state of the lookup, what [`Tx::lock_for_edit`] checks later.
    ///
    /// # Errors
    /// See [`Tx::lock_for_edit`].
    pub fn require_editable(&self) -> Result<()> {
        match &self.change_request {
            None => require_open(self.space.edit_mode),
            Some(change_request) => crate::content::change_requests::require_editable(change_request.status),
        }
    }
}

pub(super) fn require_open(mode: EditMode) -> Result<()> {
    match mode {
        EditMode::Locked => Err(Error::refused(
            Reason::SpaceLocked,
            "The space is locked: propose the edit in a change request.",
        )),
        EditMode::Live => Ok(()),
    }
}

/// Returns the error for a head that another writer moved despite the lock.
pub(crate) fn moved_meanwhile() -> Error {
    Error::refused(Reason::StaleRevision, "The content was changed by someone else in the meantime.")
}

impl Tx<'_> {
    /// Locks the head of the looked-up content, for an edit by its actor.
    ///
    /// # Errors
    /// 409 if the space does not permit direct edits, or the change request is archived or merged.
    pub fn lock_for_edit(&mut self, content: &Authorized<ContentAt>) -> Result<LockedHead> {
        let head = match &content.change_request {
            None => {
                let (mode, head) = self.lock_space_row(content.space.id)?;
                require_open(mode)?;
                head
            }
            Some(change_request) => {
                let LockedChangeRequest { status, head, .. } =
                    self.lock_change_request_row(content.space.id, change_request.id)?;
                crate::content::change_requests::require_editable(status)?;
                head
            }
        };
        let head = self.locked_head(content, head)?;
        Ok(LockedHead { specs: Some(content.specs()), ..head })
    }

    /// Reads the head under its lock. A head that moved since the lookup is read after the lock is held: a join in the
    /// locking statement would return the revision from before the wait.
    fn locked_head(&mut self, content: &Authorized<ContentAt>, head: RevisionId) -> Result<LockedHead> {
        let space = content.space.id;
        let revision = match content.revision.id == head {
            true => content.revision.clone(),
            false => self.revision_of(space, head)?,
        };
        let tree = self.tree_of(space, revision.root)?;
        Ok(LockedHead::new(space, content.point().of(), content.actor(), (revision, tree)))
    }

    /// Locks the row of a space. Returns its edit mode and the head of its main content.
    pub(crate) fn lock_space_row(&mut self, space: SpaceId) -> Result<(EditMode, RevisionId)> {
        let locked = spaces::table
            .find(space)
            .filter(spaces::deleted_at.is_null())
            .select((spaces::edit_mode, spaces::head_revision))
            .for_no_key_update();
        let (mode, head): (String, Uuid) =
            locked.get_result(self.connection).optional()?.ok_or(Error::NotFound)?;
        Ok((parse_enum(&mode)?, RevisionId::from_uuid(head)))
    }

    /// Locks the row of a change request.
    pub(crate) fn lock_change_request_row(
        &mut self,
        space: SpaceId,
        id: ChangeRequestId,
    ) -> Result<LockedChangeRequest> {
        let locked = change_requests::table
            .find((space, id))
            .select((
                change_requests::status,
                change_requests::head_revision,
                change_requests::revision_initial,
                change_requests::revision_merged_ancestor,
            ))
            .for_no_key_update();
        let row: Option<(String, Uuid, Uuid, Option<Uuid>)> =
            locked.get_result(self.connection).optional()?;
        let (status, head, initial, ancestor) = row.ok_or(Error::NotFound)?;
        Ok(LockedChangeRequest {
            status: parse_enum(&status)?,
            head: RevisionId::from_uuid(head),
            merge_base: RevisionId::from_uuid(ancestor.unwrap_or(initial)),
        })
    }

    /// Writes a revision whose parent is the head, and moves the head to it. The written data is proportional to the
    /// change: new documents, the nodes on the paths to changed pages, and one revision.
    ///
    /// # Errors
    /// 409 `stale-revision` if the head moved despite the lock; [`Error::UnknownSpec`] if an edit would show a
    /// specification that its author may not read.
    pub fn commit(&mut self, head: &LockedHead, commit: &Commit<'_>) -> Result<RevisionRecord> {
        self.commit_with(head, commit, Counts::default(), |_| None)
    }

    /// Like [`Tx::commit`], but also adds to the counters of the space and emits another event.
    pub(crate) fn commit_with(
        &mut self,
        head: &LockedHead,
        commit: &Commit<'_>,
        counts: Counts,
        event: impl FnOnce(RevisionId) -> Option<webhooks::Event>,
    ) -> Result<RevisionRecord> {
        self.store_commit(head, commit)?;
        if let Some(specs) = head.specs {
            self.require_readable_specs((head.space, specs), &head.tree, commit.tree)?;
        }
        let revision = self.insert_revision(head, commit)?;
        self.move_head(head, (commit.amending, revision.id), counts)?;
        if commit.amending != Amending::Never {
            self.note_amended(head, commit.amending)?;
        }
        match head.of {
            HeadOf::Space => {
                self.after.moved_heads.push(head.space);
                let updated = webhooks::Event::in_space(EventKind::SpaceContentUpdated, head.space)
                    .with("revisionId", revision.id);
                self.emit_all_in_space(std::iter::once(updated).chain(event(revision.id)).collect())?;
                self.note_changed_pages(head, commit.tree)?;
                self.purge_in_space(head.space, Purge::space(head.space))?;
            }
            HeadOf::ChangeRequest(id) => {
                self.purge_in_space(head.space, Purge::change_request(head.space, id))?;
            }
        }
        Ok(revision)
    }

    /// Stores what was not stored before the transaction: all of a commit, or the nodes of a commit that was replayed
    /// on another head.
    fn store_commit(&mut self, head: &LockedHead, commit: &Commit<'_>) -> Result<()> {
        let documents = if commit.stored_ahead.is_none() { commit.documents } else { &[] };
        if commit.stored_ahead != Some(commit.tree.root()) {
            let amended_by = match (commit.amending, head.of) {
                (Amending::Begins | Amending::Replaces, HeadOf::ChangeRequest(id)) => Some(id),
                _ => None,
            };
            self.store_content(head.space, documents, (commit.tree, &head.tree), amended_by)?;
        }
        self.remember_tree(head.space, commit.tree);
        Ok(())
    }

    fn insert_revision(&mut self, head: &LockedHead, commit: &Commit<'_>) -> Result<RevisionRecord> {
        let (parents, begun_at) = match commit.amending {
            Amending::Never => (std::iter::once(head.revision.id).chain(commit.other_parent).collect(), None),
            Amending::Begins => (vec![head.revision.id], Some(self.now)),
            Amending::Replaces => (head.revision.parents.clone(), Some(begun_at(&head.revision))),
        };
        let (imported_by, git) = match commit.imported {
            None => (None, None),
            Some(imported) => {
                let (author, git) = self.author_and_git(head.space, imported)?;
                (author, Some(git))
            }
        };
        let revision = RevisionRecord {
            id: RevisionId::from_uuid(self.storage.ids().uuid()),
            kind: commit.kind,
            parents,
            root: commit.tree.root(),
            merged_from: commit.merged_from,
            author: imported_by.or(Some(head.actor.user)),
            created_at: self.now,
            begun_at,
        };
        let change_request = match head.of {
            HeadOf::Space => None,
            HeadOf::ChangeRequest(id) => Some(id),
        };
        self.write_revision(head.space, change_request, (&revision, git))?;
        Ok(revision)
    }

    /// Writes the row of a revision, with the commits of an import.
    pub(crate) fn write_revision(
        &mut self,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
        (revision, git): (&RevisionRecord, Option<Value>),
    ) -> Result<()> {
        let parents = revision.parents.to_vec();
        diesel::insert_into(revisions::table)
            .values((
                revisions::space_id.eq(space),
                revisions::id.eq(revision.id),
                revisions::type_.eq(revision.kind.as_str()),
                revisions::parents.eq(parents),
                revisions::root.eq(revision.root.as_bytes().as_slice()),
                revisions::change_request_id.eq(change_request),
                revisions::merged_from.eq(revision.merged_from),
                revisions::author_id.eq(revision.author),
                revisions::created_at.eq(self.now),
                revisions::begun_at.eq(revision.begun_at),
                revisions::git.eq(git),
            ))
            .execute(self.connection)?;
        Ok(())
    }

    /// Moves the head by compare-and-set. The author of a change request's revision becomes a contributor.
    fn move_head(
        &mut self,
        head: &LockedHead,
        (amending, to): (Amending, RevisionId),
        counts: Counts,
    ) -> Result<()> {
        let (space, from, to) = (head.space, head.revision.id, to);
        let now = self.now;
        let moved = match head.of {
            HeadOf::Space => {
                let Counts { change_requests_open: open, change_requests_draft: draft } = counts;
                let moved = MoveHeadOfSpace::bind((space, from, to, now, open, draft));
                let is_connected: Option<bool> = moved.get_result(self.connection).optional()?;
                if is_connected == Some(true) {
                    self.note_connected_head(space);
                }
                usize::from(is_connected.is_some())
            }
            HeadOf::ChangeRequest(id) => {
                let values = (space, id, from, to, now, head.actor.user);
                match amending {
                    Amending::Replaces => {
                        ReplaceHeadOfChangeRequest::bind(values).execute(self.connection)?
                    }
                    Amending::Never | Amending::Begins => {
                        MoveHeadOfChangeRequest::bind(values).execute(self.connection)?
                    }
                }
            }
        };
        if moved == 1 { Ok(()) } else { Err(moved_meanwhile()) }
    }
}
