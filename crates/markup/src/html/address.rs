//! Rules for the addresses in a document.

use crate::limits::html::MAX_DATA_URL_BYTES;
use std::borrow::Cow;

/// Allowed schemes of links: the web, mail, and applications that documentation links to. None of them executes code.
/// Must equal the list in `quire_domain`.
pub const LINK_SCHEMES: [&str; 44] = [
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

/// Returns whether a document may contain an address: it is empty, a path, or has an allowed scheme.
#[must_use]
pub fn runs_no_script(address: &str) -> bool {
    clean(address).is_empty() || of_link(address).is_some() || of_image(address).is_some()
}

/// Returns whether an address may be embedded.
pub(crate) fn is_embed(src: &str) -> bool {
    clean(src).is_empty() || of_embed(src).is_some()
}

/// Returns the normalized address of a link; `None` for a disallowed or unusable one.
#[must_use]
pub fn of_link(href: &str) -> Option<String> {
    let href = clean(href);
    let href = unwrap(&href);
    match scheme(&href) {
        Some(scheme) if !LINK_SCHEMES.contains(&scheme.as_str()) => None,
        _ => Some(href.into_owned()).filter(|href| !href.is_empty()),
    }
}

/// Returns the address of an image: a web address, a path, or a `data:` image.
pub(crate) fn of_image(src: &str) -> Option<String> {
    let src = clean(src);
    let kept = match scheme(&src).as_deref() {
        None | Some("http" | "https" | "cid") => true,
        // An SVG may contain scripts, and any data may follow the type.
        Some("data") => {
            let is_picture = [
                "image/png;",
                "image/jpeg;",
                "image/jpg;",
                "image/gif;",
                "image/webp;",
                "image/avif;",
                "image/bmp;",
            ];
            let body = src.get(5..).unwrap_or_default();
            src.len() <= MAX_DATA_URL_BYTES && is_picture.iter().any(|kind| starts_with(body, kind))
        }
        Some(_) => false,
    };
    (kept && !src.is_empty()).then(|| src.into_owned())
}

/// Returns the address of embedded content: a web address or a path.
pub(crate) fn of_embed(src: &str) -> Option<String> {
    let src = clean(src);
    let src = if src.starts_with("//") { Cow::Owned(format!("https:{src}")) } else { src };
    let kept = matches!(scheme(&src).as_deref(), None | Some("http" | "https"));
    (kept && !src.is_empty() && !starts_with(&src, "about:")).then(|| src.into_owned())
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Normalizes an address as browsers do: trims white space, and removes line feeds, tabs and control characters.
fn clean(href: &str) -> Cow<'_, str> {
    let href = href.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    if href.contains(char::is_control) {
        Cow::Owned(href.chars().filter(|c| !c.is_control()).collect())
    } else {
        Cow::Borrowed(href)
    }
}

/// Returns the scheme in lower case, if any (RFC 3986, 3.1).
pub(super) fn scheme(href: &str) -> Option<String> {
    let end = href.find([':', '/', '?', '#'])?;
    let (scheme, rest) = href.split_at_checked(end)?;
    if !rest.starts_with(':') || is_host(scheme, rest) {
        return None;
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(plain);
    // A name with a colon that is not a valid scheme is not a path either. The returned name is in no list of schemes.
    Some(if is_scheme { scheme.to_ascii_lowercase() } else { format!("?{scheme}") })
}

/// Returns whether this is a host with a port, as in `localhost:3000/x`.
fn is_host(name: &str, rest: &str) -> bool {
    let port = rest.trim_start_matches(':').split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = (1..=5).contains(&port.len()) && port.chars().all(|c| c.is_ascii_digit());
    is_port && (name.eq_ignore_ascii_case("localhost") || name.contains('.'))
}

/// Returns the target of Google's redirect, which wraps every link of a shared document.
fn unwrap<'h>(href: &'h Cow<'h, str>) -> Cow<'h, str> {
    let is_redirect = ["https://www.google.com/url?", "http://www.google.com/url?"];
    let Some(query) = is_redirect.iter().find_map(|prefix| href.strip_prefix(prefix)) else {
        return Cow::Borrowed(href);
    };
    let target =
        query.split('&').find_map(|pair| pair.strip_prefix("q=").or_else(|| pair.strip_prefix("url=")));
    target.map_or(Cow::Borrowed(href), |target| {
        let target = percent_encoding::percent_decode_str(target).decode_utf8_lossy();
        Cow::Owned(clean(&target).into_owned())
    })
}
