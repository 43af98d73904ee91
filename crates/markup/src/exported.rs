//! The marks of an export apart from CommonMark, by which an import reads the same content.
//!
//! A link that leads nowhere must not begin to lead somewhere because an archive has a file of that name. Such an address is written behind
//! [`BROKEN`], a path that no archive has: nothing is found there on a disk, in a repository or by an import, which takes the address as it was.

use percent_encoding::percent_decode_str;

use crate::html::runs_nothing;

/// The beginning of an address that leads nowhere. The address as it was follows, its special characters and slashes percent-encoded.
pub const BROKEN: &str = "/.gitbook/broken?";

/// The line in a table of contents that says that links name the anchors of headings exactly: one that fits none is broken.
pub const EXACT_ANCHORS: &str = "<!-- anchors: exact -->";

/// The address that leads nowhere, of one written behind [`BROKEN`].
#[must_use]
pub fn broken_address(written: &str) -> Option<String> {
    let address = percent_decode_str(written.strip_prefix(BROKEN)?).decode_utf8().ok()?;
    let is_one = !address.is_empty() && !is_absolute(&address) && runs_nothing(&address);
    is_one.then(|| address.into_owned())
}

/// Returns true if an address says itself how it is reached: it has a scheme, or begins with `//`.
#[must_use]
pub fn is_absolute(address: &str) -> bool {
    if address.starts_with("//") {
        return true;
    }
    let Some((scheme, _)) = address.split_once(':') else { return false };
    let mut characters = scheme.chars();
    // A single letter is a drive, not a scheme.
    scheme.len() > 1
        && characters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && characters.all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
}

#[cfg(test)]
mod tests {
    use super::broken_address;

    #[test]
    fn only_addresses_without_a_scheme_are_read_back() {
        for (written, address) in [
            ("/.gitbook/broken?..%2Fa%20b.md%23c%3Fd", Some("../a b.md#c?d")),
            ("/.gitbook/broken?", None),
            ("/.gitbook/broken?javascript:alert%281%29", None),
            ("/.gitbook/broken?java%09script:alert%281%29", None),
            ("/.gitbook/broken?//host/x", None),
            ("a.md", None),
        ] {
            assert_eq!(broken_address(written).as_deref(), address, "{written}");
        }
    }
}
