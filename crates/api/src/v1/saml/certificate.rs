//! Certificates of identity providers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use x509_cert::Certificate;
use x509_cert::der::{Decode as _, DecodePem as _};

use crate::prelude::*;

/// Checks that a text is one X.509 certificate (RFC 5280): PEM (RFC 7468), or the base64 of its DER form without the
/// PEM lines, as in the metadata of identity providers.
///
/// # Errors
/// 400 that names `certificate`.
pub fn check(text: &str) -> ApiResult<()> {
    let text = text.trim();
    let read = if text.starts_with("-----BEGIN") { pem(text) } else { bare(text) };
    read.map_err(|cause| {
        ApiError::invalid_field("certificate", format!("must be an X.509 certificate: {cause}"))
    })
}

fn pem(text: &str) -> Result<(), String> {
    Certificate::from_pem(text).map(drop).map_err(|error| error.to_string())
}

fn bare(text: &str) -> Result<(), String> {
    let digits: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let der = STANDARD.decode(digits).map_err(|_| "neither PEM nor base64".to_owned())?;
    Certificate::from_der(&der).map(drop).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::check;

    /// Generated with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 3650`. Its key was
    /// discarded.
    const PEM: &str = include_str!("../../../tests/api/fixtures/identity-provider.pem");

    fn bare() -> String {
        PEM.lines().filter(|line| !line.starts_with("-----")).collect()
    }

    #[test]
    fn certificates_are_read_in_both_forms() {
        assert!(check(PEM).is_ok());
        assert!(check(&PEM.replace('\n', "\r\n")).is_ok());
        assert!(check(&bare()).is_ok());
        assert!(
            check(&format!(
                "\n  {}\n",
                PEM.lines().filter(|line| !line.starts_with('-')).collect::<Vec<_>>().join("\n")
            ))
            .is_ok()
        );
    }

    #[test]
    fn what_is_no_certificate_is_refused() {
        let key = PEM.replace("CERTIFICATE", "PUBLIC KEY");
        let cut = bare().chars().take(200).collect::<String>();
        let longer = format!("{}AAAA", bare().trim_end_matches('='));
        for text in ["", "x", "AAAA", "MIIB", &key, &cut, &longer, "-----BEGIN CERTIFICATE-----"] {
            let refused = check(text).unwrap_err();
            assert!(format!("{refused:?}").contains("certificate"), "{text}");
        }
    }
}
