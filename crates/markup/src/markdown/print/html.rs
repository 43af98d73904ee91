//! Printer of blocks and inlines as HTML, where Markdown is not possible: in cells, captions, summaries and aligned
//! paragraphs.

use super::Printer;
use super::emphasis::{close_tag, open_tag};
use super::inlines::{html_emoji, icon, image_comment, inline_properties, is_blank, link_title};
use super::properties::{derived_properties, is_plain_listing, properties_of_image, written_length};
use crate::document::{Block, BlockKind, Children, ContentRef, Inline, InlineKind, InlineNode, difference};
use crate::headings;
use crate::limits::markdown::MAX_LIST_START;
use crate::markdown_html::properties::attribute;
use crate::markdown_html::{escape, escape_text};
use crate::marks::{Step, steps};
use crate::text::inline_text;
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
                    out.push_str(&inline_properties(node));
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
                let title =
                    link_title(node).map(|title| format!(" title=\"{}\"", escape(title))).unwrap_or_default();
                let words = self.html_steps(&node.nodes, previous, None);
                format!("<a href=\"{}\"{title}>{words}</a>", escape(&self.href(node)))
            }
            InlineKind::Mention => {
                let href = self.href(node);
                let words = node.str("text").filter(|text| !text.is_empty()).unwrap_or(&href);
                format!("<a data-mention href=\"{}\">{}</a>", escape(&href), exact(words))
            }
            InlineKind::Emoji => html_emoji(word("code")),
            InlineKind::Icon => icon(word("icon")),
            InlineKind::Expression => {
                format!("<code class=\"expression\">{}</code>", exact(word("expression")))
            }
            InlineKind::InlineMath => format!("<span class=\"math\">{}</span>", exact(word("formula"))),
            InlineKind::InlineImage => self.html_image(node),
            InlineKind::Button => self.button(node, &exact(word("label"))),
            InlineKind::Annotation => {
                let words = self.html_steps(&node.nodes, previous, None);
                let note = node.fragments.first().map_or(&[][..], |fragment| &fragment.nodes);
                format!("<span data-annotation>{words}<aside>{}</aside></span>", self.html_blocks(note))
            }
        }
    }

    /// Writes the blocks of a cell. A single paragraph is written without its element.
    pub(super) fn html_cell(&self, blocks: &'d [Block]) -> String {
        match blocks {
            [only]
                if only.kind == BlockKind::Paragraph
                    && only.data.is_empty()
                    && !is_blank(only.child_inlines()) =>
            {
                format!("{}{}", self.html_inlines(only.child_inlines()), image_comment(only.child_inlines()))
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
            BlockKind::Paragraph => {
                let comment = image_comment(block.child_inlines());
                format!("<p{align}>{}{comment}</p>", self.html_inlines(block.child_inlines()))
            }
            BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3 => {
                let rank = headings::rank_of(block);
                let id = block.str("id").map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
                let more = stated(block, |name| name == "id" || name == "align");
                format!("<h{rank}{align}{id}{more}>{}</h{rank}>", self.html_inlines(block.child_inlines()))
            }
            BlockKind::ListOrdered | BlockKind::ListUnordered | BlockKind::ListTasks | BlockKind::Images
                if block.child_blocks().is_empty() =>
            {
                self.html_element(block)
            }
            BlockKind::ListUnordered | BlockKind::ListTasks => format!("<ul>{}</ul>", self.html_items(block)),
            BlockKind::ListOrdered => {
                let start = block.data.get("start").filter(|start| start.as_u64() != Some(1));
                let start = start.filter(|start| start.as_u64().is_some_and(|start| start <= MAX_LIST_START));
                let is_said = start.is_some();
                let start = start.map(|start| format!(" start=\"{start}\"")).unwrap_or_default();
                let more = stated(block, |name| is_said && name == "start");
                format!("<ol{start}{more}>{}</ol>", self.html_items(block))
            }
            BlockKind::Blockquote => {
                format!("<blockquote>{}</blockquote>", self.html_blocks(block.child_blocks()))
            }
            BlockKind::Divider => "<hr>".to_owned(),
            BlockKind::Images => {
                let more = stated(block, |name| matches!(name, "align" | "fullWidth" | "withFrame"));
                self.html_images(block, &more)
            }
            BlockKind::Code if is_preformatted(block) => preformatted(block),
            BlockKind::Table => self.html_table(block),
            _ => self.html_element(block),
        }
    }

    /// Writes a block that has no HTML element, or whose element cannot express all of it.
    pub(super) fn html_element(&self, block: &'d Block) -> String {
        let reference =
            block.reference().filter(|reference| !matches!(reference, ContentRef::OpenApi { .. }));
        let href = reference
            .as_ref()
            .map(|reference| format!(" data-ref=\"{}\"", escape(&self.refs.href(reference))));
        let is_said = href.is_some();
        let more = stated(block, |name| is_said && name == "ref");
        let inside = match &block.children {
            Children::Void => String::new(),
            Children::Inlines(inlines) => self.html_inlines(inlines),
            Children::Blocks(blocks) => self.html_blocks(blocks),
        };
        let fragments = block.fragments.iter().map(|fragment| {
            let role = escape(fragment.role.as_deref().unwrap_or_default());
            format!("<div data-fragment=\"{role}\">{}</div>", self.html_blocks(&fragment.nodes))
        });
        let fragments: String = fragments.collect();
        let (kind, href) = (block.kind.as_str(), href.unwrap_or_default());
        format!("<div data-block=\"{kind}\"{href}{more}>{inside}{fragments}</div>")
    }

    fn html_items(&self, list: &'d Block) -> String {
        let items = list.child_blocks().iter().map(|item| {
            let checked = item.data.get("checked").and_then(Value::as_bool);
            let checked = match list.kind {
                // Check boxes would turn the list into a task list.
                BlockKind::ListUnordered => None,
                BlockKind::ListTasks => checked.or(Some(false)),
                _ => checked,
            };
            let checkbox = match checked {
                Some(true) => "<input type=\"checkbox\" checked>",
                Some(false) => "<input type=\"checkbox\">",
                None => "",
            };
            let more = attribute(&difference(&derived_properties(list, item), &item.data));
            format!("<li{more}>{checkbox}{}</li>", self.html_cell(item.child_blocks()))
        });
        items.collect()
    }

    /// Writes an image with its caption.
    pub(super) fn figure(&self, image: &'d Block) -> String {
        let more = attribute(&difference(&properties_of_image(image), &image.data));
        let written = |name: &str| {
            let length = image.data.get(name).and_then(written_length);
            length.map(|length| format!(" {name}=\"{}\"", escape(&length))).unwrap_or_default()
        };
        let src = escape(&self.block_href(image));
        let alt = written("alt").replace('\'', "&#x27;");
        let alt = if alt.is_empty() { " alt=\"\"".to_owned() } else { alt };
        let (width, height) = (written("width"), written("height"));
        let img = format!("<img src=\"{src}\"{alt}{width}{height}{more}>");
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
        format!("<figure>{img}<figcaption>{}</figcaption></figure>", self.html_blocks(caption))
    }
}

