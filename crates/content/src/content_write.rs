//! Content writes drafted before their transaction.
//!
//! Parsing Markdown and resolving links take too long to block other writers of the space. A write is therefore applied
//! to the head as read, and its documents are stored, before it waits for its turn. On its turn, the result is used if
//! the head still has the same tree. Otherwise the changes are replayed on the new tree with the documents of the
//! draft, after comparing the lookups that the documents depend on. If a lookup has another result, the write is
//! drafted again, but its bodies are not parsed again. Then the nodes of the tree are stored. Only then does the
//! transaction begin and take the lock. If another process moved the head in between, the changes are replayed once
//! more under the lock.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quire_domain::content::{ContentChange, ContentChanges, OnStale};
use quire_storage::content::store::ContentAt;
use quire_storage::lookup::{Authorized, Credentials};
use quire_storage::optimistic::{commit_draft, debug_assert_outside_transaction};
use quire_storage::{Error as StorageError, Reader, Storage, Turn, Tx};

use crate::attachments::Attachments;
use crate::commit::{Prepared, Write, Written, invalid_content};
use crate::door::Door;
use crate::draft::{Draft, DraftBase};
use crate::edits::{self, Applied, Context, Drafted, PastNeeds, ReadChanges};
use crate::error::{Error, Result};
use crate::expected::ExpectedRevisions;
use crate::specs::SpecFields;
use crate::write_merge;

/// Time limit for parsing all bodies of one write. The largest permitted body takes a fraction of it.
const READING_TIME: Duration = Duration::from_secs(20);

/// Content write as requested.
#[derive(Debug)]
pub struct ContentWrite {
    /// Changes, and the revision that they are based on.
    pub body: ContentChanges,
    /// Bytes of added files.
    pub attachments: Attachments,
    /// Accepted head revisions.
    pub expected: ExpectedRevisions,
}

impl ContentWrite {
    /// Parses the bodies and drafts the write against the content as seen.
    ///
    /// # Errors
    /// 503 if no permit is free in time. The commit reports errors in the changes.
    pub async fn read(self, door: &impl Door, seen: DraftBase) -> Result<(Write, Draft)> {
        door.compute(move |storage| {
            let write = self.parse(storage, seen.only_shown_specs);
            let draft = write.draft(storage, seen)?;
            Ok((write, draft))
        })
        .await
    }

