//! Uploads that wait for their import: bytes stored by the id of the import, which are removed when it ends.

use std::io;
use std::ops::Range;

use bytes::Bytes;
use diesel::prelude::*;
use diesel::sql_types::{Array, Uuid as SqlUuid};
use futures_util::{Stream, StreamExt as _, future};
use object_store::{ObjectStore, ObjectStoreExt, path::Path as Key};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ImportId, SpaceId};
use uuid::Uuid;

use super::{FileStore, sweep};
use crate::Result;
use crate::system::SystemReader;

/// Folder of uploads.
const UPLOADS: &str = "uploads";

/// Upload in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredUpload {
    /// Space of the upload.
    pub space: SpaceId,
    /// Import of the upload.
    pub import: ImportId,
}

impl FileStore {
    /// Stores an upload that arrives in pieces.
    ///
    /// # Errors
    /// A store that fails, or a piece that cannot be read.
    pub async fn keep_upload(
        &self,
        upload: StoredUpload,
        pieces: impl Stream<Item = io::Result<Bytes>> + Send,
    ) -> Result<()> {
        self.write(&key(upload), pieces).await
    }

    /// Returns a range of an upload; `None` if it no longer exists.
    pub async fn upload_part(&self, upload: StoredUpload, part: Range<u64>) -> Result<Option<Bytes>> {
        match self.objects.get_range(&key(upload), part).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(sweep::failed(error)),
        }
    }

    /// Removes an upload, if it exists.
    pub async fn remove_upload(&self, upload: StoredUpload) -> Result<()> {
        match self.objects.delete(&key(upload)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(sweep::failed(error)),
        }
    }

    /// Streams all uploads that were stored before a time.
    pub fn uploads_older_than(
        &self,
        moment: Timestamp,
    ) -> impl Stream<Item = Result<StoredUpload>> + Send + use<> {
        self.objects.list(Some(&Key::from(UPLOADS))).filter_map(move |meta| {
            future::ready(match meta {
                Ok(meta) => sweep::is_older(&meta, moment).then(|| parse(&meta.location)).flatten().map(Ok),
                Err(error) => Some(Err(sweep::failed(error))),
            })
        })
    }
}

fn key(StoredUpload { space, import }: StoredUpload) -> Key {
    Key::from_iter([UPLOADS.to_owned(), space.to_string(), import.to_string()])
}

/// Parses a name from [`key`]; `None` for an object that does not belong to Quire.
pub(super) fn parse(location: &Key) -> Option<StoredUpload> {
    let mut parts = location.parts();
    if parts.next()?.as_ref() != UPLOADS {
        return None;
    }
    let (space, import) = (parts.next()?, parts.next()?);
    let upload = StoredUpload { space: space.as_ref().parse().ok()?, import: import.as_ref().parse().ok()? };
    parts.next().is_none().then_some(upload)
}

sql_files! {
    UnclaimedUploads(Array<SqlUuid>, Array<SqlUuid>) -> (SqlUuid, SqlUuid) = "unclaimed_uploads.sql";
}

impl SystemReader<'_> {
    /// Returns the uploads for which no import waits.
    pub fn unclaimed_uploads(&mut self, uploads: &[StoredUpload]) -> Result<Vec<StoredUpload>> {
        let spaces: Vec<_> = uploads.iter().map(|upload| upload.space).collect();
        let imports: Vec<_> = uploads.iter().map(|upload| upload.import).collect();
        let rows: Vec<(Uuid, Uuid)> = UnclaimedUploads::bind((spaces, imports)).load(self.connection)?;
        let upload = |(space, import)| StoredUpload {
            space: SpaceId::from_uuid(space),
            import: ImportId::from_uuid(import),
        };
        Ok(rows.into_iter().map(upload).collect())
    }
}
