//! Labels of navigation files, extracted by simple rules that are independent of the importer's.

use std::collections::BTreeSet;

use quire_importer::plan::ImportPlan;
use quire_importer::tree::SourceTree;

use crate::text_of;

/// Prints the labels that are neither a title nor a title in menus of the plan, and returns their number. If no label
/// of a file is in the plan, the file belongs to another documentation of the repository, and its name is printed.
pub(crate) fn print_lost(plan: &ImportPlan, sources: &SourceTree) -> usize {
    println!("\nLabels of the navigation that are nowhere in the tree:");
    let titles = plan.pages.iter().flat_map(|page| page.link_title.iter().chain([&page.title]));
    let shown: BTreeSet<String> = titles.map(|title| letters(title)).collect();
    let mut all = 0;
    let is_imported = |folder: &str| {
        let mut pages = plan.pages.iter().filter_map(|page| page.source_path.as_deref());
        folder.is_empty() || pages.any(|page| page.starts_with(&format!("{folder}/")))
    };
    let generators = ["docusaurus.config", "astro.config", ".vitepress/", ".vuepress/"];
    let has_generator = sources.files.keys().any(|file| generators.iter().any(|name| file.contains(name)));
    for file in sources.files.keys() {
        // Without a generator, the menus belong to a program of the repository, which the importer does not run.
        if !has_generator && is_script(file) {
            continue;
        }
        // Examples and tests of a generator have documentation of their own, which the report mentions.
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let folder = folder.strip_suffix(".vitepress").unwrap_or(folder).trim_end_matches('/');
        let is_own = file.contains(".vitepress/")
            || file.contains("astro.config")
            || file.ends_with("/mkdocs.yml")
            || file.ends_with("SUMMARY.md") && sources.files.contains_key("book.toml");
        if is_own && !is_imported(folder) {
            continue;
        }
        let found = labels(file, &text_of(sources, file));
        // The report names labels whose pages the generator would create.
        let is_named = |label: &String| {
            let named = format!("`{label}`");
            plan.report.iter().any(|entry| entry.path == *file && entry.message.contains(&named))
        };
        let lost = found.iter().filter(|label| !shown.contains(&letters(label)) && !is_named(label));
        let lost: Vec<&String> = lost.collect();
        if lost.is_empty() {
            continue;
        }
        let is_computed = plan.report.iter().any(|entry| {
            let (path, is_said) = (&entry.path, entry.message.contains("computed by a program"));
            is_said && *path != *file && imports(&text_of(sources, path), path, file)
        });
        if is_computed {
            println!("  {file}: a program computes with it, which the report mentions");
        } else if lost.len() == found.len() {
            println!("  {file}: not used, {} labels: {:?}", found.len(), lost[0]);
        } else {
            all += lost.len();
            println!("  {file}: {lost:?}");
        }
    }
    all
}

/// Returns the letters and digits of a label, without the names of icons.
fn letters(label: &str) -> String {
    let mut out = String::new();
    for (index, piece) in label.replace("&amp;", "&").split(':').enumerate() {
        let is_icon = index % 2 == 1 && !piece.is_empty() && !piece.contains(char::is_whitespace);
        if !is_icon || label.matches(':').count() < 2 {
            out.extend(piece.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase));
        }
    }
    out
}

/// Returns whether a script imports another, which is in its folder or below it.
fn imports(script: &str, path: &str, other: &str) -> bool {
    let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let module = other.strip_prefix(&folder).and_then(|other| other.rsplit_once('.'));
    module.is_some_and(|(module, _)| script.contains(&format!("./{module}")))
}

fn is_script(file: &str) -> bool {
    [".js", ".ts", ".mjs", ".mts"].iter().any(|end| file.ends_with(end))
}

fn labels(file: &str, text: &str) -> Vec<String> {
    let name = file.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let is_script = is_script(name);
    let found = match stem {
        "SUMMARY" | "TOC" if name.ends_with(".md") => summary(text),
        "mkdocs" if !is_script => mkdocs(text),
        "_category_" | "meta" if name.ends_with(".json") => quoted_values(text, &["\"label\"", "\"title\""]),
        "docs" | "mint" if name.ends_with(".json") && text.contains("\"navigation\"") => {
            let behind = text.split_once("\"navigation\"").map_or("", |(_, behind)| behind);
            // The first language is imported, in its first version.
            let mut first = behind.split("\"language\"");
            let before = first.next().unwrap_or_default();
            let behind = first.next().filter(|_| before.contains("\"languages\"")).unwrap_or(behind);
            let mut first = behind.split("\"version\"");
            let before = first.next().unwrap_or_default();
            let behind = first.next().filter(|_| before.contains("\"versions\"")).unwrap_or(behind);
            quoted_values(&without_hidden(behind), &["\"group\"", "\"tab\"", "\"dropdown\""])
        }
        "_toc" => values(text, &["title:", "caption:"]),
        _ if is_script && stem.to_lowercase().contains("sidebar") => quoted_values(text, &["label"]),
        "astro" if is_script => {
            let behind = text.split_once("sidebar").map_or("", |(_, behind)| behind);
            // Names of other sites and of languages may follow.
            let behind = ["social:", "locales:"]
                .iter()
                .fold(behind, |behind, key| behind.split(key).next().unwrap_or_default());
            quoted_values(behind, &["label"])
        }
        "config" if is_script && file.contains(".vitepress/") => {
            let behind = text.split_once("sidebar").map_or("", |(_, behind)| behind);
            // Texts of the theme come after those of the menus.
            let behind = behind.split("editLink").next().unwrap_or_default();
            // One more list belongs to the bar at the bottom.
            let own = without_list(&without_list(behind, "nav: ["), "nav: [");
            quoted_values(&own, &["text"])
        }
        _ if name.ends_with(".md") || name.ends_with(".mdx") => front_matter(text),
        _ => Vec::new(),
    };
    // A program computes labels with values.
    found.into_iter().filter(|label| !letters(label).is_empty() && !label.contains("${")).collect()
}

