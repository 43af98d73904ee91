//! Blocks written as tags.

use super::Printer;
use super::blocks::BlockContext;
use super::escape;
use crate::document::{Block, BlockKind};
use crate::markdown::tags;
use crate::markdown_html::escape as escape_html;
use crate::text::plain_block_text;
use serde_json::Value;

impl<'d> Printer<'d> {
    /// Writes a block whose Markdown is a tag.
    pub(super) fn tag_block(&self, block: &'d Block) -> String {
        let text = |name: &'static str| (name, value(block, name));
        let src = || Some(self.block_href(block));
        match block.kind {
            BlockKind::Hint => self.wrap(block, "hint", "endhint", &[text("style"), text("icon")]),
            BlockKind::Tabs => self.group(block, "tabs", &[text("fullWidth")]),
            BlockKind::Stepper => self.group(block, "stepper", &[]),
            BlockKind::Columns => self.group(block, "columns", &[text("fullWidth")]),
            BlockKind::Updates => self.group(block, "updates", &[text("format")]),
            BlockKind::TabsItem => {
                self.wrap(block, "tab", "endtab", &[text("title"), text("icon"), text("slug")])
            }
            BlockKind::StepperStep => self.wrap(block, "step", "endstep", &[text("icon")]),
            BlockKind::Column => {
                self.wrap(block, "column", "endcolumn", &[text("width"), text("verticalAlignment")])
            }
            BlockKind::Update => self.wrap(block, "update", "endupdate", &[text("date"), text("tags")]),
            BlockKind::Prompt if block.child_blocks().len() != 1 => self.html_element(block),
            BlockKind::Prompt => {
                let values =
                    [text("description"), text("icon"), text("openInAIProviders"), text("defaultExpanded")];
                self.wrap(block, "prompt", "endprompt", &values)
            }
            BlockKind::If => self.condition(block),
            BlockKind::Embed => tags::write("embed", &[text("url"), text("fullWidth")]),
            BlockKind::File => tags::write("file", &[("src", src())]),
            BlockKind::Drawing if let Some(image) = self.drawing(block) => image,
            BlockKind::Drawing => tags::write("drawing", &[("src", block.data.get("ref").and(src()))]),
            BlockKind::ReusableContent => tags::write("include", &[("", src())]),
            BlockKind::ContentRef => self.labelled(block, "content-ref", &[("url", src())]),
            BlockKind::Swagger => {
                let values =
                    [("src", src()), text("path"), text("method"), text("expanded"), text("fullWidth")];
                self.labelled(block, "openapi", &values)
            }
            BlockKind::OpenApiOperation => self.labelled(
                block,
                "openapi-operation",
                &[("spec", spec(block)), text("path"), text("method")],
            ),
            BlockKind::OpenApiWebhook => self.labelled(
                block,
                "openapi-webhook",
                &[("spec", spec(block)), text("name"), text("method")],
            ),
            BlockKind::OpenApiSchemas => self.labelled(
                block,
                "openapi-schemas",
                &[("spec", spec(block)), text("schemas"), text("grouped")],
            ),
            BlockKind::Integration if !is_name(block) => self.html_element(block),
            BlockKind::Integration => integration(block),
            // The other kinds have Markdown syntax of their own.
            _ => plain_block_text(block),
        }
    }

    /// Writes a tag, its child blocks and its end tag.
    fn wrap(&self, block: &'d Block, name: &str, end: &str, values: &[(&str, Option<String>)]) -> String {
        let body = self.blocks(block.child_blocks(), BlockContext::Top);
        let gap = if body.is_empty() { "" } else { "\n" };
        // A table or an aligned HTML element would contain the end tag; a blank line prevents that.
        let is_open_ended = block
            .child_blocks()
            .last()
            .is_some_and(|last| last.kind == BlockKind::Table || last.data.contains_key("align"));
        let is_element = ["</div>", "<p></p>"].iter().any(|end| body.ends_with(end));
        let blank = if is_open_ended || is_element { "\n" } else { "" };
        format!("{}{gap}{body}\n{blank}{}", tags::write(name, values), tags::write(end, &[]))
    }

    /// Writes a tag around items that are tags themselves.
    fn group(&self, block: &'d Block, name: &str, values: &[(&str, Option<String>)]) -> String {
        let items = self.blocks(block.child_blocks(), BlockContext::Top);
        let gap = if items.is_empty() { "" } else { "\n" };
        format!("{}{gap}{items}\n{}", tags::write(name, values), tags::write(&format!("end{name}"), &[]))
    }

