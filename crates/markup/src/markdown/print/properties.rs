//! Block properties without Markdown syntax, which are written as comments before the block.

use crate::document::{Block, BlockKind, Inline, difference};
use crate::limits::markdown::MAX_LIST_START;
use crate::markdown::info::Info;
use crate::markdown::parse::properties_of_tag;
use crate::markdown_html::length;
use crate::markdown_html::properties::Properties;
use serde_json::{Map, Value};

/// Returns the comments before a block: one for the block, and one for each of its parts that needs one.
pub(super) fn comments(block: &Block, printed: &str) -> Vec<String> {
    if is_element(printed) {
        // Properties are attributes of the element.
        return Vec::new();
    }
    let own = Properties { part: None, patch: difference(&said(block, printed), &known(block)) };
    // Other parts have tags of their own, with comments before them.
    let has_bare_parts = matches!(
        block.kind,
        BlockKind::Code
            | BlockKind::Images
            | BlockKind::ListOrdered
            | BlockKind::ListUnordered
            | BlockKind::ListTasks
    );
    let parts = if has_bare_parts { block.child_blocks() } else { &[] };
    let parts = parts.iter().enumerate().map(|(index, part)| Properties {
        part: Some(index),
        patch: difference(&derived_properties(block, part), &part.data),
    });
    let written = std::iter::once(own).chain(parts).map(|properties| properties.write());
    written.filter(|comment| !comment.is_empty()).collect()
}

/// Returns whether a block was written as an element with all of its properties.
pub(super) fn is_element(printed: &str) -> bool {
    ["<div data-block=", "<table", "<pre"].iter().any(|begin| printed.starts_with(begin))
}

/// Returns the properties that a comment may contain. They exclude a table's rows and columns, which are its content.
fn known(block: &Block) -> Map<String, Value> {
    if block.kind == BlockKind::Table { table_properties(block) } else { Map::clone(&block.data) }
}

/// Returns the properties of a table and its view other than rows and columns.
pub(super) fn table_properties(block: &Block) -> Map<String, Value> {
    const EXPRESSED: [&str; 9] = [
        "type",
        "columns",
        "hideHeader",
        "hideColumnTitle",
        "cardSize",
        "columnWidths",
        "targetDefinition",
        "coverDefinition",
        "coverDefinitionDark",
    ];
    let mut data = Map::clone(&block.data);
    let mut view: Map<String, Value> = match data.remove("view") {
        Some(Value::Object(view)) => view,
        _ => Map::new(),
    };
    let is_cards = view.get("type").and_then(Value::as_str) == Some("cards");
    // The syntax of a grid cannot express properties of cards, and vice versa.
    view.retain(|name, value| {
        !EXPRESSED.contains(&name.as_str())
            || (name == "hideColumnTitle" && (!is_cards || *value != Value::Bool(true)))
            || (name == "hideHeader" && is_cards)
    });
    if is_cards && view.get("wrap").is_some_and(Value::is_boolean) {
        view.remove("wrap");
    }
    data.remove("definition");
    data.remove("records");
    if !view.is_empty() {
        data.insert("view".to_owned(), Value::Object(view));
    }
    data
}

/// Returns the properties that the reader derives from the printed syntax.
fn said(block: &Block, printed: &str) -> Map<String, Value> {
    let all = || Map::clone(&block.data);
    let some = |keep: fn(&str, &Value) -> bool| {
        let mut data = Map::clone(&block.data);
        data.retain(|name, value| keep(name, value));
        data
    };
    match block.kind {
        BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3 => {
            some(|name, _| name == "id" || name == "align")
        }
        BlockKind::ListOrdered => some(|name, value| {
            name == "start" && value.as_u64().is_some_and(|start| start != 1 && start <= MAX_LIST_START)
        }),
        BlockKind::Math => some(|name, value| {
            name == "formula" && value.as_str().is_some_and(|formula| !formula.contains('\r'))
        }),
        BlockKind::Images => some(|name, _| matches!(name, "align" | "fullWidth" | "withFrame")),
        BlockKind::Expandable => some(|name, value| name == "defaultExpanded" && *value == Value::Bool(true)),
        BlockKind::Table => some(|name, value| matches!(name, "fullWidth" | "search") && value.is_boolean()),
        BlockKind::Code => {
            let mut data = properties_of_tag(printed);
            data.extend(syntax(block).map(|syntax| ("syntax".to_owned(), syntax.into())));
            data
        }
        BlockKind::Paragraph
        | BlockKind::Divider
        | BlockKind::Blockquote
        | BlockKind::ListUnordered
        | BlockKind::ListTasks => all(),
        _ => of_tag(block, printed),
    }
}

