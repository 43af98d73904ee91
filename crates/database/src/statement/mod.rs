//! Statements with a fixed text, which PostgreSQL parses and plans once per connection.
//!
//! Most statements use diesel's query builder, which the compiler checks. A statement that is too long for it, or that
//! uses features it lacks, such as `unnest`, is a file in the folder of its resource, declared with
//! [`sql_files`](crate::sql_files).
//!
//! Diesel caches prepared statements, except each `UPDATE`, an `INSERT` of several rows or with defaults for absent
//! values, and [`diesel::sql_query`]. A [`Statement`] has a static [`QueryId`], which makes it cacheable. So an
//! `UPDATE` of frequent requests, such as the number of open comments, is a file even if it is short.

pub mod check;
mod explain;
mod placeholders;

use std::marker::PhantomData;

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{Error, QueryResult};
use diesel::serialize::ToSql;
use diesel::sql_types::Untyped;
use diesel::{PgConnection, RunQueryDsl};

pub use explain::plan;
use placeholders::{Part, Placeholders};

/// Text of a statement. `$1`, `$2`… are its values; a value may occur more than once. `$columns(s)` expands to the
/// columns of a record in the table or view `s`.
pub trait Sql: Sized + 'static {
    /// Text of the statement.
    const TEXT: &'static str;
    /// Columns of the record that the statement loads.
    const COLUMNS: fn() -> &'static [String];
}

/// Record whose columns files refer to by `$columns`, so that a new column is declared only in the record.
pub trait Columns {
    /// Returns the names of the columns, in the order of the fields.
    fn columns() -> &'static [String];
}

impl Columns for NoRows {
    fn columns() -> &'static [String] {
        &[]
    }
}

/// Returns the names of the columns that a query of one table or view selects.
#[must_use]
pub fn names_of_columns(query: &impl QueryFragment<Pg>) -> Vec<String> {
    let text = diesel::debug_query::<Pg, _>(query).to_string();
    let selected = text.strip_prefix("SELECT ").and_then(|text| text.split_once(" FROM "));
    let columns = selected.map_or("", |(columns, _)| columns).split(", ");
    columns
        .filter_map(|column| Some(column.rsplit_once('.')?.1.trim_matches(['"', '(', ')']).to_owned()))
        .collect()
}

/// [`Sql`] text with its values. `Row` is the SQL type of the returned rows.
pub struct Statement<S, B, Row = Untyped> {
    binds: B,
    text: PhantomData<(S, Row)>,
}

impl<S, B, Row> Statement<S, B, Row> {
    /// Creates the statement with its values, which [`ValuesOf`] converts to binds.
    pub fn new(binds: B) -> Self {
        Self { binds, text: PhantomData }
    }
}

/// Row type of a statement that returns no rows.
pub enum NoRows {}

/// Value with the SQL type in which it is sent.
pub struct Bind<ST, T>(T, PhantomData<ST>);

/// Returns `value` as the SQL type `ST`.
fn val<ST, T>(value: T) -> Bind<ST, T> {
    Bind(value, PhantomData)
}

/// Values of a statement: a tuple of [`Bind`]s.
pub trait Binds {
    /// Writes the placeholder and the value with this number, counted from 1.
    fn push<'b>(&'b self, number: usize, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()>;
}

/// Values that are sent as the SQL types `Types`: a tuple of the same length.
pub trait ValuesOf<Types> {
    /// Values with their SQL types.
    type Binds: Binds;

    /// Converts the values to binds.
    fn into_binds(self) -> Self::Binds;
}

macro_rules! impl_binds {
    ($(($number:literal $st:ident $t:ident $field:tt))*) => {
        impl<$($st, $t),*> Binds for ($(Bind<$st, $t>,)*)
        where
            $(Pg: diesel::sql_types::HasSqlType<$st>, $t: ToSql<$st, Pg>,)*
        {
            #[allow(unused_variables, reason = "a statement without values uses neither")]
            fn push<'b>(&'b self, number: usize, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                match number {
                    $($number => out.push_bind_param::<$st, $t>(&self.$field.0),)*
                    _ => Err(Error::QueryBuilderError(format!("no value ${number}").into())),
                }
            }
        }

        impl<$($st, $t),*> ValuesOf<($($st,)*)> for ($($t,)*)
        where
            $(Pg: diesel::sql_types::HasSqlType<$st>, $t: ToSql<$st, Pg>,)*
        {
            type Binds = ($(Bind<$st, $t>,)*);

            #[allow(clippy::unused_unit, reason = "a statement without values has the unit for them")]
            fn into_binds(self) -> Self::Binds {
                ($(val::<$st, $t>(self.$field),)*)
            }
        }

        impl<$($st),*> check::SqlTypes for ($($st,)*)
        where
            $(Pg: diesel::sql_types::HasSqlType<$st>,)*
        {
            #[allow(unused_variables, reason = "a statement without values uses none")]
            fn oids(connection: &mut PgConnection) -> anyhow::Result<Vec<u32>> {
                Ok(vec![$(check::oid::<$st>(connection)?),*])
            }
        }
    };
}

