//! Tables and their foreign keys, from PostgreSQL's system catalogs.

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Text};
use quire_database::sql_files;

use crate::{Error, Result};

/// Tables with a foreign key to themselves, and an order in which each row follows the row to which it refers.
const ORDERS: [(&str, &str); 1] = [("collections", "cardinality(t.path), t.id")];

sql_files! {
    ListTables() -> (Text, Array<Text>) = "tables.sql";
    ListForeignKeys() -> (Text, Text, Array<Text>, Text, Array<Text>, Bool) = "foreign_keys.sql";
}

/// Tables of a database.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    tables: Vec<Table>,
    foreign_keys: Vec<ForeignKey>,
}

/// Table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Name.
    pub name: String,
    /// Columns, in the order of the row's text form.
    pub columns: Vec<String>,
}

/// Foreign key.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ForeignKey {
    /// Name.
    pub name: String,
    /// Table that has the foreign key.
    pub table: String,
    /// Columns of that table.
    pub columns: Vec<String>,
    /// Referenced table.
    pub target: String,
    /// Columns of the referenced table, in the order of `columns`.
    pub target_columns: Vec<String>,
    /// `true` if the key is checked at the end of the transaction.
    pub deferred: bool,
}

impl Catalogue {
    pub(crate) fn read(connection: &mut PgConnection) -> Result<Self> {
        let tables: Vec<(String, Vec<String>)> = ListTables::bind(()).load(connection)?;
        let tables = tables.into_iter().map(|(name, columns)| Table { name, columns }).collect();
        let foreign_keys = ListForeignKeys::bind(()).load(connection)?;
        Self { tables, foreign_keys }.sorted()
    }

    /// Returns the tables. Each table follows those to which its rows refer when they are written.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Returns the foreign keys.
    #[must_use]
    pub fn foreign_keys(&self) -> &[ForeignKey] {
        &self.foreign_keys
    }

    /// Returns the table with this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    fn sorted(mut self) -> Result<Self> {
        let mut rest = std::mem::take(&mut self.tables);
        let mut done = BTreeSet::new();
        while !rest.is_empty() {
            let waits = |table: &Table| {
                let mut keys =
                    self.foreign_keys.iter().filter(|key| key.table == table.name && !key.deferred);
                keys.any(|key| key.target != table.name && !done.contains(&key.target))
            };
            let (later, ready): (Vec<Table>, Vec<Table>) = rest.into_iter().partition(waits);
            if ready.is_empty() {
                let names: Vec<String> = later.into_iter().map(|table| table.name).collect();
                return Err(Error::Internal(
                    "tables refer to each other by keys that are not deferred",
                    anyhow::anyhow!("{}", names.join(", ")),
                ));
            }
            done.extend(ready.iter().map(|table| table.name.clone()));
            self.tables.extend(ready);
            rest = later;
        }
        let has_order = |key: &ForeignKey| ORDERS.iter().any(|(table, _)| *table == key.table);
        let mut own = self.foreign_keys.iter().filter(|key| key.table == key.target && !key.deferred);
        let unordered = own.find(|key| !has_order(key)).map(|key| format!("{} of {}", key.name, key.table));
        match unordered {
            None => Ok(self),
            Some(key) => Err(Error::Internal(
                "a table refers to itself, and its rows have no order",
                anyhow::anyhow!("{key}"),
            )),
        }
    }
}

impl Table {
    /// Returns the name as an SQL identifier.
    pub(crate) fn quoted(&self) -> String {
        quoted(&self.name)
    }

    /// Returns whether the table has this column.
    #[must_use]
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    /// Returns the order in which rows of a table `t` can be written one after the other; `None` for any order.
    pub(crate) fn order(&self) -> Option<&'static str> {
        ORDERS.iter().find(|(table, _)| *table == self.name).map(|(_, order)| *order)
    }
}

/// Returns a name as an SQL identifier.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
