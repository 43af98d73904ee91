//! Prints the plan of importing a zip archive or a folder: `cargo run --example plan -- docs.zip`.
//!
//! With `--words` it also lists the words of the Markdown sources that are missing in titles, documents and addresses
//! of the plan; with `--raw` the pages that show syntax of their source as text or as a listing. Links whose target is
//! in the sources, yet not in the plan, are marked. Further arguments are files whose pages are printed as Markdown.
//! The last lines are a summary of all of it.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a command for people, who read what went wrong"
)]

#[allow(unreachable_pub)]
#[path = "../tests/support/raw.rs"]
mod raw;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use bytes::Bytes;
use quire_domain::CountingIds;
use quire_domain::ids::PageId;
use quire_domain::imports::ImportSource;
use quire_importer::plan::{ImportPlan, NewIds, PageKind, plan};
use quire_importer::progress::Progress;
use quire_importer::source::{self, Announced, GatherLimits};
use quire_importer::tree::SourceTree;
use quire_markup::{ContentRef, FrontMatter, StableRefs, anchors, links, print_page};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let count = arguments.len();
        arguments.retain(|argument| argument != name);
        arguments.len() < count
    };
    let (words, is_raw) = (flag("--words"), flag("--raw"));
    let path = arguments.first().expect("usage: plan [--words] [--raw] <zip or folder>");

    let started = Instant::now();
    let tree = open(Path::new(path));
    let opened = started.elapsed();
    let sources = tree.clone();
    let plan = plan(ImportSource::Zip, tree, &mut NewIds(&CountingIds::default()))
        .expect("the import holds something");
    let planned = started.elapsed() - opened;

    print_tree(&plan);
    print_report(&plan);
    let links = print_unresolved(&plan, &sources);
    let lost = if words { print_lost_words(&plan, &sources) } else { 0 };
    for file in arguments.iter().skip(1) {
        print_markdown(&plan, file);
    }
    let named = raw::named(plan.report.iter().map(|entry| entry.message.as_str()));
    let shown = if is_raw { print_raw(&plan, &sources) } else { named };
    println!(
        "\n{shown} pages show raw syntax, the report names {named}; {lost} words lost; of {} links {} broken in the source, {} only here",
        links.all, links.broken, links.lost
    );
    println!(
        "{} pages, {} files, {} reusable contents, {} found; opened in {opened:?}, planned in {planned:?}",
        plan.pages.len(),
        plan.files.len(),
        plan.reusable_contents.len(),
        plan.found
    );
}

fn open(path: &Path) -> SourceTree {
    if path.is_dir() {
        let mut files = Vec::new();
        walk(path, path, &mut files);
        return SourceTree::from_files(files);
    }
    let bytes = Bytes::from(std::fs::read(path).expect("the file can be read"));
    let file_name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let announced = Announced { content_type: None, file_name };
    source::open(ImportSource::Zip, GatherLimits::default(), &announced, bytes.into(), &Progress::default())
        .expect("the archive can be read")
}

fn walk(top: &Path, folder: &Path, files: &mut Vec<(String, Bytes)>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let entry = entry.expect("the folder can be read");
        let kind = entry.file_type().expect("the file has a type");
        if kind.is_dir() {
            walk(top, &entry.path(), files);
        } else if kind.is_file() {
            let path = entry.path();
            let name = path.strip_prefix(top).expect("it is inside").to_string_lossy().into_owned();
            files.push((name, std::fs::read(&path).expect("the file can be read").into()));
        }
    }
}

fn print_tree(plan: &ImportPlan) {
    let mut paths: BTreeMap<PageId, (usize, String)> = BTreeMap::new();
    for page in &plan.pages {
        let (depth, above) = page.parent.and_then(|parent| paths.get(&parent)).cloned().unwrap_or_default();
        let slug = page.slug.as_deref().unwrap_or("-");
        let path = if above.is_empty() { slug.to_owned() } else { format!("{above}/{slug}") };
        let kind = match &page.kind {
            PageKind::Group => " [group]".to_owned(),
            PageKind::Computed { .. } => " [computed]".to_owned(),
            PageKind::Link { target } => format!(" [link to {target:?}]"),
            PageKind::Document if page.document.is_none() => " [empty]".to_owned(),
            PageKind::Document => String::new(),
        };
        let hidden = if page.hidden { " [hidden]" } else { "" };
        let in_menus = page.link_title.as_ref().map(|title| format!(" ⟶ {title}")).unwrap_or_default();
        println!("{}{}{in_menus} ({path}){kind}{hidden}", "  ".repeat(depth), page.title);
        paths.insert(page.id, (depth + 1, path));
    }
}

