//! Checks of the statements of this crate. They need no tables.

use diesel::{Connection as _, PgConnection};
use quire_test_support::TestDatabase;

use crate::statement::Sql;
use crate::statement::check::{self, RowTypes, SqlTypes};

/// Prepares the statement of a file, and compares the types of its values and rows.
pub(crate) fn file<S: Sql, Parameters: SqlTypes, Row: RowTypes>(file: &str) {
    let database = TestDatabase::create("empty", |_| {});
    let mut connection = PgConnection::establish(&database.url).unwrap();
    check::file::<S, Parameters, Row>(&mut connection).unwrap_or_else(|error| panic!("{file}: {error:#}"));
}
