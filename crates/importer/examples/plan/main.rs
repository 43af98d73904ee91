//! Prints the plan of importing a zip archive or a folder: `cargo run --example plan -- docs.zip`.
//!
//! `--source` names the source, which is `zip` by default. With `--words` it also lists the words of the Markdown
//! sources that are missing in titles, documents and addresses of the plan; with `--raw` the pages that show syntax of
//! their source as text or as a listing; with `--labels` the labels of navigation files that no page has; with
//! `--export` it writes pages into the following folder and prints how many are equal to their source. Links whose
//! target is in the sources but not in the plan are marked. Further arguments are files whose pages are printed as
//! Markdown. The last lines are a summary.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a command for people, who read what went wrong"
)]

#[allow(unreachable_pub)]
#[path = "../../tests/support/raw.rs"]
mod raw;

mod export;
mod labels;
mod links;
mod words;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use bytes::Bytes;
use quire_domain::CountingIds;
use quire_domain::ids::PageId;
use quire_domain::imports::ImportSource;
use quire_importer::plan::{GeneratedIds, ImportPlan, PageKind, plan};
use quire_importer::progress::Progress;
use quire_importer::source::{self, Announced, GatherLimits};
use quire_importer::tree::SourceTree;
use quire_markup::{FrontMatter, StableRefs, print_page};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let count = arguments.len();
        arguments.retain(|argument| argument != name);
        arguments.len() < count
    };
    let (has_words, is_raw, has_labels) = (flag("--words"), flag("--raw"), flag("--labels"));
    let exported = arguments.iter().position(|argument| argument == "--export").map(|at| {
        arguments.remove(at);
        arguments.remove(at)
    });
    let source =
        arguments.iter().position(|argument| argument == "--source").map_or(ImportSource::Zip, |at| {
            arguments.remove(at);
            let name = arguments.remove(at);
            ImportSource::ALL
                .into_iter()
                .find(|source| source.as_str() == name)
                .expect("a source has this name")
        });
    let path = arguments.first().expect(
        "usage: plan [--source <name>] [--words] [--raw] [--labels] [--export <folder>] <zip or folder>",
    );

    let started = Instant::now();
    let tree = open(Path::new(path));
    let opened = started.elapsed();
    let sources = tree.clone();
    let plan =
        plan(source, tree, &mut GeneratedIds(&CountingIds::default())).expect("the import holds something");
    let planned = started.elapsed() - opened;

    print_tree(&plan);
    print_report(&plan);
    let links = links::print_unresolved(&plan, &sources);
    let lost = if has_words { words::print_lost(&plan, &sources) } else { 0 };
    let labels = if has_labels { labels::print_lost(&plan, &sources) } else { 0 };
    for file in arguments.iter().skip(1) {
        print_markdown(&plan, file);
    }
    if let Some(folder) = exported {
        let (all, equal) = export::write(&plan, &sources, Path::new(&folder));
        println!("\n{equal} of {all} pages are exported as they were");
    }
    let named = raw::named(plan.report.iter().map(|entry| entry.message.as_str()));
    let shown = if is_raw { print_raw(&plan, &sources) } else { named };
    println!(
        "\n{shown} pages show raw syntax, the report names {named}; {lost} words and {labels} labels lost; of {} links {} broken in the source, {} perhaps, {} only here",
        links.all, links.broken, links.uncertain, links.lost
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

/// Returns the source of a page, followed by the Markdown files whose names occur in it, which it may include.
fn with_included(sources: &SourceTree, path: &str) -> String {
    let mut source = text_of(sources, path);
    if source.contains("import ") || source.contains("include") {
        // Names are compared with the lines of includes only, since there may be thousands of files.
        let lines = source.lines().filter(|line| line.contains("import ") || line.contains("include"));
        let lines: String = lines.collect();
        let names = |file: &str| file.rsplit('/').next().is_some_and(|name| lines.contains(name));
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
        let is_text = |path: &&String| [".md", ".mdx"].iter().any(|end| path.ends_with(end));
        let Some(path) = page.source_path.as_ref().filter(is_text) else { continue };
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
