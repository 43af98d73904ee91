//! Generic plans of the authorizing views on filled tables.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::Text;
use quire_storage::MIGRATIONS;
use quire_test_support::TestDatabase;

/// 2,000 organizations, each with a member, a token, a team, a collection with a space and an invite, and a site.
const FILL: &str = "
    CREATE FUNCTION pg_temp.id(n integer) RETURNS uuid LANGUAGE sql IMMUTABLE RETURN lpad(n::text, 32, '0')::uuid;
    INSERT INTO organizations (id, title, created_at)
        SELECT pg_temp.id(n), 'Acme', now() FROM generate_series(1, 2000) n;
    INSERT INTO users (id, email, display_name, created_at)
        SELECT pg_temp.id(n), n || '@example.com', 'Ada', now() FROM generate_series(1, 2000) n;
    INSERT INTO organization_members (organization_id, user_id, role, joined_at)
        SELECT pg_temp.id(n), pg_temp.id(n), 4, now() FROM generate_series(1, 2000) n;
    INSERT INTO api_tokens (id, user_id, hash, label, created_at)
        SELECT pg_temp.id(n), pg_temp.id(n), sha256(n::text::bytea), 'token', now() FROM generate_series(1, 2000) n;
    INSERT INTO teams (organization_id, id, title, created_at)
        SELECT pg_temp.id(n), pg_temp.id(n), 'Writers', now() FROM generate_series(1, 2000) n;
    INSERT INTO collections (organization_id, id, path, title, position, created_at, updated_at)
        SELECT pg_temp.id(n), pg_temp.id(n), ARRAY[pg_temp.id(n)], 'Guides', '80', now(), now()
        FROM generate_series(1, 2000) n;
    INSERT INTO sites (organization_id, id, type, title, visibility, published, created_at)
        SELECT pg_temp.id(n), pg_temp.id(n), 'basic', 'Docs', 'public', false, now() FROM generate_series(1, 2000) n;
    INSERT INTO organization_invites (organization_id, id, collection_id, created_at, seed)
        SELECT pg_temp.id(n), pg_temp.id(n), pg_temp.id(n), now(), pg_temp.id(n) FROM generate_series(1, 2000) n;
    BEGIN;
    INSERT INTO spaces (id, organization_id, collection_id, title, emoji, position, head_revision, created_at, updated_at)
        SELECT pg_temp.id(n), pg_temp.id(n), pg_temp.id(n), 'Guide', '-', '80', pg_temp.id(n), now(), now()
        FROM generate_series(1, 2000) n;
    INSERT INTO revisions (space_id, id, type, parents, root, created_at)
        SELECT id, head_revision, 'edits', '{}', sha256(''), now() FROM spaces;
    COMMIT;
    ANALYZE;
    SET plan_cache_mode = force_generic_plan;
";

#[derive(Debug, QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    #[diesel(column_name = "QUERY PLAN")]
    line: String,
}

/// Returns the generic plan of a statement whose values are the hash of a token, a time and two ids.
fn plan(connection: &mut PgConnection, text: &str) -> String {
    let prepare = format!("PREPARE explained (bytea, timestamptz, uuid, uuid) AS {text}");
    connection.batch_execute(&prepare).unwrap();
    let lines: Vec<Line> =
        diesel::sql_query("EXPLAIN EXECUTE explained (NULL, NULL, NULL, NULL)").load(connection).unwrap();
    connection.batch_execute("DEALLOCATE explained").unwrap();
    lines.into_iter().map(|line| line.line + "\n").collect()
}

#[test]
fn views_that_authorize_are_parts_of_the_statements_that_name_them() {
    let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
    let mut connection = PgConnection::establish(&database.url).unwrap();
    connection.batch_execute(FILL).unwrap();
    let valid = "token_hash = $1 AND (token_expires_at IS NULL OR token_expires_at > $2)";

    for (view, columns, key) in [
        ("organization_access", "title, member_role, owns_team", "is_member AND id = $3"),
        ("collection_access", "position, role, organization_is_blocked", "id = $3"),
        ("space_access", "deleted_at, role, organization_is_blocked", "id = $3"),
        ("site_access", "title, site_spaces, member_role", "organization_id = $3 AND id = $4"),
        ("team_access", "title, is_owner, member_role", "organization_id = $3 AND id = $4"),
        ("invite_access", "member_role, content_role, invite_links", "id = $3"),
    ] {
        let text = format!("SELECT token_id, actor_id, {columns} FROM {view} WHERE {valid} AND {key}");
        let plan = plan(&mut connection, &text);
        assert!(plan.contains("Index Scan using api_tokens_hash_key"), "{view}:\n{plan}");
        for table in [
            "organizations",
            "organization_members",
            "collections",
            "spaces",
            "sites",
            "teams",
            "organization_invites",
        ] {
            assert!(!plan.contains(&format!("Seq Scan on {table} ")), "{view} reads all {table}:\n{plan}");
        }
        assert!(!plan.contains("Function Scan"), "a function of {view} is not inlined:\n{plan}");
    }

    // The head must be looked up by its whole key, even if most spaces have few revisions: some have many.
    for (file, types) in [
        (include_str!("../../src/content/store/contents_to_write.sql"), "bytea[], timestamptz, uuid[]"),
        (include_str!("../../src/lookup/heads.sql"), "bytea[], timestamptz, uuid[], uuid[]"),
        (include_str!("../../src/sites/published/locations.sql"), "bytea, timestamptz, uuid, uuid, bytea"),
    ] {
        let text = file.replace("$columns(s)", "s.*");
        connection.batch_execute(&format!("PREPARE explained ({types}) AS {text}")).unwrap();
        let values = types.split(", ").map(|_| "NULL").collect::<Vec<_>>().join(", ");
        let lines: Vec<Line> =
            diesel::sql_query(format!("EXPLAIN EXECUTE explained ({values})")).load(&mut connection).unwrap();
        connection.batch_execute("DEALLOCATE explained").unwrap();
        let scan = lines.iter().position(|line| line.line.contains("using revisions_pkey"));
        let condition = scan.and_then(|scan| lines.get(scan + 1)).map_or("", |line| &line.line);
        let has_key = condition.contains("(space_id = ") && condition.contains("(id = ");
        assert!(has_key, "{file}\n{lines:#?}");
    }

    // Columns that are not selected cost nothing, including their subqueries and outer joins.
    let narrow =
        plan(&mut connection, &format!("SELECT deleted_at FROM space_access WHERE {valid} AND id = $3"));
    for needless in ["SubPlan", "organization_members", "collections", "content_grants"] {
        assert!(!narrow.contains(needless), "{needless}:\n{narrow}");
    }
}