    /// Writes a drawing in GitBook's form; `None` if it has no file.
    fn drawing(&self, block: &Block) -> Option<String> {
        block.data.get("ref")?;
        let src = escape_html(&self.block_href(block));
        let alt = match block.data.get("alt") {
            None => String::new(),
            Some(alt) => {
                alt.as_str().filter(|alt| !alt.is_empty() && !alt.contains(char::is_control))?.to_owned()
            }
        };
        let alt = escape_html(&alt).replace('\'', "&#x27;");
        let is_plain = !src.contains("{%") && !alt.contains("{%");
        is_plain.then(|| format!("<img src=\"{src}\" alt=\"{alt}\" class=\"gitbook-drawing\">"))
    }

    fn condition(&self, block: &'d Block) -> String {
        let expression = block.str("expression").unwrap_or_default().replace(['\n', '\r'], " ");
        let body = self.wrap(block, "if", "endif", &[]);
        let rest = body.strip_prefix("{% if %}").unwrap_or(&body);
        format!("{{% if {} %}}{rest}", expression.replace("%}", "% }").trim())
    }

    /// Writes a tag that contains a link to the same address, for readers that do not know the tag.
    fn labelled(&self, block: &Block, name: &str, values: &[(&str, Option<String>)]) -> String {
        let href = match values.first() {
            Some((_, Some(href))) => href.clone(),
            _ => String::new(),
        };
        let label = block.str("title").filter(|title| !title.is_empty()).unwrap_or(&href);
        let label = escape::text(label, escape::Context::LINE.linked(), escape::At::WITHIN);
        let link = format!("[{label}]({})", escape::destination(&href));
        format!("{}\n{link}\n{}", tags::write(name, values), tags::write(&format!("end{name}"), &[]))
    }

    /// Wraps a code listing in its tag, if it has properties that a fence cannot express.
    pub(super) fn code_tag(&self, block: &Block, fenced: String) -> String {
        let names = ["title", "overflow", "lineNumbers", "fullWidth", "expandable", "collapsedLineCount"];
        let mut values: Vec<(&str, Option<String>)> =
            names.into_iter().map(|name| (name, value(block, name))).collect();
        values.push(("highlight", highlighted(block)));
        if values.iter().all(|(_, value)| value.is_none()) {
            return fenced;
        }
        format!("{}\n{fenced}\n{}", tags::write("code", &values), tags::write("endcode", &[]))
    }
}

/// Returns the numbers of the highlighted lines, such as `2,4-6`.
fn highlighted(block: &Block) -> Option<String> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let lines = block.child_blocks().iter().enumerate();
    for (index, _) in lines.filter(|(_, line)| line.flag("highlighted")) {
        match ranges.last_mut() {
            Some((_, last)) if *last == index => *last = index + 1,
            _ => ranges.push((index + 1, index + 1)),
        }
    }
    let ranges: Vec<String> = ranges
        .into_iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    (!ranges.is_empty()).then(|| ranges.join(","))
}

/// Returns whether the names of an integration and its block form a valid tag name.
fn is_name(block: &Block) -> bool {
    let is_word = |name: &str| !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '%');
    let integration = block.str("integration").unwrap_or_default();
    is_word(integration) && !integration.contains('/') && is_word(block.str("block").unwrap_or_default())
}

/// Returns a property as the value of a tag.
fn value(block: &Block, name: &str) -> Option<String> {
    match block.data.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        Value::Array(values) => {
            let texts: Vec<String> = values.iter().map(plain).collect();
            Some(texts.join(","))
        }
        Value::Object(length) => {
            let unit = length.get("unit").and_then(Value::as_str).unwrap_or_default();
            length.get("value").map(|value| format!("{value}{unit}"))
        }
        other => Some(other.to_string()),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // Tags of an update are references, written by name.
        Value::Object(object) => object.get("tag").map(plain).unwrap_or_default(),
        other => other.to_string(),
    }
}

fn spec(block: &Block) -> Option<String> {
    match block.reference()? {
        crate::ContentRef::OpenApi { spec } => Some(spec),
        _ => None,
    }
}

fn integration(block: &Block) -> String {
    let name = format!(
        "@{}/{}",
        block.str("integration").unwrap_or_default(),
        block.str("block").unwrap_or_default()
    );
    let is_plain = |name: &str| {
        !name.is_empty()
            && !name.contains(|c: char| {
                c.is_whitespace() || c.is_control() || matches!(c, '=' | '"' | '\'' | '%')
            })
    };
    let props = block.data.get("props").and_then(Value::as_object);
    let props = props.into_iter().flatten().filter(|(name, _)| is_plain(name));
    let mut values: Vec<(&str, Option<String>)> =
        props.map(|(name, value)| (name.as_str(), Some(plain(value).replace('\n', "\\n")))).collect();
    values.push(("url", value(block, "url")));
    values.push(("fullWidth", value(block, "fullWidth")));
    tags::write(&name, &values)
}
