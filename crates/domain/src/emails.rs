//! Syntax of e-mail addresses, and the canonical form in which they are stored and compared.
//!
//! An address is in lower case and in Unicode's composed form (NFC). Its domain has at least two labels and is in ASCII
//! (IDNA). Look-alike characters are refused: compatibility forms such as full-width letters, and characters without
//! width.

use validator::ValidationError;

use crate::text_checks::error;

/// Checks the syntax of an address, not whether it is deliverable. The caller checks the length.
pub(crate) fn address(text: &str) -> Result<(), ValidationError> {
    canonical(text)
        .map(drop)
        .ok_or_else(|| error("email", "must be an e-mail address such as ada@example.com"))
}

/// Checks the domain of an address: at least two labels. The caller checks the length.
pub(crate) fn domain(text: &str) -> Result<(), ValidationError> {
    canonical_domain(text).map(drop).ok_or_else(|| error("domain", "must be a domain such as example.com"))
}

/// Returns the canonical form of an address; `None` if it is malformed.
pub(crate) fn canonical(address: &str) -> Option<String> {
    let (local, domain) = address.split_once('@')?;
    let local = composed(local)?;
    let is_sign = |c: char| "!#$%&'*+/=?^_`{|}~-.".contains(c);
    let is_allowed =
        |c: char| if c.is_ascii() { c.is_ascii_alphanumeric() || is_sign(c) } else { is_letter(c) };
    let is_valid = !local.is_empty() && local.chars().all(is_allowed);
    if is_valid { Some(format!("{local}@{}", canonical_domain(domain)?)) } else { None }
}

/// Returns the canonical form of the domain of an address; `None` if it is malformed.
pub(crate) fn canonical_domain(domain: &str) -> Option<String> {
    let domain = composed(domain)?;
    let is_allowed =
        |c: char| c.is_ascii_alphanumeric() || "-.".contains(c) || (!c.is_ascii() && is_letter(c));
    if !domain.chars().all(is_allowed) {
        return None;
    }
    // Refuses IP addresses and labels that are not valid in IDNA.
    let Ok(url::Host::Domain(domain)) = url::Host::parse(&domain) else { return None };
    let is_valid = domain.contains('.') && domain.split('.').all(crate::formats::is_host_label);
    is_valid.then_some(domain)
}

/// Returns a text in lower case and NFC; `None` if it has compatibility forms.
fn composed(text: &str) -> Option<String> {
    use unicode_normalization::UnicodeNormalization as _;

    let composed: String = text.nfc().collect();
    let composed: String = composed.to_lowercase().nfc().collect();
    unicode_normalization::is_nfkc(&composed).then_some(composed)
}

/// Returns whether a character is a letter, a digit or a combining mark. Joiners and variation selectors have no width.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || unicode_normalization::char::canonical_combining_class(c) != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{canonical, canonical_domain};

    #[test]
    fn forms_of_an_address_are_one() {
        for (address, expected) in [
            ("Ada@Example.COM", "ada@example.com"),
            ("ada@example.com", "ada@example.com"),
            // The Kelvin sign is K in NFC.
            ("\u{212A}ate@example.com", "kate@example.com"),
            ("A\u{308}da@example.com", "äda@example.com"),
            ("ÄDA@EXÄMPLE.org", "äda@xn--exmple-cua.org"),
            ("äda@xn--exmple-cua.org", "äda@xn--exmple-cua.org"),
            ("क्षमा@example.com", "क्षमा@example.com"),
            ("o'neil+news_1@mail.example.co.uk", "o'neil+news_1@mail.example.co.uk"),
        ] {
            assert_eq!(canonical(address).as_deref(), Some(expected), "{address}");
        }
    }

    #[test]
    fn what_looks_like_another_address_is_refused() {
        for address in [
            "ada\u{200B}@example.com",
            "ada@exam\u{200B}ple.com",
            "ada@exam\u{AD}ple.com",
            "a\u{200D}da@example.com",
            "a\u{FE0F}da@example.com",
            "a\u{2060}da@example.com",
            "ａｄａ@example.com",
            "ada@ｅｘａｍｐｌｅ.com",
            "ada@example。com",
            "ada＠example.com",
            "ﬁ@example.com",
            "a@b",
            "ada@localhost",
            "ada@1.2.3.4",
            "ada@[::1]",
            "ada@example.com.",
            "ada@exa%6dple.com",
            "ada@xn--a.com",
            "ada@a@example.com",
            "a da@example.com",
            "\"a b\"@example.com",
            "ada@-a.com",
        ] {
            assert_eq!(canonical(address), None, "{address}");
        }
        for domain in ["com", "a..b", ".com", "a_b.com", "b\u{200C}.example"] {
            assert_eq!(canonical_domain(domain), None, "{domain}");
        }
    }

    proptest! {
        #[test]
        fn a_canonical_address_stays_as_it_is(address in "\\PC{1,8}@[a-zA-ZäßÖ]{1,6}\\.[a-z]{2,3}") {
            if let Some(canonical) = canonical(&address) {
                prop_assert_eq!(super::canonical(&canonical), Some(canonical));
            }
        }
    }
}
