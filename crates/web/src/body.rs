//! Response bodies in the content codings that clients accept, with entity tags.

use std::io::{Read as _, Write as _};
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_server::respond::caller_has;

/// Request headers that answers depend on.
pub(crate) const VARIES: &str = "Accept-Encoding";
/// Like [`VARIES`], for resources with several forms.
pub(crate) const VARIES_BY_FORM: &str = "Accept, Accept-Encoding";

/// User files are never displayed as pages. The policy is a second line of defense.
pub(crate) const TEXT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Compression quality of pages. A higher one takes longer than rendering, and a page may never be requested again.
const PAGE_QUALITY: u32 = 3;
/// Compression quality of long bodies, which are made once for many readers.
const LONG_QUALITY: u32 = 5;
/// Minimum size of a long body in bytes.
const LONG: usize = 256 << 10;
/// Window of the compression as a power of two, larger than most pages. For windows of 64 kB and less, the encoder
/// allocates hash tables of 33 MB whatever the page size, and takes ten times as long.
const BROTLI_WINDOW: u32 = 18;
const BUFFER: usize = 4 << 10;
/// Approximate size of a cached body's metadata in bytes.
const ENTRY: usize = 512;

/// Hash of everything that a body depends on.
pub(crate) type Key = [u8; 32];

/// Content coding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    /// Returns the best coding that the client accepts.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        if accepts(request.headers(), "br") {
            Self::Brotli
        } else if accepts(request.headers(), "gzip") {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    /// Returns the value of `Content-Encoding`. An explicit `identity` prevents further compression by middleware.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }
}

fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|item| {
        let (name, weight) = item.split_once(';').unwrap_or((item, ""));
        let is_refused = matches!(weight.trim().trim_start_matches("q=").trim_matches(['0', '.']), "")
            && weight.contains('q');
        name.trim().eq_ignore_ascii_case(coding) && !is_refused
    })
}

/// Response body in one content coding.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    bytes: Bytes,
    pub(crate) encoding: Encoding,
    pub(crate) content_type: &'static str,
    pub(crate) policy: Arc<str>,
}

/// Body for a response, and the form to cache.
pub(crate) struct Made {
    pub(crate) answer: Body,
    pub(crate) kept: Body,
}

impl Body {
    /// Returns an uncompressed body. `policy` is the content security policy of the response.
    pub(crate) fn new(
        bytes: impl Into<Vec<u8>>,
        content_type: &'static str,
        policy: impl Into<Arc<str>>,
    ) -> Self {
        Self::stored(bytes.into(), Encoding::Identity, content_type, policy.into())
    }

    /// Returns a body from bytes in this coding.
    pub(crate) fn stored(
        bytes: Vec<u8>,
        encoding: Encoding,
        content_type: &'static str,
        policy: Arc<str>,
    ) -> Self {
        Self { bytes: exact(bytes), encoding, content_type, policy }
    }

    /// Returns the bytes in the coding of the body.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns whether a body takes long to convert to another coding.
    pub(crate) fn is_long(&self) -> bool {
        self.bytes.len() >= LONG.div_euclid(8)
    }

    /// Returns the body in the coding of a response, and the form to cache, which is compressed unless the format is.
    pub(crate) fn made(self, encoding: Encoding) -> Made {
        if self.content_type == "image/png" {
            return Made { kept: self.clone(), answer: self };
        }
        match encoding {
            Encoding::Identity => Made { kept: self.clone().coded(Encoding::Brotli), answer: self },
            encoding => {
                let answer = self.coded(encoding);
                Made { kept: answer.clone(), answer }
            }
        }
    }

