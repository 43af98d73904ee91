//! `robots.txt`, the rules of a site for crawlers (RFC 9309).

/// Our user agent in `robots.txt`.
const AGENT: &str = "quire";

/// Maximum number of lines to read; the RFC requires half a megabyte.
const MAX_LINES: usize = 10_000;

/// Rules of a site that apply to this crawler.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Robots {
    /// Path patterns, each with whether it allows.
    rules: Vec<(String, bool)>,
    /// Addresses of the site's sitemaps.
    pub(super) sitemaps: Vec<String>,
}

impl Robots {
    /// Parses a file: the groups for `quire`, otherwise the groups for all crawlers.
    pub(super) fn parse(text: &str) -> Self {
        let mut sitemaps = Vec::new();
        let (mut own, mut general) = (None::<Vec<_>>, Vec::new());
        let (mut ours, mut everybodys, mut in_rules) = (false, false, false);
        for line in text.lines().take(MAX_LINES) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((field, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match field.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if std::mem::take(&mut in_rules) {
                        (ours, everybodys) = (false, false);
                    }
                    ours |= value.eq_ignore_ascii_case(AGENT);
                    everybodys |= value == "*";
                    if ours {
                        own.get_or_insert_default();
                    }
                }
                field @ ("allow" | "disallow") => {
                    in_rules = true;
                    let rule = (value.to_owned(), field == "allow");
                    // An empty pattern matches nothing.
                    if !value.is_empty() && ours {
                        own.get_or_insert_default().push(rule.clone());
                    }
                    if !value.is_empty() && everybodys {
                        general.push(rule);
                    }
                }
                "sitemap" => sitemaps.push(value.to_owned()),
                _ => {}
            }
        }
        Self { rules: own.unwrap_or(general), sitemaps }
    }

    /// Returns rules that allow nothing, for a site whose rules cannot be fetched.
    pub(super) fn closed() -> Self {
        Self { rules: vec![("/".to_owned(), false)], sitemaps: Vec::new() }
    }

    /// Returns whether `path`, with its query, may be fetched. The longest matching pattern decides; among equally long
    /// ones, the allowing one.
    pub(super) fn allows(&self, path: &str) -> bool {
        let matching = self.rules.iter().filter(|(pattern, _)| matches(pattern, path));
        matching.max_by_key(|(pattern, allows)| (pattern.len(), *allows)).is_none_or(|(_, allows)| *allows)
    }
}

/// Returns whether a pattern matches the start of `path`. `*` matches any text, a final `$` the end.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, to_end) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut pieces = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let mut last = "";
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
        last = piece;
    }
    // The last piece may match at the end even if it also matched earlier.
    !to_end || rest.is_empty() || (pattern.contains('*') && rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_decides_and_our_own_group_is_before_the_general_one() {
        let robots = Robots::parse(
            "# hello\nSitemap: https://a.example/map.xml\nUser-agent: *\nDisallow: /private/\nAllow: /private/open/\nDisallow: /*.pdf$\n\n\
             User-agent: other\nDisallow: /\n",
        );
        for (path, allowed) in [
            ("/", true),
            ("/private/a", false),
            ("/private/open/a", true),
            ("/x/y.pdf", false),
            ("/x/y.pdf?z", true),
            ("/x.pdf/y.pdf", false),
        ] {
            assert_eq!(robots.allows(path), allowed, "{path}");
        }
        assert_eq!(robots.sitemaps, ["https://a.example/map.xml"]);

        let own =
            Robots::parse("User-agent: *\nDisallow: /\n\nUser-agent: Quire\nUser-agent: z\nDisallow: /a\n");
        assert!(own.allows("/b") && !own.allows("/a/b"));
        let nothing_said = Robots::parse("User-agent: *\nDisallow: /\nUser-agent: quire\nDisallow:\n");
        assert!(nothing_said.allows("/b"));
        assert!(!Robots::closed().allows("/") && Robots::default().allows("/"));
    }
}
