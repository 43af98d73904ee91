//! An organization that was moved to another deployment has the same responses there.

use std::time::Duration;

use actix_web::http::Method;
use quire_domain::clock::Clock as _;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_maintenance::{
    Error, Manifest, Restored, Source, Target, export_organization, import_organization,
};
use quire_revision::BlobHash;
use quire_storage::content::store::ContentSelector;
use quire_storage::operations::keys::MasterKeys;
use quire_test_support::{Caller, TestApp};
use serde_json::json;
use tempfile::TempDir;

use crate::routes::{crowd, fill};

/// Operations whose responses differ, with the reason.
const DIFFERENT: [(&str, &str); 12] = [
    ("listSessions", "sessions stay with the deployment whose cookies they are"),
    ("listMembersInOrganizationById", "passkeys, which are second factors, are not moved"),
    ("getMemberInOrganizationById", "passkeys, which are second factors, are not moved"),
    ("listPasskeys", "passkeys are bound to the address of their deployment"),
    ("getMetrics", "of the node"),
    ("getOpenApiDocument", "of the deployment"),
    ("getApiInformation", "of the deployment"),
    ("getSpacePDF", "makes a PDF"),
    ("getChangeRequestPDF", "makes a PDF"),
    ("listOrganizationsForAuthenticatedUser", "shows other organizations, too"),
    ("listInvitesForAuthenticatedUser", "shows other organizations, too"),
    ("listAuditLog", "shows the exports that this test requests"),
];

/// Runs blocking work outside of the asynchronous runtime.
fn blocking<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

fn export(app: &TestApp, organization: OrganizationId, folder: &TempDir) -> Result<Manifest, Error> {
    let path = folder.path().join("organization");
    let (url, files) = (app.store.url(), app.system.files());
    let source = Source { database_url: url, files, program: "tests", now: app.clock.now() };
    blocking(|| export_organization(&source, organization, &path))
}

fn import(app: &TestApp, folder: &TempDir) -> Result<Restored, Error> {
    let path = folder.path().join("organization");
    let (url, files) = (app.store.url(), app.system.files());
    let target = Target { database_url: url, files, keep_files: true };
    let keys = MasterKeys::new(TestApp::MASTER_KEY, &[]);
    blocking(|| import_organization(&path, &target, &keys))
}

#[track_caller]
fn refused(result: Result<Restored, Error>, says: &str) {
    match result {
        Err(Error::Refused(sentence)) => assert!(sentence.contains(says), "{sentence}"),
        other => panic!("{other:?}"),
    }
}

/// Fills an organization with every kind of resource, several of each kind that lists show.
async fn filled(app: &TestApp) -> (crate::routes::Fixture, Caller) {
    let (space, admin) = app.space().await;
    let mut fixture = fill(app, app.organization, space, &admin).await;
    crowd(app, &mut fixture, &admin).await;
    // The fixture stores these bytes without a row for them.
    let space = fixture.space.parse().unwrap();
    let blobs = [(BlobHash::of(b"png"), 3), (BlobHash::of(b"other"), 5)];
    let noted: quire_storage::Result<()> = app.system.storage().transact(&admin.credentials(), |tx| {
        let content = tx.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
        tx.store_blobs(&content, &blobs)
    });
    noted.unwrap();
    (fixture, admin)
}

#[actix_web::test]
async fn every_answer_is_the_same_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let source = TestApp::start().await;
    let (fixture, admin) = filled(&source).await;
    let manifest = export(&source, source.organization, &folder).unwrap();
    assert!(manifest.rows() > 100 && manifest.files.number > 0, "{manifest:?}");

    let target = TestApp::start().await;
    target.store.execute("UPDATE organizations SET slug = 'neighbour'");
    // Rows of other organizations are not changed.
    let (before, neighbour) = (target.store.count("spaces"), target.space().await);
    import(&target, &folder).unwrap();
    assert!(target.store.count("spaces") > before + 1);
    let moved = target.anonymous().with_token(admin.token());
    // Expiry times are relative to the time of the request.
    let later = target.clock.now().millis() - source.clock.now().millis();
    source.clock.advance(Duration::from_millis(u64::try_from(later).unwrap()));
    let (mut compared, mut differing) = (0, Vec::new());
    for route in quire_api::routes().into_iter().filter(|route| route.method == Method::GET) {
        let differs = DIFFERENT.iter().any(|(operation, _)| *operation == route.operation);
        if differs || !fixture.knows(&route) {
            continue;
        }
        let path = fixture.path(&route);
        let (here, there) = (admin.get(&path).await, moved.get(&path).await);
        if here.status != there.status || here.bytes != there.bytes {
            differing.push(format!("{} {path}: {} {}", route.operation, here.json, there.json));
        }
        compared += 1;
    }
    assert!(differing.is_empty(), "{differing:#?}");
    assert!(compared > 100, "{compared}");
    // The moved organization can be changed.
    let spaces = format!("/v1/orgs/{}/spaces", source.organization);
    moved.post(&spaces, json!({"title": "New"})).await.expect(201);
    neighbour.1.get(&format!("/v1/spaces/{}", neighbour.0)).await.expect(200);
    neighbour.1.get(&spaces).await.expect(404);
}

