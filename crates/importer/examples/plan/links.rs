//! Broken links, and the presence of their targets in the sources.

use std::collections::BTreeMap;

use quire_importer::plan::{ImportPlan, PlannedPage};
use quire_importer::tree::SourceTree;
use quire_markup::{ContentRef, anchors, links};

use crate::text_of;

/// Numbers of links.
#[derive(Default)]
pub(crate) struct Links {
    pub(crate) all: usize,
    /// Links that are also broken in the sources.
    pub(crate) broken: usize,
    /// Links whose target is in the sources.
    pub(crate) lost: usize,
    /// Links for which the sources have a page with the same name elsewhere, or a page that declares an address.
    pub(crate) uncertain: usize,
}

/// Presence of a target in the sources.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Target,
    Name,
    Nothing,
}

/// Prints unresolved relative addresses, and anchors that do not exist on their page.
pub(crate) fn print_unresolved(plan: &ImportPlan, sources: &SourceTree) -> Links {
    println!("\nLinks that lead nowhere:");
    let known: BTreeMap<String, (&PlannedPage, Vec<String>)> = plan
        .pages
        .iter()
        .map(|page| (page.id.to_string(), (page, anchors(&page.read_document().expect("the disk works")))))
        .collect();
    let names = Names::of(sources);
    let mut count = Links::default();
    for page in &plan.pages {
        let from = page.source_path.as_deref().unwrap_or(&page.title);
        for link in links(&page.read_document().expect("the disk works")) {
            count.all += 1;
            let (why, found) = match &link.reference {
                ContentRef::Url { url } if url.contains("://") || url.starts_with("mailto:") => continue,
                // The top of the page.
                ContentRef::Url { url } if url == "#" || url == "#top" => continue,
                ContentRef::Url { url } => (format!("`{url}`"), target(sources, &names, from, url)),
                ContentRef::Anchor { anchor, page: at, .. } => {
                    let at = at.clone().unwrap_or_else(|| page.id.to_string());
                    if known.get(&at).is_some_and(|(_, anchors)| anchors.contains(anchor)) {
                        continue;
                    }
                    let target = known.get(&at).map(|(page, _)| page);
                    let path = target.and_then(|page| page.source_path.as_deref());
                    let is_there = path.is_some_and(|path| has_anchor(&text_of(sources, path), anchor));
                    let found = if is_there { Found::Target } else { Found::Nothing };
                    (format!("anchor `{anchor}` in {:?}", target.map(|page| &page.title)), found)
                }
                _ => continue,
            };
            let (number, note) = match found {
                Found::Target => (&mut count.lost, " (only here)"),
                Found::Name => (&mut count.uncertain, " (a page has its name)"),
                Found::Nothing => (&mut count.broken, ""),
            };
            *number += 1;
            println!("  {from}: {why}{note}");
        }
    }
    count
}

/// Ends that an address of a page may omit.
const ENDS: [&str; 7] = ["", ".md", ".mdx", "/index.md", "/index.mdx", "/README.md", "/_index.md"];

/// Files by the last part of each address that leads to them, so that a link does not compare all files.
struct Names<'s>(BTreeMap<&'s str, Vec<&'s str>>);

impl<'s> Names<'s> {
    fn of(sources: &'s SourceTree) -> Self {
        let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for file in sources.files.keys() {
            for path in ENDS.iter().filter_map(|end| file.strip_suffix(end)) {
                names.entry(path.rsplit('/').next().unwrap_or_default()).or_default().push(path);
            }
        }
        Self(names)
    }

    /// Returns whether an address leads to a file. One that begins with a slash may begin at any folder.
    fn has_file(&self, decoded: &str, from: &str) -> bool {
        let mut parts: Vec<&str> =
            if decoded.starts_with('/') { Vec::new() } else { from.split('/').collect() };
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
        let mut found = self
            .0
            .get(plain.rsplit('/').next().unwrap_or_default())
            .into_iter()
            .flatten()
            .filter_map(|path| path.strip_suffix(plain));
        !path.is_empty()
            && found.any(|above| above.is_empty() || decoded.starts_with('/') && above.ends_with('/'))
    }
}

/// Returns whether the sources contain the target of an address.
fn target(sources: &SourceTree, names: &Names<'_>, from: &str, url: &str) -> Found {
    let (address, anchor) = url.split_once('#').unwrap_or((url, ""));
    let address = address.split('?').next().unwrap_or_default();
    let decoded = percent_encoding::percent_decode_str(address).decode_utf8_lossy().into_owned();
    if decoded.is_empty() {
        let is_there = !anchor.is_empty() && has_anchor(&text_of(sources, from), anchor);
        return if is_there { Found::Target } else { Found::Nothing };
    }
    // Generators serve a page as a directory, too.
    let as_directory = from.rsplit_once('.').map_or(from, |(plain, _)| plain).to_owned() + "/";
    if [from, &as_directory].into_iter().any(|from| names.has_file(&decoded, from)) {
        return Found::Target;
    }
    let name = decoded.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let is_named = |file: &String| {
        let (above, name) = file.rsplit_once('/').unwrap_or(("", file));
        let name = name.rsplit_once('.').map_or(name, |(plain, _)| plain);
        let folder = above.rsplit('/').next().unwrap_or_default();
        let is_index = matches!(name, "index" | "README" | "_index");
        is_page(file) && (name.ends_with(stem) || is_index && folder == stem)
    };
    match !stem.is_empty() && stem != ".." && sources.files.keys().any(is_named) {
        true => Found::Name,
        false => Found::Nothing,
    }
}

fn is_page(file: &str) -> bool {
    file.ends_with(".md") || file.ends_with(".mdx")
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
