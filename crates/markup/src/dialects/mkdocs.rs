//! MkDocs with the extensions of its themes: admonitions and attribute lists of Python-Markdown, and the extensions of
//! PyMdown.

use super::definitions::definitions;
use super::inline::{formulas, outside_code, replace_between};
use super::md_in_html::md_in_html;
use super::templates::without_templates;
use super::{Left, Translated, attributes, callout, code, dedented, indent, push_indented, translated};
use crate::limits::markdown::MAX_DIALECT_DEPTH;
use crate::markdown::escaped;

/// Extensions that a site of MkDocs may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MkDocsOptions {
    /// Formulas between `\\(` and `\\)`, or between single dollar signs.
    pub has_math: bool,
    /// Templates that a plugin evaluates: `{% if x %}`, `{{ x }}`.
    pub has_templates: bool,
}

/// Translates a page of MkDocs: `!!! note`, `??? tip`, `=== "Tab"`, `/// note`, definition lists, Markdown in HTML,
/// attribute lists, abbreviations, keys, marked words and icons.
///
/// ```
/// use quire_markup::dialects::{MkDocsOptions, mkdocs};
/// let page = mkdocs("!!! warning \"Mind\"\n    The *gap*.\n", MkDocsOptions::default());
/// assert_eq!(page.text, "{% hint style=\"warning\" %}\n**Mind**\n\nThe *gap*.\n{% endhint %}\n");
/// ```
#[must_use]
pub fn mkdocs(text: &str, options: MkDocsOptions) -> Translated {
    translated(text, |body, left| {
        let body =
            if options.has_templates { without_templates(body, &|_| false, left) } else { body.to_owned() };
        let body = if options.has_math { formulas(&slashed_formulas(&body)) } else { body };
        let body = md_in_html(&definitions(&abbreviations(&body)));
        let lines: Vec<&str> = body.lines().collect();
        blocks(&lines, 0, left)
    })
}

/// Converts formulas between `\\(` and `\\)`, or `\\[` and `\\]`, to dollar signs.
fn slashed_formulas(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code::code_lines(&lines);
    let line = |(line, is_code): (&&str, bool)| {
        if is_code {
            return format!("{line}\n");
        }
        let line = outside_code(line, |piece, out| {
            let piece = replace_between(piece, "\\(", "\\)", |inside| Some(format!("$${inside}$$")));
            out.push_str(&piece.replace("\\[", "$$").replace("\\]", "$$"));
        });
        format!("{line}\n")
    };
    lines.iter().zip(is_code).map(line).collect()
}

/// Maximum number of abbreviations of a page.
const MAX_ABBREVIATIONS: usize = 200;

/// Removes the definitions of abbreviations (`*[HTML]: …`) and annotates the first use of each.
fn abbreviations(text: &str) -> String {
    if !text.contains("*[") {
        return text.to_owned();
    }
    let definition = |line: &str| {
        let (name, words) = line.trim().strip_prefix("*[")?.split_once("]:")?;
        (!name.is_empty() && !name.contains('[')).then(|| (name.to_owned(), words.trim().to_owned()))
    };
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code::code_lines(&lines);
    let prose = || lines.iter().zip(&is_code).filter(|(_, is_code)| !**is_code).map(|(line, _)| *line);
    let mut known: Vec<(String, String)> = prose().filter_map(definition).take(MAX_ABBREVIATIONS).collect();
    let mut used: Vec<String> = Vec::new();
    let mut out = String::with_capacity(text.len());
    for (line, is_code) in lines.iter().zip(&is_code) {
        if *is_code {
            out.push_str(line);
        } else if definition(line).is_some() {
            continue;
        } else if line.trim_start().starts_with(['#', '|', '!', '=', '?', '/', '<', ':', '[']) {
            out.push_str(line);
        } else {
            out.push_str(&annotated(line, &mut known, &mut used));
        }
        out.push('\n');
    }
    for (number, words) in (1..).zip(used) {
        out.push_str(&format!("\n[^abbreviation-{number}]: {}\n", escaped(&words)));
    }
    out
}

/// Annotates the abbreviations in a line. Moves their definitions from `known` to `used`.
fn annotated(line: &str, known: &mut Vec<(String, String)>, used: &mut Vec<String>) -> String {
    outside_code(line, |piece, out| {
        // A link, an element or an address may contain the word.
        if piece.contains(['[', '<', '{']) || piece.contains("://") {
            return out.push_str(piece);
        }
        let found: Vec<(String, String)> =
            known.extract_if(.., |(name, _)| word_at(piece, name).is_some()).collect();
        let mut piece = piece.to_owned();
        let mut notes = Vec::new();
        for (name, words) in found {
            let Some(at) = word_at(&piece, &name) else { continue };
            used.push(words);
            // The notes are inserted last, since they may contain other abbreviations.
            let mark = format!("{GONE}{}{GONE}", used.len());
            piece.replace_range(at..at + name.len(), &mark);
            let number = used.len();
            let note = format!("[{name}](#user-content-fn-abbreviation-{number})[^abbreviation-{number}]");
            notes.push((mark, note));
        }
        for (mark, note) in notes {
            piece = piece.replacen(&mark, &note, 1);
        }
        out.push_str(&piece);
    })
}

