//! Removal of unowned bytes: written for a transaction that was not committed, or left by a removed space.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Uuid as SqlUuid};
use futures_util::{Stream, StreamExt as _, future};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, path::Path as Key};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::ids::SpaceId;
use quire_revision::BlobHash;
use uuid::Uuid;

use super::{FileStore, found, key};
use crate::system::SystemReader;
use crate::{Error, Result};

/// Folder of bytes that may be removed, until that is decided.
const ASIDE: &str = "aside";

/// Bytes in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredFile {
    /// Space to which the bytes belong.
    pub space: SpaceId,
    /// Hash of the bytes.
    pub hash: BlobHash,
}

impl FileStore {
    /// Streams all bytes that were last written before a time.
    pub fn older_than(&self, moment: Timestamp) -> impl Stream<Item = Result<StoredFile>> + Send + use<> {
        let metas = self.objects.list(None);
        metas.filter_map(move |meta| {
            future::ready(match meta {
                Ok(meta) => is_older(&meta, moment).then(|| parse(&meta.location)).flatten().map(Ok),
                Err(error) => Some(Err(failed(error))),
            })
        })
    }

    /// Removes bytes to which no row refers, unless they were written after `moment`: a transaction may be about to
    /// refer to them. Returns whether they were removed.
    ///
    /// The same bytes may be written again at any time, so they are first moved aside, where no writer reaches them. In
    /// a folder, they are moved back if they turn out to be newer. In a bucket, a copy has the time of the copy, so
    /// their age is read before; readers find the copy, and it stays until [`FileStore::moved_aside_before`] lists it.
    pub async fn remove_old(&self, file: StoredFile, moment: Timestamp) -> Result<bool> {
        let (key, aside) = (key(file.space, file.hash), aside(file.space, file.hash));
        if self.bucket.is_some() {
            match found(self.objects.head(&key).await).map_err(failed)? {
                None => return Ok(true),
                Some(meta) if !is_older(&meta, moment) => return Ok(false),
                Some(_) => {}
            }
            self.objects.copy(&key, &aside).await.map_err(failed)?;
            return self.objects.delete(&key).await.map(|()| true).map_err(failed);
        }
        match found(self.objects.rename(&key, &aside).await).map_err(failed)? {
            None => Ok(true),
            Some(()) => self.settle(file, &aside, moment).await,
        }
    }

    /// Streams the bytes of a bucket that [`FileStore::remove_old`] moved aside before a time. The caller removes them
    /// or brings them back, depending on whether a row refers to them. In a folder, [`FileStore::remove_old`] decides
    /// at once.
    pub fn moved_aside_before(
        &self,
        moment: Timestamp,
    ) -> impl Stream<Item = Result<StoredFile>> + Send + use<> {
        let is_bucket = self.bucket.is_some();
        self.objects.list(Some(&Key::from(ASIDE))).filter_map(move |meta| {
            future::ready(match meta {
                Ok(meta) => {
                    let is_due = is_bucket && is_older(&meta, moment);
                    is_due.then(|| parse_aside(&meta.location)).flatten().map(Ok)
                }
                Err(error) => Some(Err(failed(error))),
            })
        })
    }

    /// Removes bytes listed by [`FileStore::moved_aside_before`] to which no row refers.
    pub async fn forget_aside(&self, file: StoredFile) -> Result<()> {
        let deleted = self.objects.delete(&aside(file.space, file.hash)).await;
        found(deleted).map(drop).map_err(failed)
    }

    /// Restores bytes listed by [`FileStore::moved_aside_before`] to which a row refers again.
    pub async fn restore(&self, file: StoredFile) -> Result<()> {
        let aside = aside(file.space, file.hash);
        let copied = self.objects.copy(&aside, &key(file.space, file.hash)).await;
        found(copied).map_err(failed)?;
        self.forget_aside(file).await
    }

    /// Completes the removals in a folder that were interrupted by the end of the process.
    pub async fn settle_interrupted(&self, moment: Timestamp) -> Result<()> {
        if self.bucket.is_some() {
            return Ok(());
        }
        let mut metas = self.objects.list(Some(&Key::from(ASIDE)));
        while let Some(meta) = metas.next().await {
            let aside = meta.map_err(failed)?.location;
            if let Some(file) = parse_aside(&aside) {
                self.settle(file, &aside, moment).await?;
            }
        }
        Ok(())
    }

    async fn settle(&self, file: StoredFile, aside: &Key, moment: Timestamp) -> Result<bool> {
        let is_old = is_older(&self.objects.head(aside).await.map_err(failed)?, moment);
        let settled = match is_old {
            true => self.objects.delete(aside).await,
            false => self.objects.rename(aside, &key(file.space, file.hash)).await,
        };
        settled.map(|()| is_old).map_err(failed)
    }
}

sql_files! {
    UnclaimedBlobs(Array<SqlUuid>, Array<Binary>) -> (SqlUuid, Binary) = "unclaimed_blobs.sql";
}

impl SystemReader<'_> {
    /// Returns the bytes to which no row refers.
    pub fn unclaimed(&mut self, files: &[StoredFile]) -> Result<Vec<StoredFile>> {
        let spaces: Vec<_> = files.iter().map(|file| file.space).collect();
        let hashes: Vec<&[u8]> = files.iter().map(|file| file.hash.as_bytes().as_slice()).collect();
        let rows: Vec<(Uuid, Vec<u8>)> = UnclaimedBlobs::bind((spaces, hashes)).load(self.connection)?;
        let file = |(space_id, hash): (Uuid, Vec<u8>)| {
            let hash = <[u8; 32]>::try_from(hash)
                .map_err(|_| Error::corrupt("a hash is cut", anyhow::anyhow!("{space_id}")))?;
            Ok(StoredFile { space: SpaceId::from_uuid(space_id), hash: BlobHash::from_bytes(hash) })
        };
        rows.into_iter().map(file).collect()
    }
}

pub(super) fn is_older(meta: &ObjectMeta, moment: Timestamp) -> bool {
    meta.last_modified.timestamp_millis() < moment.millis()
}

/// Parses a name from [`key`]; `None` for an object that does not belong to Quire.
pub(super) fn parse(location: &Key) -> Option<StoredFile> {
    let mut parts = location.parts();
    let (space, shard, hash) = (parts.next()?, parts.next()?, parts.next()?);
    let file = StoredFile { space: space.as_ref().parse().ok()?, hash: hash.as_ref().parse().ok()? };
    (hash.as_ref().starts_with(shard.as_ref()) && parts.next().is_none()).then_some(file)
}

/// Returns the name of bytes that were moved aside.
pub(super) fn aside(space: SpaceId, hash: BlobHash) -> Key {
    Key::from_iter([ASIDE.to_owned(), space.to_string(), hash.to_string()])
}

/// Parses a name from [`aside`].
pub(super) fn parse_aside(location: &Key) -> Option<StoredFile> {
    let mut parts = location.parts();
    if parts.next()?.as_ref() != ASIDE {
        return None;
    }
    Some(StoredFile {
        space: parts.next()?.as_ref().parse().ok()?,
        hash: parts.next()?.as_ref().parse().ok()?,
    })
}

pub(super) fn failed(error: object_store::Error) -> Error {
    super::failed("the store of files failed", error)
}
