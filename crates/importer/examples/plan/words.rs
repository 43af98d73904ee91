//! Words of the sources that are missing in the plan.

use std::collections::BTreeSet;

use quire_importer::plan::ImportPlan;
use quire_importer::tree::SourceTree;
use quire_markup::{Block, BlockKind, FrontMatter, StableRefs, inline_text, print_page};

use crate::text_of;

/// Maximum number of characters of a tag, an address or an expression.
const MAX_SYNTAX: usize = 2_000;

/// Maximum number of characters of a tag, which may have the output of a program as an attribute.
const MAX_TAG: usize = 100_000;

/// Kinds of call-outs, which their style shows.
const KINDS: [&str; 7] = ["note", "notice", "tip", "hint", "important", "warning", "caution"];

/// Attributes of components whose values are visible.
const SHOWN: [&str; 3] = ["title", "label", "heading"];

/// Directives of MyST whose content names pages, which the navigation shows.
const NAVIGATION: [&str; 2] = ["{toctree}", "{tableofcontents}"];

/// Directives of MyST whose argument is invisible.
const ADDRESSED: [&str; 7] =
    ["{grid}", "{figure}", "{image}", "{iframe}", "{include}", "{literalinclude}", "{embed}"];

/// Roles of MyST that show the title of their target.
const REFERENCES: [&str; 6] = ["{doc}", "{ref}", "{any}", "{numref}", "{download}", "{eq}"];

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

/// Open fence.
struct Fence {
    marks: String,
    is_code: bool,
    is_navigation: bool,
    /// Columns before the text of the item that contains the fence. The fence ends with the item.
    item: usize,
}

