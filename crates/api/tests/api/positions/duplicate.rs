//! Duplicates of spaces.

use std::time::Duration;

use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::content::spaces::Parent;
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;
use quire_test_support::Caller;
use serde_json::{Value, json};

use super::fixture::Fixture;

const BASE: &str = "http://127.0.0.1:8080";

async fn write(caller: &Caller, space: &str, changes: Value) {
    caller.post(&format!("/v1/spaces/{space}/content"), json!({ "changes": changes })).await.expect(200);
}

async fn fill(caller: &Caller, space: &str) {
    write(caller, space, json!([
        {"operation": "insert_files", "files": [{"name": "a.txt", "base64": "Qnl0ZXMu", "contentType": "text/plain"}]},
        {"operation": "insert_reusable_content", "title": "Note", "document": {"markdown": "Mind the gap."}},
        {"operation": "insert_page", "title": "Home", "document": {"markdown": "# Zebra\n\n[Out](https://a.example/x)"}},
        {"operation": "insert_page", "title": "Same", "document": {"markdown": "# Zebra\n\n[Out](https://a.example/x)"}},
        {"operation": "insert_page", "title": "Draft", "document": {"markdown": "Soon gone."}},
    ])).await;
}

/// Returns the content without parts that differ between revisions and spaces.
async fn content(caller: &Caller, space: &str) -> Value {
    let mut content = caller.get(&format!("/v1/spaces/{space}/content")).await.expect(200).json;
    for key in ["id", "urls", "createdAt", "parents"] {
        content.as_object_mut().unwrap().remove(key);
    }
    for file in content["files"].as_array_mut().unwrap() {
        file.as_object_mut().unwrap().remove("downloadURL");
    }
    serde_json::from_str(&content.to_string().replace(space, "SPACE")).unwrap()
}

async fn pages(caller: &Caller, space: &str) -> Value {
    let pages = caller.get(&format!("/v1/spaces/{space}/content/pages")).await.expect(200).json;
    serde_json::from_str(&pages.to_string().replace(space, "SPACE")).unwrap()
}

#[actix_web::test]
async fn a_duplicate_has_the_content_of_now_and_nothing_of_the_past() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let made = fixture
        .admin
        .post(&fixture.spaces, json!({"title": "Guide", "emoji": "📘", "parent": outer}))
        .await
        .expect(201);
    let space = made.text("/id");
    fixture.space("Next", Some(&outer)).await;
    fill(&fixture.admin, &space).await;
    let path = format!("/v1/spaces/{space}");
    let draft = pages(&fixture.admin, &space).await["pages"][2]["id"].clone();
    write(&fixture.admin, &space, json!([{"operation": "delete_page", "page": draft}])).await;
    fixture.admin.patch(&path, json!({"defaultLevel": "comment", "editMode": "locked"})).await.expect(200);
    fixture.admin.post(&format!("{path}/change-requests"), json!({})).await.expect(201);
    fixture.admin.post(&format!("{path}/comments"), json!({"body": {"markdown": "!"}})).await.expect(201);
    fixture.app.grant(&fixture.app.as_role(Role::Read), &space, Role::Edit);

    let answer = fixture.admin.post_empty(&format!("{path}/duplicate")).await.expect(201);
    let copy = answer.text("/id");
    assert_eq!(answer.header("location"), answer.text("/urls/location"));
    assert_eq!(
        (answer.text("/title"), answer.text("/emoji"), answer.text("/defaultLevel")),
        ("Guide (copy)".into(), "📘".into(), "comment".into())
    );
    assert_eq!((answer.text("/parent"), answer.text("/editMode")), (outer.clone(), "live".into()));
    for none in ["/comments", "/changeRequests", "/changeRequestsOpen", "/changeRequestsDraft"] {
        assert_eq!(answer.at(none), &json!(0));
    }
    assert_eq!(fixture.order(Some(&outer)), ["Guide", "Guide (copy)", "Next"]);
    assert_eq!(content(&fixture.admin, &copy).await, content(&fixture.admin, &space).await);
    assert_eq!(pages(&fixture.admin, &copy).await, pages(&fixture.admin, &space).await);
    let revision = fixture.admin.get(&format!("/v1/spaces/{copy}/content")).await.expect(200);
    assert_eq!(revision.at("/parents"), &json!([]));

    let of = |table: &str, space: &str| fixture.count(&format!("{table} WHERE space_id = '{space}'"));
    assert!(of("blobs", &copy) > 0);
    assert!(fixture.count(&format!("documents WHERE space_id = '{copy}' AND links <> '[]'")) > 0);
    assert_eq!(of("blobs", &copy), of("blobs", &space));
    // Deleted pages and earlier revisions are not copied.
    assert_eq!((of("documents", &space), of("documents", &copy)), (3, 2));
    assert_eq!((of("revisions", &copy), of("content_grants", &copy)), (1, 0));
    let found = fixture.admin.get(&format!("/v1/spaces/{copy}/search?query=zebra")).await.expect(200);
    assert_eq!(found.at("/count"), &json!(2));
    // Both spaces can be changed independently.
    write(&fixture.admin, &copy, json!([{"operation": "insert_page", "title": "More", "document": {}}]))
        .await;
    assert_ne!(pages(&fixture.admin, &copy).await, pages(&fixture.admin, &space).await);
    let again = fixture.admin.post_empty(&format!("/v1/spaces/{copy}/duplicate")).await.expect(201);
    assert_eq!(again.text("/title"), "Guide (copy) (copy)");
    fixture.assert_sound();
}

