//! File bytes, in an object store under the id of their space and their hash.

mod sweep;
mod uploads;

use std::collections::HashMap;
use std::fs::DirBuilder;
use std::io;
use std::ops::Range;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Timestamptz, Uuid as SqlUuid};
use futures_util::{Stream, StreamExt as _};
use object_store::local::LocalFileSystem;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload, path::Path as Key};
use quire_domain::ids::SpaceId;
use quire_revision::BlobHash;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::lookup::{Authorized, ContentAt};
use crate::schema::{blobs, spaces};
use crate::statement::sql_files;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

pub use sweep::StoredFile;
pub use uploads::StoredUpload;

/// Store of file bytes. Bytes never change: their name is their hash.
#[derive(Clone, Debug)]
pub struct FileStore(Arc<dyn ObjectStore>);

impl FileStore {
    /// The bytes in a folder. If it isn't there, it is made, for this process's account alone: who may read a file is decided by the API.
    /// Durability: written bytes survive a crash of the machine.
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
        written.map(drop).map_err(|error| Error::StoreUnavailable(error.into()))
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

    /// Writes all pieces to the store, or none.
    async fn write(&self, key: &Key, pieces: impl Stream<Item = io::Result<Bytes>> + Send) -> Result<()> {
        let mut upload =
            self.0.put_multipart(key).await.map_err(|error| Error::StoreUnavailable(error.into()))?;
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
            // Bytes that were written so far harm nothing, and the error itself was reported already.
            let _ = upload.abort().await;
        }
        written.map_err(Error::StoreUnavailable)
    }

    /// Returns whether the bytes are there.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn contains(&self, space: SpaceId, hash: BlobHash) -> Result<bool> {
        match self.0.head(&key(space, hash)).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(Error::StoreUnavailable(error.into())),
        }
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
            Err(error) => Err(Error::StoreUnavailable(error.into())),
        }
    }
}

/// Two characters of the hash make a folder, so that no folder grows too large.
fn key(space: SpaceId, hash: BlobHash) -> Key {
    let hash = hash.to_string();
    let shard: String = hash.chars().take(2).collect();
    Key::from_iter([space.to_string(), shard, hash])
}

sql_files! {
    InsertBlobs(SqlUuid, Array<Binary>, Array<BigInt>, Timestamptz) = "files/insert_blobs.sql";
}

/// Bytes that a space names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBlob {
    /// Number of bytes.
    pub size: u64,
    /// The space under whose id they are in the store: another one for a duplicate's.
    pub stored_in: SpaceId,
}

/// Location of bytes that a space names.
#[derive(Clone, Debug)]
pub struct BlobLocations {
    space: SpaceId,
    external: HashMap<BlobHash, SpaceId>,
}

impl BlobLocations {
    /// The space under whose id these bytes are in the store.
    #[must_use]
    pub fn of(&self, hash: BlobHash) -> SpaceId {
        self.external.get(&hash).copied().unwrap_or(self.space)
    }
}

impl Reader<'_> {
    /// The bytes with this hash that a space names; `None` when there are none, or the space is deleted.
    ///
    /// This asks for no permission: it is for addresses whose signature is the permission.
    pub fn blob(&mut self, space: SpaceId, hash: BlobHash) -> Result<Option<StoredBlob>> {
        let row: Option<(i64, Uuid)> = blobs::table
            .find((space.as_uuid(), hash.as_bytes().as_slice()))
            .inner_join(spaces::table.on(spaces::id.eq(blobs::space_id)))
            .filter(spaces::deleted_at.is_null())
            .select((blobs::size, blobs::stored_in))
            .get_result(self.connection)
            .optional()?;
        let blob = |(size, stored_in)| {
            let size =
                u64::try_from(size).map_err(|error| Error::corrupt("a file has a negative size", error))?;
            Ok(StoredBlob { size, stored_in: SpaceId::from_uuid(stored_in) })
        };
        row.map(blob).transpose()
    }

    /// Returns the location of bytes that a space names: one statement.
    pub fn blob_locations(&mut self, space: SpaceId, hashes: &[BlobHash]) -> Result<BlobLocations> {
        let hashes: Vec<&[u8]> = hashes.iter().map(|hash| hash.as_bytes().as_slice()).collect();
        let rows: Vec<(Vec<u8>, Uuid)> = blobs::table
            .filter(blobs::space_id.eq(space.as_uuid()))
            .filter(blobs::hash.eq_any(hashes))
            .filter(blobs::stored_in.ne(space.as_uuid()))
            .select((blobs::hash, blobs::stored_in))
            .load(self.connection)?;
        let mut external = HashMap::with_capacity(rows.len());
        for (hash, stored_in) in rows {
            let hash = <[u8; 32]>::try_from(hash)
                .map_err(|_| Error::corrupt("a hash is cut", anyhow::anyhow!("{stored_in}")))?;
            external.insert(BlobHash::from_bytes(hash), SpaceId::from_uuid(stored_in));
        }
        Ok(BlobLocations { space, external })
    }
}

impl Tx<'_> {
    /// Notes that bytes were written to the store and belong to a space.
    pub fn store_blobs(&mut self, content: &Authorized<ContentAt>, blobs: &[(BlobHash, u64)]) -> Result<()> {
        if blobs.is_empty() {
            return Ok(());
        }
        let hashes: Vec<&[u8]> = blobs.iter().map(|(hash, _)| hash.as_bytes().as_slice()).collect();
        let sizes: Vec<i64> =
            blobs.iter().map(|(_, size)| i64::try_from(*size).unwrap_or(i64::MAX)).collect();
        let now = OffsetDateTime::from(self.now);
        InsertBlobs::bind((content.space.id.as_uuid(), hashes, sizes, now)).execute(self.connection)?;
        Ok(())
    }
}
