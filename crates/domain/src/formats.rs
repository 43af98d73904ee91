//! Formats of texts: slugs, names, icons, emojis and domains. Callers check the length first.

use validator::ValidationError;

use crate::sites::files::is_site_file;
use crate::text_checks::{error, path_segment};

/// Variation selector that asks for the colored form of a character.
pub(crate) const EMOJI_STYLE: char = '\u{fe0f}';

/// Checks an emoji: one of Unicode, as characters or as its hexadecimal code points joined with `-`.
pub(crate) fn emoji(text: &str) -> Result<(), ValidationError> {
    let is_known = |emoji: &str| emojis::get(emoji).is_some();
    if is_known(text) || characters(text).is_some_and(|emoji| is_known(&emoji)) {
        return Ok(());
    }
    Err(error("emoji", "must be a single emoji"))
}

/// Returns the characters of hexadecimal code points that are joined with `-`.
pub(crate) fn characters(code: &str) -> Option<String> {
    let is_hex = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let point = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    code.split('-').map(|digits| point(digits).filter(|_| is_hex(digits))).collect()
}

/// Checks the name of an icon: lowercase letters and digits, separated by `-`.
pub(crate) fn icon(text: &str) -> Result<(), ValidationError> {
    if is_label(text) {
        return Ok(());
    }
    Err(error("icon", "must consist of lowercase letters, digits and `-`"))
}

/// Checks a slug: lowercase letters and digits of any script, `-`, `.` or `_`. `.` and `..` are refused, because paths
/// cannot hold them.
pub(crate) fn slug(text: &str) -> Result<(), ValidationError> {
    let allowed = |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || "-._".contains(c);
    if !text.chars().all(allowed) {
        return Err(error("slug", "must consist of lowercase letters, digits and `-._`"));
    }
    path_segment(text)
}

/// Checks a segment of the path of a page on a site: a slug that is not the name of a file of sites.
pub(crate) fn site_slug(text: &str) -> Result<(), ValidationError> {
    slug(text)?;
    if is_site_file(text) {
        let message = "must not be a reserved file name, such as `robots.txt`, or end with `.md`";
        return Err(error("slug", message));
    }
    Ok(())
}

/// Checks the slug of a page, which may be empty.
pub(crate) fn page_slug(text: &str) -> Result<(), ValidationError> {
    if text.is_empty() { Ok(()) } else { site_slug(text) }
}

/// Checks the name of a custom field.
pub(crate) fn custom_field_name(text: &str) -> Result<(), ValidationError> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    if text.chars().all(allowed) {
        return Ok(());
    }
    Err(error("name", "must consist of lowercase letters, digits, `-` and `_`"))
}

/// Checks the name of an integration or of a part of one: letters, digits and `-_.`, not `.` or `..`.
pub(crate) fn integration_name(text: &str) -> Result<(), ValidationError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !text.chars().all(allowed) {
        return Err(error("name", "must consist of letters, digits and `-_.`"));
    }
    path_segment(text)
}

/// Checks the full name of a branch or tag, by the rules of `git check-ref-format`.
pub(crate) fn git_ref(name: &str) -> Result<(), ValidationError> {
    let is_segment = |segment: &str| {
        !segment.is_empty()
            && !segment.starts_with('.')
            && !segment.ends_with('.')
            && !segment.ends_with(".lock")
    };
    let is_forbidden = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let is_valid = name.strip_prefix("refs/").is_some_and(|rest| rest.contains('/'))
        && name.split('/').all(is_segment)
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(is_forbidden);
    match is_valid {
        true => Ok(()),
        false => Err(error("ref", "must be the full name of a branch or tag, such as `refs/heads/main`")),
    }
}

/// Checks a label below the service's domain: lowercase letters, digits and inner `-`.
pub(crate) fn subdomain(text: &str) -> Result<(), ValidationError> {
    if is_label(text) {
        return Ok(());
    }
    Err(error("subdomain", "must consist of lowercase letters and digits, with `-` only between them"))
}

/// Returns whether a text is a label of a domain name: lowercase letters, digits and inner `-`.
fn is_label(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !text.is_empty() && text.bytes().all(allowed) && !text.starts_with('-') && !text.ends_with('-')
}

/// Returns whether a text is a label within the bounds of host names (RFC 1035, 2.3.4).
pub(crate) fn is_host_label(text: &str) -> bool {
    text.len() <= 63 && is_label(text)
}

