//! Builder of tables from rows.

use super::super::{Block, BlockKind, Fragment};
use super::columns;
use serde_json::{Map, Value, json};

/// Builder of a table, row by row. Ids are derived from positions: columns `c1`, `c2`, …, records `r1`, `r2`, …, cells
/// `r1c1`, ….
pub(crate) struct TableBuilder {
    view: Map<String, Value>,
    columns: Vec<String>,
    definition: Map<String, Value>,
    records: Map<String, Value>,
    fragments: Vec<Fragment>,
    values: Map<String, Value>,
}

impl TableBuilder {
    /// Returns a builder with this view; `columns` is filled in later.
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

    /// Returns the view of a plain grid.
    pub(crate) fn grid() -> Self {
        let view = [("type".to_owned(), "grid".into()), ("hideHeader".to_owned(), false.into())];
        Self::new(view.into_iter().collect())
    }

    /// Adds a column and returns its id. `properties` belong to its type; absent or invalid ones get their default.
    pub(crate) fn column(
        &mut self,
        title: &str,
        kind: &str,
        properties: Map<String, Value>,
        hidden: bool,
    ) -> String {
        let id = format!("c{}", self.definition.len() + 1);
        let mut column = columns::settled(kind, properties);
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

    /// Adds content to a cell of the current record.
    pub(crate) fn cell(&mut self, column: &str, nodes: Vec<Block>) {
        if nodes.is_empty() {
            return;
        }
        let name = format!("r{}{column}", self.records.len() + 1);
        self.values.insert(column.to_owned(), name.as_str().into());
        self.fragments.push(Fragment { key: None, fragment: Some(name), role: None, nodes });
    }

    /// Adds a plain value to a cell of the current record.
    pub(crate) fn value(&mut self, column: &str, value: Value) {
        self.values.insert(column.to_owned(), value);
    }

    /// Ends the current record.
    pub(crate) fn end_record(&mut self) {
        let number = self.records.len() + 1;
        let values = std::mem::take(&mut self.values);
        // With six digits, the order as text equals the order as numbers in every table that fits into a page.
        let record = json!({"orderIndex": format!("{number:06}"), "values": values});
        self.records.insert(format!("r{number}"), record);
    }

    /// Returns the table block.
    pub(crate) fn build(mut self) -> Block {
        self.view.insert("columns".to_owned(), self.columns.into());
        let mut block = Block::void(BlockKind::Table);
        block.data.insert("view".to_owned(), Value::Object(self.view));
        block.data.insert("definition".to_owned(), Value::Object(self.definition));
        block.data.insert("records".to_owned(), Value::Object(self.records));
        block.fragments = self.fragments.into();
        block
    }
}