    /// Applies the changes to the content that `find` returns. `end` finishes the transaction.
    ///
    /// # Errors
    /// The errors of [`Write::commit`], `find` and `end`. 503 if the content changed so often that every draft was
    /// outdated.
    pub async fn write<T: Send + 'static>(
        self,
        door: &impl Door,
        caller: Credentials,
        seen: DraftBase,
        find: impl Fn(&mut Reader<'_>) -> Result<Authorized<ContentAt>> + Copy + Send + 'static,
        end: impl Fn(&mut Tx<'_>, Written) -> Result<T> + Copy + Send + 'static,
    ) -> Result<T> {
        let needs = PastNeeds::of(&self.body);
        let (write, first) = self.read(door, seen).await?;
        let write = Arc::new(write);
        let found = first.content.as_ref().ok_or(StorageError::NotFound)?;
        let (head, mut first) = (found.head_key(), Some(first));
        let draft = || {
            let (write, needs, first) = (Arc::clone(&write), needs.clone(), first.take());
            let amending = Arc::clone(&write);
            async move {
                let (draft, turn) = match first {
                    // The group stores the documents of its drafts.
                    Some(draft) if draft.may_be_grouped() => return Ok((draft, None)),
                    Some(draft) => (draft, None),
                    None => {
                        // A draft made on its turn can be outdated only by another process.
                        let turn = door.turn(head).await?;
                        let look = move |reader: &mut Reader<'_>| {
                            let content = find(reader)?;
                            DraftBase::look(reader, &content, &needs)
                        };
                        let seen = door.read(caller, look).await?;
                        (door.compute(move |storage| write.draft(storage, seen)).await?, Some(turn))
                    }
                };
                let content = draft.content.as_ref();
                if content.is_some_and(|content| amending.amends(content)) {
                    return Ok((draft, turn));
                }
                Ok((store_documents(door, caller, draft).await?, turn))
            }
        };
        let commit = |(draft, turn): (Draft, Option<Turn>)| {
            let (write, draft) = (Arc::clone(&write), Arc::new(draft));
            async move {
                if turn.is_none() && draft.may_be_grouped() {
                    return write.commit_grouped(door, head, &draft, end).await;
                }
                let turn = match turn {
                    Some(turn) => turn,
                    None => door.turn(head).await?,
                };
                let (writing, drafted) = (Arc::clone(&write), Arc::clone(&draft));
                let prepare = move |reader: &mut Reader<'_>| {
                    let content = find(reader)?;
                    writing.prepare(&drafted, reader, content)
                };
                let commit = move |tx: &mut Tx<'_>, prepared: Prepared| {
                    let written = write.commit_prepared(&draft, tx, prepared)?;
                    end(tx, written)
                };
                door.write(caller, turn, prepare, commit).await
            }
        };
        commit_draft(draft, commit).await
    }

    fn parse(self, storage: &Storage, only_shown_specs: bool) -> Write {
        debug_assert_outside_transaction();
        let Self { body: ContentChanges { changes, base, on_stale, amend }, attachments, expected } = self;
        // Documents that a revert restores must be stored permanently, so the write does not amend.
        let amend = amend && !changes.iter().any(|change| matches!(change, ContentChange::RevertPage(_)));
        let base = base.filter(|_| on_stale == OnStale::Reject);
        let deadline = Instant::now() + READING_TIME;
        // Collected before the bodies are removed from the changes.
        let spec_fields = if only_shown_specs { SpecFields::of(&changes) } else { SpecFields::default() };
        let changes = ReadChanges::read(changes, storage.ids(), &|| Instant::now() > deadline);
        Write { changes, attachments, base, expected, amend, spec_fields }
    }
}

/// Stores the new documents of a draft ahead of its turn. This is the longest part of a write in the database.
async fn store_documents(door: &impl Door, caller: Credentials, draft: Draft) -> Result<Draft> {
    if let (Some(content), Ok(_), false) = (&draft.content, &draft.result, draft.documents.is_empty()) {
        let (content, documents) = (content.clone(), Arc::clone(&draft.documents));
        door.store_ahead(caller, move |reader| Ok(reader.store_ahead(&content, &documents, None)?)).await?;
    }
    Ok(draft)
}

impl Write {
    /// Applies the changes to content as seen. Merges the result with the head if the changes are based on an earlier
    /// revision.
    fn draft(&self, storage: &Storage, seen: DraftBase) -> Result<Draft> {
        debug_assert_outside_transaction();
        let DraftBase { content, known, tree: before, revision, past, only_shown_specs } = seen;
        let context = Context { now: storage.clock().now(), attachments: &self.attachments, past: &past };
        let edited = past.merge_base.as_ref().unwrap_or(&before);
        let Drafted { applied, resolved } = edits::draft(edited, &self.changes, &context);
        let merged = applied.map_err(invalid_content).map_err(Error::from).and_then(|applied| {
            let Some(base) = &past.merge_base else { return Ok((applied, None)) };
            let (applied, merge) =
                write_merge::merge(storage, [base, &before], applied, self.changes.edited(), &past)?;
            Ok((applied, Some(Arc::new(merge))))
        });
        let (result, documents, merge) = match merged {
            Ok((Applied { tree, mut documents, files }, merge)) => {
                // A commit may refer to documents outside the current head only if it stores them.
                documents.extend(past.reverted(self.changes.reverts()));
                (Ok((tree, files)), documents, merge)
            }
            Err(Error::Refused(refusal)) => (Err(refusal), Vec::new(), None),
            Err(error) => return Err(error),
        };
        storage.remember(&documents);
        Ok(Draft {
            content,
            known,
            only_shown_specs,
            before,
            revision,
            past,
            result,
            merge,
            resolved,
            documents: documents.into(),
        })
    }
}
