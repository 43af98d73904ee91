//! Words of the sources that the plan does not have.

use std::collections::BTreeSet;

use quire_importer::plan::ImportPlan;
use quire_importer::tree::SourceTree;
use quire_markup::{FrontMatter, StableRefs, print_page};

use crate::text_of;

/// Characters of a tag, an address or an expression at most.
const MAX_SYNTAX: usize = 2_000;

/// Kinds of call-outs, which their style shows.
const KINDS: [&str; 5] = ["Note", "Tip", "Important", "Warning", "Caution"];

/// Prints words of the sources that are missing when the page is written as Markdown, and returns their number. Syntax
/// does not count: front matter, tags, addresses, directives, expressions and the names of languages.
pub(crate) fn print_lost(plan: &ImportPlan, sources: &SourceTree) -> usize {
    println!("\nWords of the sources that are nowhere in the page:");
    let mut all = 0;
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
        let body = page.read_document().expect("the disk works");
        let printed = print_page(&front_matter, &page.title, &body, &StableRefs);
        let kept = words(&printed);
        let letters: String = printed.chars().filter(|c| c.is_alphanumeric()).collect();
        let words_of_source = words(&visible(&text_of(sources, path).replace("\r\n", "\n")));
        let lost = words_of_source.difference(&kept).filter(|word| !letters.contains(word.as_str()));
        let lost = lost.filter(|word| !KINDS.contains(&word.as_str())).cloned();
        let lost: Vec<String> = lost.collect();
        if !lost.is_empty() {
            all += lost.len();
            println!("  {path}: {}", lost.join(" "));
        }
    }
    all
}

/// Returns the text of a page without syntax.
fn visible(source: &str) -> String {
    let front = source.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---"));
    let source = front.map_or(source, |(_, body)| body);
    let (mut out, mut prose) = (String::new(), String::new());
    let mut fences: Vec<(String, bool)> = Vec::new();
    let mut is_statement = false;
    let mut is_object = false;
    // The end of a comment, a script or a style.
    let mut hidden: Option<&str> = None;
    let (mut is_head, mut is_address) = (false, false);
    for line in source.lines() {
        if let Some(close) = hidden {
            hidden = Some(close).filter(|close| !line.contains(close));
            continue;
        }
        let text = line.trim_start_matches([' ', '>', '\t']);
        let text = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")).unwrap_or(text).trim_start();
        let marks: String = text.chars().take_while(|c| matches!(c, '`' | '~')).collect();
        let is_code = fences.last().is_some_and(|(_, is_code)| *is_code);
        let is_list_of_pages = fences.last().is_some_and(|(_, is_code)| !*is_code) && !text.contains(' ');
        if marks.len() >= 3 && !text[marks.len()..].contains('`') {
            let info = text[marks.len()..].trim();
            match fences.last() {
                Some((open, _)) if info.is_empty() && marks.starts_with(open.as_str()) => drop(fences.pop()),
                Some((_, true)) => push(&mut out, line),
                _ => fences.push((marks, !info.starts_with('{') || info.starts_with("{code"))),
            }
            is_head = info.starts_with('{');
            continue;
        }
        if is_code {
            let line = line.replace("{% raw %}", "").replace("{% endraw %}", "");
            let code = line.split("[!code").next().unwrap_or_default();
            push(&mut out, code.split("highlight-").next().unwrap_or_default());
            continue;
        }
        // A reference to a page shows the title of that page.
        let tags = [
            ("<!--", "-->"),
            ("<script", "</script>"),
            ("<style", "</style>"),
            ("{% content-ref", "endcontent-ref"),
        ];
        if let Some((_, close)) = tags.iter().find(|(open, _)| text.starts_with(open)) {
            hidden = Some(*close).filter(|close| !line.contains(close));
            continue;
        }
        // Documentation of code has options.
        is_object = is_object && line.starts_with(' ') || text.starts_with("::: ") && text.contains('.');
        if is_object || text.starts_with(".. ") && text.contains("::") {
            continue;
        }
        is_statement = (is_statement && !line.is_empty() && !line.ends_with(';'))
            || ["import ", "export ", "--8<--", "<<< ", "{* ", "% "]
                .iter()
                .any(|mark| text.starts_with(mark));
        let is_definition = text.starts_with('[') && !text.starts_with("[^") && text.contains("]:");
        let in_directive = is_head || !fences.is_empty();
        let is_option =
            in_directive && text.starts_with(':') && text[1..].contains(':') && !text.starts_with("::");
        is_head = is_option || text.trim_start_matches(':').starts_with('{') && text.starts_with(":::");
        // The address of a definition may be in the next line.
        let is_target = is_address || text.starts_with('(') && text.ends_with(")=");
        is_address = is_definition && text.ends_with("]:");
        if !is_statement && !is_definition && !is_target && !is_option && !is_list_of_pages {
            push(&mut prose, content(text));
        }
    }
    for (open, close) in [
        ("<!--", "-->"),
        ("{{<", ">}}"),
        ("{{%", "%}}"),
        ("{{", "}}"),
        ("{%", "%}"),
        ("<", ">"),
        ("](", ")"),
        ("][", "]"),
        ("[!", "]"),
        ("[^", "]"),
        ("{", "}"),
        ("&", ";"),
    ] {
        prose = without(&prose, open, close, if open == "&" { 10 } else { MAX_SYNTAX });
    }
    // Icons and emoji have names.
    let is_name = |word: &&str| word.len() > 2 && word.starts_with(':') && word.ends_with(':');
    let prose: Vec<&str> = prose.split_whitespace().filter(|word| !is_name(word)).collect();
    out + &prose.join(" ")
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Returns a line without the name of its directive.
fn content(line: &str) -> &str {
    let kinds = ["!!! ", "??? ", "???+ ", "::: ", "/// "];
    let kind = kinds.iter().find_map(|mark| line.strip_prefix(mark)).or_else(|| {
        line.strip_prefix(":::").map(|rest| rest.trim_start_matches(':')).filter(|rest| !rest.is_empty())
    });
    // The argument of a grid is its numbers of columns.
    let is_grid = kind.is_some_and(|kind| kind.starts_with("{grid}"));
    match kind.filter(|_| !is_grid) {
        _ if is_grid => "",
        Some(kind) => kind.split_once([' ', '[']).map_or("", |(_, title)| title),
        None if line.starts_with('|') && line.chars().all(|c| "|-: ".contains(c)) => "",
        None => line,
    }
}

/// Returns `text` without the stretches between `open` and `close`, which have no more than `most` bytes.
fn without(text: &str, open: &str, close: &str, most: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(open) {
        out.push_str(before);
        match behind.split_once(close).filter(|(inside, _)| inside.len() <= most && !inside.contains("\n\n"))
        {
            Some((_, after)) => {
                out.push(' ');
                rest = after;
            }
            None => {
                out.push(' ');
                rest = behind;
            }
        }
    }
    out + rest
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
