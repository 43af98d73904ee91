//! Plans of the log's statements on a filled table: each filter has an index that serves the order, too.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::Text;
use quire_domain::audit::AuditQuery;
use quire_test_support::TestDatabase;

use super::list::page;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    #[diesel(column_name = "QUERY PLAN")]
    line: String,
}

/// Two organizations with 20,000 entries each, of 20 people, operations, spaces and targets, one a minute.
const FILL: &str = "
    INSERT INTO organizations (id, title, default_role, created_at)
        SELECT lpad(n::text, 32, '0')::uuid, 'Acme', 1, now() FROM generate_series(1, 2) n;
    INSERT INTO users (id, email, display_name, created_at)
        SELECT lpad(n::text, 32, '0')::uuid, n || '@example.com', 'Ada', now() FROM generate_series(0, 19) n;
    INSERT INTO audit_entries (organization_id, id, actor_type, actor_id, token_id, operation, method, path, space_id, target_type,
                               target_id, request_id, outcome, created_at)
        SELECT o.id, gen_random_uuid(), 'user', lpad((n * 7 % 20)::text, 32, '0')::uuid, gen_random_uuid(), 'operation' || n * 11 % 20, 'POST', '/',
               lpad((n % 20)::text, 32, '0')::uuid, 'space', 'target' || n % 20, 'r', 'done', timestamptz '2026-01-01' + n * interval '1 minute'
        FROM organizations o, generate_series(1, 20000) n";

/// The plan of a page of 50 entries, with `$1`… replaced by values that are there.
fn plan(connection: &mut PgConnection, query: &AuditQuery, follows: bool) -> String {
    let id = |n: u32| format!("lpad('{n}', 32, '0')::uuid");
    let values = [
        id(1),
        id(7),
        id(3),
        "'operation11'".into(),
        "'2026-01-05'".into(),
        "'2026-01-06'".into(),
        "'target9'".into(),
        "'done'".into(),
        "timestamptz '2026-01-12'".into(),
        id(9),
        "51".into(),
    ];
    let text = page(query, follows).concat();
    // From the last, so that `$1` isn't found in `$10`.
    let text = values
        .iter()
        .enumerate()
        .rev()
        .fold(text, |text, (place, value)| text.replace(&format!("${}", place + 1), value));
    let lines: Vec<Line> = diesel::sql_query(format!("EXPLAIN {text}")).load(connection).unwrap();
    lines.into_iter().map(|line| line.line + "\n").collect()
}

#[test]
fn each_filter_has_an_index_in_the_order_of_the_list() {
    let database = TestDatabase::create("quire", |url| drop(crate::migrations::run(url).unwrap()));
    let mut connection = PgConnection::establish(&database.url).unwrap();
    connection.batch_execute(FILL).unwrap();
    connection.batch_execute("VACUUM ANALYZE audit_entries").unwrap();
    let none = AuditQuery::default;
    let id = "00000000-0000-0000-0000-000000000007".parse().unwrap();
    let moment = "2026-01-05T00:00:00Z".parse().ok();
    for (query, index) in [
        (none(), "audit_entries_time"),
        (AuditQuery { from: moment, ..none() }, "audit_entries_time"),
        (AuditQuery { from: moment, to: moment, ..none() }, "audit_entries_time"),
        (AuditQuery { operation: Some(String::new()), ..none() }, "audit_entries_operation"),
        (AuditQuery { operation: Some(String::new()), from: moment, to: moment, ..none() }, "audit_entries_"),
        (AuditQuery { actor: Some(id), ..none() }, "audit_entries_actor"),
        (
            AuditQuery { space: "00000000-0000-0000-0000-000000000003".parse().ok(), ..none() },
            "audit_entries_space",
        ),
        (AuditQuery { target: Some(String::new()), ..none() }, "audit_entries_target"),
    ] {
        for follows in [false, true] {
            let plan = plan(&mut connection, &query, follows);
            assert!(plan.contains(index), "{query:?}: {index} is not used:\n{plan}");
            assert!(!plan.contains("Seq Scan on audit_entries"), "{query:?}:\n{plan}");
            // Few entries of an operation are in a range of time: to sort them is cheaper than to walk along the index.
            assert!(index == "audit_entries_" || !plan.contains("Sort"), "{query:?}:\n{plan}");
        }
    }
}
