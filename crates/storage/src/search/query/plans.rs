//! What PostgreSQL makes of the searches on filled tables: no part of them may read all of one.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::Text;
use quire_test_support::TestDatabase;

use super::{FindHits, FindSections};
use crate::statement::Sql;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    #[diesel(column_name = "QUERY PLAN")]
    line: String,
}

/// Five spaces of 4,000 pages each.
const FILL: &str = "
    INSERT INTO organizations (id, title, default_role, created_at) VALUES (gen_random_uuid(), 'Acme', 1, now());
    INSERT INTO spaces (id, organization_id, title, emoji, default_level, position, head_revision, created_at, updated_at)
        SELECT lpad(n::text, 32, '0')::uuid, o.id, 'Guide', 'x', 1, n::text, lpad(n::text, 32, '0')::uuid, now(), now()
        FROM organizations o, generate_series(1, 5) n;
    INSERT INTO revisions (space_id, id, type, parents, root, created_at)
        SELECT id, id, 'edits', '{}', decode(repeat('00', 32), 'hex'), now() FROM spaces;
    INSERT INTO search_pages (space_id, page_id, title, folded_title, terms)
        SELECT s.id, gen_random_uuid(), md5(n::text), md5(n::text), to_tsvector('simple', md5(n::text))
        FROM spaces s, generate_series(1, 4000) n;
    INSERT INTO search_sections (space_id, page_id, ordinal, body, terms)
        SELECT space_id, page_id, 0, title, to_tsvector('simple', md5(title) || ' common') FROM search_pages";

fn plan(connection: &mut PgConnection, types: &str, text: &str, values: &str, mode: &str) -> String {
    let prepare = format!("SET plan_cache_mode = {mode}; DEALLOCATE ALL; PREPARE search ({types}) AS {text}");
    connection.batch_execute(&prepare).unwrap();
    let lines: Vec<Line> =
        diesel::sql_query(format!("EXPLAIN EXECUTE search ({values})")).load(connection).unwrap();
    lines.into_iter().map(|line| line.line + "\n").collect()
}

#[test]
fn searches_use_the_indexes() {
    let database = TestDatabase::create("quire", |url| drop(crate::migrations::run(url).unwrap()));
    let mut connection = PgConnection::establish(&database.url).unwrap();
    connection.batch_execute(FILL).unwrap();
    // Also moves what was inserted from the waiting lists of the indexes to where it is found fast.
    connection.batch_execute("VACUUM ANALYZE").unwrap();
    let space = "lpad('3', 32, '0')::uuid";
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let hits = plan(
            &mut connection,
            "uuid, text[], text, bigint, uuid, bigint",
            FindHits::TEXT,
            &format!("{space}, '{{needle,thread}}', 'needle thread', NULL, NULL, 51"),
            mode,
        );
        for index in ["search_pages_terms", "search_sections_terms", "search_pages_folded_title"] {
            assert!(hits.contains(index), "{mode}: {index} is not used:\n{hits}");
        }
        assert!(!hits.contains("Seq Scan on search_"), "{mode}:\n{hits}");
        let sections = plan(
            &mut connection,
            "uuid, text[], uuid[], uuid[]",
            FindSections::TEXT,
            &format!(
                "{space}, '{{needle}}', array_fill({space}, ARRAY[50]), array_fill(gen_random_uuid(), ARRAY[50])"
            ),
            mode,
        );
        assert!(!sections.contains("Seq Scan on search_"), "{mode}:\n{sections}");
    }
}
