//! Titles and slugs.

use std::collections::{BTreeMap, BTreeSet};

use quire_domain::bounds::{PAGE_TITLE_MAX, SLUG_MAX};
use quire_domain::direction::without_direction_controls;
use quire_domain::sites::is_site_file;
use quire_markup::{parse, plain_text, slugify};

use super::resolve::NoRefs;

/// Title of a page without any other.
pub(super) const UNTITLED: &str = "Untitled";

/// Returns the visible text of a line of Markdown, such as a title in a table of contents.
pub(crate) fn plain(markdown: &str) -> String {
    let text = plain_text(&parse(without_anchor(markdown).0, &NoRefs));
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Splits off the anchor id that GitBook writes after a heading: `Guides <a href="#g" id="g"></a>`.
pub(super) fn without_anchor(heading: &str) -> (&str, Option<&str>) {
    let Some((text, anchor)) = heading.split_once("<a href=\"#") else { return (heading, None) };
    let id = anchor.split_once("id=\"").and_then(|(_, behind)| behind.split('"').next());
    (text.trim_end(), id.filter(|id| !id.is_empty()))
}

/// Returns a title from the name of a file without its extension, or of a folder: `how-to_guides` becomes `How to
/// guides`.
pub(crate) fn from_name(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut characters = words.trim().chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => name.to_owned(),
    }
}

/// Returns the title in the table of contents, otherwise `default`.
pub(super) fn label(label: Option<&str>, default: &str) -> String {
    let plain = label.map(plain).filter(|text| !title(text).is_empty());
    plain.unwrap_or_else(|| default.to_owned())
}

/// Returns a title on one line, within the limit, without characters that change the text direction.
pub(super) fn title(text: &str) -> String {
    let text = without_direction_controls(text);
    if text.trim().is_empty() {
        return String::new();
    }
    cut(&text.split_ascii_whitespace().collect::<Vec<_>>().join(" "), PAGE_TITLE_MAX)
}

/// Returns the first `max` characters of `text`.
pub(super) fn cut(text: &str, max: u64) -> String {
    text.chars().take(usize::try_from(max).unwrap_or(usize::MAX)).collect()
}

/// Returns a segment of a published URL as a slug, with only lower-case letters, digits, `-`, `_` and `.`.
pub(super) fn slug(segment: &str) -> String {
    let lower = segment.to_lowercase();
    let fits = |character: char| {
        character.is_ascii_lowercase() || character.is_ascii_digit() || "-_.".contains(character)
    };
    let begins = lower.starts_with(|first: char| first.is_ascii_alphanumeric());
    let is_kept = begins && length(&lower) <= SLUG_MAX && lower.chars().all(fits) && !is_site_file(&lower);
    if is_kept { lower } else { slugify(segment) }
}

fn length(text: &str) -> u64 {
    u64::try_from(text.chars().count()).unwrap_or(u64::MAX)
}

/// Assigned slugs of siblings.
#[derive(Default)]
pub(super) struct Slugs {
    taken: BTreeSet<String>,
    /// Last number assigned for each slug, so that many equal slugs take linear time.
    numbers: BTreeMap<String, usize>,
}

impl Slugs {
    /// Returns `wanted`, or `wanted-1`, `wanted-2`, … if a sibling has it already.
    pub(super) fn unique(&mut self, wanted: String) -> String {
        let mut slug = wanted.clone();
        while self.taken.contains(&slug) {
            let number = self.numbers.entry(wanted.clone()).or_default();
            *number += 1;
            let suffix = format!("-{number}");
            slug = cut(&wanted, SLUG_MAX.saturating_sub(length(&suffix))) + &suffix;
        }
        self.taken.insert(slug.clone());
        slug
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_keep_published_segments() {
        for (segment, expected) in [
            ("update-from-v0.12", "update-from-v0.12"),
            ("service_discovery-section", "service_discovery-section"),
            ("FAQ", "faq"),
            ("my page (1)", "my-page-1"),
            ("Über uns", "uber-uns"),
            (".hidden", "hidden"),
            ("..", "page"),
            ("robots.txt", "robots-txt"),
            ("README.md", "readme-md"),
        ] {
            assert_eq!(slug(segment), expected, "{segment}");
        }
    }

    #[test]
    fn siblings_get_numbers() {
        let mut siblings = Slugs::default();
        let slugs = ["a", "a", "a-1", "a"].map(|wanted| siblings.unique(wanted.to_owned()));
        assert_eq!(slugs, ["a", "a-1", "a-1-1", "a-2"]);
        let long = "x".repeat(usize::try_from(SLUG_MAX).unwrap());
        siblings.unique(long.clone());
        assert_eq!(length(&siblings.unique(long)), SLUG_MAX);
    }

    #[test]
    fn names_read_as_titles() {
        for (name, title) in [("how-to_guides", "How to guides"), ("über", "Über"), ("-", "-")] {
            assert_eq!(from_name(name), title);
        }
    }

    #[test]
    fn titles_lose_their_markup_and_keep_their_words() {
        assert_eq!(plain("Install \\(Red *Hat*\\) `if let`"), "Install (Red Hat) if let");
        assert_eq!(plain("Guides & more <a href=\"#guides\" id=\"guides\"></a>"), "Guides & more");
        assert_eq!(without_anchor("G <a href=\"#g\" id=\"g-1\"></a>"), ("G", Some("g-1")));
    }
}
