//! Tables: a view over records, whose text cells are fragments.

use super::read::Reader;
use super::schema::Rule;
use super::{Block, BlockKind, ContentRef, Fragment};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// How the text of a column is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    Left,
    Center,
    Right,
}

impl Alignment {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Center => "center",
            Self::Right => "right",
        }
    }

    pub(crate) fn from_wire(name: &str) -> Option<Self> {
        [Self::Left, Self::Center, Self::Right].into_iter().find(|alignment| alignment.as_str() == name)
    }
}

/// What a column may hold.
const COLUMN_TYPES: [&str; 9] =
    ["text", "number", "checkbox", "files", "content-ref", "users", "rating", "select", "image"];

/// Whether there are columns of this type.
pub(crate) fn is_column_type(name: &str) -> bool {
    COLUMN_TYPES.contains(&name)
}

/// Builds a table row by row. Ids follow from the position: columns `c1`, `c2`, …, records `r1`, `r2`, …, cells `r1c1`, ….
pub(crate) struct TableBuilder {
    view: Map<String, Value>,
    columns: Vec<String>,
    definition: Map<String, Value>,
    records: Map<String, Value>,
    fragments: Vec<Fragment>,
    values: Map<String, Value>,
}

impl TableBuilder {
    /// A table with this view (`columns` is filled in).
    pub(crate) fn new(view: Map<String, Value>) -> Self {
        Self {
            view,
            columns: Vec::new(),
            definition: Map::new(),
            records: Map::new(),
            fragments: Vec::new(),
            values: Map::new(),
        }
    }

    /// The view of a plain grid.
    pub(crate) fn grid() -> Self {
        let view = [("type".to_owned(), "grid".into()), ("hideHeader".to_owned(), false.into())];
        Self::new(view.into_iter().collect())
    }

    /// Adds a column; `properties` are those of its type. Returns its id.
    pub(crate) fn column(
        &mut self,
        title: &str,
        kind: &str,
        properties: Map<String, Value>,
        hidden: bool,
    ) -> String {
        let id = format!("c{}", self.definition.len() + 1);
        let mut column = properties;
        column.insert("id".to_owned(), id.as_str().into());
        column.insert("title".to_owned(), title.into());
        column.insert("type".to_owned(), kind.into());
        self.definition.insert(id.clone(), Value::Object(column));
        if !hidden {
            self.columns.push(id.clone());
        }
        id
    }

    /// Sets a property of the view.
    pub(crate) fn set_view(&mut self, name: &str, value: impl Into<Value>) {
        self.view.insert(name.to_owned(), value.into());
    }

    /// Puts content into a cell of the record that is being filled.
    pub(crate) fn cell(&mut self, column: &str, nodes: Vec<Block>) {
        if nodes.is_empty() {
            return;
        }
        let name = format!("r{}{column}", self.records.len() + 1);
        self.values.insert(column.to_owned(), name.as_str().into());
        self.fragments.push(Fragment { key: None, fragment: Some(name), role: None, nodes });
    }

    /// Puts a plain value into a cell of the record that is being filled.
    pub(crate) fn value(&mut self, column: &str, value: Value) {
        self.values.insert(column.to_owned(), value);
    }

    /// Ends the record that was being filled.
    pub(crate) fn end_record(&mut self) {
        let number = self.records.len() + 1;
        let values = std::mem::take(&mut self.values);
        // Six digits sort by text as they do by number, for every table that fits into a page.
        let record = json!({"orderIndex": format!("{number:06}"), "values": values});
        self.records.insert(format!("r{number}"), record);
    }

