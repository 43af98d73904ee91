//! Words of sources, extracted by simple rules that are independent of this crate's parsers.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::HashMap;

/// Counts the words of a text.
pub fn words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    counts
}

/// Returns the words of `source` that occur less often in `output`. A word counts as present if its letters occur there
/// in a row, since emphasis may end in the middle of a word.
pub fn lost(source: &str, output: &str) -> Vec<String> {
    let have = words(output);
    let letters: String =
        output.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let is_there = |word: &str, times: usize| {
        have.get(word).is_some_and(|count| *count >= times) || letters.matches(word).count() >= times
    };
    let mut lost: Vec<String> = words(source)
        .into_iter()
        .filter(|(word, times)| !is_there(word, *times))
        .map(|(word, _)| word)
        .collect();
    lost.sort();
    lost
}

/// Returns the visible text of Markdown: without addresses, tags, attributes, info strings of fences, and mdBook's
/// directives, which include other files. Front matter contributes its description.
pub fn visible_markdown(source: &str) -> String {
    let (front, body) = match source.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) {
        Some((front, body)) => (front, body),
        None => ("", source),
    };
    let body = without_comments(body);
    let description = front.lines().find_map(|line| line.strip_prefix("description:")).unwrap_or_default();
    let mut out = format!("{}\n", description.trim().trim_start_matches(['>', '|', '-']));
    let mut fence: Option<String> = None;
    let mut text = String::new();
    for line in body.lines() {
        let inner = line.trim_start_matches([' ', '>', '*', '-', '\t']);
        let marks: String = inner.chars().take_while(|c| *c == '`' || *c == '~').collect();
        match &fence {
            Some(open)
                if marks.len() >= open.len() && marks.starts_with(open.as_str()) && inner.trim() == marks =>
            {
                fence = None;
            }
            Some(_) if inner.trim_start().starts_with("{{#") => {}
            Some(_) => {
                out.push_str(line);
                out.push('\n');
            }
            None if marks.len() >= 3 && !inner[marks.len()..].contains('`') => {
                out.push_str(&prose(&std::mem::take(&mut text)));
                fence = Some(marks);
            }
            None if inner.starts_with("{{#") => {}
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    out.push_str(&prose(&text));
    out
}

/// Removes comments with their content.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        let Some((_, behind)) = after.split_once("-->") else { break };
        out.push_str(before);
        rest = behind;
    }
    out + rest
}

/// Removes the names of footnotes, which are shown as numbers.
fn without_notes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[^") {
        out.push_str(before);
        // A note ends a word, also in scripts without spaces.
        out.push(' ');
        rest = after.split_once(']').map_or("", |(_, behind)| behind);
    }
    out + rest
}

/// Returns text outside of listings.
fn prose(text: &str) -> String {
    let text = without_notes(text);
    let mut is_address = false;
    let lines = text.lines().filter(|line| {
        let definition = definition(line);
        let is_shown = definition.is_none() && !is_address;
        is_address = definition.is_some_and(|address| address.trim().is_empty());
        is_shown
    });
    // Backticks in an alternative text are not code.
    let lines = lines.map(|line| {
        if line.trim_start().starts_with("<img") { line.replace('`', " ") } else { line.to_owned() }
    });
    let text: String = lines.map(|line| format!("{}\n", without_tag(without_number(&line)))).collect();
    entities(&without_elements(&without_addresses(&text)))
}

/// Returns the address of `[name]: address`; empty if it is on the next line.
fn definition(line: &str) -> Option<&str> {
    let (name, address) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
    (!name.starts_with('^') && !name.contains("](")).then_some(address)
}

/// Removes the number of an item, since it depends on its position only.
fn without_number(line: &str) -> &str {
    let rest = line.trim_start_matches([' ', '>', '\t']);
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = behind.len() < rest.len() && behind.starts_with(['.', ')']);
    if is_number { &behind[1..] } else { line }
}

/// Returns the titles in a line of block tags.
fn without_tag(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{%") {
        out.push_str(before);
        let (tag, after) = after.split_once("%}").unwrap_or((after, ""));
        if let Some((_, title)) = tag.split_once("title=\"") {
            out.push_str(title.split('"').next().unwrap_or_default());
        }
        rest = after;
    }
    out + rest
}

/// Removes the addresses of links and images, and the angle brackets of autolinks.
fn without_addresses(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        out.push_str(before);
        out.push(' ');
        let mut depth = 1;
        let end = after.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0
        });
        let (inside, behind) = after.split_at(end.map_or(after.len(), |(at, _)| at));
        if let Some((_, title)) = inside.split_once(" \"") {
            out.push_str(title);
        }
        rest = behind.get(1..).unwrap_or_default();
    }
    let text = out + rest;
    let mut out = String::new();
    // `[words][name]`
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("][") {
        out.push_str(before);
        out.push(' ');
        let (name, behind) = after.split_once(']').unwrap_or((after, ""));
        if name.contains('\n') {
            out.push_str(name);
        }
        rest = behind;
    }
    out + rest
}

/// Removes elements and comments, except in code.
fn without_elements(text: &str) -> String {
    let mut out = String::new();
    for (index, piece) in text.split('`').enumerate() {
        // Text between backticks is code.
        if index % 2 == 1 {
            out.push_str(piece);
            out.push(' ');
            continue;
        }
        out.push_str(&visible_html(piece));
    }
    out
}

/// Elements that do not end a word.
const INLINE: [&str; 22] = [
    "a", "b", "strong", "i", "em", "code", "span", "sup", "sub", "mark", "kbd", "u", "s", "del", "ins",
    "small", "font", "abbr", "cite", "var", "samp", "wbr",
];

/// Returns the visible text of HTML: without tags, comments, scripts, styles and the head.
pub fn visible_html(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        if let Some(comment) = after.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let name: String =
            after.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        if name.is_empty() || !after.contains('>') {
            out.push(' ');
            rest = after;
            continue;
        }
        let name = name.to_ascii_lowercase();
        if !after.starts_with('/') && matches!(name.as_str(), "script" | "style" | "head" | "template") {
            let end = format!("</{name}>");
            rest = after.split_once(&end).map_or("", |(_, behind)| behind);
            continue;
        }
        let (tag, behind) = after.split_once('>').unwrap_or((after, ""));
        // An address between angle brackets is visible text.
        if tag.starts_with("http") || tag.contains('@') {
            out.push_str(tag);
        }
        if let Some((_, alt)) = tag.split_once("alt=\"") {
            out.push_str(&format!(" {} ", alt.split('"').next().unwrap_or_default()));
        }
        if !INLINE.contains(&name.as_str()) {
            out.push(' ');
        }
        rest = behind;
    }
    out + rest
}

/// Decodes numeric character references, and references within words.
pub fn entities(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        match after.split_once(';').filter(|(name, _)| {
            name.len() < 10 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '#')
        }) {
            Some((name, behind)) => {
                let code = name.strip_prefix("#x").map(|hex| u32::from_str_radix(hex, 16).ok());
                let code =
                    code.unwrap_or_else(|| name.strip_prefix('#').and_then(|number| number.parse().ok()));
                out.push(code.and_then(char::from_u32).unwrap_or(' '));
                rest = behind;
            }
            None => rest = after,
        }
    }
    out + rest
}
