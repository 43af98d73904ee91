//! Git LFS: the repository contains a pointer, and an API of the server provides the bytes.

mod upload;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use quire_importer::fetch::Method;
use quire_importer::fetch::header::{
    ACCEPT, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName,
    HeaderValue, TRANSFER_ENCODING, USER_AGENT,
};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::error::GitError;
use crate::remote::{AGENT, Remote};

/// First line of a pointer.
const VERSION: &str = "version https://git-lfs.github.com/spec/v1\n";

/// Media type of the API.
const MEDIA_TYPE: &str = "application/vnd.git-lfs+json";

/// Maximum number of objects in a request that servers accept.
const BATCH: usize = 100;

/// Maximum size of an answer about objects, in bytes.
const ANSWER_MAX: usize = 1 << 20;

/// Maximum number of headers that an answer may request.
const HEADERS_MAX: usize = 20;

/// Headers of the connection, which an answer must not set. GitLab requests chunked encoding, but the length is known.
const OWN_HEADERS: [HeaderName; 4] = [CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING];

/// Pointer to a file that is stored outside the repository.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LfsPointer {
    /// SHA-256 of the bytes, in hexadecimal.
    pub oid: String,
    /// Size in bytes.
    pub size: u64,
}

impl LfsPointer {
    /// Maximum size of a pointer in bytes. The specification requires less than 1,024, including lines of extensions.
    pub const MAX: usize = 1023;

    /// Parses the bytes of a file. Returns `None` if they are not a pointer.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= Self::MAX)?;
        let mut lines = text.strip_prefix(VERSION)?.lines();
        let oid = lines.clone().find_map(|line| line.strip_prefix("oid sha256:"))?;
        let size = lines.find_map(|line| line.strip_prefix("size "))?.parse().ok()?;
        let is_hash = oid.len() == 64 && oid.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_hash.then(|| Self { oid: oid.to_owned(), size })
    }

    /// Returns the pointer of a file.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let hash: [u8; 32] = Sha256::digest(bytes).into();
        let oid = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { oid, size: u64::try_from(bytes.len()).unwrap_or(u64::MAX) }
    }

    /// Returns the text of the pointer in canonical form, which the repository contains in place of the bytes.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{VERSION}oid sha256:{}\nsize {}\n", self.oid, self.size)
    }
}

/// Answer to a request about objects.
#[derive(Deserialize)]
struct Batch {
    #[serde(default)]
    objects: Vec<Object>,
}

#[derive(Deserialize)]
struct Object {
    oid: String,
    #[serde(default)]
    actions: BTreeMap<String, Action>,
    error: Option<Refused>,
}

/// Reason why a server refuses an object.
#[derive(Deserialize)]
struct Refused {
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Action {
    href: String,
    #[serde(default)]
    header: BTreeMap<String, String>,
}

impl Remote {
    /// Downloads large files. Calls `take` for each file that the server has.
    ///
    /// # Errors
    /// If the server does not support Git LFS, or a limit of the run is exceeded.
    pub fn fetch_large(
        &self,
        pointers: &[LfsPointer],
        mut take: impl FnMut(&LfsPointer, Vec<u8>),
    ) -> Result<(), GitError> {
        let limit = self.connections.usage.limits.object_bytes;
        for pointers in pointers.chunks(BATCH) {
            let batch = self.batch("download", pointers)?;
            for pointer in pointers {
                let size = usize::try_from(pointer.size).unwrap_or(usize::MAX);
                let found = batch.objects.iter().find(|object| object.oid == pointer.oid);
                let Some(action) = found.and_then(|found| found.actions.get("download")) else { continue };
                if size > limit {
                    continue;
                }
                let bytes = self.download(action, size)?;
                if LfsPointer::of(&bytes) != *pointer {
                    return Err(GitError::protocol("it sent the wrong content for a large file"));
                }
                take(pointer, bytes);
            }
        }
        Ok(())
    }