    /// Converts a body to a coding.
    pub(crate) fn coded(self, encoding: Encoding) -> Self {
        if encoding == self.encoding {
            return self;
        }
        let plain = self.plain();
        let bytes = match encoding {
            Encoding::Identity => return plain,
            Encoding::Gzip => {
                let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                gzip.write_all(&plain.bytes).and_then(|()| gzip.finish())
            }
            Encoding::Brotli => {
                let quality = if plain.bytes.len() >= LONG { LONG_QUALITY } else { PAGE_QUALITY };
                let mut brotli = brotli::CompressorWriter::new(Vec::new(), BUFFER, quality, BROTLI_WINDOW);
                brotli.write_all(&plain.bytes).and_then(|()| brotli.flush()).map(|()| brotli.into_inner())
            }
        };
        match bytes {
            Ok(bytes) => Self { bytes: exact(bytes), encoding, ..plain },
            // Writing to a vector does not fail. Every client accepts an uncompressed body anyway.
            Err(_) => plain,
        }
    }

    fn plain(self) -> Self {
        let mut bytes = Vec::new();
        let read = match self.encoding {
            Encoding::Identity => return self,
            Encoding::Gzip => flate2::read::GzDecoder::new(&*self.bytes).read_to_end(&mut bytes),
            Encoding::Brotli => brotli::Decompressor::new(&*self.bytes, BUFFER).read_to_end(&mut bytes),
        };
        match read {
            Ok(_) => Self { bytes: exact(bytes), encoding: Encoding::Identity, ..self },
            // Only output of `coded` is decompressed, so this does not fail.
            Err(_) => self,
        }
    }

    pub(crate) fn weight(&self) -> usize {
        ENTRY.saturating_add(self.bytes.len())
    }

    /// Responds with the body. `tag` is the entity tag of a body that may be revalidated.
    pub(crate) fn respond(
        &self,
        status: StatusCode,
        tag: Option<&str>,
        caching: &'static str,
    ) -> HttpResponse {
        let mut response = HttpResponse::build(status);
        response
            .insert_header((header::CACHE_CONTROL, caching))
            .insert_header((header::CONTENT_ENCODING, self.encoding.name()))
            .insert_header((header::VARY, VARIES_BY_FORM))
            .insert_header((header::CONTENT_SECURITY_POLICY, &*self.policy))
            .content_type(self.content_type);
        if let Some(tag) = tag {
            response.insert_header((header::ETAG, tag));
        }
        response.body(self.bytes.clone())
    }
}

/// Returns the bytes without spare capacity, which the weight of a cached body would not include.
fn exact(bytes: Vec<u8>) -> Bytes {
    bytes.into_boxed_slice().into()
}

/// Returns the entity tag for the body of a key. It is weak, because all codings of a body share it.
pub(crate) fn tag(key: &Key) -> String {
    let head = key.first_chunk::<16>().map(|head| URL_SAFE_NO_PAD.encode(head)).unwrap_or_default();
    format!("W/\"{head}\"")
}

/// Responds with 304 if the client has the body with this tag.
pub(crate) fn not_modified(request: &HttpRequest, tag: &str, caching: &'static str) -> Option<HttpResponse> {
    let strong = tag.strip_prefix("W/").unwrap_or(tag);
    caller_has(request, strong).then(|| {
        HttpResponse::NotModified()
            .insert_header((header::ETAG, tag))
            .insert_header((header::CACHE_CONTROL, caching))
            .insert_header((header::VARY, VARIES_BY_FORM))
            .finish()
    })
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_body_has_no_spare_capacity() {
        let mut text = String::with_capacity(1 << 20);
        text.push_str("text");
        let body = Body::new(text, "text/plain", TEXT_POLICY.to_owned());
        for encoding in [Encoding::Identity, Encoding::Gzip, Encoding::Brotli] {
            let bytes = body.clone().coded(encoding).bytes;
            let length = bytes.len();
            assert_eq!(Vec::from(bytes).capacity(), length, "{encoding:?}");
        }
    }

    #[test]
    fn the_best_coding_is_chosen() {
        for (accepted, expected) in [
            ("gzip, deflate, br", Encoding::Brotli),
            ("gzip;q=1.0, br;q=0", Encoding::Gzip),
            ("BR;q=0.5", Encoding::Brotli),
            ("gzip; q=0.000", Encoding::Identity),
            ("", Encoding::Identity),
        ] {
            let request = TestRequest::default().insert_header((header::ACCEPT_ENCODING, accepted));
            assert_eq!(Encoding::of(&request.to_http_request()), expected, "{accepted}");
        }
    }
}