#[actix_web::test]
async fn conflicts_are_refused_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let source = TestApp::start().await;
    let (_, admin) = source.space().await;
    let settings = json!({"hostname": "acme"});
    let _ = admin.patch(&format!("/v1/orgs/{}", source.organization), settings.clone()).await.expect(200);
    export(&source, source.organization, &folder).unwrap();
    refused(import(&source, &folder), "the organization already exists in this deployment");

    let target = TestApp::start().await;
    let neighbour = target.as_role(quire_domain::Role::Admin);
    let _ = neighbour.patch(&format!("/v1/orgs/{}", target.organization), settings).await.expect(200);
    refused(import(&target, &folder), "another organization has its hostname");
    let cleared = json!({"hostname": null});
    let _ = neighbour.patch(&format!("/v1/orgs/{}", target.organization), cleared).await;
    target.store.execute("UPDATE organizations SET hostname = NULL");

    let email = admin.get("/v1/user").await.expect(200).text("/email");
    target.store.execute(&format!(
        "INSERT INTO users (id, email, display_name, created_at) VALUES (gen_random_uuid(), '{email}', 'Other', now())"
    ));
    refused(import(&target, &folder), "has the e-mail address of one of its users");
    target.store.execute(&format!(
        "UPDATE users SET email = 'other@example.com', id = '{}' WHERE email = '{email}'",
        admin.user()
    ));
    refused(import(&target, &folder), "has another e-mail address in this deployment");
    // A user with the same id and e-mail address is the same user.
    target.store.execute(&format!("UPDATE users SET email = '{email}' WHERE id = '{}'", admin.user()));
    assert_eq!(target.store.count("organizations"), 1, "nothing was written so far");
    import(&target, &folder).unwrap();
    assert_eq!(target.store.count("organizations"), 2);
}

#[actix_web::test]
async fn other_keys_of_the_deployment_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let source = TestApp::start().await;
    source.system.transact::<_, quire_storage::Error>(|tx| tx.deployment_key("urls")).unwrap();
    export(&source, source.organization, &folder).unwrap();
    let target = TestApp::start().await;
    target.system.transact::<_, quire_storage::Error>(|tx| tx.deployment_key("urls")).unwrap();
    refused(import(&target, &folder), "the key `urls` of this deployment is different");

    let fresh = TestApp::start().await;
    import(&fresh, &folder).unwrap();
    let key = |app: &TestApp| {
        app.system.transact::<_, quire_storage::Error>(|tx| tx.deployment_key("urls")).unwrap()
    };
    assert_eq!(key(&fresh), key(&source), "addresses that were given out still work");
}

#[actix_web::test]
async fn an_integration_of_others_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let source = TestApp::start().await;
    let other = source.create_organization("Publisher");
    let publisher = source.member_of(other, Some(quire_domain::Role::Admin));
    let body = json!({"title": "Chat", "description": "", "scopes": [], "script": "x", "organization": other,
        "visibility": "public"});
    publisher.post("/v1/integrations/chat", body).await.expect(201);
    let admin = source.as_role(quire_domain::Role::Admin);
    let installation = json!({"organization": source.organization});
    admin.post("/v1/integrations/chat/installations", installation).await.expect(201);
    export(&source, source.organization, &folder).unwrap();
    let target = TestApp::start().await;
    refused(import(&target, &folder), "integrations of others that this deployment lacks: chat");
}