/// Returns the attribute with the properties of a block that the element does not express.
fn stated(block: &Block, is_said: impl Fn(&str) -> bool) -> String {
    let mut said = block.data.clone();
    said.retain(|name, _| is_said(name));
    attribute(&difference(&said, &block.data))
}

/// Returns whether `<pre>` can express a listing.
fn is_preformatted(block: &Block) -> bool {
    let lines = block.child_blocks();
    // A single empty line would be read as no line.
    let is_one_empty = matches!(lines, [only] if is_blank(only.child_inlines()));
    let is_syntax = |syntax: &str| !syntax.is_empty() && !syntax.contains(char::is_whitespace);
    !is_one_empty
        && is_plain_listing(block)
        && lines.iter().all(|line| line.data.is_empty())
        && block.data.keys().all(|name| name == "syntax")
        && block.str("syntax").is_none_or(is_syntax)
}

/// Writes a listing on one line, with character references for line feeds.
fn preformatted(block: &Block) -> String {
    let class = block
        .str("syntax")
        .map(|syntax| format!(" class=\"language-{}\"", escape(syntax)))
        .unwrap_or_default();
    let lines: Vec<String> =
        block.child_blocks().iter().map(|line| inline_text(line.child_inlines())).collect();
    // Readers drop the first and the last line feed of the element.
    let text = if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join("\n")) };
    format!("<pre><code{class}>{}</code></pre>", escape(&text))
}

/// Writes a listing with highlighted lines in GitBook's form; `None` if it has no highlighted lines, or the element
/// cannot express all of it.
pub(super) fn highlighted_listing(block: &Block) -> Option<String> {
    let lines = block.child_blocks();
    let is_highlighted = |line: &Block| line.flag("highlighted");
    let texts: Vec<String> = lines.iter().map(|line| inline_text(line.child_inlines())).collect();
    // A leading empty line of an element is dropped. Tags are also read inside elements.
    let is_safe =
        |text: &String| !text.contains("{%") && !text.contains(|c: char| c.is_control() && c != '\t');
    let is_known = |(name, value): (&String, &Value)| match name.as_str() {
        "syntax" => value.as_str().is_some_and(|syntax| {
            !syntax.is_empty() && !syntax.contains(|c: char| c.is_whitespace() || c.is_control())
        }),
        "title" => value.as_str().is_some_and(|title| !title.is_empty() && !title.contains(char::is_control)),
        "overflow" => matches!(value.as_str(), Some("wrap" | "scroll")),
        "lineNumbers" => value.is_boolean(),
        _ => false,
    };
    let is_plain_line = |line: &Block| {
        let mut data = line.data.iter();
        data.all(|(name, value)| name == "highlighted" && *value == Value::Bool(true))
    };
    let fits = lines.iter().any(is_highlighted)
        && texts.first().is_some_and(|first| !first.trim().is_empty())
        && texts.iter().all(is_safe)
        && lines.iter().all(is_plain_line)
        && block.data.iter().all(is_known);
    if !fits {
        return None;
    }
    let syntax = block.str("syntax").map(escape);
    let class = |prefix: &str| {
        syntax.as_ref().map(|syntax| format!(" class=\"{prefix}-{syntax}\"")).unwrap_or_default()
    };
    let title = block.str("title").map(|title| format!(" data-title=\"{}\"", escape(title)));
    let overflow = block.str("overflow").map(|overflow| format!(" data-overflow=\"{overflow}\""));
    let numbers = block.data.get("lineNumbers").and_then(Value::as_bool);
    let numbers = numbers.map(|numbers| format!(" data-line-numbers=\"{numbers}\""));
    let attributes: String = [title, overflow, numbers].into_iter().flatten().collect();
    let mut out = format!("<pre{}{attributes}><code{}>", class("language"), class("lang"));
    for (line, text) in lines.iter().zip(&texts) {
        let text = text.replace('&', "&#x26;").replace('<', "&#x3C;");
        out.push_str(&match is_highlighted(line) {
            true => format!("<strong>{text}\n</strong>"),
            false => format!("{text}\n"),
        });
    }
    Some(out + "</code></pre>")
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

/// Writes text with its white space preserved: white space at an edge of the line or after other white space becomes a
/// character reference.
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
            c => out.push_str(&escape_text(c.encode_utf8(&mut [0; 4]))),
        }
        before = Some(c);
    }
    out
}
