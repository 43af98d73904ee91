//! Imports, at once and watched.

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use serde_json::json;

use super::{Rich, done};
use crate::routes::Fixture;

/// An upload of a page with a link that leads nowhere.
fn upload(target: &str) -> TestRequest {
    let body = "--b\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nmarkdown\r\n\
         --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"guide.md\"\r\n\r\n\
         # Guide\n\n[nowhere](missing.md)\r\n--b--\r\n";
    let request = TestRequest::post().uri(target).set_payload(body);
    request.insert_header(("Content-Type", "multipart/form-data; boundary=b"))
}

impl Rich<'_> {
    pub async fn import(&self) {
        let target = format!("{}/content/import", self.space);
        let imported = self.admin.send(upload(&target)).await;
        done(&imported);
    }

    /// Imports that are watched: to a page and to a change request; that of the fixture fails.
    pub async fn watched_imports(&self, fixture: &Fixture) {
        let requests = format!("{}/change-requests", self.space);
        let request = self.admin.post(&requests, json!({})).await.expect(201).text("/id");
        let page = format!("{}/content/page/{}/import", self.space, fixture.named("pageId"));
        for target in [page, format!("{requests}/{request}/content/import")] {
            let begun = upload(&target).insert_header(("Prefer", "respond-async"));
            let _ = self.admin.send(begun).await.expect(202);
        }
        self.app.run_jobs().await;
        // A phase is noted once a second, which none of these takes.
        let noted = "UPDATE imports SET phase = 'fetching' WHERE status = 'failed'";
        self.app.connection().batch_execute(noted).unwrap();
        let imports = format!("{}/imports", self.space);
        self.get(&imports).await;
    }
}
