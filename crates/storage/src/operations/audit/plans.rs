//! Plans of the log's statements on a filled table: each filter has an index that also provides the order.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use quire_database::statement::plan;
use quire_domain::audit::AuditQuery;
use quire_domain::clock::Timestamp;
use quire_domain::ids::OrganizationId;
use quire_test_support::TestDatabase;
use uuid::Uuid;

use super::list::{AuditPosition, page};

/// Two organizations with 20,000 entries each, with 20 users, operations, spaces and targets, one entry per minute.
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

/// Returns the cursor of an entry in the middle of the log.
fn key() -> AuditPosition {
    let key = serde_json::json!({ "created_at": "2026-01-12T00:00:00.000Z", "id": Uuid::from_u128(9) });
    serde_json::from_value(key).unwrap()
}

#[test]
fn each_filter_has_an_index_in_the_order_of_the_list() {
    let database = TestDatabase::create("quire", |url| drop(crate::MIGRATIONS.run(url).unwrap()));
    let mut connection = PgConnection::establish(&database.url).unwrap();
    connection.batch_execute(FILL).unwrap();
    connection.batch_execute("VACUUM ANALYZE audit_entries").unwrap();
    let none = AuditQuery::default;
    let organization = OrganizationId::from_uuid(Uuid::from_u128(1));
    let moment = |at: &str| at.parse::<Timestamp>().ok();
    let (from, to) = (moment("2026-01-05T00:00:00Z"), moment("2026-01-06T00:00:00Z"));
    let operation = Some("operation11".to_owned());
    for (query, index) in [
        (none(), "audit_entries_time"),
        (AuditQuery { from, ..none() }, "audit_entries_time"),
        (AuditQuery { from, to, ..none() }, "audit_entries_time"),
        (AuditQuery { operation: operation.clone(), ..none() }, "audit_entries_operation"),
        (AuditQuery { operation, from, to, ..none() }, "audit_entries_"),
        (AuditQuery { actor: Some(Uuid::from_u128(7).into()), ..none() }, "audit_entries_actor"),
        (AuditQuery { space: Some(Uuid::from_u128(3).into()), ..none() }, "audit_entries_space"),
        (AuditQuery { target: Some("target9".into()), ..none() }, "audit_entries_target"),
    ] {
        for below in [None, Some(key())] {
            let plan = plan(&mut connection, page(organization, &query, below, 50)).unwrap();
            assert!(plan.contains(index), "{query:?}: {index} is not used:\n{plan}");
            assert!(!plan.contains("Seq Scan on audit_entries"), "{query:?}:\n{plan}");
            // Few entries of an operation are in a time range: sorting them is cheaper than walking the index.
            assert!(index == "audit_entries_" || !plan.contains("Sort"), "{query:?}:\n{plan}");
        }
    }
}