/// Returns the position of a whole word.
fn word_at(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|behind| behind.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !behind.is_some_and(char::is_alphanumeric)
    })
}

/// Returns the object whose documentation a line of mkdocstrings includes: `::: package.Class`.
fn included_object(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix("::: ")?.trim();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | ':' | '/' | '-');
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// A block of PyMdown between lines of slashes: `/// note | Title` … `///`.
struct Slashed<'t> {
    slashes: usize,
    kind: &'t str,
    title: Option<&'t str>,
}

impl<'t> Slashed<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let text = line.trim();
        let rest = text.trim_start_matches('/');
        let slashes = text.len() - rest.len();
        let (kind, title) =
            rest.split_once('|').map_or((rest, None), |(kind, title)| (kind, Some(title.trim())));
        let kind = kind.trim();
        let is_name =
            !kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        (slashes >= 3 && is_name && rest.starts_with(' ')).then_some(Self { slashes, kind, title })
    }

    /// Returns the number of lines before the end of the block.
    fn length(&self, lines: &[&str]) -> Option<usize> {
        lines.iter().position(|line| {
            let text = line.trim();
            text.len() == self.slashes && text.chars().all(|c| c == '/')
        })
    }

    /// Returns the block around its content. Options are indented below the first line.
    fn build(&self, lines: &[&str], depth: usize, left: &mut Left) -> String {
        let is_option = |line: &&&str| indent(line) >= 4 && line.contains(':');
        let options: Vec<&str> = lines.iter().take_while(is_option).map(|line| line.trim()).collect();
        let option = |name: &str| {
            let found =
                options.iter().filter_map(|line| line.split_once(':')).find(|(key, _)| key.trim() == name);
            found.map(|(_, value)| value.trim().trim_matches(['"', '\'']))
        };
        let inner = lines.get(options.len()..).unwrap_or_default();
        let content = blocks(inner, depth + 1, left);
        let title = self.title.filter(|title| !title.is_empty());
        match self.kind {
            "tab" => callout::tab(title.unwrap_or("Tab"), &content),
            "details" => {
                let is_open = option("open").is_some_and(|open| open.eq_ignore_ascii_case("true"));
                callout::details(&super::inline::html(title.unwrap_or("Details")), is_open, &content)
            }
            "html" | "define" | "definition" => content,
            "caption" | "figure-caption" | "table-caption" => format!("*{}*\n", content.trim()),
            kind => {
                let kind = option("type").unwrap_or(kind);
                let style = callout::style(kind);
                if style.is_none() {
                    left.add(&format!("/// {kind}"));
                }
                callout::hint(style.unwrap_or("info"), title.unwrap_or_default(), &content)
            }
        }
    }
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
            return callout::details(&super::inline::html(&title), self.mark == "???+", content);
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
        let slashed = Slashed::of(line).filter(|_| is_prose && depth < MAX_DIALECT_DEPTH);
        let slashed = slashed.and_then(|block| {
            let length = block.length(lines.get(at + 1..).unwrap_or_default())?;
            Some((block, length))
        });
        if let Some((block, length)) = slashed {
            let inner: Vec<&str> =
                lines.iter().skip(at + 1).take(length).map(|line| dedented(line, columns)).collect();
            let is_tab = block.kind == "tab";
            if let Some(indent) = open_tabs.filter(|indent| !is_tab || *indent != columns) {
                push_indented(&mut out, "{% endtabs %}\n\n", indent);
                open_tabs = None;
            }
            if is_tab && open_tabs.is_none() {
                push_indented(&mut out, "{% tabs %}\n", columns);
                open_tabs = Some(columns);
            }
            push_indented(&mut out, &block.build(&inner, depth, left), columns);
            at += length + 2;
            continue;
        }
        if let Some(name) = included_object(line).filter(|_| is_prose) {
            left.add("::: object");
            push_indented(&mut out, &format!("\n`{name}`\n\n"), columns);
            // Options are indented below it.
            at += 1 + content_length(lines.get(at + 1..).unwrap_or_default(), columns);
            continue;
        }
        let block = Block::of(line).filter(|_| is_prose && depth < MAX_DIALECT_DEPTH);
        let content =
            block.as_ref().map_or(0, |_| content_length(lines.get(at + 1..).unwrap_or_default(), columns));
        let is_tab = block.as_ref().is_some_and(Block::is_tab);
        let is_blank = line.trim().is_empty();
        if let Some(indent) = open_tabs.filter(|indent| !(is_blank || is_tab && *indent == columns)) {
            push_indented(&mut out, "{% endtabs %}\n\n", indent);
            open_tabs = None;
        }
        let Some(block) = block else {
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
        let inner = code::closed(blocks(&inner, depth + 1, left));
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
    let is_heading = text.starts_with('#');
    if line.contains("{ width=") || line.contains("{width=") {
        left.add("{ width=… }");
    }
    let line = without_languages(&themed(line));
    outside_code(&line, |piece, out| {
        let piece = attributes::without(piece, is_heading);
        let piece = scripts(&edits(&piece, left));
        let piece = replace_between(&piece, "++", "++", keys);
        let piece = replace_between(&piece, "==", "==", |marked| {
            let is_word = !marked.is_empty() && marked.trim() == marked && !marked.contains('=');
            is_word.then(|| format!("<mark>{marked}</mark>"))
        });
        out.push_str(&icons(&piece, left));
    })
}

