//! Statements with a fixed text, which PostgreSQL parses and plans once a connection.
//!
//! Diesel caches the prepared statements of its own query builder, but not those of [`diesel::sql_query`]: these are parsed
//! every time. A [`Statement`] has a text that never changes and says so with a static [`QueryId`], which makes it cacheable.
//! Lookups that join the caller's token with the resource, lists with permissions and batch inserts from arrays are written so.

use std::marker::PhantomData;

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{Error, QueryResult};
use diesel::serialize::ToSql;
use diesel::sql_types::Untyped;
use diesel::{PgConnection, RunQueryDsl};

/// A statement's text, with `$1`, `$2`… where its values go; a value may be named more than once.
pub(crate) trait Sql: Sized + 'static {
    /// The text.
    const TEXT: &'static str;

    /// The statement with its values, in the order of their numbers.
    fn bind<B: Binds>(binds: B) -> Statement<Self, B> {
        Statement { binds, text: PhantomData }
    }
}

/// A [`Sql`] text with its values.
pub(crate) struct Statement<S, B> {
    binds: B,
    text: PhantomData<S>,
}

/// One value and the SQL type it travels as.
pub(crate) struct Bind<ST, T>(T, PhantomData<ST>);

/// `value` as the SQL type `ST`.
pub(crate) fn val<ST, T>(value: T) -> Bind<ST, T> {
    Bind(value, PhantomData)
}

/// The values of a statement: a tuple of [`Bind`]s.
pub(crate) trait Binds {
    /// Writes the placeholder and the value with this number, counted from 1.
    fn push<'b>(&'b self, number: usize, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()>;
}

macro_rules! impl_binds {
    ($($number:literal $st:ident $t:ident $field:tt),*) => {
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
    };
}
impl_binds!();
impl_binds!(1 A TA 0);
impl_binds!(1 A TA 0, 2 B TB 1);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5, 7 G TG 6);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5, 7 G TG 6, 8 H TH 7);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5, 7 G TG 6, 8 H TH 7, 9 I TI 8);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5, 7 G TG 6, 8 H TH 7, 9 I TI 8, 10 J TJ 9);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5, 7 G TG 6, 8 H TH 7, 9 I TI 8, 10 J TJ 9, 11 K TK 10);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5, 7 G TG 6, 8 H TH 7, 9 I TI 8, 10 J TJ 9, 11 K TK 10, 12 L TL 11);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5, 7 G TG 6, 8 H TH 7, 9 I TI 8, 10 J TJ 9, 11 K TK 10, 12 L TL 11, 13 M TM 12);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5, 7 G TG 6, 8 H TH 7, 9 I TI 8, 10 J TJ 9, 11 K TK 10, 12 L TL 11, 13 M TM 12, 14 N TN 13);
impl_binds!(1 A TA 0, 2 B TB 1, 3 C TC 2, 4 D TD 3, 5 E TE 4, 6 F TF 5, 7 G TG 6, 8 H TH 7, 9 I TI 8, 10 J TJ 9, 11 K TK 10, 12 L TL 11, 13 M TM 12, 14 N TN 13, 15 O TO 14, 16 P TP 15, 17 Q TQ 16, 18 R TR 17);

impl<S: Sql, B: Binds> QueryFragment<Pg> for Statement<S, B> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        walk(S::TEXT, &self.binds, out)
    }
}

/// Writes a text with its values in place of their numbers.
fn walk<'b>(text: &str, binds: &'b impl Binds, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_sql(before);
        let tail = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let (number, tail) = after.split_at(after.len() - tail.len());
        let number = number.parse().map_err(|_| Error::QueryBuilderError("`$` without a number".into()))?;
        binds.push(number, &mut out)?;
        rest = tail;
    }
    out.push_sql(rest);
    Ok(())
}

impl<S: Sql, B> QueryId for Statement<S, B> {
    type QueryId = Statement<S, ()>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<S: Sql, B> Query for Statement<S, B> {
    type SqlType = Untyped;
}

impl<S: Sql, B> RunQueryDsl<PgConnection> for Statement<S, B> {}

/// A statement that is put together from parts with fixed texts, such as a list with the conditions of its filter.
///
/// Diesel keeps it prepared under its whole text, so PostgreSQL plans each combination of parts once a connection, and never
/// plans for a condition that isn't there. Values that no part names are left out. Nothing that a user sent may go into a part.
pub(crate) struct Assembled<B> {
    parts: Vec<&'static str>,
    binds: B,
}

impl<B> Assembled<B> {
    /// The parts, one after the other, with their values.
    pub(crate) fn new(parts: Vec<&'static str>, binds: B) -> Self {
        Self { parts, binds }
    }
}

impl<B: Binds> QueryFragment<Pg> for Assembled<B> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.parts.iter().try_for_each(|part| walk(part, &self.binds, out.reborrow()))
    }
}

impl<B> QueryId for Assembled<B> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<B> Query for Assembled<B> {
    type SqlType = Untyped;
}

impl<B> RunQueryDsl<PgConnection> for Assembled<B> {}

/// Declares statements: a unit type for each, whose `bind` takes the values.
macro_rules! statements {
    ($($(#[$meta:meta])* $vis:vis $name:ident = $text:expr;)*) => {
        $($(#[$meta])* $vis struct $name;
        impl $crate::statement::Sql for $name {
            const TEXT: &'static str = $text;
        })*
    };
}
pub(crate) use statements;
