//! MkDocs with the extensions that its themes come with: Python-Markdown's admonitions and attribute lists, and those
//! of PyMdown.

use super::inline::{outside_code, replace_between};
use super::{Left, Translated, attributes, callout, code, dedented, indent, push_indented, translated};
use crate::limits::markdown::MAX_DIALECT_DEPTH;

/// Translates a page of MkDocs: `!!! note`, `??? tip`, `=== "Tab"`, attribute lists, keys, marked words and icons.
///
/// ```
/// let page = quire_markup::dialects::mkdocs("!!! warning \"Mind\"\n    The *gap*.\n");
/// assert_eq!(page.text, "{% hint style=\"warning\" %}\n**Mind**\n\nThe *gap*.\n{% endhint %}\n");
/// ```
#[must_use]
pub fn mkdocs(text: &str) -> Translated {
    translated(text, |body, left| {
        let lines: Vec<&str> = body.lines().collect();
        blocks(&lines, 0, left)
    })
}

/// A line that begins a block whose content is indented below it.
struct Block<'t> {
    mark: &'t str,
    kind: &'t str,
    title: Option<&'t str>,
}

impl<'t> Block<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let text = line.trim();
        let marks = ["!!!", "???+", "???", "===!", "===+", "==="];
        let mark = marks.into_iter().find(|mark| text.starts_with(mark))?;
        let rest = text.get(mark.len()..)?.trim();
        let (kind, title) = match rest.find(['"', '\'']) {
            Some(at) => rest.split_at_checked(at).map(|(kind, title)| (kind, callout::unquoted(title)))?,
            None => (rest, None),
        };
        // Further words are classes.
        let kind = kind.split_whitespace().next().unwrap_or_default();
        let is_name = kind.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let is_block =
            if mark.starts_with('=') { title.is_some() && kind.is_empty() } else { !rest.is_empty() };
        (is_block && is_name).then_some(Self { mark, kind, title })
    }

    fn is_tab(&self) -> bool {
        self.mark.starts_with('=')
    }

    /// Returns the block around its content.
    fn build(&self, content: &str, left: &mut Left) -> String {
        if self.is_tab() {
            return callout::tab(self.title.unwrap_or_default(), content);
        }
        let capitalized = || {
            let mut letters = self.kind.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters).collect::<String>()
        };
        let style = callout::style(self.kind);
        if self.mark.starts_with('?') {
            let title = self.title.map_or_else(capitalized, str::to_owned);
            return callout::details(&title, self.mark == "???+", content);
        }
        if style.is_none() {
            left.add(&format!("!!! {}", self.kind));
        }
        // A custom kind has no style, so its name becomes the title.
        let title = self
            .title
            .map_or_else(|| if style.is_none() { capitalized() } else { String::new() }, str::to_owned);
        callout::hint(style.unwrap_or("info"), &title, content)
    }
}

fn blocks(lines: &[&str], depth: usize, left: &mut Left) -> String {
    let is_code = code::code_lines(lines);
    let mut out = String::new();
    let mut at = 0;
    let mut open_tabs: Option<usize> = None;
    while let Some(line) = lines.get(at) {
        let columns = indent(line);
        let is_prose = !is_code.get(at).copied().unwrap_or_default();
        let block = Block::of(line).filter(|_| is_prose && depth < MAX_DIALECT_DEPTH);
        let content =
            block.as_ref().map_or(0, |_| content_length(lines.get(at + 1..).unwrap_or_default(), columns));
        let is_tab = block.as_ref().is_some_and(|block| block.is_tab() && content > 0);
        let is_blank = line.trim().is_empty();
        if let Some(indent) = open_tabs.filter(|indent| !(is_blank || is_tab && *indent == columns)) {
            push_indented(&mut out, "{% endtabs %}\n\n", indent);
            open_tabs = None;
        }
        let Some(block) = block.filter(|block| content > 0 || !block.is_tab()) else {
            if !(is_blank && open_tabs.is_some()) {
                out.push_str(&if is_prose { prose(line, left) } else { (*line).to_owned() });
                out.push('\n');
            }
            at += 1;
            continue;
        };
        if block.mark == "!!!"
            && content == 0
            && block.title.is_none()
            && callout::style(block.kind).is_none()
        {
            out.push_str(line);
            out.push('\n');
            at += 1;
            continue;
        }
        let inner: Vec<&str> =
            lines.iter().skip(at + 1).take(content).map(|line| dedented(line, columns + 4)).collect();
        let inner = blocks(&inner, depth + 1, left);
        if is_tab && open_tabs.is_none() {
            push_indented(&mut out, "{% tabs %}\n", columns);
            open_tabs = Some(columns);
        }
        push_indented(&mut out, &block.build(&inner, left), columns);
        at += 1 + content;
    }
    if let Some(indent) = open_tabs {
        push_indented(&mut out, "{% endtabs %}\n", indent);
    }
    out
}

/// Returns the number of lines in a block at `columns`: the lines indented below it, without trailing empty lines.
fn content_length(lines: &[&str], columns: usize) -> usize {
    let is_inside = |line: &&&str| line.trim().is_empty() || indent(line) >= columns + 4;
    let inside = lines.iter().take_while(is_inside).count();
    let blank = lines.iter().take(inside).rev().take_while(|line| line.trim().is_empty()).count();
    inside - blank
}

/// A line of text.
fn prose(line: &str, left: &mut Left) -> String {
    let text = line.trim();
    if text.eq_ignore_ascii_case("[toc]") {
        return String::new();
    }
    if text.starts_with("*[") && text.contains("]:") {
        left.add("*[abbreviation]:");
    }
    let is_heading = text.starts_with('#');
    outside_code(line, |piece, out| {
        let piece = attributes::without(piece, is_heading);
        let piece = replace_between(&piece, "++", "++", keys);
        let piece = replace_between(&piece, "==", "==", |marked| {
            let is_word = !marked.is_empty() && marked.trim() == marked && !marked.contains('=');
            is_word.then(|| format!("<mark>{marked}</mark>"))
        });
        out.push_str(&icons(&piece, left));
    })
}

/// Returns a key combination as `<kbd>` elements.
fn keys(inside: &str) -> Option<String> {
    let is_key = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let keys: Vec<&str> = inside.split('+').collect();
    let name = |key: &&str| callout::unquoted(key).unwrap_or(key).to_owned();
    keys.iter().all(|key| is_key(key) || callout::unquoted(key).is_some()).then(|| {
        let keys: Vec<String> = keys.iter().map(|key| format!("<kbd>{}</kbd>", name(key))).collect();
        keys.join("+")
    })
}

/// Removes theme icons, which have no equivalent here.
fn icons(text: &str, left: &mut Left) -> String {
    const SETS: [&str; 4] = ["material-", "octicons-", "fontawesome-", "simple-"];
    replace_between(text, ":", ":", |name| {
        let is_icon = SETS.iter().any(|set| name.starts_with(set))
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        is_icon.then(|| {
            left.add(&format!(":{name}:"));
            String::new()
        })
    })
}
