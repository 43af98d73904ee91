//! Signed URLs of PDFs, and the URLs inside them.

use percent_encoding::utf8_percent_encode;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{PdfId, SpaceId};
use quire_domain::pdf::Addresses;
use quire_revision::FileNode;

use super::content::{ESCAPED_IN_PATH, FileAddress};
use crate::signing::UrlSigner;
use crate::urls::Urls;

/// Signed URL of a PDF, which works without a token until it expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PdfAddress {
    /// Space of the PDF.
    pub space: SpaceId,
    /// PDF.
    pub pdf: PdfId,
    /// Expiry of the URL.
    pub expires_at: Timestamp,
}

impl PdfAddress {
    /// Returns the URL.
    #[must_use]
    pub fn url(&self, urls: &Urls, signer: &UrlSigner) -> String {
        let token = signer.sign(&self.signed());
        let expires = self.expires_at.millis();
        urls.api(format_args!("spaces/{}/pdf/{}?expires={expires}&token={token}", self.space, self.pdf))
    }

    /// Returns whether `token` is the signature of this URL.
    #[must_use]
    pub fn is_signed_by(&self, signer: &UrlSigner, token: &str) -> bool {
        signer.verify(&self.signed(), token)
    }

    fn signed(&self) -> String {
        format!("pdf {} {} {}", self.space, self.pdf, self.expires_at.millis())
    }
}

/// URLs in PDFs: those that the API returns to signed-in callers.
pub struct SignedAddresses {
    urls: Urls,
    signer: UrlSigner,
}

impl SignedAddresses {
    /// Returns URLs below `base_url`, signed by `signer`.
    #[must_use]
    pub fn new(base_url: &str, signer: UrlSigner) -> Self {
        Self { urls: Urls::new(base_url), signer }
    }
}

impl Addresses for SignedAddresses {
    fn file(&self, space: SpaceId, file: &FileNode) -> String {
        let FileNode { blob, name, content_type, .. } = file;
        let address =
            FileAddress { space, blob: *blob, name: name.clone(), content_type: content_type.clone() };
        address.url(&self.urls, &self.signer)
    }

    fn page(&self, space: SpaceId, path: &str) -> String {
        self.urls.app(format_args!("s/{space}/{}", utf8_percent_encode(path, ESCAPED_IN_PATH)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_no_other_pdf_and_no_other_hour() {
        let signer = UrlSigner::new([7; 32]);
        let address = PdfAddress {
            space: "0190a5d2-7c1e-7000-8000-000000000001".parse().unwrap(),
            pdf: "0190a5d2-7c1e-7000-8000-000000000002".parse().unwrap(),
            expires_at: Timestamp::from_millis(1_000).unwrap(),
        };
        let token = signer.sign(&address.signed());
        assert!(address.is_signed_by(&signer, &token));
        let others = [
            PdfAddress { space: "0190a5d2-7c1e-7000-8000-000000000003".parse().unwrap(), ..address },
            PdfAddress { pdf: "0190a5d2-7c1e-7000-8000-000000000003".parse().unwrap(), ..address },
            PdfAddress { expires_at: Timestamp::from_millis(1_001).unwrap(), ..address },
        ];
        for other in others {
            assert!(!other.is_signed_by(&signer, &token), "{other:?}");
        }
    }
}