/// Checks a host name: at least three labels of lowercase letters, digits and `-`, the pattern of the API reference.
pub(crate) fn site_hostname(text: &str) -> Result<(), ValidationError> {
    let labels: Vec<&str> = text.split('.').collect();
    let long_enough = labels.last().is_some_and(|last| last.len() >= 2);
    if labels.len() >= 3 && long_enough && labels.into_iter().all(is_host_label) {
        return Ok(());
    }
    Err(error("hostname", "must be a host name of at least three labels, such as `docs.example.com`"))
}

/// Checks the address of a proxy: a host and at least one path segment, the pattern of the API reference.
pub(crate) fn proxy_origin(text: &str) -> Result<(), ValidationError> {
    let mut segments = text.split('/');
    let host = segments.next().unwrap_or_default();
    let mut path = segments.peekable();
    let word = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    let top = host.rsplit_once('.').is_some_and(|(rest, top)| {
        rest.split('.').all(word) && top.len() >= 2 && top.chars().all(|c| c.is_ascii_alphabetic())
    });
    if top && path.peek().is_some() && path.all(word) {
        return Ok(());
    }
    Err(error("proxy", "must be a host with a path, such as `example.com/docs`"))
}

/// Checks the source of a redirect: a path of escaped segments, possibly with `*` at its end.
pub(crate) fn redirect_source(text: &str) -> Result<(), ValidationError> {
    let is_segment = |segment: &str| {
        let mut parts = segment.split('%');
        let is_plain = |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric() || "-._~+".contains(c));
        let is_escape = |part: &str| {
            let digits = part.get(..2).is_some_and(|digits| digits.chars().all(|c| c.is_ascii_hexdigit()));
            digits && part.get(2..).is_some_and(is_plain)
        };
        !segment.is_empty() && parts.next().is_some_and(is_plain) && parts.all(is_escape)
    };
    let path = text.strip_suffix("/*").or_else(|| text.strip_suffix('*')).unwrap_or(text);
    if path.strip_prefix('/').is_some_and(|path| path.split('/').all(is_segment)) {
        return Ok(());
    }
    Err(error("source", "must be a path such as `/guide/old`, with `*` at most at its end"))
}

