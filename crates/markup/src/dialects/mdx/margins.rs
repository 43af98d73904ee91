//! Indentation of the content of elements.

use super::super::code::Fence;
use super::super::{dedented, indent};

/// Removes the common indentation of lines. The first line may directly follow a tag, so it only counts if the others
/// are not indented further.
pub(super) fn without_indent(text: &str) -> String {
    let columns = |line: &&str| indent(line);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let shared = lines.filter(|line| !line.trim().is_empty()).map(|line| columns(&line)).min();
    let Some(shared) = shared else { return format!("{}\n", first.trim_start()) };
    let first = if first.trim().is_empty() { "" } else { dedented(first, indent(first)) };
    let rest = text.lines().skip(1).flat_map(|line| ["\n", dedented(line, shared)]);
    std::iter::once(first).chain(rest).chain(["\n"]).collect()
}

/// Removes the indentation of lines that would be indented code, which MDX does not have. Such lines move to the column
/// of the surrounding content.
pub(super) fn without_indented_code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut items: Vec<usize> = Vec::new();
    let (mut after_blank, mut in_paragraph) = (true, false);
    let mut fence: Option<(Fence<'_>, usize)> = None;
    for line in text.lines() {
        if let Some((open, moved)) = fence {
            out.push_str(dedented(line, moved));
            out.push('\n');
            if open.is_closed_by(line) {
                fence = None;
            }
            continue;
        }
        if line.trim().is_empty() {
            (after_blank, in_paragraph) = (true, false);
            out.push('\n');
            continue;
        }
        let mut columns = indent(line);
        let item = |columns| super::super::code::item_content(line, columns);
        if after_blank || item(columns).is_some() {
            items.retain(|content| *content <= columns);
        }
        let inside = items.last().copied().unwrap_or_default();
        // A tag of a block ends a paragraph.
        let is_tag = line.trim_start().starts_with("{%");
        let is_apart = !in_paragraph || is_tag;
        let moved = if columns >= inside + 4 && is_apart { columns - inside } else { 0 };
        columns -= moved;
        items.extend(item(columns));
        let rest = dedented(line, moved);
        if let Some(opens) = Fence::begins(line).filter(|fence| fence.mark != ':') {
            fence = Some((opens, moved));
            in_paragraph = false;
        } else {
            in_paragraph = !rest.trim_start().starts_with(['#', '<', '|']) && !is_tag;
        }
        after_blank = false;
        out.push_str(rest);
        out.push('\n');
    }
    out
}