fn print_report(plan: &ImportPlan) {
    println!("\nReport:");
    for entry in &plan.report {
        println!("  {:?} {}: {}", entry.status, entry.path, entry.message);
    }
}

/// Numbers of links.
#[derive(Default)]
struct Links {
    all: usize,
    /// Links that lead nowhere in the sources.
    broken: usize,
    /// Links whose target is in the sources.
    lost: usize,
}

/// Prints unresolved relative addresses, and anchors that do not exist on their page.
fn print_unresolved(plan: &ImportPlan, sources: &SourceTree) -> Links {
    println!("\nLinks that lead nowhere:");
    let known: BTreeMap<String, Vec<String>> = plan
        .pages
        .iter()
        .map(|page| (page.id.to_string(), anchors(&page.read_document().expect("the disk works"))))
        .collect();
    let mut count = Links::default();
    for page in &plan.pages {
        let from = page.source_path.as_deref().unwrap_or(&page.title);
        for link in links(&page.read_document().expect("the disk works")) {
            count.all += 1;
            let (why, is_there) = match &link.reference {
                ContentRef::Url { url } if url.contains("://") || url.starts_with("mailto:") => continue,
                // The top of the page.
                ContentRef::Url { url } if url == "#" || url == "#top" => continue,
                ContentRef::Url { url } => (format!("`{url}`"), has_target(sources, from, url)),
                ContentRef::Anchor { anchor, page: at, .. } => {
                    let at = at.clone().unwrap_or_else(|| page.id.to_string());
                    if known.get(&at).is_some_and(|anchors| anchors.contains(anchor)) {
                        continue;
                    }
                    let target = plan.pages.iter().find(|page| page.id.to_string() == at);
                    let path = target.and_then(|page| page.source_path.as_deref());
                    let is_there = path.is_some_and(|path| has_anchor(&text_of(sources, path), anchor));
                    (format!("anchor `{anchor}` in {:?}", target.map(|page| &page.title)), is_there)
                }
                _ => continue,
            };
            let number = if is_there { &mut count.lost } else { &mut count.broken };
            *number += 1;
            println!("  {from}: {why}{}", if is_there { " (only here)" } else { "" });
        }
    }
    count
}

/// Returns whether the sources have the file or the page that an address leads to.
fn has_target(sources: &SourceTree, from: &str, url: &str) -> bool {
    let (address, anchor) = url.split_once('#').unwrap_or((url, ""));
    let address = address.split('?').next().unwrap_or_default();
    let decoded = percent_encoding::percent_decode_str(address).decode_utf8_lossy().into_owned();
    if decoded.is_empty() {
        return !anchor.is_empty() && has_anchor(&text_of(sources, from), anchor);
    }
    let mut parts: Vec<&str> = if decoded.starts_with('/') { Vec::new() } else { from.split('/').collect() };
    parts.pop();
    for part in decoded.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let plain = path.strip_suffix(".html").unwrap_or(&path);
    let ends = ["", ".md", ".mdx", "/index.md", "/index.mdx", "/README.md", "/_index.md"];
    let is_one = |file: &str, end: &str| {
        let above = file.strip_suffix(end).and_then(|file| file.strip_suffix(plain));
        above.is_some_and(|above| above.is_empty() || decoded.starts_with('/') && above.ends_with('/'))
    };
    !path.is_empty() && sources.files.keys().any(|file| ends.iter().any(|end| is_one(file, end)))
}

