//! Uploads to Git LFS.

use bytes::Bytes;
use quire_importer::fetch::Method;
use quire_importer::fetch::header::{CONTENT_TYPE, HeaderValue};
use serde_json::json;

use super::{ANSWER_MAX, Action, BATCH, LfsPointer, MEDIA_TYPE, Object};
use crate::error::{GitError, shown};
use crate::remote::Remote;

/// Media type of a file, unless the server specifies another one.
const BYTES: &str = "application/octet-stream";

impl Remote {
    /// Uploads the files that the server does not have yet.
    ///
    /// # Errors
    /// If the server does not support Git LFS or refuses a file, or a limit of the run is exceeded.
    pub fn store_large(&self, files: &[(LfsPointer, Bytes)]) -> Result<(), GitError> {
        for files in files.chunks(BATCH) {
            let pointers: Vec<LfsPointer> = files.iter().map(|(pointer, _)| pointer.clone()).collect();
            let batch = self.batch("upload", &pointers)?;
            for (pointer, bytes) in files {
                let found = batch.objects.iter().find(|object| object.oid == pointer.oid);
                let Some(object) = found else {
                    return Err(GitError::protocol("it sent no answer for a large file"));
                };
                self.store(pointer, bytes, object)?;
            }
        }
        Ok(())
    }

    /// Uploads a file, unless the server has it.
    fn store(&self, pointer: &LfsPointer, bytes: &Bytes, object: &Object) -> Result<(), GitError> {
        if let Some(refused) = &object.error {
            let reason = format!("it refused a large file: {}", shown(&refused.message));
            return Err(GitError::Rejected { reason });
        }
        let Some(upload) = object.actions.get("upload") else { return Ok(()) };
        self.put(upload, Method::PUT, BYTES, bytes.clone())?;
        let Some(verify) = object.actions.get("verify") else { return Ok(()) };
        let body = json!({"oid": pointer.oid, "size": pointer.size}).to_string();
        self.put(verify, Method::POST, MEDIA_TYPE, body.into())
    }

    fn put(&self, action: &Action, method: Method, media: &'static str, body: Bytes) -> Result<(), GitError> {
        let (url, mut headers) = self.target(action)?;
        headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static(media));
        self.exchange(method, &url, headers, body, ANSWER_MAX).map(drop)
    }
}
