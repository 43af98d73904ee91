//! Notion: exports as Markdown and CSV, or as HTML
//! (<https://www.notion.com/help/export-your-content>).
//!
//! Each file's name ends with the 32 hexadecimal digits of its page's id. The pages below a page are in a folder with
//! its name; a database is a CSV file, next to a folder with a page for each row whose properties are lines `Name:
//! value` below the title.

use std::borrow::Cow;

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use super::csv_table::{CellBudget, Table};
use super::keys::Keys;
use super::{Dialect, RELATIVE, csv_table, is_of, last_segment, pages};
use crate::path;
use crate::tree::SourceTree;

/// Name suffix of the file with all rows of a database, next to the file with the rows of a view.
const ALL: &str = "_all";

/// An export of a page, or of a workspace.
#[derive(Debug, Default)]
pub(super) struct Notion {
    keys: Keys,
    /// Files with all rows of a database, by the file of the database's page.
    databases: BTreeMap<String, String>,
    /// Files with all rows of databases whose page is another file.
    rows: BTreeSet<String>,
    /// List of all pages, in exports since 2025.
    list: Option<String>,
}

impl Notion {
    pub(super) fn of(tree: &SourceTree) -> Self {
        let mut notion = Self::default();
        for page in pages(tree) {
            if let Some(id) = id_in(path::stem(page)) {
                notion.keys.add(id, page);
            }
        }
        notion.list = list(tree);
        notion.find_databases(tree);
        for page in pages(tree) {
            let folder = path::folder(page);
            let database = notion.databases.keys().find(|database| is_folder_of(folder, database));
            if let Some(key) = database.map(|database| row_key(database, without_id(path::stem(page)))) {
                notion.keys.add(key, page);
            }
        }
        notion
    }

    fn find_databases(&mut self, tree: &SourceTree) {
        for file in tree.files.keys().filter(|file| path::extension(file) == "csv") {
            let stem = path::stem(file);
            if let Some(view) = stem.strip_suffix(ALL)
                && tree.files.contains_key(&sibling(file, view))
            {
                self.rows.insert(file.clone());
                continue;
            }
            let all = sibling(file, &format!("{stem}{ALL}"));
            let data = if tree.files.contains_key(&all) { all } else { file.clone() };
            self.databases.insert(file.clone(), data);
            if let Some(id) = id_in(stem) {
                self.keys.add(id, file);
            }
        }
    }

    /// Returns the address of the page of a database's row, relative to the database.
    fn row_link(&self, database: &str, cell: &str) -> Option<String> {
        let row = self.keys.get(&row_key(database, cell))?;
        let folder = path::folder(database);
        path::below(folder, &row).map(str::to_owned)
    }

    /// Returns whether the file at `path` is the page of a row of a database.
    fn is_row(&self, path: &str) -> bool {
        let folder = path::folder(path);
        !folder.is_empty() && self.databases.keys().any(|database| is_folder_of(folder, database))
    }
}

impl Dialect for Notion {
    fn product(&self) -> &'static str {
        "Notion"
    }

    fn refusal(&self, path: &str) -> Option<&'static str> {
        if self.list.as_deref() == Some(path) {
            return Some("it lists the pages of the export and is not a page itself");
        }
        self.rows.contains(path).then_some("its rows are in the page of the database")
    }

    fn name<'n>(&self, name: &'n str) -> &'n str {
        without_id(name)
    }

    fn text<'t>(&self, path: &str, text: &'t str, _: &mut Vec<String>) -> Cow<'t, str> {
        if path::is_html(path) {
            without_icon(text)
        } else if path::is_markdown(path) {
            let text = with_callouts(text);
            let text =
                if self.is_row(path) { Cow::Owned(with_property_table(&text).into_owned()) } else { text };
            let text = if text.contains("]  ") { Cow::Owned(with_plain_tasks(&text)) } else { text };
            if text.contains('$') { Cow::Owned(quire_markup::dialects::with_formulas(&text)) } else { text }
        } else {
            Cow::Borrowed(text)
        }
    }

    fn database<'p>(&'p self, path: &'p str) -> Option<&'p str> {
        self.databases.get(path).map(String::as_str)
    }

    fn table(&self, path: &str, text: &str, cells: &mut CellBudget) -> Table {
        csv_table::table(text, cells, |cell, is_title| {
            let row = self.row_link(path, cell).filter(|_| is_title);
            let row = row.map(|address| format!("[{}](<{address}>)", csv_table::escaped(cell)));
            row.or_else(|| relations(cell))
        })
    }

    fn page_at(&self, url: &Url) -> Option<String> {
        let is_own = is_of(url, &["notion.so", "notion.site", "notion.com", RELATIVE]);
        let segment = last_segment(url);
        // The page of a database is a CSV file, but links refer to it as a page.
        let name =
            [".md", ".csv", ".html"].iter().find_map(|end| segment.strip_suffix(end)).unwrap_or(segment);
        is_own.then(|| self.keys.get(&id_in(name)?))?
    }
}

