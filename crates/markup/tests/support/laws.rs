//! Invariants of Markdown, as checks that return error messages.

use comrak::arena_tree::NodeEdge;
use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};
use quire_markup::{
    Document, FrontMatter, PageSource, StableRefs, parse, parse_page, plain_text, print, print_page,
};
use std::collections::HashMap;

/// Checks every invariant on a text that is not a page with front matter. Lost words are detected by their letters,
/// because markup may split words. Texts with tags, HTML, references, formulas and ids of headings are skipped, since
/// comrak alone reads them differently.
#[allow(dead_code)]
pub fn check(text: &str) -> Result<(), String> {
    let document = parse(text, &StableRefs);
    check_document(&document)?;
    if ["{%", "<", "&", "$$", "{#", "{:"].iter().any(|special| text.contains(special)) {
        return Ok(());
    }
    let letters = |text: &str| count(text.chars().filter(|c| c.is_alphanumeric()).map(String::from));
    let missing = missing(letters(&visible(text)), letters(&plain_text(&document)));
    if missing.is_empty() { Ok(()) } else { Err(format!("letters are lost: {missing:?}")) }
}

/// Checks every invariant on a page.
#[allow(dead_code)]
pub fn check_page(text: &str) -> Result<(), String> {
    // The heading has marks, the title does not.
    let read = parse_page(text, &StableRefs);
    let is_plain = read.front_matter == FrontMatter::default() && read.unreadable.is_none();
    let page = PageSource { heading: None, unreadable: None, ..read };
    check_document(&page.document)?;
    let title = page.title.clone().unwrap_or_default();
    let printed = print_page(&page.front_matter, &title, &page.document, &StableRefs);
    let again = PageSource { heading: None, ..parse_page(&printed, &StableRefs) };
    if again != page {
        return Err(format!("the page reads back differently:\n{printed}"));
    }
    if is_plain {
        let lost = missing(words(&visible(text)), words(&format!("{title}\n{}", plain_text(&page.document))));
        if !lost.is_empty() {
            return Err(format!("words are lost: {lost:?}"));
        }
    }
    Ok(())
}

fn check_document(document: &Document) -> Result<(), String> {
    let printed = print(document, &StableRefs);
    let again = parse(&printed, &StableRefs);
    if again != *document {
        let (before, after) = (pretty(document), pretty(&again));
        let at = before.iter().zip(&after).position(|(a, b)| a != b).unwrap_or(before.len().min(after.len()));
        let from = at.saturating_sub(12);
        let show =
            |lines: &[String]| lines.iter().skip(from).take(30).cloned().collect::<Vec<_>>().join("\n");
        return Err(format!(
            "reads back differently\n--- printed\n{}\n--- before\n{}\n--- after\n{}",
            printed.chars().take(3000).collect::<String>(),
            show(&before),
            show(&after)
        ));
    }
    let twice = print(&again, &StableRefs);
    if twice != printed {
        return Err("prints differently the second time".to_owned());
    }
    match Document::from_json(&document.to_json()) {
        Ok(same) if same == *document => Ok(()),
        Ok(_) => Err("JSON reads back differently".to_owned()),
        Err(errors) => Err(format!("its JSON is refused: {errors:?}")),
    }
}

fn pretty(document: &Document) -> Vec<String> {
    let json = serde_json::to_string_pretty(&document.to_json()).unwrap_or_default();
    json.lines().map(str::to_owned).collect()
}

/// Returns the words that are missing or occur less often than wanted.
fn missing(wanted: HashMap<String, usize>, mut have: HashMap<String, usize>) -> Vec<String> {
    let lost = wanted.into_iter().filter(|(word, times)| have.remove(word).unwrap_or(0) < *times);
    lost.map(|(word, _)| word).collect()
}

fn count(words: impl Iterator<Item = String>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in words {
        *counts.entry(word).or_insert(0) += 1;
    }
    counts
}

#[allow(dead_code)]
fn words(text: &str) -> HashMap<String, usize> {
    count(text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned))
}

/// Returns the visible text as comrak alone reads it, without block tags.
fn visible(text: &str) -> String {
    let without_tag = |line: &str| match line.find("{%") {
        Some(at)
            if line.contains("%}")
                && line[at + 2..].trim_start().starts_with(|c: char| c.is_ascii_lowercase())
                && line[..at]
                    .chars()
                    .all(|c| c.is_whitespace() || c.is_ascii_digit() || ">*+-.)".contains(c)) =>
        {
            format!("{}<!-- -->\n", &line[..at])
        }
        _ => line.to_owned(),
    };
    let text: String = text.split_inclusive('\n').map(without_tag).collect();
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.alerts = true;
    options.extension.footnotes = true;
    options.extension.shortcodes = true;
    options.parse.leave_footnote_definitions = true;
    let arena = Arena::new();
    let root = parse_document(&arena, &text, &options);
    let mut out = String::new();
    for edge in root.traverse() {
        let (node, starts) = match edge {
            NodeEdge::Start(node) => (node, true),
            NodeEdge::End(node) => (node, false),
        };
        if !starts && !matches!(node.data().value, NodeValue::Image(_)) {
            continue;
        }
        match &node.data().value {
            NodeValue::Text(text) => out.push_str(text),
            NodeValue::Code(code) => out.push_str(&code.literal),
            NodeValue::CodeBlock(code) => out.push_str(&format!(" {} ", code.literal)),
            NodeValue::HtmlBlock(html) => out.push_str(&format!(" {} ", without_tags(&html.literal))),
            NodeValue::HtmlInline(html) if html.starts_with("<br") => out.push(' '),
            NodeValue::SoftBreak | NodeValue::LineBreak => out.push(' '),
            // A note ends a word, also in scripts without spaces.
            NodeValue::Image(_) | NodeValue::FootnoteReference(_) => out.push(' '),
            value if value.block() => out.push(' '),
            _ => {}
        }
    }
    out
}

fn without_tags(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some((text, after)) = rest.split_once('<') {
        out.push_str(text);
        out.push(' ');
        let end = if after.starts_with("!--") { "-->" } else { ">" };
        rest = after.split_once(end).map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let is_reference =
        |word: &str| word.len() < 8 && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '#');
    let parts = out.split('&').map(|part| match part.split_once(';') {
        Some((name, rest)) if is_reference(name) => rest,
        _ => part,
    });
    parts.collect::<Vec<_>>().join(" ")
}
