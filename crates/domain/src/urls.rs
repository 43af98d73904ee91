//! Checks of URLs.

use validator::ValidationError;

use crate::bounds::URL_MAX;
use crate::text_checks::{Text, check, error};

/// Checks an `http` or `https` URL: it must have a host and no credentials. The caller checks the length.
pub(crate) fn web_url(text: &str) -> Result<(), ValidationError> {
    let url = url::Url::parse(text).map_err(|cause| error("url", format!("must be a URL: {cause}")))?;
    // The parser repairs URLs as browsers do: it drops a third slash, for example.
    let has_host = text.split_once("://").is_some_and(|(_, rest)| !rest.starts_with(['/', '\\']));
    if !matches!(url.scheme(), "http" | "https") || !has_host {
        return Err(error("url", "must be a URL with http or https and a host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(error("url", "must not contain credentials"));
    }
    Ok(())
}

/// URL schemes that cannot run code. Equal to the list of the document readers, `quire_markup::html::LINK_SCHEMES`; a
/// test of the importer compares them.
///
/// `file` is missing because a desktop client would follow `file://host/share` to another machine and sign in there.
pub const SCHEMES: [&str; 44] = [
    "http",
    "https",
    "mailto",
    "tel",
    "ftp",
    "ftps",
    "sftp",
    "sms",
    "xmpp",
    "irc",
    "ircs",
    "git",
    "ssh",
    "geo",
    "webcal",
    "news",
    "callto",
    "sip",
    "sips",
    "magnet",
    "urn",
    "doi",
    "matrix",
    "slack",
    "msteams",
    "zoommtg",
    "zoomus",
    "skype",
    "discord",
    "tg",
    "whatsapp",
    "vscode",
    "vscode-insiders",
    "vscodium",
    "cursor",
    "jetbrains",
    "obsidian",
    "notion",
    "logseq",
    "zotero",
    "figma",
    "linear",
    "raycast",
    "spotify",
];

/// Checks that following a URL, path or anchor cannot run code. The scheme is matched in any case, without the white
/// space and control characters that browsers drop.
///
/// # Errors
/// A [`ValidationError`] for a scheme outside [`SCHEMES`].
pub fn address(text: &str) -> Result<(), ValidationError> {
    let plain: String = text.trim().chars().filter(|c| !c.is_control()).collect();
    let scheme = plain.find([':', '/', '?', '#']).and_then(|end| plain.split_at_checked(end));
    match scheme.filter(|(_, rest)| rest.starts_with(':')) {
        Some((name, rest)) if is_host(name, rest) => Ok(()),
        Some((scheme, _)) if !SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) => {
            Err(error("url", "must be a path, or a URL with a scheme such as `https`"))
        }
        _ => Ok(()),
    }
}

/// Returns whether the text before a colon is a host, as in `localhost:3000/x`.
fn is_host(name: &str, rest: &str) -> bool {
    let port = rest.trim_start_matches(':').split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = (1..=5).contains(&port.len()) && port.chars().all(|c| c.is_ascii_digit());
    is_port && (name.eq_ignore_ascii_case("localhost") || name.contains('.'))
}

/// Checks a link target: a URL as in [`web_url`], or `mailto:` with a recipient.
pub(crate) fn link_url(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
    let Some(text) = value.text() else { return Ok(()) };
    check::<1, URL_MAX>(text)?;
    let Some(mail) = text.strip_prefix("mailto:") else { return web_url(text) };
    if mail.is_empty() || mail.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(error("url", "must have a recipient after `mailto:`"));
    }
    Ok(())
}

/// Returns the URL of the service that signs in the visitors of a site, with the requested path in `location`; `None`
/// for a malformed URL.
pub fn sign_in_url(fallback_url: &str, path: &str) -> Option<String> {
    let mut url = url::Url::parse(fallback_url).ok()?;
    url.query_pairs_mut().append_pair("location", path);
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_that_signs_visitors_in_learns_the_path() {
        for (service, expected) in [
            ("https://id.example/in", Some("https://id.example/in?location=%2Fa%2520b")),
            (
                "https://id.example/in?from=docs#x",
                Some("https://id.example/in?from=docs&location=%2Fa%2520b#x"),
            ),
            ("nowhere", None),
        ] {
            assert_eq!(sign_in_url(service, "/a%20b").as_deref(), expected, "{service}");
        }
    }

    #[test]
    fn addresses_have_a_known_scheme_or_none() {
        for good in [
            "https://a.example/",
            "mailto:a@b.example",
            "/files/a",
            "#file:x",
            "a.md",
            "localhost:3000/x",
            "slack://x",
        ] {
            assert!(address(good).is_ok(), "{good}");
        }
        for bad in ["file:///etc/passwd", "FILE://host/share", " fi\tle:x", "javascript:x", "vbscript:x"] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn addresses_of_the_web_have_a_host_and_no_credentials() {
        for good in ["https://a.example/logo.png", "http://localhost:1"] {
            assert!(web_url(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "a.example",
            "javascript:alert(1)",
            "https://",
            "https:///x",
            "https://a b/",
            "https://[::x",
            "https://user:pw@h/",
        ] {
            assert!(web_url(bad).is_err(), "{bad}");
            assert!(link_url(bad).is_err(), "{bad}");
        }
        assert!(link_url("mailto:ada@example.com").is_ok() && link_url("https://a.example/").is_ok());
        assert!(link_url("mailto:").is_err() && link_url("mailto:a b").is_err());
    }
}
