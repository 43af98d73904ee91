//! Removal of syntax from prose.

/// Maximum number of characters of a tag, an address or an expression.
const MAX_SYNTAX: usize = 2_000;

/// Maximum number of characters of a tag, which may have the output of a program as an attribute.
const MAX_TAG: usize = 100_000;

/// Attributes of components whose values are visible.
const SHOWN: [&str; 3] = ["title", "label", "heading"];

/// Roles of MyST that show the title of their target.
const REFERENCES: [&str; 6] = ["{doc}", "{ref}", "{any}", "{numref}", "{download}", "{eq}"];

/// Returns prose without addresses, roles, tags, expressions and the names of icons.
pub(super) fn without_syntax(prose: &str) -> String {
    let mut prose = prose.to_owned();
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
    for (open, close) in [("](", ")"), ("][", "]"), ("[!", "]"), ("[^", "]")] {
        prose = without(&prose, open, close, MAX_SYNTAX);
    }
    prose = without(&without_expressions(&prose), "&", ";", 10);
    // The language of inline code in MkDocs.
    without_names(&without(&prose, "`#!", " ", 20))
}

/// Returns the text without expressions between braces. The quoted texts of a list stay, from which a page may compute
/// rows.
fn without_expressions(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        out.push(' ');
        let mut depth = 1_usize;
        let end = behind.char_indices().take_while(|(at, _)| *at < MAX_SYNTAX).find(|(_, c)| {
            depth = match c {
                '{' => depth + 1,
                '}' => depth - 1,
                _ => depth,
            };
            depth == 0
        });
        let inside = end.map_or("", |(at, _)| &behind[..at]);
        if inside.contains("\n\n") || end.is_none() {
            rest = behind;
            continue;
        }
        if inside.trim_start().starts_with('[') {
            let quoted = inside.split(['"', '\'']).skip(1).step_by(2);
            quoted.for_each(|words| out.extend([words, " "]));
        }
        rest = &behind[inside.len() + 1..];
    }
    out + rest
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
            // An apostrophe in the words of an element.
            (None, '\'') if last.is_alphanumeric() => {}
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

/// Returns `text` without the stretches between `open` and `close` that have at most `most` bytes.
pub(super) fn without(text: &str, open: &str, close: &str, most: usize) -> String {
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
            // Another pair may begin with the same characters.
            None => {
                out.push_str(open);
                rest = behind;
            }
        }
    }
    out + rest
}