/// Implements the traits for tuples of each length.
macro_rules! impl_each_length {
    ([$($done:tt)*]) => { impl_binds!($($done)*); };
    ([$($done:tt)*] $next:tt $($rest:tt)*) => {
        impl_binds!($($done)*);
        impl_each_length!([$($done)* $next] $($rest)*);
    };
}

impl_each_length!([]
    (1 A TA 0) (2 B TB 1) (3 C TC 2) (4 D TD 3) (5 E TE 4) (6 F TF 5) (7 G TG 6) (8 H TH 7) (9 I TI 8)
    (10 J TJ 9) (11 K TK 10) (12 L TL 11) (13 M TM 12) (14 N TN 13) (15 O TO 14) (16 P TP 15) (17 Q TQ 16)
    (18 R TR 17)
);

impl<S: Sql, B: Binds, Row> QueryFragment<Pg> for Statement<S, B, Row> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        walk(S::TEXT, S::COLUMNS(), &self.binds, out)
    }
}

/// Writes a text with its values. It is not generic, so that it is compiled once for all statements.
fn walk<'b>(
    text: &str,
    columns: &[String],
    binds: &'b (dyn Binds + 'b),
    mut out: AstPass<'_, 'b, Pg>,
) -> QueryResult<()> {
    Placeholders::default().parts(text, |part| match part {
        Part::Text(text) => {
            out.push_sql(text);
            Ok(())
        }
        Part::First(number) => binds.push(number, &mut out),
        Part::Again(position) => {
            out.push_sql(&format!("${position}"));
            Ok(())
        }
        Part::Columns(of) => {
            for (index, column) in columns.iter().enumerate() {
                let separator = if index == 0 { "" } else { ", " };
                [separator, of, ".", column].iter().for_each(|text| out.push_sql(text));
            }
            Ok(())
        }
        Part::Invalid => Err(Error::QueryBuilderError("`$` without a number from 1 to 64".into())),
    })
}

impl<S: Sql, B, Row: 'static> QueryId for Statement<S, B, Row> {
    type QueryId = Statement<S, (), Row>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<S: Sql, B, Row> Query for Statement<S, B, Row> {
    type SqlType = Row;
}

impl<S: Sql, B, Row> RunQueryDsl<PgConnection> for Statement<S, B, Row> {}

/// Declares the statements of files, whose paths are relative to the file with the declaration. Each becomes a unit
/// type with the SQL types of its values and, after an arrow, of its rows. Its `bind` takes the values. A test prepares
/// each statement and compares the types: it calls the function `statement_check::file` of the declaring crate, which
/// passes a database to [`check::file`](crate::statement::check::file).
///
/// ```ignore
/// sql_files! {
///     /// Sizes of teams.
///     MeasureTeams(Uuid, Array<Uuid>) -> (Uuid, BigInt) = "measure.sql";
///     RemoveMembers(Uuid, Array<Uuid>) = "remove_members.sql";
///     // `$columns` in the file are those of the record.
///     ListTeams(Uuid) -> SqlTypeOf<AsSelect<TeamRecord, Pg>> = "list.sql" of TeamRecord;
/// }
/// ```
#[macro_export]
#[allow(clippy::crate_in_macro_def, reason = "the test belongs to the crate that declares the statement")]
macro_rules! sql_files {
    (@row) => { $crate::statement::NoRows };
    (@row $row:ty) => { $row };
    ($($(#[$meta:meta])* $name:ident($($parameter:ty),* $(,)?) $(-> $row:ty)? = $file:literal $(of $record:ty)?;)*) => {
        $($(#[$meta])* struct $name;

        impl $crate::statement::Sql for $name {
            const TEXT: &'static str = include_str!($file);
            const COLUMNS: fn() -> &'static [String] =
                <$crate::sql_files!(@row $($record)?) as $crate::statement::Columns>::columns;
        }

        impl $name {
            fn bind<Values>(
                values: Values,
            ) -> $crate::statement::Statement<Self, Values::Binds, $crate::sql_files!(@row $($row)?)>
            where
                Values: $crate::statement::ValuesOf<($($parameter,)*)>,
            {
                $crate::statement::Statement::new(values.into_binds())
            }
        })*

        #[cfg(test)]
        #[test]
        fn the_files_fit_the_database() {
            $(crate::statement_check::file::<$name, ($($parameter,)*), $crate::sql_files!(@row $($row)?)>(
                concat!(module_path!(), " ", $file),
            );)*
        }
    };
}