/// Checks the name of an account: it must not contain `@` or white space.
pub(crate) fn social_handle(text: &str) -> Result<(), ValidationError> {
    let is_wrong = text.contains(char::is_whitespace)
        || text
            .split_once('@')
            .is_some_and(|(name, server)| name.is_empty() || server.is_empty() || server.contains('@'));
    if is_wrong {
        return Err(error("handle", "must not contain whitespace, or `@` except in the form `name@server`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::git_ref;
    use crate::texts::{
        Email, EmailDomain, Emoji, Icon, PageSlug, ProxyOrigin, SiteHostname, SitePath, SubdomainLabel,
    };

    #[test]
    fn sources_of_redirects_are_paths() {
        use crate::texts::RedirectSource;
        for source in ["/a", "/a/b.c", "/gr%C3%B6%C3%9Fe", "/a*", "/a/*", "/v1+2/x~y"] {
            assert!(RedirectSource::check(&RedirectSource::unchecked(source.to_owned())).is_ok(), "{source}");
        }
        for source in ["/", "a", "//a", "/a/", "/a//b", "/*", "/a*b", "/a%2", "/a b", "/a?x", "/ö"] {
            assert!(
                RedirectSource::check(&RedirectSource::unchecked(source.to_owned())).is_err(),
                "{source}"
            );
        }
    }

    #[test]
    fn emojis_are_sequences_or_their_codes() {
        for good in
            ["🚀", "👩‍👩‍👧‍👦", "1f680", "1F680", "❤️", "❤", "2764-fe0f", "🇩🇪", "1f1e9-1f1ea", "1️⃣", "👍🏽", "☀️"]
        {
            assert!(Emoji::new(good).is_ok(), "{good}");
        }
        let script = "<script>alert(1)</script>";
        for bad in [
            "",
            "a b",
            "\n",
            "x\0",
            &"🚀".repeat(51),
            "hello",
            script,
            "🚀🚀",
            "deed",
            "41",
            "a",
            "1f680-",
            "d800",
        ] {
            assert!(Emoji::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn icons_are_names() {
        for good in ["star", "circle-info", "42-group"] {
            assert!(Icon::new(good).is_ok(), "{good}");
        }
        for bad in ["", "Star", "a b", "<b>", "-star", "fa_star", &"a".repeat(1_000)] {
            assert!(Icon::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn slugs_are_one_segment_of_a_path() {
        for good in ["a", "getting-started", "v1.2_x", "データ", "überblick", "0"] {
            assert!(SitePath::new(good).is_ok(), "{good}");
        }
        for bad in ["", ".", "..", "a/b", "A", "a b", "Über", "a?b", "a#b", "a%20b", "a\0", &"a".repeat(101)]
        {
            assert!(SitePath::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn slugs_of_pages_are_no_names_of_files() {
        let files = [
            "robots.txt",
            "llms.txt",
            "llms-full.txt",
            "rss.xml",
            "sitemap.xml",
            "sitemap-pages-2.xml",
            "x.md",
        ];
        for file in files {
            assert!(SitePath::new(file).is_err() && PageSlug::new(file).is_err(), "{file}");
        }
        for slug in ["v1.2", "sitemap", "robots", "md", "x.mdx", "feed.xml", ""] {
            assert!(PageSlug::new(slug).is_ok(), "{slug}");
        }
    }

    #[test]
    fn valid_domains_and_addresses_are_accepted_and_mistakes_refused() {
        for good in ["acme", "a-1", "0-0"] {
            assert!(SubdomainLabel::new(good).is_ok(), "{good}");
        }
        for bad in ["ab", "-ab", "ab-", "Acme", "a.b", "a b", &"a".repeat(33)] {
            assert!(SubdomainLabel::new(bad).is_err(), "{bad}");
        }
        for good in ["example.com", "Mail.Example.co.uk", "xn--bcher-kva.example"] {
            assert!(EmailDomain::new(good).is_ok(), "{good}");
        }
        for bad in
            ["", "com", ".com", "a..b", "a.b.", "-a.b", "a b.c", "a@b.c", &format!("{}.b", "a".repeat(64))]
        {
            assert!(EmailDomain::new(bad).is_err(), "{bad}");
        }
        for good in ["ada@example.com", "a.b+c@mail.localhost", "ädä@exämple.org"] {
            assert!(Email::new(good).is_ok(), "{good}");
        }
        for bad in ["", "ada", "ada@", "@b.c", "a da@b.c", "a@b@c", "ada@.com", "ada@b.", "a@b.c\n", "a@b"] {
            assert!(Email::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn host_names_have_three_labels() {
        let check = |name: &str| SiteHostname::new(name).is_ok();
        for good in ["docs.example.com", "a.b.co", "my-docs.example.co.uk", "1.2.34"] {
            assert!(check(good), "{good}");
        }
        for bad in [
            "example.com",
            "Docs.example.com",
            "-a.example.com",
            "a..example.com",
            "a.example.c",
            "",
            "a_b.example.com",
        ] {
            assert!(!check(bad), "{bad}");
        }
        assert!(!check(&format!("{}.example.com", "a".repeat(64))));
    }

    #[test]
    fn a_proxy_is_a_host_with_a_path() {
        let check = |origin: &str| ProxyOrigin::new(origin).is_ok();
        for good in ["example.com/docs", "www.example.com/a/b-c_d", "a-b.example.io/x"] {
            assert!(check(good), "{good}");
        }
        for bad in [
            "example.com",
            "example.com/",
            "https://example.com/docs",
            "/docs",
            "example.c/docs",
            "example.com/a b",
            "example.com/a//b",
        ] {
            assert!(!check(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_slug_never_splits_or_climbs_a_path(text in any::<String>()) {
            if SitePath::new(text.as_str()).is_ok() {
                prop_assert!(!text.contains(['/', '\\', '?', '#', '%', ' ', '\0']));
                prop_assert!(text != "." && text != "..");
            }
        }
    }

    #[test]
    fn names_of_refs_follow_the_rules_of_git() {
        for name in ["refs/heads/main", "refs/heads/feature/a-b_c.d", "refs/tags/v1", "refs/pull/1/head"] {
            assert!(git_ref(name).is_ok(), "{name}");
        }
        for name in [
            "",
            "main",
            "heads/main",
            "refs/main",
            "refs/heads/",
            "refs/heads/.a",
            "refs/heads/a..b",
            "refs/heads/a b",
            "refs/heads/a.lock",
            "refs//a",
            "refs/heads/a\n",
            "refs/heads/@{1}",
            "refs/heads/a:b",
        ] {
            assert!(git_ref(name).is_err(), "{name:?}");
        }
    }
}
