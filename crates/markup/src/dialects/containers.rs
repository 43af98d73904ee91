//! Blocks between lines of colons, the syntax of Docusaurus and VitePress.

use super::code::{Fence, code_lines};
use super::{Left, callout, push_indented};
use crate::limits::markdown::MAX_DIALECT_DEPTH;

/// The translation of a block: its beginning and its end.
pub(super) struct Container {
    pub(super) begin: String,
    pub(super) end: &'static str,
    pub(super) tabs: Tabs,
}

/// Division of a block into tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tabs {
    /// No tabs.
    Never,
    /// Each listing is a tab.
    ByListing,
    /// A line `@tab Title` or `== Title` begins a tab.
    ByMark,
}

/// Translates the blocks that `container` recognizes by the text after their colons. Unknown blocks are replaced by
/// their title and their content. A block without an end ends with the text.
pub(super) fn containers(
    text: &str,
    left: &mut Left,
    container: impl Fn(&str) -> Option<Container>,
) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let fence = |at: usize| {
        let line = lines.get(at).filter(|_| !is_code.get(at).copied().unwrap_or_default());
        line.and_then(|line| Fence::opens(line)).filter(|fence| fence.mark == ':')
    };
    let closings = closings((0..lines.len()).map(&fence));
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<(Option<Container>, usize)> = Vec::new();
    let mut listing: Option<Fence<'_>> = None;
    // Open tabs: the number of blocks around each, and the column of its mark.
    let mut marked: Vec<(usize, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let closing = closings.get(at).copied().unwrap_or_default();
        let columns = super::indent(line);
        match (fence(at), closing) {
            (Some(fence), Closing::ClosedLater) => {
                let known = container(fence.info).filter(|_| open.len() < MAX_DIALECT_DEPTH);
                match &known {
                    Some(known) => push_indented(&mut out, &known.begin, columns),
                    None => {
                        left.add(line);
                        push_indented(&mut out, &title_of_unknown(fence.info), columns);
                    }
                }
                open.push((known, columns));
            }
            (Some(fence), Closing::NeverClosed) => {
                let known = container(fence.info).filter(|known| columns == 0 && known.tabs == Tabs::Never);
                match known.filter(|_| open.len() < MAX_DIALECT_DEPTH) {
                    Some(known) => {
                        out.push_str(&known.begin);
                        open.push((Some(known), 0));
                    }
                    None if columns == 0 && fence.info.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                        left.add(line);
                        push_line(&mut out, words_of_unknown(fence.info).trim_end_matches(':').trim_end());
                    }
                    None => push_line(&mut out, line),
                }
            }
            (Some(_), Closing::Closes) => match open.pop() {
                // The end gets the indentation of the beginning, even if the last line is indented into a list.
                Some((Some(known), opened)) => {
                    end_tab(marked.pop_if(|(depth, _)| *depth > open.len()), &mut out);
                    push_indented(&mut out, known.end, opened.min(columns));
                }
                Some((None, _)) => out.push('\n'),
                None => push_line(&mut out, line),
            },
            _ => {
                let tabs = open.last().and_then(|(open, _)| open.as_ref()).map(|open| open.tabs);
                let mark = tab_mark(line)
                    .filter(|_| tabs == Some(Tabs::ByMark) && !is_code.get(at).copied().unwrap_or_default());
                if let Some(title) = mark {
                    end_tab(marked.pop_if(|(depth, _)| *depth >= open.len()), &mut out);
                    marked.push((open.len(), columns));
                    push_indented(&mut out, &callout::tab_begin(title), columns);
                } else if tabs == Some(Tabs::ByListing) || listing.is_some() {
                    tab_line(line, &mut listing, &mut out);
                } else {
                    push_line(&mut out, line);
                }
            }
        }
    }
    while let Some((known, columns)) = open.pop() {
        end_tab(marked.pop_if(|(depth, _)| *depth > open.len()), &mut out);
        push_indented(&mut out, known.map_or("", |known| known.end), columns);
    }
    out
}

/// Returns the words behind the name of a block without an equivalent, which is replaced by its content.
fn title_of_unknown(info: &str) -> String {
    let words = words_of_unknown(info);
    if words.is_empty() { "\n".to_owned() } else { format!("\n**{words}**\n\n") }
}

