//! Rules of the schema, checked in PostgreSQL's system catalogs instead of in reviews.

use std::collections::{BTreeMap, BTreeSet};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Text};
use quire_domain::Role;
use quire_storage::MIGRATIONS;
use quire_storage::migrations::Status;
use quire_test_support::{TestDatabase, TestStore};

/// Tables without a tenant, each with the reason.
const GLOBAL_TABLES: [(&str, &str); 16] = [
    ("users", "a person may belong to many organizations"),
    ("api_tokens", "a token belongs to its user"),
    ("sign_in_links", "a link belongs to its user"),
    ("mails", "a queue is drained across tenants"),
    ("idempotency_keys", "a key belongs to its user"),
    ("inbox_entries", "an inbox belongs to its user, and has entries about many spaces"),
    ("notification_settings", "belong to a user, who may belong to many organizations"),
    ("deployment_keys", "of the whole deployment"),
    ("jobs", "a queue is drained across tenants"),
    ("totp_secrets", "belong to a user, who may belong to many organizations"),
    ("passkeys", "belong to a user, who may belong to many organizations"),
    ("passkey_challenges", "of a user, or of a browser that signs in"),
    ("recovery_codes", "belong to a user, who may belong to many organizations"),
    ("organizations", "the tenants themselves"),
    ("integrations", "a catalogue across organizations, found by name"),
    ("integration_images", "belong to their integration"),
];

/// Tables whose rows belong to an organization. All other tables belong to a space.
const ORGANIZATION_TABLES: &[&str] = &[
    "audit_entries",
    "webhooks",
    "webhook_deliveries",
    "organization_members",
    "organization_invites",
    "email_invites",
    "teams",
    "team_members",
    "collections",
    "spaces",
    "content_grants",
    "openapi_specs",
    "openapi_spec_versions",
    "openapi_spec_pages",
    "openapi_spec_parts",
    "custom_fields",
    "custom_field_values",
    "translation_settings",
    "oidc_providers",
    "oidc_provider_teams",
    "oidc_claim_rules",
    "oidc_identities",
    "saml_providers",
    "saml_provider_teams",
    "saml_claim_rules",
    "saml_identities",
    "saml_messages",
    "saml_sign_ins",
    "scim_groups",
    "scim_tokens",
    "scim_users",
    "integration_installations",
    "integration_space_installations",
    "integration_site_installations",
    "sites",
    "site_section_groups",
    "site_sections",
    "site_spaces",
    "site_share_links",
    "site_adaptive_schemas",
    "site_git_installations",
    "site_git_operations",
    "site_hostnames",
    "site_purges",
    "site_redirects",
    "site_renderers",
    "site_visitor_auth",
];

/// Keys without their tenant's column, each with the reason.
const KEYS_WITHOUT_TENANT: [(&str, &str); 10] = [
    ("email_invites_id_key", "an e-mail invite is accepted by its id"),
    ("organization_invites_id_key", "an invite is accepted by its id alone"),
    ("git_installations_id_key", "a connection is found by its id alone"),
    ("site_git_installations_id_key", "a connection is found by its id alone"),
    ("oidc_providers_id_key", "a sign-in names a provider by its id alone"),
    ("saml_providers_id_key", "a sign-in names a provider by its id alone"),
    ("site_hostnames_pkey", "a host name belongs to one organization of the deployment"),
    ("spaces_pkey", "a space is found by its id alone, and is itself the shard key of content"),
    ("collections_id_key", "a collection is found by its id alone"),
    ("spaces_id_head_revision_fkey", "a space's id is the space_id of its content"),
];

/// Tables that refer to a space or collection together with its organization, and how a transfer to another
/// organization affects their rows (`spaces/moves.rs`, `collections/moves.rs`).
const TIES_TO_AN_ORGANIZATION: [(&str, &str); 7] = [
    ("collections", "those below a collection follow it"),
    ("spaces", "those below a collection follow it"),
    ("content_grants", "dropped"),
    ("site_spaces", "dropped"),
    ("organization_invites", "dropped"),
    ("custom_field_values", "dropped"),
    ("integration_space_installations", "dropped"),
];

#[derive(Debug, QueryableByName)]
struct Constraint {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    relation: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Array<Text>)]
    columns: Vec<String>,
    #[diesel(sql_type = Text)]
    target: String,
    #[diesel(sql_type = Text)]
    on_delete: String,
    #[diesel(sql_type = Bool)]
    deferred: bool,
}

#[derive(Debug, QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

