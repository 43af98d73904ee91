//! Blocks and inlines → HTML, where Markdown can't stand: in cells, captions, summaries and aligned paragraphs.

use super::Printer;
use super::inlines::{close_tag, html_emoji, icon, open_tag};
use crate::document::{Block, BlockKind, Inline, InlineKind, InlineNode};
use crate::markdown_html::escape;
use crate::marks::{Step, steps};
use crate::text::{inline_text, plain_block_text};
use serde_json::Value;

impl<'d> Printer<'d> {
    /// Writes inline content on one line.
    pub(super) fn html_inlines(&self, nodes: &'d [Inline]) -> String {
        self.html_steps(nodes, None, None)
    }

    fn html_steps(&self, nodes: &'d [Inline], before: Option<char>, after: Option<char>) -> String {
        let steps = steps(nodes);
        let mut out = String::new();
        let mut previous = before;
        for (index, step) in steps.iter().enumerate() {
            let following = steps.get(index + 1..).unwrap_or_default().iter().find_map(visible);
            let next = following.map_or(after, |step| first_char(step));
            match step {
                Step::Open(mark) => out.push_str(&open_tag(mark)),
                Step::Close(mark) => out.push_str(&close_tag(mark)),
                Step::Text { text, code } => {
                    let words = words(text, previous, next);
                    out.push_str(&if *code { format!("<code>{words}</code>") } else { words });
                    previous = text.chars().next_back();
                }
                Step::Node(node) => {
                    out.push_str(&self.html_inline(node, previous));
                    previous = Some('.');
                }
            }
        }
        out
    }

    fn html_inline(&self, node: &'d InlineNode, previous: Option<char>) -> String {
        let word = |name: &str| node.str(name).unwrap_or_default();
        let exact = |text: &str| words(text, None, None);
        match node.kind {
            InlineKind::Link => {
                let title = node
                    .str("title")
                    .map(|title| format!(" title=\"{}\"", escape(title)))
                    .unwrap_or_default();
                let words = self.html_steps(&node.nodes, previous, None);
                format!("<a href=\"{}\"{title}>{words}</a>", escape(&self.href(node)))
            }
            InlineKind::Mention => {
                let href = self.href(node);
                let words = node.str("text").unwrap_or(&href);
                format!("<a href=\"{}\" title=\"mention\">{}</a>", escape(&href), exact(words))
            }
            InlineKind::Emoji => html_emoji(word("code")),
            InlineKind::Icon => icon(word("icon")),
            InlineKind::Expression => {
                format!("<code class=\"expression\">{}</code>", exact(word("expression")))
            }
            InlineKind::InlineMath => format!("<span class=\"math\">{}</span>", exact(word("formula"))),
            InlineKind::InlineImage => self.html_image(node),
            InlineKind::Button => format!("{}{}</a>", self.button_tag(node), exact(word("label"))),
            // HTML has no notes: the note follows its words.
            InlineKind::Annotation => escape(&inline_text(&[Inline::Node(node.clone())])),
        }
    }

    /// Writes the blocks of a cell: a lone paragraph is just its content.
    pub(super) fn html_cell(&self, blocks: &'d [Block]) -> String {
        match blocks {
            [only] if only.kind == BlockKind::Paragraph && only.data.is_empty() => {
                self.html_inlines(only.child_inlines())
            }
            _ => self.html_blocks(blocks),
        }
    }

    /// Writes blocks on one line.
    pub(super) fn html_blocks(&self, blocks: &'d [Block]) -> String {
        blocks.iter().map(|block| self.html_block(block)).collect()
    }

