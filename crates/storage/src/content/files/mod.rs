//! File bytes, in an object store by the id of their space and their hash.

mod bucket;
mod copy;
mod location;
mod sweep;
mod uploads;
mod write;

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
use futures_util::Stream;
use object_store::local::LocalFileSystem;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload, path::Path as Key};
use quire_database::sql_files;
use quire_domain::ids::SpaceId;
use quire_revision::BlobHash;
use uuid::Uuid;

use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::schema::{blobs, spaces};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

use bucket::Bucket;
pub use bucket::{AddressHeaders, S3Options};
pub use copy::{Copied, StoredObject};
pub use location::FileLocation;
pub use sweep::StoredFile;
pub use uploads::StoredUpload;

/// Store of file bytes: a folder or a bucket. Stored bytes never change, because their name contains their hash.
#[derive(Clone, Debug)]
pub struct FileStore {
    objects: Arc<dyn ObjectStore>,
    /// Bucket; `None` for a folder.
    bucket: Option<Arc<Bucket>>,
}

impl FileStore {
    /// Opens the store at a location. S3 settings are ignored for a folder. A bucket is not contacted yet.
    ///
    /// # Errors
    /// A folder that cannot be created or opened, or contradictory settings of the bucket.
    pub fn open(location: &FileLocation, s3: &S3Options) -> Result<Self> {
        match location {
            FileLocation::Folder(folder) => Self::in_folder(folder),
            FileLocation::Bucket { name, prefix } => {
                let bucket = Bucket::open(name, prefix, s3)?;
                Ok(Self { objects: bucket.objects(), bucket: Some(Arc::new(bucket)) })
            }
        }
    }

    /// Opens a folder as a store. If it does not exist, it is created with access for this process's account only,
    /// because the API decides who may read a file. Written bytes survive a crash of the machine.
    ///
    /// # Errors
    /// A folder that cannot be created or opened.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        // Other accounts, such as that of PostgreSQL, may need access to the parent folders.
        let above = folder.parent().map_or(Ok(()), std::fs::create_dir_all);
        above
            .and_then(|()| DirBuilder::new().recursive(true).mode(0o700).create(folder))
            .map_err(|error| Error::Internal("the folder of files can't be made", error.into()))?;
        let store = LocalFileSystem::new_with_prefix(folder)
            .map_err(|error| Error::Internal("the folder of files can't be opened", error.into()))?;
        Ok(Self { objects: Arc::new(store.with_fsync(true)), bucket: None })
    }

    /// Writes bytes. If they exist, this renews the modification time that [`FileStore::remove_old`] checks.
    pub async fn put(&self, space: SpaceId, hash: BlobHash, bytes: Bytes) -> Result<()> {
        let written = self.objects.put(&key(space, hash), PutPayload::from_bytes(bytes)).await;
        written.map(drop).map_err(|error| failed("a file can't be written", error))
    }

    /// Writes bytes that arrive in pieces, so that only a few of them are in memory. Otherwise like [`FileStore::put`].
    ///
    /// # Errors
    /// A store that fails, or a piece that cannot be read.
    pub async fn put_pieces(
        &self,
        space: SpaceId,
        hash: BlobHash,
        pieces: impl Stream<Item = io::Result<Bytes>> + Send,
    ) -> Result<()> {
        self.write(&key(space, hash), pieces).await
    }

    /// Returns a range of the bytes, or all of them; `None` if they do not exist.
    pub async fn get(
        &self,
        space: SpaceId,
        hash: BlobHash,
        range: Option<Range<u64>>,
    ) -> Result<Option<Bytes>> {
        match self.read(&key(space, hash), range.clone()).await? {
            // A sweep may have removed bytes of a bucket while they were being written again.
            None if self.bucket.is_some() => self.read(&sweep::aside(space, hash), range).await,
            read => Ok(read),
        }
    }

    /// Returns the number of bytes stored under this hash; `None` if they do not exist.
    pub async fn size(&self, space: SpaceId, hash: BlobHash) -> Result<Option<u64>> {
        match self.head(&key(space, hash)).await? {
            None if self.bucket.is_some() => self.head(&sweep::aside(space, hash)).await,
            size => Ok(size),
        }
    }

    /// Returns whether the bytes exist.
    pub async fn contains(&self, space: SpaceId, hash: BlobHash) -> Result<bool> {
        Ok(self.size(space, hash).await?.is_some())
    }

    /// Returns a URL of the bucket from which a browser can read the bytes for five minutes, with these headers; `None`
    /// if the store has no such URLs, or the bytes do not exist.
    pub async fn address(
        &self,
        space: SpaceId,
        hash: BlobHash,
        headers: &AddressHeaders<'_>,
    ) -> Result<Option<String>> {
        let Some(bucket) = self.bucket.as_ref().filter(|bucket| bucket.has_signed_urls()) else {
            return Ok(None);
        };
        let key = key(space, hash);
        match self.head(&key).await? {
            Some(_) => bucket.address(&key, headers).await.map(Some),
            None => Ok(None),
        }
    }

    /// Writes, reads and removes an object, to check the permissions of the store.
    ///
    /// # Errors
    /// A store that refuses one of these, or cannot be reached.
    pub async fn probe(&self, name: Uuid) -> Result<()> {
        let key = Key::from_iter(["probe".to_owned(), name.to_string()]);
        let written = self.objects.put(&key, PutPayload::from_static(b"probe")).await;
        written.map_err(|error| failed("an object can't be written", error))?;
        if self.read(&key, Some(0..5)).await?.is_none() {
            return Err(Error::Internal(
                "an object that was written can't be read",
                anyhow::anyhow!("{key}"),
            ));
        }
        self.objects.delete(&key).await.map_err(|error| failed("an object can't be removed", error))
    }

    async fn read(&self, key: &Key, range: Option<Range<u64>>) -> Result<Option<Bytes>> {
        let read = async {
            match range {
                Some(range) => self.objects.get_range(key, range).await,
                None => self.objects.get(key).await?.bytes().await,
            }
        };
        found(read.await).map_err(|error| failed("a file can't be read", error))
    }

    async fn head(&self, key: &Key) -> Result<Option<u64>> {
        let head =
            found(self.objects.head(key).await).map_err(|error| failed("a file can't be found", error))?;
        Ok(head.map(|meta| meta.size))
    }
}

