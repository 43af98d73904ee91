//! Ids after the words of a heading: `## Words {#id}` of pandoc, Hugo and Docusaurus, `{: #id .class}` of Kramdown.

use crate::document::is_heading_id;

/// Splits a heading into its words and its id in lower case; `None` for a heading without an id, or without words.
pub(super) fn split(text: &str) -> Option<(&str, String)> {
    let (words, attributes) = text.trim_end().strip_suffix('}')?.rsplit_once('{')?;
    let attributes = attributes.strip_prefix(':').unwrap_or(attributes);
    let mut id = None;
    for attribute in attributes.split_whitespace() {
        match attribute.strip_prefix('#') {
            Some(name) => id = id.or(Some(name.to_lowercase())),
            None if attribute.starts_with('.') || attribute.contains('=') => {}
            None => return None,
        }
    }
    Some((words.trim_end(), id.filter(|id| is_heading_id(id))?))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn ids_are_distinguished_from_words() {
        for (text, expected) in [
            ("Words {#an-id}", Some(("Words", "an-id"))),
            ("Words{#Id}", Some(("Words", "id"))),
            ("A {b} {: .c #d }", Some(("A {b}", "d"))),
            ("Words {#id .unnumbered key=value} ", Some(("Words", "id"))),
            ("{#id}", Some(("", "id"))),
            ("Words {id}", None),
            ("Words {#a b}", None),
            ("Words {#a/b}", None),
            ("Words {}", None),
            ("Words #id}", None),
            ("Words {#id} more", None),
        ] {
            assert_eq!(split(text), expected.map(|(words, id)| (words, id.to_owned())), "{text}");
        }
    }
}