/// Returns the text of a page without syntax. The content of loops does not count if the report names `loops`.
fn visible(source: &str, loops: bool) -> String {
    let front = source.strip_prefix("---\n").and_then(|rest| {
        let ends = [rest.find("\n---"), rest.find("\n...")];
        let at = ends.into_iter().flatten().min()?;
        Some(&rest[at + 4..])
    });
    let source = front.unwrap_or(source);
    let (mut out, mut prose) = (String::new(), String::new());
    let mut fences: Vec<Fence> = Vec::new();
    let (mut is_statement, mut is_object) = (false, false);
    // End of the current comment, script or style.
    let mut hidden: Option<&str> = None;
    let (mut is_head, mut is_address, mut is_yaml) = (false, false, false);
    let mut begins_directive = false;
    let mut item = 0;
    // A function, which ends with a bracket at the start of a line, and may have empty lines.
    let mut is_function = false;
    // The line before it ends a statement.
    let mut ends_statement = false;
    for line in source.lines() {
        if let Some(close) = hidden {
            hidden = Some(close).filter(|close| !line.contains(close));
            continue;
        }
        if is_function {
            is_function = !line.starts_with(['}', ')']);
            continue;
        }
        let indent = columns(line);
        if !line.trim().is_empty() && indent < item {
            item = 0;
        }
        // A fence ends with the item that contains it.
        if !line.trim().is_empty() && fences.last().is_some_and(|fence| indent < fence.item) {
            fences.pop();
        }
        // `>` alone closes a tag; otherwise it begins a quote.
        let closes = line.trim() == ">" || line.trim_start().starts_with(">}}");
        let text = if closes { line.trim() } else { line.trim_start_matches([' ', '>', '\t']) };
        let body = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")).or_else(|| numbered(text));
        let text = body.unwrap_or(text).trim_start();
        if body.is_some() {
            item = line.len() - text.len();
        }
        let marks: String = text.chars().take_while(|c| matches!(c, '`' | '~')).collect();
        let is_code = fences.last().is_some_and(|fence| fence.is_code);
        let is_list_of_pages =
            fences.last().is_some_and(|fence| fence.is_navigation || !fence.is_code && !text.contains(' '));
        if marks.len() >= 3 && !text[marks.len()..].contains('`') {
            let info = text[marks.len()..].trim();
            match fences.last() {
                Some(open) if info.is_empty() && marks.starts_with(open.marks.as_str()) => {
                    drop(fences.pop());
                }
                Some(open) if open.is_code => push(&mut out, line),
                _ => fences.push(Fence {
                    marks,
                    is_code: !info.starts_with('{') && info != "mdx-code-block" || info.starts_with("{code"),
                    is_navigation: NAVIGATION.iter().any(|name| info.starts_with(name)),
                    item,
                }),
            }
            is_head = info.starts_with('{');
            begins_directive = is_head;
            is_yaml = false;
            continue;
        }
        // Options of a directive may be YAML, unless it has other options.
        let is_opened = std::mem::take(&mut begins_directive);
        if is_head && is_opened && text == "---" || is_yaml {
            is_yaml = !is_yaml || text != "---";
            is_head = false;
            let caption = text.split_once(':').filter(|(key, _)| matches!(*key, "caption" | "title" | "alt"));
            push(&mut prose, caption.map_or("", |(_, words)| words));
            continue;
        }
        if is_code {
            // Options of a directive, and the files that books include.
            is_head = is_head && text.starts_with(':');
            if is_head || text.starts_with("{{#") {
                continue;
            }
            let line = line.replace("{% raw %}", "").replace("{% endraw %}", "");
            let line = without(&without(&line, "{{% param", "%}}", 100), "{{< param", ">}}", 100);
            let code = line.split("[!code").next().unwrap_or_default();
            push(&mut out, code.split("highlight-").next().unwrap_or_default());
            continue;
        }
        // A reference to a page shows that page's title, and an include shows the text of another file.
        let tags = [
            ("<!--", "-->"),
            ("{/*", "*/}"),
            ("<script", "</script>"),
            ("<style", "</style>"),
            ("<include", "</include>"),
            ("{% comment", "endcomment"),
            ("{% content-ref", "endcontent-ref"),
        ];
        let of_loop = [("{% for", "endfor"), ("{%- for", "endfor"), ("{% unless", "endunless")];
        let of_loop = of_loop.iter().filter(|_| loops);
        if let Some((_, close)) = tags.iter().chain(of_loop).find(|(open, _)| text.starts_with(open)) {
            hidden = Some(*close).filter(|close| !line.contains(close));
            continue;
        }
        // Documentation of code has options.
        is_object = is_object && (line.is_empty() || line.starts_with(' '))
            || text.strip_prefix("::: ").is_some_and(|name| !name.trim().contains(' ') && names_code(name));
        if is_object || text.starts_with(".. ") && text.contains("::") {
            continue;
        }
        // The code of a component ends with the enclosing MDX fence.
        if let Some(fence) = fences.last_mut().filter(|_| text.starts_with("export ")) {
            fence.is_navigation = true;
            continue;
        }
        let begins_function = ["export const ", "export default ", "export function ", "export async "];
        is_function = begins_function.iter().any(|mark| line.starts_with(mark)) && line.ends_with(['{', '(']);
        if is_function {
            continue;
        }
        // Statements of MDX are not indented, in contrast to code in the attribute of a component.
        is_statement = (is_statement && !line.is_empty() && !ends_statement)
            || ["import ", "export "].iter().any(|mark| line.starts_with(mark))
            || ["--8<--", "<<< ", "{* ", "% "].iter().any(|mark| text.starts_with(mark));
        ends_statement = line.trim_end().ends_with(';');
        let is_contents = matches!(text.trim().to_lowercase().as_str(), "[[toc]]" | "[toc]" | "[[_toc_]]");
        let is_definition = text.starts_with('[') && !text.starts_with("[^") && text.contains("]:");
        let in_directive = is_head || !fences.is_empty();
        let is_option =
            in_directive && text.starts_with(':') && text[1..].contains(':') && !text.starts_with("::");
        begins_directive = text.trim_start_matches(':').starts_with('{') && text.starts_with(":::");
        is_head = is_option || begins_directive;
        // The address of a definition may be on the next line.
        let is_target = is_address || text.starts_with('(') && text.ends_with(")=");
        is_address = is_definition && text.ends_with("]:");
        let is_syntax =
            is_statement || is_definition || is_target || is_option || is_list_of_pages || is_contents;
        if !is_syntax {
            push(&mut prose, content(text));
        }
    }
    for name in ["iframe", "video", "audio"] {
        prose = without_media(&prose, name);
    }
    prose = without_targets(&prose);
    prose = without_roles(&prose);
    prose = without_mentions(&prose);
    for (open, close) in [
        ("<!--", "-->"),
        ("{/*", "*/}"),
        ("](<", ">"),
        ("{{<", ">}}"),
        ("{{%", "%}}"),
        ("{{", "}}"),
        ("{%", "%}"),
    ] {
        prose = without(&prose, open, close, MAX_SYNTAX);
    }
    prose = without_tags(&prose);
    for (open, close) in [("](", ")"), ("][", "]"), ("[!", "]"), ("[^", "]"), ("{", "}"), ("&", ";")] {
        prose = without(&prose, open, close, if open == "&" { 10 } else { MAX_SYNTAX });
    }
    // The language of inline code in MkDocs.
    out + &without_names(&without(&prose, "`#!", " ", 20))
}