    /// Requests the addresses of objects.
    fn batch(&self, operation: &str, pointers: &[LfsPointer]) -> Result<Batch, GitError> {
        let objects: Vec<_> =
            pointers.iter().map(|pointer| json!({"oid": pointer.oid, "size": pointer.size})).collect();
        let request = json!({"operation": operation, "transfers": ["basic"], "objects": objects});
        let mut url = self.address.url.clone();
        let path = url.path().strip_suffix(".git").unwrap_or(url.path()).to_owned();
        url.set_path(&format!("{path}.git/info/lfs/objects/batch"));
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(MEDIA_TYPE));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.extend(self.authorization().map(|value| (AUTHORIZATION, value)));
        let answer = self.exchange(Method::POST, &url, headers, request.to_string().into(), ANSWER_MAX)?;
        serde_json::from_slice(&answer).map_err(|error| GitError::unreadable(&error))
    }

    fn authorization(&self) -> Option<HeaderValue> {
        let account = self.address.account.as_ref()?;
        let pair = BASE64_STANDARD.encode(format!("{}:{}", account.username, account.password));
        let mut value = HeaderValue::from_str(&format!("Basic {pair}")).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Downloads an object, often from a separate store.
    fn download(&self, action: &Action, size: usize) -> Result<Vec<u8>, GitError> {
        let (url, headers) = self.target(action)?;
        self.exchange(Method::GET, &url, headers, Bytes::new(), size)
    }

    /// Returns the URL and the headers of an action. A host other than the repository's gets only the headers that the
    /// server specified.
    fn target(&self, action: &Action) -> Result<(Url, HeaderMap), GitError> {
        let url = Url::parse(&action.href).map_err(|error| GitError::unreadable(&error))?;
        if url.scheme() != "https" && !self.connections.trusts(&url) {
            return Err(GitError::protocol("a large file is not at an https address"));
        }
        let mut headers = HeaderMap::new();
        for (name, value) in action.header.iter().take(HEADERS_MAX) {
            let pair = HeaderName::from_bytes(name.as_bytes()).ok().zip(HeaderValue::from_str(value).ok());
            headers.extend(pair.filter(|(name, _)| !OWN_HEADERS.contains(name)));
        }
        if url.origin() == self.address.url.origin() && !headers.contains_key(AUTHORIZATION) {
            headers.extend(self.authorization().map(|value| (AUTHORIZATION, value)));
        }
        Ok((url, headers))
    }

    /// Sends a request, and returns the body of the answer.
    fn exchange(
        &self,
        method: Method,
        url: &Url,
        mut headers: HeaderMap,
        body: Bytes,
        limit: usize,
    ) -> Result<Vec<u8>, GitError> {
        headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
        let mut response = self.connections.accepted(method, url, headers, body)?;
        let mut bytes = Vec::new();
        loop {
            let chunk = self.connections.chunk(&mut response)?;
            if chunk.is_empty() {
                return Ok(bytes);
            }
            if bytes.len().saturating_add(chunk.len()) > limit {
                return Err(GitError::protocol("it sent too many bytes for a large file"));
            }
            bytes.extend_from_slice(&chunk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_has_a_hash_and_a_size() {
        let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let text = format!("{VERSION}oid sha256:{oid}\nsize 12345\n");
        let pointer = LfsPointer { oid: oid.to_owned(), size: 12345 };
        assert_eq!(pointer.text(), text);
        assert_eq!(LfsPointer::parse(text.as_bytes()), Some(pointer));
        for other in [
            "# Page\n".to_owned(),
            text.replace("12345", "many"),
            text.replace("4d7a", "4D7A"),
            text.replace("git-lfs.github.com", "git-lfs.example.com"),
        ] {
            assert_eq!(LfsPointer::parse(other.as_bytes()), None, "{other}");
        }
        let extended = |bytes: usize| format!("{text}{}", "x".repeat(bytes - text.len()));
        assert!(LfsPointer::parse(extended(1023).as_bytes()).is_some());
        assert_eq!(LfsPointer::parse(extended(1024).as_bytes()), None);
    }
}
