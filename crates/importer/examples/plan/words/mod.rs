//! Words of the sources that are missing in the plan.

mod syntax;
mod visible;

use std::collections::BTreeSet;

use quire_importer::plan::ImportPlan;
use quire_importer::tree::SourceTree;
use quire_markup::{Block, BlockKind, FrontMatter, StableRefs, inline_text, print_page};

use self::visible::visible;
use crate::text_of;

/// Kinds of call-outs, which their style shows.
const KINDS: [&str; 7] = ["note", "notice", "tip", "hint", "important", "warning", "caution"];

/// Prints words of the sources that are missing when the page is written as Markdown, and returns their number. Syntax
/// does not count: front matter, tags, addresses, directives, expressions and the names of languages.
///
/// To validate the measure, the longest paragraph of each page is removed, and the number of pages for which more words
/// are then reported as lost is printed.
pub(crate) fn print_lost(plan: &ImportPlan, sources: &SourceTree) -> usize {
    println!("\nWords of the sources that are nowhere in the page:");
    let (mut all, mut taken, mut noticed) = (0, 0, 0);
    let loops = plan.report.iter().any(|entry| {
        let says = |mark: &str| entry.message.contains(mark);
        says("{% for") || says("{%- for") || says("{%-for") || says("{% unless")
    });
    for page in &plan.pages {
        let Some(path) =
            page.source_path.as_ref().filter(|path| path.ends_with(".md") || path.ends_with(".mdx"))
        else {
            continue;
        };
        let front_matter = FrontMatter {
            description: page.description.clone(),
            link_title: page.link_title.clone(),
            ..FrontMatter::default()
        };
        let source = words(&visible(&decoded(sources, path).replace("\r\n", "\n"), loops));
        let mut body = page.read_document().expect("the disk works");
        let lost = lost(&source, &print_page(&front_matter, &page.title, &body, &StableRefs));
        if !lost.is_empty() {
            all += lost.len();
            println!("  {path}: {}", lost.join(" "));
        }
        let length = |block: &Block| match block.kind {
            BlockKind::Paragraph => inline_text(block.child_inlines()).split_whitespace().count(),
            _ => 0,
        };
        let longest = (0..).zip(&body.nodes).map(|(at, block)| (length(block), at)).max();
        if let Some((_, at)) = longest.filter(|(length, _)| *length >= 8) {
            body.nodes.remove(at);
            taken += 1;
            let without = self::lost(&source, &print_page(&front_matter, &page.title, &body, &StableRefs));
            noticed += usize::from(without.len() > lost.len());
        }
    }
    println!("  Of {taken} paragraphs that are taken out, {noticed} are noticed");
    all
}

/// Returns the words of a source that are not in a printed page.
fn lost(source: &BTreeSet<String>, printed: &str) -> Vec<String> {
    let kept = words(printed);
    let letters: String = printed.chars().filter(|c| c.is_alphanumeric()).collect();
    let lost = source.difference(&kept).filter(|word| !letters.contains(word.as_str()));
    lost.filter(|word| !KINDS.contains(&word.to_lowercase().as_str())).cloned().collect()
}

/// Returns the text of a file in UTF-8 or UTF-16.
fn decoded(sources: &SourceTree, path: &str) -> String {
    let bytes = sources.files.get(path).and_then(|content| content.read().ok()).unwrap_or_default();
    let units = |from: fn([u8; 2]) -> u16| -> String {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes.get(..2) {
        Some([0xFF, 0xFE]) => units(u16::from_le_bytes),
        Some([0xFE, 0xFF]) => units(u16::from_be_bytes),
        _ => text_of(sources, path).trim_start_matches('\u{feff}').to_owned(),
    }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
