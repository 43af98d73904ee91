//! Notion: exports as Markdown and CSV, or as HTML
//! (<https://www.notion.com/help/export-your-content>).
//!
//! Each file's name ends with the 32 hexadecimal digits of its page's id. The pages below a page lie in a folder of its name; a database
//! is a CSV file, beside a folder with a page for each row whose properties are lines `Name: value` below the title.

use std::borrow::Cow;

use super::{Dialect, csv_table, pages};
use crate::path;
use crate::tree::SourceTree;

/// What the file with all of a database's rows is called, beside the one with those of a view.
const ALL: &str = "_all";

pub(super) fn look(dialect: &mut Dialect, tree: &SourceTree) {
    for page in pages(tree) {
        if let Some(id) = id_in(path::stem(page)) {
            dialect.add_key(id, page);
        }
    }
    for file in tree.files.keys().filter(|file| path::extension(file) == "csv") {
        let stem = path::stem(file);
        if let Some(view) = stem.strip_suffix(ALL)
            && tree.files.contains_key(&beside(file, view))
        {
            dialect.skipped.insert(file.clone(), "its rows are in the page of the database");
            continue;
        }
        let all = beside(file, &format!("{stem}{ALL}"));
        let data = if tree.files.contains_key(&all) { all } else { file.clone() };
        dialect.databases.insert(file.clone(), data);
        if let Some(id) = id_in(stem) {
            dialect.add_key(id, file);
        }
    }
    let databases: Vec<String> = dialect.databases.keys().cloned().collect();
    for page in pages(tree) {
        let folder = path::folder(page);
        if let Some(database) = databases.iter().find(|database| is_folder_of(folder, database)) {
            dialect.add_key(row_key(database, without_id(path::stem(page))), page);
        }
    }
}

/// The path of the CSV file called `stem` in the folder of `file`.
fn beside(file: &str, stem: &str) -> String {
    match path::folder(file) {
        "" => format!("{stem}.csv"),
        folder => format!("{folder}/{stem}.csv"),
    }
}

/// Whether `folder` holds the pages of the rows of `database`.
pub(super) fn is_folder_of(folder: &str, database: &str) -> bool {
    path::folder(folder) == path::folder(database)
        && without_id(path::name(folder)) == without_id(path::stem(database))
        && !folder.is_empty()
}

/// What a row is known by: Notion leaves characters out of names of files that no file system takes.
pub(super) fn row_key(database: &str, title: &str) -> String {
    let letters: String = title.chars().filter(|c| c.is_alphanumeric()).take(40).collect();
    format!("row {database} {}", letters.to_lowercase())
}

/// A name without the id at its end.
pub(super) fn without_id(name: &str) -> &str {
    let name = name.strip_suffix(ALL).unwrap_or(name);
    match name.rsplit_once(' ') {
        Some((title, id)) if is_id(id) && !title.trim().is_empty() => title.trim_end(),
        _ => name,
    }
}

/// The id at the end of a name or of a segment of an address: 32 hexadecimal digits, with or without the hyphens of a UUID.
pub(super) fn id_in(name: &str) -> Option<String> {
    let digits: String =
        name.chars().rev().filter(|c| *c != '-').take_while(char::is_ascii_hexdigit).collect();
    let id: String = digits.chars().take(32).collect::<Vec<_>>().into_iter().rev().collect();
    is_id(&id).then(|| id.to_ascii_lowercase())
}

fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// An HTML page without the icon above its title, which would stand before the title as if it were text. An emoji is kept behind the
/// title's beginning, where Notion shows it.
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

/// A row's page with its properties as a table: lines `Name: value` of one paragraph would run into one.
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
        // Values hold links to other pages as Markdown: only what would end the cell is escaped.
        out.push_str(&format!("| {} | {} |\n", csv_table::escaped(name), value.replace('|', "\\|")));
    }
    out.extend(lines.iter().skip(after).flat_map(|line| [line, "\n"]));
    Cow::Owned(out)
}

/// A text whose tasks have one space behind their box: of the two that Notion writes, one would belong to the words.
pub(super) fn with_plain_tasks(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| {
            let is_task = ["- [ ]  ", "- [x]  "].iter().any(|begin| line.trim_start().starts_with(begin));
            if is_task { line.replacen("]  ", "] ", 1) } else { line.to_owned() }
        })
        .collect()
}

fn property(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(": ")?;
    let plain = |c: char| c.is_alphanumeric() || " -_/()&?.'".contains(c);
    let begins = name.starts_with(char::is_alphanumeric);
    (begins && name.chars().count() <= 80 && name.chars().all(plain)).then(|| (name, value.trim()))
}