    fn html_block(&self, block: &'d Block) -> String {
        let align = match block.str("align") {
            Some("start") => " align=\"left\"",
            Some("center") => " align=\"center\"",
            Some("end") => " align=\"right\"",
            _ => "",
        };
        match block.kind {
            BlockKind::Paragraph => format!("<p{align}>{}</p>", self.html_inlines(block.child_inlines())),
            BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3 => {
                let rank = block.heading_rank().unwrap_or(1);
                let id = block.str("id").map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
                format!("<h{rank}{align}{id}>{}</h{rank}>", self.html_inlines(block.child_inlines()))
            }
            BlockKind::ListUnordered | BlockKind::ListTasks => format!("<ul>{}</ul>", self.html_items(block)),
            BlockKind::ListOrdered => {
                let start =
                    block.data.get("start").map(|start| format!(" start=\"{start}\"")).unwrap_or_default();
                format!("<ol{start}>{}</ol>", self.html_items(block))
            }
            BlockKind::Blockquote => {
                format!("<blockquote>{}</blockquote>", self.html_blocks(block.child_blocks()))
            }
            BlockKind::Divider => "<hr>".to_owned(),
            BlockKind::Images => self.html_images(block),
            BlockKind::Image => self.figure(block),
            BlockKind::Code => preformatted(block),
            BlockKind::Table => self.html_table(block),
            _ => {
                let text = plain_block_text(block);
                text.lines().map(|line| format!("<p>{}</p>", escape(line))).collect()
            }
        }
    }

    fn html_items(&self, list: &'d Block) -> String {
        let items = list.child_blocks().iter().map(|item| {
            let checked = item.data.get("checked").and_then(Value::as_bool);
            let checked = checked.or((list.kind == BlockKind::ListTasks).then_some(false));
            let checkbox = match checked {
                Some(true) => "<input type=\"checkbox\" checked>",
                Some(false) => "<input type=\"checkbox\">",
                None => "",
            };
            format!("<li>{checkbox}{}</li>", self.html_cell(item.child_blocks()))
        });
        items.collect()
    }

    /// Writes an image with its caption.
    pub(super) fn figure(&self, image: &'d Block) -> String {
        let attribute = |name: &str| {
            let length = match image.data.get(name) {
                Some(Value::Object(length)) => {
                    let unit = length.get("unit").and_then(Value::as_str).unwrap_or_default();
                    length.get("value").map(|value| format!("{value}{unit}"))
                }
                Some(Value::String(text)) => Some(text.clone()),
                Some(other) => Some(other.to_string()),
                None => None,
            };
            length.map(|length| format!(" {name}=\"{}\"", escape(&length))).unwrap_or_default()
        };
        let src = escape(&self.block_href(image));
        let img =
            format!("<img src=\"{src}\"{}{}{}>", attribute("alt"), attribute("width"), attribute("height"));
        let dark = image.data.get("refDark").and_then(crate::ContentRef::from_value);
        let img = match dark.map(|reference| escape(&self.refs.href(&reference))) {
            Some(dark) => {
                format!(
                    "<picture><source srcset=\"{dark}\" media=\"(prefers-color-scheme: dark)\">{img}</picture>"
                )
            }
            None => img,
        };
        let caption = image.fragment("caption");
        let caption = match caption {
            [] => String::new(),
            blocks => format!("<figcaption>{}</figcaption>", self.html_blocks(blocks)),
        };
        format!("<figure>{img}{caption}</figure>")
    }
}

/// A listing on one line: its line feeds are references.
fn preformatted(block: &Block) -> String {
    let class = block
        .str("syntax")
        .map(|syntax| format!(" class=\"language-{}\"", escape(syntax)))
        .unwrap_or_default();
    let lines: Vec<String> =
        block.child_blocks().iter().map(|line| inline_text(line.child_inlines())).collect();
    // The first and the last line feed of an element show nothing.
    let text = if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join("\n")) };
    format!("<pre><code{class}>{}</code></pre>", escape(&text))
}

fn visible<'s, 'd>(step: &'s Step<'d>) -> Option<&'s Step<'d>> {
    matches!(step, Step::Text { .. } | Step::Node(_)).then_some(step)
}

fn first_char(step: &Step<'_>) -> Option<char> {
    match step {
        Step::Text { text, .. } => text.chars().next(),
        _ => Some('.'),
    }
}

/// Writes text so that its white space is kept: space at an edge of the line and after other space becomes a reference.
fn words(text: &str, previous: Option<char>, next: Option<char>) -> String {
    let mut out = String::new();
    let mut before = previous;
    for (at, c) in text.char_indices() {
        let after = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next()).or(next);
        match c {
            '\n' => out.push_str("<br>"),
            ' ' if before.is_none_or(char::is_whitespace) || after.is_none_or(char::is_whitespace) => {
                out.push_str("&#x20;");
            }
            c => out.push_str(&escape(c.encode_utf8(&mut [0; 4]))),
        }
        before = Some(c);
    }
    out
}
