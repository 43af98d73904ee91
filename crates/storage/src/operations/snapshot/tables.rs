//! Statements for any table of the catalog.
//!
//! Snapshots include tables of later migrations without a change here, so these statements cannot be files. They
//! contain only names from the catalog. A test prepares each one for each table and foreign key.

use super::catalogue::{Catalogue, ForeignKey, Table, quoted};
use super::scope;
use crate::Result;

/// Returns the statement that selects rows as text: all rows, or those of the organization `$1`.
pub(super) fn select_rows(catalogue: &Catalogue, table: &Table, of_organization: bool) -> Result<String> {
    let condition = if of_organization {
        format!(" WHERE {}", scope::condition(catalogue, table)?)
    } else {
        String::new()
    };
    let order = table.order().map(|order| format!(" ORDER BY {order}")).unwrap_or_default();
    Ok(format!("SELECT t::text AS line FROM {} t{condition}{order}", table.quoted()))
}

/// Returns the statement that inserts the rows `$1`, which are texts. Rows whose `kept` column already exists are left
/// out.
pub(super) fn insert_rows(table: &Table, kept: Option<&str>) -> String {
    let kept = kept.map(|column| format!(" ON CONFLICT ({}) DO NOTHING", quoted(column))).unwrap_or_default();
    let table = table.quoted();
    // OFFSET keeps PostgreSQL from parsing each row once per column.
    format!(
        "INSERT INTO {table} \
         SELECT (r.row).* FROM (SELECT t.line::{table} AS row FROM unnest($1) AS t (line) OFFSET 0) AS r{kept}"
    )
}

/// Returns the statement that selects whether the table has rows.
pub(super) fn is_occupied(table: &Table) -> String {
    format!("SELECT EXISTS (SELECT FROM {}) AS found", table.quoted())
}

/// Returns the statement that selects a message for each row whose foreign key refers to a missing row. `$1` is the
/// name of the key and of its table, `$2` the name of the referenced table.
pub(crate) fn select_dangling(key: &ForeignKey) -> String {
    let list = |of: &str, columns: &[String]| {
        columns.iter().map(|column| format!("{of}.{}", quoted(column))).collect::<Vec<_>>().join(", ")
    };
    let given: Vec<String> =
        key.columns.iter().map(|column| format!("t.{} IS NOT NULL", quoted(column))).collect();
    format!(
        "SELECT format('%s (%s) refers to a row of %s that is missing', $1, concat_ws(', ', {columns}), $2) AS line \
           FROM {of} t \
          WHERE {given} AND NOT EXISTS (SELECT FROM {to} f WHERE ({target_columns}) = ({columns}))",
        of = quoted(&key.table),
        to = quoted(&key.target),
        columns = list("t", &key.columns),
        target_columns = list("f", &key.target_columns),
        given = given.join(" AND "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement_check::{prepare, with_database};

    #[test]
    fn statements_over_each_table_fit_the_database() {
        let catalogue = with_database(|connection| Catalogue::read(connection).unwrap());
        assert!(catalogue.tables().len() > 50 && catalogue.foreign_keys().len() > 50);
        for table in catalogue.tables() {
            prepare(&select_rows(&catalogue, table, false).unwrap(), &[]);
            prepare(&select_rows(&catalogue, table, true).unwrap(), &["uuid"]);
            prepare(&insert_rows(table, None), &["text[]"]);
            prepare(&is_occupied(table), &[]);
        }
        for name in ["users", "api_tokens"] {
            prepare(&insert_rows(catalogue.table(name).unwrap(), Some("id")), &["text[]"]);
        }
        for key in catalogue.foreign_keys() {
            prepare(&select_dangling(key), &["text", "text"]);
        }
    }
}