/// Returns a script without a list, such as the links of the bar at the top, which are not pages of the tree.
fn without_list(text: &str, begin: &str) -> String {
    let Some((before, behind)) = text.split_once(begin) else { return text.to_owned() };
    let mut depth = 1_usize;
    let end = behind.find(|character| {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    format!("{before}{}", end.map_or("", |end| &behind[end..]))
}

/// Returns JSON with one property per line, without objects that are hidden from menus.
fn without_hidden(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut kept = vec![true; lines.len()];
    for (at, line) in (0..).zip(&lines).filter(|(_, line)| line.trim().starts_with("\"hidden\": true")) {
        let is_outside = |other: &&str| indent(other) < indent(line);
        let from = lines[..at].iter().rposition(&is_outside).unwrap_or_default();
        let to = lines[at..].iter().position(is_outside).map_or(lines.len(), |to| at + to);
        kept[from..to].fill(false);
    }
    let kept = lines.iter().zip(kept).filter(|(_, is_kept)| *is_kept);
    kept.map(|(line, _)| format!("{line}\n")).collect()
}

/// Returns the words of links in list items, or their titles, which take precedence.
fn summary(text: &str) -> Vec<String> {
    let items = text.lines().filter_map(|line| {
        let item = line.trim_start().strip_prefix(['*', '-'])?.trim_start().strip_prefix('[')?;
        let (words, behind) = item.rsplit_once("](")?;
        let title = behind.split_once(" \"").and_then(|(_, title)| title.split_once('"'));
        Some(title.map_or(words, |(title, _)| title).replace('\\', ""))
    });
    items.collect()
}

/// Returns the keys below `nav`.
fn mkdocs(text: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| !line.starts_with("nav:")).skip(1);
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with([' ', '-', '#']));
    let items = lines.filter_map(|line| {
        let item = line.trim_start().strip_prefix("- ")?.trim();
        let (label, _) = item.split_once(": ").or_else(|| item.strip_suffix(':').map(|label| (label, "")))?;
        Some(label.trim_matches(['"', '\'']).to_owned())
    });
    items.collect()
}

/// Returns the values of properties in front matter that name a page in menus.
fn front_matter(text: &str) -> Vec<String> {
    let Some((front, _)) = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) else {
        return Vec::new();
    };
    let is_hidden = |line: &str| matches!(line.trim(), "draft: true" | "published: false" | "unlisted: true");
    if front.lines().any(is_hidden) {
        return Vec::new();
    }
    let mut found = values(front, &["sidebar_label:", "linkTitle:", "sidebarTitle:", "nav_title:"]);
    if let Some((_, sidebar)) = front.split_once("\nsidebar:\n") {
        let inside: Vec<&str> = sidebar.lines().take_while(|line| line.starts_with(' ')).collect();
        found.extend(values(&inside.join("\n"), &["label:"]));
    }
    found
}

/// Returns the values of keys that begin a line of YAML.
fn values(text: &str, keys: &[&str]) -> Vec<String> {
    let lines = text.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches("- ");
        let value = keys.iter().find_map(|key| line.strip_prefix(key))?.trim();
        let value = value.split(" #").next().unwrap_or_default();
        Some(value.trim().trim_matches(['"', '\'']).replace("''", "'"))
    });
    lines.collect()
}

/// Returns the quoted strings after keys of JSON or JavaScript, outside comments.
fn quoted_values(text: &str, keys: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    // Links to other sites, such as those of the footer, are not part of the tree.
    let leads_out = |at: usize| {
        let around = lines.iter().take(at + 2).skip(at.saturating_sub(1));
        around.into_iter().any(|line| line.contains("://"))
    };
    let own = (0..).zip(&lines).filter(|(at, line)| !line.trim_start().starts_with("//") && !leads_out(*at));
    for (_, line) in own {
        for key in keys {
            for (at, _) in line.match_indices(key) {
                let before = line[..at].chars().next_back();
                let behind = line[at + key.len()..].trim_start();
                let value = behind.strip_prefix(':').map(str::trim_start).unwrap_or_default();
                let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
                let Some(quote) = quote.filter(|_| !before.is_some_and(char::is_alphanumeric)) else {
                    continue;
                };
                let value = value[1..].replace("\\'", "’").replace("\\\"", "”");
                found.extend(value.split(quote).next().map(str::to_owned));
            }
        }
    }
    found
}
