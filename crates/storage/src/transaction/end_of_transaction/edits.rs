//! Edits of the main content of one space, written together.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Bool, Nullable, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{RevisionId, SpaceId, UserId};
use quire_domain::spaces::EditMode;
use quire_revision::{Tree, TreeHash};
use time::OffsetDateTime;

use crate::Result;
use crate::content::store;
use crate::content::store::RevisionRecord;
use crate::transaction::Tx;

/// Edit whose revision and new nodes are written when its transaction ends.
#[derive(Debug)]
pub(crate) struct NotedEdit {
    pub(crate) space: SpaceId,
    /// Head before the edit.
    pub(crate) from: RevisionId,
    pub(crate) revision: RevisionRecord,
    pub(crate) nodes: Vec<(TreeHash, Vec<u8>)>,
}

/// Head of a space that a transaction has locked, including its pending edits.
#[derive(Clone, Debug)]
pub(crate) struct PendingHead {
    pub(crate) space: SpaceId,
    pub(crate) mode: EditMode,
    pub(crate) revision: RevisionRecord,
    pub(crate) tree: Tree,
}

sql_files! {
    WriteEdits(
        SqlUuid, Array<Binary>, Array<Binary>, Array<SqlUuid>, Array<SqlUuid>, Array<Binary>, SqlUuid, SqlUuid,
        Array<Nullable<SqlUuid>>, Array<Timestamptz>, Timestamptz,
    ) -> Bool = "write_edits.sql";
}

impl Tx<'_> {
    /// Writes the pending edits and moves the head from the first to the last of them. Takes one statement, or none
    /// without edits.
    pub(super) fn write_edits(&mut self, edits: &[NotedEdit]) -> Result<()> {
        let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return Ok(()) };
        let nodes = edits.iter().flat_map(|edit| &edit.nodes);
        let (hashes, bodies): (Vec<&[u8]>, Vec<&[u8]>) =
            nodes.map(|(hash, body)| (hash.as_bytes().as_slice(), body.as_slice())).unzip();
        let ids: Vec<_> = edits.iter().map(|edit| edit.revision.id).collect();
        let parents: Vec<_> = edits.iter().map(|edit| edit.from).collect();
        let roots: Vec<&[u8]> = edits.iter().map(|edit| edit.revision.root.as_bytes().as_slice()).collect();
        let authors: Vec<Option<UserId>> = edits.iter().map(|edit| edit.revision.author).collect();
        let times: Vec<OffsetDateTime> = edits.iter().map(|edit| edit.revision.created_at.into()).collect();
        let is_connected: Option<bool> = WriteEdits::bind((
            first.space,
            hashes,
            bodies,
            ids,
            parents,
            roots,
            first.from,
            last.revision.id,
            authors,
            times,
            last.revision.created_at,
        ))
        .get_result(self.connection)
        .optional()?;
        if is_connected.ok_or_else(store::moved_meanwhile)? {
            self.note_connected_head(first.space);
        }
        Ok(())
    }
}