#[derive(Debug, QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    line: String,
    #[diesel(sql_type = Bool)]
    is_view: bool,
}

#[derive(Debug, QueryableByName)]
struct Index {
    #[diesel(sql_type = Text)]
    relation: String,
    /// `true` if the columns are unique.
    #[diesel(sql_type = Bool)]
    is_key: bool,
    #[diesel(sql_type = Array<Text>)]
    columns: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, QueryableByName)]
struct Updated {
    #[diesel(sql_type = BigInt)]
    rows: i64,
    #[diesel(sql_type = BigInt)]
    in_place: i64,
}

fn database() -> (TestDatabase, PgConnection) {
    let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
    let connection = PgConnection::establish(&database.url).unwrap();
    (database, connection)
}

fn constraints(connection: &mut PgConnection) -> Vec<Constraint> {
    diesel::sql_query(
        "SELECT c.conname::text AS name, c.conrelid::regclass::text AS relation, c.contype::text AS kind, \
                array(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY k (number, place) \
                      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number ORDER BY k.place) AS columns, \
                c.confrelid::regclass::text AS target, c.confdeltype::text AS on_delete, c.condeferred AS deferred \
         FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace \
         WHERE n.nspname = 'public' AND c.contype IN ('p', 'u', 'f') AND c.conrelid::regclass::text <> '__diesel_schema_migrations'",
    )
    .load(connection)
    .unwrap()
}

