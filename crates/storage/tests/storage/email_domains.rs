//! Migration of e-mail addresses with non-ASCII domains.

use diesel::connection::SimpleConnection as _;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Text;
use quire_storage::MIGRATIONS;
use quire_test_support::TestDatabase;

/// Version of the migration.
const ENCODE: &str = "20261128170000";

const ROWS: &str = "
    INSERT INTO users (id, email, display_name, created_at)
    SELECT gen_random_uuid(), email, email, timestamptz '2026-01-01' + n * interval '1 s'
      FROM unnest(ARRAY['eve@exämple.org', 'eve@xn--exmple-cua.org', 'äda@bücher.example',
                        'a\u{308}da@bücher.example', 'plain@example.com', 'odd@ex\u{2460}mple.org', 'ö@example.com'])
               WITH ORDINALITY AS e (email, n);
    INSERT INTO organizations (id, title, created_at, email_domains)
    VALUES ('01900000-0000-7000-8000-000000000001', 'Acme', now(),
            ARRAY['bücher.example', 'example.com', 'xn--bcher-kva.example']);
    INSERT INTO email_invites (organization_id, id, email, sso, secret_hash, created_at, expires_at)
    SELECT '01900000-0000-7000-8000-000000000001', gen_random_uuid(), email, false, sha256(''), now(), now()
      FROM unnest(ARRAY['bo@bücher.example', 'bo@example.com', 'al@xn--bcher-kva.example', 'al@bücher.example']) email";

#[test]
fn domains_of_addresses_beyond_ascii_are_encoded() {
    let before = |url: &str| {
        let versions: Vec<String> =
            MIGRATIONS.known().unwrap().into_iter().filter(|version| version.as_str() < ENCODE).collect();
        MIGRATIONS.run_only(url, &versions).unwrap();
    };
    let database = TestDatabase::create("before_email_domains", before);
    let mut connection = PgConnection::establish(&database.url).unwrap();
    connection.batch_execute(ROWS).unwrap();
    assert!(MIGRATIONS.run(&database.url).unwrap().contains(&ENCODE.to_owned()));
    let mut list = |query: &str| sql::<Text>(query).load::<String>(&mut connection).unwrap();
    let sorted = |items: &[&str]| {
        let mut items: Vec<String> = items.iter().map(|item| (*item).to_owned()).collect();
        items.sort();
        items
    };
    // An address whose encoded form another user has, and an address that is not valid now, are not changed.
    let users = [
        "eve@exämple.org",
        "eve@xn--exmple-cua.org",
        "äda@xn--bcher-kva.example",
        "a\u{308}da@bücher.example",
        "plain@example.com",
        "odd@ex\u{2460}mple.org",
        "ö@example.com",
    ];
    assert_eq!(list("SELECT email FROM users ORDER BY email COLLATE \"C\""), sorted(&users));
    let invites =
        ["bo@xn--bcher-kva.example", "bo@example.com", "al@xn--bcher-kva.example", "al@bücher.example"];
    assert_eq!(list("SELECT email FROM email_invites ORDER BY email COLLATE \"C\""), sorted(&invites));
    let domains = list("SELECT unnest(email_domains) FROM organizations");
    assert_eq!(domains, ["xn--bcher-kva.example", "example.com"]);
}