#[actix_web::test]
async fn the_files_of_a_duplicate_outlive_the_original() {
    let fixture = Fixture::new().await;
    let space = fixture.space("Guide", None).await;
    fill(&fixture.admin, &space).await;
    let copy =
        fixture.admin.post_empty(&format!("/v1/spaces/{space}/duplicate")).await.expect(201).text("/id");
    let file = fixture.admin.get(&format!("/v1/spaces/{copy}/content/files")).await.expect(200);
    let address = file.text("/items/0/downloadURL").strip_prefix(BASE).unwrap().to_owned();
    assert!(address.contains(&copy));
    let anonymous = fixture.app.anonymous();
    assert_eq!(&anonymous.get(&address).await.expect(200).bytes[..], b"Bytes.");
    fixture.app.schedule_jobs();
    fixture.admin.delete(&format!("/v1/spaces/{space}")).await.expect(204);
    fixture.app.clock.advance(Duration::from_secs(10 * 24 * 3_600));
    fixture.app.run_jobs().await;
    fixture.app.clock.advance(Duration::from_secs(2 * 24 * 3_600));
    fixture.app.run_jobs().await;
    fixture.admin.get(&format!("/v1/spaces/{space}")).await.expect(404);
    assert_eq!(&anonymous.get(&address).await.expect(200).bytes[..], b"Bytes.");
    // The bytes are stored once, and removed with the last space that refers to them.
    let again =
        fixture.admin.post_empty(&format!("/v1/spaces/{copy}/duplicate")).await.expect(201).text("/id");
    assert_eq!(fixture.stored_files().await.len(), 1);
    for last in [&copy, &again] {
        assert_eq!(fixture.stored_files().await.len(), 1, "{last} names them");
        fixture.admin.delete(&format!("/v1/spaces/{last}")).await.expect(204);
        for days in [10, 2] {
            fixture.app.clock.advance(Duration::from_secs(days * 24 * 3_600));
            fixture.app.run_jobs().await;
        }
    }
    assert!(fixture.stored_files().await.is_empty());
}

#[actix_web::test]
async fn a_duplicate_with_five_thousand_files_writes_no_bytes() {
    let fixture = Fixture::new().await;
    let space = fixture.space("Guide", None).await;
    let id: SpaceId = space.parse().unwrap();
    fixture.app.edit(&fixture.admin, id, ContentSelector::Space, |content| {
        for number in 0..5_000 {
            content.file(&format!("{number}.txt"), "text/plain", number.to_string().as_bytes());
        }
        content.page(None, "Home", "# Top\n\n## Set up\n\n[here](#set-up)")
    });
    let blobs = "INSERT INTO blobs (space_id, hash, size, created_at, stored_in) \
         SELECT '{}', sha256(n::text::bytea), length(n::text), now(), '{}' FROM generate_series(0, 4999) n";
    let mut connection = fixture.app.connection();
    diesel::connection::SimpleConnection::batch_execute(&mut connection, &blobs.replace("{}", &space))
        .unwrap();
    let before = fixture.app.statements();
    let copy =
        fixture.admin.post_empty(&format!("/v1/spaces/{space}/duplicate")).await.expect(201).text("/id");
    assert!(fixture.app.statements() - before < 50);
    let files = fixture.admin.get(&format!("/v1/spaces/{copy}/content/files?limit=1")).await.expect(200);
    assert_eq!(files.at("/count"), &json!(5_000));
    assert_eq!(fixture.count(&format!("blobs WHERE space_id = '{copy}' AND stored_in = '{space}'")), 5_000);
    assert!(fixture.stored_files().await.is_empty());
    // Derived data of documents is copied, not computed again.
    assert_eq!(fixture.count(&format!("documents WHERE space_id = '{copy}' AND anchors IS NULL")), 0);
    let links = fixture.admin.get(&format!("/v1/spaces/{copy}/links")).await.expect(200);
    assert_eq!(links.at("/stats/broken/total"), &json!(0));
}

