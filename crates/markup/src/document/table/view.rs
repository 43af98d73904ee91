//! Tables as rows and columns.

use super::super::{Block, BlockKind, ContentRef, Fragment};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Content of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// No value.
    Empty,
    /// The blocks of a text cell.
    Content(&'a [Block]),
    /// A reference.
    Reference(ContentRef),
    /// An image with its attributes.
    Image {
        /// File or address.
        reference: ContentRef,
        /// Fit mode: `contain`, `fill` or `cover`.
        fit: Option<&'a str>,
        /// Alternative text.
        alt: Option<&'a str>,
    },
    /// Ids of the files, users or options of a cell.
    Names(Vec<&'a str>),
    /// A number, a choice, a check.
    Value(&'a Value),
}

/// A table block read as rows and columns.
#[derive(Debug, Clone)]
pub struct TableView<'a> {
    block: &'a Block,
    /// Contents of cells, by the names of their fragments.
    contents: HashMap<&'a str, &'a [Block]>,
    /// Positions of the columns in the view.
    shown: HashMap<&'a str, usize>,
}

impl<'a> TableView<'a> {
    /// Returns a view of a table; `None` for another block.
    #[must_use]
    pub fn new(block: &'a Block) -> Option<Self> {
        if block.kind != BlockKind::Table {
            return None;
        }
        let named = |fragment: &'a Fragment| Some((fragment.fragment.as_deref()?, fragment.nodes.as_slice()));
        let contents = block.fragments.iter().filter_map(named).collect();
        let columns = block.data.get("view").and_then(|view| view.get("columns")).and_then(Value::as_array);
        let ids = columns.into_iter().flatten().filter_map(Value::as_str).enumerate();
        Some(Self { block, contents, shown: ids.map(|(index, id)| (id, index)).collect() })
    }

    fn part(&self, name: &str) -> Option<&'a Map<String, Value>> {
        self.block.data.get(name).and_then(Value::as_object)
    }

    /// Returns a property of the view.
    #[must_use]
    pub fn view(&self, name: &str) -> Option<&'a Value> {
        self.part("view").and_then(|view| view.get(name))
    }

    /// Returns the names of the view's properties.
    pub(crate) fn view_names(&self) -> impl Iterator<Item = &'a str> {
        self.part("view").into_iter().flat_map(|view| view.keys().map(String::as_str))
    }

    /// Returns the definitions of all columns by id. They are in the order of their ids (`c2` before `c10`) if the view
    /// has that order; otherwise the shown columns come first, in the order of the view.
    #[must_use]
    pub fn columns(&self) -> Vec<(&'a str, &'a Value)> {
        let Some(definition) = self.part("definition") else { return Vec::new() };
        let mut columns: Vec<(&str, &Value)> =
            definition.iter().map(|(id, column)| (id.as_str(), column)).collect();
        let natural = |id: &str| (id.len(), id.to_owned());
        columns.sort_by_cached_key(|(id, _)| natural(id));
        let indexes = columns.iter().filter_map(|(id, _)| self.shown.get(id));
        if !indexes.is_sorted() {
            columns.sort_by_key(|(id, _)| self.shown.get(id).copied().unwrap_or(usize::MAX));
        }
        columns
    }

    /// Returns whether the view contains a column.
    #[must_use]
    pub fn is_shown(&self, column: &str) -> bool {
        self.shown.contains_key(column)
    }

    /// Returns the ids of the records in order.
    #[must_use]
    pub fn records(&self) -> Vec<&'a str> {
        let Some(records) = self.part("records") else { return Vec::new() };
        let order = |record: &'a Value| record.get("orderIndex").and_then(Value::as_str).unwrap_or_default();
        let mut ids: Vec<(&str, &str)> =
            records.iter().map(|(id, record)| (order(record), id.as_str())).collect();
        ids.sort_unstable();
        ids.into_iter().map(|(_, id)| id).collect()
    }

    /// Returns the content of a cell.
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
            Value::Object(image) if image.contains_key("ref") => {
                let text = |name: &str| image.get(name).and_then(Value::as_str);
                match image.get("ref").and_then(ContentRef::from_value) {
                    Some(reference) => Cell::Image { reference, fit: text("objectFit"), alt: text("alt") },
                    None => Cell::Empty,
                }
            }
            Value::Array(names) => Cell::Names(names.iter().filter_map(Value::as_str).collect()),
            other => Cell::Value(other),
        }
    }
}
