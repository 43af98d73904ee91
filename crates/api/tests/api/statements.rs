//! Statements of all requests: plans of lists on filled tables, tenants, and row locks.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::Method;
use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::Text;
use quire_api::route::Route;
use quire_test_support::TestApp;
use serde_json::Value;

use crate::paging::is_list;
use crate::routes::{crowd, fill, fixture_and_admin};

/// Maximum number of rows that a list may sort, on tables with thousands of rows.
const SORTED_ROWS: f64 = 150.0;

/// Maximum cost of a sequential scan, in the planner's unit: a page read sequentially.
const SCAN_COST: f64 = 150.0;

#[derive(QueryableByName)]
struct Plan {
    #[diesel(sql_type = Text)]
    #[diesel(column_name = "QUERY PLAN")]
    plan: String,
}

/// Parameter types that PostgreSQL cannot always infer from a statement.
const TYPES: [&str; 6] = ["uuid[]", "text", "uuid", "bigint", "boolean", "timestamptz"];

/// Types of leading array parameters, which the statement text does not show.
const ARRAYS: [(&str, [&str; 2]); 2] = [
    ("FROM unnest($1, $2) AS w (space_id, id)", ["uuid[]", "bytea[]"]),
    ("FROM unnest($1, $2) AS w (space_id, revision_id)", ["uuid[]", "uuid[]"]),
];

/// Prepares a statement with these parameter types, and with one of [`TYPES`] where PostgreSQL cannot infer the type.
fn prepare(connection: &mut PgConnection, text: &str, types: &mut [&str]) -> QueryResult<()> {
    let list = if types.is_empty() { String::new() } else { format!("({})", types.join(", ")) };
    let prepared = connection.batch_execute(&format!("PREPARE explained {list} AS {text}"));
    let Err(error) = prepared else { return Ok(()) };
    let message = error.to_string();
    let untyped = message.strip_prefix("could not determine data type of parameter $");
    let Some(untyped) = untyped.and_then(|number| number.parse::<usize>().ok()) else { return Err(error) };
    let found = TYPES.into_iter().find(|candidate| {
        types[untyped - 1] = candidate;
        prepare(connection, text, types).is_ok()
    });
    if found.is_none() {
        types[untyped - 1] = "unknown";
    }
    found.map(|_| ()).ok_or(error)
}

/// Returns the generic plan of a statement.
fn plan(connection: &mut PgConnection, text: &str) -> Value {
    let values = (1..).take_while(|number| text.contains(&format!("${number}"))).count();
    let mut types = vec!["unknown"; values];
    if let Some((_, arrays)) = ARRAYS.iter().find(|(part, _)| text.contains(part)) {
        types[..arrays.len()].copy_from_slice(arrays);
    }
    prepare(connection, text, &mut types).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let values = if values == 0 { String::new() } else { format!("({})", vec!["NULL"; values].join(", ")) };
    let explain = diesel::sql_query(format!("EXPLAIN (FORMAT JSON) EXECUTE explained {values}"));
    let plan: Plan = explain.get_result(connection).unwrap_or_else(|error| panic!("{error}\n{text}"));
    connection.batch_execute("DEALLOCATE explained").unwrap();
    serde_json::from_str::<Value>(&plan.plan).unwrap()[0]["Plan"].clone()
}

/// Sort of the grants of users by strength.
const GRANTS: &str = "sorts rows by [\"(g.user_id)\",\"((g.space_id IS NOT NULL)) DESC\",\"(array_position(p_1.path, g.collection_id)) DESC\",\"g.role DESC\"]";

/// Lists that may read or sort more, with the reason.
const EXCEPTIONS: [(&str, &str, &str); 6] = [
    (
        "listPermissionsAggregateInCollection",
        GRANTS,
        "users with a grant on the way to the root, of whom one counts",
    ),
    (
        "listPermissionsAggregateInSpace",
        GRANTS,
        "users with a grant on the way to the root, of whom one counts",
    ),
    ("listIntegrations", "reads all of \"integrations\"", "the catalogue of the deployment is counted"),
    (
        "listOrganizationIntegrations",
        "reads all of \"integrations\"",
        "the catalogue of the deployment is counted",
    ),
    ("listOrganizationIntegrations", "reads all of \"organizations\"", "the publishers of the catalogue"),
    (
        "listSpacesInCollectionById",
        "sorts rows by [\"c.id\",\"(array_position(c.path, g_2.collection_id)) DESC\",\"g_2.role DESC\"]",
        "the collections below those that are shared with the actor, fewer than the plan expects",
    ),
];