/// Returns the `index.html` of an export in which all other pages have an id in their names. A single file is always a
/// page.
fn list(tree: &SourceTree) -> Option<String> {
    let is_top = |file: &str| path::folder(file).is_empty() || path::folder(file).starts_with("Export-");
    let is_list = |file: &&String| path::name(file) == "index.html" && is_top(file);
    let list = pages(tree).find(is_list)?;
    pages(tree).any(|page| page != list).then(|| list.clone())
}

/// Returns the path of the CSV file named `stem` in the folder of `file`.
fn sibling(file: &str, stem: &str) -> String {
    match path::folder(file) {
        "" => format!("{stem}.csv"),
        folder => format!("{folder}/{stem}.csv"),
    }
}

/// Returns whether `folder` contains the pages of the rows of `database`.
fn is_folder_of(folder: &str, database: &str) -> bool {
    path::folder(folder) == path::folder(database)
        && without_id(path::name(folder)) == without_id(path::stem(database))
        && !folder.is_empty()
}

/// Returns the key of a row. Notion drops characters from file names that some file systems do not allow.
fn row_key(database: &str, title: &str) -> String {
    let letters: String = title.chars().filter(|c| c.is_alphanumeric()).take(40).collect();
    format!("row {database} {}", letters.to_lowercase())
}

/// Returns a name without the id at its end.
fn without_id(name: &str) -> &str {
    let name = name.strip_suffix(ALL).unwrap_or(name);
    match name.rsplit_once(' ') {
        Some((title, id)) if is_id(id) && !title.trim().is_empty() => title.trim_end(),
        _ => name,
    }
}

/// Returns the id at the end of a name or of a segment of an address: 32 hexadecimal digits, with or without the
/// hyphens of a UUID.
fn id_in(name: &str) -> Option<String> {
    let digits: String =
        name.chars().rev().filter(|c| *c != '-').take_while(char::is_ascii_hexdigit).collect();
    let id: String = digits.chars().take(32).collect::<Vec<_>>().into_iter().rev().collect();
    is_id(&id).then(|| id.to_ascii_lowercase())
}

fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Removes the icon above the title of an HTML page, which would become text before the title. An emoji is moved into
/// the title, as Notion shows it.
pub(super) fn without_icon(text: &str) -> Cow<'_, str> {
    let Some((before, behind)) = text.split_once("<div class=\"page-header-icon") else {
        return Cow::Borrowed(text);
    };
    let Some((icon, behind)) = behind.split_once("</div>") else { return Cow::Borrowed(text) };
    let emoji = icon
        .split_once("class=\"icon\">")
        .and_then(|(_, emoji)| emoji.split_once("</span>"))
        .map(|(emoji, _)| emoji.trim())
        .filter(|emoji| !emoji.is_empty() && !emoji.contains('<'));
    let title = emoji.and_then(|emoji| {
        let at = behind.find("class=\"page-title\"")?;
        let inside = behind.get(at..)?.find('>')? + at + 1;
        let (head, tail) = behind.split_at_checked(inside)?;
        Some(format!("{before}{head}{emoji} {tail}"))
    });
    Cow::Owned(title.unwrap_or_else(|| format!("{before}{behind}")))
}

/// Converts the properties of a row's page to a table, since lines `Name: value` would merge into one paragraph.
pub(super) fn with_property_table(text: &str) -> Cow<'_, str> {
    let lines: Vec<&str> = text.lines().collect();
    let blank = |line: &&&str| line.trim().is_empty();
    let title = lines.iter().take_while(blank).count();
    let begins = lines.get(title).is_some_and(|line| line.starts_with("# "));
    let first = title + 1 + lines.iter().skip(title + 1).take_while(blank).count();
    let properties: Vec<(&str, &str)> = lines.iter().skip(first).map_while(|line| property(line)).collect();
    let after = first + properties.len();
    let ends = lines.get(after).is_none_or(|line| line.trim().is_empty());
    if !begins || properties.is_empty() || !ends {
        return Cow::Borrowed(text);
    }
    let mut out: String = lines.iter().take(first).flat_map(|line| [line, "\n"]).collect();
    out.push_str("| Property | Value |\n| --- | --- |\n");
    for (name, value) in properties {
        // Values contain links to other pages as Markdown: only characters that would end the cell are escaped.
        let value = relations(value).unwrap_or_else(|| value.replace('|', "\\|"));
        out.push_str(&format!("| {} | {value} |\n", csv_table::escaped(name)));
    }
    out.extend(lines.iter().skip(after).flat_map(|line| [line, "\n"]));
    Cow::Owned(out)
}

