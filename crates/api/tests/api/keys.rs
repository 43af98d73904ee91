//! A dump of the database contains no secret in any common encoding.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl as _, sql_query};
use quire_domain::Role;
use quire_domain::ids::InviteId;
use quire_test_support::TestApp;
use serde_json::json;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Returns every value of every row as PostgreSQL prints it, with bytes in hexadecimal.
fn dump(app: &TestApp) -> Vec<(String, String)> {
    let mut connection = app.connection();
    let tables =
        "SELECT quote_ident(tablename) AS line FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";
    let tables: Vec<Line> = sql_query(tables).load(&mut connection).unwrap();
    let rows_of = |Line { line: table }: Line| {
        let rows = format!("SELECT coalesce(string_agg(t::text, ' '), '') AS line FROM {table} t");
        let all: Line = sql_query(rows).get_result(&mut connection).unwrap();
        (table, all.line)
    };
    tables.into_iter().map(rows_of).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the encodings to search for.
fn forms(secret: &[u8]) -> Vec<String> {
    let base64 = [STANDARD_NO_PAD.encode(secret), URL_SAFE_NO_PAD.encode(secret)];
    let texts = String::from_utf8(secret.to_vec()).into_iter().chain(base64);
    // A text may also be in a column of bytes.
    texts.flat_map(|text| [hex(text.as_bytes()), text]).chain([hex(secret)]).collect()
}

#[actix_web::test]
async fn a_dump_opens_nothing() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let organization = format!("/v1/orgs/{}", app.organization);
    let site = json!({"title": "Docs", "visibility": "share-link", "type": "ultimate"});
    let site = admin.post(&format!("{organization}/sites"), site).await.expect(201).text("/id");
    let links = format!("{organization}/sites/{site}/share-links");
    let share_key = admin.post(&links, json!({"name": "Press"})).await.expect(201).text("/key");
    let renderer = json!({"url": "https://renderer.example.com", "secret": "a secret of the renderer"});
    admin.put(&format!("{organization}/sites/{site}/renderer"), renderer).await.expect(200);
    let webhook = json!({"url": "https://hooks.example.com/", "events": ["space_created"]});
    let webhook = admin.post(&format!("{organization}/webhooks"), webhook).await.expect(201).text("/secret");
    let token = admin.post("/v1/user/tokens", json!({"label": "CI"})).await.expect(201).text("/token");
    crate::integrations::publish(
        &admin,
        "chat",
        app.organization,
        json!({"script": "a script of its own", "secrets": {"a": "a secret of it"}}),
    )
    .await;
    let invites = format!("{organization}/link-invites");
    let invite = admin.post(&invites, json!({"role": "read"})).await.expect(201).text("/id");
    admin.patch(&format!("{invites}/{invite}"), json!({"role": "edit"})).await.expect(200);
    app.stranger().post_empty(&format!("/v1/invites/{invite}/accept")).await.expect(200);
    let visitor_token =
        admin.post_empty(&format!("{organization}/ping")).await.expect(200).text("/serviceVisitorClaims");
    let keys = app.system.transact::<_, quire_storage::Error>(|tx| {
        let visitor = tx.visitor_key(app.organization)?;
        let names = ["urls", "webhooks", "integrations", "invites", "renderers"];
        Ok([vec![visitor], names.into_iter().map(|name| tx.deployment_key(name)).collect::<Result<_, _>>()?]
            .concat())
    });
    let texts = [
        &*share_key,
        &webhook,
        &token,
        admin.token(),
        "a script of its own",
        "a secret of it",
        "a secret of the renderer",
        &visitor_token,
        &invite,
    ];
    let webhook_bytes = URL_SAFE_NO_PAD.decode(webhook.trim_start_matches("whsec_")).unwrap();
    let invite_bytes = invite.parse::<InviteId>().unwrap().as_uuid().as_bytes().to_vec();
    let keys = keys.unwrap().into_iter().chain([TestApp::MASTER_KEY]).map(Vec::from);
    let secrets: Vec<Vec<u8>> = texts
        .map(|text| text.as_bytes().to_vec())
        .into_iter()
        .chain(keys)
        .chain([webhook_bytes, invite_bytes])
        .collect();
    let dump = dump(&app);
    assert!(
        dump.iter().any(|(_, rows)| rows.contains("hooks.example.com")),
        "the dump shows what is in the clear"
    );
    for secret in secrets {
        for form in forms(&secret) {
            let found: Vec<&str> =
                dump.iter().filter(|(_, rows)| rows.contains(&form)).map(|(table, _)| &**table).collect();
            assert!(found.is_empty(), "{form} is in {found:?}");
        }
    }
    // Users who manage the site see the key, and it still opens the site.
    assert_eq!(admin.get(&links).await.expect(200).at("/items/0/key"), &json!(share_key));
    // Administrators see the id of an invite link.
    assert_eq!(admin.get(&invites).await.expect(200).at("/items/0/id"), &json!(invite));
}
