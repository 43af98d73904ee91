//! Duplicates: new spaces with the current content of another space.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::error::Reason;
use quire_domain::ids::{DocumentId, SpaceId};
use quire_domain::spaces::{SpaceFacts, copy_title};
use quire_revision::{BlobHash, Position, Tree};

use super::{ListedSpace, SpaceRecord};
use crate::content::hierarchy::{LockedParent, Neighbors, Parent, stored_position};
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::people::permissions::Container;
use crate::schema::spaces;
use crate::transaction::Tx;
use crate::{Error, Result};

sql_files! {
    CopyNodes(SqlUuid, SqlUuid, Array<Binary>) = "copy_nodes.sql";
    CopyDocuments(SqlUuid, SqlUuid, Array<Binary>) = "copy_documents.sql";
    CopyBlobs(SqlUuid, SqlUuid, Array<Binary>, Timestamptz) = "copy_blobs.sql";
}

impl Tx<'_> {
    /// Creates a space with this id and parent. It gets the content and the tree that were looked up in this
    /// transaction.
    ///
    /// Rows are copied within the database, one statement per table. File bytes are not copied, but referenced a second
    /// time. Neither the original nor the organization is locked during the copy: revisions never change, and the
    /// position is chosen last.
    ///
    /// # Errors
    /// 409 if the parent no longer exists.
    pub fn duplicate_space(
        &mut self,
        original: &Authorized<ContentAt>,
        tree: &Tree,
        parent: Parent<'_>,
        id: SpaceId,
    ) -> Result<ListedSpace> {
        let author = original.actor().user;
        let space = SpaceRecord {
            facts: SpaceFacts {
                title: copy_title(&original.space.title),
                emoji: original.space.emoji.clone(),
                language: original.space.language,
                default_level: original.space.default_level,
                ..self.new_space(id, original.space.organization)
            },
            position: Position::first(),
            icon: original.space.icon.clone(),
            git_sync: None,
            site: None,
        };
        self.insert_space(&space, author, tree)?;
        self.record_created("space", id);
        self.copy_content(original, tree, id)?;
        // Properties of a space that are not part of its content are copied here.
        self.copy_custom_field_values(original.space.id, id)?;
        let parent = self.lock_parent(parent)?;
        if parent.organization != original.space.organization {
            return Err(Error::refused(
                Reason::Conflict,
                "The space was transferred to another organization in the meantime.",
            ));
        }
        let after = self.position_of_original(original, &parent)?;
        self.place_space(id, &parent, &Neighbors { after, before: None })?;
        // Grants are not copied.
        self.grant_to_creator(parent.organization, Container::Space(id), author)?;
        self.listed_space(id)
    }

    fn copy_content(&mut self, original: &ContentAt, tree: &Tree, id: SpaceId) -> Result<()> {
        let (to, from) = (id, original.space.id);
        let nodes = tree.nodes_missing_in(&Tree::empty());
        let nodes: Vec<&[u8]> = nodes.iter().map(|(hash, _)| hash.as_bytes().as_slice()).collect();
        let documents: Vec<DocumentId> = documents_of(tree);
        let documents: Vec<&[u8]> = documents.iter().map(|id| id.as_bytes().as_slice()).collect();
        let blobs = blobs_of(tree);
        let blobs: Vec<&[u8]> = blobs.iter().map(|hash| hash.as_bytes().as_slice()).collect();
        CopyNodes::bind((to, from, nodes)).execute(self.connection)?;
        CopyDocuments::bind((to, from, documents)).execute(self.connection)?;
        CopyBlobs::bind((to, from, blobs, self.now)).execute(self.connection)?;
        Ok(())
    }

    /// Returns the position of the original if it has this parent: it may have been moved after its lookup.
    fn position_of_original(
        &mut self,
        original: &ContentAt,
        parent: &LockedParent,
    ) -> Result<Option<Position>> {
        let position: Option<String> = spaces::table
            .find(original.space.id)
            .filter(spaces::organization_id.eq(parent.organization))
            .filter(spaces::collection_id.is_not_distinct_from(parent.collection()))
            .select(spaces::position)
            .get_result(self.connection)
            .optional()?;
        position.map(|position| stored_position(&position)).transpose()
    }
}

/// Returns the documents to which a tree refers, without duplicates.
fn documents_of(tree: &Tree) -> Vec<DocumentId> {
    let pages = tree.pages().filter_map(|page| page.document);
    let mut documents: Vec<_> =
        pages.chain(tree.reusable_contents().filter_map(|content| content.document)).collect();
    documents.sort_unstable();
    documents.dedup();
    documents
}

/// Returns the bytes of the files of a tree, without duplicates.
#[must_use]
pub fn blobs_of(tree: &Tree) -> Vec<BlobHash> {
    let mut blobs: Vec<_> = tree.files().map(|file| file.blob).collect();
    blobs.sort_unstable();
    blobs.dedup();
    blobs
}
