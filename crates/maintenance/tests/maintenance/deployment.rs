//! A deployment with content of every kind that a check verifies.

use std::collections::BTreeMap;

use bytes::Bytes;
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_domain::ids::SpaceId;
use quire_maintenance::Source;
use quire_revision::BlobHash;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::files::FileStore;
use quire_storage::content::store::ContentSelector;
use quire_storage::operations::snapshot::Snapshot;
use quire_test_support::{Caller, TestApp};
use serde_json::json;

/// Runs blocking work outside of the asynchronous runtime.
pub fn blocking<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

pub struct Deployment {
    pub app: TestApp,
    pub admin: Caller,
    pub space: SpaceId,
    /// Bytes of the files.
    pub files: Vec<Bytes>,
}

impl Deployment {
    pub async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, admin) = app.space().await;
        let id: SpaceId = space.parse().unwrap();
        // Enough pages that their tree has several nodes.
        let (_, page) = app.edit(&admin, id, ContentSelector::Space, |content| {
            content.pages(60, |at, _| format!("Page {at}: größer als \"null\" \\ und\n\n- eins\n- zwei"))[0]
        });
        let deployment = Self { app, admin, space: id, files: Vec::new() };
        let files = vec![Bytes::from_static(b"a picture"), Bytes::from(vec![7; 5 << 20]), Bytes::new()];
        for bytes in &files {
            deployment.upload(bytes).await;
        }
        let admin = &deployment.admin;
        let request = deployment.app.create_change_request(admin, id);
        let selector = ContentSelector::ChangeRequest(ChangeRequestKey::Id(request));
        deployment.app.edit(admin, id, selector, |content| content.write(page, "Changed."));
        deployment.app.merge(admin, id, request);
        let _ = deployment.app.create_change_request(admin, id);
        let comment = json!({"body": {"markdown": "Well \\N{0}?"}});
        let comment = admin.post(&format!("/v1/spaces/{space}/comments"), comment).await.expect(201);
        let replies = format!("/v1/spaces/{space}/comments/{}/replies", comment.text("/id"));
        admin.post(&replies, json!({"body": {"markdown": "Yes."}})).await.expect(201);
        let organization = deployment.app.organization;
        let collections = format!("/v1/orgs/{organization}/collections");
        let outer = admin.post(&collections, json!({"title": "Outer"})).await.expect(201).text("/id");
        let inner = json!({"title": "Inner", "parent": outer});
        let inner = admin.post(&collections, inner).await.expect(201).text("/id");
        let inside = json!({"title": "Inside", "parent": inner});
        admin.post(&format!("/v1/orgs/{organization}/spaces"), inside).await.expect(201);
        let _ = deployment.app.as_role(Role::Edit);
        Self { files, ..deployment }
    }

    /// Stores bytes as a file of the space.
    async fn upload(&self, bytes: &Bytes) {
        let hash = BlobHash::of(bytes);
        self.app.system.files().put(self.space, hash, bytes.clone()).await.unwrap();
        let size = u64::try_from(bytes.len()).unwrap();
        let noted: quire_storage::Result<()> =
            self.app.system.storage().transact(&self.admin.credentials(), |tx| {
                let content = tx.content(self.space, ContentSelector::Space)?;
                let content = content.authorize(quire_domain::policy::Action::EditContent)?;
                tx.store_blobs(&content, &[(hash, size)])
            });
        noted.unwrap();
        self.app.edit(&self.admin, self.space, ContentSelector::Space, |content| {
            content.file("a.bin", "application/octet-stream", bytes)
        });
    }

    pub fn source(&self) -> Source<'_> {
        let files: &FileStore = self.app.system.files();
        Source { database_url: self.app.store.url(), files, program: "tests", now: self.app.clock.now() }
    }
}

/// Returns all rows of a database, by table.
pub fn rows(url: &str) -> BTreeMap<String, Vec<String>> {
    let mut snapshot = Snapshot::take(url, None).unwrap();
    let tables = snapshot.catalogue().tables().to_vec();
    let mut rows = BTreeMap::new();
    for table in tables {
        let mut lines: Vec<String> = Vec::new();
        let each = |row: &str| {
            lines.push(row.to_owned());
            Ok::<_, quire_storage::Error>(())
        };
        snapshot.rows(&table, each).unwrap();
        lines.sort_unstable();
        rows.insert(table.name, lines);
    }
    rows
}