#[actix_web::test]
async fn a_duplicate_needs_read_on_the_original_and_create_on_its_parent() {
    let fixture = Fixture::new().await;
    let space = fixture.space("Guide", None).await;
    fixture.admin.patch(&format!("/v1/spaces/{space}"), json!({"defaultLevel": null})).await.expect(200);
    let path = format!("/v1/spaces/{space}/duplicate");
    let creator = fixture.app.as_role(Role::Create);
    creator.post_empty(&path).await.expect(404);
    let reader = fixture.app.as_role(Role::Read);
    fixture.app.grant(&reader, &space, Role::Admin);
    reader.post_empty(&path).await.expect(403);
    // The creator of a copy is its administrator, whatever role the creator has on the original.
    fixture.app.grant(&creator, &space, Role::Comment);
    let copy = creator.post_empty(&path).await.expect(201);
    assert_eq!((copy.at("/permissions/admin"), copy.at("/defaultLevel")), (&json!(true), &json!(null)));
    creator.get(&format!("/v1/spaces/{}", copy.text("/id"))).await.expect(200);
    reader.get(&format!("/v1/spaces/{}", copy.text("/id"))).await.expect(404);
    // A hidden parent collection is not revealed.
    let hidden = fixture.collection("Hidden", None).await;
    fixture
        .admin
        .patch(&format!("/v1/collections/{hidden}"), json!({"defaultLevel": null}))
        .await
        .expect(200);
    fixture.move_space(&space, json!({"parent": hidden})).await.expect(200);
    assert_eq!(creator.post_empty(&path).await.expect(403).fields(), [""; 0]);
}

#[actix_web::test]
async fn a_long_title_keeps_what_tells_the_duplicate_apart() {
    let fixture = Fixture::new().await;
    let space = fixture.space(&"ä".repeat(50), None).await;
    let copy = fixture.admin.post_empty(&format!("/v1/spaces/{space}/duplicate")).await.expect(201);
    assert_eq!(copy.text("/title"), format!("{} (copy)", "ä".repeat(43)));
    assert_eq!(
        fixture.admin.get(&format!("/v1/spaces/{}/content", copy.text("/id"))).await.expect(200).at("/pages"),
        &json!([])
    );
}

#[actix_web::test]
async fn a_duplicate_costs_the_same_for_any_content() {
    let fixture = Fixture::new().await;
    let space = fixture.space("Guide", None).await;
    let path = format!("/v1/spaces/{space}/duplicate");
    let cost = async || {
        fixture.admin.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
        let before = fixture.app.statements();
        fixture.admin.post_empty(&path).await.expect(201);
        fixture.app.statements() - before
    };
    fill(&fixture.admin, &space).await;
    let _ = cost().await;
    let few = cost().await;
    for batch in 0..5 {
        let pages: Vec<Value> = (0..40)
            .map(|number| json!({"operation": "insert_page", "title": format!("P{batch}-{number}"), "document": {"markdown": format!("Text {batch} {number}")}}))
            .collect();
        write(&fixture.admin, &space, json!(pages)).await;
    }
    assert_eq!(cost().await, few);
}

#[actix_web::test]
async fn a_duplicate_has_the_content_that_was_looked_up() {
    let fixture = Fixture::new().await;
    let space = fixture.space("Guide", None).await;
    fill(&fixture.admin, &space).await;
    let credentials = Credentials::from_token(fixture.admin.token()).unwrap();
    let (storage, id) = (&fixture.app.state.storage, space.parse().unwrap());
    let copy = || SpaceId::from_uuid(storage.ids().uuid());
    let looked_up: quire_storage::Result<_> = storage.read(&credentials, |reader| {
        let content = reader.content(id, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
        let tree = reader.tree(&content)?;
        Ok((content, tree))
    });
    let (content, tree) = looked_up.unwrap();
    write(
        &fixture.admin,
        &space,
        json!([{"operation": "insert_page", "title": "Late", "document": {"markdown": "Lemur."}}]),
    )
    .await;
    let made: quire_storage::Result<_> = storage.transact(&credentials, |tx| {
        let root = tx.organization(content.space.organization)?.authorize(Action::CreateContent)?;
        tx.duplicate_space(&content, &tree, Parent::Root(&root), copy())
    });
    let made = made.unwrap().space.id;
    assert_eq!(pages(&fixture.admin, &made.to_string()).await["pages"].as_array().unwrap().len(), 3);
    for (word, hits) in [("zebra", 2), ("lemur", 0)] {
        let found = fixture.admin.get(&format!("/v1/spaces/{made}/search?query={word}")).await.expect(200);
        assert_eq!(found.at("/count"), &json!(hits), "{word}");
    }
}
