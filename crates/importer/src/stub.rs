//! Pages that only redirect to another page, as written by redirect plugins of static sites.

/// Maximum bytes of a stub. A longer page has content.
pub(crate) const MAX_BYTES: usize = 4 * 1024;

/// Reason why a stub is not a page.
pub(crate) const REASON: &str = "it only redirects to another page; links to it now lead there";

/// Returns the target of an immediate redirect: `<meta http-equiv="refresh" content="0; url=…">`.
pub(crate) fn target(html: &str) -> Option<&str> {
    if html.len() > MAX_BYTES {
        return None;
    }
    let tags = html.split('<').filter_map(|behind| behind.split('>').next());
    let is_refresh = |tag: &&str| {
        let begins = tag.get(..5).is_some_and(|name| name.eq_ignore_ascii_case("meta "));
        begins && tag.to_ascii_lowercase().contains("refresh")
    };
    let tag = tags.into_iter().find(is_refresh)?;
    let at = tag.to_ascii_lowercase().find("content=")? + "content=".len();
    let value = tag.get(at..)?;
    let quote = value.chars().next()?;
    let content = match quote {
        '"' | '\'' => value.get(1..)?.split(quote).next()?,
        _ => value.split_whitespace().next()?,
    };
    let (seconds, address) = content.split_once([';', ','])?;
    let is_soon = seconds.trim().parse().is_ok_and(|seconds: f64| seconds <= 5.0);
    let address = address.trim();
    let begins = address.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("url="));
    let address = if begins { address.get(4..)? } else { address };
    let address = address.trim().trim_matches(['"', '\'']);
    (is_soon && !address.is_empty()).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn stubs_name_their_target() {
        for (html, expected) in [
            ("<html><meta http-equiv=\"refresh\" content=\"0; url=/new/\"></html>", Some("/new/")),
            ("<META HTTP-EQUIV='Refresh' CONTENT='0;URL=\"b.html\"'>", Some("b.html")),
            ("<meta content=\"0; url=c.html\" http-equiv=refresh>", Some("c.html")),
            ("<meta http-equiv=\"refresh\" content=\"300; url=/a\">", None),
            ("<meta http-equiv=\"refresh\" content=\"300\">", None),
            ("<p>refresh</p>", None),
        ] {
            assert_eq!(target(html), expected, "{html}");
        }
        let long = format!("<meta http-equiv=\"refresh\" content=\"0; url=/a\">{}", "x".repeat(5_000));
        assert_eq!(target(&long), None);
    }
}