/// Converts the error for a missing object to `None`.
fn found<T>(result: object_store::Result<T>) -> object_store::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the error of a failed store. It is transient, since most causes, such as a full disk, can be fixed.
fn failed(what: &'static str, error: object_store::Error) -> Error {
    Error::StoreUnavailable(anyhow::Error::from(error).context(what))
}

/// Returns the name of an object. The first two characters of the hash are a folder, so that no folder grows too large.
fn key(space: SpaceId, hash: BlobHash) -> Key {
    let hash = hash.to_string();
    let shard: String = hash.chars().take(2).collect();
    Key::from_iter([space.to_string(), shard, hash])
}

sql_files! {
    InsertBlobs(SqlUuid, Array<Binary>, Array<BigInt>, Timestamptz) = "insert_blobs.sql";
}

/// File bytes to which a space refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBlob {
    /// Number of bytes.
    pub size: u64,
    /// Space under whose id the bytes are stored: for a duplicate, another space.
    pub stored_in: SpaceId,
}

/// Locations of file bytes to which a space refers.
#[derive(Clone, Debug)]
pub struct BlobLocations {
    space: SpaceId,
    external: HashMap<BlobHash, SpaceId>,
}

impl BlobLocations {
    /// Returns the space under whose id these bytes are stored.
    #[must_use]
    pub fn of(&self, hash: BlobHash) -> SpaceId {
        self.external.get(&hash).copied().unwrap_or(self.space)
    }
}

impl Reader<'_> {
    /// Returns the bytes with this hash to which a space refers; `None` if there are none, or the space is deleted.
    ///
    /// No permission is checked: this is for URLs whose signature grants access.
    pub fn blob(&mut self, space: SpaceId, hash: BlobHash) -> Result<Option<StoredBlob>> {
        let row: Option<(i64, Uuid)> = blobs::table
            .find((space, hash.as_bytes().as_slice()))
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

    /// Returns the locations of bytes to which a space refers. Takes one statement.
    pub fn blob_locations(&mut self, space: SpaceId, hashes: &[BlobHash]) -> Result<BlobLocations> {
        let hashes: Vec<&[u8]> = hashes.iter().map(|hash| hash.as_bytes().as_slice()).collect();
        let rows: Vec<(Vec<u8>, Uuid)> = blobs::table
            .filter(blobs::space_id.eq(space))
            .filter(blobs::hash.eq_any(hashes))
            .filter(blobs::stored_in.ne(space))
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
    /// Records that bytes were written to the store and belong to a space.
    pub fn store_blobs(&mut self, content: &Authorized<ContentAt>, blobs: &[(BlobHash, u64)]) -> Result<()> {
        if blobs.is_empty() {
            return Ok(());
        }
        let hashes: Vec<&[u8]> = blobs.iter().map(|(hash, _)| hash.as_bytes().as_slice()).collect();
        let sizes: Vec<i64> =
            blobs.iter().map(|(_, size)| i64::try_from(*size).unwrap_or(i64::MAX)).collect();
        let now = self.now;
        InsertBlobs::bind((content.space.id, hashes, sizes, now)).execute(self.connection)?;
        Ok(())
    }
}
