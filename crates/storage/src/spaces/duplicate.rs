//! A duplicate: a new space with the content that another one has now.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Text, Uuid as SqlUuid};
use quire_domain::error::Reason;
use quire_domain::ids::{DocumentId, SpaceId};
use quire_domain::spaces::copy_title;
use quire_revision::{BlobHash, Position, Tree};

use super::{ListedSpace, NewSpace};
use crate::grants::Container;
use crate::lookup::{Authorized, ContentAt};
use crate::placement::{Beside, Place, Standing, parent_or_root, stored_position};
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

statements! {
    CopyNodes = "INSERT INTO tree_nodes (space_id, hash, body) \
                 SELECT $1, n.hash, n.body FROM tree_nodes n WHERE n.space_id = $2 AND n.hash = ANY ($3)";
    CopyDocuments = "INSERT INTO documents (space_id, id, body, anchors, links) \
                     SELECT $1, d.id, d.body, d.anchors, d.links FROM documents d WHERE d.space_id = $2 AND d.id = ANY ($3)";
    CopyBlobs = "INSERT INTO blobs (space_id, hash, size, created_at, stored_in) \
                 SELECT $1, b.hash, b.size, $4, b.stored_in FROM blobs b WHERE b.space_id = $2 AND b.hash = ANY ($3)";
    PositionOfOriginal = "SELECT position FROM spaces WHERE id = $1 AND organization_id = $2 \
                          AND coalesce(collection_id, '00000000-0000-0000-0000-000000000000') = $3";
}

#[derive(QueryableByName)]
struct PositionRow {
    #[diesel(sql_type = Text)]
    position: String,
}

impl Tx<'_> {
    /// Makes a space with this id after the original, with the content that was looked up in this transaction and its
    /// tree.
    ///
    /// Rows are copied inside the database, one statement per table. The bytes of files are not copied but named a
    /// second time. Neither the original nor the organization is locked meanwhile: revisions never change, and the
    /// position is chosen last.
    ///
    /// # Errors
    /// 409 when the place is gone.
    pub fn duplicate_space(
        &mut self,
        original: &Authorized<ContentAt>,
        tree: &Tree,
        place: Place<'_>,
        id: SpaceId,
    ) -> Result<ListedSpace> {
        let space = NewSpace {
            id,
            title: &copy_title(&original.space.title),
            emoji: &original.space.emoji,
            icon: original.space.icon.as_deref(),
            default_level: original.space.default_level,
            position: Position::first(),
            author: original.actor().user,
        };
        self.insert_space(&Standing::root(original.space.organization), &space, tree)?;
        self.note_made("space", id);
        self.copy_content(original, tree, id)?;
        // What else belongs to a space and not to its content is copied here.
        self.copy_custom_field_values(original.space.id, id)?;
        let standing = self.lock_standing(place)?;
        if standing.organization != original.space.organization {
            return Err(Error::refused(
                Reason::Conflict,
                "The space was given to another organization in the meantime.",
            ));
        }
        let after = self.position_of_original(original, &standing)?;
        self.place_space(id, &standing, &Beside { after, before: None })?;
        // Grants are not copied.
        self.grant_to_maker(standing.organization, Container::Space(id), space.author)?;
        self.listed_space(id)
    }

    fn copy_content(&mut self, original: &ContentAt, tree: &Tree, id: SpaceId) -> Result<()> {
        let (to, from) = (*id.as_uuid(), *original.space.id.as_uuid());
        let pair = || (val::<SqlUuid, _>(to), val::<SqlUuid, _>(from));
        let nodes = tree.nodes_missing_in(&Tree::empty());
        let nodes: Vec<&[u8]> = nodes.iter().map(|(hash, _)| hash.as_bytes().as_slice()).collect();
        let documents: Vec<DocumentId> = documents_of(tree);
        let documents: Vec<&[u8]> = documents.iter().map(|id| id.as_bytes().as_slice()).collect();
        let blobs = blobs_of(tree);
        let blobs: Vec<&[u8]> = blobs.iter().map(|hash| hash.as_bytes().as_slice()).collect();
        let (one, two) = pair();
        CopyNodes::bind((one, two, val::<Array<Binary>, _>(nodes))).execute(self.connection)?;
        let (one, two) = pair();
        CopyDocuments::bind((one, two, val::<Array<Binary>, _>(documents))).execute(self.connection)?;
        let (one, two) = pair();
        CopyBlobs::bind((one, two, val::<Array<Binary>, _>(blobs), self.now_bind()))
            .execute(self.connection)?;
        Ok(())
    }

    /// Where the original stands, if it is in this place: it may have been moved since it was looked up.
    fn position_of_original(
        &mut self,
        original: &ContentAt,
        standing: &Standing,
    ) -> Result<Option<Position>> {
        let row: Option<PositionRow> = PositionOfOriginal::bind((
            val::<SqlUuid, _>(*original.space.id.as_uuid()),
            val::<SqlUuid, _>(*standing.organization.as_uuid()),
            val::<SqlUuid, _>(parent_or_root(standing.parent())),
        ))
        .get_result(self.connection)
        .optional()?;
        row.map(|row| stored_position(&row.position)).transpose()
    }
}

/// The documents that a tree names, each once.
fn documents_of(tree: &Tree) -> Vec<DocumentId> {
    let pages = tree.pages().filter_map(|page| page.document);
    let mut documents: Vec<_> =
        pages.chain(tree.reusable_contents().filter_map(|content| content.document)).collect();
    documents.sort_unstable();
    documents.dedup();
    documents
}

/// The bytes that the files of a tree name, each once.
#[must_use]
pub fn blobs_of(tree: &Tree) -> Vec<BlobHash> {
    let mut blobs: Vec<_> = tree.files().map(|file| file.blob).collect();
    blobs.sort_unstable();
    blobs.dedup();
    blobs
}
