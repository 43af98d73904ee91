//! Query plans of statements.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::Text;

/// `EXPLAIN` of a statement.
struct Explain<Q>(Q);

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for Explain<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("EXPLAIN ");
        self.0.walk_ast(out)
    }
}

impl<Q> QueryId for Explain<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q> Query for Explain<Q> {
    type SqlType = Text;
}

impl<Q> RunQueryDsl<PgConnection> for Explain<Q> {}

/// Returns the plan of a statement.
///
/// # Errors
/// A statement that cannot be planned.
pub fn plan(connection: &mut PgConnection, statement: impl QueryFragment<Pg>) -> QueryResult<String> {
    let lines: Vec<String> = Explain(statement).load(connection)?;
    Ok(lines.join("\n"))
}
