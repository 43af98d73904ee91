//! Finished bodies: compressed once in each coding that clients ask for, cached by everything that they depend on,
//! answered with an entity tag.

use std::io::Write as _;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_cache::Cache;
use quire_server::respond::caller_has;

/// Request headers that answers depend on.
pub(crate) const VARIES: &str = "Accept-Encoding";
/// As [`VARIES`], for what has several forms.
pub(crate) const VARIES_BY_FORM: &str = "Accept, Accept-Encoding";

/// Files that users wrote are never shown as pages; the policy is a second fence.
pub(crate) const TEXT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Quality of the compression of pages: more takes longer than rendering.
const BROTLI_QUALITY: u32 = 5;
/// Window of the compression, as a power of two: more than most pages have. For windows of 64 kB and less, the encoder
/// takes hash tables of 33 MB, whatever the size of the page, and ten times as long.
const BROTLI_WINDOW: u32 = 18;
const BUFFER: usize = 4 << 10;
/// Approximate bytes of a cached body besides its forms.
const ENTRY: usize = 512;

/// Hash of everything that a body depends on.
pub(crate) type Key = [u8; 32];

/// Coding of a body.
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

    /// Returns the value of `Content-Encoding`. An explicit `identity` keeps middleware from compressing the body again.
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

/// Finished body in one coding.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    bytes: Bytes,
    encoding: Encoding,
    content_type: &'static str,
    policy: String,
}

impl Body {
    /// Returns a body that is not compressed. `policy` is the content security policy of the answer.
    pub(crate) fn new(bytes: impl Into<Vec<u8>>, content_type: &'static str, policy: String) -> Self {
        Self { bytes: exact(bytes.into()), encoding: Encoding::Identity, content_type, policy }
    }

    /// Compresses a body that is not compressed.
    pub(crate) fn coded(self, encoding: Encoding) -> Self {
        let bytes = match encoding {
            Encoding::Identity => return self,
            Encoding::Gzip => {
                let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                gzip.write_all(&self.bytes).and_then(|()| gzip.finish())
            }
            Encoding::Brotli => {
                let mut brotli =
                    brotli::CompressorWriter::new(Vec::new(), BUFFER, BROTLI_QUALITY, BROTLI_WINDOW);
                brotli.write_all(&self.bytes).and_then(|()| brotli.flush()).map(|()| brotli.into_inner())
            }
        };
        match bytes {
            Ok(bytes) => Self { bytes: exact(bytes), encoding, ..self },
            // Writing to a vector does not fail. An uncompressed body is right for each client.
            Err(_) => self,
        }
    }

    fn weight(&self) -> usize {
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
            .insert_header((header::CONTENT_SECURITY_POLICY, self.policy.as_str()))
            .content_type(self.content_type);
        if let Some(tag) = tag {
            response.insert_header((header::ETAG, tag));
        }
        response.body(self.bytes.clone())
    }
}

/// Returns the bytes without spare capacity, which would not be counted in the weight of a cached body.
fn exact(bytes: Vec<u8>) -> Bytes {
    bytes.into_boxed_slice().into()
}

/// Returns the entity tag of the body of a key. It is weak, because the codings of a body share it.
pub(crate) fn tag(key: &Key) -> String {
    let head = key.first_chunk::<16>().map(|head| URL_SAFE_NO_PAD.encode(head)).unwrap_or_default();
    format!("W/\"{head}\"")
}

/// Responds with 304 if the client has the body of this tag.
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

/// Bodies by their keys and codings. An entry depends on nothing else, so none is ever outdated.
///
/// Browsers all ask for the same coding, so a body is mostly kept in one: in brotli, which takes a fifth of the text.
#[derive(Clone, Debug)]
pub(crate) struct Bodies(Cache<(Key, Encoding), Body>);

impl Bodies {
    /// Creates a cache of this many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let weigh = |_: &(Key, Encoding), body: &Body| u32::try_from(body.weight()).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(bytes).weigher(weigh).build())
    }

    /// Returns the bytes of all bodies.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.weighted_size()
    }

    pub(crate) fn get(&self, key: &Key, encoding: Encoding) -> Option<Body> {
        self.0.get(&(*key, encoding))
    }

    pub(crate) fn keep(&self, key: Key, body: &Body) {
        self.0.insert((key, body.encoding), body.clone());
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn displaced_bodies_are_freed_at_once() {
        let bodies = Bodies::new(64 << 10);
        let made: Vec<Body> =
            (0..20).map(|_| Body::new(vec![0; 10 << 10], "image/png", TEXT_POLICY.to_owned())).collect();
        for (name, body) in (0..).zip(&made) {
            bodies.keep([name; 32], body);
        }
        let kept = made.iter().filter(|body| !body.bytes.is_unique()).count();
        // Six fit, and the cache may still hold the last one that it displaced.
        assert!(kept <= 7, "{kept}");
    }

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