/// Collects the nodes of a plan that read or sort more than a list may.
fn wasteful(node: &Value, found: &mut Vec<String>) {
    let children: &[Value] = node["Plans"].as_array().map_or(&[], Vec::as_slice);
    let rows = |node: &Value| node["Plan Rows"].as_f64().unwrap();
    match node["Node Type"].as_str().unwrap() {
        "Sort" if rows(&children[0]) > SORTED_ROWS => {
            found.push(format!("sorts rows by {}", node["Sort Key"]));
        }
        "Seq Scan" if node["Total Cost"].as_f64().unwrap() > SCAN_COST => {
            found.push(format!("reads all of {}", node["Relation Name"]));
        }
        _ => {}
    }
    for child in children {
        wasteful(child, found);
    }
}

#[actix_web::test]
async fn lists_find_their_rows_by_an_index_in_their_order() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let mut fixture = fill(&app, app.organization, space, &admin).await;
    crowd(&app, &mut fixture, &admin).await;
    let mut lists: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for route in quire_api::routes().into_iter().filter(is_list) {
        let path = fixture.path(&route);
        let joint = if path.contains('?') { '&' } else { '?' };
        let texts = app.statement_texts(async {
            let first = admin.get(&format!("{path}{joint}limit=1")).await.expect(200);
            let next = first.at("/next/page").as_str().unwrap().to_owned();
            let _ = admin.get(&format!("{path}{joint}limit=1&page={next}")).await.expect(200);
        });
        let _ = lists.insert(route.operation, texts.await);
    }
    let mut connection = app.connection();
    connection.batch_execute(include_str!("fixtures/many_rows.sql")).unwrap();
    connection.batch_execute("VACUUM ANALYZE").unwrap();
    connection.batch_execute("SET plan_cache_mode = force_generic_plan").unwrap();
    let (mut wrong, mut excused) = (Vec::new(), BTreeSet::new());
    for (operation, texts) in lists {
        for text in texts {
            let mut found = Vec::new();
            wasteful(&plan(&mut connection, &text), &mut found);
            for waste in found {
                match EXCEPTIONS.iter().position(|(list, which, _)| (*list, *which) == (operation, &*waste)) {
                    Some(exception) => drop(excused.insert(exception)),
                    None => wrong.push(format!("{operation} {waste}:\n{text}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert_eq!(excused.len(), EXCEPTIONS.len(), "exceptions that no list needs");
}

/// Statements that lock rows without a condition on their tenant, by a part of their text, with the reason.
const LOCKS_WITHOUT_TENANT: [(&str, &str); 2] = [
    ("FROM \"users\"", "a person may belong to many organizations"),
    ("FROM email_invites i", "an invite is found by its secret alone"),
];

/// Returns whether a statement writes or compares the column of its tenant. The tenant is the organization, for content
/// the space. Authorization views find a tenant, or a part of one, by its id.
fn names_tenant(text: &str) -> bool {
    let text = text.replace('"', "");
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == '(').filter(|word| !word.is_empty()).collect();
    let is_tenant = |word: &str| {
        let column = word.rsplit('.').next();
        matches!(column, Some("organization_id" | "space_id"))
            || matches!(word, "organizations.id" | "spaces.id")
    };
    let inserts =
        text.contains("INSERT INTO") && words.iter().any(|word| is_tenant(word.trim_end_matches(',')));
    let is_by_id = |word: &str| word.ends_with("_access.id") || word.ends_with("_access.actor_id");
    inserts || words.windows(3).any(|words| (is_tenant(words[0]) || is_by_id(words[0])) && words[1] == "=")
}

/// Statements without a condition on a tenant, by a part of their text, with the reason.
const WITHOUT_TENANT: [(&str, &str); 32] = [
    ("SET git_sync = ", "a space is the tenant of its content, and is found by its id"),
    ("\"organization_access\".\"is_member\"", "the organizations of a user are listed"),
    ("FROM spaces s\n WHERE s.id = ANY", "spaces are loaded by their ids, whose tenants the list has named"),
    ("pg_advisory_xact_lock", "a lock that belongs to no row"),
    ("FROM \"api_tokens\" WHERE", "a token belongs to its user"),
    ("FROM (\"api_tokens\" INNER JOIN \"users\"", "a token belongs to its user"),
    ("INTO \"api_tokens\"", "a token belongs to its user"),
    ("UPDATE \"api_tokens\"", "a token belongs to its user"),
    ("DELETE FROM api_tokens", "a token belongs to its user"),
    ("INTO api_tokens", "a token belongs to its user"),
    ("lower(u.email) = lower($1)", "a person may belong to many organizations"),
    ("FROM oidc_providers p", "a sign-in page offers the providers of several organizations"),
    ("FROM \"totp_secrets\"", "a second factor belongs to its user"),
    ("FROM \"recovery_codes\"", "a second factor belongs to its user"),
    ("FROM \"notification_settings\"", "notifications are settings of a user"),
    ("INTO notification_settings", "notifications are settings of a user"),
    ("FROM sign_in_links l", "a link belongs to its user"),
    ("UPDATE sign_in_links", "a link belongs to its user"),
    ("UPDATE \"sign_in_links\"", "a link belongs to its user"),
    ("FROM \"passkeys\"", "a passkey belongs to its user"),
    ("UPDATE \"passkeys\"", "a passkey belongs to its user"),
    ("UPDATE \"users\"", "a person may belong to many organizations"),
    ("FROM \"users\" WHERE", "a person may belong to many organizations"),
    ("INTO \"users\"", "a person may belong to many organizations"),
    ("INTO \"organizations\"", "a new tenant"),
    ("\"organizations\".\"hostname\" = ", "an organization is found by its host name"),
    ("FROM organizations WHERE slug = $1", "a name is that of one organization of the deployment"),
    ("WHERE (((\"site_git_installations\".\"id\" = ", "a webhook names its connection alone"),
    ("\"integration_images\"", "belong to their integration, a part of the catalogue"),
    ("\"deployment_keys\"", "of the whole deployment"),
    ("INTO jobs (", "a queue is drained across tenants"),
    ("__diesel_schema_migrations", "of the whole deployment"),
];

#[actix_web::test]
async fn statements_and_row_locks_name_the_tenant_of_their_rows() {
    let app = TestApp::start().await;
    let (mut all, mut done) = (BTreeSet::new(), 0);
    for route in quire_api::routes() {
        let (fixture, admin) = fixture_and_admin(&app, &route).await;
        if !fixture.knows(&route) {
            continue;
        }
        let texts = app.statement_texts(async {
            let answer = admin.send(fixture.request(&route, &fixture.path(&route))).await;
            done += usize::from(answer.status.is_success());
        });
        all.extend(texts.await);
    }
    // Statement of the readiness check.
    assert!(all.remove("SELECT 1"));
    assert!(done > 200 && all.len() > 300, "{done} requests send {} statements", all.len());
    let without: Vec<&String> = all.iter().filter(|text| !names_tenant(text)).collect();
    let is_lock = |text: &&String| {
        ["FOR UPDATE", "FOR NO KEY UPDATE", "FOR SHARE", "FOR KEY SHARE"]
            .iter()
            .any(|lock| text.contains(lock))
    };
    let (locks, others): (Vec<&String>, Vec<&String>) = without.into_iter().partition(is_lock);
    for (statements, exceptions) in [(locks, &LOCKS_WITHOUT_TENANT[..]), (others, &WITHOUT_TENANT[..])] {
        let is_excused = |text: &&&String| exceptions.iter().any(|(part, _)| text.contains(part));
        let wrong: Vec<_> = statements.iter().filter(|text| !is_excused(text)).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        for (part, _) in exceptions {
            assert!(
                statements.iter().any(|text| text.contains(part)),
                "no statement needs the exception {part}"
            );
        }
    }
}

/// Returns whether an operation is frequent: a read, or a write of content, comments or change requests.
fn is_frequent(route: &Route) -> bool {
    let parts = ["/content", "/comments", "/change-requests"];
    let writes = route.path.strip_prefix("/v1/spaces/{spaceId}");
    route.method == Method::GET || writes.is_some_and(|rest| parts.iter().any(|part| rest.starts_with(part)))
}

#[actix_web::test]
async fn frequent_statements_are_prepared_once_per_connection() {
    let app = TestApp::start().await;
    // Starts the recording before the first statement.
    let _ = app.statement_texts(async {}).await;
    let mut all: BTreeMap<String, &str> = BTreeMap::new();
    for route in quire_api::routes().into_iter().filter(is_frequent) {
        let (fixture, admin) = fixture_and_admin(&app, &route).await;
        if !fixture.knows(&route) {
            continue;
        }
        let texts = app.statement_texts(async {
            let _ = admin.send(fixture.request(&route, &fixture.path(&route))).await;
        });
        all.extend(texts.await.into_iter().map(|text| (text, route.operation)));
    }
    // Statement of the readiness check, and of a connection check after a refusal.
    let _ = all.remove("SELECT 1");
    // Statements of the readiness check, which run at most once a second.
    all.retain(|text, _| !text.contains("__diesel_schema_migrations"));
    // Progress of the fixture's import, which is recorded only if the import takes more than a second.
    all.retain(|text, _| !text.starts_with("UPDATE \"imports\" SET \"phase\""));
    assert!(all.len() > 150, "{} statements", all.len());
    let prepared = app.prepared_texts();
    let parsed: Vec<_> = all.iter().filter(|(text, _)| !prepared.contains(*text)).collect();
    assert!(parsed.is_empty(), "parsed each time: {parsed:#?}");
}
