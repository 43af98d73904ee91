//! Splitting of a specification's description into sections at its headings.

use comrak::nodes::{Node, NodeValue};
use comrak::{Arena, Options, parse_document};

/// Maximum bytes of a description to split, several times the longest public one. A longer one is not split.
const MAX_SPLIT_BYTES: usize = 1 << 20;

/// Description split at its headings.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Description<'t> {
    /// Markdown before the first heading.
    pub(super) lead: &'t str,
    /// Sections in order.
    pub(super) sections: Vec<Section<'t>>,
}

/// Section of a description.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section<'t> {
    /// Rank of the heading: 1 or 2.
    pub(super) rank: u8,
    /// Text of the heading.
    pub(super) title: String,
    /// Markdown below the heading.
    pub(super) text: &'t str,
}

/// Splits a description at its headings of ranks 1 and 2. Headings within quotes and lists are content.
pub(super) fn split(text: &str) -> Description<'_> {
    if text.len() > MAX_SPLIT_BYTES {
        return Description { lead: text, sections: Vec::new() };
    }
    let starts = line_starts(text);
    let at = |line: usize| starts.get(line).copied().unwrap_or(text.len());
    let part = |from: usize, to: usize| text.get(at(from)..at(to)).unwrap_or_default();
    let arena = Arena::new();
    let root = parse_document(&arena, text, &Options::default());
    let headings: Vec<(u8, String, usize, usize)> = root
        .children()
        .filter_map(|node| {
            let data = node.data();
            let NodeValue::Heading(heading) = &data.value else { return None };
            let position = data.sourcepos;
            let (first, behind) = (position.start.line.saturating_sub(1), position.end.line);
            (heading.level <= 2).then(|| (heading.level, title_of(node), first, behind))
        })
        .collect();
    let ends = headings.iter().skip(1).map(|(_, _, first, _)| *first).chain([usize::MAX]);
    let sections = headings
        .iter()
        .zip(ends)
        .map(|((rank, title, _, behind), end)| Section {
            rank: *rank,
            title: title.clone(),
            text: part(*behind, end),
        })
        .collect();
    let lead = headings.first().map_or(text, |(_, _, first, _)| part(0, *first));
    Description { lead, sections }
}

/// Returns the byte offsets at which lines start. CommonMark ends a line at a line feed, a carriage return or both.
fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let next = index.saturating_add(1);
        if *byte == b'\n' || (*byte == b'\r' && bytes.get(next) != Some(&b'\n')) {
            starts.push(next);
        }
    }
    starts
}

fn title_of<'a>(heading: Node<'a>) -> String {
    let mut title = String::new();
    for node in heading.descendants() {
        match &node.data().value {
            NodeValue::Text(text) => title.push_str(text),
            NodeValue::Code(code) => title.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => title.push(' '),
            _ => {}
        }
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections(text: &str) -> Vec<(u8, String, &str)> {
        split(text).sections.into_iter().map(|section| (section.rank, section.title, section.text)).collect()
    }

    #[test]
    fn headings_of_two_ranks_begin_sections() {
        let text = "Before.\r\n\r\n# [*Getting* `started`](https://a.example) now\n\nText.\n\n### Deeper\n\nMore.\n\nAbout\n-----\n\nLast.";
        assert_eq!(split(text).lead, "Before.\r\n\r\n");
        assert_eq!(
            sections(text),
            [
                (1, "Getting started now".to_owned(), "\nText.\n\n### Deeper\n\nMore.\n\n"),
                (2, "About".to_owned(), "\nLast."),
            ]
        );
    }

    #[test]
    fn listings_quotes_and_lists_are_content() {
        for text in ["```\n# Comment\n```\n", "> # Quoted\n", "- # Item\n", "    # Code\n", "#hashtag\n", ""]
        {
            assert_eq!(split(text), Description { lead: text, sections: Vec::new() }, "{text}");
        }
        assert_eq!(sections("# A\r# B\r"), [(1, "A".to_owned(), ""), (1, "B".to_owned(), "")]);
        assert_eq!(sections("##\n"), [(2, String::new(), "")]);
    }
}
