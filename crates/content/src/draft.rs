//! Content writes drafted before their transaction.
//!
//! Parsing Markdown, resolving links and extracting search text take too long to do under a space's lock, which every
//! writer of the space waits for. A write is therefore applied to the head as read before the lock is taken. If the head's
//! tree is still the same under the lock, which is nearly always the case, the draft is stored as it is. Otherwise the
//! parsed changes are applied again under the lock: links are resolved again in one walk per document, and only documents
//! that come out differently are analyzed there.

use std::time::{Duration, Instant};

use quire_domain::content::ContentChange;
use quire_domain::ids::{FileId, RevisionId};
use quire_revision::{Tree, TreeHash};
use quire_storage::content::{HeadPoint, LockedHead, NewDocument};
use quire_storage::lookup::{Authorized, ContentAt};
use quire_storage::{Reader, Storage};

use super::attachments::Attachments;
use super::commit::Write;
use super::edits::{self, Applied, Context, Past, PastNeeds, ReadChanges};
use super::specs::SpecFields;
use crate::door::Door;
use crate::error::Result;
use crate::expected::ExpectedRevisions;

/// Time limit for parsing all bodies of one write. The largest body that can be sent takes a fraction of it.
const READING_TIME: Duration = Duration::from_secs(20);

/// A content write as requested.
#[derive(Debug)]
pub struct Wanted {
    /// The changes, in their order.
    pub changes: Vec<ContentChange>,
    /// The bytes of the files they add.
    pub attachments: Attachments,
    /// The revision that they are made for, if the caller cares.
    pub base: Option<RevisionId>,
    /// The revisions that the caller accepts, if it cares.
    pub expected: ExpectedRevisions,
}

/// The content that a write is drafted against.
#[derive(Debug, Default)]
pub struct Seen {
    tree: Tree,
    /// The revision, if the result depends on history and not only on the tree.
    revision: Option<RevisionId>,
    past: Past,
    /// The writer may only name specifications that the content shows.
    only_shown_specs: bool,
}

/// A write applied to [`Seen`] content.
#[derive(Debug)]
pub(super) struct Draft {
    root: TreeHash,
    revision: Option<RevisionId>,
    pub(super) tree: Tree,
    pub(super) documents: Vec<NewDocument>,
    pub(super) files: Vec<FileId>,
}

impl Seen {
    /// Loads the content, and the history that the changes need.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn look(reader: &mut Reader<'_>, content: &Authorized<ContentAt>, needs: &PastNeeds) -> Result<Self> {
        let tree = reader.tree(content)?;
        let past = load_past(reader, content.point(), &tree, needs)?;
        let revision = (!needs.is_empty()).then_some(content.revision.id);
        Ok(Self { tree, revision, past, only_shown_specs: content.specs().are_only_shown() })
    }
}

impl Wanted {
    /// Parses the bodies and applies the changes to the content as seen.
    ///
    /// # Errors
    /// 503 when no turn is free in time. Errors in the changes are reported by the commit.
    pub async fn read(self, door: &impl Door, seen: Seen) -> Result<Write> {
        door.compute(move |storage| Ok(self.draft(storage, seen))).await
    }

    fn draft(self, storage: &Storage, seen: Seen) -> Write {
        let Self { changes, attachments, base, expected } = self;
        let deadline = Instant::now() + READING_TIME;
        let Seen { tree, revision, past, only_shown_specs } = seen;
        // Before the bodies are taken out of the changes.
        let spec_fields = if only_shown_specs { SpecFields::of(&changes) } else { SpecFields::default() };
        let changes = ReadChanges::read(changes, storage.ids(), &|| Instant::now() > deadline);
        let context = Context {
            now: storage.clock().now(),
            ids: storage.ids(),
            attachments: &attachments,
            past: &past,
        };
        let root = tree.root();
        let drafted = edits::apply(&tree, &changes, &context).ok();
        let draft = drafted.map(|Applied { tree, documents, files }| {
            let documents = storage.analyze(documents);
            Draft { root, revision, tree, documents, files }
        });
        Write { changes, attachments, base, expected, draft, spec_fields }
    }
}

impl Draft {
    /// Returns whether the locked head is the content that the draft was made against.
    pub(super) fn fits(&self, head: &LockedHead) -> bool {
        self.root == head.tree.root() && self.revision.is_none_or(|revision| revision == head.revision.id)
    }
}

/// Loads the past states that revert changes need.
pub(super) fn load_past(
    reader: &mut Reader<'_>,
    head: HeadPoint<'_>,
    tree: &Tree,
    needs: &PastNeeds,
) -> Result<Past> {
    let mut past = Past::default();
    if needs.base
        && let Some(revision) = reader.revision_to_revert_to(head)?
    {
        past.base = reader.tree_of_revision(head, revision)?;
    }
    for revision in &needs.revisions {
        if let Some(tree) = reader.tree_of_revision(head, *revision)? {
            past.revisions.insert(*revision, tree);
        }
    }
    let documents = needs.documents(tree, &past);
    past.documents = reader.documents_of_head(head, &documents)?;
    Ok(past)
}