/// Splits a title into its words and the attributes at its end: `Title {#id .class}`. Code may end with a brace, too.
pub(super) fn split_attributes(title: &str) -> (&str, &str) {
    let list = title.trim_end().strip_suffix('}').and_then(|title| title.rsplit_once('{'));
    let is_list = |(words, list): &(&str, &str)| {
        (words.is_empty() || words.ends_with(char::is_whitespace)) && !list.is_empty() && !list.contains('`')
    };
    list.filter(is_list).unwrap_or((title, ""))
}

fn words_of_unknown(info: &str) -> &str {
    let words = info.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let words = split_attributes(words).0.trim();
    words.strip_prefix('[').and_then(|words| words.strip_suffix(']')).unwrap_or(words)
}

/// Returns the title of a line that begins a tab: `@tab:active Title#id` in VuePress, `== Title` in a plugin of
/// VitePress.
fn tab_mark(line: &str) -> Option<&str> {
    if let Some(title) = line.trim_end().strip_prefix("== ") {
        return Some(title.trim());
    }
    let rest = line.trim().strip_prefix("@tab")?;
    let rest = rest.strip_prefix(":active").unwrap_or(rest);
    let whole = rest.strip_prefix(' ').or_else(|| rest.is_empty().then_some(rest))?.trim();
    Some(whole.rsplit_once('#').map_or(whole, |(title, id)| {
        let is_id = !id.is_empty() && !id.contains(char::is_whitespace);
        if is_id && !title.trim().is_empty() { title.trim_end() } else { whole }
    }))
}

/// Writes the end of a tab at its column.
fn end_tab(tab: Option<(usize, usize)>, out: &mut String) {
    if let Some((_, columns)) = tab {
        push_indented(out, "{% endtab %}\n", columns);
    }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// The role of a line in a block.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Closing {
    #[default]
    Neither,
    ClosedLater,
    NeverClosed,
    Closes,
}

/// Returns for each line whether it opens or closes a block. The closing line needs at least as many colons.
fn closings<'t>(fences: impl Iterator<Item = Option<Fence<'t>>>) -> Vec<Closing> {
    let mut found: Vec<Closing> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, fence) in fences.enumerate() {
        found.push(Closing::Neither);
        match fence {
            Some(fence) if fence.info.is_empty() => {
                if let Some((opened, _)) = open.pop_if(|(_, length)| *length <= fence.length) {
                    for (line, closing) in [(opened, Closing::ClosedLater), (at, Closing::Closes)] {
                        if let Some(slot) = found.get_mut(line) {
                            *slot = closing;
                        }
                    }
                }
            }
            Some(fence) => open.push((at, fence.length)),
            None => {}
        }
    }
    for (opened, _) in open {
        if let Some(slot) = found.get_mut(opened) {
            *slot = Closing::NeverClosed;
        }
    }
    found
}

/// Returns the tabs of the listings in a text.
pub(super) fn listing_tabs(text: &str) -> String {
    let mut listing = None;
    let mut out = "{% tabs %}\n".to_owned();
    text.lines().for_each(|line| tab_line(line, &mut listing, &mut out));
    out + "{% endtabs %}\n"
}

/// Adds a line of a group of listings. Each listing is wrapped in a tab named by its label.
fn tab_line<'t>(line: &'t str, listing: &mut Option<Fence<'t>>, out: &mut String) {
    match listing {
        Some(open) if open.is_closed_by(line) => {
            let open = *open;
            *listing = None;
            push_line(out, line);
            push_indented(out, "{% endtab %}\n", open.indent);
        }
        Some(_) => push_line(out, line),
        None => {
            let Some(fence) = Fence::opens(line) else { return push_line(out, line) };
            let label = fence.info.rsplit_once('[').and_then(|(_, label)| label.strip_suffix(']'));
            let language = fence.info.split(['[', '{', ':', ' ']).next().unwrap_or_default();
            let line = match label {
                Some(_) => line.rsplit_once('[').map_or(line, |(line, _)| line.trim_end()),
                None => line,
            };
            push_indented(out, &callout::tab_begin(label.unwrap_or(language)), fence.indent);
            push_line(out, line);
            *listing = Some(fence);
        }
    }
}
