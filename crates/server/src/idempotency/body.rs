//! Digests of request bodies, computed while handlers read them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::HttpMessage;
use quire_storage::operations::idempotency::{Digest, Outcome};
use sha2::{Digest as _, Sha256};

/// Digest that is updated while the payload of a request is read.
#[derive(Clone, Debug)]
pub(super) struct SharedDigest(Arc<Mutex<BodyDigest>>);

impl SharedDigest {
    /// Starts the digest of the body of a request.
    pub(super) fn of(request: &impl HttpMessage) -> Self {
        Self(Arc::new(Mutex::new(BodyDigest::new(boundary(request).as_deref()))))
    }

    /// Adds received bytes.
    pub(super) fn update(&self, bytes: &[u8]) {
        self.lock().update(bytes);
    }

    /// Records the end of the body.
    pub(super) fn end(&self) {
        self.lock().end();
    }

    /// Returns the number of bytes added so far.
    pub(super) fn size(&self) -> u64 {
        self.lock().size
    }

    /// Returns the digest of a body that was read to its end.
    pub(super) fn finished(&self) -> Option<Digest> {
        self.lock().finished()
    }

    /// Returns the outcome of the request with this body and `answer`.
    pub(super) fn outcome(&self, answer: Option<Vec<u8>>) -> Outcome {
        let digest = self.lock();
        Outcome { body: digest.finished(), body_size: digest.size, answer }
    }

    fn lock(&self) -> MutexGuard<'_, BodyDigest> {
        // The critical sections do not panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Digest of a body. The boundary of a multipart form is left out, because clients choose it at random for each
/// request.
#[derive(Debug)]
struct BodyDigest {
    hasher: Sha256,
    size: u64,
    form: Option<Form>,
    is_complete: bool,
}

/// Search for the boundaries of a multipart form.
#[derive(Debug)]
struct Form {
    /// `--` followed by the boundary.
    delimiter: Vec<u8>,
    /// Last bytes so far, which may be the start of a delimiter or of the end of the form.
    pending: Vec<u8>,
}

impl BodyDigest {
    /// Starts a digest. `boundary` is present for a multipart form.
    fn new(boundary: Option<&str>) -> Self {
        let form = boundary
            .map(|boundary| Form { delimiter: format!("--{boundary}").into_bytes(), pending: Vec::new() });
        Self { hasher: Sha256::new(), size: 0, form, is_complete: false }
    }

    /// Adds received bytes.
    fn update(&mut self, bytes: &[u8]) {
        if self.is_complete {
            return;
        }
        self.size = self.size.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        match &mut self.form {
            None => self.hasher.update(bytes),
            Some(form) => self.is_complete = form.update(bytes, &mut self.hasher),
        }
    }

    /// Records the end of the body.
    fn end(&mut self) {
        if let Some(form) = &mut self.form {
            self.hasher.update(std::mem::take(&mut form.pending));
        }
        self.is_complete = true;
    }

    /// Returns the digest of a body that was read to its end.
    fn finished(&self) -> Option<Digest> {
        self.is_complete.then(|| self.hasher.clone().finalize().into())
    }
}

impl Form {
    /// Hashes the bytes that certainly precede the next delimiter. Returns whether the form has ended.
    fn update(&mut self, bytes: &[u8], hasher: &mut Sha256) -> bool {
        self.pending.extend_from_slice(bytes);
        while let Some(at) = find(&self.pending, &self.delimiter) {
            let after = at.saturating_add(self.delimiter.len());
            let Some(next) = self.pending.get(after..after.saturating_add(2)) else {
                // The next two bytes decide whether this delimiter is the last.
                return false;
            };
            let is_last = next == b"--";
            hasher.update(self.pending.get(..at).unwrap_or_default());
            hasher.update(b"\0");
            self.pending.drain(..after);
            if is_last {
                self.pending.clear();
                return true;
            }
        }
        let certain = self.pending.len().saturating_sub(self.delimiter.len());
        hasher.update(self.pending.get(..certain).unwrap_or_default());
        self.pending.drain(..certain);
        false
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// Returns the boundary of a multipart form.
fn boundary(request: &impl HttpMessage) -> Option<String> {
    let media = request.mime_type().ok()??;
    let boundary = media.get_param("boundary").filter(|_| media.type_() == "multipart")?;
    Some(boundary.as_str().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(boundary: Option<&str>, chunks: &[&[u8]], has_ended: bool) -> Option<Digest> {
        let mut digest = BodyDigest::new(boundary);
        for chunk in chunks {
            digest.update(chunk);
        }
        if has_ended {
            digest.end();
        }
        digest.finished()
    }

    #[test]
    fn a_body_has_a_digest_at_its_end() {
        assert_eq!(digest(None, &[b"{}"], false), None);
        assert_eq!(digest(None, &[b"{", b"}"], true), Some(Sha256::digest(b"{}").into()));
        assert_ne!(digest(None, &[b"{ }"], true), digest(None, &[b"{}"], true));
    }

    /// Returns the boundary of a form, and its body with one part.
    fn form<'a>(boundary: &'a str, content: &str) -> (Option<&'a str>, String) {
        let body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n{content}\r\n--{boundary}--\r\n"
        );
        (Some(boundary), body)
    }

    #[test]
    fn forms_are_compared_without_their_boundaries() {
        let (one, two, other) = (form("one", "a -- b"), form("anotherone", "a -- b"), form("one", "a -- c"));
        let whole = |(kind, body): &(Option<&str>, String)| digest(*kind, &[body.as_bytes()], false);
        assert!(whole(&one).is_some(), "the last boundary is the end");
        assert_eq!(whole(&one), whole(&two));
        assert_ne!(whole(&one), whole(&other));
        for size in 1..12 {
            let chunks: Vec<&[u8]> = two.1.as_bytes().chunks(size).collect();
            assert_eq!(digest(two.0, &chunks, true), whole(&one), "in chunks of {size}");
        }
    }

    #[test]
    fn a_broken_form_has_a_digest_at_its_end() {
        let (kind, body) = form("one", "a");
        let cut = &body.as_bytes()[..body.len() - 10];
        assert_eq!(digest(kind, &[cut], false), None);
        assert!(digest(kind, &[cut], true).is_some());
    }
}
