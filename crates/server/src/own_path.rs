//! Local paths in requests, such as redirect targets.

/// Returns whether a reference is an absolute path of this origin. Browsers treat a backslash like a slash, and remove
/// control characters.
#[must_use]
pub fn is_own(reference: &str) -> bool {
    reference.starts_with('/')
        && !reference.starts_with("//")
        && reference.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn only_paths_of_this_origin_are_followed() {
        for own in ["/", "/s/1/a?b=c#d", "/~/account", "/%2F%2Fevil.example", "/a//b"] {
            assert!(is_own(own), "{own}");
        }
        for foreign in [
            "",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            " //evil.example",
            "/ü",
        ] {
            assert!(!is_own(foreign), "{foreign}");
        }
    }
}