#[test]
fn every_key_holds_its_tenant() {
    let (_database, mut connection) = database();
    let global: BTreeSet<&str> = GLOBAL_TABLES.iter().map(|(table, _)| *table).collect();
    let excepted: BTreeSet<&str> = KEYS_WITHOUT_TENANT.iter().map(|(key, _)| *key).collect();
    let mut used = BTreeSet::new();
    let mut missing = Vec::new();
    for key in constraints(&mut connection) {
        let tenant =
            if ORGANIZATION_TABLES.contains(&key.relation.as_str()) { "organization_id" } else { "space_id" };
        let names_global = key.kind == "f" && global.contains(key.target.as_str());
        if global.contains(key.relation.as_str())
            || names_global
            || key.columns.iter().any(|column| column == tenant)
        {
            continue;
        }
        if excepted.contains(key.name.as_str()) {
            used.insert(key.name.clone());
        } else {
            missing.push(format!("{} of {} lacks {tenant}", key.name, key.relation));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert_eq!(used.len(), excepted.len(), "an exception is no longer needed");
}

#[test]
fn every_foreign_key_has_an_index_and_a_delete_rule() {
    let (_database, mut connection) = database();
    let indexes: Vec<Index> = diesel::sql_query(
        "SELECT i.indrelid::regclass::text AS relation, i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL AS is_key, \
                array(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place) \
                      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number ORDER BY k.place) AS columns \
         FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname = 'public'",
    )
    .load(&mut connection)
    .unwrap();
    let mut wrong = Vec::new();
    for key in constraints(&mut connection).into_iter().filter(|key| key.kind == "f") {
        let leads = |index: &&Index| {
            let head: BTreeSet<&String> = index.columns.iter().take(key.columns.len()).collect();
            // Columns that include a unique key need no other index.
            let finds_one = index.is_key && index.columns.iter().all(|column| key.columns.contains(column));
            index.relation == key.relation && (head == key.columns.iter().collect() || finds_one)
        };
        if indexes.iter().find(leads).is_none() {
            wrong.push(format!("{} ({}) has no index", key.name, key.columns.join(", ")));
        }
        // `NO ACTION` is the default of a key without a deliberate rule. Keys that need it are checked at the end of
        // the transaction.
        if key.on_delete == "a" && !key.deferred {
            wrong.push(format!("{} states no delete rule", key.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the key names that are mapped to refusals, in the files that map them.
fn mapped_keys() -> BTreeSet<&'static str> {
    let files = [
        include_str!("../../src/operations/integrations/queries.rs"),
        include_str!("../../src/people/organizations/changes.rs"),
        include_str!("../../src/sites/mod.rs"),
        include_str!("../../src/sites/sections.rs"),
    ];
    let maps = files.map(|file| file.split_once("match violated_key(&error) {").unwrap().1);
    let maps = maps.map(|map| map.split_once("_ =>").unwrap().0);
    let texts = maps.into_iter().flat_map(|map| map.split('"').skip(1).step_by(2));
    // Messages contain spaces, and field names no underscores.
    texts.filter(|text| text.contains('_') && !text.contains(' ')).collect()
}

#[test]
fn the_keys_that_errors_are_mapped_from_exist() {
    let (_database, mut connection) = database();
    let relations: Vec<Line> = diesel::sql_query(
        "SELECT relname::text AS line FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    )
    .load(&mut connection)
    .unwrap();
    let mut names: BTreeSet<String> = relations.into_iter().map(|relation| relation.line).collect();
    names.extend(constraints(&mut connection).into_iter().map(|key| key.name));
    let mapped = mapped_keys();
    assert!(mapped.len() >= 12, "{mapped:?}");
    let missing: Vec<_> = mapped.into_iter().filter(|name| !names.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_tie_to_an_organization_is_cut_by_a_transfer() {
    let (_database, mut connection) = database();
    let ties: BTreeSet<String> = constraints(&mut connection)
        .into_iter()
        .filter(|key| key.kind == "f" && matches!(key.target.as_str(), "spaces" | "collections"))
        .filter(|key| key.columns.iter().any(|column| column == "organization_id"))
        .map(|key| key.relation)
        .collect();
    let known = TIES_TO_AN_ORGANIZATION.map(|(table, _)| table.to_owned()).into_iter().collect();
    assert_eq!(ties, known, "a transfer would be refused by the keys of a table that it doesn't know");
}

#[test]
fn the_query_builders_schema_is_the_databases() {
    let (_database, mut connection) = database();
    let columns: Vec<Column> = diesel::sql_query(
        "SELECT format('%s.%s %s%s', table_name, column_name, \
                CASE udt_name WHEN 'uuid' THEN 'Uuid' WHEN 'text' THEN 'Text' WHEN 'int4' THEN 'Int4' WHEN 'int2' THEN 'Int2' \
                     WHEN 'int8' THEN 'Int8' WHEN 'bool' THEN 'Bool' WHEN 'bytea' THEN 'Bytea' WHEN 'timestamptz' THEN 'Timestamptz' \
                     WHEN 'jsonb' THEN 'Jsonb' WHEN 'json' THEN 'Json' WHEN '_uuid' THEN 'Array<Nullable<Uuid>>' WHEN '_text' THEN 'Array<Nullable<Text>>' \
                     WHEN 'tsvector' THEN 'Tsvector' WHEN 'inet' THEN 'Inet' WHEN '_int4' THEN 'Array<Nullable<Int4>>' WHEN '_int2' THEN 'Array<Nullable<Int2>>' \
                     ELSE udt_name END, \
                CASE is_nullable WHEN 'YES' THEN '?' ELSE '' END) AS line, table_type = 'VIEW' AS is_view \
         FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name) \
         WHERE table_schema = 'public' AND table_name <> '__diesel_schema_migrations'",
    )
    .load(&mut connection)
    .unwrap();
    let (views, tables): (Vec<_>, Vec<_>) = columns.into_iter().partition(|column| column.is_view);
    let database: BTreeSet<String> = tables.into_iter().map(|column| column.line).collect();
    let code = declared(include_str!("../../../domain/src/schema.rs"));
    let difference: Vec<_> = database.symmetric_difference(&code).collect();
    assert!(difference.is_empty(), "run `diesel print-schema`: {difference:#?}");
    let plain = |column: String| column.replace("Nullable<", "").replace(['>', '?'], "");
    let database: BTreeSet<String> = views.into_iter().map(|column| plain(column.line)).collect();
    let code = include_str!("../../../domain/src/views.rs");
    let code = declared(code).into_iter().map(plain).collect();
    let difference: Vec<_> = database.symmetric_difference(&code).collect();
    assert!(difference.is_empty(), "change `views.rs`: {difference:#?}");
}

/// Returns the columns declared in `schema.rs`, in the form of the query above.
fn declared(schema: &str) -> BTreeSet<String> {
    let mut columns = BTreeSet::new();
    let mut table = None;
    let mut renamed = None;
    for line in schema.lines().map(str::trim) {
        if line == "}" {
            table = None;
        } else if let Some(name) =
            line.strip_prefix("#[sql_name = \"").and_then(|rest| rest.strip_suffix("\"]"))
        {
            renamed = Some(name);
        } else if let Some((name, _)) = line.split_once(" (").filter(|_| line.ends_with('{')) {
            table = Some(name.to_owned());
        } else if let (Some(table), Some((column, kind))) =
            (&table, line.trim_end_matches(',').split_once(" -> "))
        {
            let kind = match kind.strip_prefix("Nullable<").and_then(|kind| kind.strip_suffix('>')) {
                Some(kind) => format!("{kind}?"),
                None => kind.to_owned(),
            };
            columns.insert(format!("{table}.{} {kind}", renamed.take().unwrap_or(column)));
        }
    }
    columns
}

/// Returns all objects of a schema by kind.
fn dump(connection: &mut PgConnection) -> BTreeMap<&'static str, BTreeSet<String>> {
    let queries = [
        (
            "columns",
            "SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line \
                     FROM information_schema.columns WHERE table_schema = 'public'",
        ),
        ("indexes", "SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public'"),
        (
            "constraints",
            "SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line FROM pg_constraint \
                         WHERE connamespace = 'public'::regnamespace",
        ),
        (
            "functions",
            "SELECT p.oid::regprocedure::text AS line FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace",
        ),
        ("extensions", "SELECT extname::text AS line FROM pg_extension"),
    ];
    queries
        .into_iter()
        .map(|(kind, query)| {
            let lines: Vec<Line> = diesel::sql_query(query).load(connection).unwrap();
            (kind, lines.into_iter().map(|line| line.line).collect())
        })
        .collect()
}

#[test]
fn migrations_can_be_undone_and_run_again() {
    let (database, mut connection) = database();
    let before = dump(&mut connection);
    MIGRATIONS.revert_all(&database.url).unwrap();
    let tables = dump(&mut connection).remove("columns").unwrap();
    assert!(tables.iter().all(|column| column.starts_with("__diesel_schema_migrations")), "{tables:#?}");
    assert!(matches!(MIGRATIONS.status(&database.url).unwrap(), Status::Behind { empty: true, .. }));
    assert!(!MIGRATIONS.run(&database.url).unwrap().is_empty());
    assert_eq!(dump(&mut connection), before);
    assert_eq!(MIGRATIONS.run(&database.url).unwrap(), Vec::<String>::new());
}

#[test]
fn a_newer_database_is_refused() {
    let (database, mut connection) = database();
    diesel::sql_query("INSERT INTO __diesel_schema_migrations (version) VALUES ('99991231000000')")
        .execute(&mut connection)
        .unwrap();
    assert!(matches!(MIGRATIONS.status(&database.url).unwrap(), Status::Ahead { .. }));
    let refused = MIGRATIONS.run(&database.url).unwrap_err();
    assert!(refused.to_string().contains("newer than this binary"), "{refused}");
}

#[test]
fn a_half_migrated_database_is_refused() {
    let (database, mut connection) = database();
    // As if a backup from before a migration were mixed with a later one.
    diesel::sql_query(
        "DELETE FROM __diesel_schema_migrations WHERE version = (SELECT min(version) FROM __diesel_schema_migrations)",
    )
    .execute(&mut connection)
    .unwrap();
    assert!(
        matches!(MIGRATIONS.status(&database.url).unwrap(), Status::Torn { missing } if missing.len() == 1)
    );
    let refused = MIGRATIONS.run(&database.url).unwrap_err();
    assert!(refused.to_string().contains("half migrated"), "{refused}");
}

/// An update without index writes is a HOT update.
#[test]
fn heads_and_counters_of_spaces_are_updated_without_their_indexes() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let space = store.create_space(&admin.credentials, "Guide");
    let mut connection = store.connection();
    let columns = "head_revision = head_revision, updated_at = now(), comments_open = comments_open + 1, \
                   change_requests = change_requests + 1, change_requests_open = change_requests_open + 1, \
                   change_requests_draft = change_requests_draft + 1";
    let updated = connection.transaction(|connection| {
        for _ in 0..5 {
            let moved = "SET CONSTRAINTS ALL DEFERRED; UPDATE spaces SET head_revision = gen_random_uuid()";
            connection.batch_execute(moved)?;
            connection.batch_execute(&format!("UPDATE spaces SET {columns} WHERE id = '{space}'"))?;
        }
        let counts = "SELECT pg_stat_get_xact_tuples_updated('spaces'::regclass) AS rows, \
                      pg_stat_get_xact_tuples_hot_updated('spaces'::regclass) AS in_place";
        let counts: Updated = diesel::sql_query(counts).get_result(connection)?;
        // The heads refer to missing revisions, so this must not be committed.
        connection.batch_execute("UPDATE spaces SET head_revision = (SELECT id FROM revisions LIMIT 1)")?;
        Ok::<_, diesel::result::Error>(counts)
    });
    assert_eq!(updated.unwrap(), Updated { rows: 10, in_place: 10 });
}