/// Returns the relations of a row as links: `Two (Projects%20…/Two%20….md), Three (…)`; `None` for other values.
fn relations(value: &str) -> Option<String> {
    let mut links = Vec::new();
    let mut rest = value.trim();
    while !rest.is_empty() {
        // The title may contain brackets.
        let (title, address, behind) = rest.match_indices(" (").find_map(|(at, _)| {
            let (title, behind) = rest.split_at_checked(at)?;
            let (address, behind) = behind.get(2..)?.split_once(')')?;
            let name = [".md", ".csv", ".html"].iter().find_map(|end| address.strip_suffix(end))?;
            (id_in(name).is_some() && !address.contains(' ')).then_some((title, address, behind))
        })?;
        links.push(format!("[{}](<{address}>)", csv_table::escaped(title.trim())));
        rest = behind.trim_start().strip_prefix(',').unwrap_or(behind).trim_start();
    }
    (!links.is_empty()).then(|| links.join(", "))
}

/// Converts call-outs (`<aside>`) to hints. Their icon is on the first line, alone or before the text.
fn with_callouts(text: &str) -> Cow<'_, str> {
    if !text.contains("<aside>") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut open: Option<(String, Vec<&str>)> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        match &mut open {
            Some((indent, lines)) if trimmed == "</aside>" => {
                out.push_str(&callout(indent, lines));
                open = None;
            }
            Some((_, lines)) => lines.push(line),
            None if trimmed == "<aside>" => {
                let indent = line.split('<').next().unwrap_or_default().to_owned();
                open = Some((indent, Vec::new()));
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    // An unclosed call-out is kept as written.
    if let Some((indent, lines)) = open {
        out.push_str(&format!("{indent}<aside>\n"));
        lines.iter().for_each(|line| out.extend([line, "\n"]));
    }
    Cow::Owned(out)
}

fn callout(indent: &str, lines: &[&str]) -> String {
    let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let mut style = "info";
    if let Some(first) = lines.iter_mut().find(|line| !line.trim().is_empty()) {
        let text = first.trim_start();
        let (icon, rest) = match text.strip_prefix("<img ").and_then(|tag| tag.split_once('>')) {
            Some((tag, rest)) => (tag.to_owned(), rest.trim_start()),
            None => {
                let is_icon = |c: char| !c.is_alphanumeric() && !c.is_ascii() && !c.is_whitespace();
                let rest = text.trim_start_matches(is_icon);
                (text.get(..text.len() - rest.len()).unwrap_or_default().to_owned(), rest.trim_start())
            }
        };
        style = match icon.trim_end_matches('\u{fe0f}') {
            "⚠" | "🚧" => "warning",
            "❗" | "‼" | "🚨" | "⛔" | "🛑" | "🔥" | "❌" => "danger",
            "✅" | "☑" | "✔" | "🎉" | "👍" => "success",
            _ => "info",
        };
        // An icon other than those of hints has a meaning and is kept.
        let is_shown = !icon.is_empty()
            && icon.len() < 20
            && !matches!(style, "warning" | "danger" | "success")
            && !matches!(icon.trim_end_matches('\u{fe0f}'), "💡" | "ℹ" | "📌" | "📝" | "🔔" | "👉" | "🗒");
        *first = if is_shown { format!("{indent}{icon} {rest}") } else { format!("{indent}{rest}") };
    }
    let content = lines.join("\n");
    format!(
        "{indent}{{% hint style=\"{style}\" %}}\n{}\n{indent}{{% endhint %}}\n",
        content.trim_matches('\n')
    )
}

/// Removes the second of the two spaces that Notion writes after the check box of a task, which would belong to the
/// text.
fn with_plain_tasks(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| {
            let is_task = ["- [ ]  ", "- [x]  "].iter().any(|begin| line.trim_start().starts_with(begin));
            if is_task { line.replacen("]  ", "] ", 1) } else { line.to_owned() }
        })
        .collect()
}

fn property(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(": ")?;
    // Characters with a meaning in Markdown begin other lines.
    let is_plain = |c: char| !"[]<>*`|\\".contains(c) && !c.is_control();
    let begins = name.starts_with(|c: char| c.is_alphanumeric() || !c.is_ascii());
    (begins && name.chars().count() <= 80 && name.chars().all(is_plain)).then(|| (name, value.trim()))
}
