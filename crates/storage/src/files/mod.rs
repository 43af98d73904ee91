//! File bytes, in an object store under the id of their space and their hash.

mod sweep;
mod uploads;

use std::fs::DirBuilder;
use std::io;
use std::ops::Range;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Timestamptz, Uuid as SqlUuid};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};
use object_store::local::LocalFileSystem;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload, path::Path as Key};
use quire_domain::ids::SpaceId;
use quire_revision::BlobHash;

use crate::lookup::{Authorized, ContentAt};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

pub use sweep::StoredFile;
pub use uploads::StoredUpload;

/// Files that are copied at the same time: each is in memory while it is.
const COPIES: usize = 4;

/// Where file bytes are. Bytes never change: their name is their hash.
#[derive(Clone, Debug)]
pub struct FileStore(Arc<dyn ObjectStore>);

impl FileStore {
    /// The bytes in a folder. If it isn't there, it is made, for this process's account alone: who may read a file is decided by the API.
    /// What was written survives a crash of the machine.
    ///
    /// # Errors
    /// When the folder can't be made or opened.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| Error::Internal("the folder of files can't be made", error.into()))?;
        let store = LocalFileSystem::new_with_prefix(folder)
            .map_err(|error| Error::Internal("the folder of files can't be opened", error.into()))?;
        Ok(Self(Arc::new(store.with_fsync(true))))
    }

    /// Writes bytes. Where they are there already, this renews the time that [`FileStore::remove_old`] looks at.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn put(&self, space: SpaceId, hash: BlobHash, bytes: Bytes) -> Result<()> {
        let written = self.0.put(&key(space, hash), PutPayload::from_bytes(bytes)).await;
        written.map(drop).map_err(|error| Error::Internal("a file can't be written", error.into()))
    }

    /// Writes bytes that come in pieces, so that many of them are never in memory together. Else as [`FileStore::put`].
    ///
    /// # Errors
    /// When the store fails or a piece can't be read.
    pub async fn put_pieces(
        &self,
        space: SpaceId,
        hash: BlobHash,
        pieces: impl Stream<Item = io::Result<Bytes>> + Send,
    ) -> Result<()> {
        self.write(&key(space, hash), pieces).await
    }

    /// Writes pieces to a place that has them all or none.
    async fn write(&self, key: &Key, pieces: impl Stream<Item = io::Result<Bytes>> + Send) -> Result<()> {
        let failed = |error: anyhow::Error| Error::Internal("a file can't be written", error);
        let mut upload = self.0.put_multipart(key).await.map_err(|error| failed(error.into()))?;
        let mut pieces = std::pin::pin!(pieces);
        let written = async {
            while let Some(piece) = pieces.next().await {
                upload.put_part(PutPayload::from_bytes(piece?)).await?;
            }
            upload.complete().await?;
            Ok(())
        };
        let written: anyhow::Result<()> = written.await;
        if written.is_err() {
            // What was written so far is in nobody's way, and why it isn't more is told already.
            let _ = upload.abort().await;
        }
        written.map_err(failed)
    }

    /// Writes the same bytes for another space. Bytes that aren't there are left out.
    ///
    /// They are written anew, not linked by the store: a link would have the age of the original, and a sweep that comes before the
    /// copy is named would take it for forgotten.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn copy(&self, from: SpaceId, to: SpaceId, hashes: Vec<BlobHash>) -> Result<()> {
        stream::iter(hashes)
            .map(Ok)
            .try_for_each_concurrent(COPIES, async |hash| match self.get(from, hash, None).await? {
                Some(bytes) => self.put(to, hash, bytes).await,
                None => Ok(()),
            })
            .await
    }

    /// A part of the bytes, or all of them; `None` when they aren't there.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn get(
        &self,
        space: SpaceId,
        hash: BlobHash,
        range: Option<Range<u64>>,
    ) -> Result<Option<Bytes>> {
        let key = key(space, hash);
        let read = async {
            match range {
                Some(range) => self.0.get_range(&key, range).await,
                None => self.0.get(&key).await?.bytes().await,
            }
        };
        match read.await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(Error::Internal("a file can't be read", error.into())),
        }
    }
}

/// Two characters of the hash make a folder, so that no folder grows too large.
fn key(space: SpaceId, hash: BlobHash) -> Key {
    let hash = hash.to_string();
    let shard: String = hash.chars().take(2).collect();
    Key::from_iter([space.to_string(), shard, hash])
}

statements! {
    InsertBlobs = "INSERT INTO blobs (space_id, hash, size, created_at) \
                   SELECT $1, b.hash, b.size, $4 FROM unnest($2, $3) AS b (hash, size) ON CONFLICT DO NOTHING";
    FindBlob = "SELECT b.size FROM blobs b JOIN spaces s ON s.id = b.space_id \
                WHERE b.space_id = $1 AND b.hash = $2 AND s.deleted_at IS NULL";
}

#[derive(QueryableByName)]
struct SizeRow {
    #[diesel(sql_type = BigInt)]
    size: i64,
}

impl Reader<'_> {
    /// How many bytes a blob of a space has; `None` when there is none, or the space is deleted.
    ///
    /// This asks for no permission: it is for addresses whose signature is the permission.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn blob_size(&mut self, space: SpaceId, hash: BlobHash) -> Result<Option<u64>> {
        let row: Option<SizeRow> = FindBlob::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<Binary, _>(hash.as_bytes().as_slice()),
        ))
        .get_result(self.connection)
        .optional()?;
        row.map(|row| {
            u64::try_from(row.size).map_err(|error| Error::corrupt("a file has a negative size", error))
        })
        .transpose()
    }
}

impl Tx<'_> {
    /// Notes that bytes were written to the store and belong to a space.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn store_blobs(&mut self, content: &Authorized<ContentAt>, blobs: &[(BlobHash, u64)]) -> Result<()> {
        if blobs.is_empty() {
            return Ok(());
        }
        let hashes: Vec<&[u8]> = blobs.iter().map(|(hash, _)| hash.as_bytes().as_slice()).collect();
        let sizes: Vec<i64> =
            blobs.iter().map(|(_, size)| i64::try_from(*size).unwrap_or(i64::MAX)).collect();
        InsertBlobs::bind((
            val::<SqlUuid, _>(*content.space.id.as_uuid()),
            val::<Array<Binary>, _>(hashes),
            val::<Array<BigInt>, _>(sizes),
            val::<Timestamptz, _>(time::OffsetDateTime::from(self.now)),
        ))
        .execute(self.connection)?;
        Ok(())
    }
}
