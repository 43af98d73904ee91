//! Markers in exports that extend CommonMark and let an import restore the same content.
//!
//! A broken link must not start to work because an archive happens to contain a file of that name. Its address is
//! written after [`BROKEN`], a path that no archive contains, so disks, repositories and imports find no file there. An
//! import restores the original address.

use percent_encoding::percent_decode_str;

use crate::html::runs_no_script;

/// Prefix of broken addresses. The original address follows, with special characters and slashes percent-encoded.
pub const BROKEN: &str = "/.gitbook/broken?";

/// Line in a table of contents that declares that the anchors in links are exact: an anchor that matches no heading is
/// broken.
pub const EXACT_ANCHORS: &str = "<!-- anchors: exact -->";

/// Returns the original address of a link written after [`BROKEN`].
#[must_use]
pub fn broken_address(written: &str) -> Option<String> {
    let address = percent_decode_str(written.strip_prefix(BROKEN)?).decode_utf8().ok()?;
    let is_one = !address.is_empty() && !is_absolute(&address) && runs_no_script(&address);
    is_one.then(|| address.into_owned())
}

/// Returns whether an address is absolute: with a scheme or a leading `//`.
#[must_use]
pub fn is_absolute(address: &str) -> bool {
    if address.starts_with("//") {
        return true;
    }
    let Some((scheme, _)) = address.split_once(':') else { return false };
    let mut characters = scheme.chars();
    // A single letter is a drive of Windows, not a scheme.
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
