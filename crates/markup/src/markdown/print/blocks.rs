//! Printer of blocks as Markdown.

use super::Printer;
use super::escape;
use super::html::highlighted_listing;
use super::inlines::{html_math, image_comment, inline_properties, is_blank};
use super::properties;
use super::simple::is_empty_paragraph;
use crate::document::{Block, BlockKind, Children, Inline, InlineKind};
use crate::headings;
use crate::limits::markdown::MAX_LIST_START;
use crate::markdown::{heading_id, tags};
use crate::marks::{Step, steps};
use crate::text::{inline_text, plain_block_text};

/// Context of a sequence of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockContext {
    /// Document, or a container with lines of its own.
    Top,
    /// Item, with its bullet if it has one.
    Item(Option<char>),
}

impl<'d> Printer<'d> {
    /// Writes blocks with blank lines between them, without a trailing line feed.
    pub(super) fn blocks(&self, blocks: &'d [Block], context: BlockContext) -> String {
        let is_tight = context != BlockContext::Top && !is_spread(blocks);
        let mut out = String::new();
        let mut previous: Option<(&Block, char)> = None;
        let mut following = blocks.iter().peekable();
        while let Some(block) = following.next() {
            let first = previous.is_none();
            let mut comments = String::new();
            // Two consecutive lists need different markers.
            let before = previous.filter(|(before, _)| is_same_list(before, block)).map(|(_, marker)| marker);
            let marker = marker(block, before, context, first);
            let mut text = self.block(block, marker, first && context == BlockContext::Item(Some('*')));
            if let Some(caption) = following.next_if(|next| is_captioned(block) && is_caption(next)) {
                let end = tags::write(&format!("end{}", block.kind.as_str()), &[]);
                text = format!("{text}\n{}\n{end}", self.paragraph(caption));
            }
            for comment in properties::comments(block, &text) {
                comments.push_str(&comment);
                comments.push('\n');
            }
            if !first {
                out.push_str(if is_tight { "\n" } else { "\n\n" });
            }
            out.push_str(&comments);
            out.push_str(&text);
            previous = Some((block, marker));
        }
        out
    }

    /// Writes one block. `after_star` is true for a block directly after the bullet `*`.
    fn block(&self, block: &'d Block, marker: char, after_star: bool) -> String {
        match block.kind {
            BlockKind::Paragraph => self.paragraph(block),
            BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3 => self.heading(block),
            BlockKind::ListOrdered | BlockKind::ListUnordered | BlockKind::ListTasks | BlockKind::Images
                if block.child_blocks().is_empty() =>
            {
                self.html_element(block)
            }
            BlockKind::ListOrdered | BlockKind::ListUnordered | BlockKind::ListTasks => {
                self.list(block, marker)
            }
            // Three stars after a bullet `*` would be read as one divider.
            BlockKind::Divider => if after_star { "---" } else { "***" }.to_owned(),
            BlockKind::Blockquote => quote(&self.blocks(block.child_blocks(), BlockContext::Top)),
            BlockKind::Code if !properties::is_plain_listing(block) => self.html_element(block),
            BlockKind::Code if let Some(listing) = highlighted_listing(block) => listing,
            BlockKind::Code => self.code(block),
            BlockKind::Math => math(block.str("formula").unwrap_or_default()),
            BlockKind::Images => self.html_images(block, ""),
            BlockKind::Image => self.figure(block),
            BlockKind::Table => self.table(block),
            BlockKind::Expandable => self.expandable(block),
            BlockKind::ListItem => self.blocks(block.child_blocks(), BlockContext::Top),
            BlockKind::CodeLine => inline_text(block.child_inlines()),
            _ => self.tag_block(block),
        }
    }

    fn paragraph(&self, block: &'d Block) -> String {
        match block.str("align").and_then(html_align) {
            Some(align) => {
                format!("<p align=\"{align}\">{}</p>", self.html_inlines(block.child_inlines()))
            }
            None => match steps(block.child_inlines()).as_slice() {
                [] => "<p></p>".to_owned(),
                // Between dollar signs, a formula alone in its paragraph would be read as a block.
                [Step::Node(only)] if only.kind == InlineKind::InlineMath => {
                    let formula = html_math(only.str("formula").unwrap_or_default());
                    format!("{formula}{}", inline_properties(only))
                }
                _ => format!("{}{}", self.lines(block.child_inlines()), image_comment(block.child_inlines())),
            },
        }
    }

    fn heading(&self, block: &'d Block) -> String {
        let rank = headings::rank_of(block);
        if let Some(align) = block.str("align").and_then(html_align) {
            let id = block.str("id").map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
            let words = self.html_inlines(block.child_inlines());
            return format!("<h{rank} align=\"{align}\"{id}>{words}</h{rank}>");
        }
        let words = self.heading_line(block.child_inlines(), block.str("id"));
        format!("{} {words}", "#".repeat(rank)).trim_end().to_owned()
    }

