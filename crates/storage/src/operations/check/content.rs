//! Check of content: each document and tree node has the hash in its key, and everything that it refers to exists.

use diesel::pg::PgRowByRowLoadingMode;
use diesel::prelude::*;
use diesel::query_dsl::LoadQuery;
use diesel::sql_types::{Array, Binary, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_revision::{BlobHash, DocumentId, NodeReferences, Tree, TreeHash};
use uuid::Uuid;

use crate::Result;
use crate::operations::snapshot::Snapshot;
use crate::schema::{documents, revisions, tree_nodes};

/// Number of references that are looked up in one statement.
const BATCH: usize = 10_000;

sql_files! {
    MissingNodes(Array<SqlUuid>, Array<Binary>) -> (SqlUuid, Binary) = "missing_nodes.sql";
    MissingDocuments(Array<SqlUuid>, Array<Binary>) -> (SqlUuid, Binary) = "missing_documents.sql";
    MissingBlobs(Array<SqlUuid>, Array<Binary>) -> (SqlUuid, Binary) = "missing_blobs.sql";
}

/// Row to verify: its space, its hash and its body.
struct Stored {
    space: Uuid,
    hash: Vec<u8>,
    body: Vec<u8>,
}

/// Numbers of verified rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Documents.
    pub documents: u64,
    /// Nodes of trees.
    pub nodes: u64,
    /// Revisions.
    pub revisions: u64,
}

/// References that are not yet looked up.
#[derive(Default)]
struct References {
    spaces: Vec<Uuid>,
    hashes: Vec<Vec<u8>>,
}

impl References {
    fn push(&mut self, space: Uuid, hash: &[u8; 32]) {
        self.spaces.push(space);
        self.hashes.push(hash.to_vec());
    }

    fn take(&mut self) -> (Vec<Uuid>, Vec<Vec<u8>>) {
        (std::mem::take(&mut self.spaces), std::mem::take(&mut self.hashes))
    }
}

/// Verifies all documents, tree nodes and roots of revisions. References are looked up on `lookups`, which has the same
/// snapshot, while rows of `snapshot` are read.
pub fn check_content(
    snapshot: &mut Snapshot,
    lookups: &mut Snapshot,
    mut report: impl FnMut(&str),
) -> Result<Verified> {
    let mut verified = Verified::default();
    let select = documents::table.select((documents::space_id, documents::id, documents::body));
    each(snapshot, select, |row| {
        verified.documents = verified.documents.saturating_add(1);
        if DocumentId::of_canonical(&row.body).as_bytes().as_slice() != row.hash {
            report(&format!(
                "document {} of space {} does not have the hash of its id",
                shown(&row.hash),
                row.space
            ));
        }
        Ok(())
    })?;
    let mut missing = Missing {
        lookups,
        nodes: References::default(),
        documents: References::default(),
        blobs: References::default(),
    };
    let select = tree_nodes::table.select((tree_nodes::space_id, tree_nodes::hash, tree_nodes::body));
    each(snapshot, select, |row| {
        verified.nodes = verified.nodes.saturating_add(1);
        let hash = <[u8; 32]>::try_from(row.hash.as_slice()).map(TreeHash::from_bytes);
        match hash.map(|hash| NodeReferences::read(hash, &row.body)) {
            Ok(Ok(references)) => {
                references.children.iter().for_each(|hash| missing.nodes.push(row.space, hash.as_bytes()));
                references.documents.iter().for_each(|id| missing.documents.push(row.space, id.as_bytes()));
                references.blobs.iter().for_each(|hash| missing.blobs.push(row.space, hash.as_bytes()));
                missing.look(BATCH, &mut report)
            }
            Ok(Err(error)) => {
                report(&format!(
                    "node {} of a tree of space {} is damaged: {error}",
                    shown(&row.hash),
                    row.space
                ));
                Ok(())
            }
            Err(_) => {
                report(&format!("a node of a tree of space {} has a hash that is cut", row.space));
                Ok(())
            }
        }
    })?;
    // The empty tree is not stored.
    let empty = Tree::empty().root();
    let no_body = Vec::new().into_sql::<Binary>();
    let select = revisions::table.select((revisions::space_id, revisions::root, no_body));
    each(snapshot, select, |row| {
        verified.revisions = verified.revisions.saturating_add(1);
        if let Ok(hash) = <[u8; 32]>::try_from(row.hash.as_slice())
            && hash != *empty.as_bytes()
        {
            missing.nodes.push(row.space, &hash);
        }
        missing.look(BATCH, &mut report)
    })?;
    missing.look(1, &mut report)?;
    Ok(verified)
}

/// References that are not yet looked up, with the connection to look them up.
struct Missing<'a> {
    lookups: &'a mut Snapshot,
    nodes: References,
    documents: References,
    blobs: References,
}

impl Missing<'_> {
    /// Looks up the references of each kind that has at least `at_least` of them.
    fn look(&mut self, at_least: usize, report: &mut impl FnMut(&str)) -> Result<()> {
        let connection = &mut self.lookups.connection;
        if self.nodes.spaces.len() >= at_least {
            let rows: Vec<(Uuid, Vec<u8>)> = MissingNodes::bind(self.nodes.take()).load(connection)?;
            for (space, hash) in rows {
                report(&format!("node {} of a tree of space {space} is missing", shown(&hash)));
            }
        }
        if self.documents.spaces.len() >= at_least {
            let rows: Vec<(Uuid, Vec<u8>)> =
                MissingDocuments::bind(self.documents.take()).load(connection)?;
            for (space, id) in rows {
                report(&format!("document {} of space {space} is missing", shown(&id)));
            }
        }
        if self.blobs.spaces.len() >= at_least {
            let rows: Vec<(Uuid, Vec<u8>)> = MissingBlobs::bind(self.blobs.take()).load(connection)?;
            for (space, hash) in rows {
                report(&format!(
                    "file {} is used by the content of space {space}, but missing from its files",
                    shown(&hash)
                ));
            }
        }
        Ok(())
    }
}

fn each<S>(snapshot: &mut Snapshot, select: S, mut work: impl FnMut(Stored) -> Result<()>) -> Result<()>
where
    S: for<'q> LoadQuery<'q, PgConnection, (Uuid, Vec<u8>, Vec<u8>), PgRowByRowLoadingMode>,
{
    let rows =
        select.load_iter::<(Uuid, Vec<u8>, Vec<u8>), PgRowByRowLoadingMode>(&mut snapshot.connection)?;
    for row in rows {
        let (space, hash, body) = row?;
        work(Stored { space, hash, body })?;
    }
    Ok(())
}

/// Returns the hash as hexadecimal digits.
fn shown(hash: &[u8]) -> String {
    <[u8; 32]>::try_from(hash)
        .map_or_else(|_| format!("{hash:?}"), |hash| BlobHash::from_bytes(hash).to_string())
}