/// Returns whether the name of a MkDocs block is that of documented code, or of a program that documents code.
fn names_code(name: &str) -> bool {
    name.contains(['.', '_']) || name.starts_with("mkdocs-")
}

/// Returns the text of an item after its number, which is derived from its position.
fn numbered(text: &str) -> Option<&str> {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = (1..=9).contains(&(text.len() - behind.len()));
    let marks = [". ", ") ", ".\t"];
    marks.iter().find_map(|mark| behind.strip_prefix(mark)).filter(|_| is_number)
}

/// Returns the text without table cells that refer to pages and files, which show the names of their targets.
fn without_targets(text: &str) -> String {
    let types = ["\"content-ref\"", "\"files\"", "\"image\""];
    let is_target = |head: &str| types.iter().any(|kind| head.contains(&format!("data-type={kind}")));
    let lines = text.lines().map(|line| {
        let Some((before, table)) = line.split_once("<table").filter(|(_, table)| is_target(table)) else {
            return line.to_owned();
        };
        let (heads, rows) = table.split_once("</thead>").unwrap_or(("", table));
        let heads: Vec<&str> = heads.split("<th").skip(2).collect();
        let rows = rows.split("<tr").map(|row| {
            let cells = row.split("<td").enumerate();
            let kept = cells.filter(|(at, _)| {
                !at.checked_sub(1).and_then(|at| heads.get(at)).is_some_and(|head| is_target(head))
            });
            kept.map(|(_, cell)| format!(" <td{cell}")).collect::<String>()
        });
        let heads = heads.iter().map(|head| format!("<th{head} "));
        format!("{before} {} {}", heads.collect::<String>(), rows.collect::<String>())
    });
    lines.map(|line| line + "\n").collect()
}

/// Returns the text without frames or videos, and without their fallback text.
fn without_media(text: &str, name: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(&format!("<{name}")) {
        out.push_str(before);
        out.push(' ');
        rest = match end_of_tag(behind) {
            Some(end) if behind[..end].ends_with('/') => &behind[end + 1..],
            Some(end) => match behind.split_once(&format!("</{name}>")) {
                Some((inside, after)) if inside.len() <= MAX_SYNTAX => after,
                _ => &behind[end + 1..],
            },
            None => behind,
        };
    }
    out + rest
}

/// Returns the columns before the text of a line.
fn columns(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// Returns the text without the targets of roles, which show titles.
fn without_roles(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("}`") {
        let name = before.rfind('{').map_or("", |at| &before[at..]);
        // Code may end with a brace, too: `{ a: 1 }`, `a {}`, `/{name}`, `{"a":1}`.
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '+');
        let is_role =
            name.strip_prefix('{').is_some_and(|name| !name.is_empty() && name.chars().all(is_name));
        let opens = before[..before.len() - name.len()].chars().next_back();
        let is_apart = opens.is_none_or(|c| c.is_whitespace() || "([*_\"'|>".contains(c));
        if !is_role || !is_apart {
            out.push_str(before);
            out.push_str("} ");
            rest = behind;
            continue;
        }
        let (inside, after) = behind.split_once('`').unwrap_or((behind, ""));
        out.push_str(before);
        out.push_str("} ");
        let name = format!("{{{}}}", name.rsplit([':', '{']).next().unwrap_or_default());
        let is_reference = REFERENCES.contains(&name.as_str());
        match inside.split_once(" <") {
            Some((words, _)) => out.push_str(words),
            None if is_reference => {}
            None => out.push_str(inside),
        }
        out.push(' ');
        rest = after;
    }
    out + rest
}