    /// Returns the words of a heading and its anchor. If the last words would be read as an id, a comment follows.
    pub(super) fn heading_line(&self, nodes: &'d [Inline], id: Option<&str>) -> String {
        let mut words = self.line(nodes);
        // A trailing `#` is always escaped, even if it would not close the heading.
        if id.is_none() && words.ends_with('#') && !words.ends_with("\\#") {
            words.insert(words.len() - 1, '\\');
        }
        match id {
            Some(id) => format!("{words} <a href=\"#{id}\" id=\"{id}\"></a>"),
            None if ends_with_id(nodes) => format!("{words}<!-- -->"),
            None => words,
        }
    }

    fn list(&self, block: &'d Block, marker: char) -> String {
        let start = block.data.get("start").and_then(serde_json::Value::as_u64).unwrap_or(1);
        let mut out = String::new();
        for (item, number) in block.child_blocks().iter().zip(start..) {
            let (prefix, context) = match block.kind {
                // Markdown does not accept numbers with more digits.
                BlockKind::ListOrdered => {
                    (format!("{}{marker} ", number.min(MAX_LIST_START)), BlockContext::Item(None))
                }
                _ => (format!("{marker} "), BlockContext::Item(Some(marker))),
            };
            if !out.is_empty() {
                out.push('\n');
            }
            let body = self.item(item, block.kind, context);
            let width = if is_spread(item.child_blocks()) {
                prefix.len().next_multiple_of(SPREAD)
            } else {
                prefix.len()
            };
            let body = indent(&body, &" ".repeat(width));
            let line = format!("{prefix:width$}{}", body.trim_start_matches(' '));
            out.push_str(line.trim_end_matches(' '));
        }
        out
    }

    fn item(&self, item: &'d Block, list: BlockKind, context: BlockContext) -> String {
        let checked = item.data.get("checked").and_then(serde_json::Value::as_bool);
        let body = self.blocks(item.child_blocks(), context);
        let checked = match list {
            // Check boxes would turn the list into a task list.
            BlockKind::ListUnordered => None,
            BlockKind::ListTasks => checked.or(Some(false)),
            _ => checked,
        };
        let Some(checked) = checked else { return body };
        let mark = if checked { "[x] " } else { "[ ] " };
        let starts_with_text = item.child_blocks().first().is_some_and(|first| {
            let is_aligned = first.data.contains_key("align");
            matches!(first.kind, BlockKind::Paragraph) && !is_aligned && !is_blank(first.child_inlines())
        });
        if starts_with_text {
            format!("{mark}{body}")
        } else {
            // A check box must be in a paragraph; a comment is an invisible one.
            let gap = if body.is_empty() { "" } else { "\n\n" };
            format!("{mark}<!-- -->{gap}{body}")
        }
    }

    fn code(&self, block: &'d Block) -> String {
        let lines = block.child_blocks().iter().map(|line| inline_text(line.child_inlines()));
        let text: String = lines.map(|line| line + "\n").collect();
        let info = escape::info(properties::syntax(block).unwrap_or_default());
        let mark = if info.contains('`') { '~' } else { '`' };
        let longest = text.split(|c| c != mark).map(str::len).max().unwrap_or(0);
        let fence: String = std::iter::repeat_n(mark, (longest + 1).max(3)).collect();
        let gap = if info.starts_with(mark) { " " } else { "" };
        self.code_tag(block, format!("{fence}{gap}{info}\n{text}{fence}"))
    }

    /// Writes images without captions and sizes in a table cell, which cannot contain figures.
    pub(super) fn images_in_line(&self, block: &'d Block) -> String {
        let images: Vec<String> = block.child_blocks().iter().map(|image| self.simple_image(image)).collect();
        images.join(" ")
    }

    /// Writes images as figures: a single one, or several in a wrapper.
    pub(super) fn html_images(&self, block: &'d Block, more: &str) -> String {
        let images = block.child_blocks();
        let figures: Vec<String> = images.iter().map(|image| self.figure(image)).collect();
        let figures = figures.join(" ");
        if more.is_empty() && block.data.is_empty() && images.len() == 1 {
            return figures;
        }
        let align = block.str("align").map(|align| format!(" align=\"{align}\"")).unwrap_or_default();
        let flag = |name: &str, attribute: &str| {
            let value = block.data.get(name).and_then(serde_json::Value::as_bool);
            value.map(|value| format!(" {attribute}=\"{value}\"")).unwrap_or_default()
        };
        let (wide, framed) = (flag("fullWidth", "data-full-width"), flag("withFrame", "data-with-frame"));
        format!("<div{align}{wide}{framed}{more}>{figures}</div>")
    }

    fn simple_image(&self, image: &Block) -> String {
        let alt =
            escape::text(image.str("alt").unwrap_or_default(), escape::Context::ALT, escape::At::WITHIN);
        format!("![{alt}]({})", escape::destination(&self.block_href(image)))
    }