/// Removes the languages from the code spans of a line: `` `#!python f()` ``.
fn without_languages(line: &str) -> String {
    if !line.contains("`#!") {
        return line.to_owned();
    }
    replace_between(line, "`#!", "`", |inside| {
        let (language, code) = inside.split_once(' ')?;
        let is_name =
            !language.is_empty() && language.chars().all(|c| c.is_ascii_alphanumeric() || "-+".contains(c));
        is_name.then(|| format!("`{code}`"))
    })
}

/// Merges two images for light and dark color schemes into one picture.
fn themed(line: &str) -> String {
    const DARK: [&str; 2] = ["#only-dark", "#gh-dark-mode-only"];
    const LIGHT: [&str; 2] = ["#only-light", "#gh-light-mode-only"];
    let images = |marks: [&str; 2]| {
        let mut rest = line;
        while let Some((_, behind)) = rest.split_once("![") {
            rest = behind;
            let Some((alt, address)) = behind.split_once("](") else { continue };
            let Some((address, _)) = address.split_once(')') else { continue };
            if let Some(plain) = marks.iter().find_map(|mark| address.strip_suffix(mark)) {
                return Some((format!("![{alt}]({address})"), alt, plain));
            }
        }
        None
    };
    let (Some((light, alt, source)), Some((dark, _, other))) = (images(LIGHT), images(DARK)) else {
        return line.to_owned();
    };
    let media = "(prefers-color-scheme: dark)";
    let picture = format!(
        "<picture><source srcset=\"{other}\" media=\"{media}\"><img src=\"{source}\" alt=\"{alt}\"></picture>"
    );
    line.replacen(&light, &picture, 1).replacen(&dark, "", 1)
}

/// Converts the marks of edits: `{++added++}`, `{--removed--}`, `{~~old~>new~~}`, `{==marked==}`.
fn edits(text: &str, left: &mut Left) -> String {
    if !text.contains("{+")
        && !text.contains("{-")
        && !text.contains("{~")
        && !text.contains("{=")
        && !text.contains("{>")
    {
        return text.to_owned();
    }
    let text = replace_between(text, "{++", "++}", |inside| Some(inside.to_owned()));
    let text = replace_between(&text, "{--", "--}", |inside| Some(format!("~~{inside}~~")));
    let text = replace_between(&text, "{~~", "~~}", |inside| {
        let (old, new) = inside.split_once("~>")?;
        Some(format!("~~{old}~~{new}"))
    });
    let text = replace_between(&text, "{==", "==}", |inside| Some(format!("<mark>{inside}</mark>")));
    replace_between(&text, "{>>", "<<}", |_| {
        left.add("{>> comment <<}");
        Some(String::new())
    })
}

/// Converts `H~2~O`, `x^2^` and `^^inserted^^` to elements. Other single tildes are text.
fn scripts(text: &str) -> String {
    let text = replace_between(text, "^^", "^^", |inside| {
        let is_word = !inside.is_empty() && inside.trim() == inside;
        is_word.then(|| format!("<ins>{inside}</ins>"))
    });
    let is_script =
        |inside: &str| !inside.is_empty() && !inside.contains(char::is_whitespace) && inside.len() <= 40;
    let text = replace_between(&text, "^", "^", |inside| {
        (is_script(inside) && !inside.contains(['[', ']'])).then(|| format!("<sup>{inside}</sup>"))
    });
    tildes(&text, is_script)
}

fn tildes(text: &str, is_script: impl Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('~') {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let marks = from.len() - from.trim_start_matches('~').len();
        let behind = from.get(marks..).unwrap_or_default();
        // Tildes in a range of numbers are not a subscript.
        let after_digit = before.ends_with(|c: char| c.is_ascii_digit());
        match behind.split_once('~').filter(|(inside, after)| {
            marks == 1 && !after_digit && is_script(inside) && inside.is_ascii() && !after.starts_with('~')
        }) {
            Some((inside, after)) => {
                out.push_str(&format!("<sub>{inside}</sub>"));
                rest = after;
            }
            None => {
                let escaped = marks == 1 && !before.ends_with('\\');
                out.push_str(if escaped { "\\~" } else { from.get(..marks).unwrap_or_default() });
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
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
    let mut removed = false;
    let text = replace_between(text, ":", ":", |name| {
        let is_icon = SETS.iter().any(|set| name.starts_with(set))
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        is_icon.then(|| {
            left.add(&format!(":{name}:"));
            removed = true;
            GONE.to_string()
        })
    });
    if !removed {
        return text;
    }
    // The space after an icon is removed too, since it would move the column of an item's content.
    text.replace(&format!("{GONE} "), "").replace(GONE, "")
}

/// Placeholder for an icon that was removed.
const GONE: char = '\u{fdd0}';
