//! Imports of uploads and URLs, synchronous and in the background.

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use serde_json::json;

use super::{Rich, done};
use crate::routes::Fixture;

/// Returns an upload of a page with a broken link.
fn upload(target: &str) -> TestRequest {
    let body = "--b\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nmarkdown\r\n\
         --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"guide.md\"\r\n\r\n\
         # Guide\n\n[nowhere](missing.md)\r\n--b--\r\n";
    let request = TestRequest::post().uri(target).set_payload(body);
    request.insert_header(("Content-Type", "multipart/form-data; boundary=b"))
}

impl Rich<'_> {
    /// Imports into the space, into a page, into a change request and into a page of it. The fixture's import fails.
    pub async fn imports(&self, fixture: &mut Fixture) {
        let request = self.change_request().await;
        for resource in [&self.space, &request] {
            let page = json!({"operation": "insert_page", "title": "Target", "document": {"markdown": ""}});
            let page = super::changed(&self.write(resource, json!([page])).await, "page", "Target");
            for target in
                [format!("{resource}/content/import"), format!("{resource}/content/page/{page}/import")]
            {
                let fetched = || {
                    TestRequest::post()
                        .uri(&target)
                        .set_json(json!({"url": self.server.url("/guide.md"), "source": "markdown"}))
                };
                let later = |request: TestRequest| request.insert_header(("Prefer", "respond-async"));
                done(&self.admin.send(upload(&target)).await);
                done(&self.admin.send(fetched()).await);
                let _ = self.admin.send(later(fetched())).await.expect(202);
                let watched = self.admin.send(later(upload(&target))).await.expect(202).text("/id");
                fixture.set("importId", &watched);
            }
        }
        self.app.run_jobs().await;
        // Phases are recorded once a second, and these imports take less.
        let noted = "UPDATE imports SET phase = 'fetching' WHERE status = 'failed'";
        self.app.connection().batch_execute(noted).unwrap();
        let imports = self.get(&format!("{}/imports?limit=1000", self.space)).await;
        for import in imports.at("/items").as_array().unwrap() {
            self.get(&format!("{}/imports/{}", self.space, import["id"].as_str().unwrap())).await;
        }
    }
}
