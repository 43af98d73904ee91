//! Conversion of block tags to blocks.

use super::api_method;
use super::groups::group;
use super::verbatim::verbatim;
use crate::document::{Block, BlockKind, Children, ContentRef, Inline, InlineKind};
use crate::html::address;
use crate::markdown::tags::Tag;
use crate::markdown::{HrefKind, RefResolver};
use crate::markdown_html::inlines::resolve;
use crate::markdown_html::{Element, length};
use crate::text::inline_text;
use serde_json::{Map, Value};

/// Returns the block of a tag without an end tag.
pub(super) fn single(tag: &Tag, refs: &dyn RefResolver) -> Option<Block> {
    if let Some(name) = tag.name.strip_prefix('@') {
        return integration(tag, name);
    }
    match tag.name.as_str() {
        "include" => {
            let reference = refs.resolve(tag.positional()?, HrefKind::Include)?;
            let is_reusable = matches!(reference, ContentRef::ReusableContent { .. });
            is_reusable.then(|| Block::void(BlockKind::ReusableContent).with("ref", reference.to_value()))
        }
        "drawing" => {
            let block = Block::void(BlockKind::Drawing);
            match tag.get("src") {
                Some(src) => file(refs, src).map(|file| block.with("ref", file)),
                None => Some(block),
            }
        }
        _ => None,
    }
}

fn integration(tag: &Tag, name: &str) -> Option<Block> {
    let (integration, block) = name.split_once('/')?;
    let mut props = Map::new();
    let mut data = Map::new();
    for (key, value) in &tag.values {
        // A tag cannot contain a line feed, which is escaped as in JSON.
        let value = value.replace("\\n", "\n");
        match key.as_str() {
            "" => return None,
            "fullWidth" => drop(data.insert(key.clone(), (value == "true").into())),
            "url" if !address::runs_no_script(&value) => return None,
            "url" => drop(data.insert(key.clone(), value.into())),
            _ => drop(props.insert(key.clone(), value.into())),
        }
    }
    let mut node = Block::void(BlockKind::Integration).with("integration", integration).with("block", block);
    node.data.append(&mut data);
    Some(node.with("props", Value::Object(props)))
}

/// Returns whether tags with this name are complete without an end tag.
pub(super) fn needs_no_end(name: &str) -> bool {
    name.starts_with("openapi") || matches!(name, "embed" | "file" | "content-ref" | "page-ref" | "swagger")
}

/// Returns whether this tag needs no end tag and has all properties that its block requires.
pub(super) fn may_stay_open(tag: &Tag, refs: &dyn RefResolver) -> bool {
    needs_no_end(&tag.name) && void_block(tag, refs).is_some()
}

/// Returns whether the tag begins a block.
pub(super) fn is_known(tag: &Tag, refs: &dyn RefResolver) -> bool {
    let containers =
        ["hint", "tabs", "tab", "code", "stepper", "step", "columns", "column", "updates", "prompt"];
    containers.contains(&tag.name.as_str())
        || (tag.name == "update" && tag.get("date").is_some())
        || api_method::is_known(&tag.name)
        || (tag.name == "if" && !tag.argument().is_empty())
        || may_stay_open(tag, refs)
}

/// Returns the required direct parent of a tag.
pub(super) fn parent_of(name: &str) -> Option<&'static str> {
    match name {
        "tab" => Some("tabs"),
        "step" => Some("stepper"),
        "column" => Some("columns"),
        "update" => Some("updates"),
        name => api_method::parent_of(name),
    }
}

/// Returns the blocks of a tag with its content.
pub(super) fn build(tag: &Tag, content: Vec<Block>, refs: &dyn RefResolver) -> Vec<Block> {
    if let Some(mut block) = void_block(tag, refs) {
        let rest = take_label(&mut block, tag, content);
        return std::iter::once(block).chain(rest).collect();
    }
    let block = match tag.name.as_str() {
        "hint" => hint(tag, content),
        "code" => return code(tag, content),
        "prompt" => return prompt(tag, content),
        "tabs" => group(BlockKind::Tabs, BlockKind::TabsItem, content),
        "stepper" => group(BlockKind::Stepper, BlockKind::StepperStep, content),
        "columns" => group(BlockKind::Columns, BlockKind::Column, content),
        "updates" => return updates(tag, content),
        name if api_method::is_known(name) => return api_method::build(tag, content),
        "tab" => copy(tag, Block::blocks(BlockKind::TabsItem, content), &["title", "icon", "slug"]),
        "step" => copy(tag, Block::blocks(BlockKind::StepperStep, content), &["icon"]),
        "column" => column(tag, content),
        "update" => update(tag, content),
        _ => Block::blocks(BlockKind::If, content).with("expression", tag.argument()),
    };
    let may_be_wide = matches!(block.kind, BlockKind::Tabs | BlockKind::Columns);
    let wide = tag.flag("fullWidth").filter(|_| may_be_wide);
    vec![match wide {
        Some(wide) => block.with("fullWidth", wide),
        None => block,
    }]
}