/// Returns whether a source has an element or a heading with the anchor, by the rule of GitHub.
fn has_anchor(source: &str, anchor: &str) -> bool {
    let written = [("\"", "\""), ("'", "'"), ("{#", "}"), ("(", ")=")];
    let slug = |heading: &str| {
        let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    let mut headings = source.lines().filter(|line| line.starts_with('#'));
    written.iter().any(|(open, close)| source.contains(&format!("{open}{anchor}{close}")))
        || headings.any(|line| slug(line.trim_start_matches('#')) == anchor)
}

/// Returns the source of a page with those of the Markdown files that it may include: the ones that it names.
fn with_included(sources: &SourceTree, path: &str) -> String {
    let mut source = text_of(sources, path);
    if source.contains("import ") || source.contains("include") {
        let names = |file: &str| file.rsplit('/').next().is_some_and(|name| source.contains(name));
        let is_page = |file: &str| file.ends_with(".md") || file.ends_with(".mdx");
        let named = sources.files.keys().filter(|file| *file != path && is_page(file) && names(file));
        let included: String = named.map(|file| text_of(sources, file) + "\n").collect();
        source = format!("{source}\n{included}");
    }
    source
}

fn text_of(sources: &SourceTree, path: &str) -> String {
    let bytes = sources.files.get(path).and_then(|content| content.read().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Prints words of the sources, without their front matter, that are missing when the page is written as Markdown.
fn print_lost_words(plan: &ImportPlan, sources: &SourceTree) -> usize {
    println!("\nWords of the sources that are nowhere in the page:");
    let mut all = 0;
    for page in &plan.pages {
        let Some(path) = &page.source_path else { continue };
        let source = text_of(sources, path);
        let source = source
            .split_once("\n---")
            .filter(|_| source.starts_with("---"))
            .map_or(&*source, |(_, body)| body);
        let body = page.read_document().expect("the disk works");
        let kept = words(&print_page(&FrontMatter::default(), &page.title, &body, &StableRefs));
        let lost: Vec<String> = words(&without_addresses(source)).difference(&kept).cloned().collect();
        if !lost.is_empty() {
            all += lost.len();
            println!("  {path}: {}", lost.join(" "));
        }
    }
    all
}

fn print_markdown(plan: &ImportPlan, file: &str) {
    let page = plan.pages.iter().find(|page| page.source_path.as_deref() == Some(file));
    let page = page.expect("the file is a page");
    let document = page.read_document().expect("the disk works");
    println!("\n{}", print_page(&FrontMatter::default(), &page.title, &document, &StableRefs));
}

/// Prints the pages with syntax of their source in running text, or in a listing that the source does not have.
fn print_raw(plan: &ImportPlan, sources: &SourceTree) -> usize {
    println!("\nPages that show syntax:");
    let mut count = 0;
    for page in &plan.pages {
        let Some(path) = &page.source_path else { continue };
        let source = with_included(sources, path);
        let found = raw::shown(&page.read_document().expect("the disk works").to_json(), &source);
        if !found.is_empty() {
            count += 1;
            let start = |text: &String| text.chars().take(70).collect::<String>().replace('\n', "⏎");
            let shown: Vec<String> = found.iter().take(4).map(start).collect();
            println!("  {path}: {}× {}", found.len(), shown.join(" | "));
        }
    }
    count
}

/// Returns the text without invisible parts: comments, tags, link targets and definitions, entities.
fn without_addresses(text: &str) -> String {
    let mut text = text.to_owned();
    for (open, close) in [("<!--", "-->"), ("<", ">"), ("](", ")"), ("{#", "}"), ("&", ";")] {
        text = without(&text, open, close);
    }
    let is_definition = |line: &&str| line.starts_with('[') && line.contains("]:");
    text.lines().filter(|line| !is_definition(line)).flat_map(|line| [line, "\n"]).collect()
}

/// Returns `text` without the stretches between `open` and `close`, which may be within a line or be comments of
/// several lines.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(open) {
        out.push_str(before);
        let stretch = behind.split_once(close).filter(|(inside, _)| open == "<!--" || !inside.contains('\n'));
        match stretch {
            Some((_, after)) => {
                out.push(' ');
                rest = after;
            }
            None => {
                out.push_str(open);
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
