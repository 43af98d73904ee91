//! Rules for the data of a table: its view, its columns, its records.

use super::super::Fragment;
use super::super::read::Reader;
use super::super::rules::{Rule, keeps};
use super::super::schema::{Field, Need, may, must};
use super::columns::{COLUMN_TYPES, OBJECT_FITS, fields_of};
use crate::limits::document::{MAX_CELLS, MAX_COLUMNS};
use serde_json::{Map, Value};

const GRID: &[Field] = &[
    must!("hideHeader", Rule::Flag),
    may!("columnWidths", Rule::Numbers),
    may!("useNewSizing", Rule::Flag),
    may!("stickyHeader", Rule::Flag),
    may!("stickyFirstColumn", Rule::Flag),
];

const CARDS: &[Field] = &[
    must!("cardSize", Rule::OneOf(&["medium", "large"])),
    may!("targetDefinition", Rule::Text),
    may!("coverDefinition", Rule::Text),
    may!("coverDefinitionDark", Rule::Text),
    may!("hideColumnTitle", Rule::Flag),
    may!("wrap", Rule::Flag),
];

const COLUMN: &[Field] =
    &[must!("id", Rule::Text), must!("title", Rule::Text), must!("type", Rule::OneOf(&COLUMN_TYPES))];

const RECORD: &[Field] = &[must!("orderIndex", Rule::Text), must!("values", Rule::Object)];

/// Checks the data of a table. Missing parts are reported elsewhere.
pub(in super::super) fn check(reader: &mut Reader, data: &Map<String, Value>, fragments: &[Fragment]) {
    let object = |name: &str| data.get(name).and_then(Value::as_object);
    let (Some(view), Some(definition), Some(records)) =
        (object("view"), object("definition"), object("records"))
    else {
        return;
    };
    if definition.len() > MAX_COLUMNS {
        reader.at(".definition", |r| r.fail(format!("must have at most {MAX_COLUMNS} columns")));
    }
    if definition.len().saturating_mul(records.len()) > MAX_CELLS {
        reader.at(".records", |r| {
            r.fail(format!("must have at most {MAX_CELLS} cells, including empty ones"));
        });
    }
    reader.at(".view", |r| check_view(r, view, definition));
    for (id, column) in definition {
        reader.at(&format!(".definition.{id}"), |r| check_column(r, id, column));
    }
    for (id, record) in records {
        reader.at(&format!(".records.{id}"), |r| check_record(r, record, definition));
    }
    let mut names: Vec<&str> = fragments.iter().filter_map(|f| f.fragment.as_deref()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
        reader.fail("two fragments of the table have the same name");
    }
}

fn check_view(reader: &mut Reader, view: &Map<String, Value>, definition: &Map<String, Value>) {
    match view.get("type").and_then(Value::as_str) {
        Some("grid") => reader.fields(view, GRID),
        Some("cards") => reader.fields(view, CARDS),
        _ => reader.at(".type", |r| r.fail("must be one of grid, cards")),
    }
    reader.at(".columns", |r| match view.get("columns").and_then(Value::as_array) {
        None => r.fail("must be an array of strings"),
        Some(columns) => {
            let known = |id: &Value| id.as_str().is_some_and(|id| definition.contains_key(id));
            if !columns.iter().all(known) {
                r.fail("must contain only columns of the definition");
            }
        }
    });
}

fn check_column(reader: &mut Reader, id: &str, column: &Value) {
    let Some(column) = column.as_object() else {
        reader.fail("must be an object");
        return;
    };
    let text = |name: &str| column.get(name).and_then(Value::as_str);
    reader.fields(column, COLUMN);
    reader.fields(column, fields_of(text("type").unwrap_or_default()));
    if text("id").is_some_and(|own| own != id) {
        reader.at(".id", |r| r.fail(format!("must be `{id}`, the key of the column")));
    }
}

fn check_record(reader: &mut Reader, record: &Value, definition: &Map<String, Value>) {
    let Some(record) = record.as_object() else {
        reader.fail("must be an object");
        return;
    };
    reader.fields(record, RECORD);
    let is_value = |value: &Value| match value {
        Value::Null => false,
        Value::Array(names) => names.iter().all(Value::is_string),
        Value::Object(_) => keeps(value, Rule::Ref(&[])),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    };
    let values = record.get("values").and_then(Value::as_object).into_iter().flatten();
    for (id, value) in values {
        let kind = definition.get(id).and_then(|column| column.get("type")).and_then(Value::as_str);
        let wrong = match kind {
            Some("content-ref") => (!keeps(value, Rule::Ref(&[]))).then_some("must be a reference"),
            Some("image") => (!is_image(value))
                .then_some("must be a reference of a file or url kind, or an object with such a `ref`"),
            _ => (!is_value(value))
                .then_some("must be a number, a string, a boolean, an array of strings or a reference"),
        };
        if let Some(message) = wrong {
            reader.at(&format!(".values.{id}"), |r| r.fail(message));
        }
    }
}

/// Returns whether a value is an image: a file or an address, alone or with its display mode.
fn is_image(value: &Value) -> bool {
    const IMAGE: Rule = Rule::Ref(&["file", "url"]);
    let is_part = |(name, part): (&String, &Value)| match name.as_str() {
        "ref" => keeps(part, IMAGE),
        "objectFit" => keeps(part, Rule::OneOf(&OBJECT_FITS)),
        "alt" => part.is_string(),
        _ => false,
    };
    keeps(value, IMAGE)
        || value.as_object().is_some_and(|image| image.contains_key("ref") && image.iter().all(is_part))
}