fn copy(tag: &Tag, mut block: Block, names: &[&str]) -> Block {
    for name in names {
        if let Some(value) = tag.get(name) {
            block.data.insert((*name).to_owned(), value.into());
        }
    }
    block
}

fn hint(tag: &Tag, content: Vec<Block>) -> Block {
    let style =
        tag.get("style").filter(|style| ["warning", "danger", "success"].contains(style)).unwrap_or("info");
    copy(tag, Block::blocks(BlockKind::Hint, content).with("style", style), &["icon"])
}

fn column(tag: &Tag, content: Vec<Block>) -> Block {
    let mut column = copy(tag, Block::blocks(BlockKind::Column, content), &["verticalAlignment"]);
    if let Some(width) = tag.get("width").and_then(length) {
        column.data.insert("width".to_owned(), width);
    }
    column
}

fn update(tag: &Tag, content: Vec<Block>) -> Block {
    let mut update = copy(tag, Block::blocks(BlockKind::Update, content), &["date"]);
    if let Some(tags) = tag.get("tags") {
        let names = tags.split(',').map(str::trim).filter(|name| !name.is_empty());
        let tags: Vec<Value> =
            names.map(|tag| ContentRef::Tag { tag: tag.to_owned(), space: None }.to_value()).collect();
        update.data.insert("tags".to_owned(), tags.into());
    }
    update
}

/// Returns a block of updates, with full dates by default. Content outside an update has no date: it is added to the
/// update above it, or to the first. Without any update it follows the block.
fn updates(tag: &Tag, content: Vec<Block>) -> Vec<Block> {
    let format = tag.get("format").filter(|format| ["numeric", "short"].contains(format)).unwrap_or("full");
    let (mut strays, mut items): (Vec<Block>, Vec<Block>) = (Vec::new(), Vec::new());
    for mut block in content {
        match (&mut block.children, items.last_mut().map(|item| &mut item.children)) {
            (Children::Blocks(own), _) if block.kind == BlockKind::Update => {
                own.splice(..0, strays.drain(..));
                items.push(block);
            }
            (_, Some(Children::Blocks(above))) => above.push(block),
            _ => strays.push(block),
        }
    }
    let updates = Block::blocks(BlockKind::Updates, items).with("format", format);
    std::iter::once(updates).chain(strays).collect()
}

/// Sets a code listing's properties. Other content follows the listing.
fn code(tag: &Tag, mut content: Vec<Block>) -> Vec<Block> {
    if let Some(code) = content.iter_mut().find(|block| block.kind == BlockKind::Code) {
        if let Some(title) = tag.get("title") {
            code.data.insert("title".to_owned(), title.into());
        }
        if let Some(overflow @ ("wrap" | "scroll")) = tag.get("overflow") {
            code.data.insert("overflow".to_owned(), overflow.into());
        }
        for name in ["lineNumbers", "fullWidth", "expandable"] {
            if let Some(flag) = tag.flag(name) {
                code.data.insert(name.to_owned(), flag.into());
            }
        }
        let count = tag.get("collapsedLineCount").and_then(|count| count.parse::<u32>().ok());
        if let Some(count) = count.filter(|count| *count > 0) {
            code.data.insert("collapsedLineCount".to_owned(), count.into());
        }
        if let (Some(lines), Children::Blocks(parts)) = (tag.get("highlight"), &mut code.children) {
            highlight(lines, parts);
        }
    }
    content
}

/// Highlights lines by their numbers, such as `2,4-6`.
pub(super) fn highlight(lines: &str, parts: &mut [Block]) {
    let mut done = 0;
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some((first.trim().parse::<usize>().ok()?, last.trim().parse::<usize>().ok()?))
    };
    let mut ranges: Vec<(usize, usize)> = lines.split(',').filter_map(range).collect();
    ranges.sort_unstable();
    for (first, last) in ranges {
        let (before, after) = (first.saturating_sub(1).max(done), last.min(parts.len()));
        done = after.max(done);
        for line in parts.get_mut(before..after).unwrap_or_default() {
            line.data.insert("highlighted".to_owned(), true.into());
        }
    }
}

/// Returns a prompt with its listing. If the content is not a single listing, returns the tag as text, then the
/// content.
fn prompt(tag: &Tag, content: Vec<Block>) -> Vec<Block> {
    match content.as_slice() {
        [only] if only.kind == BlockKind::Code => {
            let prompt = Block::blocks(BlockKind::Prompt, content).with("description", "");
            let mut prompt = copy(tag, prompt, &["description", "icon"]);
            if let Some(state @ ("hidden" | "partial" | "full")) = tag.get("defaultExpanded") {
                prompt.data.insert("defaultExpanded".to_owned(), state.into());
            }
            if let Some(providers) = tag.get("openInAIProviders") {
                let names = || Value::from(providers.split(',').map(str::trim).collect::<Vec<_>>());
                let providers = providers.parse::<bool>().map_or_else(|_| names(), Value::from);
                prompt.data.insert("openInAIProviders".to_owned(), providers);
            }
            vec![prompt]
        }
        _ => std::iter::once(verbatim(&tag.source)).chain(content).collect(),
    }
}

