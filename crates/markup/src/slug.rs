//! Slugs and heading anchors.

use crate::limits::document::MAX_SLUG_CHARS;
/// Returns a slug for a title: transliterated, in lower case, words joined by `-`, at most 100 characters long. It is
/// never empty: a title without letters and digits gives `page`.
///
/// ```
/// assert_eq!(quire_markup::slugify("Größe & Gewicht"), "grosse-gewicht");
/// assert_eq!(quire_markup::slugify("!?"), "page");
/// ```
#[must_use]
pub fn slugify(title: &str) -> String {
    let mut slug = String::new();
    for c in deunicode::deunicode(title).chars().map(|c| c.to_ascii_lowercase()) {
        if slug.len() >= MAX_SLUG_CHARS {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') && c != '\'' {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "page".to_owned() } else { slug.to_owned() }
}
