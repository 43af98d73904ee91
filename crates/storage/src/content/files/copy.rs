//! Copies of all objects from one store to another.

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};
use object_store::{ObjectStore as _, path::Path as Key};
use quire_revision::BlobHash;
use sha2::{Digest as _, Sha256};

use super::{FileStore, failed, sweep, uploads};
use crate::Result;

/// Bytes that are read at once.
const PIECE: u64 = 4 << 20;

/// Object of a file store: the bytes of a file, or an upload that waits for its import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    key: Key,
    /// Number of bytes.
    pub size: u64,
    /// Hash in the name; `None` for an upload.
    pub hash: Option<BlobHash>,
}

impl StoredObject {
    /// Returns the name of the object in its store.
    #[must_use]
    pub fn name(&self) -> &str {
        self.key.as_ref()
    }
}

/// Outcome of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// The object was written.
    Written,
    /// An object with the same name and size existed.
    Present,
    /// The bytes do not match the hash in their name, and were not written.
    Damaged,
    /// The object was removed after it was listed.
    Gone,
}

impl FileStore {
    /// Streams all objects. Objects that do not belong to Quire are left out.
    pub fn all_objects(&self) -> impl Stream<Item = Result<StoredObject>> + Send + use<> {
        self.objects.list(None).map_err(|error| failed("the files can't be listed", error)).try_filter_map(
            async |meta| {
                let hash = sweep::parse(&meta.location).or_else(|| sweep::parse_aside(&meta.location));
                let hash = hash.map(|file| file.hash);
                let is_ours = hash.is_some() || uploads::parse(&meta.location).is_some();
                Ok(is_ours.then_some(StoredObject { key: meta.location, size: meta.size, hash }))
            },
        )
    }

    /// Returns whether the store has no objects, of Quire or of others.
    pub async fn is_empty(&self) -> Result<bool> {
        let first = self.objects.list(None).next().await.transpose();
        Ok(first.map_err(|error| failed("the files can't be listed", error))?.is_none())
    }

    /// Copies an object of another store. With `verify`, an existing object is read and compared, not only its size.
    /// Bytes are read and written in pieces.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn copy_from(&self, source: &Self, object: &StoredObject, verify: bool) -> Result<Copied> {
        if self.head(&object.key).await? == Some(object.size)
            && (!verify || self.has_hash_of(source, object).await?)
        {
            return Ok(Copied::Present);
        }
        // The hash is checked before the write, so that damaged bytes never replace good ones.
        if let Some(expected) = object.hash {
            match source.hash_of(&object.key, object.size).await? {
                None => return Ok(Copied::Gone),
                Some(hash) if hash != expected => return Ok(Copied::Damaged),
                Some(_) => {}
            }
        }
        match self.write(&object.key, source.pieces(&object.key, object.size)).await {
            Ok(()) => Ok(Copied::Written),
            Err(error) => match source.head(&object.key).await? {
                None => Ok(Copied::Gone),
                Some(_) => Err(error),
            },
        }
    }

    async fn has_hash_of(&self, source: &Self, object: &StoredObject) -> Result<bool> {
        let here = self.hash_of(&object.key, object.size).await?;
        match object.hash {
            Some(expected) => Ok(here == Some(expected)),
            None => Ok(here == source.hash_of(&object.key, object.size).await?),
        }
    }

    /// Returns the SHA-256 of an object of this size; `None` if it does not exist.
    async fn hash_of(&self, key: &Key, size: u64) -> Result<Option<BlobHash>> {
        let mut hasher = Sha256::new();
        let mut at = 0;
        while at < size {
            let end = size.min(at.saturating_add(PIECE));
            let Some(piece) = self.read(key, Some(at..end)).await? else { return Ok(None) };
            hasher.update(&piece);
            at = end;
        }
        Ok(Some(BlobHash::from_bytes(hasher.finalize().into())))
    }

    /// Streams the bytes of an object in pieces.
    pub(super) fn pieces(&self, key: &Key, size: u64) -> impl Stream<Item = std::io::Result<Bytes>> + Send {
        stream::unfold(0, move |at| async move {
            if at >= size {
                return None;
            }
            let end = size.min(at.saturating_add(PIECE));
            let read = match self.read(key, Some(at..end)).await {
                Ok(Some(piece)) => Ok(piece),
                Ok(None) => Err(std::io::Error::new(std::io::ErrorKind::NotFound, "the object is gone")),
                Err(error) => Err(std::io::Error::other(error)),
            };
            let next = if read.is_ok() { end } else { size };
            Some((read, next))
        })
    }
}
