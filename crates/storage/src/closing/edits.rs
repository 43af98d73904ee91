//! Edits of the main content of one space, written together.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Nullable, Timestamptz, Uuid as SqlUuid};
use quire_domain::ids::{RevisionId, SpaceId};
use quire_domain::spaces::EditMode;
use quire_revision::{Tree, TreeHash};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::lookup::RevisionRecord;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Result, content};

/// A revision that an edit makes, as a row, with the new nodes of its tree.
#[derive(Debug)]
pub(crate) struct EditRow {
    pub(crate) space: SpaceId,
    /// The head before it.
    pub(crate) from: RevisionId,
    pub(crate) revision: RevisionRecord,
    pub(crate) nodes: Vec<(TreeHash, Vec<u8>)>,
}

/// The head of a space that a transaction has locked, after the edits that it has noted.
#[derive(Clone, Debug)]
pub(crate) struct HeldHead {
    pub(crate) space: SpaceId,
    pub(crate) mode: EditMode,
    pub(crate) revision: RevisionRecord,
    pub(crate) tree: Tree,
}

statements! {
    // The head moves from `$7` to `$8`. Nodes are inserted in the order of their keys, so that two writers of the same rows never wait for each other in a circle.
    WriteEdits = "WITH grown AS (INSERT INTO tree_nodes (space_id, hash, body) \
                    SELECT $1, n.hash, n.body FROM unnest($2, $3) AS n (hash, body) ORDER BY n.hash \
                    ON CONFLICT DO NOTHING), \
                  made AS (INSERT INTO revisions (space_id, id, type, parents, root, author_id, created_at) \
                    SELECT $1, e.id, 'edits', ARRAY[e.parent], e.root, e.author, e.made_at \
                    FROM unnest($4, $5, $6, $9, $10) AS e (id, parent, root, author, made_at)) \
                  UPDATE spaces SET head_revision = $8, updated_at = $11 WHERE id = $1 AND head_revision = $7";
}

impl Tx<'_> {
    /// Writes the noted edits and moves the head from the first to the last of them: one statement, none without an edit.
    pub(super) fn write_edits(&mut self, edits: &[EditRow]) -> Result<()> {
        let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return Ok(()) };
        let nodes = edits.iter().flat_map(|edit| &edit.nodes);
        let (hashes, bodies): (Vec<&[u8]>, Vec<&[u8]>) =
            nodes.map(|(hash, body)| (hash.as_bytes().as_slice(), body.as_slice())).unzip();
        let ids: Vec<Uuid> = edits.iter().map(|edit| *edit.revision.id.as_uuid()).collect();
        let parents: Vec<Uuid> = edits.iter().map(|edit| *edit.from.as_uuid()).collect();
        let roots: Vec<&[u8]> = edits.iter().map(|edit| edit.revision.root.as_bytes().as_slice()).collect();
        let authors: Vec<Option<Uuid>> =
            edits.iter().map(|edit| edit.revision.author.map(|id| *id.as_uuid())).collect();
        let times: Vec<OffsetDateTime> = edits.iter().map(|edit| edit.revision.created_at.into()).collect();
        let moved = WriteEdits::bind((
            val::<SqlUuid, _>(*first.space.as_uuid()),
            val::<Array<Binary>, _>(hashes),
            val::<Array<Binary>, _>(bodies),
            val::<Array<SqlUuid>, _>(ids),
            val::<Array<SqlUuid>, _>(parents),
            val::<Array<Binary>, _>(roots),
            val::<SqlUuid, _>(*first.from.as_uuid()),
            val::<SqlUuid, _>(*last.revision.id.as_uuid()),
            val::<Array<Nullable<SqlUuid>>, _>(authors),
            val::<Array<Timestamptz>, _>(times),
            val::<Timestamptz, _>(OffsetDateTime::from(last.revision.created_at)),
        ))
        .execute(self.connection)?;
        if moved == 1 { Ok(()) } else { Err(content::moved_meanwhile()) }
    }
}
