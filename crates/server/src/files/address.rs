//! Signed URLs of file contents.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_domain::ids::SpaceId;
use quire_revision::BlobHash;

use crate::signing::UrlSigner;
use crate::urls::Urls;

/// Characters that are not escaped in any part of a URL (RFC 3986, 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Signed URL of a file's contents. It needs no token. The signature covers all parts, so a URL gives access to exactly
/// one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileAddress {
    /// Space of the file.
    pub space: SpaceId,
    /// Hash of the bytes.
    pub blob: BlobHash,
    /// File name of the download.
    pub name: String,
    /// Media type of the response.
    pub content_type: String,
}

impl FileAddress {
    /// Returns the URL.
    #[must_use]
    pub fn url(&self, urls: &Urls, signer: &UrlSigner) -> String {
        urls.api(format_args!("spaces/{}/files/{}", self.space, self.path(signer)))
    }

    /// Returns the end of the URL, after the space: hash, name and signature.
    #[must_use]
    pub fn path(&self, signer: &UrlSigner) -> String {
        let name = utf8_percent_encode(&self.name, ESCAPED);
        let content_type = utf8_percent_encode(&self.content_type, ESCAPED);
        let token = signer.sign(&self.signed());
        format!("{}/{name}?type={content_type}&token={token}", self.blob)
    }

    /// Returns whether `token` is the signature of this URL.
    #[must_use]
    pub fn is_signed_by(&self, signer: &UrlSigner, token: &str) -> bool {
        signer.verify(&self.signed(), token)
    }

    /// Returns the signed text. Lengths precede the parts, so that two different URLs never have the same signed text.
    fn signed(&self) -> String {
        let Self { space, blob, name, content_type } = self;
        format!("file {space} {blob} {} {name} {} {content_type}", name.len(), content_type.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address() -> FileAddress {
        FileAddress {
            space: "0190a5d2-7c1e-7000-8000-000000000001".parse().unwrap(),
            blob: BlobHash::of(b"bytes"),
            name: "a plan/50% &?#.png".to_owned(),
            content_type: "image/svg+xml".to_owned(),
        }
    }

    #[test]
    fn an_address_escapes_what_addresses_give_a_meaning_to() {
        let url = address().url(&Urls::new("https://example.com/docs"), &UrlSigner::new([7; 32]));
        let blob = BlobHash::of(b"bytes");
        let start = format!(
            "https://example.com/docs/v1/spaces/0190a5d2-7c1e-7000-8000-000000000001/files/{blob}/\
             a%20plan%2F50%25%20%26%3F%23.png?type=image%2Fsvg%2Bxml&token="
        );
        assert!(url.starts_with(&start), "{url}");
    }

    #[test]
    fn a_signature_holds_for_no_other_address() {
        let signer = UrlSigner::new([7; 32]);
        let token = signer.sign(&address().signed());
        assert!(address().is_signed_by(&signer, &token));
        let others = [
            FileAddress { space: "0190a5d2-7c1e-7000-8000-000000000002".parse().unwrap(), ..address() },
            FileAddress { blob: BlobHash::of(b"other"), ..address() },
            FileAddress { name: "b.png".to_owned(), ..address() },
            FileAddress { content_type: "text/html".to_owned(), ..address() },
        ];
        for other in others {
            assert!(!other.is_signed_by(&signer, &token), "{other:?}");
        }
    }
}