/// Returns the text without the text of mentions, which show the title of their page.
fn without_mentions(text: &str) -> String {
    let pieces: Vec<&str> = text.split("\"mention\")").collect();
    let (last, before) = pieces.split_last().unwrap_or((&"", &[]));
    let before = before.iter().map(|piece| piece.rsplit_once('[').map_or(*piece, |(before, _)| before));
    before.chain([*last]).collect::<Vec<_>>().join(" ")
}

/// Returns the text without tags. Values of attributes are quoted, or expressions between braces. Visible values of
/// components are kept.
fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        out.push(' ');
        rest = behind;
        let name = behind.strip_prefix('/').unwrap_or(behind);
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '>') {
            continue;
        }
        if let Some(end) = end_of_tag(behind) {
            let is_icon = name.split([' ', '\n', '/', '>']).next().is_some_and(|name| name.ends_with("Icon"));
            if name.starts_with(|c: char| c.is_ascii_uppercase()) && !is_icon {
                for attribute in SHOWN {
                    let value = behind[..end].split_once(&format!(" {attribute}=\""));
                    let value = value.or_else(|| behind[..end].split_once(&format!("\n{attribute}=\"")));
                    if let Some((_, value)) = value {
                        out.push_str(value.split('"').next().unwrap_or_default());
                        out.push(' ');
                    }
                }
            }
            rest = &behind[end + 1..];
        }
    }
    out + rest
}

/// Returns the position of the `>` that closes a tag.
fn end_of_tag(tag: &str) -> Option<usize> {
    let (mut quote, mut braces, mut before) = (None, 0_usize, ' ');
    for (at, character) in tag.char_indices().take_while(|(at, _)| *at < MAX_TAG) {
        // The second of two backslashes does not escape the next character.
        let is_escaped = before == '\\' && character == '\\';
        let last = std::mem::replace(&mut before, if is_escaped { ' ' } else { character });
        match (quote, character) {
            (Some(open), c) if c == open && last != '\\' => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') if braces > 0 || last == '=' => quote = Some(character),
            (None, '{') => braces += 1,
            (None, '}') => braces = braces.saturating_sub(1),
            (None, '>') if braces == 0 => return Some(at),
            (None, '\n') if braces == 0 && last == '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Returns the text without the names of icons and emoji between colons.
fn without_names(text: &str) -> String {
    let pieces: Vec<&str> = text.split(':').collect();
    let is_name = |piece: &str| {
        !piece.is_empty()
            && piece.chars().any(|c| c.is_ascii_lowercase())
            && piece.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_+-".contains(c))
    };
    let mut out = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        let has_both = at > 0 && at + 1 < pieces.len();
        // A word after a scheme, or in a path, is not a name.
        let is_apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        let around = has_both
            && is_apart(pieces[at - 1].chars().next_back())
            && is_apart(pieces[at + 1].chars().next());
        out.push_str(if around && is_name(piece) { "" } else { piece });
        out.push(' ');
    }
    out
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
    // The argument of a grid is its numbers of columns, the argument of others an address.
    let is_grid = kind.is_some_and(|kind| ADDRESSED.iter().any(|name| kind.starts_with(name)));
    // In MkDocs, only quoted text is a title; further words are classes.
    let is_quoted = ["!!!", "???"].iter().any(|mark| line.starts_with(mark));
    match kind.filter(|_| !is_grid) {
        _ if is_grid => "",
        Some(kind) if is_quoted => kind.split_once('"').map_or("", |(_, title)| title),
        // Options may follow the name of a directive.
        Some(kind) if kind.starts_with('{') => kind.split_once('}').map_or("", |(_, title)| title),
        Some(kind) => kind.split_once([' ', '[']).map_or("", |(_, title)| title),
        None if line.starts_with('|') && line.chars().all(|c| "|-: ".contains(c)) => "",
        None => line,
    }
}

/// Returns `text` without the stretches between `open` and `close` that have at most `most` bytes.
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