    /// The table block.
    pub(crate) fn build(mut self) -> Block {
        self.view.insert("columns".to_owned(), self.columns.into());
        let mut block = Block::void(BlockKind::Table);
        block.data.insert("view".to_owned(), Value::Object(self.view));
        block.data.insert("definition".to_owned(), Value::Object(self.definition));
        block.data.insert("records".to_owned(), Value::Object(self.records));
        block.fragments = self.fragments;
        block
    }
}

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// Nothing.
    Empty,
    /// The blocks of a text cell.
    Content(&'a [Block]),
    /// A reference.
    Reference(ContentRef),
    /// Files of a files cell, by id.
    Names(Vec<&'a str>),
    /// A number, a choice, a check.
    Value(&'a Value),
}

/// A table block read as rows and columns.
#[derive(Debug, Clone)]
pub struct TableView<'a> {
    block: &'a Block,
    /// The contents of cells by the names of their fragments.
    contents: HashMap<&'a str, &'a [Block]>,
    /// The places of the columns in the view.
    shown: HashMap<&'a str, usize>,
}

impl<'a> TableView<'a> {
    /// A view of a table; `None` for another block.
    #[must_use]
    pub fn new(block: &'a Block) -> Option<Self> {
        if block.kind != BlockKind::Table {
            return None;
        }
        let named = |fragment: &'a Fragment| Some((fragment.fragment.as_deref()?, fragment.nodes.as_slice()));
        let contents = block.fragments.iter().filter_map(named).collect();
        let columns = block.data.get("view").and_then(|view| view.get("columns")).and_then(Value::as_array);
        let ids = columns.into_iter().flatten().filter_map(Value::as_str).enumerate();
        Some(Self { block, contents, shown: ids.map(|(place, id)| (id, place)).collect() })
    }

    fn part(&self, name: &str) -> Option<&'a Map<String, Value>> {
        self.block.data.get(name).and_then(Value::as_object)
    }

    /// A property of the view.
    #[must_use]
    pub fn view(&self, name: &str) -> Option<&'a Value> {
        self.part("view").and_then(|view| view.get(name))
    }

    /// The names of the view's properties.
    pub(crate) fn view_names(&self) -> impl Iterator<Item = &'a str> {
        self.part("view").into_iter().flat_map(|view| view.keys().map(String::as_str))
    }

    /// The definitions of all columns by id: in the order of their ids (`c2` before `c10`) if that is the order of the view, else the shown
    /// ones first and in their order.
    #[must_use]
    pub fn columns(&self) -> Vec<(&'a str, &'a Value)> {
        let Some(definition) = self.part("definition") else { return Vec::new() };
        let mut columns: Vec<(&str, &Value)> =
            definition.iter().map(|(id, column)| (id.as_str(), column)).collect();
        let natural = |id: &str| (id.len(), id.to_owned());
        columns.sort_by_cached_key(|(id, _)| natural(id));
        let places = columns.iter().filter_map(|(id, _)| self.shown.get(id));
        if !places.is_sorted() {
            columns.sort_by_key(|(id, _)| self.shown.get(id).copied().unwrap_or(usize::MAX));
        }
        columns
    }

    /// Whether a column is among the view's.
    #[must_use]
    pub fn is_shown(&self, column: &str) -> bool {
        self.shown.contains_key(column)
    }

    /// The ids of the records in their order.
    #[must_use]
    pub fn records(&self) -> Vec<&'a str> {
        let Some(records) = self.part("records") else { return Vec::new() };
        let order = |record: &'a Value| record.get("orderIndex").and_then(Value::as_str).unwrap_or_default();
        let mut ids: Vec<(&str, &str)> =
            records.iter().map(|(id, record)| (order(record), id.as_str())).collect();
        ids.sort_unstable();
        ids.into_iter().map(|(_, id)| id).collect()
    }

    /// What stands in a cell.
    #[must_use]
    pub fn cell(&self, record: &str, column: &str) -> Cell<'a> {
        let values = self.part("records").and_then(|records| records.get(record)?.get("values"));
        let Some(value) = values.and_then(|values| values.get(column)) else { return Cell::Empty };
        if let Some(content) = value.as_str().and_then(|name| self.contents.get(name)) {
            return Cell::Content(content);
        }
        if let Some(reference) = ContentRef::from_value(value) {
            return Cell::Reference(reference);
        }
        match value {
            Value::Null => Cell::Empty,
            Value::Array(names) => Cell::Names(names.iter().filter_map(Value::as_str).collect()),
            other => Cell::Value(other),
        }
    }
}

/// Checks the data of a table.
pub(super) fn check(reader: &mut Reader, data: &Map<String, Value>, fragments: &[Fragment]) {
    let object = |name: &str| data.get(name).and_then(Value::as_object);
    let (Some(view), Some(definition), Some(records)) =
        (object("view"), object("definition"), object("records"))
    else {
        return;
    };
    reader.at(".view", |r| check_view(r, view, definition));
    for (id, column) in definition {
        reader.at(&format!(".definition.{id}"), |r| check_column(r, column));
    }
    for (id, record) in records {
        reader.at(&format!(".records.{id}"), |r| {
            let ordered = record.get("orderIndex").is_some_and(Value::is_string);
            match record.get("values").and_then(Value::as_object) {
                Some(values) if ordered => check_values(r, values),
                _ => r.fail("must have an orderIndex and values"),
            }
        });
    }
    let mut names: Vec<&str> = fragments.iter().filter_map(|f| f.fragment.as_deref()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
        reader.fail("two fragments of the table have the same name");
    }
}

fn check_column(reader: &mut Reader, column: &Value) {
    let kind = column.get("type").and_then(Value::as_str);
    if kind.is_none() || !column.get("title").is_some_and(Value::is_string) {
        reader.fail("must have a type and a title");
    } else if !kind.is_some_and(is_column_type) {
        reader.at(".type", |r| r.fail(format!("must be one of {}", COLUMN_TYPES.join(", "))));
    }
}

fn check_values(reader: &mut Reader, values: &Map<String, Value>) {
    let is_value = |value: &Value| match value {
        Value::Array(names) => names.iter().all(Value::is_string),
        Value::Object(_) => ContentRef::from_value(value).is_some(),
        _ => true,
    };
    for (id, _) in values.iter().filter(|(_, value)| !is_value(value)) {
        reader.at(&format!(".values.{id}"), |r| {
            r.fail("must be a number, a string, a boolean, an array of strings or a reference");
        });
    }
}

fn check_view(reader: &mut Reader, view: &Map<String, Value>, definition: &Map<String, Value>) {
    if !matches!(view.get("type").and_then(Value::as_str), Some("grid" | "cards")) {
        reader.at(".type", |r| r.fail("must be one of grid, cards"));
    }
    let rules = [
        ("cardSize", Rule::OneOf(&["medium", "large"])),
        ("hideHeader", Rule::Flag),
        ("hideColumnTitle", Rule::Flag),
        ("targetDefinition", Rule::Text),
        ("coverDefinition", Rule::Text),
        ("coverDefinitionDark", Rule::Text),
        ("columnWidths", Rule::Object),
    ];
    for (name, rule) in rules {
        if let Some(Err(message)) = view.get(name).map(|value| super::rules::check(value, rule)) {
            reader.at(&format!(".{name}"), |r| r.fail(message));
        }
    }
    reader.at(".columns", |r| match view.get("columns").and_then(Value::as_array) {
        None => r.fail("must be an array of strings"),
        Some(columns) => {
            let known = |id: &Value| id.as_str().is_some_and(|id| definition.contains_key(id));
            if !columns.iter().all(known) {
                r.fail("must name columns of the definition");
            }
        }
    });
}
