//! Addresses that a page may contain.

/// Schemes of links.
const LINKS: [&str; 4] = ["http", "https", "mailto", "tel"];
/// Schemes of pictures and files that the page loads.
const IMAGES: [&str; 2] = ["http", "https"];

/// Returns the address of a link if it is relative or has the scheme `http`, `https`, `mailto` or `tel`.
///
/// ```
/// use quire_render::link_address;
/// assert_eq!(link_address(" https://a.example/x ").as_deref(), Some("https://a.example/x"));
/// assert_eq!(link_address("java\nscript:alert(1)"), None);
/// assert_eq!(link_address("localhost:3000/x").as_deref(), Some("http://localhost:3000/x"));
/// ```
#[must_use]
pub fn link_address(href: &str) -> Option<String> {
    within(href, &LINKS)
}

/// Returns the address of a picture if it is relative or has the scheme `http` or `https`.
#[must_use]
pub fn image_address(src: &str) -> Option<String> {
    within(src, &IMAGES)
}

/// Returns the address of a picture outside of the content: absolute, or with a scheme. A relative path is refused: the
/// importer keeps it if it does not find the picture, and on a page of a site it would resolve to another address.
pub(crate) fn outside_image_address(src: &str) -> Option<String> {
    image_address(src).filter(|address| address.starts_with('/') || scheme(address).is_some())
}

/// Returns whether an address is relative to the folder of a file. The importer keeps such an address if it does not
/// find its target; on a page of a site it would resolve to another address.
pub(crate) fn is_relative_path(address: &str) -> bool {
    !address.starts_with(['/', '#', '?', '\\']) && scheme(address).is_none()
}

fn within(address: &str, schemes: &[&str]) -> Option<String> {
    // Refuses addresses that execute code, and removes the characters that browsers ignore.
    let address = quire_markup::link_address(address)?;
    match scheme(&address) {
        None => Some(address),
        Some(scheme) if schemes.iter().any(|known| scheme.eq_ignore_ascii_case(known)) => Some(address),
        // A host before a port, which browsers would read as a scheme.
        Some(host) if host.contains('.') || host.eq_ignore_ascii_case("localhost") => {
            let rest = address.get(host.len() + 1..)?;
            rest.starts_with(|c: char| c.is_ascii_digit()).then(|| format!("http://{address}"))
        }
        Some(_) => None,
    }
}

/// Returns the part before the first colon, unless the colon belongs to a path.
fn scheme(address: &str) -> Option<&str> {
    let end = address.find([':', '/', '?', '#', '\\'])?;
    address.get(end..)?.starts_with(':').then(|| address.get(..end)).flatten()
}

/// Returns the host of a web address, in lower case.
pub(crate) fn host(address: &str) -> Option<String> {
    let url = url::Url::parse(address).ok()?;
    url.host_str().map(|host| host.trim_start_matches("www.").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_open_pages_and_run_nothing() {
        for (address, kept) in [
            ("https://a.example/?q=1#x", true),
            ("HTTP://a.example", true),
            ("//a.example/x", true),
            ("/x:y", true),
            ("a/b.md#c", true),
            ("#a:b", true),
            ("?q=a:b", true),
            ("mailto:a@b.example", true),
            ("tel:+1", true),
            ("javascript:alert(1)", false),
            ("JaVaScRiPt:alert(1)", false),
            ("\u{1}javascript:alert(1)", false),
            ("java\tscript:alert(1)", false),
            ("data:text/html,x", false),
            ("data:image/png;base64,AA", false),
            ("vbscript:x", false),
            ("ftp://a.example", false),
            ("blob:x", false),
            ("view-source:x", false),
            ("x y:z", false),
            ("", false),
        ] {
            assert_eq!(link_address(address).is_some(), kept, "{address:?}");
        }
        assert_eq!(image_address("mailto:a@b.example"), None);
        for (address, kept) in
            [("https://a.example/x.png", true), ("//a.example/x.png", true), ("/x.png", true)]
                .into_iter()
                .chain([("x.png", false), ("../.gitbook/assets/x.png", false), ("?x", false), ("#x", false)])
        {
            assert_eq!(outside_image_address(address).is_some(), kept, "{address:?}");
        }
        for (address, relative) in
            [("a/b.md#c", true), ("../x", true), ("./", true), ("/x", false), ("#x", false), ("?q=a", false)]
        {
            assert_eq!(is_relative_path(address), relative, "{address:?}");
        }
        assert!(!is_relative_path("mailto:a@b.example") && !is_relative_path("//a.example"));
        assert_eq!(link_address("a.example:8080/x").as_deref(), Some("http://a.example:8080/x"));
    }
}
