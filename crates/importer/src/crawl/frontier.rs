//! Queue of addresses to crawl.

use std::collections::BTreeSet;
use std::sync::Arc;

use url::Url;

use super::robots::Robots;
use super::scope::Scope;

/// The known addresses, and the rules for new ones.
#[derive(Debug, Clone)]
pub(super) struct Frontier {
    pub(super) scope: Arc<Scope>,
    pub(super) robots: Arc<Robots>,
    /// Addresses that were or will be fetched, or that the site disallows. Each is checked once.
    pub(super) seen: BTreeSet<String>,
    /// Maximum number of known addresses. Far more addresses than pages indicate a crawler trap, or a site that is too
    /// large.
    pub(super) most: usize,
}

impl Frontier {
    /// Returns the new addresses linked from `base` that are to be fetched. CPU-intensive for many links and many
    /// rules.
    pub(super) fn follow(&mut self, base: &Url, hrefs: &[String]) -> Vec<Url> {
        let mut found = Vec::new();
        for href in hrefs {
            if self.seen.len() >= self.most {
                break;
            }
            let Some(url) = self.scope.page(base, href) else { continue };
            if self.seen.insert(url.to_string()) && self.robots.allows(url.path()) {
                found.push(url);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_is_judged_once_and_no_more_than_the_bound() {
        let start = Url::parse("https://a.example/docs/").unwrap();
        let robots = Robots::parse("User-agent: *\nDisallow: /docs/private\n");
        let (scope, robots) = (Arc::new(Scope::below(&start)), Arc::new(robots));
        let mut frontier = Frontier { scope, robots, seen: BTreeSet::new(), most: 4 };
        let hrefs = ["a", "a#b", "/blog", "private", "private", "b"].map(str::to_owned);
        let found: Vec<String> = frontier.follow(&start, &hrefs).into_iter().map(String::from).collect();
        assert_eq!(found, ["https://a.example/docs/a", "https://a.example/docs/b"]);
        assert_eq!(frontier.seen.len(), 3);
        assert_eq!(frontier.follow(&start, &["a", "c", "d"].map(str::to_owned)).len(), 1);
    }
}
