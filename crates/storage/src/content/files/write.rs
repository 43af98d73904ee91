//! Writes of bytes that arrive in pieces.

use std::io;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _};
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload, path::Path as Key};

use super::{FileStore, failed};
use crate::{Error, Result};

/// Size of each part of a multipart upload in bytes. S3 accepts at most 10,000 parts, and no part below 5 MiB except
/// the last.
const PART: usize = 8 << 20;

impl FileStore {
    /// Writes all pieces to the store, or none. At most one part is in memory.
    pub(super) async fn write(
        &self,
        key: &Key,
        pieces: impl Stream<Item = io::Result<Bytes>> + Send,
    ) -> Result<()> {
        // Fused, because the stream is polled again after the part that reached its end.
        let mut pieces = std::pin::pin!(pieces.fuse());
        // A folder takes pieces of any size.
        let part = if self.bucket.is_some() { PART } else { 1 };
        let mut upload = None;
        let written = async {
            while let Some(bytes) = next_part(pieces.as_mut(), part).await? {
                // A single part needs no multipart upload.
                if upload.is_none() && bytes.len() < part {
                    self.objects.put(key, PutPayload::from_bytes(bytes)).await?;
                    return Ok(());
                }
                let upload: &mut Box<dyn MultipartUpload> = match &mut upload {
                    Some(upload) => upload,
                    none => none.insert(self.objects.put_multipart(key).await?),
                };
                upload.put_part(PutPayload::from_bytes(bytes)).await?;
            }
            match &mut upload {
                Some(upload) => upload.complete().await?,
                None => self.objects.put(key, PutPayload::new()).await?,
            };
            Ok(())
        };
        let written: std::result::Result<(), Failure> = written.await;
        if let (Err(_), Some(upload)) = (&written, &mut upload) {
            // Parts that remain are harmless, and the error itself is already reported.
            let _ = upload.abort().await;
        }
        written.map_err(|failure| match failure {
            Failure::Source(error) => Error::Internal("a file can't be written", error.into()),
            Failure::Store(error) => failed("a file can't be written", error),
        })
    }
}

enum Failure {
    Source(io::Error),
    Store(object_store::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Source(error)
    }
}

impl From<object_store::Error> for Failure {
    fn from(error: object_store::Error) -> Self {
        Self::Store(error)
    }
}

/// Joins pieces until they have at least `least` bytes. The last part may have fewer. Returns `None` after the end.
async fn next_part(
    mut pieces: impl Stream<Item = io::Result<Bytes>> + Unpin,
    least: usize,
) -> io::Result<Option<Bytes>> {
    let mut first = Bytes::new();
    while first.is_empty() {
        match pieces.next().await {
            Some(piece) => first = piece?,
            None => return Ok(None),
        }
    }
    if first.len() >= least {
        return Ok(Some(first));
    }
    let mut part = BytesMut::with_capacity(least);
    part.extend_from_slice(&first);
    drop(first);
    while part.len() < least {
        match pieces.next().await {
            Some(piece) => part.extend_from_slice(&piece?),
            None => break,
        }
    }
    Ok(Some(part.freeze()))
}