fn of_tag(block: &Block, printed: &str) -> Map<String, Value> {
    let mut data = match block.kind {
        BlockKind::ReusableContent | BlockKind::File | BlockKind::Drawing | BlockKind::ContentRef => {
            Map::new()
        }
        _ => properties_of_tag(printed),
    };
    if let Some(reference) = block.data.get("ref") {
        data.insert("ref".to_owned(), reference.clone());
    }
    let has_end = ["{% endembed %}", "{% endfile %}"].iter().any(|end| printed.ends_with(end));
    if has_end && block.flag("hasCaption") {
        data.insert("hasCaption".to_owned(), true.into());
    }
    if block.kind == BlockKind::Drawing && printed.starts_with("<img") {
        data.extend(block.data.get("alt").map(|alt| ("alt".to_owned(), alt.clone())));
    }
    if has_label(block.kind)
        && let Some(title) = block.str("title").filter(|title| !title.is_empty())
    {
        data.insert("title".to_owned(), title.into());
    }
    data
}

/// Returns whether a block's tag contains a link whose text is the block's title.
fn has_label(kind: BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::ContentRef
            | BlockKind::Swagger
            | BlockKind::OpenApiOperation
            | BlockKind::OpenApiWebhook
            | BlockKind::OpenApiSchemas
    )
}

/// Returns the language of a listing, if a fence can express it.
pub(super) fn syntax(block: &Block) -> Option<&str> {
    block.str("syntax").filter(|syntax| {
        *syntax != "math" && !syntax.contains(['\n', '\r']) && Info::is_language_only(syntax)
    })
}

/// Returns the properties that the reader derives for a part without a line of its own.
pub(super) fn derived_properties(block: &Block, part: &Block) -> Map<String, Value> {
    let mut data = Map::clone(&part.data);
    match block.kind {
        BlockKind::ListTasks => {
            data.retain(|name, _| name == "checked");
            data.entry("checked").or_insert_with(|| false.into());
        }
        BlockKind::ListOrdered => data.retain(|name, _| name == "checked"),
        BlockKind::Code => data.retain(|name, value| name == "highlighted" && *value == Value::Bool(true)),
        BlockKind::Images => return properties_of_image(part),
        _ => data.clear(),
    }
    data
}

/// Returns the properties that the element of an image expresses.
pub(super) fn properties_of_image(image: &Block) -> Map<String, Value> {
    let mut data = Map::clone(&image.data);
    data.retain(|name, value| match name.as_str() {
        "ref" | "refDark" => true,
        "alt" => value.as_str().is_some_and(|alt| !alt.is_empty()),
        "width" | "height" => written_length(value).and_then(|text| length(&text)).as_ref() == Some(value),
        _ => false,
    });
    data
}

/// Returns a length as an attribute.
pub(super) fn written_length(value: &Value) -> Option<String> {
    match value {
        Value::Object(length) => {
            let unit = length.get("unit").and_then(Value::as_str).unwrap_or_default();
            length.get("value").map(|value| format!("{value}{unit}"))
        }
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}

/// Returns whether a listing is plain text, the only content of a fence.
pub(super) fn is_plain_listing(block: &Block) -> bool {
    let is_plain = |inline: &Inline| match inline {
        Inline::Text(text) => {
            text.leaves.iter().all(|leaf| leaf.marks.is_empty() && !leaf.text.contains(['\n', '\r']))
        }
        Inline::Node(_) => false,
    };
    block.child_blocks().iter().all(|line| line.child_inlines().iter().all(is_plain))
}