    pub(super) fn block_href(&self, block: &Block) -> String {
        block.reference().map(|reference| self.refs.href(&reference)).unwrap_or_default()
    }

    fn expandable(&self, block: &'d Block) -> String {
        let open = if block.flag("defaultExpanded") { " open" } else { "" };
        let title = match block.fragment("expandable-title") {
            [title] => match &title.children {
                Children::Inlines(inlines) => self.html_inlines(inlines),
                Children::Blocks(_) | Children::Void => {
                    crate::markdown_html::escape(&plain_block_text(title))
                }
            },
            _ => String::new(),
        };
        // An empty body consists of one empty paragraph.
        let body = match block.fragment("expandable-body") {
            [only] if is_empty_paragraph(only) => String::new(),
            blocks => self.blocks(blocks, BlockContext::Top),
        };
        let gap = if body.is_empty() { "" } else { "\n\n" };
        format!("<details{open}>\n\n<summary>{title}</summary>{gap}{body}\n\n</details>")
    }
}

/// Returns whether the last words of a heading would be read as its id.
fn ends_with_id(nodes: &[Inline]) -> bool {
    let Some(Inline::Text(text)) = nodes.last() else { return false };
    let last = text.leaves.iter().rfind(|leaf| !leaf.text.is_empty());
    last.is_some_and(|leaf| leaf.marks.is_empty() && heading_id::split(&leaf.text).is_some())
}

/// Returns the name of a paragraph's alignment in HTML.
fn html_align(align: &str) -> Option<&'static str> {
    match align {
        "start" => Some("left"),
        "center" => Some("center"),
        "end" => Some("right"),
        _ => None,
    }
}

/// The indent of a spread item is a multiple of this number of columns.
const SPREAD: usize = 4;

/// Returns whether there are empty lines between the blocks of an item.
fn is_spread(blocks: &[Block]) -> bool {
    blocks.windows(2).any(|pair| matches!(pair, [one, next] if !may_follow_tightly(one, next)))
}

fn is_list(block: &Block) -> bool {
    matches!(block.kind, BlockKind::ListOrdered | BlockKind::ListUnordered | BlockKind::ListTasks)
}

fn is_same_list(before: &Block, block: &Block) -> bool {
    is_list(before)
        && is_list(block)
        && (before.kind == BlockKind::ListOrdered) == (block.kind == BlockKind::ListOrdered)
}

/// Returns the marker of a list. It differs from the marker of the list before it, and of the enclosing item if the
/// list is at its start.
fn marker(block: &Block, before: Option<char>, context: BlockContext, first: bool) -> char {
    if block.kind == BlockKind::ListOrdered {
        return if before == Some('.') { ')' } else { '.' };
    }
    let taken = match context {
        BlockContext::Item(bullet) if first => before.or(bullet),
        _ => before,
    };
    if taken == Some('*') { '-' } else { '*' }
}

/// Returns whether a list may directly follow a paragraph in an item.
fn may_follow_tightly(before: &Block, block: &Block) -> bool {
    let starts_at_one = !block.data.contains_key("start");
    let is_stated =
        block.child_blocks().iter().any(|item| !properties::derived_properties(block, item).eq(&item.data));
    let begins_with_words = block.child_blocks().first().is_some_and(|item| {
        item.child_blocks().first().is_some_and(|first| {
            first.kind == BlockKind::Paragraph && !inline_text(first.child_inlines()).trim().is_empty()
        })
    });
    before.kind == BlockKind::Paragraph
        && !is_blank(before.child_inlines())
        && !before.data.contains_key("align")
        && is_list(block)
        && !is_stated
        && starts_at_one
        && begins_with_words
}

/// Returns whether the paragraph after a block is its caption.
fn is_captioned(block: &Block) -> bool {
    matches!(block.kind, BlockKind::Embed | BlockKind::File) && block.flag("hasCaption")
}

fn is_caption(block: &Block) -> bool {
    block.kind == BlockKind::Paragraph && block.data.is_empty() && !is_blank(block.child_inlines())
}

fn quote(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| if line.is_empty() { ">".to_owned() } else { format!("> {line}") })
        .collect();
    lines.join("\n")
}

/// Indents every line that is not empty.
pub(super) fn indent(text: &str, space: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| if line.is_empty() { String::new() } else { format!("{space}{line}") })
        .collect();
    lines.join("\n")
}

/// Writes a formula between dollar signs if its lines cannot be misread, otherwise as a listing.
fn math(formula: &str) -> String {
    let is_safe = |line: &str| {
        let starts_safely = line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '\\' | '(' | '^'));
        starts_safely && line.trim() == line && !line.contains(|c: char| c == '$' || c.is_control())
    };
    if formula.split('\n').all(is_safe) {
        return format!("$$\n{formula}\n$$");
    }
    let longest = formula.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let end = if formula.is_empty() { "" } else { "\n" };
    format!("{fence}math\n{formula}{end}{fence}")
}