/// Returns the block of a tag without an end tag, if the tag has all properties that the block requires.
fn void_block(tag: &Tag, refs: &dyn RefResolver) -> Option<Block> {
    let spec = || tag.get("spec").map(|spec| ContentRef::OpenApi { spec: spec.to_owned() }.to_value());
    let block = match tag.name.as_str() {
        "embed" => {
            let block = Block::void(BlockKind::Embed)
                .with("url", tag.get("url").filter(|url| address::is_embed(url))?);
            match tag.flag("fullWidth") {
                Some(wide) => block.with("fullWidth", wide),
                None => block,
            }
        }
        "file" => Block::void(BlockKind::File).with("ref", file(refs, tag.get("src")?)?),
        "content-ref" | "page-ref" => {
            let reference = resolve(refs, tag.get("url").or(tag.get("page"))?, HrefKind::ContentRef)?;
            Block::void(BlockKind::ContentRef).with("ref", reference.to_value())
        }
        "swagger" | "openapi" => {
            let (path, method) = (tag.get("path")?, tag.get("method")?);
            let block = Block::void(BlockKind::Swagger).with("path", path).with("method", method);
            let mut block = block.with("ref", file(refs, tag.get("src")?)?);
            for name in ["expanded", "fullWidth"] {
                if let Some(flag) = tag.flag(name) {
                    block.data.insert(name.to_owned(), flag.into());
                }
            }
            block
        }
        "openapi-operation" => {
            let block = Block::void(BlockKind::OpenApiOperation).with("ref", spec()?);
            block.with("path", tag.get("path")?).with("method", tag.get("method")?)
        }
        "openapi-webhook" => {
            let block = Block::void(BlockKind::OpenApiWebhook).with("ref", spec()?);
            block.with("name", tag.get("name")?).with("method", tag.get("method")?)
        }
        "openapi-schemas" => {
            let schemas: Vec<Value> = tag.get("schemas")?.split(',').map(|name| name.trim().into()).collect();
            let block = Block::void(BlockKind::OpenApiSchemas).with("ref", spec()?).with("schemas", schemas);
            match tag.flag("grouped") {
                Some(grouped) => block.with("grouped", grouped),
                None => block,
            }
        }
        _ => return None,
    };
    Some(block)
}

/// Returns an embed or a file with its caption, the paragraph between its tags.
pub(super) fn captioned(mut block: Vec<Block>) -> Vec<Block> {
    if let [first, caption] = block.as_mut_slice()
        && matches!(first.kind, BlockKind::Embed | BlockKind::File)
        && caption.kind == BlockKind::Paragraph
        && caption.data.is_empty()
    {
        first.data.insert("hasCaption".to_owned(), true.into());
    }
    block
}

/// Returns the drawing of an image that has GitBook's class for drawings.
pub(super) fn drawing(element: &Element, refs: &dyn RefResolver) -> Option<Block> {
    let classes = element.get("class").filter(|_| element.name == "img")?;
    let is_drawing = classes.split_whitespace().any(|class| class == "gitbook-drawing");
    let block =
        Block::void(BlockKind::Drawing).with("ref", file(refs, element.get("src").filter(|_| is_drawing)?)?);
    Some(match element.get("alt").filter(|alt| !alt.is_empty()) {
        Some(alt) => block.with("alt", alt),
        None => block,
    })
}

/// Returns the reference of a file; `None` for a disallowed address.
fn file(refs: &dyn RefResolver, src: &str) -> Option<Value> {
    let found = refs.resolve(src, HrefKind::File).filter(|found| matches!(found, ContentRef::File { .. }));
    let found = found.or_else(|| address::runs_no_script(src).then(|| ContentRef::url(src)));
    found.map(|found| found.to_value())
}

/// Removes the link that repeats a block's address from its content. A different link text becomes the block's title.
fn take_label(block: &mut Block, tag: &Tag, mut content: Vec<Block>) -> Vec<Block> {
    let label = match content.first().map(Block::child_inlines) {
        Some([Inline::Node(link)]) if link.kind == InlineKind::Link => Some(inline_text(&link.nodes)),
        _ => None,
    };
    let Some(label) = label else { return content };
    let has_label = matches!(block.kind, BlockKind::ContentRef | BlockKind::Swagger)
        || matches!(
            block.kind,
            BlockKind::OpenApiOperation | BlockKind::OpenApiWebhook | BlockKind::OpenApiSchemas
        );
    if !has_label {
        return content;
    }
    let address = tag
        .get("url")
        .or_else(|| tag.get("page"))
        .or_else(|| tag.get("src"))
        .or_else(|| tag.get("spec"))
        .unwrap_or_default();
    if !label.is_empty() && label != address {
        block.data.insert("title".to_owned(), label.into());
    }
    content.remove(0);
    content
}
