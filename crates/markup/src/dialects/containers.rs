//! Blocks between lines of colons, the syntax of Docusaurus and VitePress.

use super::code::{Fence, code_lines};
use super::{Left, callout, push_indented};
use crate::limits::markdown::MAX_DIALECT_DEPTH;

/// The translation of a block: its beginning and its end.
pub(super) struct Container {
    pub(super) begin: String,
    pub(super) end: &'static str,
    /// True if each listing inside is a tab.
    pub(super) is_group: bool,
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
                let known = container(fence.info).filter(|known| columns == 0 && !known.is_group);
                match known.filter(|_| open.len() < MAX_DIALECT_DEPTH) {
                    Some(known) => {
                        out.push_str(&known.begin);
                        open.push((Some(known), 0));
                    }
                    None => push_line(&mut out, line),
                }
            }
            (Some(_), Closing::Closes) => match open.pop() {
                // The end gets the indentation of the beginning, even if the last line is indented into a list.
                Some((Some(known), opened)) => push_indented(&mut out, known.end, opened.min(columns)),
                Some((None, _)) => out.push('\n'),
                None => push_line(&mut out, line),
            },
            _ => {
                let in_group =
                    open.last().is_some_and(|(open, _)| open.as_ref().is_some_and(|open| open.is_group));
                if in_group || listing.is_some() {
                    tab_line(line, &mut listing, &mut out);
                } else {
                    push_line(&mut out, line);
                }
            }
        }
    }
    for (known, columns) in open.into_iter().rev() {
        push_indented(&mut out, known.map_or("", |known| known.end), columns);
    }
    out
}

/// Returns the words behind the name of a block without an equivalent, which is replaced by its content.
fn title_of_unknown(info: &str) -> String {
    let words = info.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let words = words.split('{').next().unwrap_or_default().trim();
    let words = words.strip_prefix('[').and_then(|words| words.strip_suffix(']')).unwrap_or(words);
    if words.is_empty() { "\n".to_owned() } else { format!("\n**{words}**\n\n") }
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
